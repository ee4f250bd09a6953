"""toolglot reads, checks and converts descriptions of agent tools, and reports every difference.

The verbs are `read`, `read_one`, `write`, `convert`, `convert_records`, `compile`, `check`, `diff`, `migrate`,
`detect`, `discover`, `pull`, `call_servers` and `count_tokens`; `leaves_of` walks what of a tool can be called;
`tool`, `define_tool` (or `defineTool`) and `define_action` state tools in code; `__version__` is the version.
Everything else is what they take and return. In those that take a source a `str` or `bytes` is the text itself, an
`os.PathLike` is a file, and a `dict` or `list` is data that was parsed already.
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
    "defineTool",
    "define_action",
    "define_tool",
    "detect",
    "diff",
    "discover",
    "leaves_of",
    "migrate",
    "pull",
    "read",
    "read_one",
    "tool",
    "write",
]

if TYPE_CHECKING:
    from typing import Any

    from toolglot.converter.conversion.pipeline import convert, write
    from toolglot.converter.conversion.report import Change, Report
    from toolglot.converter.conversion.result import Conversion
    from toolglot.converter.conversion.sources import detect, read, read_one
    from toolglot.converter.hub.model import Tool
    from toolglot.converter.safety.inheritance import leaves_of
    from toolglot.errors import Error, ToolFailure
    from toolglot.runtime.bridge.compilation import Compiled, compile
    from toolglot.runtime.bridge.invocations import Invocation
    from toolglot.runtime.bridge.session import Session
    from toolglot.runtime.functions.definitions import define_action, define_tool, defineTool, tool
    from toolglot.runtime.functions.signatures import Context
    from toolglot.runtime.functions.tool_function import ToolFunction
    from toolglot.runtime.inventory.discovery import discover
    from toolglot.runtime.inventory.inventory_document import Inventory
    from toolglot.runtime.servers.pull import Pulled, call_servers, pull
    from toolglot.verbs.comparison.contract_comparison import diff
    from toolglot.verbs.comparison.difference import ContractChange, Difference, ToolDifference
    from toolglot.verbs.diagnostics.diagnostic import Diagnostic
    from toolglot.verbs.diagnostics.document_checks import check
    from toolglot.verbs.migration.pipeline import Migration, migrate
    from toolglot.verbs.streams.record_stream import Converted, convert_records
    from toolglot.verbs.tokens.costs import TokenCosts, count_tokens

# Imported on first use: `toolglot --help` would otherwise pay for YAML and the schema library.
_HOME = {
    **dict.fromkeys(("Compiled", "compile"), "toolglot.runtime.bridge.compilation"),
    "diff": "toolglot.verbs.comparison.contract_comparison",
    **dict.fromkeys(("ContractChange", "Difference", "ToolDifference"), "toolglot.verbs.comparison.difference"),
    "Diagnostic": "toolglot.verbs.diagnostics.diagnostic",
    "check": "toolglot.verbs.diagnostics.document_checks",
    **dict.fromkeys(("Error", "ToolFailure"), "toolglot.errors"),
    **dict.fromkeys(("Migration", "migrate"), "toolglot.verbs.migration.pipeline"),
    **dict.fromkeys(("defineTool", "define_action", "define_tool", "tool"), "toolglot.runtime.functions.definitions"),
    "ToolFunction": "toolglot.runtime.functions.tool_function",
    "Context": "toolglot.runtime.functions.signatures",
    "Tool": "toolglot.converter.hub.model",
    "leaves_of": "toolglot.converter.safety.inheritance",
    "discover": "toolglot.runtime.inventory.discovery",
    "Inventory": "toolglot.runtime.inventory.inventory_document",
    **dict.fromkeys(("convert", "write"), "toolglot.converter.conversion.pipeline"),
    "Conversion": "toolglot.converter.conversion.result",
    **dict.fromkeys(("Change", "Report"), "toolglot.converter.conversion.report"),
    **dict.fromkeys(("detect", "read", "read_one"), "toolglot.converter.conversion.sources"),
    "Invocation": "toolglot.runtime.bridge.invocations",
    "Session": "toolglot.runtime.bridge.session",
    **dict.fromkeys(("Pulled", "call_servers", "pull"), "toolglot.runtime.servers.pull"),
    **dict.fromkeys(("Converted", "convert_records"), "toolglot.verbs.streams.record_stream"),
    **dict.fromkeys(("TokenCosts", "count_tokens"), "toolglot.verbs.tokens.costs"),
}

if not TYPE_CHECKING:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'toolglot' has no attribute {name!r}")
        import importlib  # what a program that only describes itself does without

        return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
