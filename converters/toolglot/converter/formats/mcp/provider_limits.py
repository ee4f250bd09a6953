"""What the protocol accepts, with the source of its facts."""

from __future__ import annotations

from toolglot.converter.fitting.provider_rules import ProviderRules

# Through 2025-11-25 the protocol names `type`, `properties` and `required` only, and lets everything else pass.
_RULES = ProviderRules(
    format="mcp",
    profile="mcp",
    versions=("2025-06-18", "2025-11-25", "2026-07-28"),
    strict=False,
    citation="Model Context Protocol, server/tools, 2026-07-28 (input schema, SEP-986 names); "
    "mcp-types==2.3.0:_v2025_11_25/__init__.py InputSchema",
    name_first="a-zA-Z0-9._-",
    name_rest="a-zA-Z0-9._-",
    name_limit=128,
    root_combinators=True,
)

PROFILES: tuple[ProviderRules, ...] = (_RULES,)
