"""What went wrong once with providers, held so that it cannot again."""

from __future__ import annotations

import json
import re
import time
import warnings
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import toolglot
from rows import for_each, sample
from toolglot.cli.reports.terminal_report import text_report
from toolglot.converter import formats
from toolglot.converter.conversion.categories import Category
from toolglot.converter.fitting.patterns import is_accepted
from toolglot.converter.hub.model import Example, Tool
from toolglot.errors import Error, FitError, UsageError
from toolglot.runtime.bridge.compilation import Compiled

TEXT, INTEGER = {"type": "string"}, {"type": "integer"}


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def offered(inputs: Any, provider: str, strict: bool = False) -> tuple[Any, set[str]]:
    """The schema that a provider gets, and the actions of the report on it."""
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), provider, strict=strict)
    schema = compiled.offers["x"].fitted
    actions = {change.action for change in compiled.report.changes if "/inputs" in change.path}
    return schema.schema if schema else None, actions


def program(*children: Tool) -> Tool:
    return Tool(id="p", children=children)


# -- one definition a program ------------------------------------------------------------------------------------


def as_action(tool: Tool, provider: str = "openai", strict: bool = False) -> Compiled:
    return toolglot.compile(tool, provider, strict=strict, flatten="action")


def test_no_argument_can_choose_another_command() -> None:
    open_command = Tool(id="a", inputs={"type": "object", "additionalProperties": TEXT})
    compiled = as_action(program(open_command, Tool(id="b", destructive=True)))
    with pytest.raises(FitError) as caught:
        compiled.encode("p", {"action": "b"}, ("p", "a"))
    assert caught.value.code == "not-expressible"


@pytest.mark.parametrize("strict", [False, True])
def test_commands_of_one_name_stay_apart(strict: bool) -> None:
    nested = Tool(id="a", children=(Tool(id="b", destructive=True),))
    compiled = as_action(program(Tool(id="a/b"), nested, Tool(id=""), Tool(id="p")), strict=strict)
    for leaf in compiled.offers["p"].behind:
        assert compiled.resolve("p", compiled.encode("p", {}, leaf.path)).path == leaf.path


def test_arguments_of_a_command_come_home_through_its_own_codec() -> None:
    one = Tool(id="one", inputs={**fields(m={"type": "object", "additionalProperties": TEXT}), "required": ["m"]})
    other = Tool(id="other", inputs={**fields(m=TEXT, n={"type": "integer"}), "required": ["m"]})
    compiled = as_action(program(one, other), strict=True)
    assert compiled.tools["p"].mode == "strict"
    sent = compiled.encode("p", {"m": {"k": "v"}}, ("p", "one"))
    assert sent == {"action": "one", "m": [{"key": "k", "value": "v"}], "n": None}
    before = json.dumps(sent)
    assert compiled.resolve("p", sent).arguments == {"m": {"k": "v"}}
    assert json.dumps(sent) == before
    assert compiled.resolve("p", {"action": "other", "m": "v", "n": None}).arguments == {"m": "v"}


REFERENCES: dict[str, dict[str, Any]] = {
    "to a definition called whole": {"properties": {"b": {"$ref": "#/$defs/whole"}}, "$defs": {"whole": INTEGER}},
    "to a property": {"properties": {"a": INTEGER, "b": {"$ref": "#/properties/a"}}},
    "to an anchor": {"properties": {"b": {"$ref": "#n"}}, "$defs": {"p": {"$anchor": "n", **INTEGER}}},
    "below an id": {"$id": "x:y", "properties": {"b": {"$ref": "#/$defs/p"}}, "$defs": {"p": INTEGER}},
}


@for_each("name", REFERENCES)
@pytest.mark.parametrize("provider", ["mcp", "openai"])
def test_the_references_of_a_command_lead_to_the_same_in_the_whole(name: str, provider: str) -> None:
    tool = program(Tool(id="a", inputs={"type": "object", **REFERENCES[name]}), Tool(id="b"))
    accepts = Draft202012Validator(as_action(tool, provider).offers["p"].schema or {}).is_valid
    assert accepts({"action": "a", "b": 1})
    assert not accepts({"action": "a", "b": "x"})


