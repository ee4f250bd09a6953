"""Skills, of `SKILL.md` files and of A2A agent cards: what they state, what is read as one, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

import streams
import toolglot
from rows import for_each
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import UNKNOWN, caution
from toolglot.converter.text import document_reader
from toolglot.errors import DetectionError

TOOLS = sorted((Path(__file__).parents[1] / "fixtures" / "cases").glob("*/hub.json"))


def skill(**keys: Any) -> str:
    lines = (f"{key}: {json.dumps(value)}\n" for key, value in {"name": "sorting", "description": "", **keys}.items())
    return f"---\n{''.join(lines)}---\n"


@for_each(
    "allowed", ["Bash(git:*) Read", "Read, Python", "python(x.py)", ["Bash", "Read"], '["Read", "Bash(ls)"]', "*"]
)
def test_a_shell_or_an_interpreter_that_may_be_used_runs_programs(allowed: Any) -> None:
    assert toolglot.read_one(skill(**{"allowed-tools": allowed}), format="skill").subprocess is True
    assert toolglot.read_one(skill(hooks={"Stop": []}), format="skill").subprocess is True
    assert toolglot.read_one(skill(hooks={}), format="skill").subprocess is None


def test_what_a_skill_needs_is_a_condition() -> None:
    source = skill(description="Sorts.", compatibility="Runs as root.")
    assert toolglot.read_one(source, format="skill").conditions == ("Runs as root.",)
    again = toolglot.convert(source, "skill", format="skill").text
    assert document_reader.load(again).data == document_reader.load(source).data
    assert "Requires: Runs as root" in toolglot.convert(source, "openai", format="skill").text


def test_what_a_skill_needs_stands_beside_what_its_description_says_of_that() -> None:
    source = skill(description="Sorts.\n\nRequires: A list; a comma.", compatibility="Runs as root.")
    conditions = toolglot.read_one(source, format="skill").conditions
    assert conditions == ("A list", "a comma.", "Runs as root.")
    again = toolglot.convert(source, "skill", format="skill").text
    assert document_reader.load(again).data == document_reader.load(source).data


def test_tools_in_a_list_are_written_as_the_text_that_a_skill_has() -> None:
    source = skill(description="Sorts.", **{"allowed-tools": ["Bash(git add *)", "Read"]})
    conversion = toolglot.convert(source, "skill", format="skill", lossless=True)
    assert document_reader.load(conversion.text).data["allowed-tools"] == "Bash(git add *) Read"
    assert not conversion.report.losses


def test_the_folder_of_a_skill_is_called_like_it(tmp_path: Path) -> None:
    for path, codes in {"sorting/SKILL.md": [], "sort/SKILL.md": ["skill-folder"], "sort/NOTES.md": []}.items():
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(skill(description="Sorts. Use it for lists."), "utf-8")
        assert [found.code for found in toolglot.check(file, "skill")] == codes


@for_each("end", ["\n", "\r\n", "\n\n\n"])
def test_how_lines_end_is_no_loss(end: str) -> None:
    source = f"{skill(description='Sorts.')}\n# Steps{end}Sort.{end}"
    report = toolglot.convert(source, "mcp", format="skill").report
    assert "/body" not in [change.path for change in report.losses]


@for_each("allowed", ["Read", "Bashful Read", "Read(*)", "", "none"])
def test_tools_that_may_be_used_without_asking_are_no_statement(allowed: str) -> None:
    tool = toolglot.read_one(skill(**{"allowed-tools": allowed}), format="skill")
    assert tool.approval is None
    levels = caution(tool)
    assert {levels[facet] for facet in ("changes", "executes", "network", "destructive", "approval")} == {UNKNOWN}
    back = toolglot.convert(skill(**{"allowed-tools": allowed}), "aip14", format="skill")
    assert [change.action for change in back.report.losses if change.path == "/extensions/skill/allowed-tools"] == [
        "dropped"
    ]


@for_each(
    ("key", "value", "facts"),
    [
        ("disable-model-invocation", True, ("always", None)), ("disable-model-invocation", False, (None, None)),
        ("disable-model-invocation", "yes", (None, ("approval",))),
        ("disable_model_invocation", True, (None, ("approval",))),
    ],
)  # fmt: skip
def test_a_skill_for_people_asks_a_person_elsewhere(key: str, value: object, facts: tuple[Any, Any]) -> None:
    tool = toolglot.read_one(skill(**{key: value}), format="skill")
    assert (tool.approval, tool.unclear) == facts
    converted = toolglot.convert(skill(**{key: value}), "openai", format="skill")
    assert ("ask the user for approval before every call" in converted.text) is (value is not False)
    dropped = [change.path for change in converted.report.losses if change.action == "dropped"]
    assert dropped == [f"/extensions/skill/{key}"] * (value is not True or key != "disable-model-invocation")


@for_each("path", TOOLS, ids=lambda path: path.parent.name)
def test_the_metadata_of_a_skill_hold_what_it_cannot_say(path: Path) -> None:
    for name, text in toolglot.convert(path, "skill", lossless=True).files:
        assert toolglot.detect(text) == "skill"
        front = yaml.safe_load(text.split("\n---\n")[0])
        assert (front["name"], Path(name).name) == (Path(name).parent.name, "SKILL.md")
        assert all(isinstance(value, str) for value in front["metadata"].values())
        assert "origin" in json.loads(front["metadata"]["toolglot"])["slot"]["tool"]


@for_each(
    "text",
    [
        skill(),
        skill(metadata={"toolglot": 1}),
        skill(metadata={"author": "toolglot"}),
    ],
)
def test_a_skill_that_holds_no_tool_has_to_be_named(text: str) -> None:
    with pytest.raises(DetectionError):
        toolglot.detect(text)


@for_each(
    ("arguments", "code", "found"),
    [
        (["check", "."], 2, "no tool description was found"),
        (["check", ".", "--from", "skill"], 0, "1 document checked"),
        (["check", ".", "--from", "skill@1"], 0, "1 document checked"),
        (["check", "sorting/SKILL.md"], 2, "it says how to do something"),
        (["check", ".", "--from", "atip@0.1"], 2, "no tool description was found"),
    ],
)
def test_folders_are_searched_for_skills_where_somebody_asks(arguments: list[str], code: int, found: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "sorting", "SKILL.md")
        path.parent.mkdir()
        path.write_text(skill(description="How to sort."))
        ran = streams.run(Path(folder), arguments)
    assert (ran.code, found in ran.stdout + ran.stderr) == (code, True), ran


FAULTS = {
    "no/SKILL.md": "# No front matter\n",
    "bad/SKILL.md": '---\nname: bad\nargument-hint: [a] "b"\n---\n',
    "good/SKILL.md": skill(),
    "more/SKILL.md": skill(),
}


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["no/SKILL.md"], ["no/SKILL.md: passed over: this Markdown has no front matter"]),
        (["bad/SKILL.md"], ["bad/SKILL.md: passed over: not YAML"]),
        (["bad/SKILL.md", "good/SKILL.md"], ["bad/SKILL.md: passed", "good/SKILL.md: passed over: this is a skill"]),
        (FAULTS, ["no/SKILL.md: passed", "bad/SKILL.md: passed", "2 files passed over: this is a skill"]),
    ],
)
def test_where_no_file_is_a_tool_people_are_told_each_reason(names: Any, told: list[str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(FAULTS[name])
    ran = streams.run(tmp_path, ["check", "."])
    assert [words for words in told if words not in ran.stderr] == [], ran.stderr


@for_each("slot", ["", "{", "[]", '"x"', "{}", '{"toolglot": 2}', "{" * 5000])
def test_a_text_in_the_place_of_the_tool_is_the_authors(slot: str) -> None:
    text = skill(metadata={"toolglot": slot})
    assert toolglot.read_one(text, format="skill") == Tool(
        id="sorting", description="", origin="skill", extensions={"skill": {"metadata": {"toolglot": slot}}}
    )


def test_a_card_says_whose_skills_they_are() -> None:
    card = {"name": "Depot", "skills": [{"id": "sort", "name": "Sort", "description": "Sort.", "tags": []}]}
    (tool,) = toolglot.read(card)
    assert (tool.origin, tool.namespace, tool.id) == ("a2a", "Depot", "sort")


@for_each(
    ("says", "expected"),
    [
        ({"securityRequirements": [{"schemes": {"a": {"list": ["read"]}}}]}, (True, ("read",))),
        ({"securityRequirements": [{"schemes": {"a": {"list": ["x"]}, "b": {}}}, {"schemes": {"c": {"list": ["y"]}}}]},
         (True, ("x", "y"))),
        ({"security_requirements": [{"schemes": {"a": {"list": ["read"]}}}]}, (True, ("read",))),
        ({"security": [{"a": ["read"]}]}, (True, ("read",))),
        ({"security": [{"a": []}]}, (True, None)),
        ({"security": [{"a": "read"}]}, (True, None)),
        ({"securityRequirements": [{"schemes": {"a": {}}}, {"schemes": {}}]}, (None, None)),
        ({"security": [{"a": []}, {}]}, (None, None)),
        ({"security": ["a"]}, (None, None)),
        ({"security": []}, (None, None)),
        ({"security": {"a": []}}, (None, None)),
    ],
)  # fmt: skip
def test_who_may_ask_is_said_by_a_skill_or_by_its_card(says: dict[str, Any], expected: tuple[Any, ...]) -> None:
    own = {"id": "sort", "name": "Sort", "description": "Sort.", "tags": []}
    for document in ({"skills": [{**own, **says}]}, {"name": "Depot", "skills": [own], **says}):
        tool = toolglot.read_one(document, format="a2a")
        assert (tool.auth_required, tool.scopes) == expected
        told = toolglot.convert(document, "mcp", format="a2a").text
        assert ("needs credentials" in told) == (expected[0] is True)
