"""Words of a tool that `check` warns of: whoever changes a description may want to manipulate a model by it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from toolglot.converter.formats import Record
from toolglot.converter.hub.model import Tool, to_json
from toolglot.verbs.comparison.breaking_changes import SUSPICIOUS
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_engine import Engine
from toolglot.verbs.diagnostics.rule_selection import RuleSelection, rules_for


def suspicious_changes(old: Tool, new: Tool, fields: Collection[str]) -> Iterator[ContractChange]:
    """What `check` warns of in fields of a tool, and did not warn of before, as changes.

    All texts and keys are looked at, not the changes: a definition that nothing refers to, or a note that no rule of a
    comparison knows, is no change of the contract, and a model reads it.

    >>> old, new = Tool(id="a", summary="Read."), Tool(id="a", summary="Read. ![x](https://a.example)")
    >>> [(change.path, change.note) for change in suspicious_changes(old, new, {"summary"})]
    [('/summary', '`check` warns of its new words (the text loads an image from elsewhere: "![x](https://a.example" [remote-image])')]
    """  # noqa: E501
    known = {_key(finding) for finding in _findings_in(old, fields)}
    for finding in _findings_in(new, fields):
        if _key(finding) not in known:
            known.add(_key(finding))
            yield change_by_rule(SUSPICIOUS, finding.pointer, note=f"{finding.message} [{finding.code}]")


def _findings_in(tool: Tool, fields: Collection[str]) -> Iterator[Diagnostic]:
    words = {name: to_json(getattr(tool, name)) for name in Tool.__struct_fields__ if name in fields}
    yield from _engine().check_texts(Record(data=words))


def _key(finding: Diagnostic) -> tuple[str, str]:
    """The same for a text that has another place in its list now, and for the others that lists hold beside it."""
    return re.sub(r"/\d+(?=/|$)", "/*", finding.pointer), finding.message


@cache
def _engine() -> Engine:
    """The rules about texts, but for those that ask whether a text says enough."""
    return Engine(rules_for(RuleSelection(ignore=("meaning",))))
