"""Python functions as tools: `definitions.tool` states what a signature and a docstring cannot say.

definitions    `tool`, `define_tool`, `define_action`: facts as keyword arguments, as in AIP-14's `defineTool`
tool_function  a function with its contract, and how a call reaches the function
signatures     the parameters of a function: which of them a model gives, and which the host
argument_schemas   the JSON Schema of the arguments
    annotation_converters   values of an annotation between JSON and Python
        annotation_schemas      annotations as JSON Schema
docstrings     the description, parameters and errors in a docstring

pydantic and griffe come with `toolglot[functions]` and are imported when a function is looked at.
"""
