"""Migration: `plans.migrate` brings a document to another version of its own format, and touches nothing else.

`edit` changes a text so that it says other data, byte for byte as it was everywhere else.
"""