OF_ALL_KEYS: list[dict[str, Any]] = [
    {"minProperties": 1, "maxProperties": 1}, {"propertyNames": {"maxLength": 2}}, {"additionalProperties": False},
    {"unevaluatedProperties": False}, {"patternProperties": {"^act": False}},
]  # fmt: skip


@for_each("rule", OF_ALL_KEYS)
def test_the_parameter_that_chooses_breaks_no_rule_of_a_command_about_its_keys(rule: dict[str, Any]) -> None:
    plain = {**fields(n={"type": "integer"}), **rule}
    other = {**fields(m=TEXT), "required": ["m"], "additionalProperties": False}
    either = {"type": "object", "anyOf": [plain, other]}
    reference = {"type": "object", "$ref": "#/$defs/plain", "$defs": {"plain": plain}}
    for inputs in (plain, either, reference):
        compiled = as_action(program(Tool(id="a", inputs=inputs), Tool(id="b")), "mcp")
        sent = compiled.encode("p", {"n": 1}, ("p", "a"))
        assert Draft202012Validator(compiled.definitions[0]["inputSchema"]).is_valid(sent)
        assert compiled.resolve("p", sent).arguments == {"n": 1}


def test_what_a_command_leaves_out_can_be_sent_under_a_strict_schema_of_several() -> None:
    one = {**fields(n={"type": "integer"}, m=TEXT), "additionalProperties": False}
    other = {**fields(m=TEXT), "additionalProperties": False}
    compiled = as_action(program(Tool(id="a", inputs=one), Tool(id="b", inputs=other)), strict=True)
    sent = compiled.encode("p", {}, ("p", "a"))
    assert (sent, compiled.resolve("p", sent).arguments) == ({"action": "a", "n": None, "m": None}, {})


def test_examples_of_commands_are_calls_of_the_definition_that_stands_for_them() -> None:
    example = Example(title="One", input={"n": 1})
    command = Tool(id="a", inputs=fields(n={"type": "integer"}), examples=(example,))
    tool = program(command, Tool(id="b"))
    [definition] = toolglot.compile(tool, "openai", flatten="action", examples=True).definitions
    assert definition["function"]["description"].endswith('- One: {"action":"a","n":1}')


def test_an_option_of_a_program_that_nobody_binds_gives_way_to_a_parameter_of_its_name() -> None:
    tool = Tool(id="p", global_inputs=fields(b=TEXT), children=(Tool(id="c", inputs=fields(b={"type": "integer"})),))
    compiled = toolglot.compile(tool, "openai", with_globals=True)
    assert compiled.resolve("p_c", {"b": 1}).arguments == {"b": 1}
    conversion = toolglot.convert(toolglot.write(tool, "hub"), "openai", with_globals=True)
    reasons = [change.because for change in conversion.report.changes if change.fact == "global_inputs"]
    assert reasons == ["left to the host"]


def test_every_warning_of_a_long_program_is_kept() -> None:
    commands = [Tool(id=f"c{index}", description="d" * 80, destructive=index == 150 or None) for index in range(160)]
    [definition] = as_action(program(*commands)).definitions
    assert (
        "c150: " + "d" * 80 + " (⚠️ DESTRUCTIVE)"
        in definition["function"]["parameters"]["properties"]["action"]["description"]
    )
    assert definition["function"]["description"].endswith("[⚠️ DESTRUCTIVE]")


def test_a_command_that_cannot_be_expressed_does_not_spoil_the_others() -> None:
    deep: Any = TEXT
    for _ in range(150):
        deep = fields(a=deep)
    compiled = as_action(program(Tool(id="good"), Tool(id="deep", inputs=deep), Tool(id="text", inputs=TEXT)))
    assert [leaf.path[-1] for leaf in compiled.offers["p"].behind] == ["good"]
    excluded = [change for change in compiled.report.changes if change.action == "excluded"]
    assert {change.before for change in excluded} == {"p deep", "p text"}


