"""Comparison: `contracts.diff` says what changed between two contracts, and what that means to callers.

A `Difference` holds a `ToolDifference` for every tool that changed, and that its `ContractChange`s, each with the
`ContractRule` behind it. A `SchemaChange` is what became of a schema, before it is known whether callers send its
values or get them. `contracts` says which module does what.
"""
