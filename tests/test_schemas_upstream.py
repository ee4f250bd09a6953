"""Our schemas against the ones the formats publish: the same document, the same verdict.

Upstream patterns are read as ECMA-262, as JSON Schema asks (jsonschema-rs does, Python's `re` does not).
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import jsonschema
import jsonschema_rs
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_specifications import REGISTRY as METASCHEMAS
from referencing import Registry, Resource

from golden import ACCEPT
from rows import THOROUGH, for_each, sample
from toolglot.converter.text.pointers import keyed_values

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
SHARED = Path(__file__).resolve().parents[2] / "shared"
BASE = "/schemas/"
META = "https://json-schema.org/draft/2020-12/schema"
FORMATS = ("aip14", "atdf", "atip", "tool-descriptor")

needs_upstream = pytest.mark.beside("upstream")
needs_corpus = pytest.mark.beside("corpus")
RECORDED = Path(__file__).resolve().parents[1] / "fixtures" / "verdicts"


class Deliberate(NamedTuple):
    """A difference we want: where `differs` holds, upstream is asked about what `without` leaves."""

    format: str
    differs: Callable[[Any], bool]
    without: Callable[[Any], Any]
    reason: str
    witness: dict[str, Any]


TOOL = {"name": "Put", "id": "put", "description": "Puts.", "version": "1.0.0", "inputs": {}, "outputs": {}}


def implements_something(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("implements", False), str | dict | None)


RECORD = {
    "tool_id": "weigh",
    "description": "Weighs.",
    "when_to_use": "Before.",
    "how_to_use": {"inputs": [], "outputs": {"success": "The weight.", "failure": []}},
}


def examples_in(document: Any) -> list[dict[str, Any]]:
    examples = document.get("examples") if isinstance(document, dict) else None
    return [one for one in examples if isinstance(one, dict)] if isinstance(examples, list) else []


def in_words_of_the_schema(document: Any) -> Any:
    """A record whose examples have the words of the schema beside those of the text."""
    copied = copy.deepcopy(document)
    for example in examples_in(copied):
        words = {"goal": example.get("title"), "input_values": example.get("inputs")}
        words["expected_result"] = "" if "expected_output" in example else None
        for key, value in words.items():
            if value is not None:
                example.setdefault(key, value)
    return copied


def names_no_commands(document: Any) -> bool:
    chosen = document.get("filter") if isinstance(document, dict) else None
    return isinstance(chosen, dict) and chosen.get("commands", "") is None


def without_commands_of_filter(document: Any) -> Any:
    return {**document, "filter": {key: value for key, value in document["filter"].items() if key != "commands"}}


PART = {"name": "t", "version": "1", "description": "T.", "commands": {}, "filter": {"commands": None, "depth": 1}}
DELIBERATE = [
    *(
        Deliberate(
            f"atip/{version}",
            names_no_commands,
            without_commands_of_filter,
            "the text of ATIP has null for what was not asked for; the upstream schema has it for the depth alone",
            {**PART, "atip": {"version": version}},
        )
        for version in ("0.4", "0.5", "0.6")
    ),
    Deliberate(
        "atdf/0.2",
        lambda document: any({"title", "inputs", "expected_output"} & one.keys() for one in examples_in(document)),
        in_words_of_the_schema,
        "the ATDF text calls the parts of an example so; the upstream schema knows its own words alone",
        {**RECORD, "examples": [{"title": "One", "inputs": {}, "expected_output": {"grams": 3}}]},
    ),
    Deliberate(
        "aip14/v1",
        implements_something,
        lambda document: {k: v for k, v in document.items() if k != "implements"},
        "the AIP-14 text has `implements` (string, object or null); the upstream schema does not know it",
        {**TOOL, "implements": "storage:commit"},
    ),
    Deliberate(
        "aip14/v1",
        lambda document: (
            isinstance(document, dict) and document.get("schema") in ("agentproto/tool/v1", "agenttool/v1")
        ),
        lambda document: {k: v for k, v in document.items() if k != "schema"},
        "the reference tooling writes such a line into every file; the upstream schema does not know it",
        {**TOOL, "schema": "agenttool/v1"},
    ),
]

# our schema: the upstream file, the corpus folder. 0.5 has no upstream file and is cut out of the one of 0.6
PAIRS = {
    "atip/0.4": ("atip/atip-0.4.schema.json", "atip"),
    "atip/0.5": ("atip/atip-0.6.schema.json", "atip"),
    "atip/0.6": ("atip/atip-0.6.schema.json", "atip"),
    "atdf/0.1": ("atdf/atdf_schema.json", "atdf"),
    "atdf/0.2": ("atdf/enhanced_atdf_schema.json", "atdf"),
    "aip14/v1": ("aip/TOOL.schema.json", "aip14"),
    "aip14/driver": ("aip/DRIVER.schema.json", "aip14"),
    "aip14/secrets": ("aip/SECRETS.schema.json", "aip14"),
    "aip14/action": ("aip/ACTION.schema.json", "aip14"),
    "aip14/io#/$defs/inputs": ("aip/IO.schema.json", "aip14"),
    "aip14/io#/$defs/outputs": ("aip/IO.schema.json", "aip14"),
    "aip14/io#/$defs/inputsFiles": ("aip/IO.schema.json", "aip14"),
    "aip14/io#/$defs/outputsFiles": ("aip/IO.schema.json", "aip14"),
    "aip14/io#/$defs/reservedFsRootField": ("aip/IO.schema.json", "aip14"),
    "tool-descriptor/v1": ("tool-descriptor/tool-descriptor.schema.json", "openwop"),
}


# ---------------------------------------------------------------------------------------------- the schemas


@cache
def ours() -> dict[str, dict[str, Any]]:
    """Our schemas by `<format>/<version>`."""
    found = {}
    for path in sorted(p for f in FORMATS for p in (SCHEMAS / f).glob("*.schema.json")):
        name = f"{path.parent.name}/{path.name.removesuffix('.schema.json')}"
        found[name] = json.loads(path.read_text("utf-8"))
    return found


NAMES = sorted(ours())
WHOLE = [name for name in NAMES if name not in ("atip/parts", "aip14/io")]
BESIDE = (
    "aip14/driver",
    "aip14/secrets",
    "aip14/action",
    "tool-descriptor/sessions",
)  # of files beside a description; no reader reads them


@cache
def upstream() -> dict[str, dict[str, Any]]:
    """The upstream schemas by the name of ours."""
    found = {}
    for name, (file, _) in PAIRS.items():
        schema = json.loads((SHARED / "upstream" / file).read_text("utf-8"))
        if name == "atip/0.5":
            schema = json.loads(json.dumps(schema).replace("^0\\\\.[1-6]$", "^0\\\\.[1-5]$"))
            del schema["properties"]["binary"]
            schema["properties"]["atip"]["oneOf"][1]["properties"]["features"]["items"]["enum"].remove(
                "content-addressable"
            )
        found[name] = schema
    return found


def resources(schemas: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    pairs = {schema["$id"]: schema for schema in schemas.values() if "$id" in schema}
    for uri in list(pairs):  # upstream's IO schema is referred to by another address than its own
        if uri.endswith("agentproto.sh/schemas/aip-16/IO.schema.json"):
            pairs[uri.replace("/schemas/", "/docs/")] = pairs[uri]
    return list(pairs.items())


def rust(schema: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> Any:
    registry = jsonschema_rs.Registry(resources(schemas))
    return jsonschema_rs.validator_for(schema, registry=registry, validate_formats=False)


def at(schemas: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """The schema of that name, or one that refers to a part of it."""
    file, _, part = name.partition("#")
    schema = schemas[name] if name in schemas else schemas[file]
    return {"$schema": META, "$id": BASE + "part", "$ref": f"{schema['$id']}#{part}"} if part else schema


@cache
def our_verdict(name: str) -> Any:
    return rust(at(ours(), name), ours())


@cache
def upstream_verdict(name: str) -> Any:
    return rust(at(upstream(), name), upstream())


@cache
def python_verdict(name: str) -> jsonschema.Draft202012Validator:
    registry: Registry[Any] = METASCHEMAS.with_resources(
        (uri, Resource.from_contents(schema)) for uri, schema in resources(ours())
    )
    return jsonschema.Draft202012Validator(at(ours(), name), registry=registry)


# -------------------------------------------------------------------------------------------- the documents

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def front_matters(text: str) -> Iterator[Any]:
    """The front matter of a file, or of each Markdown block in it."""
    for block in [text, *re.findall(r"^```\w*\n(---\n.*?)^```", text, re.MULTILINE | re.DOTALL)]:
        if found := re.match(r"\ufeff?---\r?\n(.*?)\n---", block, re.DOTALL):
            yield yaml.load(found[1], _LOADER)


def parsed(path: Path) -> Iterator[Any]:
    """What stands in a file; the tools of a list are given one by one too."""
    text = path.read_text("utf-8-sig", errors="replace")
    if path.suffix == ".md":
        values = list(front_matters(text))
    elif path.suffix in (".yaml", ".yml"):
        values = [yaml.load(text, _LOADER)]
    else:
        values = [json.loads(text)]
    for value in values:
        value = json.loads(json.dumps(value, default=str))  # dates become text
        yield value
        inside = value.get("tools") if isinstance(value, dict) else value
        if isinstance(inside, list):
            yield from inside


@cache
def documents(folder: str) -> list[Any]:
    """Every document of the corpus folder and of the upstream examples that parses."""
    here = {"openwop": "tool-descriptor", "aip14": "aip"}.get(folder, folder)
    found: list[Any] = []
    for path in sorted([*(SHARED / "corpus" / folder).rglob("*"), *(SHARED / "upstream" / here).rglob("*")]):
        if path.is_file():
            try:
                found += parsed(path)
            except (ValueError, yaml.YAMLError):
                continue
    return found


LEFT_OUT = {
    "$ref",
    "$id",
    "$schema",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "format",
    "default",
}


def inlined(schema: Any, known: dict[str, Any], root: dict[str, Any], path: tuple[str, ...] = ()) -> Any:
    """The schema without references and annotations. A recursion ends after two rounds."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "patternProperties"):
            out[key] = {name: inlined(v, known, root, path) for name, v in value.items()}
        elif key in ("oneOf", "anyOf", "allOf"):
            out[key] = [inlined(v, known, root, path) for v in value]
        elif key in ("items", "additionalProperties", "propertyNames", "not", "if", "then"):
            out[key] = inlined(value, known, root, path)
        elif key not in LEFT_OUT:
            out[key] = value
    if "$ref" not in schema or schema["$ref"] == META:
        return out
    uri, _, pointer = schema["$ref"].partition("#")
    if uri:
        root = known[urljoin(root["$id"], uri)]
    target = f"{root.get('$id')}#{pointer}"
    if path.count(target) > 1:
        return False
    value = root
    for step in pointer.split("/")[1:]:
        value = value[step]
    return merged(inlined(value, known, root, (*path, target)), out)