def test_what_fitting_did_to_each_command_is_reported() -> None:
    inputs = {**fields(x={**TEXT, "maxLength": 3}), "required": ["x"]}
    compiled = as_action(program(Tool(id="a", inputs=inputs), Tool(id="b")), "gemini")
    widened = {change.path for change in compiled.report.changes if change.action == "widened"}
    assert {"/children/0/inputs", "/children/0/inputs/properties/x/maxLength", "/children/1/inputs"} <= widened


@for_each("arguments", [None, [], "x", {"action": 1}, {"action": "no"}, {}])
def test_a_call_without_a_command_is_refused(arguments: Any) -> None:
    with pytest.raises(Error) as caught:
        as_action(program(Tool(id="a"), Tool(id="b"))).resolve("p", arguments)
    assert isinstance(caught.value, UsageError | FitError)


# -- one bad tool never spoils the request -----------------------------------------------------------------------

CHAIN = {
    **fields(p={"$ref": "#/$defs/n0"}),
    "$defs": {**{f"n{i}": fields(q={"$ref": f"#/$defs/n{i + 1}"}) for i in range(400)}, "n400": TEXT},
}
SIBLINGS = {
    **fields(p={"$ref": "#/$defs/n0", "required": ["x1"]}),
    "$defs": {
        f"n{i}": fields(**{f"x{j}": {"$ref": f"#/$defs/n{j}", "minProperties": 1} for j in range(9)}) for i in range(9)
    },
}
TUPLE = fields(t={"type": "array", "prefixItems": [fields(**{f"p{i}": TEXT}) for i in range(1_000)]})
ALTERNATIVES = fields(
    v={"anyOf": [fields(**{f"p{i}": {"type": "object", "additionalProperties": TEXT}}) for i in range(300)]}
)


AWKWARD = {"chain": CHAIN, "siblings": SIBLINGS, "tuple": TUPLE, "union": ALTERNATIVES}
OFFERS = [("openai", True), ("anthropic", False), ("gemini", True), ("gemini@parameters", False)]


@pytest.mark.parametrize(("provider", "strict"), OFFERS)
@pytest.mark.usefixtures("no_garbage")
def test_awkward_schemas_are_offered_or_excluded_in_time(provider: str, strict: bool) -> None:
    for name in sample([*AWKWARD], len(AWKWARD), OFFERS.index((provider, strict))):
        offer_in_time(AWKWARD[name], provider, strict)


def offer_in_time(schema: Any, provider: str, strict: bool) -> None:
    begin = time.thread_time()
    compiled = toolglot.compile([Tool(id="good"), Tool(id="x", inputs=schema)], provider, strict=strict)
    assert compiled.tools["good"].mode != "excluded"
    assert compiled.tools["x"].mode != "excluded" or compiled.tools["x"].reason
    assert time.thread_time() - begin < 30


def test_own_definitions_of_one_name_become_two_names() -> None:
    several = [toolglot.read_one(own("ls", text)) for text in ("List.", "List it.")]
    compiled = toolglot.compile(several, "openai")
    names = [definition["function"]["name"] for definition in compiled.definitions]
    assert len(set(names)) == 2
    assert set(names) == set(compiled.tools)


def own(name: str, description: str) -> dict[str, Any]:
    function = {"name": name, "description": description, "parameters": {**fields(), "required": []}}
    return {"type": "function", "function": function}


def test_a_definition_in_another_version_of_its_provider_obeys_that() -> None:
    source = {"functionDeclarations": [{"name": "ls", "parametersJsonSchema": {**fields(), "patternProperties": {}}}]}
    written = toolglot.convert(source, "gemini@parameters").text
    assert not provider_findings(written)


REFUSED_DEFINITIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "oneOf": ("openai", {"oneOf": [{"type": "string"}, {"type": "integer"}]}),
    "items, strict": ("openai", {"type": "array"}),
    "an untyped enum of numbers": ("gemini", {"enum": [1, 2]}),
    "formats": ("gemini", {"type": "string", "format": "uri"}),
    "an open object, strict": ("anthropic", {"type": "object", "properties": {"b": {"type": "string"}}}),
}


