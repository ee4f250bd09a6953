"""Tools of our own in every format: `fixtures/cases/<case>/hub.json` and what each conversion makes of it.

The folders and the registry decide what runs; a format or a case is added without touching this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import toolglot
from golden import FIXTURES, OF_THE_AUTHOR, same_file, same_folder
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.files.names import paths_below
from toolglot.converter.formats import Format
from toolglot.converter.hub import model
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.text import serialization

FOLDER = FIXTURES / "cases"
CASES = sorted(path.parent.name for path in FOLDER.glob("*/hub.json"))
TARGETS = [name for name in formats.targets() if name != "hub"]
every = for_each(("case", "target"), [(case, target) for case in CASES for target in TARGETS])


def hub(case: str) -> str:
    return (FOLDER / case / "hub.json").read_text("utf-8")


def written(case: str, target: Format) -> list[Path]:
    """The golden files of a case in a format."""
    folder = FOLDER / case / target.name
    if target.one_per_file:
        return sorted(path for path in folder.rglob("*") if path.is_file())
    return [FOLDER / case / f"{target.name}.json"]


@for_each("case", CASES)
def test_the_hub_is_the_middle(case: str) -> None:
    """Written by hand, valid, and unchanged by a conversion to itself."""
    assert toolglot.check(hub(case), warnings_as_errors=True, ignore=OF_THE_AUTHOR) == []
    result = toolglot.convert(hub(case), "hub")
    assert result.text == hub(case)
    assert not result.report
    assert f"`{case}`" in (FOLDER / "README.md").read_text("utf-8")


@pytest.mark.golden
@every
def test_a_conversion_gives_the_golden_files_and_report(case: str, target: str) -> None:
    found = formats.get(target)
    result = toolglot.convert(hub(case), target)
    if found.one_per_file:
        paths = paths_below("", [name for name, _ in result.files])
        same_folder(FOLDER / case / target, dict(zip(paths, [content for _, content in result.files], strict=True)))
    else:
        same_file(FOLDER / case / f"{target}.json", result.text)
    report = result.report.to_json()
    assert canonical.is_valid(report, "report/1")
    same_file(FOLDER / case / f"{target}.losses.json", serialization.dump_json(report))


@every
def test_nothing_is_weaker_and_nothing_is_silent(case: str, target: str) -> None:
    result = toolglot.convert(hub(case), target)
    assert not [change for change in result.report.changes if change.direction == "riskier"]
    back = [tool for _, content in result.files for tool in toolglot.read(content, target)]
    left_out = [change.path for change in result.report.changes if change.action == "excluded"]
    before = [leaf for tool in result.tools for leaf in leaves_of(tool) if f"{leaf.pointer}/id" not in left_out]
    after = [leaf for tool in back for leaf in leaves_of(tool)]
    for was, now in zip(before, after, strict=True):
        assert not safety.breached_facets(safety.caution(was.tool), safety.caution(now.tool)), was.path
    reported = [change.path for change in result.report.changes]
    found = {was.pointer: now.tool for was, now in zip(before, after, strict=True)}
    if formats.get(target).tree:
        found = {**dict(nodes(back[0], "")), **found}
    for pointer, node in nodes(result.tools[0], ""):
        if f"{pointer}/id" in left_out:
            continue  # nothing is said of it, as is said
        below = [there for here, there in found.items() if here.startswith(pointer)]
        for field in model.to_json(node).keys() - {"id", "children"}:
            place = f"{pointer}/{field}"
            is_reported = any(f"{path}/".startswith(f"{place}/") for path in reported)
            assert is_reported or any(same(node, there, field) for there in below), place


def nodes(tool: Tool, pointer: str) -> Iterator[tuple[str, Tool]]:
    yield pointer, tool
    for index, child in enumerate(tool.children or ()):
        yield from nodes(child, f"{pointer}/children/{index}")


def same(one: Tool, other: Tool, field: str) -> bool:
    """Whether both say the same; in which order `required` names its keys means nothing."""
    was, now = getattr(one, field), getattr(other, field)
    if field == "inputs" and now is not None:
        was, now = ({**schema, "required": sorted(schema.get("required", ()))} for schema in (was, now))
    return bool(was == now)


@every
def test_the_second_generation_is_the_first(case: str, target: str) -> None:
    for path in written(case, formats.get(target)):
        content = path.read_text("utf-8")
        assert toolglot.convert(toolglot.convert(content, "hub", format=target).text, target).text == content
