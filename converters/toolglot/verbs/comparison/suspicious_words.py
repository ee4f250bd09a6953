"""New words of a tool that `check` warns of: whoever changes a description may want to manipulate a model by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from toolglot.converter.formats import Record
from toolglot.verbs.comparison.breaking_changes import SUSPICIOUS
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.diagnostics.rule_engine import Engine
from toolglot.verbs.diagnostics.rule_selection import RuleSelection, rules_for


def suspicious_changes(changes: Iterable[ContractChange]) -> Iterator[ContractChange]:
    """What `check` warns of in the words that changes bring, and did not warn of before, as changes of their own.

    >>> change = change_by_rule("wording-changed", "/description", "Give the time.", "Give it. ![x](https://a.example)")
    >>> [change.note for change in suspicious_changes([change])]
    ['`check` warns of its new words (the text loads an image from elsewhere: "![x](https://a.example" [remote-image])']
    """
    for change in changes:
        if change.has_other_words:
            known = set(_warnings_of(change.before))
            for warning in _warnings_of(change.after):
                if warning not in known:
                    yield change_by_rule(SUSPICIOUS, change.path, note=warning)


def _warnings_of(words: Any) -> Iterator[str]:
    for finding in _engine().check_texts(Record(data=words)):
        yield f"{finding.message} [{finding.code}]"


@cache
def _engine() -> Engine:
    """The rules about texts, but for those that ask whether a text says enough."""
    return Engine(rules_for(RuleSelection(ignore=("meaning",))))