@for_each("name", REFUSED_DEFINITIONS)
def test_what_check_advises_about_a_refused_definition_is_enough(name: str) -> None:
    provider, schema = REFUSED_DEFINITIONS[name]
    inputs = fields(a=schema)
    sources: dict[str, dict[str, Any]] = {
        "openai": {"type": "function", "function": {"name": "ls", "parameters": inputs, "strict": "strict" in name}},
        "gemini": {"functionDeclarations": [{"name": "ls", "parameters": inputs}]},
        "anthropic": {"name": "ls", "input_schema": inputs, "strict": "strict" in name},
    }
    refusals = provider_findings(sources[provider])
    assert refusals
    for advice in {re.search("`toolglot convert --to (.*) --profile (.*)`", found.message) for found in refusals}:
        assert advice is not None
        written = toolglot.convert(sources[provider], advice[1], profile=advice[2])
        assert not provider_findings(written.text)


def provider_findings(source: Any) -> list[Any]:
    return [found for found in toolglot.check(source) if found.code.startswith("provider-")]


def test_a_request_over_the_limit_is_reported() -> None:
    compiled = toolglot.compile([Tool(id=f"t{index}") for index in range(130)], "openai")
    [change] = [change for change in compiled.report.changes if not change.path]
    assert (change.code, change.category) == ("over-budget", Category.LOST)
    assert "a request takes at most 128 tools" in "\n".join(text_report(compiled.report))


def test_a_tool_that_is_loose_for_the_others_says_what_a_request_may_have() -> None:
    tools = [Tool(id=f"t{index}", inputs=fields()) for index in range(21)]
    compiled = toolglot.compile(tools, "anthropic", strict=True)
    reasons = [exposed.reason for exposed in compiled.tools.values()]
    why = "with the strict tools before it the request would have more than 20 strict tools [budget]"
    assert reasons == [None] * 20 + [why]


# -- meaning -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", ["gemini", "gemini@parameters"])
def test_keys_of_patterns_that_are_said_in_words_stay_possible(provider: str) -> None:
    patterns = {"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False}
    schema, actions = offered(fields(v=patterns), provider)
    assert "additionalProperties" not in schema["properties"]["v"]
    assert "widened" in actions


def test_a_union_beside_unevaluated_properties_stays_possible() -> None:
    branches = [{**fields(a=TEXT), "required": ["a"]}, {**fields(b=TEXT), "required": ["b"]}]
    closed = {"type": "object", "anyOf": branches, "unevaluatedProperties": False}
    schema, actions = offered(fields(v=closed), "gemini@parameters")
    assert "No value" not in json.dumps(schema)
    assert "widened" in actions


@pytest.mark.parametrize("pairs", [[{"key": "a", "value": 1}], 5])
def test_a_list_of_pairs_holds_no_declared_key_and_nothing_else(pairs: Any) -> None:
    inputs = {**fields(a=TEXT), "additionalProperties": {"type": "integer"}}
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "openai", strict=True)
    with pytest.raises(FitError):
        compiled.decode("x", {"a": None, "additional_properties": pairs})


