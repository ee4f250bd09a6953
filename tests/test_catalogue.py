"""Catalogues: every tool once, sorted, with where it comes from; made anew or from an earlier one, the same text."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import repository
import toolglot
from rows import for_each, sample
from streams import Ran, run
from test_aip14_around import DANGER, TOOL, put
from toolglot.converter import formats, safety
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.hub.model import Binding, Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader
from toolglot.errors import UsageError
from toolglot.verbs import catalogs
from toolglot.verbs.catalogs import CatalogOptions, Entry, Program
from toolglot.verbs.catalogs.catalog_entries import seal_of
from toolglot.verbs.catalogs.identities import command_words
from toolglot.verbs.catalogs.translations import language_of, translate

FLAT = [name for name in formats.targets() if not (formats.get(name).one_per_file or formats.get(name).tree)]
TREES = [name for name in formats.targets() if formats.get(name).tree and formats.get(name).one_per_file]


def record(identifier: str, version: str | None = None, **more: Any) -> dict[str, Any]:
    inputs = [{"name": "depth", "type": "number", "description": "In mm"}]
    metadata = {"metadata": {"version": version}} if version else {}
    return {
        "tool_id": identifier,
        "description": "Drills.",
        "when_to_use": "Often",
        "how_to_use": {"inputs": inputs, "outputs": {"success": "Done", "failure": []}},
        **metadata,
        **more,
    }


AS_USUAL = CatalogOptions()


def entries(files: dict[str, Any], to: str, how: CatalogOptions = AS_USUAL) -> list[Entry]:
    found = []
    for name, data in files.items():
        raw = json.dumps(data).encode()
        document = document_reader.load(raw, name)
        found += catalogs.FileEntries(read_document(document, toolglot.detect(data)), to, name, how).entries
    return found


def catalog(files: dict[str, Any], to: str = "atdf", how: CatalogOptions = AS_USUAL) -> Any:
    settled = catalogs.settle(entries(files, to, how), to, how)
    for problem in settled.problems:
        raise problem
    return json.loads(catalogs.dump(settled.entries, to).text)


DRILLS = {"b.json": record("drill", "2.0.0"), "a.json": record("saw"), "c.json": record("drill", "1.4.0")}


@for_each("to", FLAT)
def test_a_catalogue_is_sorted_and_can_be_read(to: str) -> None:
    data = catalog(DRILLS, to)
    tools = toolglot.read(data)
    if "version" in formats.get(to).holds:
        assert [(tool.version or "0")[0] for tool in tools] == ["1", "2", "0"]
    else:  # the major enters the name, where nothing else says it
        assert [re.sub(r".*:|[-_@]v?", "", tool.id) for tool in tools] == ["drill", "drill2", "saw"]
    assert not [found for found in toolglot.check(data) if found.severity == "error"]


@for_each("to", FLAT)
def test_every_record_says_where_it_comes_from_and_nothing_else_differs(to: str) -> None:
    files = {"z.json": record("saw"), "x.json": record("drill")}
    found = entries(files, to)
    again = catalogs.read_earlier(document_reader.from_data(catalog(files, to)), to)
    assert sorted(again) == sorted(files)
    for entry in found:
        [before] = again[entry.file]
        assert before.record == entry.record
        assert (before.identity, before.name) == (entry.identity, entry.name)
        assert before.provenance == entry.provenance


@for_each("to", FLAT)
def test_where_a_record_comes_from_is_no_loss_of_a_tool(to: str) -> None:
    data = catalog(DRILLS, to)
    assert not toolglot.convert(data, "hub").report.losses
    if "x-toolglot" in data:
        data["x-toolglot"]["more"] = "of somebody else"
        assert [change.path for change in toolglot.convert(data, "hub").report.losses] == ["/x-toolglot"]


def test_provenance_beside_some_records_and_inside_others_is_found_again() -> None:
    files = {"z.json": record("saw"), "x.json": record("drill", "1.0.0")}
    data = catalog(files)
    assert "x-toolglot" in data
    assert "toolglot" in data["tools"][0]["metadata"]
    assert sorted(catalogs.read_earlier(document_reader.from_data(data), "atdf")) == sorted(files)


@for_each("to", FLAT)
def test_a_catalogue_of_one_is_still_one(to: str) -> None:
    data = catalog({"a.json": record("saw")}, to)
    [listed] = [value for value in data.values() if isinstance(value, list)]
    assert len(listed) == 1
    assert len(toolglot.read(data)) == 1


def test_two_files_of_one_identity_are_both_named() -> None:
    files = {"x/one.json": record("drill", "1.0.0"), "y/two.json": record("drill", "1.9.0")}
    with pytest.raises(UsageError) as caught:
        catalog(files, how=CatalogOptions(namespace="none"))
    assert caught.value.code == "id-collision"
    assert "x/one.json" in str(caught.value)
    assert "y/two.json" in str(caught.value)


def test_all_collisions_are_told_with_lines_and_the_rest_is_written(tmp_path: Path) -> None:
    for name in ("a", "b"):
        said = {"tools": [record(tool, description=f"{name}.") for tool in ("drill", "saw", name)]}
        (tmp_path / f"{name}.json").write_text(json.dumps(said, indent=1))
    done = run(tmp_path, ["catalog", ".", "--to", "atdf", "-o", "all.json", "--namespace", "none"])
    assert (done.code, done.stderr.count("[id-collision]")) == (1, 2)
    assert "error: a.json:3:3: this and b.json:3:3 describe drill" in done.stderr
    assert [tool.id for tool in toolglot.read(tmp_path / "all.json")] == ["a", "b"]


# -- many servers ------------------------------------------------------------------------------------------------


def server(name: str | None, *tools: str, **more: Any) -> dict[str, Any]:
    said = {"name": name, **more} if name else more
    listed = [{"name": tool, "description": f"{tool}.", "inputSchema": {"type": "object"}} for tool in tools]
    return {**said, "tools": listed}


NAMES = {
    "a2a": "github__search",
    "anthropic": "github__search", "atdf": "github.search", "gemini": "github__search", "mcp": "github__search",
    "openai": "github__search", "tool-descriptor": "mcp:github.search",
}  # fmt: skip


@for_each("to", FLAT)
def test_a_server_more_changes_no_name(to: str) -> None:
    one = {"a.json": server("github", "search", "merge")}
    alone = [tool.id for tool in toolglot.read(catalog(one, to))]
    both = [tool.id for tool in toolglot.read(catalog({**one, "b.json": server("sentry", "search")}, to))]
    assert alone == both[:2]
    assert NAMES[to] == alone[1]
    assert len(set(both)) == 3


@for_each("to", FLAT)
def test_a_recorded_map_leads_from_a_name_to_its_server_and_id(to: str) -> None:
    files = {"a.json": server("a__b", "c"), "b.json": server("a", "b__c"), "c.json": server(None, "d")}
    settled = catalogs.settle(entries(files, to), to)
    assert not (to == "atdf" and settled.problems)
    kept = catalogs.read_earlier(document_reader.from_data(json.loads(catalogs.dump(settled.entries, to).text)), to)
    pairs = {(entry.name, entry.namespace, entry.identity) for same in kept.values() for entry in same}
    told = {(entry.name, entry.namespace, entry.identity) for entry in settled.entries}
    assert told == pairs
    assert {(space, identity) for _, space, identity in told} <= {("a__b", "c"), ("a", "b__c"), (None, "d")}


def test_what_a_server_says_of_all_its_tools_is_lost_once() -> None:
    tools = server(None, "search", "merge")["tools"]
    about = {"serverInfo": {"name": "github", "version": "1.0.0"}, "instructions": "Ask first."}
    document = document_reader.from_data({**about, "tools": tools})
    gathered = catalogs.FileEntries(read_document(document, "mcp"), "tool-descriptor", "a.json")
    dropped = [change.code for change in gathered.report.changes if change.action == "dropped"]
    assert sorted(dropped) == ["dropped-container-key", "dropped-version"]


@for_each("to", [*FLAT, *TREES])
def test_copies_are_one_tool_of_a_server_and_two_of_two(to: str) -> None:
    files = {
        "a.json": server("github", "search"),
        "b.json": server("github", "search"),
        "c.json": server("x", "search"),
    }
    settled = catalogs.settle(entries(files, to), to)
    assert not settled.problems
    assert [(entry.namespace, entry.file) for entry in settled.entries] == [("github", "a.json"), ("x", "c.json")]
    also = next(iter(settled.entries)).provenance["also_from"]
    assert [origin["path"] for origin in also] == ["b.json"]


_TOOL = {
    "name": "Search", "id": "search", "description": "Search.", "version": "1.0.0", "inputs": {}, "outputs": {},
    "mutates": [], "risk_level": 2,
}  # fmt: skip
_MARKED = {**_TOOL, "metadata": {"toolglot": {"assumed": ["risk_level"]}}}
# What the other copy of a tool says, of which one copy marks its risk -> the risks of the tools of the catalogue.
MARKED_COPIES: list[tuple[dict[str, Any], list[int | None]]] = [
    (_TOOL, [2]),
    ({**_TOOL, "risk_level": 1}, [1]),  # the statement wins
    (_MARKED, [None]),
    ({**_TOOL, "description": "Find."}, []),  # no copy
]


@for_each(("other", "risks"), MARKED_COPIES)
@pytest.mark.parametrize("is_first", [True, False])
def test_where_copies_meet_the_statement_wins(other: dict[str, Any], risks: list[int | None], is_first: bool) -> None:
    found: list[Entry] = []
    for name, data in zip("ab", [other, _MARKED] if is_first else [_MARKED, other], strict=True):
        document = document_reader.load(f"---\n{json.dumps(data)}\n---\n".encode(), f"{name}/TOOL.md")
        found += catalogs.FileEntries(read_document(document, "aip14"), "mcp", f"{name}/TOOL.md").entries
    settled = catalogs.settle(found, "mcp")
    found_risks = [entry.tool.risk_level for entry in settled.entries if entry.tool]
    assert sorted(found_risks, key=str) == risks
    assert len(settled.problems) == (0 if risks else 1)


def test_a_collision_of_many_names_some_places() -> None:
    """A line for 16,000 tools of one id had a megabyte."""
    tools = [{**server("github", "search")["tools"][0], "description": f"Searches {index}."} for index in range(40)]
    [problem] = catalogs.settle(entries({"a.json": {"name": "github", "tools": tools}}, "atdf"), "atdf").problems
    assert "and 29 more describe search" in str(problem)
    assert str(problem).count("a.json") == 11


def test_tools_that_differ_in_a_kind_of_value_are_no_copies() -> None:
    """To Python 1 is true, and one of two tools was gone."""
    files = {name: server("github", "search") for name in ("a.json", "b.json")}
    for file, value in zip(files.values(), (1, True), strict=True):
        file["tools"][0]["inputSchema"] = {"type": "object", "properties": {"a": {"const": value}}}
    settled = catalogs.settle(entries(files, "atdf"), "atdf")
    assert (len(settled.entries), len(settled.problems)) == (0, 1)


def _ids(files: dict[str, Any], to: str) -> dict[str, str]:
    """What the tools of a catalogue are called, by their files."""
    return {entry.file: entry.name for entry in catalogs.settle(entries(files, to), to).entries}


@for_each("to", FLAT)
def test_no_other_file_changes_an_id_and_none_gets_the_id_of_another(to: str) -> None:
    """A second major made `drill@1` of `drill`, and a third file gave its id to that one."""
    versions = {"none": None, "zero": "0.3.0", "one": "1.4.0", "other": "1.9.0", "two": "2.0.0", "three": "3.1.0"}
    files = {f"{file}.json": record("drill", version, description=file) for file, version in versions.items()}
    alone: dict[str, str] = {}
    for file, data in files.items():
        alone |= _ids({file: data}, to)
    assert len({alone[file] for file in ("none.json", "zero.json", "one.json", "other.json")}) == 1
    assert len(set(alone.values())) == 3
    order = list(files)
    random.Random(7).shuffle(order)
    for number in range(2, len(order) + 1):
        together = _ids({file: files[file] for file in order[:number]}, to)
        assert together.items() <= alone.items()
        assert len(set(together.values())) == len(together)


@for_each("to", FLAT)
def test_an_id_that_says_its_major_says_it_once(to: str) -> None:
    first = catalog({"a.json": record("drill", "2.0.0")}, to)
    again = catalog({"all.json": first}, to)
    assert [tool.id for tool in toolglot.read(again)] == [tool.id for tool in toolglot.read(first)]


def test_an_earlier_catalogue_says_who_keeps_an_id(tmp_path: Path) -> None:
    command = ["catalog", "tools", "--to", "atdf", "-q"]
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/b.json").write_text(json.dumps(record("drill", "1.0.0")))
    assert run(tmp_path, [*command, "-o", "all.json"]).code == 0
    (tmp_path / "tools/a.json").write_text(json.dumps(record("drill", "1.1.0", description="Another.")))
    without = run(tmp_path, [*command, "-o", "none.json"])
    assert (without.code, "--namespace file" in without.stderr, (tmp_path / "none.json").exists()) == (1, True, False)
    done = run(tmp_path, [*command, "--since", "all.json", "-o", "new.json"])
    assert (done.code, "tools/a.json" in done.stderr) == (1, True)
    assert [tool.version for tool in toolglot.read(tmp_path / "new.json")] == ["1.0.0"]
    told_apart = run(tmp_path, [*command, "--namespace", "file", "-o", "two.json"])
    assert (told_apart.code, len(toolglot.read(tmp_path / "two.json"))) == (0, 2)


@for_each("to", [*FLAT, *TREES])
def test_what_nothing_tells_apart_is_left_out_whole(to: str) -> None:
    twice = {"tools": [*server("github", "search")["tools"], *server("github", "search")["tools"], {"name": "a"}]}
    twice["tools"][1]["description"] = "Another."
    settled = catalogs.settle(entries({"a.json": {"name": "github", **twice}}, to), to)
    assert [entry.identity for entry in settled.entries] == ["a"]
    [problem] = settled.problems
    assert "github" in str(problem)


@pytest.mark.parametrize(("second", "told_apart"), [("y/other.json", True), ("y/drill.json", False)])
def test_a_namespace_is_advised_only_where_it_tells_them_apart(second: str, told_apart: bool) -> None:
    one, other = server(None, "drill"), server(None, "drill")
    other["tools"][0]["description"] = "Another."
    [problem] = catalogs.settle(entries({"x/drill.json": one, second: other}, "atdf"), "atdf").problems
    assert ("--namespace file" in str(problem)) is told_apart
    assert "rename one" in str(problem)


@for_each("to", sample(FLAT, 4))
def test_one_file_of_many_servers(to: str) -> None:
    """70 servers with 527 tools among which 13 names are used twice, in the shape of a published benchmark."""
    names = [f"tool_{number % 514}" for number in range(527)]
    servers = [
        {"name": f"Server {index}", "tools": {f"s{index}": server(None, *names[index::70])}} for index in range(70)
    ]
    settled = catalogs.settle(entries({"all.json": servers}, to), to)
    assert not settled.problems
    assert len(settled.entries) == len({entry.name for entry in settled.entries}) == 527
    assert len(toolglot.convert(servers, to).output.names) == 527


def test_the_facts_of_a_server_are_in_the_catalogue() -> None:
    data = catalog({"a.json": server("github", "search", version="2.1.0", homepage="https://example.org")})
    [found] = toolglot.read(data)
    assert (found.id, found.version, found.homepage) == ("github.search@2", "2.1.0", "https://example.org")
    assert data[0]["metadata"]["toolglot"]["provenance"]["identity"] == "search@2"


@pytest.mark.parametrize("wanted", ["none", "mine", "file"])
def test_a_namespace_can_be_given(wanted: str) -> None:
    found = toolglot.read(catalog({"a.json": server("github", "search")}, how=CatalogOptions(namespace=wanted)))
    assert found[0].id == {"none": "search", "mine": "mine.search", "file": "a.search"}[wanted]


@for_each("to", [*FLAT, *TREES])
def test_one_bad_tool_costs_no_other_its_place(to: str) -> None:
    files = {
        "a.json": {
            "tools": [
                {"name": "a", "inputSchema": {"type": "object"}},
                {"name": "b", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/nowhere"}}}},
            ]
        }
    }
    found = catalogs.FileEntries(read_document(document_reader.from_data(files["a.json"]), "mcp"), to, "a.json")
    missing = 2 - len(found.entries)
    assert missing == len([note for note in found.notes if note.severity == "error"])
    assert "a" in [entry.identity for entry in found.entries]


def test_the_first_run_needs_no_earlier_catalogue(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("drill")))
    command = ["catalog", "a.json", "--to", "atdf", "--since", "all.json", "-o", "all.json"]
    assert run(tmp_path, command).code == 0
    again = run(tmp_path, command)
    assert (again.code, "1 of them as before" in again.stderr) == (0, True)


def test_what_was_read_as_another_format_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("drill")))
    command = ["catalog", "a.json", "--to", "atdf", "--since", "all.json", "-o", "all.json"]
    assert (run(tmp_path, command).code, run(tmp_path, [*command, "--from", "mcp"]).code) == (0, 2)


def test_what_a_link_leads_to_is_read_again(tmp_path: Path) -> None:
    put(tmp_path / "weigh" / "TOOL.md", **TOOL, implements="./ACTION.md")
    command = ["catalog", "weigh/TOOL.md", "--to", "tool-descriptor", "-o", "all.json", "--since", "all.json"]
    for danger in ({"mutates": [], "risk_level": 0, "approval": "auto"}, DANGER):
        put(tmp_path / "weigh" / "ACTION.md", schema="action/v1", description="Clear.", **{"id": "a:b", **danger})
        assert run(tmp_path, command).code == 0
    assert json.loads((tmp_path / "all.json").read_text())["tools"][0]["approval"] == "always"


def test_a_verbose_report_names_no_option_of_another_command(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"name": "bell", "inputSchema": {"type": "object"}}))
    told = [run(tmp_path, ["catalog", "a.json", "--to", "atdf", *more]).stderr for more in ([], ["-v"])]
    assert ["The whole list" in text for text in told] == [True, False]
    assert "--report" not in "".join(told)


def test_a_whole_list_and_a_report_file_have_what_making_a_program_changed(tmp_path: Path) -> None:
    tool = {"toolId": "drill", "source": "mcp", "safetyTier": "write", "outputSchema": {"type": "object"}}
    (tmp_path / "a.json").write_text(json.dumps(tool))
    (tmp_path / "b.json").write_text(json.dumps({"atip": {"version": "0.6"}, "name": "ls", "version": "1",
                                                 "description": "List."}))  # fmt: skip
    command = ["catalog", "a.json", "b.json", "--to", "atip", "--as-program", "box"]
    told = run(tmp_path, [*command, "-v", "--report", "r.json"]).stderr
    assert "dropped-outputs" in told
    assert "The whole list" not in told
    report = json.loads((tmp_path / "r.json").read_text())
    assert "dropped-outputs" in {change["code"] for change in report["changes"]}
    assert report["tools"] == 2
    kinds = ("danger", "lost", "danger, lost")
    assert [run(tmp_path, [*command, "--fail-on", kind]).code for kind in kinds] == [0, 1, 1]


def test_a_report_file_counts_the_tools_that_nothing_happened_to(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("drill")))
    (tmp_path / "b.json").write_text(json.dumps({"name": "bell", "inputSchema": {"type": "object"}}))
    assert run(tmp_path, ["catalog", "a.json", "b.json", "--to", "atdf", "--report", "r.json"]).code == 0
    assert json.loads((tmp_path / "r.json").read_text())["tools"] == 2


def test_another_assertion_takes_nothing_over_unread(tmp_path: Path) -> None:
    said = server("github", "search")
    said["tools"][0]["annotations"] = {"readOnlyHint": True}
    (tmp_path / "a.json").write_text(json.dumps(said))
    (tmp_path / "vouched.json").write_text('{"github/*": {"trusted-hints": true}, "x": {"source": "mcp"}}')
    command = ["catalog", ".", "--to", "tool-descriptor", "-o", "all.json", "--since", "all.json"]
    assert run(tmp_path, command).code == 0
    vouched = run(tmp_path, [*command, "--assert", "vouched.json"])
    assert "as before" not in vouched.stderr
    assert "[vouched-safety-tier]" in vouched.stderr
    assert "--assert 'x' matches no tool" in vouched.stderr
    data = json.loads((tmp_path / "all.json").read_text())
    assert data["tools"][0]["safetyTier"] == "read"
    assert next(iter(data["x-toolglot"].values()))["provenance"]["asserted"]["safety_tier"] == "read"
    again = run(tmp_path, [*command, "--assert", "vouched.json"])  # each is told every time
    assert "as before" in again.stderr
    assert "[vouched-safety-tier]" in again.stderr
    assert "--assert 'x' matches no tool" in again.stderr
    without = run(tmp_path, command)  # nobody vouches in this run
    assert "vouched-" not in without.stderr
    assert json.loads((tmp_path / "all.json").read_text())["tools"][0]["safetyTier"] == "write"


def test_an_assertion_that_does_not_fit_leaves_the_tool_as_it_was(tmp_path: Path) -> None:
    said = server("github", "search")
    said["tools"][0]["description"] = "Search. [⚠️ DESTRUCTIVE]"
    (tmp_path / "a.json").write_text(json.dumps(said))
    (tmp_path / "vouched.json").write_text('{"github/*": {"safety-tier": "read"}}')
    command = ["catalog", "a.json", "--to", "tool-descriptor", "--assert", "vouched.json"]
    done = run(tmp_path, command)
    assert (done.code, "[refused-safety-tier]" in done.stderr) == (1, True)
    assert json.loads(done.stdout)["tools"][0]["safetyTier"] == "write"
    for _ in range(2):  # also over an earlier one, and each time
        done = run(tmp_path, [*command, "-o", "all.json", "--since", "all.json"])
        assert (done.code, "[refused-safety-tier]" in done.stderr) == (1, True)
        assert json.loads((tmp_path / "all.json").read_text())["tools"][0]["safetyTier"] == "write"


@pytest.mark.parametrize("to", FLAT)
def test_an_array_is_one(to: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(server("github", "search", "merge")))
    done = run(tmp_path, ["catalog", "a.json", "--to", to, "--bare"])
    assert [tool.id for tool in toolglot.read(json.loads(done.stdout), to)][1] == NAMES[to]


# -- languages ---------------------------------------------------------------------------------------------------

TEXTS: dict[str, dict[str, Any]] = {
    "es": {"description": "Perfora."},
    "pt-BR": {"description": "Fura."},
    "it": {"description": ["Trapana."]},
}


@for_each(
    ("wanted", "own", "shown", "others", "noted"),
    [
        ("es", None, "Perfora.", [], False),
        ("es,en", None, "Perfora.", ["en"], False),
        ("en,es", None, "Drills.", ["es"], False),
        ("en", "en", "Drills.", [], False),
        ("fr,es", "en", "Perfora.", [], True),
        ("fr", "en", "Drills.", [], True),
        ("pt,en", "en", "Fura.", ["en"], False),
        ("es-MX", "en", "Perfora.", [], False),
        ("it,en", "en", "Drills.", [], True),
    ],
)
def test_languages_are_chosen(wanted: str, own: str | None, shown: str, others: list[str], noted: bool) -> None:
    tool = Tool(id="drill", description="Drills.", localizations=TEXTS)
    found = translate(tool, wanted.split(","), own)
    assert (found.tool.description, list(found.tool.localizations or {})) == (shown, others)
    assert bool(found.note) is noted


def test_a_translation_that_leaves_a_warning_out_is_not_shown() -> None:
    tool = Tool(id="wipe", description="Wipes [⚠️ DESTRUCTIVE] all.", localizations=TEXTS)
    found = translate(tool, ["es", "en"], "en")
    assert found.tool.description == tool.description
    assert "leaves out a warning" in found.note


def test_a_catalogue_speaks_the_language_that_is_asked_for(tmp_path: Path) -> None:
    for name, said in (("drill", "Drills."), ("drill_es", "Perfora.")):
        (tmp_path / f"{name}.json").write_text(json.dumps(record("drill", description=said)))
    (tmp_path / "saw.json").write_text(json.dumps(record("saw", localization={"es": {"description": "Sierra."}})))
    (tmp_path / "plane.json").write_text(json.dumps(record("plane", description="Planes.")))
    command = ["catalog", ".", "--to", "atdf", "--language", "es,en", "-o", "all.json"]
    assert run(tmp_path, command).code == 0
    found = {tool.id: tool for tool in toolglot.read(tmp_path / "all.json")}
    assert [found[name].description for name in ("drill", "plane", "saw")] == ["Perfora.", "Planes.", "Sierra."]
    assert list(found["drill"].localizations or {}) == ["en"]


def test_translations_are_one_record() -> None:
    spanish = record("drill", description="Perfora.", when_to_use="A menudo")
    german = record("drill", description="Bohrt.", localization={"nl": {"description": "Boort", "when_to_use": "Vaak"}})
    files = {"drill_en.json": record("drill"), "drill_es.json": spanish, "drill.de.yaml": german}
    [tool] = toolglot.read(catalog(files))
    assert tool.description == "Drills."
    assert tool.localizations is not None
    assert {language: texts["description"] for language, texts in tool.localizations.items()} == {
        "de": "Bohrt.",
        "es": "Perfora.",
        "nl": "Boort",
    }


HOW = record("drill")["how_to_use"]


@for_each(
    ("other", "differing"),
    [
        ({"description": "Perfora. [⚠️ DESTRUCTIVE]"}, "flags, dangers"),
        ({"metadata": {"version": "1.3.0"}}, "version"),
        ({"metadata": {"version": "1.2.0", "tags": ["a"], "author": "b"}}, ""),
        ({"how_to_use": {"inputs": [], "outputs": {"success": "x", "failure": []}}}, "inputs"),
        (
            {"how_to_use": {**HOW, "outputs": {"success": "x", "failure": [{"code": "a", "description": "b"}]}}},
            "errors",
        ),
    ],
)
def test_what_differs_in_more_than_its_language_is_a_collision(other: dict[str, Any], differing: str) -> None:
    spanish = {**record("drill", "1.2.0"), **other}
    settled = catalogs.settle(entries({"drill.json": record("drill", "1.2.0"), "drill_es.json": spanish}, "hub"), "hub")
    reasons = [problem.message.partition("; ")[0].partition("more than ")[2] for problem in settled.problems]
    assert reasons == ([f"their language ({differing})"] if differing else [])
    assert settled.left_out == 2 * len(reasons)


def test_what_a_localisation_has_no_place_for_is_said() -> None:
    spanish = record("drill", how_to_use={**HOW, "outputs": {"success": "Hecho", "failure": []}})
    settled = catalogs.settle(entries({"drill.json": record("drill"), "drill_es.json": spanish}, "atdf"), "atdf")
    [note] = settled.notes
    assert (note.code, note.source) == ("untranslated", "drill_es.json")
    assert "of success is" in note.message


@for_each("to", ["atdf@0.1", *FLAT])
def test_translations_that_find_no_place_are_named(to: str) -> None:
    files = {"drill.json": record("drill"), "drill_es.json": record("drill", description="Perfora.")}
    settled = catalogs.settle(entries(files, to), to)
    says = "Perfora." in json.dumps([entry.record and entry.record.data for entry in settled.entries])
    assert [note.code for note in settled.notes] == ([] if says else ["dropped-localizations"])


@for_each(
    ("file", "language"),
    [
        ("a_es.json", "es"),
        ("a.pt-BR.atdf.yaml", "pt-BR"),
        ("a.json", None),
        ("to_do/a.json", None),
        ("a-b2.json", None),
        ("a/TOOL.md", None),
        ("push_up.json", None),
        ("a.es.md", "es"),
    ],
)
def test_languages_of_files(file: str, language: str | None) -> None:
    assert language_of(file) == language


# -- programs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", TREES)
def test_ids_with_dots_become_nested_commands(to: str) -> None:
    files = {
        "a.json": record("mail.archive"),
        "b.json": record("mail.list"),
        "c.json": record("mail"),
        "d.json": record("x"),
    }
    settled = catalogs.settle(entries(files, to), to).entries
    [program] = toolglot.read(catalogs.dump(settled, to, program=Program("box")).text)
    paths = [tuple(part for part in leaf.path if part) for leaf in leaves_of(program)]
    assert sorted(paths) == [("box", "mail"), ("box", "mail", "archive"), ("box", "mail", "list"), ("box", "x")]


@pytest.mark.parametrize("to", TREES)
def test_a_program_in_a_program_keeps_its_groups_and_its_options(to: str) -> None:
    program = {
        "atip": "0.3", "name": "gh", "version": "2.0.0", "description": "Works with a forge.",
        "globalOptions": [{"name": "repo", "flags": ["-R"], "type": "string", "description": "Which"}],
        "commands": {"pr": {"description": "Requests", "commands": {"list": {"description": "Lists", "effects": {}}}}},
    }  # fmt: skip
    settled = catalogs.settle(entries({"gh.json": program}, to), to).entries
    [merged] = toolglot.read(catalogs.dump(settled, to, program=Program("box")).text)
    [gh] = merged.children or ()
    [group] = gh.children or ()
    [leaf] = leaves_of(merged)
    assert (gh.description, group.description) == ("Works with a forge.", "Requests")
    assert "repo" in (leaf.tool.inputs or {})["properties"]


@pytest.mark.parametrize("to", TREES)
def test_a_command_of_a_program_is_as_asserted(to: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(server(None, "search")))
    (tmp_path / "vouched.json").write_text('{"search": {"safety-tier": "exec"}}')
    command = ["catalog", "a.json", "--to", to, "--as-program", "box", "--assert", "vouched.json"]
    run(tmp_path, [*command, "-o", "box.jsonl"])
    [line] = (tmp_path / "box.jsonl").read_text().splitlines()
    [leaf] = leaves_of(toolglot.read_one(line))
    assert safety.caution(leaf.tool)["executes"] == safety.UNSAFE


@pytest.mark.parametrize("to", TREES)
def test_options_of_a_program_bring_their_definitions(to: str) -> None:
    options = {
        "type": "object",
        "properties": {"repo": {"$ref": "#/$defs/name"}},
        "$defs": {"name": {"type": "string", "description": "Which."}},
    }
    bindings = {"repo": Binding(kind="option", flags=("-R",))}
    child = Tool(id="list", description="Lists.", inputs={"type": "object", "properties": {"n": {"type": "integer"}}})
    program = Tool(id="gh", description="Forge.", global_inputs=options, global_bindings=bindings, children=(child,))
    settled = catalogs.settle(entries({"gh.json": json.loads(toolglot.write(program, "hub"))}, to), to).entries
    [merged] = toolglot.read(catalogs.dump(settled, to, program=Program("box")).text)
    [leaf] = leaves_of(merged)
    assert (leaf.tool.inputs or {})["$defs"] == options["$defs"]


@pytest.mark.parametrize("to", TREES)
def test_a_program_needs_a_name_and_only_a_program_has_one(to: str) -> None:
    settled = catalogs.settle(entries(DRILLS, to), to).entries
    with pytest.raises(UsageError, match="--as-program NAME"):
        catalogs.dump(settled, to)
    flat = catalogs.settle(entries(DRILLS, "atdf"), "atdf").entries
    with pytest.raises(UsageError, match="leave out the name"):
        catalogs.dump(flat, "atdf", program=Program("box"))


@pytest.mark.parametrize("to", TREES)
@pytest.mark.parametrize("name", ["", "a b", "../x", "x\n", "-x"])
def test_a_program_has_the_name_that_was_given(to: str, name: str) -> None:
    settled = catalogs.settle(entries({"a.json": record("mail")}, to), to).entries
    with pytest.raises(UsageError, match="cannot be called"):
        catalogs.dump(settled, to, program=Program(name))


@pytest.mark.parametrize("to", TREES)
def test_a_server_is_a_group_of_commands_and_the_program_says_its_own(to: str) -> None:
    files = {"a.json": server("github", "search"), "b.json": server("sentry", "search")}
    files |= {f"{major}.json": record("drill", f"{major}.0.0") for major in (1, 2)}
    settled = catalogs.settle(entries(files, to), to)
    assert not settled.problems
    program = Program("box", "3.1.0", "Everything in one box.")
    [found] = toolglot.read(catalogs.dump(settled.entries, to, program=program).text)
    paths = {" ".join(leaf.path) for leaf in leaves_of(found)}
    assert paths == {"box github search", "box sentry search", "box drill", "box drill-v2"}
    assert (found.version, found.description) == ("3.1.0", "Everything in one box.")


@pytest.mark.parametrize("to", TREES)
def test_what_a_program_cannot_say_is_counted(to: str) -> None:
    settled = catalogs.settle(entries({"a.json": record("mail")}, to), to).entries
    report = catalogs.dump(settled, to, program=Program("box")).report
    assert report is not None
    assert "dropped-success" in {change.code for change in report.changes}


@pytest.mark.parametrize("to", TREES)
def test_no_tool_looks_safer_as_a_command_of_another_program(root: Path, to: str) -> None:
    found = [entry for path in sorted(root.rglob("*.json")) for entry in _safely(path, to)]
    settled = catalogs.settle(found, to).entries
    [program] = toolglot.read(catalogs.dump(settled, to, program=Program("box")).text)
    leaves = {tuple(part for part in leaf.path[1:] if part): leaf.tool for leaf in leaves_of(program)}
    assert len(settled) > 9
    for entry in settled:
        assert entry.tool is not None
        after = leaves[command_words(entry)]
        assert not safety.weaker_facets(safety.caution(entry.tool), safety.caution(after))


# -- a repository ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalogue") / "repository"
    repository.generate(folder, 60, seed=3)
    return folder


@pytest.fixture(scope="module")
def made(root: Path) -> Callable[[str], Ran]:
    """The catalogue of the repository in a format, made once, in this process."""
    return cache(lambda to: run(root, ["catalog", ".", "--to", to, "--jobs", "1"]))


def test_the_number_of_workers_changes_nothing(root: Path, made: Callable[[str], Ran]) -> None:
    assert run(root, ["catalog", ".", "--to", "atdf", "--jobs", "3"]) == made("atdf")


def test_the_order_of_sources_changes_nothing(root: Path, made: Callable[[str], Ran]) -> None:
    folders = [path.name for path in root.glob("group-*")]
    random.Random(5).shuffle(folders)
    other = run(root, ["catalog", *folders, "--to", "mcp", "--jobs", "1"])
    assert other.stdout == made("mcp").stdout


@pytest.mark.parametrize("to", ["atdf", "tool-descriptor", "mcp"])
def test_no_tool_looks_safer_in_the_catalogue(root: Path, made: Callable[[str], Ran], to: str) -> None:
    data = json.loads(made(to).stdout)
    by_id = {entry.name: tool for entry, tool in _with_tools(data, to)}
    entries = [entry for path in sorted(root.rglob("*.json")) for entry in _safely(path, to)]
    assert entries
    for entry in entries:
        assert entry.tool is not None
        assert not safety.weaker_facets(safety.caution(entry.tool), safety.caution(by_id[entry.name]))


def _with_tools(data: Any, to: str) -> list[tuple[Entry, Tool]]:
    same = [entry for found in catalogs.read_earlier(document_reader.from_data(data), to).values() for entry in found]
    return [(entry, formats.get(to).read(entry.record)) for entry in same if entry.record is not None]


def _safely(path: Path, to: str) -> list[Entry]:
    raw = path.read_bytes()
    try:
        document = document_reader.load(raw, path.name)
        return catalogs.FileEntries(read_document(document, toolglot.detect(raw)), to, path.name).entries
    except toolglot.Error:
        return []


@pytest.mark.parametrize("to", ["atdf", "tool-descriptor"])
@pytest.mark.parametrize("name", ["all.json", "all.jsonl"])
def test_what_is_taken_over_is_what_would_be_made(tmp_path: Path, to: str, name: str) -> None:
    """Files are changed, added, removed and translated at random; the incremental catalogue is always the whole one."""
    draw = random.Random(f"{to} {name}")
    tools = tmp_path / "tools"
    tools.mkdir()
    for step in range(8):
        for _ in range(4):
            number = draw.randrange(9)
            path = tools / f"drill{number}{draw.choice(('', '', '_es', '_fr'))}.json"
            if draw.random() < 0.25:
                path.unlink(missing_ok=True)
            else:
                said = f"Text {draw.randrange(3)}."
                path.write_text(json.dumps(record(f"drill{number}", description=said)))
        whole = run(tmp_path, ["catalog", "tools", "--to", to, "-o", f"whole-{name}"])
        since = ["--since", f"kept-{name}"] if step else []
        kept = run(tmp_path, ["catalog", "tools", "--to", to, "-o", f"kept-{name}", *since])
        assert (whole.code, kept.code) == (0, 0), kept.stderr
        assert (tmp_path / f"kept-{name}").read_bytes() == (tmp_path / f"whole-{name}").read_bytes()
    same = run(tmp_path, ["catalog", "tools", "--to", to, "-o", f"kept-{name}", "--since", f"kept-{name}"])
    assert re.search(r"[1-9][0-9]* of them as before", same.stderr)


@pytest.mark.parametrize("old", ["7", "{}", json.dumps(record("drill")), '{"tools": [7]}'])
def test_a_file_that_is_no_catalogue_is_refused(tmp_path: Path, old: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("drill")))
    (tmp_path / "old.json").write_text(old)
    done = run(tmp_path, ["catalog", "a.json", "--to", "atdf", "--since", "old.json"])
    assert done.code == 2
    assert done.stdout == ""


Change = Callable[[list[Any]], object]


def forge(key: str, value: object) -> Change:
    """What says something else about where every tool comes from."""

    def change(tools: list[Any]) -> None:
        for tool in tools:
            tool["metadata"]["toolglot"]["provenance"][key] = value

    return change


CHANGES: list[Change] = [
    lambda tools: tools.pop(),
    lambda tools: tools.append(tools[0]),
    lambda tools: tools[0].update(description="Harmless."),
    lambda tools: tools[0].update(tool_id="other"),
]
FORGERIES: list[Any] = [None, 7, "x", [], [7], [{"path": []}], {"a": 1}, "\x1b[31m", "two.json"]
for key in ("identity", "path", "sha256", "toolglot", "tools", "seal", "localised_from"):
    CHANGES += [forge(key, value) for value in FORGERIES]


def test_what_was_edited_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "two.json").write_text(json.dumps({"tools": [record("drill", "1.0.0"), record("saw", "1.0.0")]}))
    whole = run(tmp_path, ["catalog", "two.json", "--to", "atdf"]).stdout
    for number, change in enumerate(CHANGES):
        data = json.loads(whole)
        change(data)
        (tmp_path / "old.json").write_text(json.dumps(data))
        done = run(tmp_path, ["catalog", "two.json", "--to", "atdf", "--since", "old.json"])
        assert (done.code, done.stdout) == (0, whole), f"change {number}"


@for_each(("key", "value"), [("tools", None), ("asserted", "x"), ("namespace", []), ("path", 7)])
def test_what_says_no_place_is_made_anew_although_it_is_sealed(key: str, value: object) -> None:
    document = document_reader.load(json.dumps(record("drill")))
    [entry] = catalogs.FileEntries(read_document(document, "atdf"), "atdf", "a.json").entries
    about = {**entry.provenance, key: value}
    about["seal"] = seal_of(about, entry.record, "atdf")
    text = catalogs.dump([entry._replace(provenance=about)], "atdf").text
    assert catalogs.read_earlier(document_reader.load(text), "atdf") == {}


@pytest.mark.parametrize("before", ["atdf@0.1", "atdf@0.2", "atdf", "tool-descriptor"])
@pytest.mark.parametrize("to", ["atdf@0.1", "atdf@0.2", "atdf"])
def test_what_was_made_for_another_version_is_made_anew(tmp_path: Path, before: str, to: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"toolId": "host:a", "source": "mcp", "safetyTier": "read"}))
    run(tmp_path, ["catalog", "a.json", "--to", before, "-o", "old.json"])
    whole = run(tmp_path, ["catalog", "a.json", "--to", to])
    done = run(tmp_path, ["catalog", "a.json", "--to", to, "--since", "old.json"])
    assert done.stdout == whole.stdout or (done.code == 2 and "not a catalogue" in done.stderr)


def test_the_hash_is_that_of_what_was_read(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(record("drill"), indent=1).replace("\n", "\r\n").encode()
    [entry] = catalogs.FileEntries(read_document(document_reader.load(raw, "a.json"), "atdf"), "atdf", "a.json").entries
    assert entry.provenance["sha256"] == hashlib.sha256(raw).hexdigest()
    for source in ("a.json", "-"):
        (tmp_path / "a.json").write_bytes(raw)
        done = run(tmp_path, ["catalog", source, "--to", "atdf"], raw)
        assert hashlib.sha256(raw).hexdigest() in done.stdout


@pytest.mark.parametrize("existing", ["precious\n", '{"tools": []}', json.dumps(record("drill"))])
@pytest.mark.parametrize("is_link", [False, True])
def test_only_a_catalogue_is_replaced(tmp_path: Path, existing: str, is_link: bool) -> None:
    """A link of a repository may lead to anything that the user has."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.json").write_text(json.dumps(record("drill")))
    kept = tmp_path / ("elsewhere" if is_link else "all.json")
    kept.write_text(existing)
    if is_link:
        (tmp_path / "all.json").symlink_to(kept)
    done = run(tmp_path, ["catalog", "tools", "--to", "atdf", "-o", "all.json"])
    assert (done.code, kept.read_text()) == (2, existing)
    assert "[file-exists]" in done.stderr


