"""Front matter: YAML between two lines of dashes, above a body."""

from __future__ import annotations

from typing import Any

from toolglot.converter.text.source_text import Mark, SourceText
from toolglot.converter.text.wording import quote_text
from toolglot.errors import ParseError
from toolglot.regexes import compile_later

_OPENING = compile_later(r"---(?P<language>[ \t]*[A-Za-z][\w.+-]*)?[ \t]*\r?\n")
_CLOSING = compile_later(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")


def read(source: SourceText, must_close: bool) -> tuple[dict[str, Any], str, Mark | None] | None:
    """The mapping in the front matter of a text, the body, and where the values start; `None` where it has none.

    Args:
        must_close: whether a first line of dashes is front matter even where nothing closes it. YAML may begin so, too.

    Raises:
        ParseError: nothing closes it, it is in another language than YAML, or it holds no mapping (code
            `"front-matter"`); or it is no YAML.
        LimitError: beyond the limits.

    >>> read(SourceText("---\\nid: a\\n---\\n# A", None), True)[:2]
    ({'id': 'a'}, '# A')
    """
    opening = _OPENING.match(source.text)
    if opening is None:
        return None
    if opening["language"]:
        message = f"front matter in {quote_text(opening['language'].strip())}; write YAML between plain --- lines"
        raise source.wrong("front-matter", message, 3)
    closing = _CLOSING.search(source.text, opening.end() - 1)
    if closing is None:
        if must_close:
            message = "the front matter is not closed; end it with a line of three dashes"
            raise source.wrong("front-matter", message, 0)
        return None
    from toolglot.converter.text import yaml_reader  # 11 ms that reading JSON does not need

    data: Any = None
    mark: Mark | None = None
    try:
        data, mark = yaml_reader.read(source, opening.end(), closing.start() + 1)
    except ParseError as error:
        if error.code not in ("empty", "not-a-document"):
            raise
    if type(data) is not dict:
        message = "the front matter between the --- lines is not a mapping; write `key: value` lines there"
        raise source.wrong("front-matter", message, opening.end())
    return data, source.text[closing.end() :], mark