@pytest.mark.parametrize("pattern", ["^[a-z]+$", "[[:alpha:]]"])  # Python warns of the second
def test_threads_leave_the_warnings_of_a_process_alone(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filters = list(warnings.filters)
    other = Thread(target=is_accepted, args=(pattern, "python"))
    other_is_inside, this_has_left = Event(), Event()

    def compile_one_within_the_other(text: str, flags: int = 0) -> None:
        if current_thread() is other:
            other_is_inside.set()
            this_has_left.wait()
        else:
            other.start()
            other_is_inside.wait(0.1)

    monkeypatch.setattr(re, "compile", compile_one_within_the_other)
    assert is_accepted(pattern, "python")
    this_has_left.set()
    other.join()
    assert warnings.filters == filters


def test_renamed_keys_leave_no_rule_behind_that_names_the_old_ones() -> None:
    inputs = {**fields(**{"a b": TEXT, "c": TEXT}), "if": {"required": ["a b"]}, "then": {"required": ["c"]}}
    schema, actions = offered(inputs, "anthropic")
    assert "if" not in schema
    assert {"widened", "encoded"} <= actions


@pytest.mark.parametrize("said", ["1e999", "NaN", '"\\ud800"', "not JSON"])
def test_json_text_never_becomes_what_json_cannot_say(said: str) -> None:
    compiled = toolglot.compile(Tool(id="x", inputs=fields(v={})), "gemini@parameters")
    assert compiled.decode("x", {"v": said}) == {"v": said}


SAYS_NOTHING: list[dict[str, Any]] = [
    {"type": "object", "additionalProperties": TEXT, "propertyNames": TEXT},  # as zod writes every map
    {"type": "array", "items": TEXT, "uniqueItems": False},
    {"type": "string", "minLength": 0},
]


@for_each("schema", SAYS_NOTHING)
@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "gemini@parameters"])
def test_a_keyword_that_says_nothing_is_not_lost_where_the_target_has_no_place_for_it(
    schema: dict[str, Any], target: str
) -> None:
    keyword = list(schema)[-1]
    report = toolglot.convert({"name": "a", "inputSchema": fields(a=schema)}, target, strict=True).report
    of_keyword = {change.action for change in report.changes if change.path.endswith(f"/{keyword}")}
    assert of_keyword <= {"renamed"}


def test_exclusive_bounds_win_whatever_their_order() -> None:
    for bounds in ({"exclusiveMinimum": 10, "minimum": 5}, {"minimum": 5, "exclusiveMinimum": 10}):
        schema, _ = offered(fields(n={"type": "integer", **bounds}), "gemini@parameters")
        assert schema["properties"]["n"]["minimum"] == 11


def test_bounds_beside_values_that_are_said_in_words_stay() -> None:
    schema, _ = offered(fields(n={"type": "integer", "enum": [1, 5], "maximum": 3}), "gemini@parameters")
    assert (schema["properties"]["n"]["minimum"], schema["properties"]["n"]["maximum"]) == (1, 3)


def test_a_required_key_that_has_no_property_holds_what_other_keys_hold() -> None:
    for others in ({"type": "integer"}, {}):
        inputs = {"type": "object", "required": ["a"], "additionalProperties": others}
        assert offered(inputs, "gemini")[0]["properties"] == {"a": others}
    _, actions = offered({**fields(b=TEXT), "required": ["a"], "additionalProperties": False}, "gemini")
    assert "widened" in actions


def test_what_stands_beside_a_reference_is_said() -> None:
    inputs = {
        **fields(v={"minLength": 1, "anyOf": [{"$ref": "#/$defs/s", "pattern": "z$"}, {"type": "null"}]}),
        "$defs": {"s": {"type": "string", "pattern": "^a"}},
    }
    for provider, strict in (("openai", True), ("anthropic", True), ("gemini@parameters", False), ("gemini", False)):
        schema, _ = offered(inputs, provider, strict)
        assert "z$" in json.dumps(schema), provider


def test_a_definition_stays_strict_in_another_shape() -> None:
    parameters = {**fields(a=TEXT), "required": ["a"], "additionalProperties": False}
    function = {"name": "x", "description": "X.", "parameters": parameters, "strict": True}
    found = toolglot.convert({"type": "function", **function}, "openai@chat")
    assert json.loads(found.text)["tools"] == [{"type": "function", "function": function}]
    assert found.report.losses == ()


@pytest.mark.parametrize("shape", [{"name": "sh"}, {"custom": {"name": "sh"}}])
def test_the_free_text_of_a_custom_tool_is_a_parameter_elsewhere(shape: dict[str, Any]) -> None:
    definition = {"type": "custom", **shape}
    [tool] = toolglot.read([definition], "openai")
    compiled = toolglot.compile(tool, "anthropic")
    assert compiled.definitions[0]["input_schema"]["required"] == ["input"]
    assert compiled.decode("sh", {"input": "ls"}) == {"input": "ls"}
    assert toolglot.compile(tool, "openai").definitions == [definition]


