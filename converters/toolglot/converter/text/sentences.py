"""Prose cut into its parts: paragraphs that flow, sentences, the first one, one line."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.regexes import compile_later

# What Markdown gives a line of its own.
_STRUCTURE = compile_later(r"\s*(?:[-*+>|#]|\d{1,9}[.)]\s|```|~~~|:?-{3})|\s{4}|\t")
_ITEM = compile_later(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_FENCE = compile_later(r"\s*(?:```|~~~)")
_HARD_BREAK = ("  ", "\\")

# A full stop, and what follows it is no lower-case letter; a stop of Chinese or Japanese needs no blank.
# Brackets are matched as a whole, because no sentence ends inside of them: `a folder (max. 100)`.
_END = compile_later(r"\([^()]*\)|\[[^\[\]]*\]|(?P<stop>[.!?…][\"'”’)\]*_`]{0,4}(?=\s+[^\sa-z]|\s*\Z)|[。！？])")
_ABBREVIATIONS = frozenset(("e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."))
_SHORTEST = 12  # characters; "Careful!" alone says nothing about a tool


def unwrap_paragraphs(text: str) -> str:
    """Markdown without the line breaks inside its paragraphs; lists, tables, headings and code stay as they are.

    >>> unwrap_paragraphs("Use it when\\nasked.\\n\\n- one\\n  more\\n- two")
    'Use it when asked.\\n\\n- one more\\n- two'
    """
    lines: list[str] = []
    in_code = False
    for line in text.replace("\r\n", "\n").split("\n"):
        fence = bool(_FENCE.match(line))
        if lines and not (in_code or fence) and _goes_on(lines[-1]) and line.strip() and not _STRUCTURE.match(line):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        in_code = in_code != fence
    return "\n".join(lines)


def _goes_on(line: str) -> bool:
    """Whether the paragraph that ends in this line can take another."""
    if not line.strip() or line.endswith(_HARD_BREAK):
        return False
    return bool(_ITEM.match(line)) or not _STRUCTURE.match(line)


def one_line(text: str) -> str:
    """The text with a blank for every run of white space.

    >>> one_line("a\\n\\n b")
    'a b'
    """
    return " ".join(text.split())


def says_optional(text: str) -> bool:
    """Whether a text about a parameter says that it may be left out.

    >>> says_optional("(Optional) The amount."), says_optional("The optional parts."), says_optional("Note (optional).")
    (True, False, True)
    """
    small_text = text.lower()
    return small_text.lstrip("([* ").startswith("optional") or "(optional" in small_text


_WORD = compile_later(r"[^\W_]+")
_SMALL_LETTERS = bytes(code if chr(code).isalnum() else 32 for code in bytes(range(256)).lower())


def is_told(text: str, *others: str) -> bool:
    """Whether another text has the words of this one, in one piece and in their order, however they are spelled.

    >>> is_told("List files.", "To list\\nfiles, call it."), is_told("Ever asked", "Never asked.")
    (True, False)
    """
    row = _words_in_row(text)
    return any(text in other if row.isspace() else row in _words_in_row(other) for other in others)


def _words_in_row(text: str) -> str:
    """The words of a text with a blank before and after each."""
    if text.isascii():  # in less than half of the time, which was 0.7 s of a record with a text of 5 MB
        words = text.encode().translate(_SMALL_LETTERS).decode().split()
    else:
        words = _WORD.findall(text.casefold())
    return f" {' '.join(words)} "


def first_sentence(text: str) -> str:
    """The first sentence, on one line; more than one where the first is no more than an exclamation.

    >>> first_sentence("Look up a price, e.g. Of gold.\\nIt is in USD.")
    'Look up a price, e.g. Of gold.'
    >>> first_sentence("Stop! Remove every file. Then more.")
    'Stop! Remove every file.'
    >>> first_sentence("List the files (max. 100) of a folder. Then more.")
    'List the files (max. 100) of a folder.'
    """
    paragraph = one_line(text.strip().partition("\n\n")[0])
    for end in _END.finditer(paragraph):
        sentence = paragraph[: end.end()]
        if end["stop"] and len(sentence) >= _SHORTEST and not _is_abbreviated(sentence):
            return sentence
    return paragraph


def _is_abbreviated(sentence: str) -> bool:
    """Whether what looks like the end of a sentence is that of an abbreviation."""
    word = sentence.rpartition(" ")[2].rpartition("(")[2].lower()
    return word in _ABBREVIATIONS or (len(word) == 2 and "a" <= word[0] <= "z" and word[1] == ".")


_CLOSED = compile_later(r"[.!?…。！？:][\"'”’)\]*_`]{0,4}\s*\Z")


def end_sentence(text: str) -> str:
    """The text, with a full stop where it does not end as a sentence does.

    >>> end_sentence("Not found"), end_sentence("Not found?")
    ('Not found.', 'Not found?')
    """
    return text if _CLOSED.search(text[-16:]) else f"{text}."


# Every stop and every line, abbreviations too: `check` goes through all texts, and a sentence in two parts matters less
# there than time. One set of characters comes first, which is found fast; three alternatives are not.
_STOP = compile_later(r"[.!?;\n。！？；](?:(?<=\n)\n*|(?<=[.!?;])[\s\"')\]]+|(?<![.!?;\n]))")


def split_sentences(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, each with where it begins.

    >>> list(split_sentences("Adds. Ask first!"))
    [('Adds.', 0), ('Ask first!', 6)]
    """
    start = 0
    for end in _STOP.finditer(text):
        yield text[start : end.start() + (text[end.start()] != "\n")], start
        start = end.end()
    yield text[start:], start
