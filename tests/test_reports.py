"""The report that people see: short whatever is converted, and nothing about safety goes uncounted."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import toolglot
from golden import FIXTURES
from rows import for_each, sample
from toolglot.cli import main
from toolglot.cli.reports.entries import entries_of, is_about_safety, is_grave
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.entry_texts import short_json
from toolglot.cli.reports.grouping import gather_items, group_items
from toolglot.cli.reports.report_forms import FORMS
from toolglot.cli.reports.sheets import sheet_of_conversion, sheet_of_difference, sheet_of_report
from toolglot.cli.reports.terminal_report import tally_to_text, text_report
from toolglot.cli.reports.verbose_report import list_changes
from toolglot.converter import formats, safety
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.fail_on import FAILING as OF_CONVERSIONS
from toolglot.converter.conversion.report import Change, Report, split_path
from toolglot.errors import LossError, UsageError

PARCELS = Path(__file__).parent / "data/parcels.yaml"
DOCUMENTS = sorted(
    path
    for folder in ("identity", "tolerated", "corpus")
    for path in (FIXTURES / folder).glob("*/*")
    if path.suffix != ".diagnostics"
)


@cache
def reports(path: Path, number: int) -> list[Report]:
    """The reports of conversions of a document to some of the formats; none where it is refused."""
    made = []
    for target in sample(formats.targets(), 12, number):
        try:
            made.append(toolglot.convert(path, target).report)
        except toolglot.Error:
            continue
    return made


@for_each(("number", "path"), enumerate(DOCUMENTS), ids=[f"{path.parent.name}/{path.name}" for path in DOCUMENTS])
def test_a_report_is_short_and_counts_everything(number: int, path: Path) -> None:
    for report in reports(path, number):
        lines = list(text_report(report))
        assert len(lines) <= 12
        entries = entries_of(report)
        for limit in (1, 3, 5, 100):
            told = Counter[str]()
            for row in group_items(gather_items(entries), limit):
                told[row.mark] += row.number
            assert told == Counter(entry.category.mark for entry in entries)


@for_each(("number", "path"), enumerate(DOCUMENTS), ids=[f"{path.parent.name}/{path.name}" for path in DOCUMENTS])
def test_bookkeeping_is_nothing_that_anybody_misses(number: int, path: Path) -> None:
    for report in reports(path, number):
        for change in report.changes:
            if not change.bookkeeping:
                assert change.because, change
                continue
            assert (change.direction, change.severity) != ("riskier", "error"), change
            assert change.category not in (Category.SAID, Category.LOST, Category.WIDER), change
            _, name, _ = split_path(change.path)
            if change.action == "renamed" and safety.facets_of(name):
                assert change.after in (None, (), []), change


# The commands of a program, with what else each says -> whether the whole list says that all of them lose it.
LOST_BY_COMMANDS = [
    ({"a": {"x-y": 1}, "b": {"x-y": 1}}, True),
    ({"a": {"x-y": 1}, "b": {"x-y": 2}}, False),
    ({"a": {"x-y": 1}, "b": {}}, False),
    ({"a": {"x-y": 1}, "b": {}, "": {"x-y": 1}}, False),  # as many as there are commands, but one is of the program
]


@for_each("commands, is_of_all", LOST_BY_COMMANDS)
def test_what_all_tools_lose_is_told_once(commands: dict[str, Any], is_of_all: bool) -> None:
    program = {"atip": {"version": "0.6"}, "name": "p", "version": "1", "description": "P.", **commands.get("", {})}
    program["commands"] = {name: {"description": "C.", **said} for name, said in commands.items() if name}
    lines = [line.strip() for line in list_changes(toolglot.convert(program, "mcp").report) if "x-y" in line]
    assert ("/extensions/atip/x-y: 1, of all 2 tools" in lines) is is_of_all
    assert len(lines) == (1 if is_of_all else sum("x-y" in said for said in commands.values()))


def test_what_all_tools_but_a_few_lose_is_told_once() -> None:
    lines = [line.strip() for line in list_changes(toolglot.convert(PARCELS, "gemini").report)]
    assert sum("/auth_required: true" in line for line in lines) == 1
    assert any(line.endswith(" /auth_required: true, of all 15 tools but health") for line in lines)
    assert sum('/extensions/openapi/method: "post"' in line for line in lines) == 5


@for_each("beside", [{}, {"x-list": 1}])
def test_a_document_is_no_tool_of_its_own(beside: dict[str, Any]) -> None:
    tools = [{**LIST_DAYS, "name": name, **more} for name, more in {"a": {"x-y": 1}, "b": {"x-y": 1}, "c": {}}.items()]
    lines = [line.strip() for line in list_changes(toolglot.convert({"tools": tools, **beside}, "gemini").report)]
    assert [line for line in lines if "x-y" in line] == ["/extensions/mcp/x-y: 1, of all 3 tools but c"]


def test_who_is_left_out_is_no_exception_among_those_that_are_written() -> None:
    changes = [Change(action="dropped", path="/tags", code="tags-dropped", note="", tool=name) for name in "ab"]
    changes.append(Change(action="excluded", path="", code="tool-excluded", note="", tool="d"))
    report = Report(origin="a", target="b", tools=3, changes=tuple(changes))  # nothing happened to the third
    assert not any(" but " in line for line in list_changes(report))


@for_each(("number", "path"), enumerate(DOCUMENTS), ids=[f"{path.parent.name}/{path.name}" for path in DOCUMENTS])
def test_the_verdict_counts_what_the_changes_say(number: int, path: Path) -> None:
    for report in reports(path, number):
        said = next(text_report(report)).rpartition(": ")[2]
        lost = sum(change.action in ("dropped", "narrowed", "excluded") for change in report.changes)
        looser = sum(change.action == "widened" for change in report.changes)
        assert (f"{lost} other loss" in said) == bool(lost), said
        left_out = sum(change.action == "excluded" for change in report.changes)
        assert ("left out" in said) == bool(left_out), said
        assert (f"{looser} accept" in said) == bool(looser), said
        assert ("nothing else lost" in said) == (not report.losses), said
        assert said.startswith("every danger said"), said
        silent = sum(change.action == "unstated" for change in report.changes)
        if report.tools > 1:
            assert ("whose effects nobody states" in said) == bool(silent), said


SAID = [
    ({"network": True}, "anthropic", ("-", "no such field; --safety-text full says more")),  # no danger
    ({"network": False}, "anthropic", ("-", "no such field")),
    ({"destructive": True}, "anthropic", (">", "⚠️ DESTRUCTIVE")),
    ({"mutates": ["fs:a"]}, "mcp", ("-", "no such field")),  # that it writes is said, not where
    ({"network": True}, "mcp", None),  # a field of its own
    ({"approval": "policy:incident"}, "openai", (">", "some calls need approval by the user")),
    ({"approval": "always"}, "openai", (">", "ask the user for approval before every call")),
]


@for_each(("facts", "target", "told"), SAID)
def test_what_becomes_of_a_danger(facts: dict[str, Any], target: str, told: tuple[str, str] | None) -> None:
    text = json.dumps({"toolglot": 1, "tools": [{"id": "a", "description": "Do.", **facts}]})
    changes = toolglot.convert(text, target).report.changes
    (name,) = facts
    found = [(change.category.mark, change.because) for change in changes if change.path == f"/{name}"]
    assert found == ([] if told is None else [told])


LIST_DAYS = {"name": "list_days", "description": "List the days.", "inputSchema": {"type": "object"}}
# A source and a target -> the whole report. What fifteen operations have in common is told once.
WHOLE = [
    (
        "---\nid: send\ndescription: Send.\nversion: 1.0.0\ninputs: {}\noutputs: {}\nrequires:\n"
        "  secrets: [mail-client, MAIL_KEY]\n---\n",
        "atip",
        [
            "aip14 -> atip, 1 tool: every danger said, nothing else lost, 2 facts that nobody states",
            "? effects   nobody states what it changes",
            '? trust: {"source", "verified", "x-invented"}   '
            "no such program is known: its name and its flags are made up",
            "= authentication.required: true :8   spelled differently",
            "The whole list: -v.",
        ],
    ),
    (
        json.dumps(LIST_DAYS),
        "aip14",
        [
            "mcp -> aip14, 1 tool: every danger said, nothing else lost, 5 facts that nobody states",
            "? mutates · approval · risk_level · cost_class · version   nobody says; filled in for a TOOL.md: the "
            "cautious value, marked in metadata.toolglot.assumed",
            '= name: "list_days" -> "list-days" :1   spelled differently',
            "To state them: correct the values and take the names out of the mark. The whole list: -v.",
        ],
    ),
    (
        Path(__file__).parent / "data/shredder/TOOL.md",
        "openai",
        [
            "aip14 -> openai, 1 tool: every danger said, 9 other losses",
            '> risk_level: 3 :19 · approval: "always" :18   ⚠️ DESTRUCTIVE, ⚠️ NOT REVERSIBLE, deletes files, '
            "ask the user for approval before every call",
            "- requires.network :17 · idempotent :11 · cost_class :20 · version :10 · Errors :61 · Examples :54 · "
            "timeout_ms :21   no such field",
            "- mutates :13   no such field; --safety-text full says more",
            "- description :4   says or accepts less",
            "The whole list: -v. To get back later what is lost: --lossless.",
        ],
    ),
    (
        PARCELS,
        "gemini",
        [
            "openapi -> gemini, 15 tools: every danger said, 174 other losses, 13 accept more, 14 tools whose effects "
            "nobody states",
            "> deleteParcel: DELETE :34   deletes data",
            "? 14 tools   nobody states what they change; 7 are GET, which --trust-methods believes",
            "~ 4 tools · responses (3) · requestBody (10; said in the description)   accepts more",
            "- 15 tools · network, hosts, credentials (58; --safety-text full says more) · method, path, servers, ... "
            "(114) · readOnly (2; does not travel to the server)   no such field",
            "The whole list: -v.",
        ],
    ),
]


@for_each(("source", "target", "told"), WHOLE)
def test_a_whole_report(source: Any, target: str, told: list[str]) -> None:
    first, *rows = text_report(toolglot.convert(source, target).report)
    assert [first.rpartition("  ")[2], *map(str.strip, rows)] == told


FAILING = [
    (LIST_DAYS, "hub", {}, set()),
    (LIST_DAYS, "openai", {}, {"guessed", "any"}),
    ({**LIST_DAYS, "annotations": {"destructiveHint": True}}, "mcp", {}, set()),
    ({"toolId": "a", "source": "mcp", "safetyTier": "write"}, "mcp", {}, {"lost", "any"}),
    (LIST_DAYS, "tool-descriptor", {"safety_tier": "read", "source": "mcp"}, {"danger", "guessed", "lost", "any"}),
]


@for_each(("source", "target", "options", "kinds"), FAILING)
def test_what_fails_a_conversion(source: Any, target: str, options: dict[str, Any], kinds: set[str]) -> None:
    failing = set()
    for kind in OF_CONVERSIONS:
        try:
            toolglot.convert(source, target, fail_on=kind, **options)
        except LossError:
            failing.add(kind.value)
    assert failing == kinds


@for_each("words", ["nope", ["lost", "breaking"], 3, "lost;any"])
def test_what_is_no_kind_is_refused(words: Any) -> None:
    with pytest.raises(UsageError, match="fail_on takes danger, guessed, lost, any"):
        toolglot.convert(LIST_DAYS, "openai", fail_on=words)


SENTENCES = [
    (
        {"toolId": "mcp:a", "source": "mcp", "safetyTier": "read", "auth": {"credentialRef": True, "scopes": ["x:y"]}},
        "atdf",
        ["auth.credentialRef"],
    ),
    ({"toolId": "mcp:a", "source": "mcp", "safetyTier": "read", "auth": {"scopes": ["x:y"]}}, "hub", []),
]


@for_each(("document", "target", "fields"), SENTENCES)
def test_what_became_a_sentence_has_an_entry(document: dict[str, Any], target: str, fields: list[str]) -> None:
    changes = toolglot.convert(document, target).report.changes
    assert [change.field for change in changes if change.because == "said in a sentence"] == fields
    assert "x:y" in toolglot.convert(document, target).text


def test_what_one_key_of_the_source_says_is_told_once() -> None:
    """The options of a program are two fields of the hub, and one of ATIP."""
    options = [{"name": "file", "flags": ["--file"], "type": "string", "description": "The list."}]
    document = {"atip": "0.3", "name": "todo", "version": "1.0.0", "description": "A list.", "globalOptions": options}
    report = toolglot.convert({**document, "commands": {"add": {"description": "Add."}}}, "openai").report
    assert "\n".join(text_report(report)).count("globalOptions") == 1


WHERE_SAID = [
    ({"title": "Add a note", "id": "add_note"}, "openai", "title", "now only in the description"),
    ({"id": "a", "outputs": {"type": "array"}}, "openai@responses", "outputs", "the provider takes no such schema"),
    ({"id": "a", "outputs": {"type": "array"}}, "gemini", "outputs", "the provider takes no such schema"),
    ({"id": "a", "outputs": {"type": "array"}}, "openai", "outputs", "no such field"),
    ({"title": "Add note", "id": "add_note"}, "openai", "title", "the name says the same"),
    ({"title": "Do.", "id": "add_note"}, "openai", "title", "now only in the description"),
    ({"body": "Do it well.", "id": "a", "title": "A"}, "skill", "body", "said elsewhere"),
]


@for_each(("facts", "target", "field", "because"), WHERE_SAID)
def test_what_is_said_elsewhere_names_the_place(facts: dict[str, Any], target: str, field: str, because: str) -> None:
    document = {"toolglot": 1, "tools": [{"description": "Do.", **facts}]}
    changes = toolglot.convert(document, target).report.changes
    assert [change.because for change in changes if change.field == field] == [because]


def test_what_stands_beside_the_tools_is_no_fact_about_one() -> None:
    """A key of a container may be called like a field of the hub, and hold anything."""
    document = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "prompts": ["x"], "approval": [{}]}
    report = toolglot.convert(document, "atdf").report
    lost = [(entry.field, is_about_safety(entry)) for entry in entries_of(report) if entry.category is Category.LOST]
    assert lost == [("prompts", False), ("approval", False)]


READ_FILE = {"name": "a", "description": "Read.", "inputSchema": {"type": "object"}, "title": "A"}
UNCALLABLE = {**READ_FILE, "name": "b", "inputSchema": {"type": "object", "allOf": [{"type": "string"}]}}
NOT_CARRIED = [
    ({"tools": [READ_FILE]}, "atdf", []),
    ({"tools": [READ_FILE], "prompts": ["x"]}, "atdf", ["dropped-container-key"]),
    ({"tools": [READ_FILE, UNCALLABLE]}, "openai", ["excluded-tool"]),
]


@for_each(("document", "target", "codes"), NOT_CARRIED)
def test_what_no_slot_holds_is_lost(document: dict[str, Any], target: str, codes: list[str]) -> None:
    """A slot is one of a tool that is written: not of what stands beside it, nor of one that is left out."""
    report = toolglot.convert(document, target, lossless=True).report
    assert [change.code for change in report.losses] == codes
    shown = list(text_report(report))
    assert ("nothing else lost" in shown[0]) == (not codes)
    assert not shown[-1].endswith("--lossless.")


def change(action: str, path: str, **fields: Any) -> Change:
    return Change(**{"action": action, "path": path, "code": f"{action}-x", "note": "", "field": path[1:], **fields})


def lines(*changes: Change, tools: int = 1) -> list[str]:
    report = Report(origin="a", target="b", tools=tools, changes=changes, sources=("x.json",))
    return [" ".join(line.split()) for line in text_report(report)]


def test_the_same_change_of_many_tools_is_one_line() -> None:
    changes = [change("dropped", "/tags", tool=f"t{number}", before=("x",), line=number) for number in range(1, 178)]
    assert lines(*changes, tools=177)[1:-1] == ["- 177 tools · tags lost"]
    assert lines(*changes[:40], tools=177)[1:-1] == ["- 40 tools · tags lost"]


# Of how many tools, each of which loses one field less -> the lines about what is lost.
LOST_BY_TOOLS = [
    (1, ["- k0 · k1 · k2 · k3 no such field", "- network · hosts no such field; --safety-text full says more"]),
    (6, ["- 6 tools · network, hosts (3; --safety-text full says more) · k0, k1, k2, ... (18) no such field"]),
]


@for_each("tools, told", LOST_BY_TOOLS)
def test_what_a_reason_adds_is_told_of_its_own_fields(tools: int, told: list[str]) -> None:
    reasons = {f"/k{number}": "no such field" for number in range(4)}
    reasons |= dict.fromkeys(("/network", "/hosts"), "no such field; --safety-text full says more")
    changes = [
        change("dropped", path, tool=f"t{number}", because=because)
        for number in range(tools)
        for path, because in [*reasons.items()][: len(reasons) - number]
    ]
    assert lines(*changes, tools=tools)[1:-1] == told


def test_safety_comes_first_and_is_never_cut_away() -> None:
    """However many tools there are, and however unlike: what may be riskier has a line."""
    changes = [change("dropped", f"/k{number}", tool=f"t{number}", before=number) for number in range(200)]
    word = change("assumed", "/safety_tier", tool="t9", after="read", direction="riskier", code="vouched-safety-tier")
    missing = change("assumed", "/implements", tool="t8", code="not-found", because="not found in .tools")
    said = change("moved", "/destructive", tool="t7", before=True, says_danger=True, because="⚠️ DESTRUCTIVE")
    shown = lines(*changes, said, missing, word, tools=200)
    assert shown[0].endswith("1 danger on your word, 200 other losses")
    assert shown[1:4] == [
        '! t9: safety_tier: "read" on your word',
        "! t8: implements not found in .tools",
        "> t7: destructive: true ⚠️ DESTRUCTIVE",
    ]
    assert lines(*changes, missing, tools=200)[0].endswith("1 danger could not be looked up, 200 other losses")
    many = [change("widened", f"/inputs/k{number}", tool=f"t{number}", because=str(number)) for number in range(100)]
    assert "100 accept more" in lines(*many, tools=100)[0]


def test_what_a_person_decides_about_keeps_its_reason_where_many_tools_are_told_of() -> None:
    mild = [change("renamed", "/id", tool=f"t{number}", because=f"r{number}") for number in range(30)]
    loose = change("widened", "/inputs", tool="u", before="strict", after="loose", because="offered loose: any type")
    looser = change("widened", "/inputs/if", tool="v", because="accepts more")
    shown = lines(*mild, loose, looser, tools=32)
    assert sum(line.startswith("~") for line in shown) == 2
    assert any(line.endswith("offered loose: any type") for line in shown)


@pytest.mark.parametrize("number", range(1, 9))
def test_one_tool_has_seven_lines(number: int) -> None:
    """However many kinds of change there are, each is on a line."""
    actions = ["widened", "moved", "assumed", "renamed", "dropped", "moved", "assumed", "dropped"][:number]
    paths = ["/inputs/a", "/network", "/network", "/id", "/tags", "/title", "/version", "/approval"][:number]
    changes = [
        change(action, path, tool="t", before="x" if action != "assumed" else None, after="y", because=path)
        for action, path in zip(actions, paths, strict=True)
    ]
    assert len(lines(*changes)) <= 7
    report = Report(origin="a", target="b", tools=1, changes=tuple(changes))
    rows = group_items(gather_items(entries_of(report)), 5)
    assert sum(row.number for row in rows) == number
    ranks = [row.items[0].first.category.rank for row in rows]
    assert ranks == sorted(ranks)


def report_of_tool(number: int) -> Report:
    """One of many reports: every tool loses a field, some of them another one, and none has the same name."""
    name = f"t{number}"
    changes = [
        change("dropped", "/tags", tool=name, before=("x",), because="no such field"),
        change("renamed", "/id", tool=name, before=name, after=f"{name}_", severity="info"),
    ]
    if number % 3 == 0:
        changes.append(change("dropped", "/network", tool=name, before=True, because="no such field; say more"))
    return Report(
        origin=f"from{number % 2}",
        target="b",
        tools=1,
        changes=tuple(changes),
        sources=(f"{name}.json",),
    )


@pytest.mark.parametrize("parts", [1, 2, 7, 60])
def test_many_reports_are_told_as_one_and_take_little_room(parts: int) -> None:
    reports_of_tools = [report_of_tool(number) for number in range(60)]
    total = EntryTally()
    for start in range(parts):
        part = EntryTally()
        for report in reports_of_tools[start * 60 // parts : (start + 1) * 60 // parts]:
            part.add(report)
        total.merge(part)
    shown = [" ".join(line.split()) for line in tally_to_text(total, "b", "-v")]
    assert shown == [
        "60 sources from0, from1 -> b, 60 tools: every danger said, 80 other losses",
        "- 60 tools · tags no such field",
        "- 20 tools · network no such field; say more",
        '= 60 tools · id: such as "t0" -> "t0_" spelled otherwise',
        "The whole list: -v. To get back later what is lost: --lossless.",
    ]
    assert sum(len(item.changes) for item in total.kinds.values()) <= 4 * len(total.kinds)


def test_what_several_documents_say_beside_their_tools_is_told_by_its_last_key() -> None:
    total = EntryTally()
    for server in ("mail", "maps"):
        tools = [{"name": "a", "inputSchema": {"type": "object"}}]
        answer = {"tools": tools, "instructions": "Be brief.", "serverInfo": {"name": server, "title": "A"}}
        total.add(toolglot.convert({"tools": {server: answer}}, "hub").report)
    _, row, _ = tally_to_text(total, "hub", "-v")
    assert row == "  - 2 documents · instructions · title   it stands beside the tools, and no tool says it"


def test_reasons_that_never_repeat_take_little_room_too() -> None:
    total = EntryTally()
    for number in range(3_000):
        changes = (change("dropped", "/tags", tool="t", before=("x",), because=f"because {number}"),)
        total.add(Report(origin="a", target="b", tools=1, changes=changes, sources=("x",)))
    assert len(total.kinds) <= 1_001
    assert next(tally_to_text(total, "b", "-v")).startswith(
        "x  a -> b, 3000 tools: every danger said, 3000 other losses"
    )
    assert len(list(tally_to_text(total, "b", "-v"))) <= 24


VALUES = [
    (None, "null"),
    ("a" * 46, '"' + "a" * 46 + '"'),
    ("a" * 47, '"' + "a" * 24 + '…" (24 of 47)'),
    ("\x1b[2J", '"\\u001b[2J"'),
    (["x"] * 30, "[30 items]"),
    ({"es": "x" * 50, "pt": 1}, '{"es", "pt"}'),
    ({f"key {number}": number for number in range(9)}, "{9 keys}"),
]


@for_each(("value", "text"), VALUES)
def test_values_are_short_json_and_say_how_much_there_is(value: Any, text: str) -> None:
    assert short_json(value) == text


def test_every_category_has_a_mark_and_a_word() -> None:
    marks = list(dict.fromkeys(category.mark for category in Category))
    assert marks == ["!", ">", "?", "~", "-", "=", "+"]
    assert len({category.value for category in Category}) == len(Category)


def test_a_fingerprint_stays_where_only_the_place_changes() -> None:
    one = change("dropped", "/tags", before=("a",), line=1, source="a.json")
    assert one.fingerprint == change("dropped", "/tags", before=("a",), line=9, source="b.json").fingerprint
    others = [change("dropped", "/tags", before=("b",)), change("dropped", "/author", before=("a",))]
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 3
    assert json.loads(json.dumps(one.to_json()))["fingerprint"] == one.fingerprint


# -- the forms of a report in a file ----------------------------------------------------------------------------------

HOSTILE = "</li><script>alert(1)</script> @all `x` | <img src=x onerror=y> [a](javascript:b) \u202e $title"


class Page(HTMLParser):
    """What stands in a page: its elements, ids, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            self.attributes[name] += 1
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")