def test_the_order_of_properties_stays_under_their_new_names() -> None:
    inputs = {**fields(**{"a b": TEXT}, c=False), "propertyOrdering": ["a b", "c"]}
    assert offered(inputs, "gemini@parameters")[0]["propertyOrdering"] == ["a_b"]
    assert offered(inputs, "gemini")[0]["propertyOrdering"] == ["a b"]


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_a_constant_of_another_type_is_said_in_words(provider: str) -> None:
    schema, _ = offered(fields(v={"type": "string", "const": 0}), provider)
    assert (schema["properties"]["v"]["type"], schema["properties"]["v"]["description"]) == ("string", "Must be 0.")
    assert "const" not in schema["properties"]["v"]


@for_each(
    ("schema", "default", "examples"),
    [
        ({"type": "boolean", "default": "false"}, False, None),
        ({"type": "integer", "examples": ["3", 4, "many"]}, None, [3, 4, "many"]),
        ({"type": "string", "default": 7, "examples": [1.5, "a"]}, "7", ["1.5", "a"]),
        ({"type": "array", "items": TEXT, "examples": ['["a"]']}, None, [["a"]]),
        ({"type": ["integer", "null"], "default": "3"}, 3, None),
        # What nobody can read, what is of a type as it stands, and null, which says nothing.
        ({"type": "number", "default": "NaN", "examples": ["1e999"]}, "NaN", ["1e999"]),
        ({"type": ["string", "boolean"], "default": "false"}, "false", None),
        ({"type": "string", "default": None, "examples": [None]}, None, [None]),
        ({"type": "number", "default": 1}, 1, None),
        ({"type": "string", "default": False, "examples": [{"a": 1}]}, False, [{"a": 1}]),  # for none, mostly
    ],
)  # fmt: skip
def test_values_that_a_model_copies_are_as_the_type_has_them(schema: Any, default: Any, examples: Any) -> None:
    fitted, actions = offered(fields(a=schema), "openai")
    shown = fitted["properties"]["a"]
    assert repr((shown.get("default"), shown.get("examples"))) == repr((default, examples))
    assert ("renamed" in actions) == (schema != shown)


def test_a_title_is_told_in_any_script() -> None:
    schema, _ = offered({**fields(a=TEXT), "title": "サイズ"}, "gemini")
    assert schema["description"] == "サイズ."


@pytest.mark.parametrize("target", [name for name in formats.names() if formats.get(name).provider.profiles])
def test_both_descriptions_are_told(target: str) -> None:
    inputs = fields(
        v={"description": "Outer.", "anyOf": [{"type": "string", "description": "Inner."}, {"type": "null"}]}
    )
    schema, _ = offered(inputs, target)
    assert "Outer." in json.dumps(schema)
    assert "Inner." in json.dumps(schema)


def test_a_foreign_type_is_no_schema_for_anybody() -> None:
    schema, _ = offered({"type": "object", "properties": {"a": {"type": "float"}}}, "mcp")
    assert schema["properties"]["a"] == {"type": "number"}


def test_what_is_widened_in_a_definition_is_not_turned_around_where_it_is_denied() -> None:
    inputs = {
        **fields(a={"$ref": "#/$defs/d"}, b={"not": {"$ref": "#/$defs/d"}}, c={"oneOf": [{"$ref": "#/$defs/d"}]}),
        "$defs": {"d": {"type": "string", "pattern": r"^\p{L}$"}},
    }
    schema, actions = offered(inputs, "openai")
    assert "not" not in schema["properties"]["b"]
    assert "widened" in actions


def test_steps_of_a_definition_stay_when_its_use_is_said_in_words() -> None:
    inputs = {
        **fields(a={"not": {"$ref": "#/$defs/d"}}, b={"$ref": "#/$defs/d"}),
        "$defs": {"d": {"type": "string", "pattern": r"^\p{L}$"}},
    }
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "openai")
    assert "/inputs/$defs/d/pattern" in {change.path for change in compiled.report.changes}


def test_a_key_that_is_renamed_is_renamed_in_every_copy_of_the_root() -> None:
    node = {"allOf": [fields(), {**fields(more={"type": "array", "items": {"$ref": "#"}}), "required": ["more"]}]}
    inputs = {**fields(**{"a b": {"anyOf": [node]}}), "additionalProperties": False}
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "anthropic")
    innermost: list[Any] = []
    arguments = {"a b": {"more": [{"a b": {"more": innermost}}]}}
    assert compiled.decode("x", compiled.encode("x", arguments)) == arguments


