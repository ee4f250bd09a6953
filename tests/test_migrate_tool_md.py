"""`TOOL.md` of any time in the shape of today, with the DRIVER.md and the SECRETS.md that take what left it.

`fixtures/migrate/aip14/<case>/` holds a `TOOL.md`, the `kind` that is asked for (none if there is no such file), and
either `expected/` with every file that has to come out and the `notes`, or a `refusal`.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import corpus
import strategies
import toolglot
from golden import FIXTURES, OF_THE_AUTHOR, same_file, same_folder
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.formats import MigratedRecord, MigrationRequest, Record
from toolglot.converter.formats.aip14 import keys, migrated_driver
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.schema.json_values import are_equal
from toolglot.converter.text import document_reader
from toolglot.converter.text.credentials import find_secret
from toolglot.converter.text.pointers import keyed_values
from toolglot.errors import Error, ReadError, UnsaidError, UsageError
from toolglot.verbs.migration import pipeline
from toolglot.verbs.migration.edit import syntax_tree

CASES = sorted(path for path in (FIXTURES / "migrate" / "aip14").iterdir() if path.is_dir())
REFUSED = [path for path in CASES if path.name.startswith("refused-")]
ACCEPTED = [path for path in CASES if path not in REFUSED]
AIP14 = formats.get("aip14")
UPSTREAM = Path(__file__).resolve().parents[2] / "shared" / "upstream" / "aip"
accepted = pytest.mark.parametrize("case", ACCEPTED, ids=lambda path: path.name)
refused = pytest.mark.parametrize("case", REFUSED, ids=lambda path: path.name)


def kind_of(case: Path) -> str | None:
    path = case / "kind"
    return path.read_text("utf-8").strip() if path.is_file() else None


def record_of(content: bytes) -> Record:
    document = document_reader.load(content)
    return msgspec.structs.replace(AIP14.records(document.data)[0], body=document.body)


def migrate(record: Record, kind: str | None = None) -> MigratedRecord:
    assert AIP14.migration.migrate is not None
    return AIP14.migration.migrate(record, MigrationRequest(kind=kind))


def migrated(case: Path) -> MigratedRecord:
    return migrate(record_of((case / "TOOL.md").read_bytes()), kind_of(case))


def in_order(value: Any) -> str:
    """Data with the order of its keys, which a comparison of dictionaries does not see."""
    return json.dumps(value, ensure_ascii=False)


# -- by example -------------------------------------------------------------------------------------------------


@pytest.mark.golden
@accepted
def test_what_comes_out(case: Path) -> None:
    found = pipeline.migrate(case / "TOOL.md", kind=kind_of(case))
    files = {name or "TOOL.md": content.decode() for name, content in found.files}
    notes = "".join(
        f"{note.line}:{note.column} {note.code} {note.pointer}\n    {note.message}\n" for note in found.notes
    )
    same_folder(case / "expected", {**files, "notes": notes})


@accepted
def test_the_data_is_what_the_expected_files_say(case: Path) -> None:
    """Independent of the engine that edits the text."""
    result = migrated(case)
    files = {"TOOL.md": result.data, **{item.name: item.data for item in result.companions}}
    expected = {path.name: document_reader.load(path.read_bytes()).data for path in (case / "expected").glob("*.md")}
    assert {name: in_order(data) for name, data in files.items()} == {
        name: in_order(data) for name, data in expected.items()
    }


@pytest.mark.golden
@refused
def test_what_is_refused(case: Path) -> None:
    with pytest.raises(Error) as caught:
        pipeline.migrate(case / "TOOL.md", kind=kind_of(case))
    error = str(caught.value).replace(f"{case}{os.sep}", "")
    same_file(case / "refusal", f"{caught.value.code} {caught.value.pointer}".rstrip() + f"\n{error}\n")


@refused
def test_a_refusal_never_shows_a_secret(case: Path) -> None:
    content = (case / "TOOL.md").read_text("utf-8").lower()
    if "sesame" in content:
        assert "sesame" not in (case / "refusal").read_text("utf-8").lower()


# -- what is true of every migration ------------------------------------------------------------------------------


@cache
def upstream(name: str) -> Any:
    loaded = [json.loads(path.read_text("utf-8")) for path in sorted(UPSTREAM.glob("*.schema.json"))]
    resources = [(schema["$id"], schema) for schema in loaded]
    resources += [(uri.replace("/schemas/", "/docs/"), schema) for uri, schema in resources]
    schema = json.loads((UPSTREAM / f"{name}.schema.json").read_text("utf-8"))
    return jsonschema_rs.validator_for(schema, registry=jsonschema_rs.Registry(resources), validate_formats=False)


def laws(record: Record, kind: str | None) -> MigratedRecord:
    """Migrate, and hold the result to everything that is true of every migration."""
    original = copy.deepcopy(record.data)
    result = migrate(record, kind)
    assert in_order(record.data) == in_order(original)
    for key in ("id", "version", "description"):
        assert result.data[key] == original[key]
    assert not result.data.keys() & {*keys.LEGACY, *keys.ALIASES}
    assert_nothing_dangles(result)
    assert_nothing_is_dropped(original, result)
    assert_gates_stay(original, result.data)
    old = AIP14.read(msgspec.structs.replace(record, data=original if result.before is None else result.before))
    new = AIP14.read(msgspec.structs.replace(record, data=result.data))
    assert not safety.weaker_facets(safety.caution(old), safety.caution(new))
    again = migrate(msgspec.structs.replace(record, data=result.data), kind)
    assert again == MigratedRecord(result.data, notes=again.notes)
    assert {note.code for note in again.notes} <= {"driver-key"}
    assert in_order(again.data) == in_order(result.data)
    for item in result.companions:
        name = item.name.removesuffix(".md").lower()
        assert not [*find_problems(item.data, f"aip14/{name}")]
        assert not UPSTREAM.is_dir() or upstream(name.upper()).is_valid(item.data)
        for place, origin in item.origins.items():
            assert at(item.data, place) is not None or at(original, origin) is None
    return result


def at(data: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        if isinstance(data, str):
            return data  # one name without the list around it
        data = data[int(token) if isinstance(data, list) else token]
    return data


def assert_nothing_is_dropped(old: dict[str, Any], result: MigratedRecord) -> None:
    """Every value of the old data is in one of the files, whole, or said there in another way."""
    values = [*values_in([result.data, *(item.data for item in result.companions)])]
    spelled = {json.dumps(value, sort_keys=True) for value in values}

    def is_there(value: Any) -> bool:
        return json.dumps(value, sort_keys=True) in spelled

    def is_in_parts(value: Any) -> bool:
        parts = value if isinstance(value, list) else [value]
        return all(is_there(part) or is_completed(part, values) for part in parts)

    def are_hosts(value: Any) -> bool:
        inner = value.values() if isinstance(value, dict) and value.keys() <= {"egress", "ingress"} else [value]
        return all(hosts is None or isinstance(hosts, bool) or is_in_parts(hosts) for hosts in inner)

    otherwise = {
        "approval": lambda value: value in (None, "auto"),
        "risk_level": lambda value: value == 0 and bool(old.get("mutates")),
        "riskLevel": lambda value: value == 0 and bool(old.get("mutates")),
        "name": lambda value: value == "",
        "metadata": lambda value: not value or all(map(is_there, value.values())),
        "network": are_hosts,
        "requires": lambda value: True,  # `assert_gates_stay` looks at it
        "secrets": is_in_parts,
    }
    for key, value in old.items():
        assert is_there(value) or otherwise[key](value), key


def assert_nothing_dangles(result: MigratedRecord) -> None:
    """The new driver is the one that the tool names, and whatever no manifest has a key for is noted."""
    named = result.data.get("default_implementation")
    for driver in (item.data for item in result.companions if item.name == "DRIVER.md"):
        assert named in (None, driver["id"])
        kept = driver.get("metadata", {})
        noted = {note.pointer.removeprefix("/") for note in result.notes if note.code == "manual-step"}
        assert noted >= {*kept.get("toolglot", {}).get("legacy", {}), *kept.get(driver["kind"], {})}
        assert not result.data.keys() & {*keys.DRIVER_KEYS}


def is_completed(entry: Any, values: list[Any]) -> bool:
    """Whether an entry of an inventory stands in another with more to it."""
    return isinstance(entry, dict) and any(
        isinstance(value, dict) and value.items() >= entry.items() for value in values
    )


def values_in(data: Any) -> Iterator[Any]:
    yield data
    for _, value in keyed_values(data):
        yield from values_in(value)


def assert_gates_stay(old: dict[str, Any], new: dict[str, Any]) -> None:
    before = old["requires"] if isinstance(old.get("requires"), dict) else {}
    after = new.get("requires") or {}
    for gate in ("network", "secrets", "tools"):
        stated = before.get(gate) or []
        assert list(after.get(gate) or [])[: len(stated)] == stated
    network = old.get("network")
    said = network if isinstance(network, dict) else {"egress": network}
    egress = said.get("egress")
    hosts = []
    if isinstance(egress, list):
        hosts = [host for host in egress if isinstance(host, str) and host]
    asked = after.get("network") or []
    assert set(hosts) <= set(asked)
    nothing = egress is None or egress is False or egress == hosts or egress in asked
    assert "*" in asked or (nothing and said.keys() <= {"egress", "ingress"})
    secrets = old.get("secrets")
    parts = secrets if isinstance(secrets, list) else [secrets]
    names = {name for part in parts for name in names_in(part)}
    assert names <= set(after.get("secrets") or [])


SLUGS = {
    "STAMP_API_KEY": "stamp-api-key",
    "vault:post/gate": "post/gate",
    "MAIL_KEY": "mail-key",
    "POST_API_KEY": "post-api-key",
    "vault:gate": "gate",
    "oauth:github": "oauth-github",
}


def names_in(part: Any) -> Iterator[str]:
    """The slugs that a part of a generated `secrets` stands for."""
    if isinstance(part, str):
        yield SLUGS.get(part, part)
    elif part is True:
        yield "*"
    elif isinstance(part, dict) and "slug" in part:
        yield part["slug"]
    elif isinstance(part, dict):
        yield from (bound["vault"] for bound in part.values() if isinstance(bound, dict) and "vault" in bound)


@accepted
def test_the_laws_hold_for_the_examples(case: Path) -> None:
    laws(record_of((case / "TOOL.md").read_bytes()), kind_of(case))


_HOST = st.sampled_from(["a.example", "b.example:80", "*", "localhost", "10.0.0.1", "full", "none", "", "*.example"])
_HOSTS = st.one_of(st.lists(_HOST | st.integers(), max_size=3), _HOST, st.none(), st.booleans(), st.just(7))
_NETWORK = _HOSTS | st.dictionaries(st.sampled_from(["egress", "ingress", "allow"]), _HOSTS, max_size=2)
_SLUG = st.sampled_from(["mail-key", "post/gate", "key", "a1", "governance-key"])
_VARIABLE = st.sampled_from(["MAIL_KEY", "A", "POST_API_KEY", "X__Y", "TOKEN_"])
_SOURCE = st.one_of(
    _SLUG.map(lambda slug: {"vault": slug}),
    st.sampled_from(["github", "Example-Mail", "x.y"]).map(lambda name: {"oauth": name}),
    st.sampled_from(["north", "", "on"]).map(lambda value: {"value": value}),
    _SLUG, st.none(), st.just(True), st.sampled_from(["vault:mail-key", "oauth:github"]),
)  # fmt: skip
_NAMED = st.sampled_from(sorted(SLUGS))
_SECRET = st.one_of(
    _SLUG, _NAMED, st.dictionaries(_VARIABLE, _SOURCE, max_size=3),
    st.builds(lambda slug, more: {"slug": slug, **more}, _SLUG, strategies.optional(description=strategies.TEXT)),
)  # fmt: skip
_SECRETS = st.one_of(st.lists(_SECRET, max_size=4), _SECRET, st.none(), st.booleans(), st.just("*"))
_CODE = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["./run.sh", "lib/x", "echo ${secrets.KEY}", "日本"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["path", "inline", "env"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_OLD = strategies.optional(code=_CODE, run=_CODE, runner=_CODE, secrets=_SECRETS, network=_NETWORK, entry=_CODE,
    model=st.just("gpt-4"), streaming=st.booleans())  # fmt: skip
_TODAY = strategies.optional(
    name=strategies.TEXT, schema=st.just("agentproto/tool/v1"),
    mutates=st.lists(st.sampled_from(["external:mail", "fs:x"]), max_size=2),
    requires=strategies.optional(
        network=st.lists(_HOST, max_size=2), secrets=st.lists(_SLUG, max_size=2), tools=st.lists(_SLUG, max_size=2)
    ) | st.none(),
    approval=st.sampled_from(["auto", "always", "on-mutate", "policy:x", None, "whatever", 3]),
    risk_level=st.sampled_from([0, 1, 2, 3, 2.0, "high"]), idempotent=st.booleans(),
    inputs=strategies.object_schema(), outputs=strategies.object_schema(),
    default_implementation=st.sampled_from(["counter", None]),
    metadata=st.sampled_from([None, {"a": 1}, {"contextSchema": {}}, [1], "x", 5]),
    contextSchema=st.just({"type": "object"}) | st.just("x"), inputsFiles=st.just({"a": {"path": "b"}}),
    riskLevel=st.sampled_from([0, 3]), costClass=st.just("metered"), default_provider=st.just("counter"),
    default_driver=st.just("counter"), inputSchema=st.just({"type": "object"}),
)  # fmt: skip


@st.composite
def documents(draw: st.DrawFn, old: st.SearchStrategy[dict[str, Any]] = _OLD) -> dict[str, Any]:
    head = {
        "id": draw(st.sampled_from(["a.b", "a_b", "x1", "0" * 80, "a" + ".-" * 39, "run"])),
        "description": draw(strategies.DESCRIPTION),
        "version": draw(st.sampled_from(["1.0.0", "0.2.0-rc.1", "1.0.0 beta!", "1.2.3+7", "10.0.0.4"])),
    }
    entries = [*head.items(), *draw(_TODAY).items(), *draw(old).items()]
    return dict(draw(st.permutations(entries)))


several = settings(max_examples=4 * settings().max_examples)
_REFUSALS = ("two-spellings", "literal-secret", "two-secrets", "schema")


@several
@example({"id": "a.b", "description": "list", "version": "1.0.0", "secrets": [{}]}, "cli")
@given(documents(), st.sampled_from(keys.KINDS))
def test_the_laws_hold_for_generated_documents(data: dict[str, Any], kind: str) -> None:
    if canonical.is_valid(data, "aip14/reading"):
        try:
            laws(Record(data, ""), kind)
        except (ReadError, UnsaidError) as error:
            if error.code not in (*_REFUSALS, "other-kind"):
                raise


_MIXED = st.recursive(
    strategies.JSON,
    lambda inner: st.dictionaries(st.sampled_from(["slug", "vault", "value", "A_KEY", "egress"]), inner, max_size=3),
)
_WILD = st.dictionaries(st.sampled_from(["code", "run", "runner", "secrets", "network", "entry"]), _MIXED)


@several
@given(documents(_WILD), st.sampled_from([None, *keys.KINDS]))
def test_whatever_stands_there_is_moved_or_refused(data: dict[str, Any], kind: str | None) -> None:
    if canonical.is_valid(data, "aip14/reading"):
        try:
            result = migrate(Record(data, ""), kind)
        except (ReadError, UnsaidError):
            return
        for item in result.companions:
            assert not [*find_problems(item.data, f"aip14/{item.name.removesuffix('.md').lower()}")]


@several
@given(strategies.RECORDS["aip14"])
def test_a_valid_document_is_left_alone(record: Record) -> None:
    assert canonical.is_valid(record.data, "aip14/v1")
    # What changes something and has no risk is valid, and contradicts itself.
    assume(not (record.data.get("mutates") and record.data.get("risk_level") == 0))
    assert migrate(record) == MigratedRecord(record.data)


@for_each("path", sorted((FIXTURES / "identity" / "aip14").iterdir()), ids=lambda path: path.name)
def test_the_documents_of_law_1_are_left_alone(path: Path) -> None:
    record = record_of(path.read_bytes())
    assert migrate(record) == MigratedRecord(record.data)


@for_each("path", sorted((FIXTURES / "tolerated" / "aip14").glob("*.md")), ids=lambda path: path.name)
def test_what_is_tolerated_obeys_the_laws(path: Path) -> None:
    laws(record_of(path.read_bytes()), None)


# -- details ------------------------------------------------------------------------------------------------------

WEIGH = {"id": "weigh", "name": "Weigh", "description": "d", "version": "1.0.0", "inputs": {}, "outputs": {}}


def test_every_key_from_before_has_a_new_home() -> None:
    assert {*keys.LEGACY, *keys.DRIVER_KEYS} == {*migrated_driver._MOVES, "execute"}


def test_the_kinds_are_those_of_the_schema() -> None:
    assert list(keys.KINDS) == canonical.load("aip14/driver")["properties"]["kind"]["enum"]


def test_a_secret_is_found_before_a_kind_is_asked_for() -> None:
    with pytest.raises(ReadError) as caught:
        migrate(Record({**WEIGH, "run": {"env": {"API_KEY": "sesame"}}}))
    assert (caught.value.code, caught.value.pointer) == ("literal-secret", "/run/env/API_KEY")


def test_a_kind_is_checked_only_where_it_is_needed() -> None:
    assert migrate(Record(WEIGH), "docker") == MigratedRecord(WEIGH)
    with pytest.raises(UsageError, match="cli, http, mcp, sdk, builtin"):
        migrate(Record({**WEIGH, "run": "x"}), "docker")


@pytest.mark.parametrize("metadata", [[1], "x", 5, True])
def test_a_reader_takes_a_context_beside_odd_metadata(metadata: Any) -> None:
    data = {**WEIGH, "metadata": metadata, "contextSchema": {"type": "object"}}
    assert AIP14.read(Record(data, "")).context is None
    assert migrate(Record(data, "")).data == data


def test_what_stands_in_both_places_stays_in_both() -> None:
    data = {**WEIGH, "contextSchema": {"type": "object"}, "metadata": {"contextSchema": {}}}
    assert migrate(Record(data, "")).data == data


def test_the_present_spelling_keeps_its_place() -> None:
    result = migrate(Record({"riskLevel": 2, **WEIGH, "risk_level": 2, "default_driver": "a", "default_provider": "a"}))
    assert list(result.data) == [*WEIGH, "risk_level", "default_implementation"]
    assert result.new_keys == {"/default_driver": "default_implementation"}


def test_true_is_not_one() -> None:
    with pytest.raises(ReadError, match="riskLevel and risk_level say different things"):
        migrate(Record({**WEIGH, "riskLevel": True, "risk_level": 1}))


@for_each(
    ("value", "expected"),
    [
        ("ghp_0123456789abcdef", ""),
        ({"a": [{"token": "x"}]}, "/a/0/token"),
        ({"a/b": {"password": 1234}}, "/a~1b/password"),
        ({"ghp_0123456789abcdef": 1}, ""),
        ({"token": "${secrets.X}", "api_key": "MAIL_KEY", "secret": True, "password": "", "apikey": None}, None),
        ("psql postgres://me:${PASSWORD}@db.example", None),
        ("psql postgres://me:sesame@db.example", ""),
        ("sort --key=2 | TOKEN=$TOKEN ./x", None),
        ("mail --token a1b2c3d4", ""),
        ({"keyboard": "x", "tokenizer": "y"}, None),
    ],
)
def test_what_is_taken_for_a_secret(value: Any, expected: str | None) -> None:
    assert find_secret(value) == expected


def test_looking_for_secrets_is_linear() -> None:
    for hostile in (
        "a" * 600_000,
        "-----BEGIN " + "A " * 150_000,
        "TOKEN=" * 100_000,
        "://a:" * 100_000,
        "a1" * 300_000,
    ):
        assert find_secret({"code": hostile}) is None


# -- real documents -------------------------------------------------------------------------------------------------


def real() -> list[Path]:
    return [path for path in corpus.files("aip14") if path.name.endswith("TOOL.md")]


@for_each("path", real(), ids=lambda path: path.name)
def test_a_real_document_becomes_one_that_a_strict_check_accepts(path: Path) -> None:
    try:
        record = record_of(path.read_bytes())
    except Error:
        return  # prose, or a document that is wrong on purpose
    if not canonical.is_valid(record.data, "aip14/reading"):
        return
    result = laws(record, "sdk")
    content = pipeline.migrate(path, kind="sdk").text
    assert are_equal(document_reader.load(content).data, result.data)
    complaints = {found.code for found in toolglot.check(content, warnings_as_errors=True, ignore=OF_THE_AUTHOR)}
    assert not complaints


def test_the_real_documents_hold_old_ones() -> None:
    changed = [path for path in real() if b"\nentry:" in path.read_bytes() or b"\nriskLevel:" in path.read_bytes()]
    assert len(changed) >= 2


def test_many_secrets_take_their_comments_along_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where everything stands was found out anew for each of them: 10,000 would have taken hours."""
    trees: list[object] = []
    read_tree = syntax_tree.read_tree

    def counted_read(document: document_reader.Document) -> syntax_tree.Tree:
        trees.append(document)
        return read_tree(document)

    monkeypatch.setattr(syntax_tree, "read_tree", counted_read)
    text = (FIXTURES / "migrate" / "aip14" / "inventory" / "TOOL.md").read_text("utf-8")
    secrets = "".join(f"  # why {index}\n  - slug: key-{index}\n" for index in range(50))
    found = pipeline.migrate(text.replace("secrets:\n", f"secrets:\n{secrets}"), kind="cli")
    assert dict(found.files)["SECRETS.md"].decode().count("# why") == 50
    assert len(trees) < 20


