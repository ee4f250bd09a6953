"""Python functions as tools: what their signatures, docstrings and stated facts become, and how calls reach them."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import math
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal

import msgspec
import pytest
from pydantic import AwareDatetime, BaseModel, Field, NaiveDatetime
from typing_extensions import Doc, TypedDict, deprecated

import toolglot
from rows import for_each
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import UNSAFE, caution
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema.arguments import Schema
from toolglot.errors import Error, ToolFailure, UsageError
from toolglot.functions import ToolFunction, runner
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.functions import tool_function
from toolglot.runtime.functions.definitions import Facts
from untyped import untyped

CLOSED = {"type": "object", "additionalProperties": False}


class Note(BaseModel):
    title: str = Field(description="What it is called.")
    lines: list[str] = []


@dataclasses.dataclass
class Size:
    width: int
    height: int = 1


class Place(TypedDict):
    city: str


class Database:
    """Something that only a host has."""


# -- signatures ---------------------------------------------------------------------------------------------------


def plain(text: str, most: int = 3, *, exact: bool = False) -> list[str]:
    return []


def fail() -> int:
    raise RuntimeError("nobody calls")


def positional(first: int, /, second: int = 2, *rest: float) -> Any: ...
def open_ended(name: str, **labels: int) -> None: ...
def nothing() -> None: ...
def unannotated(value: Any, other: Any = None) -> Any: ...
def bounded(count: Annotated[int, Field(ge=1, description="How many.")] = 1) -> Any: ...
def in_default(count: int = Field(default=4, le=9)) -> Any: ...
def factory_made(count: int = Field(default_factory=fail)) -> Any: ...
def noted(count: Annotated[int, "How many."]) -> Any: ...
def chosen(mode: Literal["a", "b"] | None = None) -> Any: ...
def wrong_default(count: int = untyped("many")) -> Any: ...
def of_model(note: Note) -> Any: ...
def of_dataclass(size: Size, place: Place) -> Any: ...
async def waiting(text: str) -> Any: ...
def injected(store: Annotated[Database, toolglot.Context], text: str) -> None: ...


unannotated.__annotations__.clear()


DEFINITIONS_OF_NOTE = {
    "Note": {
        "properties": {
            "title": {"description": "What it is called.", "type": "string"},
            "lines": {"default": [], "items": {"type": "string"}, "type": "array"},
        },
        "required": ["title"],
        "title": "Note",
        "type": "object",
    }
}
INPUTS: dict[Callable[..., Any], dict[str, Any]] = {
    plain: {
        "properties": {
            "text": {"type": "string"},
            "most": {"default": 3, "type": "integer"},
            "exact": {"default": False, "type": "boolean"},
        },
        "required": ["text"],
    },
    positional: {
        "properties": {
            "first": {"type": "integer"},
            "second": {"default": 2, "type": "integer"},
            "rest": {"items": {"type": "number"}, "type": "array"},
        },
        "required": ["first"],
    },
    open_ended: {
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": {"type": "integer"},
    },
    nothing: {"properties": {}},
    unannotated: {"properties": {"value": {}, "other": {"default": None}}, "required": ["value"]},
    bounded: {"properties": {"count": {"default": 1, "type": "integer", "minimum": 1, "description": "How many."}}},
    in_default: {"properties": {"count": {"default": 4, "type": "integer", "maximum": 9}}},
    factory_made: {"properties": {"count": {"type": "integer"}}},
    noted: {"properties": {"count": {"type": "integer", "description": "How many."}}, "required": ["count"]},
    chosen: {
        "properties": {"mode": {"default": None, "anyOf": [{"enum": ["a", "b"], "type": "string"}, {"type": "null"}]}}
    },
    wrong_default: {"properties": {"count": {"type": "integer"}}},
    of_model: {
        "properties": {"note": {"$ref": "#/$defs/Note"}},
        "required": ["note"],
        "$defs": DEFINITIONS_OF_NOTE,
    },
    waiting: {"properties": {"text": {"type": "string"}}, "required": ["text"]},
    injected: {"properties": {"text": {"type": "string"}}, "required": ["text"]},
}


@for_each(("function", "expected"), INPUTS.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_a_signature_is_the_schema_of_the_arguments(function: Callable[..., Any], expected: dict[str, Any]) -> None:
    assert toolglot.tool(function).contract.inputs == {**CLOSED, **expected}


def test_two_types_of_one_name_are_two_definitions() -> None:
    class Note(BaseModel):
        pages: int

    outer = globals()["Note"]

    def both(one: Any, other: Any) -> Any: ...

    both.__annotations__ = {"one": outer, "other": Note}
    inputs = toolglot.tool(both).contract.inputs
    assert inputs is not None
    assert len(inputs["$defs"]) == 2
    schema = Schema(inputs)
    assert list(schema.faults({"one": {"title": "a"}, "other": {"pages": 1}})) == []
    assert list(schema.faults({"one": {"pages": 1}, "other": {"title": "a"}})) != []


OUTPUTS: dict[str, tuple[dict[str, Any], Any]] = {
    "unstated": ({}, None),
    "anything": ({"return": Any}, None),
    "nothing": ({"return": None}, {"type": "null"}),
    "a list": ({"return": list[str]}, {"type": "array", "items": {"type": "string"}}),
    "no JSON": ({"return": Database}, None),
    "a moment that may have no zone": ({"return": datetime}, {"type": "string"}),
    "a moment that has none": ({"return": NaiveDatetime}, {"type": "string"}),
    "a moment that has one": ({"return": AwareDatetime}, {"type": "string", "format": "date-time"}),
    "times that may have no zone": ({"return": list[time]}, {"type": "array", "items": {"type": "string"}}),
    "a day": ({"return": date}, {"type": "string", "format": "date"}),
}


@for_each(("annotations", "expected"), OUTPUTS.values(), ids=OUTPUTS)
def test_the_type_of_the_result_is_the_schema_of_the_outputs(annotations: dict[str, Any], expected: Any) -> None:
    def work() -> Any: ...

    work.__annotations__ = annotations
    assert toolglot.tool(work).contract.outputs == expected


def test_a_moment_is_asked_for_as_one() -> None:
    def wake(at: datetime) -> None: ...

    inputs = toolglot.tool(wake).contract.inputs
    assert inputs is not None
    assert inputs["properties"] == {"at": {"type": "string", "format": "date-time"}}


# -- what frameworks and hosts inject -----------------------------------------------------------------------------


def framework_class(module: str, name: str) -> type:
    """A class as a framework has it, which need not be installed: only its names count."""
    return type(name, (), {"__module__": module})


INJECTED: dict[str, Any] = {
    "marked": Annotated[Database, toolglot.Context],
    "marked with an instance": Annotated[Database, toolglot.Context()],
    "optional": Annotated[Database, toolglot.Context] | None,
    "pydantic-ai": framework_class("pydantic_ai._run_context", "RunContext"),
    "openai-agents": framework_class("agents.run_context", "RunContextWrapper"),
    "openai-agents, below": type("ToolContext", (framework_class("agents.run_context", "RunContextWrapper"),), {}),
    "langchain": framework_class("langchain_core.runnables.config", "RunnableConfig"),
    "langchain, marked": Annotated[str, framework_class("langchain_core.tools.base", "InjectedToolArg")],
    "fastmcp": framework_class("fastmcp.server.context", "Context"),
    "MCP": framework_class("mcp.server.mcpserver.context", "Context"),
    "google-adk": framework_class("google.adk.tools.tool_context", "ToolContext"),
}


@for_each("annotation", INJECTED.values(), ids=INJECTED)
def test_what_the_host_gives_is_no_input(annotation: Any) -> None:
    def work(given: Any, text: Any) -> Any: ...

    work.__annotations__ = {"given": annotation, "text": str}
    contract = toolglot.tool(work).contract
    assert list((contract.inputs or {})["properties"]) == ["text"]
    assert contract.context == {"type": "object", "properties": {"given": {}}, "required": ["given"]}


def test_a_default_of_a_framework_is_injected() -> None:
    depends = framework_class("uncalled_for.functional", "Dependency")()

    def work(text: str, store: Any = depends) -> None: ...

    assert toolglot.tool(work).contract.context == {"type": "object", "properties": {"store": {}}}


def test_a_class_that_is_only_called_so_is_an_input() -> None:
    own = type("Context", (BaseModel,), {"__module__": "shop.orders"})

    def work(order: Any) -> Any: ...

    work.__annotations__ = {"order": own}
    assert toolglot.tool(work).contract.context is None


# -- docstrings ---------------------------------------------------------------------------------------------------

GOOGLE = """Send a mail.

