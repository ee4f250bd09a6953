"""The words of a tool's name. The first word hints at what the tool does; it is a hint for `check`, and no fact."""

from __future__ import annotations

import re
from functools import lru_cache

_DESTROYS_WORDS = (
    "delete deletes remove removes destroy destroys drop drops purge purges erase erases wipe wipes truncate "
    "kill revoke uninstall"
)
DESTROYS = frozenset(_DESTROYS_WORDS.split())
_WRITES_WORDS = (
    "create update send set install deploy merge write edit insert put post patch publish upload add assign "
    "rename move replace append commit push save enable disable archive restore submit approve reject cancel "
    "close reopen"
)
WRITES = frozenset(_WRITES_WORDS.split())
_READS_WORDS = "get list search read fetch find show describe view query count lookup retrieve browse inspect"
READS = frozenset(_READS_WORDS.split())
_VERBS = DESTROYS | WRITES | READS
_SCOPE = re.compile(r"[:./]|__")
_LONGEST = 200  # characters of a name, whose last words count
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words_of_name(identifier: str) -> tuple[str, ...]:
    """The words of the last part of an id, in lower case.

    >>> words_of_name("host:notes.deleteAll"), words_of_name("github__list_issues"), words_of_name("HTTPGet")
    (('delete', 'all'), ('list', 'issues'), ('http', 'get'))
    >>> words_of_name("/")
    ()
    """
    return _words_of_short_name(identifier[-_LONGEST:])


@lru_cache(1024)  # several rules ask for each name; without it `check` takes 3 % longer
def _words_of_short_name(name: str) -> tuple[str, ...]:
    last = next(filter(None, reversed(_SCOPE.split(name))), "")
    return tuple(word.lower() for word in _WORD.findall(last))


def first_word(identifier: str) -> str:
    """The first word of the last part of an id; empty where it has none.

    >>> first_word("host:notes.deleteAll"), first_word("/")
    ('delete', '')
    """
    return next(iter(words_of_name(identifier)), "")


def first_word_said(text: str) -> str:
    """The first word of a description; empty where it has none.

    >>> first_word_said("Deletes a note: now at once."), first_word_said("")
    ('deletes', '')
    """
    return first_word(text.partition(" ")[0])


def verb_in(identifier: str, text: str) -> str:
    """The verb in the name of a tool: its first word, or a later one with which the description begins as well.

    >>> verb_in("acme_replace_symbol", "Replaces a symbol."), verb_in("acme_commit_log", "Shows commits.")
    ('replace', 'acme')
    """
    first, said = first_word(identifier), first_word_said(text)
    if first in _VERBS:
        return first
    return next((word for word in words_of_name(identifier) if word in _VERBS and said.startswith(word)), first)
