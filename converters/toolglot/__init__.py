"""toolglot reads, checks and converts descriptions of agent tools, and reports every difference.

The verbs are `read`, `read_one`, `write`, `convert`, `convert_records`, `compile`, `check`, `diff`, `migrate`,
`detect`, `discover`, `pull`, `call_servers` and `count_tokens`; `tool`, `define_tool` and `define_action` state tools
in code; `__version__` is the version. Everything else is what they take and return. In those that take a source a `str`
or `bytes` is the text itself, an `os.PathLike` is a file, and a `dict` or `list` is data that was parsed already.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not that of `typing`: a program that describes itself would wait for that at each start

__version__ = "0.1.0"

__all__ = [
    "Change",
    "Compiled",
    "Context",
    "ContractChange",
    "Conversion",
    "Converted",
    "Diagnostic",
    "Difference",
    "Error",
    "Inventory",
    "Invocation",
    "Migration",
    "Pulled",
    "Report",
    "Session",
    "TokenCosts",
    "Tool",
    "ToolDifference",
    "ToolFailure",
    "ToolFunction",
    "__version__",
    "call_servers",
    "check",
    "compile",
    "convert",
    "convert_records",
    "count_tokens",
    "define_action",
    "define_tool",
    "detect",
    "diff",
    "discover",
    "migrate",
    "pull",
    "read",
    "read_one",
    "tool",
    "write",
]

if TYPE_CHECKING:
    from typing import Any

    from toolglot.bridge.compilation import Compiled, compile
    from toolglot.bridge.session import Invocation, Session
    from toolglot.comparison.contract_comparison import diff
    from toolglot.comparison.difference import ContractChange, Difference, ToolDifference
    from toolglot.conversion.pipeline import Conversion, convert, write
    from toolglot.conversion.report import Change, Report
    from toolglot.conversion.sources import detect, read, read_one
    from toolglot.diagnostics.diagnostic import Diagnostic
    from toolglot.diagnostics.document_checks import check
    from toolglot.errors import Error, ToolFailure
    from toolglot.functions.definitions import define_action, define_tool, tool
    from toolglot.functions.signatures import Context
    from toolglot.functions.tool_function import ToolFunction
    from toolglot.hub.model import Tool
    from toolglot.inventory.discovery import discover
    from toolglot.inventory.program_records import Inventory
    from toolglot.migration.pipeline import Migration, migrate
    from toolglot.servers.pull import Pulled, call_servers, pull
    from toolglot.streams.record_stream import Converted, convert_records
    from toolglot.tokens.costs import TokenCosts, count_tokens

# Imported on first use: `toolglot --help` would otherwise pay for YAML and the schema library.
_HOME = {
    **dict.fromkeys(("Compiled", "compile"), "toolglot.bridge.compilation"),
    "diff": "toolglot.comparison.contract_comparison",
    **dict.fromkeys(("ContractChange", "Difference", "ToolDifference"), "toolglot.comparison.difference"),
    "Diagnostic": "toolglot.diagnostics.diagnostic",
    "check": "toolglot.diagnostics.document_checks",
    **dict.fromkeys(("Error", "ToolFailure"), "toolglot.errors"),
    **dict.fromkeys(("Migration", "migrate"), "toolglot.migration.pipeline"),
    **dict.fromkeys(("define_action", "define_tool", "tool"), "toolglot.functions.definitions"),
    "ToolFunction": "toolglot.functions.tool_function",
    "Context": "toolglot.functions.signatures",
    "Tool": "toolglot.hub.model",
    "discover": "toolglot.inventory.discovery",
    "Inventory": "toolglot.inventory.program_records",
    **dict.fromkeys(("Conversion", "convert", "write"), "toolglot.conversion.pipeline"),
    **dict.fromkeys(("Change", "Report"), "toolglot.conversion.report"),
    **dict.fromkeys(("detect", "read", "read_one"), "toolglot.conversion.sources"),
    **dict.fromkeys(("Invocation", "Session"), "toolglot.bridge.session"),
    **dict.fromkeys(("Pulled", "call_servers", "pull"), "toolglot.servers.pull"),
    **dict.fromkeys(("Converted", "convert_records"), "toolglot.streams.record_stream"),
    **dict.fromkeys(("TokenCosts", "count_tokens"), "toolglot.tokens.costs"),
}

if not TYPE_CHECKING:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'toolglot' has no attribute {name!r}")
        import importlib  # what a program that only describes itself does without

        return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