ELEMENTS = {
    "details", "summary",
    "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "main", "div", "table", "thead", "tr", "th",
    "tbody", "td", "code", "a", "section", "h2", "ol", "li", "span", "del", "ins",
}  # fmt: skip


@cache
def converted(path: Path, target: str) -> toolglot.Conversion | None:
    """A document in a format; `None` where it is refused."""
    try:
        return toolglot.convert(path, target)
    except toolglot.Error:
        return None


@pytest.mark.parametrize("whole", [3, 2_000], ids=["few lines", "all lines"])
def test_a_page_links_both_ways_and_loads_nothing(monkeypatch: pytest.MonkeyPatch, whole: int) -> None:
    monkeypatch.setattr("toolglot.cli.reports.html_page._WHOLE", whole)
    for number, path in enumerate(DOCUMENTS[::4]):
        target = formats.targets()[number % len(formats.targets())]
        conversion = converted(path, target)
        if conversion is None:
            continue
        sheet = sheet_of_conversion(conversion)
        text = FORMS[".html"].render(sheet)
        page = Page(text)
        assert page.tags.keys() <= ELEMENTS
        assert not page.attributes.keys() & {"style", "src", "onclick", "onerror"}
        assert len(page.ids) == len(set(page.ids))
        assert {link[0] for link in page.links} <= {"#"}
        assert {link[1:] for link in page.links} <= set(page.ids)
        rows = re.findall(r'<tr id="(c\d+)".*?<td class="mark[^>]*>[^<]*?(?:\((\d+)\))?</td>(.*?)</tr>', text)
        assert sum(int(count or 1) for _, count, _ in rows) == len(sheet.entries)
        for row, _, cells in rows:
            if "#r" in cells:
                assert f"#{row}" in page.links


