"""What OpenAI and Azure accept: one row for each mode, with the source of its facts."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.fitting.provider_rules import Budget, ProviderRules, SchemaLimits
from toolglot.converter.formats.kit.keyword_sets import (
    BOUNDS,
    CLOSED_FIELDS,
    CORE,
    LENGTHS,
    PRIMITIVES,
    REFERENCES,
    SIZES,
    STRING_FORMATS,
    VOCABULARY,
)

# 64 characters: documented, and enforced by gateways, where api.openai.com was measured to take 128. 1024: the
# description limit that the ATIP RFC names, and older deployments enforce.
# Formats that are not documented are said in words, which a model reads (ATIP RFC, section 8.1, type coercion).
# `oneOf` is refused in any mode by the Responses API (can1357/oh-my-pi#920), as are arrays without `items`, objects
# without `properties`, patterns that Python's `re` does not compile, and patterns that look around.
_LOOSE = ProviderRules(
    format="openai",
    profile="openai",
    versions=("chat", "responses"),
    strict=False,
    citation="OpenAI function calling guide; can1357/oh-my-pi#920; mark3labs/mcphost#35 (items); "
    "openai-agents==0.24.0 (properties); litellm==1.106.2, vercel/ai#21037 (patterns); ATIP RFC (description)",
    description_limit=1024,
    keywords={"": VOCABULARY - {"oneOf"}},
    formats={"string": STRING_FORMATS},
    pattern="no-lookaround",
    properties=True,
    items=True,
    budget=Budget(tools=128),
)

# `default` is accepted by some deployments and refused by others; `minLength` is not documented and accepted
# (measured), fine-tuned models aside. `title` is accepted (measured).
_STRICT = replace(
    _LOOSE,
    strict=True,
    citation="OpenAI structured outputs guide, supported schemas, limits of July 2025; "
    "openai==3.52.0:types/shared_params/function_definition.py (name); United-Codes/uc_ai (measured); ATIP RFC",
    keywords={
        "": CORE | REFERENCES | {"const", "title"},
        "string": LENGTHS | {"pattern", "format"},
        "integer": BOUNDS,
        "number": BOUNDS,
        "array": SIZES | {"items"},
        "object": CLOSED_FIELDS,
    },
    enum_types=PRIMITIVES,
    booleans=False,
    typed="type",
    type_lists="null",
    objects="false",
    all_required=True,
    references="defs",
    limits=SchemaLimits(properties=5_000, depth=10, characters=120_000, enum_values=1_000, long_enum=(250, 15_000)),
)

# No bounds of any kind: the table of unsupported keywords that OpenAI's own guide has outgrown still stands here.
_AZURE_STRICT = replace(
    _STRICT,
    profile="azure",
    citation="Azure OpenAI structured outputs guide, unsupported type-specific keywords, 100 properties and 5 levels; "
    "OpenAI's other size limits before July 2025",
    keywords={
        "": CORE | REFERENCES | {"const", "title"},
        "array": frozenset({"items"}),
        "object": CLOSED_FIELDS,
    },
    formats=None,
    limits=SchemaLimits(properties=100, depth=5, characters=15_000, enum_values=500, long_enum=(250, 7_500)),
)
_AZURE_LOOSE = replace(
    _LOOSE,
    profile="azure",
    citation="as openai; microsoft/foundry-dev-tools#723 (name)",
)

PROFILES: tuple[ProviderRules, ...] = (_STRICT, _LOOSE, _AZURE_STRICT, _AZURE_LOOSE)
