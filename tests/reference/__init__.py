"""The pages of `docs/` that the code writes: one module a page."""

from __future__ import annotations

from collections.abc import Callable

from reference import api, codes, commands, conformance, fields, hub, renamed, rules, settings

PAGES: dict[str, Callable[[], str]] = {
    "api.md": api.page,
    "codes.md": codes.page,
    "commands.md": commands.page,
    "conformance.md": conformance.page,
    "fields.md": fields.page,
    "hub.md": hub.page,
    "renamed.tsv": renamed.page,
    "rules.md": rules.page,
    "settings.md": settings.page,
}
