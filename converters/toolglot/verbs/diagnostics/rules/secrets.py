"""Rules about secrets: those that a description holds, and those that a tool asks a model for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats.kit.rule import Hit, Rule, ScannedText, SchemaPlace, SchemaTest, TextHits, TextTest
from toolglot.converter.safety.danger_in_names import words_of_name
from toolglot.converter.schema.json_values import stated_types
from toolglot.converter.text.credentials import holds_credential, names_a_secret
from toolglot.converter.text.pointers import mapping_at, pointer_below
from toolglot.verbs.diagnostics.credential_warnings import CREDENTIAL


def _find_credential(text: ScannedText) -> TextHits:
    if not text.is_key and holds_credential(text.value):
        yield {}


# Words of a parameter that takes what the tool does not need, in two parts: whose or how much, and what.
_TAKES_WORDS = {
    "conversation chat dialogue message messages session model full entire complete whole raw internal hidden "
    "previous prior assistant agent": "history log transcript context conversation reasoning thoughts messages",
    "chain train": "thought",
    "system developer initial original": "prompt instructions",
    "tools": "list",
    "available list": "tools",
    "side": "note",
    "reasoning thought": "trace trail",
    "context": "window",
}
_TAKES = [(frozenset(first.split()), frozenset(second.split())) for first, second in _TAKES_WORDS.items()]
_TAKES_ALONE = frozenset({"sidenote", "scratchpad", "chainofthought", "systemprompt"})
_WITHOUT_TEXT = frozenset({"boolean", "integer", "number", "null"})
_CALLS_MODEL = frozenset({"messages", "model", "prompt", "user_prompt", "temperature", "max_tokens", "instructions"})


def _takes_context(name: str, calls_model: bool) -> bool:
    """Whether a parameter takes the conversation, or what the host told the model.

    >>> _takes_context("fullConversationHistory", False), _takes_context("history_of_chat", False)
    (True, False)
    >>> _takes_context("system_prompt", False), _takes_context("system_prompt", True)  # of the model that it calls
    (True, False)
    """
    *adjectives, noun = words_of_name(name) or [""]
    if not adjectives:  # a tool that exports messages takes `messages`
        return name.lower() in _TAKES_ALONE
    if calls_model and noun == "prompt":
        return False
    return any(noun in nouns and not first.isdisjoint(adjectives) for first, nouns in _TAKES)


def _may_take_text(schema: Any) -> bool:
    types = stated_types(schema) if isinstance(schema, dict) else ()
    return not types or not _WITHOUT_TEXT.issuperset(types)


def _find_exfiltration(node: SchemaPlace) -> Iterator[Hit]:
    if node.pointer:  # objects of APIs have such parts: a message of a messenger has a history of its own
        return
    parameters = mapping_at(node.schema, "properties")
    calls_model = not _CALLS_MODEL.isdisjoint(parameters)
    for name, schema in parameters.items():
        if _takes_context(name, calls_model) and _may_take_text(schema):
            yield Hit({"name": name}, inner=pointer_below("/properties", name))


def _find_secret_parameter(node: SchemaPlace) -> Iterator[Hit]:
    for name, schema in mapping_at(node.schema, "properties").items():
        if isinstance(schema, dict) and schema.get("type") == "string" and names_a_secret(name):
            yield Hit({"name": name}, inner=pointer_below("/properties", name))


RULES = (
    Rule(
        code="credential",
        message=CREDENTIAL,
        why="A description is copied to models, catalogues and logs.",
        mend="Renew the credential, and name the variable that holds it.",
        citation="OWASP MCP01",
        definition="A string of a form that issuers give their keys and tokens, a private key, a password in an "
        "address, or 20 characters with digits among the letters three times that stand behind the name of a secret "
        "and `=` or `:` (client_secret, API_KEY and the like). Not what manuals have in its place: words "
        "(YOUR_TOKEN_HERE), one character again and again, and what ends in EXAMPLE.",
        misses="Passwords in words, and keys of a form that no issuer has to itself without such a name.",
        bad={"id": "add", "description": "Call it with Bearer abcdefghijklmnop0123."},
        good={"id": "add", "description": "Reads the token from ADD_TOKEN."},
        of_text=TextTest(lambda texts: holds_credential(texts.text), _find_credential),
    ),
    Rule(
        code="exfil-parameter",
        message="the parameter {name} takes what the tool has no need of: the conversation, or what the host told the "
        "model",
        why="A model fills in what a parameter asks for, and whoever runs the tool gets it.",
        mend="Take the parameter out, or name what of it the tool works with.",
        citation="Cisco's scanner; OpenAI's rules for apps",
        definition="A parameter of two words or more that is no switch and no number. Its last word says what "
        "(*history*, *context*, *prompt* and the like), and one before it whose or how much (*conversation*, *full*, "
        "*system* and the like). Of tools that call a model themselves prompts are none.",
        misses="Names of one word, other languages, what stands inside of an object or an alternative, and what only "
        "a description asks for.",
        bad={"id": "add", "inputs": {"properties": {"conversation_history": {"type": "string"}}}},
        good={"id": "add", "inputs": {"properties": {"note": {"type": "string"}}}},
        of_schema=SchemaTest(("properties",), _find_exfiltration, is_of_inputs=True),
    ),
    Rule(
        code="secret-parameter",
        family="safety",
        severity="info",
        message="the parameter {name} takes a secret, which then stands in the context of the model",
        why="What a model passes on was shown to it before, and is logged.",
        mend="Let the host give it to the tool.",
        citation="OWASP MCP01",
        bad={"id": "add", "inputs": {"properties": {"api_key": {"type": "string"}}}},
        good={"id": "add", "secrets": ["ADD_API_KEY"], "inputs": {"properties": {"a": {"type": "number"}}}},
        of_schema=SchemaTest(("properties",), _find_secret_parameter, is_of_inputs=True),
    ),
)
