"""Whether a text is English: labels of ours are, and do not belong into a text of another language.

The evidence is what a reader sees first: the letters, and the small words that every sentence has. A text without
any evidence counts as English, which most descriptions are.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from toolglot.regexes import compile_later

_LOOKED_AT = 2_000  # characters
_WORD = compile_later(r"[^\W\d_]+")

# Small words of one language that are none in the others, or mean the same there.
_ENGLISH = (
    "and are be been by can for from has have if into it its more must not of only or such than that the their them "
    "then there these this those to use used uses user users was when where which will with would you your"
)
_OTHERS = (
    # Spanish, Portuguese, Italian, French, Catalan
    "al ao aos au aux ce cette che como con cuando da dans das de degli dei del della des di du e el ella em "
    "en entre es essa este esta est et fazer gli ha il la las le les lo los mas na nao nas nos para pas pero "
    "perché por pour qual quand quando que qui quien se ses sin sobre su sua sur um uma un una une uno usa usar "
    "utiliza utilise voce y "
    # German, Dutch, Danish, Norwegian, Swedish
    "aan af als att auf aus av bei bij das dass dem der det dies diese ein eine einem einen einer er et för für "
    "fra från gegen het ich ikke im ist mit naar nach nicht niet oder och og på sich sie som te till um und van vom "
    "von voor wenn werden wird zu zum zur "
    # Polish, Czech, Turkish, Indonesian
    "bir bu czy dari dla gdy ile için jako jak jest lub nie ohne oraz pod pro przez przy się untuk ve yang za ze że "
)
_SMALL_WORDS, _FOREIGN = frozenset(_ENGLISH.split()), frozenset(_OTHERS.split())


def is_english(text: str) -> bool:
    """Whether labels in English fit beside this text.

    >>> is_english("Find a customer."), is_english("Busca un cliente por su nombre."), is_english("查找客户")
    (True, False, False)
    """
    return _is_english(text[:_LOOKED_AT])


@lru_cache(512)  # without it a stream of records in which some texts come again takes 4 % longer
def _is_english(beginning: str) -> bool:
    words = _WORD.findall(beginning.lower())
    if _FOREIGN.isdisjoint(words) and all(map(str.isascii, words)):
        return True
    others = [char for char in "".join(words) if not char.isascii()]
    if 2 * sum("LATIN" not in unicodedata.name(char, "") for char in others) > sum(map(len, words)):
        return False
    foreign = sum(word in _FOREIGN or not word.isascii() for word in words)
    return foreign < 2 or foreign <= sum(word in _SMALL_WORDS for word in words)
