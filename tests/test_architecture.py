"""The shape of the package: imports run one way, and no format's name is known outside the formats."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import toolglot
from rows import for_each
from toolglot import errors, formats
from toolglot.hub import model
from toolglot.schema import canonical

PACKAGE = Path(toolglot.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))

# Each layer may import those before it, and its own.
LAYERS = (
    {"hub", "errors"},
    {"safety"},
    {"text"},
    {"schema"},
    {"fitting"},
    {"formats"},
    {"conversion"},
    {"diagnostics"},
    {"api", "bridge", "comparison", "migration", "streams"},
    {"catalogs"},
    {"cli", "__main__"},
)
# `Tool.leaves()` is where one asks for the commands of a tool, and what a command inherits is a rule about safety.
DOORS = {"hub": {"safety"}}
LAYER_OF = {name: index for index, layer in enumerate(LAYERS) for name in layer}


def layer_name(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "toolglot" else [f"toolglot.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("toolglot.")}
    return found


@for_each("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    own = layer_name(path)
    if own == "__init__":
        return  # the public names, imported on first use
    assert own in LAYER_OF, f"{own} is in no layer"
    upward = {name for name in imported(path) if LAYER_OF.get(name, 0) > LAYER_OF[own]} - DOORS.get(own, set())
    assert not upward, f"{own} imports {sorted(upward)}, which stand above it"


def test_reading_does_not_know_writing() -> None:
    source = (PACKAGE / "conversion" / "reading.py").read_text(encoding="utf-8")
    for name in ("writing", "offers", "remainder", "sources", "pipeline"):
        assert f"toolglot.conversion.{name} import" not in source


@for_each("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_format_is_named_outside_the_formats(path: Path) -> None:
    if layer_name(path) == "formats":
        return
    code = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)  # docstrings give examples
    for name in formats.names():
        quoted = rf"[\"']{name}[\"']" if name == "hub" else rf"\b{name}\b"  # "hub" is also a plain word
        assert not re.search(quoted, code), f"{path.name} knows {name}"


def test_the_hub_and_its_schema_have_the_same_fields() -> None:
    described = set(canonical.load("hub/1")["properties"])
    assert described == set(model.Tool.__struct_fields__)
    parts = {
        "binding": model.Binding,
        "error": model.ErrorCode,
        "example": model.Example,
        "authMethod": model.AuthMethod,
    }
    for name, record in parts.items():
        assert set(canonical.load("hub/1")["$defs"][name]["properties"]) == set(record.__struct_fields__)


def test_every_error_is_drawn_in_the_tree() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, errors.Error)]
    for found in classes:
        assert found.__name__ in (errors.__doc__ or "")


def test_every_public_name_can_be_imported() -> None:
    for name in toolglot.__all__:
        assert getattr(toolglot, name) is not None
    assert set(toolglot.__all__) <= set(dir(toolglot))


@for_each("name", formats.names())
def test_a_format_declares_what_exists(name: str) -> None:
    found = formats.get(name)
    assert found.holds <= set(model.Tool.__struct_fields__)
    for version in (*found.versions, canonical.READING):
        assert canonical.load(f"{name}/{version}")["$id"].endswith(f"{version}.schema.json")
    assert set(found.writes) <= set(found.versions)
    assert found.patterns
