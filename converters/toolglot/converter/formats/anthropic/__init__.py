"""Anthropic: tool definitions, and calls as its models send them."""
