"""One schema against the rules of one provider: what comes out, what was done to it, and the way back.

The pass goes node by node, each node once: references, combinators, then the node's own types. What a provider does
not accept is rewritten where another spelling accepts the same values, carried by the codec where it can be, and
otherwise said in the node's description and noted as a step. Nothing is dropped without a step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from toolglot.errors import FitError, escape
from toolglot.fitting.alternatives import fit_union, one_of
from toolglot.fitting.codec import SAME, Branch, Branches, Codec, Named, Text, Whole
from toolglot.fitting.containers import fit_array, fit_object
from toolglot.fitting.fitted import Fitted
from toolglot.fitting.limits import refuse_too_large
from toolglot.fitting.root import as_root
from toolglot.fitting.rules import Rules
from toolglot.fitting.scalars import fit_members, fit_plain, of_type, types_of
from toolglot.schema import dialects, merge, references, words
from toolglot.schema.keywords import (
    ANNOTATIONS,
    APPLIES,
    ASSERTIONS,
    IN_PLACE,
    OF_A_TYPE,
    PLAIN_REST,
    UNEVALUATED,
    rebuild,
    walk,
)
from toolglot.schema.newest import restate
from toolglot.schema.plain import is_plain
from toolglot.schema.steps import Step

MAX_DEPTH = 100
MAX_NODES = 20_000
_MAX_MEMBERS = 20  # references that lead from one `allOf` to the next
_ARGUMENTS = "arguments"  # the one parameter of a tool whose schema names none
_ROOM = 30  # levels of nodes above which a definition waits, because definitions can refer to definitions for long

Fit = tuple[dict[str, Any], Codec]
StepKey = tuple[str, str, str]  # pointer, keyword, action

_BESIDE_UNEVALUATED = IN_PLACE | {"contains", "$ref"}  # what may have looked at a value that `unevaluated...` is about


def fit(schema: Any, rules: Rules) -> Fitted:
    """Fit the schema of a tool's arguments to what a provider accepts.

    Args:
        schema: JSON Schema of any dialect; it is not modified.
        rules: a row of the table of profiles.

    Raises:
        FitError: the rules have no way to say it; the code and the message say why.

    >>> known = {"": frozenset({"type", "properties", "required"})}
    >>> rules = Rules(format="x", profile="x", versions=(), strict=True, source="", keywords=known, all_required=True)
    >>> fitted = fit({"type": "object", "properties": {"a": {"type": "string"}}}, rules)
    >>> fitted.schema["properties"], fitted.schema["required"]
    ({'a': {'type': ['string', 'null']}}, ['a'])
    >>> fitted.decode({"a": None})
    {}
    """
    if rules.keywords is None:  # whoever takes every schema gets it as it is, in the words of 2020-12
        source, steps = restate(schema) if isinstance(schema, dict) else dialects.normalise(schema)
        return Fitted(source if isinstance(source, dict) else {}, tuple(steps), SAME)
    if is_plain(schema):
        return Fitter(schema, rules, (), frozenset()).root()
    source, steps = dialects.normalise(schema)
    source, more = references.resolve(source if isinstance(source, dict) else {} if source else {"not": {}})
    for step in more:
        if step.keyword == "$ref" and step.action == "widened":
            unread = f"As described by {step.before}, which was not read."
            source = words.told_at(source, step.pointer.split("/")[1:], unread)
    return Fitter(source, rules, [*steps, *more], references.cycles(source)).root()


class Fitter:
    """One pass over one schema; the functions of `scalars` and `containers` work on it."""

    def __init__(self, source: dict[str, Any], rules: Rules, steps: Iterable[Step], cycles: frozenset[str]) -> None:
        self.rules = rules
        self.source = source
        self.definitions: dict[str, Any] = source.get("$defs", {})
        self.cycles = cycles
        # What contains itself where the provider cannot follow it: any cycle, or one that nobody can leave out.
        self.endless = frozenset() if rules.recursion else self.cycles
        self._see_endless(source)
        # Whether any value may travel in another form; where none can, references need no codecs.
        self.coded = rules.strict or rules.typed != "no" or bool(self.endless)
        self.steps = {(step.pointer, step.keyword, step.action): step for step in steps}
        self.fitted: dict[str, dict[str, Any]] = {}  # reference -> fitted definition
        self.codecs: dict[str, Codec] = {}
        self.null_defaults: set[str] = set()
        self._nodes = 0
        self._depth = 0
        self._waiting: list[str] = []  # definitions that are kept, and fitted once there is room on the stack

    def _see_endless(self, source: dict[str, Any]) -> None:
        if self.rules.optional_recursion and self.cycles:
            self.endless = references.cycles(_without_optional(source))

    # -- notes ------------------------------------------------------------------------------------------------

    def note(self, at: str, keyword: str, action: str, before: Any = None, after: Any = None, note: str = "") -> None:
        self.steps.setdefault((at, keyword, action), Step(at, keyword, action, before, after, note))

    def say(self, node: dict[str, Any], keyword: str, at: str, sentences: list[str]) -> None:
        """Take a keyword out of the schema: in words if there are any, and as a step."""
        value = node[keyword]
        if keyword == "default" and value is None:
            self.note(at, keyword, "renamed", note="to give null and to give nothing is the same")
            return
        sentence = words.describe(keyword, value, node)
        if sentence:
            sentences.append(sentence)
        if keyword not in ASSERTIONS:
            self.note(at, keyword, "described" if sentence else "dropped", value)
        else:
            self.note(at, keyword, "widened", value, note="said in the description" if sentence else "not said")

    def allows(self, keyword: str, types: Iterable[str] = ()) -> bool:
        table = self.rules.keywords
        if table is None:
            return True
        if keyword in table.get("", ()):
            return True
        return any(keyword in table.get(kind, ()) for kind in types)

    # -- the root ---------------------------------------------------------------------------------------------

    def root(self) -> Fitted:
        node = as_root(self)
        self._see_endless({**self.source, **node})  # alternatives of the root may have made a property required
        self.coded = self.coded or bool(self.endless)
        schema, codec = self.node(node, "", root=True)
        self.codecs["#"] = codec
        while self._waiting:
            self._define(self._waiting.pop())
        if "$ref" in schema or schema.get("type") != "object":
            raise FitError("the arguments of the tool are not an object", code="root-not-object")
        for name in self.definitions:
            if f"#/$defs/{name}" not in self.fitted:
                self.note(f"/$defs/{escape(name)}", "", "renamed", note="stands wherever it was referred to")
        definitions = {
            references.name_of(reference): found for reference, found in self.fitted.items() if reference != "#"
        }
        if definitions:
            schema = {**schema, "$defs": definitions}
        refuse_too_large(schema, self.rules)
        if not self.rules.no_arguments and not schema.get("properties"):
            if node.get("patternProperties") or node.get("additionalProperties", False) is not False:
                return self._as_one_text(schema)
            self.note("", "", "renamed", note="a tool without parameters has no schema")
            return Fitted(None, tuple(self.steps.values()), codec)
        return Fitted(schema, tuple(self.steps.values()), codec, self.null_defaults)

    def _as_one_text(self, schema: dict[str, Any]) -> Fitted:
        """The root as one text, because a tool without a schema would seem to take nothing."""
        self.note("", "", "encoded", note="the arguments as JSON text, because no property is named")
        text = words.append(schema.get("description"), ["All arguments, as the text of one JSON object."])
        properties = {_ARGUMENTS: {"type": "string", "description": text}}
        whole = {"type": "object", "properties": properties, "required": [_ARGUMENTS]}
        return Fitted(whole, tuple(self.steps.values()), Whole(_ARGUMENTS))

    # -- one node ---------------------------------------------------------------------------------------------

    def node(self, node: Any, at: str, seen: tuple[str, ...] = (), root: bool = False) -> Fit:
        """Fit one schema; `seen` are the references that were replaced by their targets on the way here."""
        self._nodes += 1
        if self._nodes > MAX_NODES or self._depth > MAX_DEPTH + _ROOM:
            raise FitError("the schema is too large for a tool once its references are resolved", "schema-too-large")
        self._depth += 1
        try:
            return self._node(node, at, seen, root)
        finally:
            self._depth -= 1

    def _node(self, node: Any, at: str, seen: tuple[str, ...], root: bool) -> Fit:
        if node is True:
            node = {}
        if node is False or node == {"not": {}}:
            return self.nothing(at), SAME
        if "$ref" in node:
            return self._reference(node, at, seen)
        sentences: list[str] = []
        node = self._fold(node, at, sentences, root)
        if node.get("enum") == []:
            self.note(at, "", "renamed", node, note="its `enum` is empty, so that no value is accepted")
        if node == {"not": {}} or node.get("enum") == []:
            return self.nothing(at), SAME
        if "$ref" in node:
            return self._reference(node, at, seen)
        if "anyOf" in node and not root:
            return fit_union(self, node, at, seen, sentences)
        return self.typed(node, at, seen, sentences, root)

    def typed(
        self, node: dict[str, Any], at: str, seen: tuple[str, ...], sentences: list[str], root: bool = False
    ) -> Fit:
        """Fit a node by its own keywords, the combinators taken care of."""
        node = self._evaluated(node, at)
        types = types_of(self, node, at)
        if not types and self.rules.typed != "no" and not ("enum" in node or "const" in node):
            return self.untyped(node, at)
        if len(types) > 1 and "type" in node and not self._may_list(types, node):
            parts = [of_type(node, kind) for kind in types]
            for keyword in ("type", *(OF_A_TYPE & node.keys())):
                self.note(at, keyword, "renamed", node[keyword], note="one alternative a type")
            kept = {key: value for key, value in node.items() if key in ANNOTATIONS and key != "format"}
            return fit_union(self, {**kept, "anyOf": parts}, at, seen, sentences)
        out: dict[str, Any] = {}
        has_members = "enum" in node or "const" in node
        if types and ("type" in node or self.rules.typed == "type" or not has_members):
            out["type"] = types[0] if len(types) == 1 else list(types)
        fit_plain(self, node, types, at, out, sentences)
        if replaced := fit_members(self, node, types, at, out, sentences):
            return fit_union(self, replaced, at, seen, sentences)
        if "allOf" in node:  # nothing in it has a codec: it would have been merged
            out["allOf"] = [self.node(item, f"{at}/allOf/{n}", seen)[0] for n, item in enumerate(node["allOf"])]
        codec: Codec = SAME
        if "object" in types or (not types and APPLIES["object"] & node.keys()):
            out, codec = fit_object(self, node, at, seen, out, sentences, root)
        if "array" in types or (not types and APPLIES["array"] & node.keys()):
            of_items = fit_array(self, node, at, seen, out, sentences)
            codec = (
                of_items
                if codec is SAME
                else Branches([Branch(_is_list, _is_list, of_items), Branch(_is_anything, _is_anything, codec)])
            )
        return self.told(out, node, sentences), codec

    def _evaluated(self, node: dict[str, Any], at: str) -> dict[str, Any]:
        """`unevaluated...` as the plain keyword where nothing beside it evaluates in place, which means the same."""
        for keyword, plain in PLAIN_REST.items():
            if keyword not in node:
                continue
            if plain not in node and not _BESIDE_UNEVALUATED & node.keys():
                self.note(at, keyword, "renamed", node[keyword], note=f"as {plain}")
                node = {**{key: value for key, value in node.items() if key != keyword}, plain: node[keyword]}
            elif self.rules.strict or (keyword == "unevaluatedItems" and self.rules.items):
                self.note(at, keyword, "widened", node[keyword])
                if node[keyword] is not True and self.rules.objects == "false":
                    self.note(at, "additionalProperties", "narrowed", note="keys that are not named are refused")
                node = {key: value for key, value in node.items() if key != keyword}
        return node

    def nothing(self, at: str) -> dict[str, Any]:
        """A value that nobody can give; a mode that could say so otherwise is better than one that accepts it."""
        if self.allows("not") and self.rules.typed == "no":
            return {"not": {}}
        if self.rules.strict:
            raise FitError("a schema that accepts nothing stands where a value is needed", code="never", pointer=at)
        self.note(at, "", "widened", False, note="the description says that nothing is accepted")
        told = {"description": "No value is accepted."}
        return told if self.rules.typed == "no" else {"type": "string", **told}

    def inside(self, keyword: str, value: Any, at: str, more_is_more: bool = False) -> Any:
        """The schemas that a keyword holds which stays; `None` where it cannot, because of what fitting does to them.

        To accept more inside `not`, `if` or `oneOf` is to refuse more outside, unless `more_is_more`; and nothing
        decodes what stands there.
        """
        before = dict(self.steps)
        codecs: list[Codec] = []

        def inner(schema: Any, pointer: str) -> Any:
            fitted, codec = self.node(schema, at + pointer)
            codecs.append(codec)
            return fitted

        kept = rebuild({keyword: value}, inner)[keyword]
        if (more_is_more or self._is_exact(keyword, kept, before.keys())) and all(codec is SAME for codec in codecs):
            return kept
        # Definitions that were met on the way stay fitted, and so do the steps that were made in them.
        self.steps = {
            key: step
            for key, step in self.steps.items()
            if key in before or (key[0].startswith("/$defs/") and not key[0].startswith(f"{at}/"))
        }
        return None

    def _is_exact(self, keyword: str, kept: Any, before: Collection[StepKey]) -> bool:
        """Whether schemas that were fitted since `before` accept what they did, and so do those that they refer to."""
        refers = any(isinstance(node, dict) and "$ref" in node for _, node in walk({keyword: kept}))
        if refers and self._waiting:
            return False  # nobody knows yet
        return all(
            step.action not in ("widened", "narrowed", "encoded")
            for key, step in self.steps.items()
            if key not in before or (refers and key[0].startswith("/$defs/"))
        )

    def _may_list(self, types: tuple[str, ...], node: dict[str, Any]) -> bool:
        # What holds for one type only, such as a codec, cannot be said of a list of types.
        if self.rules.type_lists == "any" and self.rules.objects != "false":
            return True
        pair = len(types) == 2 and "null" in types
        return pair and self.rules.type_lists != "none" and not ({"object", "array"} & set(types) and self.rules.strict)

    def told(self, out: dict[str, Any], node: dict[str, Any], sentences: list[str]) -> dict[str, Any]:
        """The fitted node with its description: the source's, and what had to be said in words."""
        text = words.append(node.get("description"), sentences) if sentences else node.get("description")
        return {**out, "description": text} if text else out

    def untyped(self, node: dict[str, Any], at: str) -> Fit:
        """A value of any type, where the provider wants a type: as JSON text, unless a looser mode can say it."""
        if self.rules.strict:
            raise FitError("a value of any type has no strict schema", code="untyped", pointer=at)
        sentences: list[str] = []
        for keyword in ASSERTIONS & node.keys():
            self.say(node, keyword, at, sentences)
        node = {**node, "description": words.append(node.get("description"), sentences)}
        return self.as_text(node, at, "any value")

    def as_text(self, node: dict[str, Any], at: str, shape: str) -> Fit:
        self.note(at, "", "encoded", note="as JSON text")
        text = words.append(node.get("description"), [f"As JSON text: {shape}."])
        return {"type": "string", "description": text}, Text()

    # -- references -------------------------------------------------------------------------------------------

    def followed(self, node: dict[str, Any]) -> Any:
        """A node with its reference replaced by what it means; what cannot be merged with that stays, as `allOf`."""
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        target = self.target(node["$ref"])
        if siblings.keys() & UNEVALUATED:  # it speaks of what the target looks at too
            return merge.with_rest(*merge.merge_all_of({**siblings, "allOf": [*siblings.get("allOf", ()), target]}))
        return merge.with_rest(*merge.intersect(target, siblings))

    def target(self, reference: str) -> Any:
        if reference == "#":
            return {key: value for key, value in self.source.items() if key != "$defs"}
        return self.definitions[references.name_of(reference)]

    def _reference(self, node: dict[str, Any], at: str, seen: tuple[str, ...]) -> Fit:
        reference = node["$ref"]
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        cyclic = reference in self.cycles
        if reference in self.endless:
            if self.rules.strict:
                raise FitError("the schema contains itself, and a strict schema may not", "recursive-schema", at)
            if reference in seen:
                self.note(
                    at, "$ref", "widened", reference, note="any JSON text is accepted; the description says which"
                )
                return self.as_text(node, at, words.shape(self.target(reference)))
        elif self.rules.references != "none":
            plain = not siblings or (self.rules.references == "any" and ANNOTATIONS.issuperset(siblings))
            if plain:
                return self._kept(reference, siblings, at)
            if cyclic and (ANNOTATIONS.issuperset(siblings) or reference in seen):
                return self._beside(reference, siblings, at)
        self.note(at, "$ref", "renamed", reference, note="replaced by what it means")
        return self.node(self.followed(node), at, (*seen, reference))

    def _kept(self, reference: str, siblings: dict[str, Any], at: str) -> Fit:
        if reference not in self.codecs and reference != "#":
            self.codecs[reference] = SAME  # replaced when it is fitted; a definition may contain itself
            self.fitted[reference] = {}
            if self._depth > _ROOM:
                self._waiting.append(reference)
            else:
                self._define(reference)
        out: dict[str, Any] = {"$ref": reference}
        for key, value in siblings.items():
            if self.allows(key):
                out[key] = value
            else:
                self.note(at, key, "dropped", value)
        return out, Named(reference, self.codecs) if self.coded else SAME

    def _define(self, reference: str) -> None:
        pointer = f"/$defs/{reference.removeprefix('#/$defs/')}"
        self.fitted[reference], self.codecs[reference] = self.node(self.target(reference), pointer)

    def _beside(self, reference: str, siblings: dict[str, Any], at: str) -> Fit:
        """A reference that cannot be replaced, because it leads to itself, with its siblings around it."""
        kept, codec = self._kept(reference, {}, at)
        self.note(at, "$ref", "renamed", reference, note="inside `anyOf`, because it may have nothing beside it")
        out: dict[str, Any] = {"anyOf": [kept]}
        sentences: list[str] = []
        fit_plain(self, siblings, (), at, out, sentences)
        for key in siblings:
            if key not in ANNOTATIONS:
                self.say(siblings, key, at, sentences)
        return self.told(out, siblings, sentences), codec

    # -- combinators ------------------------------------------------------------------------------------------

    def merged(self, node: dict[str, Any], at: str, sentences: list[str]) -> dict[str, Any]:
        """A node with its `allOf` folded in; closing each member by itself would leave nothing acceptable."""
        merged: Any = node
        left: list[Any] = []
        for _ in range(_MAX_MEMBERS):  # a member that is followed may have members too, and they may lead back here
            members = [
                self.followed(item) if isinstance(item, dict) and "$ref" in item else item for item in merged["allOf"]
            ]
            merged, more = merge.merge_all_of({**merged, "allOf": members})
            left += more
            if not isinstance(merged, dict):
                return {"not": {}} if merged is False else {}
            if "allOf" not in merged:
                break
        else:
            self.say(merged, "allOf", at, sentences)
        for keyword, value in node.items():
            if keyword == "allOf" or merged.get(keyword) != value:
                self.note(at, keyword, "renamed", value, merged.get(keyword), "merged with what `allOf` says")
        folded = {key: value for key, value in merged.items() if key != "allOf"}
        for rest in left:
            for keyword in rest if isinstance(rest, dict) else ():
                self.say(rest, keyword, at, sentences)
        return folded

    def _fold(self, node: dict[str, Any], at: str, sentences: list[str], root: bool) -> dict[str, Any]:
        if "allOf" in node and (self.coded or not self.allows("allOf")):
            node = self.merged(node, at, sentences)
        if "oneOf" in node and not self.allows("oneOf") and not root:
            node = one_of(self, node, at, sentences)
        return node


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_anything(value: Any) -> bool:
    return True


def _without_optional(node: Any, pointer: str = "") -> Any:
    """A schema without the properties that may be left out."""
    if isinstance(node, dict) and isinstance(node.get("properties"), dict):
        required = node.get("required", [])
        kept = {key: value for key, value in node["properties"].items() if key in required}
        node = {**node, "properties": kept}
    return rebuild(node, _without_optional)
