"""Command lines that nobody wrote.

A tool that is not described as a program has no command line: a function of a server has a name and a schema, and a
document of this format has to say flags. The writer makes some up, so that its documents are whole. Nobody has ever run
a program with them, and a program of that name may take them for something else. So they are marked in `trust`, which
goes wherever a command line can go, and whoever runs what documents say refuses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.hub.model import INVENTED, Binding, Tool, parameter_names
from toolglot.converter.hub.trees import walk_nodes

_ITSELF = "native"  # what a program says of itself
_NOBODY = {"source": "inferred", "verified": False}


def mark_invented(tool: Tool) -> Tool:
    """The tool, marked if something on its command line is made up by writing it."""
    if tool.origin is None and (tool.trust or {}).get("source") == _ITSELF:
        return tool
    kinds = list(_kinds(tool))
    is_invented = None in kinds or (not kinds and not any(_is_program(node.origin) for _, node in walk_nodes(tool)))
    if not is_invented:
        return tool
    trust = _NOBODY if tool.trust is None else tool.trust
    return replace(tool, trust={**trust, INVENTED: True})


def _kinds(tool: Tool) -> Iterator[str | None]:
    """How each parameter of a tree stands on its command line; `None` where nobody says."""
    for _, node in walk_nodes(tool):
        for inputs, bindings in ((node.inputs, node.bindings), (node.global_inputs, node.global_bindings)):
            for key in parameter_names(inputs):
                binding = (bindings or {}).get(key, Binding())
                yield None if binding.kind == "option" and not binding.flags else binding.kind


def _is_program(origin: str | None) -> bool:
    """Whether a document of a format describes a program, so that a command without parameters has a command line."""
    origin_format = formats.find(origin)
    return origin_format is not None and origin_format.describes_one_program
