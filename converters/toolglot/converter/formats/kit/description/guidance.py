"""The full description for a target: with every text of the source that has no other place there.

Sources have such texts in several places: a title, a summary, `## Description` in the body of AIP-14, `when_to_use` of
ATDF, and for a command the text of its program. A target without a field for one of these has it in the description,
unless the description has the same words already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import inf
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from toolglot.converter.formats.kit.description.facts_in_description import join_description
from toolglot.converter.formats.kit.description.shortening import CUT, units
from toolglot.converter.hub.model import Example, Leaf, Tool
from toolglot.converter.safety import warnings_in, without_warnings
from toolglot.converter.schema.titles import is_in_name
from toolglot.converter.text.english import is_english
from toolglot.converter.text.sentences import is_told, one_line, unwrap_paragraphs

_LONGEST_HEADING = 200  # characters


def describe_fully(tool: Tool, holds: Collection[str], leaf: Leaf | None = None) -> Tool:
    """The tool with a description that has every text for which a target with these fields has no place.

    Without a description, the summary or the title is used.

    Args:
        leaf: the command, with the program and groups whose texts are about all of their commands; `None` where the
            target has these texts itself.

    >>> describe_fully(Tool(id="rm", title="Erase for good", description="Remove."), ()).description
    'Erase for good\\n\\nRemove.'
    >>> describe_fully(Tool(id="rm", description="Remove.", guidance="Only when\\nasked."), ()).description
    'Remove.\\n\\nOnly when asked.'
    >>> describe_fully(Tool(id="rm_file", title="Rm file", description="Remove."), ()).description
    'Remove.'
    """
    changes: dict[str, Any] = {}
    texts = list(filter(None, (tool.description or tool.summary or tool.title,)))
    behind = [] if leaf is None else list(_texts_above(leaf))
    # What a program says is told behind its name, also where the bare executable has it as its summary.
    told = texts if leaf is None else [*texts, _text_of_program(leaf)]
    for name in ("summary", "title"):
        text = None if name in holds else getattr(tool, name)
        if text and _says_more(text, tool.id, told):
            # A limit cuts the end, so what is longer than a heading would push the description out.
            texts.insert(0 if len(text) <= _LONGEST_HEADING else len(texts), text)
    if tool.guidance and "guidance" not in holds:
        changes["guidance"] = None
        if "when_to_use" in holds and not tool.when_to_use:
            changes["when_to_use"] = unwrap_paragraphs(tool.guidance)
        else:
            behind.insert(0, ("", unwrap_paragraphs(tool.guidance)))
    if behind and texts and behind[0][1].startswith(texts[-1].removesuffix(CUT)):
        texts.pop()  # the body begins with it, and has it whole where it was too long for its field
    for label, text in behind:
        if not is_told(text, *texts):
            texts.append(label + text)
    description = "\n\n".join(texts)
    if description and description != tool.description:
        changes["description"] = description
    return replace(tool, **changes) if changes else tool


def _says_more(text: str, name: str, texts: Collection[str]) -> bool:
    """Whether a title or a summary has a word that neither the name nor a text has."""
    return not is_in_name(text, " ".join((name, *texts))) and not is_told(text, *texts)


def _texts_above(leaf: Leaf) -> Iterator[tuple[str, str]]:
    """The texts of the program above a command about all of its commands, behind the name of the program.

    Warnings at the end of such a text reach the command as flags. A text with other warnings is left out, because it
    does not say whether they are about this command.

    >>> program = Tool(id="plant", description="Shuts the reactor down. [⚠️ DESTRUCTIVE]", children=(Tool(id="a"),))
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> [list(_texts_above(leaf)) for leaf in leaves_of(program)]
    [[('plant: ', 'Shuts the reactor down.')]]
    """
    text = without_warnings(_text_of_program(leaf))
    if text and not warnings_in(text):
        yield f"{leaf.path[0]}: ", unwrap_paragraphs(text)


def _text_of_program(leaf: Leaf) -> str:
    """The text of the program about all of its commands. Texts of groups are left out, to avoid repetition."""
    return "".join(node.description or node.summary or "" for node in leaf.ancestors[:1])


def with_examples(tool: Tool, holds: Collection[str], limit: int | None) -> Tool:
    """The tool with as many examples in its description as fit, each on a line.

    Args:
        limit: the most UTF-16 units of the description, with everything that `join_description` adds to it.

    >>> pay = Tool(id="pay", description="Pay.", examples=(Example(title="Rent", input={"to": "Ann"}),))
    >>> with_examples(pay, (), None).description
    'Pay.\\n\\nExamples:\\n- Rent: {"to":"Ann"}'
    """
    description = tool.description or ""
    opening = "\n\nExamples:\n" if is_english(description) else "\n\n"
    room = inf if limit is None else limit - units(join_description(tool, holds) or "")
    text = ""
    for line in filter(None, map(_line_of_example, tool.examples or ())):
        longer = f"{text}\n{line}" if text else opening + line
        if units(longer) <= room:
            text = longer
    return replace(tool, description=description + text) if text else tool


def _line_of_example(example: Example) -> str:
    """An example as a line: its name and its call; empty where it shows no call."""
    call = call_of_example(example)
    if call and example.title:
        return f"- {one_line(example.title)}: {call}"
    if call:
        return f"- {call}"
    return ""


def call_of_example(example: Example) -> str:
    """The call of an example as text; empty where it shows no call."""
    if example.command is not None:
        return f"`{one_line(example.command)}`"
    if example.input is not UNSET:
        return msgspec.json.encode(example.input).decode()
    return ""
