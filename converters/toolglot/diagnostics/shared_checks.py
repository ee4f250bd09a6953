"""What the checks of all tools of a document share: the work that they may do, and what was found in definitions.

The operations of one API may each have nearly all of its definitions. What rules find in one of these is the same for
every tool, unless a value in it is held to other definitions, or one of its references leads elsewhere than to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from toolglot.formats.kit.rule import Hit, Rule
from toolglot.schema.arguments import JudgingBudget
from toolglot.schema.keywords import walk
from toolglot.text.pointers import escape

_TO_DEFINITIONS = "#/$defs/"
_ELSEWHERE = frozenset({"$id", "$dynamicRef", "$recursiveRef"})  # where references lead is not known with these
_VALUES = frozenset({"default", "examples"})

RuleFinding: TypeAlias = tuple[Rule, Hit]


class SharedChecks:
    """The checks of one document.

    Attributes:
        budget: for all values that are held to schemas.
    """

    def __init__(self) -> None:
        self.budget = JudgingBudget()
        # By identity, with the definition itself, so that no other gets its identity.
        self._definitions: dict[int, Any] = {}
        self._needs: dict[int, frozenset[str] | None] = {}
        self._findings: dict[tuple[int, str], list[RuleFinding]] = {}

    def shared_names(self, definitions: Mapping[str, Any]) -> list[str]:
        """The definitions of a schema that others had before, and in which rules find the same wherever they stand."""
        names: list[str] = []
        for name, definition in definitions.items():
            if id(definition) not in self._definitions:
                self._definitions[id(definition)] = definition
                continue
            needs = self._needs_of(definition)
            if needs is not None and needs <= definitions.keys():
                names.append(name)
        return names

    def findings(
        self, name: str, definition: Any, find: Callable[[Any, str], Iterable[RuleFinding]]
    ) -> list[RuleFinding]:
        """What `find` finds in a definition of `shared_names` and the place where it stands, which is asked once."""
        key = id(definition), name
        if key not in self._findings:
            self._findings[key] = list(find(definition, f"/$defs/{escape(name)}"))
        return self._findings[key]

    def _needs_of(self, definition: Any) -> frozenset[str] | None:
        if id(definition) not in self._needs:
            self._needs[id(definition)] = _needs_of(definition)
        return self._needs[id(definition)]


def _needs_of(definition: Any) -> frozenset[str] | None:
    """The definitions that one refers to; `None` where it makes a difference what these are.

    >>> _needs_of({"items": {"$ref": "#/$defs/a"}}), _needs_of({"$ref": "#/$defs/a", "default": 1})
    (frozenset({'a'}), None)
    """
    names: set[str] = set()
    for _, schema in walk(definition):
        if not isinstance(schema, dict):
            continue
        reference = schema.get("$ref", _TO_DEFINITIONS)
        name = str(reference).removeprefix(_TO_DEFINITIONS)
        if reference == name or "/" in name or "~" in name or "%" in name or not _ELSEWHERE.isdisjoint(schema):
            return None
        if not _VALUES.isdisjoint(schema) and any("$ref" in inner for inner in _schemas_in(schema)):
            return None
        names.add(name)
    return frozenset(names) - {""}


def _schemas_in(schema: Any) -> list[dict[str, Any]]:
    return [inner for _, inner in walk(schema) if isinstance(inner, dict)]
