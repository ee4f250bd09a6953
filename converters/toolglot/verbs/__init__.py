"""What else is done with descriptions of tools; nothing here runs a tool.

diagnostics/  what `check` finds in a document
migration/    a document brought to another version of its own format
comparison/   what changed between two contracts, and what that means to callers
cards/        what a person wants to see of a tool before using it
catalogs/     one document of many files
tokens/       what definitions of tools cost a model
streams/      records without end, over processes and machines
"""