@pytest.mark.beside("upstream")
def test_what_migrate_writes_is_valid_upstream() -> None:
    """A tool with every key that was never a tool's, and a binding that is no secret."""
    moving = {"secrets": {"PAY_KEY": {"vault": "pay-key"}, "REGION": {"value": "eu"}}, "entry": "pay.js"}
    result = migrate(Record({**WEIGH, **moving, **dict.fromkeys(keys.DRIVER_KEYS, "x")}), "http")
    files = {"TOOL.md": result.data, **{item.name: item.data for item in result.companions}}
    assert sorted(files) == ["DRIVER.md", "SECRETS.md", "TOOL.md"]
    for name, data in files.items():
        assert upstream(name.removesuffix(".md")).is_valid(data), name
    texts = " ".join(note.message for note in result.notes)
    assert "REGION" in texts


def test_a_driver_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    tool, driver = tmp_path / ".tools" / "quote" / "TOOL.md", tmp_path / ".drivers" / "http" / "DRIVER.md"
    for path, text in (
        (tool, "name: Q\nid: quote\ndescription: A quote.\nversion: 1.0.0\ndefault_implementation: quote-http\nrun: q"),
        (driver, "id: quote-http\nkind: http\nimplements: [{tool: quote}]"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(f"---\n{text}\n---\n", "utf-8")
    with pytest.raises(UnsaidError, match=r"DRIVER\.md is the driver quote-http already; say there how") as refusal:
        toolglot.migrate(tool, kind="cli")
    assert (refusal.value.code, refusal.value.pointer) == ("driver-exists", "/default_implementation")
    driver.unlink()
    assert [name for name, _ in toolglot.migrate(tool, kind="cli").files] == ["", "DRIVER.md"]