def test_keys_of_a_pattern_come_home_beside_a_reference() -> None:
    keys = {"^c": {"type": "integer"}}
    group = {**fields(a={"$ref": "#/$defs/a"}), "patternProperties": keys, "additionalProperties": False}
    inputs = {**fields(**{"a b": group}), "$defs": {"a": TEXT}}
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "anthropic")
    arguments = {"a b": {"a": "x", "c": 1}}
    assert compiled.decode("x", compiled.encode("x", arguments)) == arguments


def test_keys_of_a_pattern_that_is_said_in_words_are_not_refused() -> None:
    group = {"type": "object", "patternProperties": {"^c": {"$ref": "#/$defs/a"}}, "additionalProperties": False}
    inputs = {**fields(**{"a b": group}), "$defs": {"a": TEXT}}
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "anthropic")
    arguments = {"a b": {"c": "x"}}
    assert compiled.decode("x", compiled.encode("x", arguments)) == arguments


def test_what_a_keyword_in_words_looks_at_is_evaluated() -> None:
    contains = {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}}
    items = {"type": "array", "contains": contains, "unevaluatedItems": TEXT}
    compiled = toolglot.compile(Tool(id="x", inputs={**fields(**{"a b": items}), "$defs": {"b": TEXT}}), "anthropic")
    arguments = {"a b": [{"b": "x"}]}
    assert compiled.decode("x", compiled.encode("x", arguments)) == arguments


def test_a_property_that_only_the_alternatives_of_the_root_require_may_not_hold_the_root_without_end() -> None:
    inputs = {**fields(a={"type": "array", "items": {"$ref": "#"}}), "anyOf": [{"required": ["a"]}]}
    schema, _ = offered(inputs, "gemini")
    assert "$ref" not in json.dumps(schema)


@for_each("provider", ["openai", "anthropic"])
def test_what_alternatives_look_at_is_evaluated(provider: str) -> None:
    alternatives = [{"properties": {"b": TEXT}}, {"prefixItems": [TEXT]}]
    for keyword, value in (("unevaluatedProperties", {"b": "x"}), ("unevaluatedItems", ["x"])):
        schema, _ = offered(fields(a={"anyOf": alternatives, keyword: False}), provider)
        assert Draft202012Validator(schema).is_valid({"a": value})


def test_an_empty_text_among_values_keeps_what_else_is_said_of_them() -> None:
    schema, _ = offered(fields(a={"type": "string", "enum": ["", "b", "cc"], "maxLength": 1}), "gemini@parameters")
    judge = Draft202012Validator(schema["properties"]["a"])
    assert [value for value in ("", "b", "cc") if judge.is_valid(value)] == ["", "b"]


@for_each("provider", ["openai", "anthropic", "gemini"])
@for_each("type_", [{"type": ["string", "null"]}, {"anyOf": [TEXT, {"type": "null"}]}])
def test_that_null_is_the_default_is_neither_said_nor_lost(provider: str, type_: dict[str, Any]) -> None:
    for strict in (False, True):
        schema, actions = offered(fields(region={**type_, "default": None}), provider, strict)
        assert "default" not in json.dumps(schema).lower()
        assert actions.isdisjoint({"described", "dropped"})


def test_values_that_null_is_none_of_can_be_left_out() -> None:
    inputs = {**fields(unit={"type": ["string", "null"], "enum": ["c", "f"]}), "additionalProperties": False}
    compiled = toolglot.compile(Tool(id="x", inputs=inputs), "openai", strict=True)
    assert compiled.encode("x", {}) == {"unit": None}
    assert compiled.definitions[0]["function"]["parameters"]["properties"]["unit"]["enum"] == ["c", "f", None]


def test_arguments_as_one_text_are_held_to_no_rule_about_their_keys() -> None:
    inputs = {"type": "object", "additionalProperties": {"type": "integer"}}
    report = toolglot.compile(Tool(id="x", inputs=inputs), "gemini@parameters", profile="vertex").report
    assert [change.action for change in report.changes if change.path == "/inputs/additionalProperties"] == ["widened"]


