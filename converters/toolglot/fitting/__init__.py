"""Fitting a tool's input schema to what a provider accepts, without losing its meaning in silence.

A schema travels: `dialects` (any draft to 2020-12) -> `references` (every `$ref` to `#/$defs/...` or `#`) ->
`merge` (`allOf` and friends into one schema) -> `fit` (one pass against the rules of a provider, which notes every
step) -> a schema, the steps, and a `codec` that takes arguments there and back. `rules` holds what a provider may
accept; which provider accepts what stands in the table of the formats.
"""
