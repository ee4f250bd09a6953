"""What the description of a target has to say: every text of the source that the target has no other place for.

Sources say it in several places (a title, a summary, the body's `## Description` of AIP-14, `when_to_use` of ATDF,
and for a command the text of its program). A target without a field for one of these says it in the description,
unless the description says the same words already.
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
    """The tool with every text that a target with these fields has no place for in its description.

    What has no description is described by its summary, or its title.

    Args:
        leaf: the command that it is, whose program and groups say something of all of their commands; `None` where the
            target says that too.

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
    """What the program above a command says of all its commands, behind its name.

    Warnings at its end reach the command as flags; a text with others stays away, because what they are about, and
    whether that is this command, it does not say.

    >>> program = Tool(id="plant", description="Shuts the reactor down. [⚠️ DESTRUCTIVE]", children=(Tool(id="a"),))
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> [list(_texts_above(leaf)) for leaf in leaves_of(program)]
    [[('plant: ', 'Shuts the reactor down.')]]
    """
    text = without_warnings(_text_of_program(leaf))
    if text and not warnings_in(text):
        yield f"{leaf.path[0]}: ", unwrap_paragraphs(text)


def _text_of_program(leaf: Leaf) -> str:
    """What the program says of all its commands; what its groups say would be said once more for each of theirs."""
    return "".join(node.description or node.summary or "" for node in leaf.ancestors[:1])


def with_examples(tool: Tool, holds: Collection[str], limit: int | None) -> Tool:
    """The tool with as many of its examples in its description as there is room for, each on a line.

    Args:
        limit: UTF-16 units that the description may have with everything that `join_description` adds to it.

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
    """An example on a line: what it is called, and the call; nothing where it shows no call."""
    call = call_of_example(example)
    if call and example.title:
        return f"- {one_line(example.title)}: {call}"
    if call:
        return f"- {call}"
    return ""


def call_of_example(example: Example) -> str:
    """The call that an example shows, as a description tells it; nothing where it shows none."""
    if example.command is not None:
        return f"`{one_line(example.command)}`"
    if example.input is not UNSET:
        return msgspec.json.encode(example.input).decode()
    return ""
