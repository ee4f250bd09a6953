"""Front matter: YAML between two lines of dashes, above a body."""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.converter.text.source_text import Mark, SourceText
from toolglot.converter.text.wording import quote_text
from toolglot.errors import ParseError
from toolglot.regexes import compile_later

_OPENING = compile_later(r"---(?P<language>[ \t]*[A-Za-z][\w.+-]*)?[ \t]*\r?\n")
_CLOSING = compile_later(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")


class FrontMatter(msgspec.Struct, frozen=True):
    """Where its YAML starts and ends in a text, and where the body starts."""

    start: int
    end: int
    body: int


def find(source: SourceText, must_close: bool) -> FrontMatter | None:
    """The front matter of a text; `None` where it has none.

    Args:
        must_close: whether a first line of dashes is front matter even where nothing closes it. YAML may begin so, too.

    Raises:
        ParseError: nothing closes it, or it is in another language than YAML; code `"front-matter"`.

    >>> find(SourceText("---\\nid: a\\n---\\n# A", None), True)
    FrontMatter(start=4, end=10, body=14)
    """
    opening = _OPENING.match(source.text)
    if opening is None:
        return None
    if opening["language"]:
        message = f"front matter in {quote_text(opening['language'].strip())}; write YAML between plain --- lines"
        raise source.wrong("front-matter", message, 3)
    closing = _CLOSING.search(source.text, opening.end() - 1)
    if closing is not None:
        return FrontMatter(opening.end(), closing.start() + 1, closing.end())
    if must_close:
        message = "the front matter is not closed; end it with a line of three dashes"
        raise source.wrong("front-matter", message, 0)
    return None


def read(source: SourceText, place: FrontMatter) -> tuple[dict[str, Any], Mark | None]:
    """The mapping in front matter, and where its values start in the text.

    Raises:
        ParseError: it holds no mapping (code `"front-matter"`), or is no YAML.
        LimitError: beyond the limits.
    """
    from toolglot.converter.text import yaml_reader  # 11 ms that reading JSON does not need

    data: Any = None
    mark: Mark | None = None
    try:
        data, mark = yaml_reader.read(source, place.start, place.end)
    except ParseError as error:
        if error.code not in ("empty", "not-a-document"):
            raise
    if type(data) is not dict:
        message = "the front matter between the --- lines is not a mapping; write `key: value` lines there"
        raise source.wrong("front-matter", message, place.start)
    return data, mark
