"""Which known name somebody meant who wrote an unknown one: a slip of a few letters, or the beginning of a name.

Letters are counted as a typist errs: one that is wrong, left out, added, or has changed places with the next. Of three
letters one may be wrong, as in rustc and CPython. That two names share letters in some order says nothing: `difflib`
takes `after` for `safetyTier`, and `title` for `estimate`.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolglot.converter.text.caches import cache_short
from toolglot.converter.text.sequences import common_ends

_LETTERS_OF_A_SLIP = 3  # of which one may be wrong, on the average of both names
_SHORTEST_BEGINNING = 4
_LONGEST = 300  # characters of a known name; nobody means a longer one, and what is remembered stays small
_SHORTEST_SLIP = 5  # letters; one of four in another place is mostly another word: `host` and `cost`
_LONG = 8  # letters of which two may be wrong


def most_similar(name: str, known_names: Iterable[str]) -> str | None:
    """The known name that was most likely meant; `None` where none is likely.

    Capitals, `-` and `_` make no difference.

    >>> known = ["maxLength", "minLength", "description"]
    >>> most_similar("minLenght", known), most_similar("max_length", known), most_similar("desc", known)
    ('minLength', 'maxLength', 'description')
    >>> most_similar("after", ["safetyTier"]), most_similar("title", ["estimate"]), most_similar("x", ["y"])
    (None, None, None)
    """
    return _most_similar(name, tuple([known_name for known_name in known_names if len(known_name) <= _LONGEST]))


@cache_short(1024)  # thousands of records have the same fault; without it their check takes half as long again
def _most_similar(name: str, known_names: tuple[str, ...]) -> str | None:
    letters = letters_of(name) or name
    slips_of: dict[str, int] = {}
    beginnings: list[str] = []
    for known_name in known_names:
        known_letters = letters_of(known_name) or known_name
        if _is_beginning(letters, known_letters):
            beginnings.append(known_name)
        most = max((len(letters) + len(known_letters)) // (2 * _LETTERS_OF_A_SLIP), 1)
        slips = count_slips(letters, known_letters, most)
        if slips is not None and slips < max(len(letters), len(known_letters)):  # else they have no letter in common
            slips_of[known_name] = slips
    if not slips_of:
        return beginnings[0] if len(beginnings) == 1 else None
    fewest = min(slips_of.values())
    nearest = [known_name for known_name, slips in slips_of.items() if slips == fewest]
    return min(nearest, key=lambda known_name: count_slips(name, known_name, len(name) + len(known_name)) or 0)


def _is_beginning(letters: str, known_letters: str) -> bool:
    """Whether a name is the beginning of a known one, or at most as long again."""
    if letters.startswith(known_letters):
        return len(letters) <= 2 * len(known_letters)
    return len(letters) >= _SHORTEST_BEGINNING and known_letters.startswith(letters)


def find_slip(name: str, known_names: Iterable[str], shortest: int = _SHORTEST_SLIP) -> str | None:
    """The known name that a name is surely a slip of.

    Stricter than `most_similar`: that one answers somebody who made a mistake, this one speaks up unasked.

    Args:
        shortest: letters of a name that is a slip if one of them is wrong; with the same letters a shorter one is.

    >>> known = ["cost", "description", "title"]
    >>> [find_slip(name, known) for name in ("host", "descripton", "titel", "tile")]
    [None, 'description', 'title', None]
    """
    meant = most_similar(name, known_names)
    if meant is None:
        return None
    written, letters = letters_of(name), letters_of(meant)
    if sorted(written) == sorted(letters):
        return meant
    has_other_ending = written.startswith(letters) or letters.startswith(written)
    most = 2 if len(letters) >= _LONG and not has_other_ending else 1
    is_slip = len(written) >= shortest and count_slips(written, letters, most) is not None
    return meant if is_slip else None


@cache_short(4096)  # the known names of a format are compared with each unknown one
def letters_of(name: str) -> str:
    """The letters and digits of a name, in lower case: what is the same however somebody, or a format, spells it.

    >>> letters_of("x-Max_Length"), letters_of("--")
    ('xmaxlength', '')
    """
    return "".join(filter(str.isalnum, name.lower()))


def count_slips(written: str, meant: str, most: int) -> int | None:
    """How many letters are wrong, missing, too many, or have changed places with the next; `None` for more than `most`.

    Source: the restricted distance of Damerau and Levenshtein.

    >>> count_slips("lenght", "length", 1), count_slips("lenth", "length", 1), count_slips("size", "length", 1)
    (1, 1, None)
    """
    # Of a slip at most two letters are in one name only; without this look 30,000 unknown keys take 3 s longer.
    if max(abs(len(written) - len(meant)), len(set(written) ^ set(meant)) / 2) > most:
        return None
    start, end = common_ends(written, meant)  # where no letter is wrong
    written, meant = written[start : len(written) - end], meant[start : len(meant) - end]
    before: list[int] = []  # the row before the last
    row = list(range(len(meant) + 1))
    for line, letter in enumerate(written, 1):
        new_row = [line]
        for column, other in enumerate(meant, 1):
            slips = min(row[column] + 1, new_row[-1] + 1, row[column - 1] + (letter != other))
            have_changed_places = column > 1 and letter == meant[column - 2] and other == written[line - 2]
            if line > 1 and have_changed_places:
                slips = min(slips, before[column - 2] + 1)
            new_row.append(slips)
        if min(new_row) > most and min(row) > most:
            return None
        before, row = row, new_row
    return row[-1] if row[-1] <= most else None
