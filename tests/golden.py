"""Expected answers that lie in files. `make accept` (TOOLGLOT_ACCEPT=1) writes them anew, for a person to review."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))
"""What people read."""
FIXTURES = ROOT / "fixtures"
EXAMPLES = FIXTURES / "examples"
# What `check` says of these is for the author of a document; no conversion and no migration answers it.
OF_THE_AUTHOR = ("meaning", "tool-schemas", "size", "text", "danger-unstated")
ACCEPT = os.environ.get("TOOLGLOT_ACCEPT") == "1"


def copy_example(page: Path, folder: Path) -> None:
    """Copy what the commands of a page find: the example of its name, and the demo of the clone if they name that."""
    found = {EXAMPLES / page.stem: folder}
    if "fixtures/demo/" in page.read_text(encoding="utf-8"):
        found[FIXTURES / "demo"] = folder / "fixtures" / "demo"
    for example in filter(Path.is_dir, found):
        shutil.copytree(example, found[example], dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


def same_file(path: Path, content: str) -> None:
    """Hold `content` to the file at `path`."""
    if ACCEPT:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    assert path.is_file(), f"{path.relative_to(ROOT)} is missing; `make accept` writes it, then review it"
    assert content == path.read_bytes().decode(), f"{path.relative_to(ROOT)} says something else"


def same_folder(folder: Path, files: dict[str, str]) -> None:
    """Hold files, by their name relative to `folder`, to those in it; no other may lie there."""
    if ACCEPT:
        shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        same_file(folder / name, content)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == set(files), f"files that nothing writes; `make accept` removes them: {sorted(found - set(files))}"


def same_table(name: str, table: str) -> None:
    """Hold what stands between two markers of a page to `table`."""
    block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    [page] = [page for page in PAGES if block.search(page.read_text(encoding="utf-8"))]
    text = page.read_text(encoding="utf-8")
    same_file(page, block.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text))
