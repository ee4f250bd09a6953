"""Argument objects for a schema, and whether it accepts them: the judge of law 6, that calls come home.

`instances` leans towards what a schema accepts, `near_misses` breaks such an object in one place. Neither promises
anything; `accepts` decides.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import jsonschema_rs
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from argument_schemas import schemas as schemas

_DEPTH = 5  # below it only what is required is made
_TRIES = 6
_SEED = 20261120  # of samples
_LETTERS = st.sampled_from("ab cXYZ019._-/:é日")
_PRINTABLE = st.characters(max_codepoint=126, min_codepoint=32)
_TEXT = st.text(_LETTERS, max_size=8)
_NAMES = st.sampled_from(["a", "b", "x", "key", "x-1", "A_1", "name", "0", "é"])
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 99), st.just(0.5), _TEXT)
_ANY = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=2), max_leaves=3
)
_FORMATS = {
    "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z", "duration": "P1D",
    "email": "a@example.invalid", "hostname": "example.invalid", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
    "uri": "https://example.invalid/a", "url": "https://example.invalid/a",
    "uuid": "6b1b3a5e-0f6b-4a3c-9d2e-1f2a3b4c5d6e",
}  # fmt: skip
_Draw = Callable[[st.SearchStrategy[Any]], Any]


# -- the verdict ----------------------------------------------------------------------------------------------


def accepts(schema: Any, value: Any) -> bool:
    """Whether a schema of 2020-12, or of the draft that its `$schema` names, accepts a value.

    Formats are annotations, and nothing is fetched.

    Raises:
        ValueError: the schema cannot be judged: it refers to what is not there, or is too deep.
    """
    return bool(_validator(json.dumps(schema)).is_valid(value))


@lru_cache(maxsize=512)
def _validator(text: str) -> Any:
    schema = json.loads(text)
    try:
        return _compile(schema, jsonschema_rs.RegexOptions())
    except jsonschema_rs.ValidationError:  # look-around and back references have no automaton
        return _compile(schema, jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000))


def _compile(schema: Any, patterns: Any) -> Any:
    options = {"validate_formats": False, "pattern_options": patterns, "retriever": _refuse}
    return jsonschema_rs.validator_cls_for(schema)(schema, **options)


def _refuse(address: str) -> Any:
    raise ValueError(f"{address} is not in the schema, and nothing is fetched")


# -- what a schema accepts --------------------------------------------------------------------------------------


@lru_cache(maxsize=512)  # Hypothesis validates every strategy that it has not seen, which takes longer than to draw
def _any_of(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.sampled_from(words)


@st.composite
def instances(draw: st.DrawFn, schema: Any, words: st.SearchStrategy[str] | None = None) -> Any:
    """Values that `schema` probably accepts: 99 of 100 in the worked cases.

    Args:
        words: texts to take where the schema asks for no other.
    """
    maker = _Maker(schema, draw, words)
    for _ in range(_TRIES):
        value = maker.value(schema, 0)
        if accepts(schema, value):
            break
    return value


def sample(strategy: st.SearchStrategy[Any], count: int) -> list[dict[str, Any]]:
    """Different objects of a strategy, the same in every run; as many as `count` at most."""
    found: dict[str, dict[str, Any]] = {}

    @seed(_SEED)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(value: Any) -> None:
        if isinstance(value, dict):
            found[json.dumps(value, sort_keys=True)] = value

    draw()
    return list(found.values())


class _Maker:
    """Makes one value; combinators are merged as well as a merge of keywords goes."""

    def __init__(self, root: Any, draw: _Draw, words: st.SearchStrategy[str] | None) -> None:
        self.root = root
        self.draw = draw
        self.words = words

    def value(self, schema: Any, depth: int) -> Any:
        node = self.flat(schema, depth)
        if node is None or not node:
            anything = _ANY if depth < _DEPTH else _SCALARS
            return self.draw(anything)
        if "const" in node:
            return node["const"]
        kinds = self.kinds(node)
        if node.get("enum"):
            fitting = [value for value in node["enum"] if not kinds or _kind(value) & set(kinds)]
            return self.draw(st.sampled_from(fitting or node["enum"]))
        if not kinds:
            return self.draw(_SCALARS)
        if depth < _DEPTH:
            kind = self.draw(_any_of(tuple(kinds)))
        else:
            kind = min(kinds, key=_COST.__getitem__)
        return _MAKERS[kind](self, node, depth)

    def flat(self, schema: Any, depth: int) -> dict[str, Any] | None:
        """A schema as one node without references and combinators; `None` accepts everything."""
        if not isinstance(schema, dict):
            return None
        node = {key: item for key, item in schema.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")}
        if depth > 4 * _DEPTH:
            return node
        parts = [*schema.get("allOf", ())]
        if "$ref" in schema:
            parts.append(self.target(schema["$ref"]))
        parts += [self.branch(schema[keyword], depth) for keyword in ("anyOf", "oneOf") if schema.get(keyword)]
        if "if" in node and self.draw(st.booleans()):
            parts += [node["if"], node.get("then", {})]
        for part in parts:
            node = _merged(node, self.flat(part, depth + 1) or {})
        return node

    def branch(self, branches: list[Any], depth: int) -> Any:
        if depth < _DEPTH:
            return self.draw(st.sampled_from(branches))
        plain = [branch for branch in branches if isinstance(branch, dict) and "$ref" not in branch]
        return (plain or branches)[0]

    def target(self, reference: str) -> Any:
        found = self.root
        for part in reference.removeprefix("#").split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            found = found[int(part)] if isinstance(found, list) else found.get(part, {})
        return found

    def kinds(self, node: dict[str, Any]) -> list[str]:
        stated = node.get("type")
        if stated is not None:
            return [stated] if isinstance(stated, str) else list(stated)
        implied = [kind for kind, keywords in _IMPLIES.items() if keywords & node.keys()]
        return implied[:1]

    # -- one type -----------------------------------------------------------------------------------------------

    def object(self, node: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = node.get("properties", {})
        wanted = set(node.get("required", ()))
        if depth < _DEPTH:
            wanted |= {key for key in properties if self.draw(st.booleans())}
        wanted = {key for key in wanted if properties.get(key) is not False or key in node.get("required", ())}
        for _ in range(len(node.get("dependentRequired", ()))):
            wanted.update(*(needed for key, needed in node["dependentRequired"].items() if key in wanted))
        for key, schema in node.get("dependentSchemas", {}).items():
            if key in wanted and isinstance(schema, dict):
                wanted.update(schema.get("required", ()))
        keys = [*(key for key in properties if key in wanted), *sorted(wanted - properties.keys())]
        made = {key: self.value(self.of_key(node, key), depth + 1) for key in keys}
        return self.with_more(node, made, depth)

    def of_key(self, node: dict[str, Any], key: str) -> Any:
        if key in node.get("properties", {}):
            return node["properties"][key]
        for pattern, schema in node.get("patternProperties", {}).items():
            if _finds(pattern, key):
                return schema
        return node.get("additionalProperties", {})

    def with_more(self, node: dict[str, Any], made: dict[str, Any], depth: int) -> dict[str, Any]:
        """Unknown keys, where they are a map's own, or needed to be enough."""
        least, most = node.get("minProperties", 0), node.get("maxProperties", 8)
        more = node.get("additionalProperties", node.get("unevaluatedProperties"))
        patterns = list(node.get("patternProperties", ()))
        is_map = isinstance(more, dict) or bool(patterns)
        count = 0
        if is_map and depth < _DEPTH:
            count = self.draw(st.integers(0, 2))
        count = max(count, least - len(made))
        optional = [key for key in node.get("properties", ()) if key not in made]
        for _ in range(min(count, 8, most - len(made))):
            if more is False and not patterns and not optional:
                break
            if optional and (more is False or not is_map):
                key = optional.pop(0)
            elif patterns:
                key = self.text({"pattern": self.draw(_any_of(tuple(patterns)))})
            else:
                names = node.get("propertyNames")
                key = self.value(names, depth + 1) if isinstance(names, dict) else self.draw(_NAMES)
            if isinstance(key, str) and key not in made:
                made[key] = self.value(self.of_key(node, key), depth + 1)
        return made

    def array(self, node: dict[str, Any], depth: int) -> list[Any]:
        prefix, items = node.get("prefixItems", []), node.get("items", True)
        if isinstance(items, list):  # a tuple as the drafts before 2020-12 have it
            prefix, items = items, node.get("additionalItems", True)
        contained = node.get("minContains", 1) if "contains" in node else 0
        least = max(node.get("minItems", 0), contained)
        room = len(prefix) if items is False else least + 3 + len(prefix)
        most = min(node.get("maxItems", least + 3), room)
        low = least
        if prefix and not self.draw(st.booleans()):
            low = min(max(least, len(prefix)), most)
        count = least
        if depth < _DEPTH:
            count = self.draw(st.integers(low, max(low, most)))
        made: list[Any] = []
        for index in range(count):
            schema = prefix[index] if index < len(prefix) else items
            if "contains" in node and index == 0 and not prefix:
                schema = node["contains"]
            value = self.value(schema, depth + 1)
            if node.get("uniqueItems") and value in made:
                value = self.value(schema, depth + 1)
            if not (node.get("uniqueItems") and value in made and len(made) >= least):
                made.append(value)
        return made

    def string(self, node: dict[str, Any], depth: int) -> str:
        return self.text(node)

    def text(self, node: dict[str, Any]) -> str:
        least = node.get("minLength", 0)
        most = min(node.get("maxLength", least + 12), least + 12)
        if "pattern" in node:
            return self.matching(node["pattern"], least, node.get("maxLength", 10_000))
        if node.get("format") in _FORMATS and least <= len(_FORMATS[node["format"]]) <= node.get("maxLength", 99):
            return _FORMATS[node["format"]]
        if node.get("contentEncoding") == "base64":
            return base64.b64encode(self.draw(_TEXT).encode()).decode()
        if self.words is not None:
            word = str(self.draw(self.words))
            if least <= len(word) <= node.get("maxLength", len(word)):
                return word
        return str(self.draw(st.text(_LETTERS, min_size=least, max_size=max(least, most))))

    def matching(self, pattern: str, least: int, most: int) -> str:
        try:
            strategy = st.from_regex(re.compile(pattern, re.ASCII), alphabet=_PRINTABLE)
            found = ""
            for _ in range(3):
                found = str(self.draw(strategy)).rstrip("\n")
                if least <= len(found) <= most:
                    break
            return found
        except Exception:  # patterns that `re` reads otherwise, or not at all: any text is a guess then
            return str(self.draw(_TEXT))

    def integer(self, node: dict[str, Any], depth: int) -> int:
        low, high = self.range(node, 1)
        step = node.get("multipleOf", 1)
        first, last = -(-low // step), high // step
        value = self.draw(st.integers(int(first), int(max(first, last)))) * step
        return int(value) if value == value // 1 else round(low)

    def number(self, node: dict[str, Any], depth: int) -> float:
        low, high = self.range(node, 0)
        if "multipleOf" in node:
            step = node["multipleOf"]
            first, last = -(-low // step), high // step
            return float(self.draw(st.integers(int(first), int(max(first, last)))) * step)
        share = self.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0]))
        inner = 0.5 if {"exclusiveMinimum", "exclusiveMaximum"} & node.keys() else share
        return float(low + (high - low) * inner)

    def range(self, node: dict[str, Any], step: int) -> tuple[float, float]:
        lows = [node["minimum"]] if "minimum" in node else []
        highs = [node["maximum"]] if "maximum" in node else []
        above, below = node.get("exclusiveMinimum", False), node.get("exclusiveMaximum", False)  # in draft-04 boolean
        if not isinstance(above, bool):
            lows.append(above + step)
        if not isinstance(below, bool):
            highs.append(below - step)
        low = max(lows, default=min([-3, *(high - 9 for high in highs)]))
        high = min(highs, default=max(12, low + 12))
        return low, high


