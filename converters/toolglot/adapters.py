"""Tools as objects of agent frameworks, and the frameworks' own objects as tools: a module for each framework."""

from __future__ import annotations

from toolglot.runtime.adapters import fastmcp, langchain, mcp, openai_agents, pydantic_ai, read_tools

__all__ = ["fastmcp", "langchain", "mcp", "openai_agents", "pydantic_ai", "read_tools"]
