"""`check --confirm-assumed`: what a conversion made up is the author's from now on, and slots fit again."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolglot
from toolglot.cli import main
from toolglot.converter.conversion.categories import Category

SOURCE = {"name": "list_days", "description": "List days.", "inputSchema": {"type": "object"}}
FILES = {"aip14": "TOOL.md", "atdf": "a.atdf.json", "atip": "a.atip.json"}


@pytest.mark.parametrize("target", FILES)
def test_a_mark_goes_and_every_other_byte_stays(tmp_path: Path, target: str) -> None:
    path = tmp_path / FILES[target]
    source = {**SOURCE, "description": None} if target == "atip" else SOURCE
    path.write_text(toolglot.convert(source, target).text)
    before = path.read_text()
    marked = toolglot.read_one(path)
    nodes = [marked, *(marked.children or ())]
    assert any(node.assumed for node in nodes)
    assert "unconfirmed" in {finding.code for finding in toolglot.check(path, select=["ALL"])}
    assert main(["check", str(path), "--confirm-assumed", "-q"]) == 0
    after = path.read_text()
    assert {*after.splitlines()} <= {line.rstrip(",") for line in before.splitlines()} | {*before.splitlines()}
    now = toolglot.read_one(path)
    assert not any(node.assumed for node in (now, *(now.children or ())))
    if target == "aip14":
        assert (now.mutates, now.risk_level, now.approval) == (("external:*",), 2, "on-mutate")
    assert main(["check", str(path), "--confirm-assumed", "-q"]) == 0
    assert path.read_text() == after


@pytest.mark.parametrize("target", ["aip14", "atdf", "atip", "openai", "tool-descriptor"])
def test_an_edited_record_fits_its_slot_again(tmp_path: Path, target: str) -> None:
    path = tmp_path / FILES.get(target, "a.json")
    text = toolglot.convert(SOURCE, target, lossless=True).text
    path.write_text(text.replace("List days.", "List all days.", 1))
    assert "stale-slot" in {finding.code for finding in toolglot.check(path, format=target)}
    assert main(["check", str(path), "--from", target, "--confirm-assumed", "-q"]) == 0
    assert "stale-slot" not in {finding.code for finding in toolglot.check(path, format=target)}
    assert toolglot.read_one(path, target, restore=True).id == "list_days"


def test_a_mark_of_another_shape_is_its_authors(tmp_path: Path) -> None:
    path = tmp_path / "TOOL.md"
    text = toolglot.convert(SOURCE, "aip14").text
    path.write_text(text.replace("mutates:\n  - external:*", "mutates:\n  - external:mail"))
    assert toolglot.read_one(path).mutates == ("external:mail",)
    assert toolglot.convert(path, "aip14").text == path.read_text()


@pytest.mark.parametrize("restore", [False, True])
def test_the_report_says_of_an_edited_record_that_it_was_edited(tmp_path: Path, restore: bool) -> None:
    path = tmp_path / "a.json"
    path.write_text(toolglot.convert(SOURCE, "openai", lossless=True).text.replace("List days.", "List all days.", 1))
    told = toolglot.convert(path, "atdf", format="openai", restore=restore).report.changes
    assert [change.code for change in told if change.code.endswith("-slot")] == ["stale-slot"]


def test_a_value_that_the_source_names_as_made_up_is_in_the_report(tmp_path: Path) -> None:
    path = tmp_path / "TOOL.md"
    stated = {**SOURCE, "annotations": {"destructiveHint": True}}
    path.write_text(toolglot.convert(stated, "aip14").text)
    report = toolglot.convert(path, "openai").report
    told = {change.code: change.before for change in report.changes if change.category is Category.UNSTATED}
    assert told["unstated-approval"] == "always"


@pytest.mark.parametrize("other", ["--fix", "-"])
def test_what_does_not_go_together_is_refused(other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", other, "--confirm-assumed"]) == 2
    assert "--confirm-assumed" in capsys.readouterr().err