def merged(left: Any, right: Any) -> Any:
    if isinstance(left, dict) and isinstance(right, dict):
        shared = {key: merged(left[key], right[key]) for key in left if key in right}
        return {**left, **right, **shared}
    if isinstance(left, list) and isinstance(right, list):
        return left + [v for v in right if v not in left]
    return right


SAMPLES = ["ab", "0.3", "1-5s", "60s", "-x", "A_B", "sha256:" + "a" * 64, "linux-amd64", "x:y", "policy:a"]
SAMPLES += ["1.0.0", "es", "pt-BR", "EUR", "PT5M", "P7Y", "cap://a", ""]


def fullest(schema: Any, turn: int = 0) -> Any:
    """A document with every field the schema names; `turn` picks among the alternatives."""
    schema = {} if schema is True else schema
    for key in ("oneOf", "anyOf"):
        if key in schema:
            chosen = schema[key][turn % len(schema[key])]
            others = {name for branch in schema[key] for name in branch.get("required", ())}
            schema = merged({k: v for k, v in schema.items() if k != key}, chosen)
            unwanted = others.difference(chosen.get("required", ()))
            schema["properties"] = {k: v for k, v in schema.get("properties", {}).items() if k not in unwanted}
    if "enum" in schema:
        return schema["enum"][turn % len(schema["enum"])]
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[turn % len(kind)] if isinstance(kind, list) else kind
    if kind == "object":
        out = {k: fullest(v, turn) for k, v in schema.get("properties", {}).items() if v is not False}
        for pattern, value in schema.get("patternProperties", {}).items():
            out |= {k: fullest(value, turn) for k in SAMPLES if re.search(pattern, k)}
        if isinstance(schema.get("additionalProperties"), dict):
            out |= {k: fullest(schema["additionalProperties"], turn) for k in [("", "run")[turn % 2]]}
        return out
    if kind == "array":
        return [] if schema.get("maxItems") == 0 else [fullest(schema.get("items", {}), turn)]
    if kind == "string":
        return next(s for s in SAMPLES if re.search(schema.get("pattern", ""), s))
    return {"boolean": True, "integer": schema.get("minimum", 3), "number": 0.5, "null": None}[kind]