@pytest.mark.parametrize("output", ["new/", "all.jsonl.gz", "all.json.GZ", "tools"])
def test_a_name_that_says_something_else_is_refused(tmp_path: Path, output: str) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.json").write_text(json.dumps(record("drill")))
    assert run(tmp_path, ["catalog", "tools", "--to", "atdf", "-o", output]).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["tools"]


def test_nothing_is_written_where_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("drill")))
    (tmp_path / "all.json").symlink_to(tmp_path / "new")
    assert run(tmp_path, ["catalog", "a.json", "--to", "atdf", "-o", "all.json"]).code == 2
    assert not (tmp_path / "new").exists()


NO_TEXT, ANOTHER_THING = '{"tool_id": "drill" "x"}', '{"name": "another thing"}'


@pytest.mark.parametrize(
    ("now", "options", "code"),
    [
        (NO_TEXT, ["--since", "all.json"], 2),
        (ANOTHER_THING, ["--since", "all.json"], 2),
        (NO_TEXT, [], 2),
        (ANOTHER_THING, [], 0),
    ],
)
def test_a_tool_that_goes_from_its_file_is_missed(tmp_path: Path, now: str, options: list[str], code: int) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("drill.yaml", "saw.json"):
        (tools / name).write_text(json.dumps(record(Path(name).stem)))
    command = ["catalog", "tools", "--to", "atdf", "-o", "all.json"]
    run(tmp_path, command)
    (tools / "drill.yaml").write_text(now)
    for _ in range(2):
        done = run(tmp_path, [*command, *options])
        assert (done.code, len(toolglot.read(tmp_path / "all.json"))) == (code, 2 if code else 1)
        assert ("tools/drill.yaml: error: it held a tool before" in done.stderr) is (code == 2)
        assert ("all.json: left as it was, because tools or facts would be missing" in done.stderr) is (code == 2)
    (tools / "drill.yaml").unlink()
    assert run(tmp_path, command).code == 0
    assert len(toolglot.read(tmp_path / "all.json")) == 1


