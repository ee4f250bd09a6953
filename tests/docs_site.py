"""`make docs`: the site of the documents, with the schemas beside them, every link and anchor in it checked.

The sources are a copy in the shape of the repository: `README.md`, `docs/`, the manual, and what these link to. So one
link works in the repository and in the site. Beside them is a page of all rules, which findings link to.
`TOOLGLOT_BASE_URL` is where the site will be; without it the schemas keep their `$id` without a host, and
there is no catalogue for editors.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from links import targets
from toolglot.converter.formats import editor_schemas
from toolglot.converter.formats import registry as formats
from toolglot.converter.schema import canonical
from toolglot.converter.text.serialization import dump_json
from toolglot.verbs.diagnostics.rule_pages import rule_page
from toolglot.verbs.diagnostics.rules import rules

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
SOURCE = SITE / "source"


def pages() -> list[Path]:
    """The documents that the site is made of, relative to the repository."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("fixtures/cli/*.md")]
    return [path.relative_to(ROOT) for path in found]


def for_site(text: str) -> str:
    """A page as Python's Markdown reads it, which knows no name of a file behind the language of a fenced block."""
    return re.sub(r"^(`{3,})(\w+) +(\S+)$", r"`\3`:\n\n\1\2", text, flags=re.MULTILINE)


def copy(path: Path) -> None:
    target = SOURCE / path
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".md":
        target.write_text(for_site((ROOT / path).read_text(encoding="utf-8")), encoding="utf-8")
    else:
        shutil.copyfile(ROOT / path, target)


def copy_sources() -> None:
    for page in pages():
        copy(page)
        for target in targets((ROOT / page).read_text(encoding="utf-8")):
            linked = Path(os.path.normpath(page.parent / target.path))
            if target.path and (ROOT / linked).is_file():
                copy(linked)


def write_rules() -> None:
    """The pages of all rules as one, at the address that `rule_address` gives for each."""
    pages = map(rule_page, rules().values())
    (SOURCE / "rules.md").write_text("\n".join(["# The rules, one by one\n", *pages]), encoding="utf-8")


def write_schemas(base_url: str | None) -> None:
    """The schemas where their `$id`s say that they are, with those of whole documents; and the catalogue of both."""
    known = [canonical.load(name) for name in canonical.names()]
    for name in formats.names():
        found = formats.get(name)
        known += [editor_schemas.schema_of_files(found, found.described_by(version)) for version in found.versions]
    for schema in known:
        path = SOURCE / schema["$id"].lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dump_json(editor_schemas.publish(schema, base_url)), encoding="utf-8")
    if base_url:
        (SOURCE / "schemas" / "catalog.json").write_text(dump_json(editor_schemas.catalog(base_url)), encoding="utf-8")


def main() -> int:
    shutil.rmtree(SITE, ignore_errors=True)
    copy_sources()
    write_rules()
    write_schemas(os.environ.get("TOOLGLOT_BASE_URL") or None)
    return subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
