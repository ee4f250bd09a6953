"""What a docstring says of a function, in any of the three styles that people write: Google, NumPy and Sphinx."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter.hub.model import ErrorCode
from toolglot.extras import load_package

_NAMED = ("parameters", "other parameters")
_SECTION = re.compile(r"[A-Z]\w+:\n(?=\S)")  # of Google's style, whose lines Python dedents where it stands first
# griffe reads a section of that style only below a blank line, and only where none is below its title.
_TITLES = (
    "Args", "Arguments", "Keyword Args", "Keyword Arguments", "Params", "Parameters", "Other Parameters", "Returns",
    "Yields", "Raises", "Examples",
)  # fmt: skip
_TITLE = re.compile(rf"^({'|'.join(_TITLES)}):[ \t]*\n(?:[ \t]*\n)*(?=[ \t]+\S)", re.MULTILINE)
# A parameter before a dash, a line of its own, or a type of several lines or with colons (of Sphinx): griffe finds no
# name there.
_ITEM = re.compile(
    r"""^(?P<head>(?P<indent>[ \t]++)(?:[-\\*`][-\\*` ]*+)?(?P<name>\w+)[*`]*)
    (?: [ ]*\((?=[^()\n:]*[\n:])[^()]*+\)[ ]*:
      | (?:[ ]*\([^()\n]*\))? (?: [ ]+(?:--?|[–—])[ ] | [ ]*(?=\n(?P=indent)[ \t]+\S) ) )""",
    re.MULTILINE | re.VERBOSE,
)
_AROUND_NAME = re.compile(r"\A[\\*`\- ]+|[*`]* *(?:\(.*\))? *\Z")  # of `\*args`, of a list, and a type before ` :`


class Docstring(NamedTuple):
    """What a docstring says.

    Attributes:
        description: what stands outside of all sections, and the sections that nothing else has a place for.
        parameters: name -> what it is.
        result: what a call returns.
        errors: what it raises.
        guidance: its examples.
    """

    description: str | None = None
    parameters: Mapping[str, str] = {}
    result: str | None = None
    errors: tuple[ErrorCode, ...] = ()
    guidance: str | None = None


def parse_docstring(text: str | None, names: Container[str] | None = None) -> Docstring:
    """The parts of a docstring.

    Args:
        names: the parameters that it can speak of; what it says of others, such as the keys of `**options`, stays in
            the description. Without them it can speak of all.

    >>> parse_docstring("Add two numbers.\\n\\n:param a: the first\\n:raises OverflowError: too large").parameters
    {'a': 'the first'}
    """
    if not text or not text.strip():
        return Docstring()
    texts: list[str] = []
    examples: list[str] = []
    parameters: dict[str, str] = {}
    results: list[str] = []
    errors: list[ErrorCode] = []

    def with_colon(item: re.Match[str]) -> str:
        return f"{item['head']}: " if names is None or item["name"] in names else item[0]

    for section in _sections_of(_ITEM.sub(with_colon, text)):
        kind = section.kind.value
        if kind == "text":
            texts.append(section.value)
        elif kind in _NAMED:
            for item in section.value:
                name, description = _AROUND_NAME.sub("", item.name), item.description.strip()
                if names is None or name in names:
                    parameters[name] = description
                else:
                    texts.append(f"{name}: {description}")
        elif kind in ("returns", "yields"):
            results += _describe_items(section.value)
        elif kind == "raises":
            for item in section.value:
                errors.append(ErrorCode(code=str(item.annotation), description=item.description))
        elif kind == "examples":
            examples += [content for _, content in section.value]
        else:
            texts.append(_section_text(section))
    return Docstring(
        _join_stripped(texts, "\n\n"),
        parameters,
        _join_stripped(results, " "),
        tuple(errors),
        _join_stripped(examples, "\n\n"),
    )


def _sections_of(text: str) -> list[Any]:
    """What griffe makes of a docstring. It finds a style by lines that have others above and below them."""
    griffe = load_package("griffe", "functions", "functions as tools need")
    default = None
    if _SECTION.match(text):
        default, text = "google", text.replace("\n", "\n    ")
    docstring = griffe.Docstring(text)
    docstring.value = "\n" + _TITLE.sub(r"\n\1:\n", text) + "\n"  # given like this it would be dedented once more
    style, _ = griffe.infer_docstring_style(docstring, default=default)
    docstring.value = docstring.value.rstrip()
    sections: list[Any] = griffe.parse(docstring, style, warnings=False)
    return sections


def with_replacement(description: str | None, words: str | None) -> str | None:
    """A description with what its author says to use instead, if that is said.

    >>> with_replacement("Send it.", "Use mail.")
    'Send it.\\n\\nDeprecated: Use mail.'
    """
    return f"{description or ''}\n\nDeprecated: {words}".strip() if words else description


def _section_text(section: Any) -> str:
    """A section without a place of its own, such as a warning, under its title."""
    title = section.title or section.kind.value.capitalize()
    if isinstance(section.value, list):
        return f"{title}: {'; '.join(_describe_items(section.value))}"
    return f"{title}: {getattr(section.value, 'description', section.value)}"


def _describe_items(items: Iterable[Any]) -> list[str]:
    return [": ".join(filter(None, (getattr(item, "name", ""), item.description or _prose(item)))) for item in items]


def _prose(item: Any) -> str:
    """What stands in the place of a type; a line of words is taken for one where NumPy's style expects a type."""
    text = str(getattr(item, "annotation", None) or "")
    return text if " " in text else ""


def _join_stripped(texts: list[str], separator: str) -> str | None:
    return separator.join(text.strip() for text in texts) or None
