"""The pages of `docs/` that the code writes: one module a page."""

from __future__ import annotations

from collections.abc import Callable

from reference import api, codes, commands, conformance, fields, hub, renamed, rules, settings

PAGES: dict[str, Callable[[], str]] = {
    "reference/api.md": api.page,
    "reference/codes.md": codes.page,
    "reference/commands.md": commands.page,
    "internals/conformance.md": conformance.page,
    "reference/fields.md": fields.page,
    "reference/hub.md": hub.page,
    "reference/renamed.tsv": renamed.page,
    "reference/rules.md": rules.page,
    "reference/settings.md": settings.page,
}
