"""Titles that only repeat a name."""

from __future__ import annotations

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.text.similar_names import letters_of
from toolglot.regexes import compile_later

_WORD = compile_later(r"[^\W_]+")
_HUMP = compile_later(r"(?<=[a-z0-9])(?=[A-Z])")
_ABBREVIATIONS = frozenset(
    {"api", "csv", "html", "http", "https", "id", "ip", "json", "pdf", "sql", "uri", "url", "xml"}
)
_MODEL = compile_later(r"(?<=[a-z0-9])(?:Arguments|Args|Input|Output|Params|Request|Response|Schema)\Z")


def is_idle_title(node: JsonSchema, key: str | None) -> bool:
    """Whether a title only repeats the name or the description, as those that programs generate do.

    >>> is_idle_title({"title": "Page Size"}, "page_size"), is_idle_title({"title": "lsArguments"}, "ls")
    (True, True)
    """
    if "title" not in node:
        return False
    title = node["title"] if isinstance(node["title"], str) else ""
    name = key or ""
    title_letters, description = letters_of(title), letters_of(str(node.get("description") or ""))
    return title_letters == letters_of(name) or title_letters in description or is_in_name(title, name)


def is_in_name(title: str, name: str) -> bool:
    """Whether every word of a title is one of a name; what generators add to it for their models is no word.

    >>> is_in_name("Delete Workspace", "workspace.delete"), is_in_name("ListFilesInput", "list_files")
    (True, True)
    >>> is_in_name("All", "ls")
    False
    """
    words = _folded_words(_MODEL.sub("", title))
    return bool(words) and words <= _folded_words(name)


def is_title_of_model(title: object) -> bool:
    """Whether a title is one that generators make of the name of a tool, for the model of its arguments.

    >>> is_title_of_model("stockArguments"), is_title_of_model("What to order")
    (True, False)
    """
    return isinstance(title, str) and _MODEL.search(title) is not None


def parts_of_name(name: str) -> list[str]:
    """The words that a name is made of, as they are written.

    >>> parts_of_name("product_url"), parts_of_name("maxItems"), parts_of_name("--")
    (['product', 'url'], ['max', 'Items'], [])
    """
    return list(_WORD.findall(_HUMP.sub(" ", name)))


def title_of_name(name: str) -> str:
    """A name as a person would read it out: its words, and the name itself where it has none.

    >>> title_of_name("product_url"), title_of_name("maxItems"), title_of_name("useHTTP"), title_of_name("")
    ('Product URL', 'Max items', 'Use HTTP', '')
    """
    words = [_as_written(word) for word in parts_of_name(name)]
    if not words:
        return name
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])


def _as_written(word: str) -> str:
    if word.lower() in _ABBREVIATIONS:
        return word.upper()
    return word if word.isupper() and len(word) > 1 else word.lower()


def _folded_words(text: str) -> set[str]:
    return {word.casefold() for word in parts_of_name(text)}
