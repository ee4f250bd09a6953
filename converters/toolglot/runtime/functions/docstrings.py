"""The parts of a docstring, in any of the three styles that people write: Google, NumPy and Sphinx."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter.hub.model import ErrorCode
from toolglot.extras import load_package

_NAMED = ("parameters", "other parameters")
# A docstring that begins with a section of Google's style: Python has dedented the lines of that section.
_SECTION = re.compile(r"[A-Z]\w+:\n(?=\S)")
# griffe needs a blank line above the title of such a section, and none below.
_TITLES = (
    "Args", "Arguments", "Keyword Args", "Keyword Arguments", "Params", "Parameters", "Other Parameters", "Returns",
    "Yields", "Raises", "Examples",
)  # fmt: skip
# The title of a section in NumPy's style. A line that begins with `Warning:` would make griffe take it for Google's.
_UNDERLINED = re.compile(r"^(?:(?:Other )?Parameters|Returns|Yields|Raises)[ \t]*\n-{3,}[ \t]*$", re.MULTILINE)
_TITLE = re.compile(rf"^({'|'.join(_TITLES)}):[ \t]*\n(?:[ \t]*\n)*(?=[ \t]+\S)", re.MULTILINE)
# A parameter that griffe does not recognize: one before a dash, one alone on its line, or one before a type of several
# lines or with colons (of Sphinx).
_ITEM = re.compile(
    r"""^(?P<head>(?P<indent>[ \t]++)(?:[-\\*`][-\\*` ]*+)?(?P<name>\w+)[*`]*)
    (?: [ ]*\((?=[^()\n:]*[\n:])[^()]*+\)[ ]*:
      | (?:[ ]*\([^()\n]*\))? (?: [ ]+(?:--?|[–—])[ ] | [ ]*(?=\n(?P=indent)[ \t]+\S) ) )""",
    re.MULTILINE | re.VERBOSE,
)
_AROUND_NAME = re.compile(r"\A[\\*`\- ]+|[*`]* *(?:\(.*\))? *\Z")  # `\*`, the dash of a list, a type before ` :`


class Docstring(NamedTuple):
    """What a docstring says.

    Attributes:
        description: the text outside of all sections, and the sections that have no field here, such as warnings.
        parameters: name -> text.
        result: what a call returns or yields.
        errors: what a call raises.
        guidance: the examples.
    """

    description: str | None = None
    parameters: Mapping[str, str] = {}
    result: str | None = None
    errors: tuple[ErrorCode, ...] = ()
    guidance: str | None = None


def parse_docstring(text: str | None, names: Container[str] | None = None, untyped: Container[str] = ()) -> Docstring:
    """The parts of a docstring.

    Args:
        names: the parameters of the function. Text about another name, such as a key of `**options`, goes to the
            description. `None` accepts every name.
        untyped: the parameters without an annotation. The type that the docstring gives stands before their text: no
            schema says it.

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
                if name in untyped and item.annotation:
                    description = f"({item.annotation}) {description}".rstrip()
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
    """The sections that griffe finds in a docstring."""
    griffe = load_package("griffe", "functions", "functions as tools need")
    default = None
    if _SECTION.match(text):
        default, text = "google", text.replace("\n", "\n    ")
    docstring = griffe.Docstring(text)
    # griffe infers the style from lines with lines above and below them, hence the line ends. They are set here: the
    # constructor would dedent the text once more.
    docstring.value = "\n" + _TITLE.sub(r"\n\1:\n", text) + "\n"
    style = "numpy" if _UNDERLINED.search(text) else griffe.infer_docstring_style(docstring, default=default)[0]
    docstring.value = docstring.value.rstrip()
    sections: list[Any] = griffe.parse(docstring, style, warnings=False)
    return sections


def with_replacement(description: str | None, words: str | None) -> str | None:
    """A description with the message of a deprecated function, which often says what to use instead.

    >>> with_replacement("Send it.", "Use mail.")
    'Send it.\\n\\nDeprecated: Use mail.'
    """
    return f"{description or ''}\n\nDeprecated: {words}".strip() if words else description


def _section_text(section: Any) -> str:
    """A section that `Docstring` has no field for, such as a warning, as one text with its title."""
    title = section.title or section.kind.value.capitalize()
    if isinstance(section.value, list):
        return f"{title}: {'; '.join(_describe_items(section.value))}"
    return f"{title}: {getattr(section.value, 'description', section.value)}"


def _describe_items(items: Iterable[Any]) -> list[str]:
    return [": ".join(filter(None, (getattr(item, "name", ""), item.description or _prose(item)))) for item in items]


def _prose(item: Any) -> str:
    """The words that griffe took for a type; where NumPy's style expects a type, people often write a sentence."""
    text = str(getattr(item, "annotation", None) or "")
    return text if " " in text else ""


def _join_stripped(texts: list[str], separator: str) -> str | None:
    return separator.join(text.strip() for text in texts) or None
