"""New words that `check` warns of: whoever changes a description may want to manipulate a model by it."""

from __future__ import annotations

import re
from typing import Any

from toolglot.converter.formats import Record
from toolglot.verbs.comparison.breaking_changes import SUSPICIOUS
from toolglot.verbs.comparison.difference import change_by_rule
from toolglot.verbs.comparison.field_comparisons import ContractChanges
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_engine import engine_for
from toolglot.verbs.diagnostics.rule_selection import RuleSelection

_OF_WORDS = RuleSelection(ignore=("meaning",))  # not those that ask whether a text says enough


def suspicious_changes(old: dict[str, Any], new: dict[str, Any]) -> ContractChanges:
    """What `check` warns of in JSON data, and did not warn of before, as changes.

    All texts and keys are looked at, not the changes: a definition that nothing refers to, or a note that no rule of a
    comparison knows, is no change of the contract, and a model reads it.

    >>> changes = suspicious_changes({"a": "Read."}, {"a": "Read. ![x](https://a.example)"})
    >>> [(change.path, change.code) for change in changes]
    [('/a', 'words-suspicious')]
    """
    check_texts = engine_for(_OF_WORDS).check_texts
    known = {_key(finding) for finding in check_texts(Record(data=old))}
    for finding in check_texts(Record(data=new)):
        key = _key(finding)
        if key not in known:
            known.add(key)
            yield change_by_rule(SUSPICIOUS, finding.pointer, note=f"{finding.message} [{finding.code}]")


def _key(finding: Diagnostic) -> tuple[str, str]:
    """The same for a text that has another place in its list now, and for the others that lists hold beside it."""
    return re.sub(r"/\d+(?=/|$)", "/*", finding.pointer), finding.message
