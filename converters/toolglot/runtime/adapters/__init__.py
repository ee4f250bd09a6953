"""Tools as objects of agent frameworks, and the frameworks' own objects as tools; each framework has its module.

`wrap_tools` of a module makes the framework's objects. Their arguments are validated and decoded by toolglot, and the
calls go through a `Session`: policy, approval, failures. `read_tools` here reads what any of the frameworks has.
A framework is imported when one of its functions is called; `pip install '.[NAME]'` brings it.

fastmcp, langchain, openai_agents, pydantic_ai   a framework each
mcp                     a server that is made with the low-level API of the protocol's SDK
mcp_approval_questions  what the user of its client is asked
framework_tools         what each of them is given of a tool, and how its call runs
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from toolglot.converter.conversion.sources import read
from toolglot.converter.hub.model import Tool
from toolglot.errors import ReadError
from toolglot.option_checks import require_items

__all__ = ["read_tools"]

# The package that a class comes from -> the module here that reads its objects.
_READERS = {
    "agents": "openai_agents",
    "fastmcp": "fastmcp",
    "langchain_core": "langchain",
    "pydantic_ai": "pydantic_ai",
}


def read_tools(objects: Iterable[Any]) -> list[Tool]:
    """Tools of agent frameworks as tools of the hub, in order; objects of vendors' packages are read too.

    What toolglot put into an object is restored where nobody has changed the object since.

    Raises:
        ReadError: an object is no tool that is known (code `unknown-format`).
        UsageError: it is no list.
    """
    require_items("objects", objects, "a list of tools")
    tools: list[Tool] = []
    for item in objects:
        packages = [base.__module__.partition(".")[0] for base in type(item).__mro__]  # of a subclass, too
        reader = next(filter(None, map(_READERS.get, packages)), None)
        if reader is not None:
            tools.append(importlib.import_module(f"{__name__}.{reader}").read_tool(item))
        elif isinstance(item, dict) or hasattr(item, "model_dump"):
            tools += read(item)
        else:
            raise ReadError(f"a {type(item).__name__} is no tool that is known", code="unknown-format")
    return tools
