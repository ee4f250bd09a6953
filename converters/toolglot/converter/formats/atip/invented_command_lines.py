"""Command lines that nobody wrote.

A tool that is not described as a program has no command line: a function of a server has a name and a schema, but a
document of this format has to state flags. The writer makes some up, so that its documents are complete. Nobody has
ever run a program with them, and a program of that name may take them for something else. So a mark in `trust`, which
goes wherever a command line can go, says that they are made up, and whoever runs programs from documents refuses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.hub.model import INVENTED, Binding, Tool, parameter_names
from toolglot.converter.hub.trees import walk_nodes

_NATIVE = "native"  # source of what a program says about itself
_INFERRED = {"source": "inferred", "verified": False}  # trust in what nobody said


def mark_invented(tool: Tool) -> Tool:
    """The tool, marked if the writer makes up a part of its command line."""
    if tool.origin is None and (tool.trust or {}).get("source") == _NATIVE:
        return tool
    kinds = list(_kinds_of_parameters(tool))
    is_invented = None in kinds or (not kinds and not any(_is_program(node.origin) for _, node in walk_nodes(tool)))
    if not is_invented:
        return tool
    trust = _INFERRED if tool.trust is None else tool.trust
    return replace(tool, trust={**trust, INVENTED: True})


def _kinds_of_parameters(tool: Tool) -> Iterator[str | None]:
    """The kind of each parameter of a tree; `None` if its kind, or the flag of an option, is not stated."""
    for _, node in walk_nodes(tool):
        for inputs, bindings in ((node.inputs, node.bindings), (node.global_inputs, node.global_bindings)):
            for key in parameter_names(inputs):
                binding = (bindings or {}).get(key, Binding())
                yield None if binding.kind == "option" and not binding.flags else binding.kind


def _is_program(origin: str | None) -> bool:
    """Whether a document of a format describes a program, so that a command without parameters has a command line."""
    origin_format = formats.find(origin)
    return origin_format is not None and origin_format.describes_one_program
