"""Comparison: `contracts.diff` says what changed between two contracts, and what that means to callers."""
