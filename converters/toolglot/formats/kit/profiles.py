"""What each provider accepts: one row for each provider, shape and mode, with the source of its facts.

Where documents and measured answers differ, the row has what works under both: one refused tool fails the whole
request, while a rule that is too strict costs a sentence in a description. A row that follows the measured answer
says so.
"""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.fitting.rules import Budget, Rules, SchemaLimits

# -- keywords -------------------------------------------------------------------------------------------------

# All of JSON Schema 2020-12 that describes values. Not in it: `$schema`, `$id`, `$anchor` and their kin, which
# normalised schemas do not need, and keywords of other vocabularies (`x-...`, `discriminator`).
_VOCABULARY = frozenset({
    "$ref", "$defs", "$comment", "type", "enum", "const",
    "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema",
    "items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
    "unevaluatedItems",
    "properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties",
    "required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
})  # fmt: skip
_CORE = frozenset({"type", "description", "enum", "anyOf"})
_REFERENCES = frozenset({"$ref", "$defs"})
_LENGTHS = frozenset({"minLength", "maxLength"})
_RANGE = frozenset({"minimum", "maximum"})
_BOUNDS = _RANGE | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_SIZES = frozenset({"minItems", "maxItems"})
_FIELDS = frozenset({"properties", "required"})
_CLOSED_FIELDS = _FIELDS | {"additionalProperties"}

_PRIMITIVES = frozenset({"null", "boolean", "integer", "number", "string"})

_OPENAI_FORMATS = frozenset({
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
})  # fmt: skip
_ANTHROPIC_FORMATS = _OPENAI_FORMATS | {"uri"}

# -- openai ---------------------------------------------------------------------------------------------------

# 64 characters: documented, and enforced by gateways, where api.openai.com was measured to take 128. 1024: the
# description limit that the ATIP RFC names, and older deployments enforce. `default` is accepted by some deployments
# and refused by others; `minLength` is not documented and accepted (measured), fine-tuned models aside. `title` is
# accepted (measured).
_OPENAI_STRICT = Rules(
    format="openai",
    profile="openai",
    versions=("chat", "responses"),
    strict=True,
    source="OpenAI structured outputs guide, supported schemas, limits of July 2025; "
    "openai==3.52.0:types/shared_params/function_definition.py (name); United-Codes/uc_ai (measured); ATIP RFC",
    description_limit=1024,
    keywords={
        "": _CORE | _REFERENCES | {"const", "title"},
        "string": _LENGTHS | {"pattern", "format"},
        "integer": _BOUNDS,
        "number": _BOUNDS,
        "array": _SIZES | {"items"},
        "object": _CLOSED_FIELDS,
    },
    formats={"string": _OPENAI_FORMATS},
    pattern="no-lookaround",
    enum_types=_PRIMITIVES,
    booleans=False,
    typed="type",
    type_lists="null",
    objects="false",
    all_required=True,
    properties=True,
    items=True,
    references="defs",
    limits=SchemaLimits(properties=5_000, depth=10, characters=120_000, enum_values=1_000, long_enum=(250, 15_000)),
    budget=Budget(tools=128),
)

# Formats that are not documented are said in words, which a model reads (ATIP RFC, section 8.1, type coercion).
# `oneOf` is refused in any mode by the Responses API (can1357/oh-my-pi#920), as are arrays without `items`, objects
# without `properties`, and patterns that Python's `re` does not compile.
_OPENAI_LOOSE = Rules(
    format="openai",
    profile="openai",
    versions=("chat", "responses"),
    strict=False,
    source="OpenAI function calling guide; can1357/oh-my-pi#920; mark3labs/mcphost#35 (items); "
    "openai-agents==0.24.0 (properties); litellm==1.106.2 (patterns); ATIP RFC (description)",
    description_limit=1024,
    keywords={"": _VOCABULARY - {"oneOf"}},
    formats={"string": _OPENAI_FORMATS},
    pattern="python",
    properties=True,
    items=True,
    budget=Budget(tools=128),
)

