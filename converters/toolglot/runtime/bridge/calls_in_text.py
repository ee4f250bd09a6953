"""A call that a model wrote into its text, and that the server which runs the model did not read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolglot.converter.formats.kit.calls import wire
from toolglot.converter.text.pointers import walk_values

_TEXT_KEYS = frozenset({"content", "text", "delta"})  # where providers send what a model says, whole or in pieces
# Between the begin of a line and the name of a tool stand only signs and the words of calls, and the name is neither a
# tag, nor a key, nor the text of a link. A bound for each line keeps long texts quick.
_WRITTEN_CALL = r"""(?imx)
    (?: ^ | </think> ) (?= [\s`]{{0,8}} (?: json \s )? [<\[{{] )
    (?: [\W_] | tools? | calls? | functions? | invoke | name | type | begin | section | sep | python | tag | action
      | channel | commentary | to | json ){{0,40}}?
    (?<! [\w</] ) ( {names} ) (?! [\w-] | \] | ["'] \s* : )
"""


def call_in_text(events: Iterable[Any], names: Iterable[str]) -> str | None:
    """The name of the first of these tools that the text of a response seems to call.

    Args:
        events: a whole response, or the events of one, as data or as the objects of the vendor's client.

    >>> pieces = ["[TOOL_CALLS]find", '_notes[ARGS]{"word": "a"}']
    >>> events = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    >>> call_in_text(events, ["find_notes"]), call_in_text([{"text": "I call find_notes."}], ["find_notes"])
    ('find_notes', None)
    """
    values = walk_values([wire(event) for event in events])
    text = "".join(value for _, key, value in values if key in _TEXT_KEYS and isinstance(value, str))
    found = re.search(_WRITTEN_CALL.format(names="|".join(map(re.escape, names))), text)
    return None if found is None else found[1]
