"""Rules of the family `schema`: what the canonical JSON Schema of a format says of a document.

Each keyword of a schema that can refuse a document has a code of its own. The message says what was expected and what
was found.
"""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules
from toolglot.converter.schema.document_problems import Problem

_KEYWORDS = {
    "required": ("a key is missing", "Add the key."),
    "type": ("a value has another type than it should", "Write the value as the type that the message names."),
    "enum": ("a value is none of those that there are", "Write one of the values that the message names."),
    "const": ("a value is another than the only one that there is", "Write the value that the message names."),
    "pattern": ("a text does not have the form that it should", "Write it in the form that the message names."),
    "format": ("a text is no date, address or the like as it should be", "Write it as the format wants it."),
    "additionalProperties": ("a key is not known", "Take it out, or correct its spelling."),
    "unevaluatedProperties": ("a key is not known", "Take it out, or correct its spelling."),
    "propertyNames": ("a key does not have the form that it should", "Rename it."),
    "minLength": ("a text is too short", "Say more."),
    "maxLength": ("a text is too long", "Shorten it."),
    "minItems": ("a list has too few items", "Add what is missing."),
    "maxItems": ("a list has too many items", "Take some out."),
    "uniqueItems": ("an item stands in a list twice", "Take one out."),
    "contains": ("a list lacks an item that it has to have", "Add it."),
    "minimum": ("a number is too small", "Write a larger one."),
    "maximum": ("a number is too large", "Write a smaller one."),
    "exclusiveMinimum": ("a number is too small", "Write a larger one."),
    "exclusiveMaximum": ("a number is too large", "Write a smaller one."),
    "multipleOf": ("a number is no multiple of what it should be", "Round it."),
    "minProperties": ("an object has too few keys", "Add what is missing."),
    "maxProperties": ("an object has too many keys", "Take some out."),
    "dependentRequired": ("a key is missing that another one needs", "Add the key."),
    "anyOf": ("a value has none of the forms that it may have", "Write it in one of them."),
    "oneOf": ("a value has none, or more than one, of the forms that it may have", "Write it in one of them."),
    "not": ("a value has a form that it may not have", "Write it otherwise."),
    "falseSchema": ("a value stands where nothing may stand", "Take it out."),
}


_WHY = (
    "Readers of the format may refuse the document, or read it as something else. It is an error where toolglot cannot "
    "read the document either."
)

RULES = declare_rules(
    "schema",
    "the canonical schemas of the formats, `toolglot schema`",
    {Problem("", keyword, "").code: ("warning", message, _WHY, mend) for keyword, (message, mend) in _KEYWORDS.items()},
)