def test_what_tools_share_is_one_row_of_a_page() -> None:
    report = toolglot.convert(PARCELS, "gemini").report
    text = FORMS[".html"].render(sheet_of_report(report))
    assert "174 other losses, 13 accept more" in text
    for words, count in (("lost", 174), ("accepts more", 13)):
        numbers = re.findall(rf">[-~] {words}(?: \((\d+)\))?</td>", text)
        assert sum(int(number or 1) for number in numbers) == count
    assert len(re.findall(r"<td><code>(?:network|hosts|servers)</code></td>", text)) == 3
    assert "<td><details><summary>14 tools</summary>createParcel, " in text


def test_a_page_keeps_hostile_texts_as_text() -> None:
    text = FORMS[".html"].render(sheet_of_conversion(_attack()))
    page = Page(text)
    assert page.tags.keys() <= ELEMENTS
    assert "alert(1)" in text
    assert "\u202e" not in text
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'content="{policy}"' in text


def _attack() -> toolglot.Conversion:
    tool = {"id": HOSTILE, "title": HOSTILE, "description": HOSTILE, "tags": [HOSTILE], "hosts": [HOSTILE]}
    text = json.dumps({"toolglot": 1, "tools": [tool]}, indent=1, ensure_ascii=False)
    return toolglot.convert(text, "mcp")