# No bounds of any kind: the table of unsupported keywords that OpenAI's own guide has outgrown still stands here.
_AZURE_STRICT = replace(
    _OPENAI_STRICT,
    profile="azure",
    source="Azure OpenAI structured outputs guide, unsupported type-specific keywords, 100 properties and 5 levels; "
    "OpenAI's other size limits before July 2025",
    keywords={
        "": _CORE | _REFERENCES | {"const", "title"},
        "array": frozenset({"items"}),
        "object": _CLOSED_FIELDS,
    },
    formats=None,
    limits=SchemaLimits(properties=100, depth=5, characters=15_000, enum_values=500, long_enum=(250, 7_500)),
)
_AZURE_LOOSE = replace(
    _OPENAI_LOOSE,
    profile="azure",
    source="as openai; microsoft/foundry-dev-tools#723 (name)",
)

# -- anthropic ------------------------------------------------------------------------------------------------

# Names: 128 measured, 64 in older documents; 128 is in the error message of the API itself. `minLength` is documented
# as not supported and was accepted (measured): left out. `allOf` is supported without `$ref` only: left out.
_ANTHROPIC_STRICT = Rules(
    format="anthropic",
    profile="anthropic",
    versions=("messages",),
    strict=True,
    source="Anthropic structured outputs guide, JSON Schema limitations; aws-idp#709 (keys); "
    "pydantic-ai-slim==2.68.0:models/_anthropic_schema_limits.py (budget); United-Codes/uc_ai (measured)",
    name_limit=128,
    key_first="a-zA-Z0-9_.-",
    key_rest="a-zA-Z0-9_.-",
    key_scope="top",
    keywords={
        "": _CORE | _REFERENCES | {"const", "title", "default"},
        "string": frozenset({"pattern", "format"}),
        "array": frozenset({"items", "minItems"}),
        "object": _CLOSED_FIELDS,
    },
    formats={"string": _ANTHROPIC_FORMATS},
    pattern="simple",
    most_min_items=1,
    enum_types=_PRIMITIVES,
    enum_beside_type_list=False,
    booleans=False,
    typed="some",
    objects="false",
    declared=True,
    properties=True,
    items=True,
    references="defs",
    recursion=False,
    budget=Budget(strict_tools=20, optional=24, unions=16),
)
_ANTHROPIC_LOOSE = Rules(
    format="anthropic",
    profile="anthropic",
    versions=("messages",),
    strict=False,
    source="anthropic==2.11.0:types/tool_param.py; anthropics/claude-code#5319 (root); aws-idp#709 (keys)",
    name_limit=128,
    key_first="a-zA-Z0-9_.-",
    key_rest="a-zA-Z0-9_.-",
    key_scope="top",
    keywords={"": _VOCABULARY},
    formats={"string": _ANTHROPIC_FORMATS},
)

# -- gemini ---------------------------------------------------------------------------------------------------

_GEMINI_NAME_FIRST = "a-zA-Z_"
_GEMINI_NAME_REST = "a-zA-Z0-9_.:-"

