"""What tells the function declarations of Gemini from other documents, and from functions of another provider."""

from __future__ import annotations

from toolglot.converter.formats import Marks, Record
from toolglot.converter.formats.kit.definition_containers import first_definition

_UPPER = frozenset({"OBJECT", "ARRAY", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "NULL"})
_JSON_SCHEMAS = frozenset({"parametersJsonSchema", "parameters_json_schema"})


def is_declaration(record: Record) -> bool:
    """Whether a definition is a function declaration of Gemini, and not a function of OpenAI, which has the same keys.

    >>> is_declaration(Record({"name": "ls", "parameters": {"type": "OBJECT"}}))
    True
    """
    node, schema = record.data, record.data.get("parameters")
    if "/functionDeclarations/" in record.pointer or "/function_declarations/" in record.pointer:
        return True
    upper = isinstance(schema, dict) and isinstance(schema.get("type"), str) and schema["type"] in _UPPER
    return isinstance(node.get("name"), str) and (bool(_JSON_SCHEMAS & node.keys()) or (upper and "type" not in node))


MARKS = Marks(
    aliases=("google", "vertex"),
    patterns=("*.gemini.json",),
    sniff=lambda data, body, file_name: body is None and is_declaration(first_definition(data)),
)