WITHOUT_NAMES: list[tuple[dict[str, Any], str]] = [
    ({"unevaluatedProperties": TEXT}, "Values: string."),
    ({"additionalProperties": True, "maxProperties": 3}, "At most 3 properties."),
    ({"minProperties": 1}, "At least 1 property."),
    ({"additionalProperties": True, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "At least one of a and b"),
]


@for_each(("keywords", "words"), WITHOUT_NAMES)
def test_what_a_root_without_names_asks_is_said_with_its_text(keywords: dict[str, Any], words: str) -> None:
    schema, actions = offered({"type": "object", **keywords}, "gemini@parameters")
    assert words in schema["properties"]["arguments"]["description"]
    assert "widened" in actions


def test_the_description_of_a_schema_that_is_not_written_is_lost() -> None:
    closed = {"type": "object", "additionalProperties": False}
    schema, actions = offered({**closed, "description": "Careful."}, "gemini@parameters")
    assert schema is None
    assert "dropped" in actions


PROVIDERS = for_each("provider", ["openai", "anthropic", "gemini", "mcp"])
LOOSE_AND_STRICT = for_each("options", [{}, {"strict": True}])


@PROVIDERS
@LOOSE_AND_STRICT
def test_titles_that_only_repeat_a_name_can_be_left_out(provider: str, options: Any) -> None:
    """What they were is told as a change of words, and calls come home as ever."""
    properties = {"sort": {"title": "Sort", "type": "string"}, "to": {"title": "Where it goes", "type": "string"}}
    inputs = {"title": "stockArguments", "type": "object", "properties": properties, "required": ["sort", "to"]}
    record = {"name": "stock", "description": "Say what is left.", "inputSchema": inputs}
    conversion = toolglot.convert(record, provider, source="mcp", compact=True, **options)
    text = conversion.files[0][1]
    assert not re.search(r"Sort|stockArguments", text)
    assert "Where it goes" in text
    gone = [change for change in conversion.report.changes if change.path.endswith("/title")]
    assert {change.action for change in gone if "properties/to" not in change.path} == {"renamed"}
    [tool] = toolglot.read(record)
    compiled = toolglot.compile(tool, provider, compact=True, **options)
    assert compiled.resolve("stock", {"sort": "a", "to": "b"}).arguments == {"sort": "a", "to": "b"}


@PROVIDERS
@LOOSE_AND_STRICT
def test_keywords_that_tell_a_model_nothing_can_be_left_out(provider: str, options: Any) -> None:
    """`tokens` counts what that saves; the same calls are taken as before."""
    idle = {"$comment": "For us.", "deprecated": False, "readOnly": False, "default": None, "description": ""}
    inputs = {"type": "object", "properties": {"sort": {"type": "string", **idle}}, "required": []}
    open_inputs = {**inputs, "additionalProperties": True}
    for schema, arguments in ((inputs, {"sort": "a"}), (open_inputs, {"sort": "a", "more": 1})):
        record = {"name": "stock", "description": "Say what is left.", "inputSchema": schema}
        conversion = toolglot.convert(record, provider, source="mcp", compact=True, **options)
        assert not re.search(r'"(\$comment|deprecated|readOnly|default)"|"description": ""', conversion.files[0][1])
        changes = {change.path.rpartition("/")[2]: change.action for change in conversion.report.changes}
        assert [changes[keyword] for keyword in idle] == ["dropped", *["renamed"] * 4]
        [tool] = toolglot.read(record)
        compiled = toolglot.compile(tool, provider, compact=True, **options)
        assert compiled.resolve("stock", compiled.encode("stock", arguments)).arguments == arguments
        assert compiled.offers["stock"].mode == toolglot.compile(tool, provider, **options).offers["stock"].mode
    saved = {saving.option: saving.tokens for saving in toolglot.count_tokens(tool, provider, **options).savings}
    assert saved.get("compact", 0) > 10 or provider == "gemini"  # whose definitions never have any of them