def test_a_table_keeps_hostile_texts_as_text() -> None:
    text = FORMS[".md"].render(sheet_of_report(_attack().report))
    assert text.startswith('<!-- "toolglot report" -->\n')
    body = text.split("\n", 1)[1]
    assert not re.search(r"<(?!/?code>|/?details>|/?summary>)", body)
    assert "@" not in body
    assert "\u202e" not in body
    rows = [line for line in body.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}


@pytest.mark.parametrize("number", [1, 20, 21, 400, 3000])
def test_a_table_has_twenty_rows_and_the_rest_is_folded(number: int) -> None:
    changes = tuple(change("dropped", f"/k{index}", tool="t", before="x" * 60) for index in range(number))
    text = FORMS[".md"].render(sheet_of_report(Report(origin="a", target="b", tools=1, changes=changes)))
    assert len(text) <= 65_536
    shown = text.split("<details>")[0].count("| - lost |")
    assert shown == min(number, 20)
    assert ("<details>" in text) == (number > 20)
    hidden = sum(map(int, re.findall(r"\d+(?= rows? do not fit)|(?<=And )\d+(?= more)", text)))
    assert text.count("| - lost |") + hidden == number


def test_a_table_of_long_names_is_no_longer() -> None:
    changes = tuple(change("dropped", "/k", tool="é" * 4_000 + str(index), before=index) for index in range(30))
    text = FORMS[".md"].render(sheet_of_report(Report(origin="a", target="b", tools=30, changes=changes)))
    assert len(text) <= 65_536


