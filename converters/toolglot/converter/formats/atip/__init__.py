"""ATIP, the Agent Tool Introspection Protocol."""