# The list of formats grows in the documents; what is here was never refused. Members of `enum` are text in the
# message's own type, whatever one measurement accepted. Clients strip `title` (python-genai#1732). 512 declarations:
# the SDK's limit; Firebase's documents say 128.
_GEMINI_PARAMETERS = Rules(
    format="gemini",
    profile="gemini",
    versions=("parameters",),
    strict=False,
    source="google-genai==3.4.0:types.py Schema, FunctionDeclaration; googleapis/python-genai#1732 (title); "
    "google-gemini/gemini-cli#2237 (formats); BerriAI/litellm#11164 (anyOf); n8n-io/n8n#15553 (type lists)",
    name_first=_GEMINI_NAME_FIRST,
    name_rest=_GEMINI_NAME_REST,
    name_limit=128,
    key_first="a-zA-Z_",
    key_rest="a-zA-Z0-9_",
    keywords={
        "": _CORE | {"default"},
        "string": _LENGTHS | {"pattern", "format"},
        "integer": _RANGE | {"format"},
        "number": _RANGE | {"format"},
        "array": _SIZES | {"items"},
        "object": _FIELDS | {"minProperties", "maxProperties"},
    },
    formats={
        "string": frozenset({"date-time"}),
        "integer": frozenset({"int32", "int64"}),
        "number": frozenset({"float", "double"}),
    },
    enum_types=frozenset({"string"}),
    empty_enum_text=False,
    booleans=False,
    typed="type",
    type_lists="null",
    any_of_alone=True,
    objects="absent",
    declared=True,
    empty_objects=False,
    items=True,
    references="none",
    recursion=False,
    no_arguments=False,
    budget=Budget(tools=512),
)
_VERTEX_PARAMETERS = replace(
    _GEMINI_PARAMETERS,
    profile="vertex",
    source="google-genai==3.4.0:_transformers.py _raise_for_unsupported_mldev_properties, else as gemini",
    keywords={
        **(_GEMINI_PARAMETERS.keywords or {}),
        "object": _CLOSED_FIELDS | {"minProperties", "maxProperties"},
    },
    objects="open",
)

# What is not listed is ignored, not refused; it is said in words, because a model that does not see it breaks it.
# `oneOf` is read as `anyOf`, so that only `anyOf` says what happens. A root union is documented nowhere: left out.
_GEMINI_JSON_SCHEMA = Rules(
    format="gemini",
    profile="gemini",
    versions=("json-schema",),
    strict=False,
    source="google-genai==3.4.0:types.py response_json_schema, taken to hold for parametersJsonSchema too; "
    "pydantic-ai-slim==2.68.0:profiles/google.py",
    name_first=_GEMINI_NAME_FIRST,
    name_rest=_GEMINI_NAME_REST,
    name_limit=128,
    keywords={
        "": _CORE | _REFERENCES,
        "string": frozenset({"format"}),
        "integer": _RANGE,
        "number": _RANGE,
        "array": _SIZES | {"items", "prefixItems"},
        "object": _CLOSED_FIELDS,
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
    _GEMINI_JSON_SCHEMA,
    profile="vertex",
    source="google-genai==3.4.0:_mcp_utils.py agent_platform_to_gemini_tool, else as gemini",
)

# -- mcp ------------------------------------------------------------------------------------------------------

# Through 2025-11-25 the protocol names `type`, `properties` and `required` only, and lets everything else pass.
_MCP = Rules(
    format="mcp",
    profile="mcp",
    versions=("2025-06-18", "2025-11-25", "2026-07-28"),
    strict=False,
    source="Model Context Protocol, server/tools, 2026-07-28 (input schema, SEP-986 names); "
    "mcp-types==2.3.0:_v2025_11_25/__init__.py InputSchema",
    name_first="a-zA-Z0-9._-",
    name_rest="a-zA-Z0-9._-",
    name_limit=128,
    root_combinators=True,
)

# The first row of a format and version is its default.
PROFILES: tuple[Rules, ...] = (
    _OPENAI_STRICT,
    _OPENAI_LOOSE,
    _AZURE_STRICT,
    _AZURE_LOOSE,
    _ANTHROPIC_STRICT,
    _ANTHROPIC_LOOSE,
    _GEMINI_PARAMETERS,
    _GEMINI_JSON_SCHEMA,
    _VERTEX_PARAMETERS,
    _VERTEX_JSON_SCHEMA,
    _MCP,
)


def profiles_of(format: str) -> tuple[Rules, ...]:
    """The rows of one format, its default profile first; none where nobody restricts its schemas.

    >>> [(row.profile, row.strict) for row in profiles_of("anthropic")]
    [('anthropic', True), ('anthropic', False)]
    """
    return tuple(row for row in PROFILES if row.format == format)