def generated(schema: Any) -> st.SearchStrategy[Any]:
    """Documents that the schema accepts, mostly."""
    if not isinstance(schema, dict) or not schema.keys() - {"not"}:
        return st.sampled_from(WRONG)
    for key in ("oneOf", "anyOf"):
        if key in schema:
            rest = {k: v for k, v in schema.items() if k != key}
            return st.one_of([generated(merged(rest, branch)) for branch in schema[key]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        return st.one_of([generated({**schema, "type": k}) for k in kind])
    if kind == "object":
        fields = {k: generated(v) for k, v in schema.get("properties", {}).items() if v is not False}
        must = {k: fields.pop(k) for k in schema.get("required", ()) if k in fields}
        named = st.fixed_dictionaries(must, optional=fields)
        more = {"": schema.get("additionalProperties", True), **schema.get("patternProperties", {})}
        if "propertyNames" in schema:
            more = {}
        keys = {pattern: st.from_regex(pattern) if pattern else st.sampled_from(["", "run", "x-a"]) for pattern in more}
        others = [st.dictionaries(keys[p], generated(v), max_size=2) for p, v in more.items() if v is not False]
        return st.tuples(*others, named).map(lambda parts: {k: v for part in parts for k, v in part.items()})
    if kind == "array":
        return st.lists(generated(schema.get("items", True)), max_size=min(2, schema.get("maxItems", 2)))
    if kind == "string":
        if "pattern" in schema:
            return st.from_regex(schema["pattern"])
        longest = schema.get("maxLength", 3)
        return st.text(max_size=4) | st.sampled_from([n * "é" for n in (0, 1, longest, longest + 1)])
    if kind == "integer":
        return st.integers(schema.get("minimum", 0) - 1, schema.get("maximum", 99) + 1)
    return {"boolean": st.booleans(), "number": st.just(0.5), "null": st.none()}[kind]


WRONG: list[Any] = [None, True, 0, 7, -1, 1.0, 1.5, "", "x", "a b", "é", "0.2", "5s"]
WRONG += [[], ["x"], ["x", "x"], [1], {}, {"x": 1}, {"name": "x"}]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in the value with every key or index in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def neighbours(document: Any, edges: Sequence[Any] = ()) -> Iterator[Any]:
    """The document with one thing changed, in every place and in every way.

    It is changed in place and put right again: use each one before asking for the next, or copy it.
    """
    yield from [document, *WRONG]
    for holder, key in list(places(document)):
        old = holder[key]
        near: list[Any] = [] if isinstance(old, dict | list) else [*edges]
        near += [old + "\n", old + "!", old.upper()] if isinstance(old, str) else []
        near += [old * 2] if isinstance(old, list) else []
        for change in [*WRONG, [old], *near]:
            holder[key] = change
            yield document
        if isinstance(old, dict):
            holder[key] = {**old, "unheard_of": 1}
            yield document
        holder[key] = old
        if isinstance(holder, dict):
            del holder[key]
            yield document
            holder[key] = old
    if isinstance(document, dict):
        yield {**document, "unheard_of": 1}


def mutated(document: Any, rng: random.Random, words: Sequence[str] = ()) -> Any:
    """A copy with one to three things changed at random."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        spots = list(places(document))
        if not spots:
            break
        holder, key = rng.choice(spots)
        old = holder[key]
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1:
                holder[key] = copy.deepcopy(rng.choice([*WRONG, *words]))
            case 2 if isinstance(old, dict):
                old[rng.choice(["unheard_of", "x-a", "_b", *words])] = copy.deepcopy(rng.choice(WRONG))
            case 3 if isinstance(old, str):
                holder[key] = ""
            case 4 if isinstance(old, str):
                holder[key] = old + rng.choice(["!", "\n", " ", "x" * 2001])
            case _:
                holder[key] = copy.deepcopy(rng.choice(spots)[0])
    return document


def words_of(schema: Any) -> set[str]:
    """The names of the fields and the texts that are allowed."""
    if isinstance(schema, list):
        return set().union(*map(words_of, schema))
    if not isinstance(schema, dict):
        return set()
    own = [*schema.get("properties", ()), *(v for v in schema.get("enum", ()) if isinstance(v, str))]
    return set(own).union(*map(words_of, schema.values()))


def edges_of(schema: Any) -> list[Any]:
    """The values that are allowed, and those on both sides of every bound."""
    found: list[Any] = []
    for _, value in keyed_values(schema):
        found += edges_of(value)
    if isinstance(schema, dict):
        found += schema["enum"] if isinstance(schema.get("enum"), list) else []
        found += [schema["const"]] if isinstance(schema.get("const"), str) else []
        for key in ("minimum", "maximum"):
            found += [schema[key] + n for n in (-1, 0, 1) if isinstance(schema.get(key), int)]
        for key in ("minLength", "maxLength"):
            found += ["x" * (schema[key] + n) for n in (-1, 0, 1) if isinstance(schema.get(key), int)]
    return [value for index, value in enumerate(found) if value not in found[:index]]


@cache
def full_documents(name: str) -> list[Any]:
    schema = at(ours(), name)
    whole = inlined(schema, dict(resources(ours())), schema)
    return [fullest(whole, turn) for turn in range(3)]


def without_differences(name: str, document: Any) -> Any:
    """What upstream is asked about: the document without what we mean to take and upstream does not."""
    for difference in DELIBERATE:
        if difference.format == name and difference.differs(document):
            document = difference.without(document)
    return document


def differ(name: str, candidates: Iterable[Any]) -> list[str]:
    """The documents on which we and upstream disagree without meaning to."""

    def verdicts(document: Any) -> tuple[bool, bool]:
        return our_verdict(name).is_valid(document), upstream_verdict(name).is_valid(
            without_differences(name, document)
        )

    found = ((verdicts(document), document) for document in candidates)
    return [f"ours {a}, upstream {b}: {json.dumps(doc)[:500]}" for (a, b), doc in found if a != b]


# ---------------------------------------------------------------------------------------- same as upstream


def path_of(name: str) -> Path:
    return RECORDED / (re.sub("[^a-z0-9.]+", "-", name, flags=re.IGNORECASE) + ".json")


def samples_of(name: str) -> dict[str, list[Any]]:
    """Documents of ours for the record, with what upstream says of them: as many refused as accepted, if there are."""
    kinds: dict[str, list[Any]] = {"accepted": [], "refused": []}
    texts = set()
    for document in full_documents(name):
        for near in neighbours(copy.deepcopy(document), edges_of(ours()[name.partition("#")[0]])):
            text = json.dumps(without_differences(name, near))
            if len(text) < 2000 and text not in texts:
                texts.add(text)
                verdict = "accepted" if upstream_verdict(name).is_valid(json.loads(text)) else "refused"
                kinds[verdict].append(json.loads(text))
    rng = random.Random(14)
    return {kind: rng.sample(found, min(12, len(found))) for kind, found in kinds.items()}


@pytest.mark.golden
@for_each("name", PAIRS)
def test_same_verdict_as_was_recorded(name: str) -> None:
    """What upstream said of documents of ours; it stands in where the upstream files are absent."""
    if ACCEPT and (SHARED / "upstream").is_dir():
        path_of(name).write_text(json.dumps(samples_of(name), ensure_ascii=False, indent=1) + "\n", "utf-8")
    recorded = json.loads(path_of(name).read_text("utf-8"))
    assert recorded["accepted"] or recorded["refused"]
    for kind, documents in recorded.items():
        wrong = [document for document in documents if our_verdict(name).is_valid(document) != (kind == "accepted")]
        assert not wrong, f"{kind} by upstream: {json.dumps(wrong[0])[:500]}"


@needs_upstream
@for_each("name", PAIRS)
def test_the_record_says_what_upstream_says(name: str) -> None:
    for kind, documents in json.loads(path_of(name).read_text("utf-8")).items():
        assert all(upstream_verdict(name).is_valid(document) == (kind == "accepted") for document in documents)


@needs_upstream
@needs_corpus
@for_each("name", PAIRS)
def test_same_verdict_on_real_documents(name: str) -> None:
    candidates = documents(PAIRS[name][1])
    assert len(candidates) > 10
    assert not differ(name, candidates)


@needs_upstream
@for_each("name", PAIRS)
def test_same_verdict_on_every_change_to_a_full_document(name: str) -> None:
    verdict = our_verdict(name)
    assert any(map(verdict.is_valid, full_documents(name)))
    edges = edges_of(upstream()[name])
    for document in sample(full_documents(name), 9, [*PAIRS].index(name)):
        assert not differ(name, neighbours(copy.deepcopy(document), edges))


@needs_upstream
@needs_corpus
@for_each("name", PAIRS)
def test_same_verdict_on_mutations(name: str) -> None:
    rng = random.Random(14)
    verdict = our_verdict(name)
    seeds = [d for d in documents(PAIRS[name][1]) if verdict.is_valid(d) and len(json.dumps(d)) < 20_000]
    seeds += full_documents(name)
    words = sorted(words_of(upstream()[name]))
    mutants = [mutated(rng.choice(seeds), rng, words) for _ in range(500 if THOROUGH else 60)]
    accepted = sum(map(verdict.is_valid, mutants))
    assert accepted > 0  # else the mutations test nothing
    assert accepted < len(mutants) or name.startswith("aip14/io#")
    assert not differ(name, mutants)


@needs_upstream
def test_same_verdict_on_generated_documents() -> None:
    accepted = refused = 0

    def compare(name: str, schemas: dict[str, dict[str, Any]]) -> None:
        @given(generated(inlined(schemas[name], dict(resources(schemas)), schemas[name])), st.integers(0, 1000))
        def check(document: Any, seed: int) -> None:
            nonlocal accepted, refused
            is_valid = our_verdict(name).is_valid(document)
            accepted += is_valid
            refused += not is_valid
            assert not differ(name, [document, mutated(document, random.Random(seed))]), name

        check()

    names = [name for name in PAIRS if "#" not in name and name != "aip14/driver"]
    for number, name in enumerate(names):
        for schemas in sample([ours(), upstream()], 2, number):
            compare(name, schemas)
    assert accepted > 5  # of all pairs together; which documents are drawn for one of them is chance
    assert refused > 5


@needs_upstream
@pytest.mark.parametrize("difference", DELIBERATE, ids=lambda d: d.format)
def test_a_deliberate_difference_is_still_one(difference: Deliberate) -> None:
    assert difference.reason
    assert difference.differs(difference.witness)
    assert our_verdict(difference.format).is_valid(difference.witness)
    assert not upstream_verdict(difference.format).is_valid(difference.witness)


@needs_upstream
def test_no_pattern_lets_a_final_line_feed_pass() -> None:
    """Python's `$` does, so upstream's schema under Python accepts an identifier that ends the line."""
    document = {**TOOL, "id": "put\n"}
    io: Resource[Any] = Resource.from_contents(upstream()["aip14/io#/$defs/inputs"])
    uris = ("https://agentproto.sh/docs/aip-16/IO.schema.json", io.id() or "")
    registry: Registry[Any] = METASCHEMAS.with_resources((uri, io) for uri in uris)
    assert jsonschema.Draft202012Validator(upstream()["aip14/v1"], registry=registry).is_valid(document)
    assert not python_verdict("aip14/v1").is_valid(document)
    assert not our_verdict("aip14/v1").is_valid(document)


@needs_upstream
def test_aip14_changes_without_approval_are_refused() -> None:
    document = {**TOOL, "mutates": ["storage:*"]}
    assert not our_verdict("aip14/v1").is_valid(document)
    assert not upstream_verdict("aip14/v1").is_valid(document)
    assert our_verdict("aip14/v1").is_valid({**document, "approval": "on-mutate"})


@needs_upstream
def test_atip_0_3_accepts_what_upstream_0_4_accepts_under_an_early_version() -> None:
    known = [*documents("atip"), *full_documents("atip/0.4")]
    early = [{**d, "atip": "0.3"} for d in known if isinstance(d, dict)]
    changed = islice(neighbours(copy.deepcopy(early[-1])), 0, None, 1 if THOROUGH else 3)
    versions = ("0.1", "0.2", "0.3")
    accepted = 0
    for document in chain(early, changed):
        if upstream_verdict("atip/0.4").is_valid(document) and document["atip"] in versions:
            accepted += 1
            assert our_verdict("atip/0.3").is_valid(document), document
    assert accepted > 100


@for_each(
    ("change", "expected"),
    [
        ({}, True),
        ({"atip": "0.1"}, True),
        ({"atip": "0.4"}, False),
        ({"atip": {"version": "0.3"}}, False),
        ({"name": "python3.11"}, True),
        ({"name": ""}, False),
        ({"description": "x" * 300}, True),
        ({"effects": {"cost": {"estimate": "none"}}}, True),
        ({"effects": {"cost": {"estimate": "variable"}}}, False),
        ({"effects": {"duration": {"typical": "100ms"}}}, True),
        ({"effects": {"destructive": "yes"}}, False),
        ({"authentication": {"methods": [{"type": "none"}]}}, True),
        ({"commands": {"": {"description": "d", "commands": {"a": {}}}}}, False),
    ],
)
def test_atip_0_3_follows_the_text(change: dict[str, Any], expected: bool) -> None:
    document = {"atip": "0.3", "name": "gh", "version": "1", "description": "d", **change}
    assert our_verdict("atip/0.3").is_valid(document) is expected


# ---------------------------------------------------------------------------------------- what a reader needs

PUT = {"id": "a_b", "description": "d", "version": "1.0.0 beta!"}
FS = {"toolId": "mcp:fs.read", "source": "mcp", "safetyTier": "read"}
DRILL = {"tool_id": "drill", "description": "d", "how_to_use": {}}
GH = {"atip": "0.1", "name": "gh"}
MANIFEST = {"atip": {"version": "0.6"}, "registry": {"name": "r"}, "endpoints": {}}


@for_each(
    ("name", "document", "expected"),
    [
        ("atip", GH, True),
        ("atip", {**GH, "atip": 0.6}, True),
        ("atip", {**GH, "atip": {"version": "9"}}, True),
        ("atip", {"atip": "0.6", "binary": {"name": "curl"}}, True),
        ("atip", {**GH, "description": "x" * 300, "effects": {"destructive": "yes", "network": 1}}, True),
        ("atip", {**GH, "commands": {"": {"options": [{"name": "o"}], "commands": {"a": {}}}}}, True),
        ("atip", {**GH, "registry": {}, "commands": {}}, True),
        ("atip", {"name": "gh"}, False),
        ("atip", {"atip": "0.1"}, False),
        ("atip", {**GH, "name": ""}, False),
        ("atip", {**GH, "atip": None}, False),
        ("atip", MANIFEST, False),
        ("atip", {**MANIFEST, "name": "r"}, False),
        ("atip", {**GH, "commands": []}, False),
        ("atip", {**GH, "commands": {"a": {"commands": {"b": "c"}}}}, False),
        ("atip", {**GH, "commands": {"a": {"arguments": [{"type": "string"}]}}}, False),
        ("atip", {**GH, "globalOptions": [{"name": 1}]}, False),
        ("atdf", DRILL, True),
        ("atdf", {**DRILL, "id": "drill", "__comment": 1}, True),
        (
            "atdf",
            {**DRILL, "how_to_use": {"inputs": [{"name": "a", "required": 1}], "outputs": {"data": 1}}},
            True,
        ),
        ("atdf", {**DRILL, "tool_id": ""}, False),
        ("atdf", {"tool_id": "drill", "how_to_use": {}}, False),
        ("atdf", {**DRILL, "how_to_use": []}, False),
        ("atdf", {**DRILL, "how_to_use": {"inputs": [{"type": "string"}]}}, False),
        ("atdf", {**DRILL, "how_to_use": {"inputs": {}}}, False),
        ("atdf", {**DRILL, "how_to_use": {"outputs": {"failure": ["broken"]}}}, False),
        ("aip14", PUT, True),
        ("aip14", {**PUT, "schema": "agentproto/tool/v1", "mutates": ["approval"], "riskLevel": 2}, True),
        ("aip14", {**PUT, "inputs": {"type": "object", "properties": {"a": True}}}, True),
        ("aip14", {**PUT, "inputs": {"properties": "a"}}, False),
        ("aip14", {**PUT, "outputs": {"items": "a"}}, False),
        ("aip14", {**PUT, "inputs": True}, False),
        ("aip14", {**PUT, "id": "a_b\n"}, False),
        ("aip14", {**PUT, "id": "Ab"}, False),
        ("aip14", {**PUT, "version": 1.0}, False),
        ("aip14", {**PUT, "version": "v1.0.0"}, False),
        ("aip14", {**PUT, "description": "x" * 2001}, True),
        ("aip14", {**PUT, "mutates": "network:*"}, False),
        ("tool-descriptor", FS, True),
        ("tool-descriptor", {**FS, "annotations": {"readOnlyHint": True}, "costHint": "dear"}, True),
        ("tool-descriptor", {**FS, "annotations": None}, False),
        ("tool-descriptor", {**FS, "danger": True}, False),
        ("tool-descriptor", {**FS, "safetyTier": "exec"}, True),
        ("tool-descriptor", {**FS, "safetyTier": "mutation"}, False),
        ("tool-descriptor", {**FS, "costHint": 1}, False),
    ],
)
def test_the_least_a_reader_needs(name: str, document: dict[str, Any], expected: bool) -> None:
    assert our_verdict(f"{name}/reading").is_valid(document) is expected


@needs_corpus
@for_each(("name", "folder"), [(n, f) for n, (_, f) in PAIRS.items() if "#" not in n and n not in BESIDE])
def test_what_a_version_accepts_can_be_read(name: str, folder: str) -> None:
    reading = our_verdict(f"{name.partition('/')[0]}/reading")
    good = [d for d in documents(folder) if our_verdict(name).is_valid(d)]
    assert good
    assert not [d for d in good if not reading.is_valid(d)]


# -------------------------------------------------------------------------------------- the files themselves


def properties(schema: Any, where: str = "#") -> Iterator[tuple[str, Any]]:
    """Every field and every definition; those inside a condition only point at fields described elsewhere."""
    if isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from properties(value, f"{where}/{index}")
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("properties", "patternProperties", "$defs"):
                for name, inner in value.items():
                    yield f"{where}/{key}/{name}", inner
                    yield from properties(inner, f"{where}/{key}/{name}")
            elif key not in ("if", "then", "not", "enum", "const", "default", "required"):
                yield from properties(value, f"{where}/{key}")


@for_each("name", NAMES)
def test_a_schema_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    schema = ours()[name]
    assert schema["$schema"] == META
    assert schema["$id"] == f"{BASE}{name}.schema.json"
    assert all(schema.get(key) for key in ("title", "description", "$comment"))
    fields = list(properties(schema))
    assert fields
    assert not [where for where, inner in fields if not inner.get("description")]
    definitions = [(where, inner) for where, inner in fields if re.search(r"/\$defs/[^/]*$", where)]
    assert not [where for where, inner in definitions if not inner.get("$comment")]


@for_each("name", NAMES)
def test_a_schema_is_valid_2020_12_and_its_references_resolve(name: str) -> None:
    schema = ours()[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema_rs.meta.validate(schema)
    our_verdict(name)
    parts = [f"{name}#/$defs/{part}" for part in schema.get("$defs", {})]
    for part in [name, *parts]:
        python_verdict(part).is_valid({"name": "a"})
        our_verdict(part).is_valid({"name": "a"})


@for_each("name", NAMES)
def test_patterns_mean_the_same_in_every_engine(name: str) -> None:
    """No class that engines read differently, and no `$` that Python would let match before a line feed."""

    def dubious(value: Any) -> Iterator[str]:
        if isinstance(value, list):
            for inner in value:
                yield from dubious(inner)
        elif isinstance(value, dict):
            keys = [key for key in value.get("patternProperties", {}) if not key.endswith("(?!\\n)$")]
            pattern = value.get("pattern", "")
            if isinstance(pattern, str) and value.get("not") != {"type": "string", "pattern": "\\n"}:
                keys.append(pattern)
            yield from (key for key in keys if key.endswith("$") or re.search(r"\\[dwsbDWSB]", key))
            for inner in value.values():
                yield from dubious(inner)

    assert not list(dubious(ours()[name]))


@for_each("name", NAMES)
def test_the_examples_of_a_pattern_obey_it(name: str) -> None:
    """A message about a text of another form shows the first of them."""

    def broken(value: Any) -> Iterator[str]:
        for _, inner in keyed_values(value):
            yield from broken(inner)
        if isinstance(value, dict) and isinstance(value.get("pattern"), str):
            yield from (text for text in value.get("examples", ()) if not re.search(value["pattern"], text))

    assert not list(broken(ours()[name]))


@for_each("name", WHOLE)
def test_both_engines_agree(name: str) -> None:
    rng = random.Random(2020)
    fast, slow = our_verdict(name), python_verdict(name)
    for document in full_documents(name):
        share = 0.3 if THOROUGH else 0.005
        near = (near for near in neighbours(copy.deepcopy(document)) if rng.random() < share)
        assert not [copy.deepcopy(d) for d in near if fast.is_valid(d) != slow.is_valid(d)]


@needs_corpus
@for_each("name", WHOLE)
def test_both_engines_agree_on_real_documents(name: str) -> None:
    folder = {"tool-descriptor": "openwop"}.get(name.partition("/")[0], name.partition("/")[0])
    fast, slow = our_verdict(name), python_verdict(name)
    assert not [d for d in sample(documents(folder), 32) if fast.is_valid(d) != slow.is_valid(d)]
