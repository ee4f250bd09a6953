"""A single tool as a program, and a group that is called by itself: both are the command `""`."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.formats.atip.tables import COMMAND, DESCRIPTION_LIMIT, HOLDS, PROGRAM
from toolglot.converter.formats.kit.description.shortening import shorten
from toolglot.converter.formats.kit.field_tables import fields_of
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.titles import title_of_name
from toolglot.converter.text.sentences import first_sentence

_OF_PROGRAM = (fields_of(PROGRAM) - fields_of(COMMAND) - {"id"}).union(
    HOLDS.intersection(fields_with(handed_down="same")), ("global_inputs", "global_bindings")
)


def is_bare(tool: Tool) -> bool:
    """A program that describes no commands at all, as opposed to one that takes arguments itself."""
    return tool.origin == "atip" and tool.inputs == {"type": "object", "properties": {}}


def as_program(tool: Tool) -> Tool:
    """A single tool as a program whose bare executable, the command `""`, takes its parameters.

    What the program is stands in one sentence at its root; how and when to call it stands whole in the command.
    """
    of_program = {name: getattr(tool, name) for name in _OF_PROGRAM}
    bare = _bare(tool)
    extensions = {"atip": tool.extension("atip")} if tool.extensions else None
    summary = tool.summary
    if summary is None and tool.description is not None:
        summary = shorten(first_sentence(tool.description), DESCRIPTION_LIMIT)
    return Tool(id=tool.id, description=summary, children=(bare,), extensions=extensions, **of_program)


def _bare(tool: Tool) -> Tool:
    """The command `""`: the tool without what its program says."""
    description, assumed = tool.description, None
    if description is None:
        description = tool.summary
    if description is None:
        description, assumed = tool.title or title_of_name(tool.id), ("description",)
    of_program = dict.fromkeys((*_OF_PROGRAM, "summary", "extensions", "children"))
    return replace(tool, **of_program, id="", description=description, assumed=assumed)


def call_of_group(tool: Tool) -> Tool:
    """The command `""` of a group: what the group takes when it is called by itself."""
    return Tool(id="", description=tool.description, inputs=tool.inputs, bindings=tool.bindings)