_MAKERS: dict[str, Callable[[_Maker, dict[str, Any], int], Any]] = {
    "null": lambda maker, node, depth: None,
    "boolean": lambda maker, node, depth: maker.draw(st.booleans()),
    "integer": _Maker.integer,
    "number": _Maker.number,
    "string": _Maker.string,
    "array": _Maker.array,
    "object": _Maker.object,
}
_COST = {kind: cost for cost, kind in enumerate(_MAKERS)}
_IMPLIES = {
    "object": {
        "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
        "propertyNames", "dependentRequired",
    },
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"},
    "string": {"minLength", "maxLength", "pattern", "format"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}  # fmt: skip


def _finds(pattern: str, text: str) -> bool:
    return accepts({"pattern": pattern}, text)


def _kind(value: Any) -> set[str]:
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int | float):
        return {"integer", "number"} if value == value // 1 else {"number"}
    return {{type(None): "null", str: "string", list: "array", dict: "object"}[type(value)]}


_TIGHTER: dict[str, Callable[[Iterable[Any]], Any]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}


def _merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two nodes as one that accepts about what both accept."""
    out = {**one, **other}
    for key in one.keys() & other.keys():
        was, now = one[key], other[key]
        if key in ("properties", "patternProperties"):
            both = {name: {"allOf": [was[name], now[name]]} for name in was.keys() & now.keys()}
            out[key] = {**was, **now, **both}
        elif key == "required":
            out[key] = [*was, *(name for name in now if name not in was)]
        elif key == "enum":
            out[key] = [value for value in was if value in now]
        elif key == "type":
            listed = [was] if isinstance(was, str) else was
            names = {now} if isinstance(now, str) else set(now)
            out[key] = [kind for kind in listed if kind in names or (kind == "integer" and "number" in names)] or now
        elif key in _TIGHTER:
            out[key] = _TIGHTER[key]((was, now))
        elif key == "items" and isinstance(was, dict) and isinstance(now, dict):
            out[key] = {"allOf": [was, now]}
    return out


# -- near misses ----------------------------------------------------------------------------------------------

_OTHERS = st.sampled_from([None, True, 0, -1, 10**6, 0.5, "", "x", "a" * 300, [], [None], {}, {"unknown": 1}])


@st.composite
def near_misses(draw: st.DrawFn, schema: Any) -> Any:
    """Instances with one change somewhere inside: a key dropped, one added, a value nulled, replaced or moved."""
    return _broken(draw, draw(instances(schema)))


def _broken(draw: _Draw, value: Any) -> Any:
    if isinstance(value, dict):
        change = draw(st.sampled_from(["drop", "add", "null", "inside", "inside", "replace"]))
        keys = sorted(value)
        if change == "add" or not keys:
            return {**value, draw(st.sampled_from(["unknown", "x", "", "additional_properties"])): draw(_OTHERS)}
        key = draw(st.sampled_from(keys))
        if change == "drop":
            return {name: item for name, item in value.items() if name != key}
        if change == "null":
            return {**value, key: None}
        if change == "inside":
            return {**value, key: _broken(draw, value[key])}
        return {**value, key: draw(_OTHERS)}
    if isinstance(value, list) and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], _broken(draw, value[index]), *value[index + 1 :]]
    if isinstance(value, list):
        return draw(st.sampled_from([[*value, *value], value[:-1], [*value, None]]))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return draw(st.sampled_from([value + 1, value - 1, value * 1000 + 1, -value, value + 0.5, str(value)]))
    if isinstance(value, str):
        return draw(st.sampled_from([value + "x", value[:-1], value * 40, value.upper(), "", None]))
    return draw(_OTHERS)
