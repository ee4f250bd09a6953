"""What comments, docstrings, pages and schemas mention exists: files of the repository, and names of modules."""

from __future__ import annotations

import re
from pathlib import Path

from test_architecture import MODULES

ROOT = Path(__file__).resolve().parents[1]
TEXTS = (
    *MODULES,
    ROOT / "README.md",
    *ROOT.glob("benchmarks/*.py"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("schemas/*/*.json"),
    ROOT / "Makefile",
)
# A path of another repository stands before its name: `FILE of OWNER/NAME`.
PATH = re.compile(
    r"\b(?<![/-])(?:converters/toolglot|tests|docs|fixtures|benchmarks|schemas)/[\w/.-]+\.(?:json|md|py)\b(?! of \w+/)"
)
NAME = re.compile(r"`(?:\w+\.)*([a-z]\w*)\.([A-Za-z]\w+)(?:\([^`]*\))?`")
SUFFIXES = {"json", "md", "py", "toml", "yaml"}
# Keys of documents and of others' objects that are called like a module.
KEYS = {
    ("discovery", "skip_list"), ("run", "elsewhere"), ("server", "add_tool"), ("toolglot", "path"),
    ("trust", "checksum"),
}  # fmt: skip


def test_what_is_mentioned_exists() -> None:
    modules: dict[str, list[Path]] = {}
    for path in MODULES:
        modules.setdefault((path.parent if path.name == "__init__.py" else path).stem, []).append(path)

    def has(module: str, name: str) -> bool:
        """Whether a module so called has the word, or a folder so called the module."""
        word = re.compile(rf"\b{name}\b")
        folders = [path.parent for path in modules[module] if path.name == "__init__.py"]
        return any(word.search(path.read_text(encoding="utf-8")) for path in modules[module]) or any(
            (folder / name).is_dir() or (folder / f"{name}.py").is_file() for folder in folders
        )

    stale = []
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        names = {found for found in NAME.findall(text) if found[1] not in SUFFIXES and found[0] in modules} - KEYS
        missing = [named for named in set(PATH.findall(text)) if not (ROOT / named).exists()]
        missing += [f"{module}.{name}" for module, name in names if not has(module, name)]
        stale += [f"{path.relative_to(ROOT)}: {named}" for named in missing]
    assert not stale, "\n".join(stale)
