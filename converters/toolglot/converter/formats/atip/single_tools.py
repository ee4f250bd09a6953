"""A single tool as a program, and the call of a group: both have a command `""`."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.formats.atip.tables import COMMAND, DESCRIPTION_LIMIT, HOLDS, PROGRAM
from toolglot.converter.formats.kit.description.shortening import shorten
from toolglot.converter.formats.kit.field_tables import fields_of
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.titles import title_of_name
from toolglot.converter.text.sentences import first_sentence

# Fields that stand at the program, and not at its command `""`.
_OF_PROGRAM = (fields_of(PROGRAM) - fields_of(COMMAND) - {"id"}).union(
    HOLDS.intersection(fields_with(handed_down="same")), ("global_inputs", "global_bindings")
)


def is_bare(tool: Tool) -> bool:
    """Whether a document describes its program without any command, not even `""`."""
    return tool.origin == "atip" and tool.inputs == {"type": "object", "properties": {}}


def as_program(tool: Tool) -> Tool:
    """A single tool as a program whose bare executable, the command `""`, takes its parameters.

    One sentence at the root says what the program is; the command has the whole description.
    """
    of_program = {name: getattr(tool, name) for name in _OF_PROGRAM}
    bare = _bare_command(tool)
    extensions = {"atip": tool.extension("atip")} if tool.extensions else None
    summary = tool.summary
    if summary is None and tool.description is not None:
        summary = shorten(first_sentence(tool.description), DESCRIPTION_LIMIT)
    return Tool(id=tool.id, description=summary, children=(bare,), extensions=extensions, **of_program)


def _bare_command(tool: Tool) -> Tool:
    """The command `""`: the tool without the fields that stand at its program."""
    description, assumed = tool.description, None
    if description is None:
        description = tool.summary
    if description is None:
        description, assumed = tool.title or title_of_name(tool.id), ("description",)
    of_program = dict.fromkeys((*_OF_PROGRAM, "summary", "extensions", "children"))
    return replace(tool, **of_program, id="", description=description, assumed=assumed)


def call_of_group(tool: Tool) -> Tool:
    """The command `""` of a group that can be called by itself."""
    return Tool(id="", description=tool.description, inputs=tool.inputs, bindings=tool.bindings)