def test_sarif_has_a_result_for_each_entry_with_its_fingerprint() -> None:
    report = toolglot.convert(FIXTURES / "demo" / "purge.json", "tool-descriptor").report
    entries = entries_of(report)
    run = json.loads(FORMS[".sarif"].render(sheet_of_report(report)))["runs"][0]
    assert [result["partialFingerprints"]["toolglot/1"] for result in run["results"]] == [
        entry.fingerprint for entry in entries
    ]
    assert {result["level"] for result in run["results"]} <= {"note", "warning", "error"}
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [place["region"]["startLine"] for place in places] == [entry.line for entry in entries]
    assert {place["artifactLocation"]["uri"] for place in places} == {"fixtures/demo/purge.json"}


def test_a_difference_has_the_same_forms() -> None:
    old, new = ({"toolId": "host:a", "source": "mcp", "safetyTier": tier} for tier in ("write", "read"))
    sheet = sheet_of_difference(toolglot.diff(old, new))
    assert is_grave(sheet.entries[0])
    assert sheet.entries[0].category is Category.CHANGED
    for form in FORMS.values():
        assert "host:a" in form.render(sheet)


# -- on the command line ----------------------------------------------------------------------------------------------

OLD = {"toolId": "host:notes.add", "source": "host-extension", "safetyTier": "write", "title": "Add"}
NEW = {**OLD, "safetyTier": "read"}
# What makes a report, and a text that stands in it in every form.
COMMANDS = {
    "convert": ("convert a.json --to atdf", "host:notes.add"),
    "convert to a folder": ("convert . --to atdf -o out", "host:notes.add"),
    "convert lines": ("convert a.jsonl --to mcp -o out.jsonl", "host:notes.add"),
    "diff": ("diff a.json b.json", "host:notes.add"),
    "migrate": ("migrate . --check", "toolglot"),
}
BEGINNINGS = {".md": "<!--", ".html": "<!doctype html>", ".sarif": "{", ".json": "{"}


