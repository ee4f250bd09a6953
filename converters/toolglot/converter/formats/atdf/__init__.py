"""ATDF, the Agent Tool Description Format."""
