"""Python functions as tools: `definitions.tool` states what a signature and a docstring cannot say.

definitions    `tool`, `define_tool`, `define_action`: facts in keywords, as AIP-14's `defineTool` has them
tool_function  a function with its contract, and how a call reaches it
signatures     the parameters of a function: which a model gives, and which the host
schemas        the JSON Schema of its arguments
    annotation_converters   the schema of an annotation, and its values between JSON and Python
docstrings     descriptions, parameters and errors out of a docstring

pydantic and griffe come with `toolglot[functions]` and are imported when a function is looked at.
"""
