"""Python functions as tools: `definitions.tool` states what a signature and a docstring cannot say.

definitions    `tool`, `define_tool`, `define_action`: facts in keywords, as AIP-14's `defineTool` has them
tool_function  a function with its contract, and how a call reaches it
signatures     the parameters of a function: which a model gives, and which the host
argument_schemas   the JSON Schema of its arguments
    annotation_converters   the values of an annotation between JSON and Python
        annotation_schemas      and its schema
docstrings     descriptions, parameters and errors out of a docstring

pydantic and griffe come with `toolglot[functions]` and are imported when a function is looked at.
"""
