"""Words that are looked for in a whole text, so that the search takes little time.

`re` leaps to the letters that a pattern may begin with. Where borders, or letters of both cases, stand in front, it
tries every branch at every character, which takes twenty times as long. So texts are searched in small letters, and
what has to stand before a word is asked behind it.
"""

from __future__ import annotations


def in_small_letters(text: str) -> str:
    """The text in small letters, each at its place: of all letters only this one becomes two.

    >>> in_small_letters("Straße İZMİR")
    'straße izmir'
    """
    return text.replace("İ", "i").lower()


def after(before: str, *words: str, then: str = "") -> str:
    """The patterns of words before which something stands, or ends, as alternatives.

    Args:
        before: the pattern of it: a border, or what looks ahead or behind.
        words: small letters.
        then: the pattern of what follows each of them.

    >>> import re
    >>> re.findall(after(r"\\b", "pin", "key", then="s?"), "pins spin key monkey")
    ['pins', 'key']
    """
    return either(*(rf"{word}(?<={before}{word}){then}" for word in words))


def either(*patterns: str) -> str:
    """Patterns as alternatives of one: in a group of their own `re` would not see which letters they begin with."""
    return "|".join(patterns)
