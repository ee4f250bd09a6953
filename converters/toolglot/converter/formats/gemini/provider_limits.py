"""What the Gemini API and Vertex AI accept: one row for each version, with the source of its facts."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.fitting.provider_rules import Budget, ProviderRules
from toolglot.converter.formats.kit.keyword_sets import CLOSED_FIELDS, CORE, FIELDS, LENGTHS, RANGE, REFERENCES, SIZES

# The API ignores a keyword that is not listed here, and does not refuse it. So it is stated in words: a model breaks a
# constraint that it does not see. The API reads `oneOf` as `anyOf`, so only `anyOf` is listed. A union at the root is
# documented nowhere: left out.
_JSON_SCHEMA = ProviderRules(
    format="gemini",
    profile="gemini",
    versions=("json-schema",),
    strict=False,
    citation="google-genai==3.4.0:types.py response_json_schema, taken to hold for parametersJsonSchema too; "
    "pydantic-ai-slim==2.68.0:profiles/google.py",
    name_first="a-zA-Z_",
    name_rest="a-zA-Z0-9_.:-",
    name_limit=128,
    keywords={
        "": CORE | REFERENCES,
        "string": frozenset({"format"}),
        "integer": RANGE,
        "number": RANGE,
        "array": SIZES | {"items", "prefixItems"},
        "object": CLOSED_FIELDS | {"propertyOrdering"},
    },
    formats={"string": frozenset({"date-time", "date", "time"})},
    enum_types=frozenset({"string", "integer", "number"}),
    booleans=False,
    type_lists="null",
    declared=True,
    items=True,
    references="defs",
    optional_recursion=True,
    budget=Budget(tools=512),
)
_VERTEX_JSON_SCHEMA = replace(
    _JSON_SCHEMA,
    profile="vertex",
    citation="google-genai==3.4.0:_mcp_utils.py agent_platform_to_gemini_tool, else as gemini",
)

# The documented list of formats grows; those here were never refused. Members of `enum` are texts in the type of the
# message, although other members were accepted once (measured). Clients strip `title` (python-genai#1732). 512
# declarations: the SDK's limit; Firebase's documents say 128.
_PARAMETERS = replace(
    _JSON_SCHEMA,
    versions=("parameters",),
    citation="google-genai==3.4.0:types.py Schema, FunctionDeclaration; googleapis/python-genai#1732 (title); "
    "google-gemini/gemini-cli#2237 (formats); BerriAI/litellm#11164 (anyOf); n8n-io/n8n#15553 (type lists)",
    key_first="a-zA-Z_",
    key_rest="a-zA-Z0-9_",
    keywords={
        "": CORE | {"default"},
        "string": LENGTHS | {"pattern", "format"},
        "integer": RANGE | {"format"},
        "number": RANGE | {"format"},
        "array": SIZES | {"items"},
        "object": FIELDS | {"minProperties", "maxProperties", "propertyOrdering"},
    },
    formats={
        "string": frozenset({"date-time"}),
        "integer": frozenset({"int32", "int64"}),
        "number": frozenset({"float", "double"}),
    },
    enum_types=frozenset({"string"}),
    empty_enum_text=False,
    typed="type",
    any_of_alone=True,
    objects="absent",
    empty_objects=False,
    references="none",
    recursion=False,
    optional_recursion=False,
    no_arguments=False,
)
_VERTEX_PARAMETERS = replace(
    _PARAMETERS,
    profile="vertex",
    citation="google-genai==3.4.0:_transformers.py _raise_for_unsupported_mldev_properties, else as gemini",
    keywords={
        **(_PARAMETERS.keywords or {}),
        "object": CLOSED_FIELDS | {"minProperties", "maxProperties", "propertyOrdering"},
    },
    objects="open",
)

PROFILES: tuple[ProviderRules, ...] = (_PARAMETERS, _JSON_SCHEMA, _VERTEX_PARAMETERS, _VERTEX_JSON_SCHEMA)