@pytest.mark.parametrize("name", ["all.json", "all.md", "pages/"])
def test_a_source_that_cannot_be_read_any_more_leaves_the_earlier_catalogue(tmp_path: Path, name: str) -> None:
    for tool in ("drill", "saw"):
        (tmp_path / f"{tool}.json").write_text(json.dumps(record(tool)))
    to = {"all.json": "atdf", "all.md": "markdown", "pages/": "html"}[name]
    command = ["catalog", "drill.json", "saw.json", "--to", to, "-o", name]
    run(tmp_path, command)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    (tmp_path / "drill.json").write_text("{")
    assert run(tmp_path, command).code == 2
    (tmp_path / "drill.json").write_text(json.dumps(record("drill")))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_pages_of_a_run_that_was_killed_are_completed_though_a_source_is_broken(tmp_path: Path) -> None:
    (tmp_path / "saw.json").write_text(json.dumps(record("saw")))
    (tmp_path / "bad.atdf.json").write_text("{")
    command = ["catalog", ".", "--to", "html", "-o", "pages/"]
    run(tmp_path, command)
    ledger = tmp_path / "pages" / "toolglot-files.json"
    ledger.write_text(ledger.read_text().replace('": "', '": "0 '))
    (tmp_path / "pages" / "index.html").unlink()
    run(tmp_path, command)
    assert (tmp_path / "pages" / "index.html").exists()


