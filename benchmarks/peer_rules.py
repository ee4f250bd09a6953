"""What a fitted schema is worth: whether its provider accepts it, what it means beside its source, what was said.

Nothing here trusts who made the schema. Rules are judged by `fitting.provider_violations` and the vendors' own
types, meaning by `jsonschema_rs` on values that are drawn with a fixed seed, so that two runs say the same. The judges
are those of `tests/`, which therefore has to be on the path.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

import schema_judge as judge
from toolglot import Error
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.provider_violations import violations
from toolglot.converter.formats import get
from toolglot.converter.formats.gemini.openapi_dialect import (
    from_openapi,  # Gemini's dialect has to be JSON Schema before anyone can judge it
)
from toolglot.converter.schema import older_dialects, references
from toolglot.converter.schema.keywords import TYPES, rebuild
from vendor import vendor_problems

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS: dict[str, Any] = {
    item["name"]: item["schema"] for item in json.loads((ROOT / "fixtures/schemas/peers.json").read_text("utf-8"))
}
EXAMPLES = 40  # of each kind: arguments, broken arguments, and what the fitted schema accepts

Arguments = dict[str, Any]


class Provider(NamedTuple):
    """A wire shape: the format and version that it is of, and where a definition has its schema."""

    format: str
    version: str
    define: Callable[[Any, bool], Any]  # schema as it is sent, strict -> definition
    schema: Callable[[Any], Any]  # definition -> schema as it is sent

    def rules(self, strict: bool) -> ProviderRules:
        rows = get(self.format).provider.profiles
        return next(row for row in rows if self.version in row.versions and row.strict is strict)


_ABOUT = {"name": "tool", "description": "Does it."}
PROVIDERS = {
    "openai": Provider(
        "openai",
        "chat",
        lambda schema, strict: {"type": "function", "function": {**_ABOUT, "parameters": schema, "strict": strict}},
        lambda definition: definition["function"].get("parameters"),
    ),
    "anthropic": Provider(
        "anthropic",
        "messages",
        lambda schema, strict: {**_ABOUT, "input_schema": schema, "strict": strict},
        lambda definition: definition["input_schema"],
    ),
    "gemini": Provider(
        "gemini",
        "parameters",
        lambda schema, strict: {**_ABOUT, "parameters": schema},
        lambda definition: definition.get("parameters"),
    ),
}


class Result(NamedTuple):
    """What somebody made of a schema."""

    definition: Any  # as it is sent
    strict: bool
    encode: Callable[[Arguments], Arguments] = lambda arguments: arguments
    decode: Callable[[Arguments], Arguments] = lambda arguments: arguments
    said: frozenset[str] = frozenset()  # of "narrowed" and "widened", what the caller was told


class Verdict(NamedTuple):
    """How one result fared; the witnesses are values that show it, `None` where there is none."""

    faults: list[str]
    faults_at_best: list[str]  # those that remain where what sources disagree about is allowed
    judged: bool = False
    narrowed: Any = None  # the source accepts it and it cannot be sent
    closed: Any = None  # the same, because of a key that the source does not name
    widened: Any = None  # it can be sent and the source does not accept it
    refused: Any = None  # it can be sent and has no one meaning: the caller gets an error
    unsaid: frozenset[str] = frozenset()  # of "closed", "narrowed" and "widened", what happened and was not said

    @property
    def kept(self) -> bool:
        """Whether it is accepted and means the same, closed objects aside; every doubt counts for it."""
        return self.judged and not self.faults_at_best and self.narrowed is None and self.widened is None


def verdict(name: str, provider: Provider, result: Result) -> Verdict:
    """Judge what became of the schema of that name."""
    raw = provider.schema(result.definition)
    schema = raw
    if provider.format == "gemini" and isinstance(raw, dict):
        schema = from_openapi(raw)
    rules = provider.rules(result.strict)
    of_vendor = vendor_problems(provider.format, provider.version, result.definition)
    faults = [*_faults(schema, rules), *of_vendor]
    at_best: list[str] = []
    if faults:
        at_best = [*_faults(_renamed(schema), at_its_best(rules)), *of_vendor]
    if name in UNJUDGED:
        return Verdict(faults, at_best)
    if schema is None:
        schema = {"type": "object"}
    try:
        found = _compared(name, schema, result)
    except Exception as error:  # whatever a validator has against a schema that is none
        return Verdict([*faults, f"cannot be judged: {error}"], [*at_best, "cannot be judged"])
    happened = found.keys() - {"refused"}
    unsaid = frozenset(kind for kind in happened if {"closed": "narrowed"}.get(kind, kind) not in result.said)
    return Verdict(faults, at_best, judged=True, unsaid=unsaid, **found)


def _faults(schema: Any, rules: ProviderRules) -> list[str]:
    return [f"{fault.pointer} {fault.message}" for fault in violations(schema, rules)]


def at_its_best(rules: ProviderRules) -> ProviderRules:
    """The rules without those that our table follows out of caution: sources disagree, or say nothing."""
    annotations = frozenset({"title"})
    if rules.strict:
        annotations = frozenset({"$schema", "title", "default", "examples", "allOf"})
    type_lists = rules.type_lists if rules.format == "gemini" else "any"
    keywords = rules.keywords and {**rules.keywords, "": rules.keywords[""] | annotations}
    return replace(
        rules,
        keywords=keywords,
        typed="no",
        type_lists=type_lists,
        enum_types=frozenset(TYPES),
        enum_beside_type_list=True,
        any_of_alone=False,
        declared=False,
        empty_objects=True,
        items=rules.items and rules.format != "anthropic",
    )


def _renamed(schema: Any) -> Any:
    """`definitions` as `$defs`, which the strict providers take for the same."""
    if not (isinstance(schema, dict) and "definitions" in schema and "$defs" not in schema):
        return schema
    moved = {**schema, "$defs": schema["definitions"]}
    del moved["definitions"]
    return json.loads(json.dumps(moved).replace('"#/definitions/', '"#/$defs/'))


# Nobody but its author knows what the other document says.
UNJUDGED = frozenset({"48 reference to another document"})


@lru_cache(maxsize=64)
def source_of(name: str) -> Any:
    """A schema as the judge can read it: `nullable` as a type, older drafts as 2020-12."""
    return references.resolve(older_dialects.normalise(SCHEMAS[name])[0])[0]


@lru_cache(maxsize=64)
def _arguments(name: str) -> tuple[list[Arguments], list[Arguments]]:
    """Values for a source: those that it accepts, and those that it may refuse."""
    source = source_of(name)
    drawn = judge.sample(judge.instances(source), EXAMPLES)
    near = judge.sample(judge.near_misses(source), EXAMPLES)
    return [value for value in drawn if judge.accepts(source, value)], near


def _compared(name: str, schema: Any, result: Result) -> dict[str, Any]:
    """The first witness of each difference."""
    source = source_of(name)
    accepted, near = _arguments(name)
    found: dict[str, Any] = {}
    only_named = _sealed(source)
    for arguments in [*accepted, *(value for value in near if judge.accepts(source, value))]:
        if not _arrives(arguments, schema, result):
            kind = "narrowed" if judge.accepts(only_named, arguments) else "closed"
            found.setdefault(kind, arguments)
    for sent in [*accepted, *near, *judge.sample(judge.instances(schema), EXAMPLES)]:
        if judge.accepts(schema, sent):
            try:
                decoded = result.decode(sent)
            except Error:
                found.setdefault("refused", sent)
                continue
            if not judge.accepts(source, decoded):
                found.setdefault("widened", sent)
    return found


def _arrives(arguments: Arguments, schema: Any, result: Result) -> bool:
    try:
        sent = result.encode(arguments)
        return judge.accepts(schema, sent) and json.dumps(result.decode(sent)) == json.dumps(arguments)
    except Error:
        return False


_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})


def _sealed(schema: Any, whole: bool = True, root: bool = True) -> Any:
    """A schema that takes no other keys than those it names: what is left of it where objects have to be closed.

    Args:
        whole: whether the schema says everything about its value, and is no member of a combinator.
    """
    if not isinstance(schema, dict):
        return schema
    out = rebuild(schema, lambda inner, pointer: _sealed(inner, pointer.split("/")[1] not in _IN_PLACE, False))
    if whole and (root or _names_keys(schema)):
        named = dict.fromkeys(schema.get("required", ()), True)
        return {**out, "properties": {**named, **out.get("properties", {})}, "unevaluatedProperties": False}
    return out


def _names_keys(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    members = (item for keyword in ("allOf", "anyOf", "oneOf") for item in schema.get(keyword, ()))
    return bool({"properties", "patternProperties"} & schema.keys()) or any(map(_names_keys, members))