It leaves at once.

Args:
    to (str): whom it goes to,
        as an address.
    *copies: who else reads it.

Returns:
    How many got it.

Raises:
    ValueError: no such address.

Warning:
    It cannot be called back.

Examples:
    >>> send("a@example.org")
    1
"""
NUMPY = """Send a mail.

It leaves at once.

Parameters
----------
to : str
    whom it goes to,
    as an address.
copies : str
    who else reads it.

Returns
-------
int
    How many got it.

Raises
------
ValueError
    no such address.
"""
SPHINX = """Send a mail.

It leaves at once.

:param to: whom it goes to,
    as an address.
:param copies: who else reads it.
:returns: How many got it.
:raises ValueError: no such address.
"""
STYLES = {"google": GOOGLE, "numpy": NUMPY, "sphinx": SPHINX}


def send(to: str, *copies: str) -> int:
    return 1


@pytest.mark.parametrize(("style", "text"), STYLES.items(), ids=STYLES)
def test_a_docstring_is_taken_apart(style: str, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    function = functools.wraps(send)(lambda to, *copies: 1)
    function.__doc__ = text
    contract = toolglot.tool(function).contract
    warned = "\n\nWarning: It cannot be called back." if style == "google" else ""
    assert contract.description == f"Send a mail.\n\nIt leaves at once.{warned}"
    assert contract.inputs is not None
    texts = {name: " ".join(one["description"].split()) for name, one in contract.inputs["properties"].items()}
    assert texts == {"to": "whom it goes to, as an address.", "copies": "who else reads it."}
    assert contract.outputs == {"description": "How many got it.", "type": "integer"}
    assert [(error.code, error.description) for error in contract.errors or ()] == [("ValueError", "no such address.")]
    assert bool(contract.guidance) == (style == "google")
    assert capfd.readouterr() == ("", "")  # griffe warns of what a docstring lacks


def score(page: int, *labels: str, **scores: int) -> str:
    """Score a page.

    Args:
        page: Which page.
        *labels: What to put on it.
        **scores: A number for each judge.
    """
    return ""


def collect_rest(page: int, **rest: Any) -> str:
    """Collect.

    Args:
        **rest: Whatever else there is.
    """
    return ""


def test_a_docstring_may_begin_with_a_section() -> None:
    function = functools.wraps(send)(lambda to, *copies: 1)
    function.__doc__ = """Args:
        to: whom it goes to,
            as an address.
        *copies: who else reads it.
    """
    contract = toolglot.tool(function).contract
    texts = {name: one["description"] for name, one in (contract.inputs or {})["properties"].items()}
    assert texts == {"to": "whom it goes to,\nas an address.", "copies": "who else reads it."}
    assert contract.description is None


# Each as it stands in a file; the first line of text is that of the docstring.
SHAPES = {
    "the first section begins the docstring": """Args:
        to: Whom it goes to.
    """,
    "and on a line of its own": """
    Args:
        to: Whom it goes to.
    """,
    "and in the style of NumPy": """
    Parameters
    ----------
    to : str
        Whom it goes to.
    """,
    "and in the style of Sphinx": """
    :param to: Whom it goes to.
    """,
    "no blank line above": """Send a mail.
    Args:
        to: Whom it goes to.
    Returns:
        How many got it.
    """,
    "a blank line below": """Send a mail.

    Args:

        to: Whom it goes to.

    Returns:

        How many got it.
    """,
    "words in the place of a type": """Send a mail.

    Parameters
    ----------
    to : str
        Whom it goes to.

    Returns
    -------
    How many
    got it.
    """,
    "nothing but one parameter": """Send a mail.

    :param to: Whom it goes to.
    """,
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_the_sections_of_a_docstring_stand_as_people_write_them(text: str) -> None:
    function = functools.wraps(send)(lambda to, *copies: 1)
    function.__doc__ = text
    contract = toolglot.tool(function).contract
    described = {**contract.inputs["properties"], "result": contract.outputs} if contract.inputs else {}
    texts = {name: one["description"] for name, one in described.items() if "description" in one}
    result = {"result": "How many got it."} if "Returns" in text else {}
    assert texts == {"to": "Whom it goes to.", **result}
    assert contract.description == ("Send a mail." if text.startswith("Send") else None)


def test_what_comes_out_is_said_of_a_function_that_names_no_type_for_it() -> None:
    def count(folder: str) -> None:
        """Count.

        Returns:
            How many there are.
        """

    del count.__annotations__["return"]
    contract = toolglot.tool(count).contract
    assert (contract.outputs, contract.success) == (None, "How many there are.")
    assert toolglot.tool(send).contract.success is None


def test_what_a_docstring_says_of_variadic_parameters_arrives() -> None:
    inputs = toolglot.tool(score).contract.inputs or {}
    assert inputs["properties"]["labels"]["description"] == "What to put on it."
    assert inputs["additionalProperties"] == {"description": "A number for each judge.", "type": "integer"}
    assert "A number for each judge." in toolglot.compile(toolglot.tool(score).contract, "openai").text
    inputs = toolglot.tool(collect_rest).contract.inputs or {}
    assert inputs["additionalProperties"] == {"description": "Whatever else there is."}


@pytest.mark.parametrize(
    "text",
    [
        "Dig.\n\nArgs:\n    depth (float, optional): In metres.\n    tool (str): With what.",
        "Dig.\n\nParameters\n----------\ndepth : float, optional\n    In metres.\ntool : str\n    With what.",
        "Dig.\n\n:param float depth: In metres.\n:param tool: With what.\n:type tool: str",
    ],
    ids=["google", "numpy", "sphinx"],
)
def test_the_type_that_a_docstring_gives_stands_in_the_text_where_no_annotation_says_it(text: str) -> None:
    def dig(tool: str, depth=1.0):  # type: ignore[no-untyped-def]
        pass

    dig.__doc__ = text
    properties = (toolglot.tool(dig).contract.inputs or {})["properties"]
    texts = {name: schema["description"] for name, schema in properties.items()}
    assert texts == {"tool": "With what.", "depth": "(float) In metres."}


def test_what_is_said_of_a_parameter_is_found_however_its_name_is_written() -> None:
    def send(to: Annotated[str, Doc("An address.")], *copies: str, times: int = 1, **options: Any) -> None:
        r"""Send it.

        Args:
            - to: Who gets it.
            - \*copies: Who else.
            times (int) : How often: "1" is once.
            - size: An option.
        """

    contract = toolglot.tool(send).contract
    texts = {name: one["description"] for name, one in (contract.inputs or {})["properties"].items()}
    assert texts == {"to": "An address.", "copies": "Who else.", "times": 'How often: "1" is once.'}
    assert contract.description == "Send it.\n\nsize: An option."


ITEMS = {
    "a type of several lines": """to (Literal["home",
            "work"], optional): Whom it goes to,
            as an address.""",
    "a type that closes on a line of its own": """to (dict[
            str, int
        ]): Whom it goes to,
            as an address.""",
    "a type with colons": """to (:obj:`str`, optional): Whom it goes to,
            as an address.""",
    "a dash": """to - Whom it goes to,
            as an address.""",
    "a type and two dashes": """to (str) -- Whom it goes to,
            as an address.""",
    "a line of its own": """to
            Whom it goes to,
            as an address.""",
    "and a type": """to (str)
            Whom it goes to,
            as an address.""",
    "marks for bold letters": """**to**: Whom it goes to,
            as an address.""",
    "marks for code and a type": """`to` (str): Whom it goes to,
            as an address.""",
    "a long dash in a list": """- to — Whom it goes to,
            as an address.""",
}


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_whatever_stands_between_a_parameter_and_its_text_the_text_arrives(item: str) -> None:
    function = functools.wraps(send)(lambda to, *copies: 1)
    function.__doc__ = f"""Send a mail (once - or: more).

    Args:
        {item}
        *copies: Who else (see
            the list): yes.

    Example of a format - not of a parameter.
    """
    contract = toolglot.tool(function).contract
    texts = {name: one["description"] for name, one in (contract.inputs or {})["properties"].items()}
    assert texts == {"to": "Whom it goes to,\nas an address.", "copies": "Who else (see\nthe list): yes."}
    assert contract.description == ("Send a mail (once - or: more).\n\nExample of a format - not of a parameter.")


def test_a_deprecated_function_says_what_to_use() -> None:
    @deprecated("Use send.")
    def mail() -> None:
        """Send it."""

    contract = toolglot.tool(mail).contract
    assert (contract.description, contract.deprecated) == ("Send it.\n\nDeprecated: Use send.", True)


def test_a_line_that_looks_like_a_title_of_another_style_changes_nothing() -> None:
    def dig(depth: float) -> None:
        """Dig a hole.

        Parameters
        ----------
        depth : float
            How deep.
            Warning: it is not measured.
        """

    inputs = toolglot.tool(dig).contract.inputs or {}
    assert inputs["properties"]["depth"]["description"] == "How deep.\nWarning: it is not measured."


def test_a_default_that_json_has_no_form_for_is_left_out() -> None:
    def dig(depth=math.inf, bounds=(-math.inf, 1)):  # type: ignore[no-untyped-def]
        pass

    assert toolglot.tool(dig).contract.inputs == {
        "type": "object",
        "properties": {"depth": {}, "bounds": {}},
        "additionalProperties": False,
    }


def test_a_docstring_may_be_longer_than_a_stated_description() -> None:
    def dig() -> None:
        pass

    dig.__doc__ = long = "Dig a hole. " * 300
    assert toolglot.tool(dig).contract.description == long.strip()
    with pytest.raises(UsageError, match="at most 2000 characters"):
        toolglot.tool(dig, description=long)


def test_the_warnings_of_a_docstring_are_statements() -> None:
    def purge() -> None:
        """Empty a folder. [⚠️ DESTRUCTIVE]"""

    contract = toolglot.tool(purge).contract
    assert (contract.description, contract.flags) == ("Empty a folder.", ("destructive",))
    assert caution(contract)["destructive"] == UNSAFE


def test_a_function_without_a_docstring_has_no_description() -> None:
    assert toolglot.tool(nothing).contract.description is None


# -- facts --------------------------------------------------------------------------------------------------------

FACTS: dict[str, tuple[Facts, dict[str, Any]]] = {
    "identity": ({"id": "mail.send", "name": "Send", "version": "1.2.0"}, {"id": "mail.send", "title": "Send"}),
    "mutates": ({"mutates": ["network:mail"]}, {"mutates": ("network:mail",), "approval": None}),
    "requires": (
        {"requires": {"network": ["a.example"], "secrets": ["key"], "tools": ["find"]}},
        {"hosts": ("a.example",), "secrets": ("key",), "calls": ("find",)},
    ),
    "care": (
        {"approval": "policy:mail", "risk_level": 2, "cost_class": "metered", "timeout_ms": 50, "idempotent": False},
        {"approval": "policy:mail", "risk_level": 2, "cost_class": "metered", "timeout_ms": 50, "idempotent": False},
    ),
    "retry": (
        {"retry": {"max_attempts": 2, "backoff": "fixed"}},
        {"retry": {"max_attempts": 2, "backoff": "fixed"}},
    ),
    "drivers": (
        {"driver_constraints": {"forbid": ("cli",)}, "default_implementation": "smtp"},
        {"driver_constraints": {"forbid": ["cli"]}, "default_implementation": "smtp"},
    ),
    "tags": ({"tags": ["mail"], "description": "Send it."}, {"tags": ("mail",), "description": "Send it."}),
    "effects": (
        {"destructive": False, "network": True, "deletes": ["mails"]},
        {"destructive": False, "network": True, "deletes": ("mails",)},
    ),
    "a standard action": ({"implements": "secrets:rotate"}, {"risk_level": 3, "approval": "always"}),
}


@for_each(("stated", "expected"), FACTS.values(), ids=FACTS)
def test_what_is_stated_stands_in_the_contract(stated: Facts, expected: dict[str, Any]) -> None:
    contract = toolglot.tool(**stated)(plain).contract
    assert {name: getattr(contract, name) for name in expected} == expected
    assert contract.origin is None


def test_what_is_not_stated_stays_unknown() -> None:
    contract = toolglot.tool(plain).contract
    stated = {name for name in Tool.__struct_fields__ if getattr(contract, name) is not None}
    assert stated == {"id", "inputs", "outputs"}


def test_a_tool_takes_the_danger_of_its_action() -> None:
    fill = toolglot.define_action(id="shelf:fill", description="Fill it.", mutates=["workspace:shelf"], risk_level=2)
    contract = toolglot.tool(implements=fill)(plain).contract
    assert (contract.risk_level, contract.mutates) == (2, ("workspace:shelf",))
    with pytest.raises(TypeError):
        untyped(fill)["risk_level"] = 0


def test_metadata_and_examples_reach_a_manifest() -> None:
    contract = toolglot.define_tool(
        id="mail.send", description="Send.", metadata={"team": "post"}, examples=[{"name": "One", "input": {"to": "a"}}]
    )
    text = toolglot.write([contract], "aip14")
    assert "team: post" in text
    assert "name: One" in text


tool, define_tool = untyped(toolglot.tool), untyped(toolglot.define_tool)
_OF_OTHERS: int = Field(default_factory=lambda others: 1)
_EMPTY: list[Any] = Field(default_factory=list)
ENDLESS: dict[str, Any] = {}
ENDLESS["itself"] = ENDLESS
REFUSED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "execute": (lambda: tool(execute=print)(plain), "bad-definition", "since AIP-30"),
    "a key that is not known": (lambda: tool(mutate=[])(plain), "bad-definition", "mutate"),
    "a misspelt effect": (lambda: tool(destructiv=True)(plain), "bad-definition", "mean `destructive`"),
    "a misspelt fact where another one is missing": (
        lambda: define_tool(id="say", descripton="x"),
        "bad-definition",
        "mean `description`",
    ),
    "a schema by its name in documents": (
        lambda: define_tool(id="say", description="x", inputs={}),
        "bad-definition",
        "mean `input_schema`",
    ),
    "a schema by its name in JavaScript": (lambda: tool(outputSchema={})(plain), "bad-definition", "`output_schema`"),
    "a word": (lambda: tool(approval="sometimes")(plain), "bad-definition", "/approval"),
    "a type": (lambda: tool(network="yes")(plain), "bad-definition", "bool"),
    "a number": (lambda: tool(risk_level=4)(plain), "bad-definition", "/risk_level"),
    "changes without asking": (
        lambda: tool(approval="auto", mutates=["a:b"])(plain),
        "bad-definition",
        "/mutates",
    ),
    "an action that is not there": (lambda: tool(implements="a:b")(plain), "bad-definition", "a:b"),
    "a bad action": (lambda: toolglot.define_action(id="A", description="x"), "bad-definition", "/id"),
    "an id that is none": (lambda: define_tool(id="A_B", description="x"), "bad-definition", "/id"),
    "an id that is none, of a function": (lambda: tool(id="A_B")(plain), "bad-definition", "/id"),
    "an example that breaks the schema": (
        lambda: define_tool(
            id="say",
            description="x",
            input_schema={"type": "object", "required": ["line"]},
            examples=[{"name": "Nothing", "input": {}}],
        ),
        "bad-definition",
        "/examples/0/input",
    ),
    "no id": (lambda: toolglot.define_tool(description="x"), "bad-definition", "id"),
    "a fact that holds itself": (lambda: tool(metadata=ENDLESS)(plain), "bad-definition", "holds itself"),
    "a contract among functions": (lambda: runner(untyped([Tool(id="a")])), "bad-tools", "not a Tool"),
    "a function among tools": (
        lambda: toolglot.compile(untyped(toolglot.tool(plain)), "mcp"),
        "bad-tools",
        "give its contract",
    ),
    "no function": (lambda: tool("plain"), "bad-function", "str"),
    "twice": (lambda: tool(tool(plain)), "bad-function", "already"),
    "a default of others": (lambda: tool(lambda a, b=_OF_OTHERS: b), "bad-function", "'b'"),
    "another parameter": (
        lambda: tool(input_schema={"properties": {"texts": {}}})(plain),
        "bad-definition",
        "'texts'",
    ),
}


@for_each(("make", "code", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_meant_is_refused(make: Callable[[], Any], code: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert caught.value.code == code
    assert words in str(caught.value)


def test_a_parameter_that_json_does_not_have_is_named() -> None:
    def work(store: Database) -> None: ...

    with pytest.raises(UsageError, match="the parameter 'store' of work cannot be described as JSON") as caught:
        toolglot.tool(work)
    assert "annotate it with what JSON has" in str(caught.value)
    assert "arbitrary_types_allowed" not in str(caught.value)


def test_an_annotation_that_leads_nowhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(store: object) -> None: ...

    work.__annotations__["store"] = "Missing"
    monkeypatch.setattr(inspect, "signature", fail)  # as Python 3.14 does, with an error that names no function
    with pytest.raises(UsageError, match="'Missing' is not defined"):
        toolglot.tool(work)


SCHEMAS: dict[str, tuple[Any, Any]] = {
    "JSON Schema": ({"type": "object", "properties": {"text": {}}}, {"type": "object", "properties": {"text": {}}}),
    "JSON Schema that is wrong": ({"properties": 5}, {}),
    "a dataclass": (
        dataclasses.make_dataclass("Find", [("text", str)]),
        {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "title": "Find"},
    ),
}


@for_each(("given", "expected"), SCHEMAS.values(), ids=SCHEMAS)
def test_a_schema_can_be_stated(given: Any, expected: Any) -> None:
    contract = toolglot.tool(input_schema=given, output_schema=given, context_schema=given)(plain).contract
    assert contract.inputs == contract.outputs == contract.context == expected
    assert toolglot.define_tool(id="say", description="A.", input_schema=given).inputs == expected


# -- the function itself ------------------------------------------------------------------------------------------


def test_a_contract_is_frozen() -> None:
    made = toolglot.tool(plain)
    for change in ("contract", "function"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, change, None)
    with pytest.raises(AttributeError):
        untyped(made.contract).id = "b"
    facts: list[str] = ["a:b"]
    contract = toolglot.tool(mutates=facts)(plain).contract
    facts.append("c:d")
    assert contract.mutates == ("a:b",)


def test_the_function_stays_what_it_was() -> None:
    made = toolglot.tool(send)
    assert made("a") == 1
    assert inspect.signature(made) == inspect.signature(send)
    assert inspect.unwrap(made) is send
    assert untyped(made).__name__ == "send"


class Library:
    def __init__(self, books: list[str]) -> None:
        self.books = books

    @toolglot.tool
    def find(self, text: str) -> list[str]:
        """Find books."""
        return [book for book in self.books if text in book]

    @toolglot.tool
    @classmethod
    def kind(cls, plural: bool = False) -> str:
        """What it is."""
        return cls.__name__ + "s" * plural

    @toolglot.tool
    @staticmethod
    def count(books: list[str]) -> int:
        """How many."""
        return len(books)

    def lend(self, book: str) -> str:
        return book


LIBRARY = Library(["Emma", "Ulysses"])
METHODS: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "method": (LIBRARY.find, {"text": "Em"}, ["Emma"]),
    "class method": (LIBRARY.kind, {"plural": True}, "Librarys"),
    "static method": (Library.count, {"books": ["a", "b"]}, 2),
    "bound method": (toolglot.tool(LIBRARY.lend), {"book": "Emma"}, "Emma"),
    "partial": (toolglot.tool(functools.partial(pow, 2)), {"exp": 3}, 8),
}


def test_what_a_partial_function_has_by_name_no_model_gives() -> None:
    tool = toolglot.tool(functools.partial(pow, exp=3, mod=5))
    assert tool.contract.inputs is not None
    assert [*tool.contract.inputs["properties"]] == ["base"]
    assert tool.run({"base": 2}) == 3


def test_a_partial_function_is_described_as_the_whole_one() -> None:
    assert METHODS["partial"][0].contract.description == toolglot.tool(pow).contract.description


@for_each(("made", "arguments", "result"), METHODS.values(), ids=METHODS)
def test_methods_are_tools(made: ToolFunction[..., Any], arguments: dict[str, Any], result: Any) -> None:
    assert made.run(arguments) == result
    assert set(arguments) <= set((made.contract.inputs or {})["properties"])
    assert not {"self", "cls"} & set((made.contract.inputs or {})["properties"])


def joined(first: int, /, second: int = 2, *rest: date, sep: str = "-", **more: Size) -> Any:
    return [first, second, [one.isoformat() for one in rest], sep, {key: one.width for key, one in more.items()}]


_FOUR = Field(default=4)  # frameworks write a field as the default of a parameter
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], Any]] = {
    "all kinds": (
        joined,
        {"first": 1, "rest": ["2026-01-02"], "sep": "/", "a": {"width": 7}},
        [1, 2, ["2026-01-02"], "/", {"a": 7}],
    ),
    "defaults": (joined, {"first": 1}, [1, 2, [], "-", {}]),
    "a model": (lambda note: note, {"note": {"title": "a"}}, {"title": "a", "lines": []}),
    "a field": (lambda count=_FOUR: count + 1, {}, 5),
    "numbers that JSON does not have": (lambda: {"a": [math.inf, -math.inf]}, {}, {"a": [math.inf, -math.inf]}),
}
CALLS["a model"][0].__annotations__ = {"note": Note}


@for_each(("function", "arguments", "result"), CALLS.values(), ids=CALLS)
def test_a_call_reaches_the_function(function: Callable[..., Any], arguments: dict[str, Any], result: Any) -> None:
    made = toolglot.tool(id="work")(function)
    assert list(Schema(made.contract.inputs or {}).faults(arguments)) == []
    assert made.run(arguments) == result


def test_a_result_that_json_has_no_form_for_is_told() -> None:
    for result in (b"\xff", object()):
        with pytest.raises(ToolFailure, match="is not JSON data") as caught:
            toolglot.tool(id="work")(lambda result=result: result).run({})
        assert caught.value.code == "output_parse_failed"


def test_what_makes_data_of_a_result_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = toolglot.tool(unannotated)
    assert made.run({"value": 1}) is None
    monkeypatch.setattr(tool_function, "Converter", fail)
    assert made.run({"value": 1}) is None


def test_a_factory_makes_another_default_for_each_call() -> None:
    def collect(text: str, texts: list[str] = _EMPTY) -> list[str]:
        texts.append(text)
        return texts

    made = toolglot.tool(collect)
    assert [made.run({"text": "a"}), made.run({"text": "b"})] == [["a"], ["b"]]


def test_an_argument_that_its_type_refuses_is_told_without_its_value() -> None:
    def work(day: date) -> None: ...

    with pytest.raises(ToolFailure) as caught:
        toolglot.tool(work).run({"day": "secret"})
    assert caught.value.code == "input_invalid"
    assert "day" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_the_context_reaches_the_function() -> None:
    def work(store: Annotated[list[str], toolglot.Context], text: str) -> int:
        store.append(text)
        return len(store)

    store = ["a"]
    made = toolglot.tool(work)
    assert made.run({"text": "b"}, {"store": store}) == 2
    with pytest.raises(UsageError, match="needs 'store' from its host"):
        made.run({"text": "b"})


def test_no_argument_says_what_the_host_says() -> None:
    def named(text: str, *, user: Annotated[str, toolglot.Context] = "nobody", **more: str) -> str:
        return user

    def placed(user: Annotated[str, toolglot.Context], **more: str) -> str:
        return user

    for function in (named, placed):
        made = toolglot.tool(function)
        assert made.run({"text": "a", "other": "b"}, {"user": "me"}) == "me"
        with pytest.raises(ToolFailure, match="`user` is no argument") as caught:
            made.run({"text": "a", "user": "root"}, {"user": "me"})
        assert caught.value.code == "input_invalid"


def test_a_host_may_give_no_more_values() -> None:
    def work(text: str, *stores: Annotated[str, toolglot.Context]) -> list[str]:
        return [text, *stores]

    made = toolglot.tool(work)
    assert made.run({"text": "a"}) == ["a"]
    assert made.run({"text": "a"}, {"stores": ["b"]}) == ["a", "b"]


def test_an_asynchronous_function_is_awaited() -> None:
    @toolglot.tool
    async def today(day: date) -> date:
        return day

    @toolglot.tool
    async def days(first: date, count: int) -> AsyncIterator[date]:
        for number in range(count):
            yield first + timedelta(number)

    assert asyncio.run(today.run({"day": "2026-01-02"})) == "2026-01-02"
    assert asyncio.run(days.run({"first": "2026-01-02", "count": 2})) == ["2026-01-02", "2026-01-03"]
    run = runner([today])
    session = toolglot.Session([today.contract], "anthropic", runner=run, approve=lambda call, reasons: True)
    with pytest.raises(UsageError, match="use call_async"):
        session.call("today", {"day": "2026-01-02"})
    assert asyncio.run(session.call_async("today", {"day": "2026-01-02"})) == "2026-01-02"


def test_functions_are_tools_of_a_session() -> None:
    @toolglot.tool(approval="always", mutates=[], risk_level=0)
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    approved: list[str] = []

    def approve(call: Invocation, reasons: tuple[str, ...]) -> bool:
        approved.append(call.tool.id)
        return True

    session = toolglot.Session([add.contract], "anthropic", runner=runner([add]), approve=approve)
    block = {"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1, "b": 2}}
    [message] = session.handle({"content": [block]})
    assert message["content"][0]["content"] == "3"
    assert approved == ["add"]
    [message] = session.handle({"content": [{**block, "input": {"a": "x", "b": 2}}]})
    assert message["content"][0]["is_error"] is True
    session = toolglot.Session([add.contract], "anthropic", runner=runner([]), approve=approve)
    [message] = session.handle({"content": [block]})
    assert "no function carries out 'add'" in message["content"][0]["content"]


def test_two_functions_of_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="two functions are called 'plain'"):
        runner([toolglot.tool(plain), toolglot.tool(plain)])


@for_each("target", ["mcp", "openai", "aip14", "atip", "atdf"])
def test_a_function_is_a_source_of_every_verb(target: str) -> None:
    made = toolglot.tool(mutates=["workspace:a"], destructive=True)(plain)
    assert toolglot.read(made) == [made.contract]
    conversion = toolglot.convert(made, target)
    [leaf] = leaves_of(toolglot.read_one(conversion.text, target))
    assert caution(leaf.tool)["destructive"] == UNSAFE


def test_nothing_is_imported_before_a_function_is_looked_at() -> None:
    code = "import sys, toolglot.runtime.functions.definitions as d; print({'pydantic', 'griffe'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize("package", ["pydantic", "griffe"])
def test_a_missing_package_is_named_with_its_extra(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolglot.extras.find_spec", lambda name: None if name == package else object())

    def work(a: int) -> None:
        """Work."""

    with pytest.raises(
        Error, match=rf"need the package {package}; in a clone of toolglot, run: pip install '\.\[functions\]'"
    ):
        toolglot.tool(work)


def test_a_contract_is_json() -> None:
    made = toolglot.tool(retry={"max_attempts": 2, "backoff": "fixed"}, mutates=("a:b",))(of_dataclass)
    assert msgspec.json.decode(msgspec.json.encode(made.model_dump())) == made.model_dump()
