"""Facts in the text of a description, for a format without fields for them, and how they are read back.

The text of a description is followed by labelled paragraphs about a call, and by the safety flags of the ATIP RFC
(section 8.1):

    Delete a repository.

    When to use: Only when asked by name.

    Safety: deletes files; needs credentials. [⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE]

Reading takes a tail of this shape off again. So a fact survives a format without a field for it, and to write it twice
changes nothing. A text can only add caution: `READ-ONLY` states no fact.

Labels are English. Beside a text in another language, sentences stand without a label, and names are left out. What
only a host needs (scopes, drivers, actions) is not written, because a model cannot act on it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from toolglot.converter.hub.fields import FIELDS, TEXTS
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import (
    FLAGS,
    NOTES,
    SAFETY_LABEL,
    names_by_words,
    sort_warnings,
    text_warnings,
    warnings_in,
)
from toolglot.converter.text.caches import cache_short
from toolglot.converter.text.english import is_english
from toolglot.converter.text.pointers import only_keys

_LABELS = {name: field.label for name, field in FIELDS.items() if field.label}
_SENTENCES = frozenset({"when_to_use", "conditions"})  # what is understood without its label
LABELLED = frozenset(_LABELS)
"""The fields of the hub that a target without a place for them says in a paragraph."""
_values_of = attrgetter(*_LABELS)

_FLAG_BY_WORDS, _NOTE_BY_WORDS = names_by_words(FLAGS), names_by_words(NOTES)
_TAIL = "\n\n"


def join_description(tool: Tool, holds: Collection[str]) -> str | None:
    """The description with a tail that has everything without a place elsewhere in the format.

    A text that would be read back as flags that the tool does not state gets a full stop.

    >>> join_description(Tool(id="rm", description="Remove.", flags=("destructive", "network")), ())
    'Remove.\\n\\nSafety: uses the network. [⚠️ DESTRUCTIVE]'
    >>> join_description(Tool(id="rm", when_to_use="Never [⚠️ DESTRUCTIVE]"), ())
    'rm\\n\\nWhen to use: Never [⚠️ DESTRUCTIVE]'
    >>> join_description(Tool(id="ls", description="List. [🔒 READ-ONLY]"), ())
    'List. [🔒 READ-ONLY].'
    """
    description = _join(tool, holds)
    if not description or not (tool.flags or _may_warn(description)):
        return description
    flags = {*(tool.flags or ())}
    flags_read_back = {*split_description(description, holds).get("flags", ())}
    stated_flags = flags | {*text_warnings(tool, ())}
    if flags <= flags_read_back <= stated_flags:
        return description
    return _join(tool, holds, stop=".")


def _may_warn(text: str) -> bool:
    """Whether `split_description` may find flags: a quick test, so that most descriptions need no full search."""
    return text.endswith("]") or SAFETY_LABEL in text


def _join(tool: Tool, holds: Collection[str], stop: str = "") -> str | None:
    labelled_lines = list(paragraphs(tool, holds).values())
    text = tool.description
    if labelled_lines and not text:
        text = tool.id  # no label stands for a description
    parts = [text, *labelled_lines]
    if stop:
        parts[-1] = (parts[-1] or "") + stop
    flags = tool.flags or ()
    notes = [NOTES[name].words for name in flags if name in NOTES]
    if notes:
        parts.append(f"{SAFETY_LABEL}{'; '.join(notes)}.")
    description = _TAIL.join(filter(None, parts))
    marks = " | ".join(FLAGS[name].words for name in flags if name in FLAGS)
    if marks:
        if description:
            description += " "
        description += f"[{marks}]"
    if not description and tool.description is None:
        return None
    return description


def split_description(description: str, holds: Collection[str]) -> Mapping[str, Any]:
    """The fields from which `join_description` would make this description; always with the key `description`.

    A tail that `join_description` would write in another way is ordinary text, and stays in the description.

    >>> dict(split_description("Remove. [⚠️ DESTRUCTIVE]", ()))
    {'description': 'Remove.', 'flags': ('destructive',)}
    >>> dict(split_description("Remove. [⚠️ MAYBE]", ()))
    {'description': 'Remove. [⚠️ MAYBE]'}
    >>> dict(split_description("[old] Remove. [⚠️ DESTRUCTIVE]", ()))
    {'description': '[old] Remove.', 'flags': ('destructive',)}
    """
    has_tail = _may_warn(description) or any(map(description.__contains__, _LABELS.values()))
    if not has_tail:  # which spares most texts the whole look
        return {"description": description}
    return _split_again(description, frozenset(holds))


def take_description(fields: dict[str, Any], holds: Collection[str]) -> None:
    """Replace the description in `fields` by what `split_description` makes of it, if there is one.

    >>> fields = {"description": "Remove. [⚠️ DESTRUCTIVE]"}
    >>> take_description(fields, ())
    >>> fields
    {'description': 'Remove.', 'flags': ('destructive',)}
    """
    if "description" in fields:
        fields.update(split_description(fields.pop("description"), holds))


# What `join_description` writes it splits to see that it comes back, and the reader of the result does so again:
# without the cache TOOL.md to ATIP takes 1 % longer, a program of 160 commands to OpenAI 4 %.
@cache_short(512)
def _split_again(description: str, holds: frozenset[str]) -> Mapping[str, Any]:
    return MappingProxyType(_split(description, holds))


def _split(description: str, holds: Collection[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    text, flags = _take_flags(description, " ", "[", "]", " | ", _FLAG_BY_WORDS)
    text, notes = _take_flags(text, _TAIL, SAFETY_LABEL, ".", "; ", _NOTE_BY_WORDS)
    if not (flags or notes):
        return take_paragraphs(text, holds)  # which has proven what it took
    fields["flags"] = sort_warnings((*flags, *notes))
    for read in (take_paragraphs(text, holds), {"description": text}):
        if _join(Tool(id="", **read, **fields), holds) == description:
            if not text:
                return fields
            return {**read, **fields}
    return {"description": description}


def _take_flags(
    text: str, gap: str, opening: str, closing: str, between: str, flags: Mapping[str, str]
) -> tuple[str, list[str]]:
    """A text without the flags at its end, and these flags. The caller has to prove that they were flags.

    Args:
        gap: the text before the flags.
        opening, closing, between: the text around the words of the flags, and between them.
        flags: words of a flag -> flag.

    >>> [_take_flags(text, " ", "[", "]", "|", {"A": "a"}) for text in ("[A]", "Do it. [A]", "Do it.[A]")]
    [('', ['a']), ('Do it.', ['a']), ('Do it.[A]', [])]
    """
    head, sign, listed = text.rpartition(opening)
    words = listed.removesuffix(closing).split(between)
    is_apart = head == "" or head.endswith(gap)
    if not (sign and is_apart and all(word in flags for word in words)):
        return text, []
    return head.removesuffix(gap), [flags[word] for word in words]


# -- labelled paragraphs --------------------------------------------------------------------------------------------


def paragraphs(tool: Tool, holds: Collection[str]) -> dict[str, str]:
    """Field without a place in the target -> its paragraph.

    >>> paragraphs(Tool(id="t", when_to_use="Never.", calls=("a", "b")), {"when_to_use"})
    {'calls': 'Calls: a; b.'}
    >>> paragraphs(Tool(id="t", description="Busca el nombre de un cliente.", when_to_use="Solo.", calls=("a",)), ())
    {'when_to_use': 'Solo.'}
    """
    texts: dict[str, str] = {}
    for field, value in zip(_LABELS, _values_of(tool), strict=True):
        if value is None or field in holds:
            continue
        words = _format_value(value)
        if words:
            texts[field] = words
    if not texts:
        return {}
    sentences = only_keys(texts, _SENTENCES)
    if not is_english("\n".join([tool.description or "", *sentences.values()])):
        return sentences
    return {field: _LABELS[field] + words + _full_stop(field) for field, words in texts.items()}


def take_paragraphs(text: str, holds: Collection[str]) -> dict[str, Any]:
    """The fields in the paragraphs at the end of a text, and `description`, the text before them.

    Paragraphs that `paragraphs` would write in another way are ordinary prose, and stay in the description.

    >>> take_paragraphs("Delete.\\n\\nCalls: a; b.", ())
    {'description': 'Delete.', 'calls': ('a', 'b')}
    >>> take_paragraphs("Calls: a\\n\\nWhen to use: a label in the wrong place", {"when_to_use"})
    {'description': 'Calls: a\\n\\nWhen to use: a label in the wrong place'}
    """
    fields: dict[str, Any] = {}
    head = text
    for field, label in reversed(_LABELS.items()):
        before, gap, words = head.rpartition(_TAIL + label)
        if gap and words and field not in holds and not warnings_in(words):  # which would be lost in a list
            head, fields[field] = before, _parse_value(field, words.removesuffix(_full_stop(field)))
    if not (fields and head):
        return {"description": text}
    values = {"description": head, **fields}
    own_paragraphs = paragraphs(Tool(id="", **values), holds)
    if _TAIL.join([head, *own_paragraphs.values()]) != text:
        return {"description": text}
    return values


def _full_stop(field: str) -> str:
    """The full stop after a paragraph: names need one, the sentences of a source end as they are."""
    return "" if field in _SENTENCES else "."


def _format_value(value: Any) -> str:
    """A value in words that `_parse_value` reads back; empty where there are none."""
    if value is True:
        return "deprecated"
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, str):
        return value
    return ""


def _parse_value(field: str, words: str) -> Any:
    if field == "deprecated":
        return words == "deprecated" or None
    if FIELDS[field].kind == TEXTS:
        return tuple(words.split("; "))
    return words
