"""Rules of the family `tool-schemas` about `enum` and `const`: no value, one twice, or one that the rest refuses."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from toolglot.converter.formats.kit.rule import Hit, Rule, SchemaPlace, SchemaTest
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.overlap import Proofs
from toolglot.converter.text.pointers import as_list, list_at, texts_of
from toolglot.converter.text.wording import to_short_json
from toolglot.verbs.diagnostics.rules.contradictory_schemas import judge_of
from toolglot.verbs.diagnostics.rules.phrases import with_parameter

_MOST_VALUES = 1_000  # of one list; each is compared with all of them


def _find_repeated(node: SchemaPlace) -> Iterator[Hit]:
    keys: set[Hashable] = set()
    for value in list_at(node.schema, "enum"):
        key = equality_key(value)
        if key in keys:
            yield Hit({"value": to_short_json(value)}, inner="/enum")
            return
        keys.add(key)


def _find_refused_values(node: SchemaPlace) -> Iterator[Hit]:
    keyword = "enum" if "enum" in node.schema else "const"
    values, judge = as_list(node.schema.get("enum", [node.schema.get("const")])), judge_of(node)
    if 0 < len(values) < _MOST_VALUES and None not in map(judge.refusal, values):
        yield Hit({"keyword": keyword}, inner=f"/{keyword}")


def _find_idle_types(node: SchemaPlace) -> Iterator[Hit]:
    kinds = texts_of(as_list(node.schema.get("type")))
    for kind in kinds if len(kinds) > 1 else ():
        if Proofs().is_disjoint({"type": kind}, {"enum": list_at(node.schema, "enum")}):
            yield Hit({"kind": kind}, inner="/type")


RULES = (
    Rule(
        code="enum-empty",
        severity="error",
        message="an empty enum accepts nothing, so that no call is valid",
        why="The tool can never be called with this parameter.",
        mend="Name the values, or leave `enum` out.",
        citation="agent-friend",
        bad=with_parameter({"enum": []}),
        good=with_parameter({"enum": ["one", "two"]}),
        of_schema=SchemaTest(("enum",), lambda node: [Hit(inner="/enum")] if node.schema["enum"] == [] else []),
    ),
    Rule(
        code="enum-refused",
        message="what stands beside `{keyword}` refuses all that it names, so that nothing is accepted",
        why="The tool can never be called with this parameter.",
        mend="Correct the values, or the type beside them; those of the items of a list belong into `items`.",
        citation="oasdiff const-not-in-enum",
        bad=with_parameter({"type": "string", "enum": [1, 2]}),
        good=with_parameter({"type": "string", "enum": ["1", "2"]}),
        of_schema=SchemaTest(("enum", "const"), _find_refused_values),
    ),
    Rule(
        code="idle-type",
        message="{kind} is a type here, and no value of the enum is of it",
        why="A value of this type is refused. Who writes null beside an enum mostly means that it may be given.",
        mend="Add the value to the enum, or take the type out.",
        citation="JSON Schema 2020-12, validation, section 6.1",
        bad=with_parameter({"type": ["string", "null"], "enum": ["a"]}),
        good=with_parameter({"type": ["string", "null"], "enum": ["a", None]}),
        of_schema=SchemaTest(("enum",), _find_idle_types),
    ),
    Rule(
        code="enum-duplicate",
        message="{value} stands in the enum twice",
        why="JSON Schema does not allow it, and some providers refuse it.",
        mend="Take one out; `toolglot check --fix` does.",
        citation="agent-friend",
        bad=with_parameter({"enum": ["one", "one"]}),
        good=with_parameter({"enum": ["one", "two"]}),
        fixable=True,
        of_schema=SchemaTest(("enum",), _find_repeated),
    ),
)