@pytest.mark.parametrize("ending", BEGINNINGS)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_writes_every_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command, word = COMMANDS[name]
    Path("a.json").write_text(json.dumps(OLD))
    if name in ("diff", "convert to a folder"):
        Path("b.json").write_text(json.dumps(NEW))
    Path("a.jsonl").write_text(json.dumps(OLD) + "\n")
    path = Path(f"report{ending}")
    assert main([*command.split(), "-q", "--report", f"./{path}"]) in (0, 1)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(BEGINNINGS[ending])
    assert word in text


@pytest.mark.parametrize("command", ["diff a.json b.json", "migrate . --check"])
@pytest.mark.parametrize("ending", FORMS)
def test_a_report_replaces_an_earlier_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, document in (("a.json", OLD), ("b.json", NEW)):
        Path(name).write_text(json.dumps(document))
    path = Path(f"report{ending}")
    arguments = [*command.split(), "-q", "--report", str(path)]
    assert main(arguments) == main(arguments)
    path.write_text("precious")
    assert main(arguments) == 2
    assert path.read_text() == "precious"


def test_what_every_alternative_says_is_no_loss() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    inputs = {"type": "object", "properties": {"one": schema}}
    conversion = toolglot.convert({"name": "t", "description": "Do it.", "inputSchema": inputs}, "gemini@parameters")
    assert [change.path for change in conversion.report.changes if change.action == "narrowed"] == []


