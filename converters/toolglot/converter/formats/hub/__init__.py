"""The hub's own JSON."""
