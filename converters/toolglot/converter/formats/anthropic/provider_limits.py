"""What Anthropic accepts: one row for each mode, with the source of its facts."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.fitting.provider_rules import Budget, ProviderRules
from toolglot.converter.formats.kit.keyword_sets import (
    CLOSED_FIELDS,
    CORE,
    PRIMITIVES,
    REFERENCES,
    STRING_FORMATS,
    VOCABULARY,
)

# Names: 128 measured, 64 in older documents; 128 is in the error message of the API itself.
_LOOSE = ProviderRules(
    format="anthropic",
    profile="anthropic",
    versions=("messages",),
    strict=False,
    citation="anthropic==2.11.0:types/tool_param.py; anthropics/claude-code#5319 (root); aws-idp#709 (keys)",
    name_limit=128,
    key_first="a-zA-Z0-9_.-",
    key_rest="a-zA-Z0-9_.-",
    key_scope="top",
    keywords={"": VOCABULARY},
    formats={"string": STRING_FORMATS | {"uri"}},
)

# `minLength` is documented as not supported and was accepted (measured): left out. `allOf` is supported without `$ref`
# only: left out.
_STRICT = replace(
    _LOOSE,
    strict=True,
    citation="Anthropic structured outputs guide, JSON Schema limitations; aws-idp#709 (keys); "
    "pydantic-ai-slim==2.68.0:models/_anthropic_schema_limits.py (budget); United-Codes/uc_ai (measured)",
    keywords={
        "": CORE | REFERENCES | {"const", "title", "default"},
        "string": frozenset({"pattern", "format"}),
        "array": frozenset({"items", "minItems"}),
        "object": CLOSED_FIELDS,
    },
    pattern="simple",
    most_min_items=1,
    enum_types=PRIMITIVES,
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

PROFILES: tuple[ProviderRules, ...] = (_STRICT, _LOOSE)