def test_what_a_reference_says_is_no_loss_beside_what_is_refused() -> None:
    definitions = {"home": {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}}
    parameters = {"a": {"$ref": "#/$defs/home", "description": "The house."}}
    schema = {"type": "object", "properties": parameters, "required": ["a"], "$defs": definitions}
    tool = {"name": "t", "description": "Do it.", "inputSchema": schema}
    losses = toolglot.convert(tool, "openai", strict=True, profile="azure").report.losses
    assert [change.path for change in losses] == [
        "/inputs/properties/a/additionalProperties",
        "/inputs/additionalProperties",
    ]


STRICT = {
    "type": "function",
    "name": "t",
    "strict": True,
    "parameters": {"type": "object", "additionalProperties": False},
}
TOOL_MD = """---
schema: agentproto/tool/v1
id: a.put
name: Put
description: Put it.
version: 1.0.0
inputs: {type: object}
outputs: {type: object}
mutates: []
approval: auto
idempotent: true
---

## Errors

| Code | Meaning | Caller action |
|---|---|---|
| gone | It is gone | Give up |

## Description

Put it where it belongs.
"""
# Source, target, options, a field, and why it is in the report; nothing: it is not lost.
REASONS = [
    (STRICT, "anthropic", {"strict": True}, "strict", "spelled differently"),
    (STRICT, "anthropic", {}, "strict", "not asked for: --strict"),
    (TOOL_MD, "atdf", {}, "body", "spelled differently"),
    (TOOL_MD, "tool-descriptor", {}, "idempotent", "said elsewhere"),
    (TOOL_MD.replace("true", "false"), "mcp", {}, "idempotent", "⚠️ NOT IDEMPOTENT"),
    (TOOL_MD + "\n## Notes\n\nAnd more.\n", "atdf", {}, "body", "no such field"),
    ({"tool_id": "t", "description": "Drill.", "when_to_use": "Use it when a wall needs a hole.",
      "how_to_use": {"inputs": [], "outputs": {"success": "Done", "failure": []}}},
     "mcp", {}, "when_to_use", "said in a sentence"),
    (PARCELS, "gemini", {}, "dependentRequired", "accepts more; said in the description"),
    ([{"type": "mcp", "server_label": "a"}, {"type": "function", "name": "b", "parameters": {}}],
     "mcp", {}, "server_label",
     "a kind of tool that only its vendor knows; elsewhere the host has to carry it out"),
]  # fmt: skip


@for_each("source, target, options, field, reason", REASONS)
def test_a_reason_is_right(source: Any, target: str, options: Any, field: str, reason: str) -> None:
    changes = toolglot.convert(source, target, **options).report.changes
    because = {change.because for change in changes if change.path.endswith(f"/{field}")}
    assert because == {reason}


def test_a_part_of_a_schema_that_stands_elsewhere_is_named() -> None:
    changes = toolglot.convert(PARCELS, "gemini").report.changes
    fields = {change.field for change in changes if change.path == "/inputs/properties/weight/exclusiveMinimum"}
    assert fields == {"requestBody.properties.weight.exclusiveMinimum"}


def test_a_parameter_is_called_by_its_own_entry() -> None:
    parameters = [{"name": "q", "in": "query"}, {"name": "z", "in": "query", "schema": False}]
    paths = {"/a": {"get": {"operationId": "a", "description": "Ask.", "parameters": parameters}}}
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    changes = toolglot.convert(document, "openai").report.changes
    assert [change.field for change in changes if change.path == "/inputs/properties/z"] == ["parameters[1]"]