@pytest.mark.parametrize("files", [{}, {"other.json": "{}"}, {"bad.atdf.json": "{"}])
def test_where_nothing_is_gathered_nothing_is_written(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "tools").mkdir()
    for name, content in files.items():
        (tmp_path / "tools" / name).write_text(content)
    done = run(tmp_path, ["catalog", "tools", "--to", "atdf"])
    assert (done.code, done.stdout) == (2, "")


def test_a_bad_file_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps(record("drill")))
    (tmp_path / "bad.atdf.json").write_text("{")
    done = run(tmp_path, ["catalog", ".", "--to", "atdf"])
    assert done.code == 2
    assert "bad.atdf.json:1:2" in done.stderr
    assert len(toolglot.read(done.stdout)) == 1


# -- credentials ---------------------------------------------------------------------------------------------------

CREDENTIAL = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"


@pytest.mark.parametrize("to", ["atdf", "tool-descriptor", "markdown"])
def test_a_tool_that_holds_a_credential_is_left_out_and_named(tmp_path: Path, to: str) -> None:
    tools = [record("drill", description=f"Drills with {CREDENTIAL}."), record("saw")]
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    done = run(tmp_path, ["catalog", "tools.json", "--to", to, "-q"])
    assert (done.code, "[published-credential]" in done.stderr, "saw" in done.stdout) == (1, True, True)
    assert CREDENTIAL not in done.stdout + done.stderr
