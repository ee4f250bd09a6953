"""Approval as settings of a request, for providers that call the tools of a server by themselves."""

from __future__ import annotations

from typing import Any

import pytest

import toolglot
from toolglot.bridge import Validator, approval_settings
from toolglot.converter.hub.model import Tool
from toolglot.errors import UsageError

SAFE = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
SILENT = Tool(id="mv")
ASKING = Tool(id="gift", safety_tier="pure", reversible=True, subprocess=False, billable=False, approval="always")
DANGEROUS = Tool(id="rm", destructive=True)
ALL = [SAFE, SILENT, ASKING, DANGEROUS]
ASK, ALLOW = {"type": "always_ask"}, {"type": "always_allow"}

CASES: dict[str, tuple[list[Tool], Any, Any, Any]] = {
    "without a policy": (
        ALL,
        None,
        {"always": {"tool_names": ["mv", "gift", "rm"]}, "never": {"tool_names": ["ls"]}},
        [("ls", ALLOW), ("mv", ASK), ("gift", ASK), ("rm", ASK)],
    ),
    "with a policy that answers": (
        ALL,
        {"allowDestructive": True, "allowUnstated": True},
        {"always": {"tool_names": ["gift"]}, "never": {"tool_names": ["ls", "mv", "rm"]}},
        [("ls", ALLOW), ("mv", ALLOW), ("gift", ASK), ("rm", ALLOW)],
    ),
    "all are asked about": ([DANGEROUS], None, "always", [("rm", ASK)]),
    "what a policy refuses": ([DANGEROUS], {"allowDestructive": False}, "always", [("rm", ASK)]),
    "a validator without a policy is none": ([DANGEROUS], Validator([DANGEROUS]), "always", [("rm", ASK)]),
    "a policy that says nothing answers nothing": ([DANGEROUS], {}, "always", [("rm", ASK)]),
    "none is asked about": ([SAFE], None, {"never": {"tool_names": ["ls"]}}, [("ls", ALLOW)]),
    "no tools": ([], None, "always", []),
}


@pytest.mark.vendors
@pytest.mark.parametrize(("tools", "policy", "openai", "anthropic"), CASES.values(), ids=CASES)
def test_who_is_asked_about_stands_in_the_request(tools: list[Tool], policy: Any, openai: Any, anthropic: Any) -> None:
    from anthropic.types.beta import BetaManagedAgentsMCPToolset
    from openai.types.responses.tool import Mcp, McpRequireApprovalMcpToolApprovalFilter

    served = toolglot.compile(tools, "mcp")
    settings = approval_settings(served, "openai", policy)
    assert settings == {"require_approval": openai}
    hosted = {"type": "mcp", "server_label": "s", "server_url": "https://s.example", **settings}
    parsed = Mcp.model_validate(hosted)
    assert parsed.model_dump(exclude_unset=True) == hosted
    assert isinstance(parsed.require_approval, str | McpRequireApprovalMcpToolApprovalFilter)

    settings = approval_settings(served, "anthropic", policy)
    assert [(one["name"], one["permission_policy"]) for one in settings["configs"]] == anthropic
    assert settings["default_config"] == {"permission_policy": ASK}
    enabled = {key: [{**one, "enabled": True} for one in value] for key, value in settings.items() if key == "configs"}
    default = {**settings["default_config"], "enabled": True}
    toolset = {"type": "mcp_toolset", "mcp_server_name": "s", **enabled, "default_config": default}
    assert BetaManagedAgentsMCPToolset.model_validate(toolset).model_dump(exclude_unset=True) == toolset


def test_a_provider_without_such_settings_is_refused() -> None:
    with pytest.raises(UsageError, match="gemini has no settings of approval"):
        approval_settings(toolglot.compile(ALL, "mcp"), "gemini")
