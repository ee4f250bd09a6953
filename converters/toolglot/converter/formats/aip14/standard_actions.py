"""The actions of the standard library of AIP-39."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import Tool


def _standard(identifier: str, category: str, events: str = "", **facts: Any) -> tuple[str, Tool]:
    rest = {"target_kind": identifier.partition(":")[0], "fires_events": events.split()}
    return identifier, Tool(id=identifier, category=category, extensions={"aip14": rest}, **facts)


STANDARD: dict[str, Tool] = dict([
    _standard("storage:read", "filesystem", mutates=(), risk_level=0, approval="auto"),
    _standard("storage:write", "filesystem", "write", mutates=("storage:*",), risk_level=1, approval="auto"),
    _standard("storage:commit", "filesystem", "write commit-completed",
              mutates=("storage:*",), risk_level=1, approval="auto"),
    _standard("storage:push", "filesystem", "push-started push-completed",
              mutates=("storage:*", "network:*"), risk_level=2, approval="on-mutate"),
    _standard("sandbox:execute", "compute", "sandbox-command-started sandbox-command-completed",
              mutates=("sandbox:*",), risk_level=2, approval="on-mutate"),
    _standard("sandbox:network-egress", "compute", "network-egress",
              mutates=("network:*",), hosts=("*",), risk_level=2, approval="on-mutate"),
    _standard("secrets:reveal", "secrets", "secret-revealed",
              mutates=(), secrets=(), risk_level=1, approval="on-mutate"),
    _standard("secrets:rotate", "secrets", "secret-rotated",
              mutates=("external:*", "database:secrets"), hosts=("*",), risk_level=3, approval="always"),
    _standard("workspace:read", "workspace", mutates=(), risk_level=0, approval="auto"),
    _standard("workspace:publish", "workspace", "workspace-published",
              mutates=("workspace:metadata", "external:registry"), hosts=("*",), risk_level=3, approval="always"),
])  # fmt: skip
"""Id -> action. Source: AIP-39, specs/resources/aip-39/draft/library/standard of agentproto/agentproto."""

_LIBRARY = "@agentik/actions-standard/"  # address of the library in the registry; source: its WORKSPACE.md
STANDARD_BY_ADDRESS = {f"{_LIBRARY}{identifier.replace(':', '-')}": identifier for identifier in STANDARD}
"""Address of an action in the registry -> its id."""
