"""The two schemas of a comparison, for the functions that compare some of their keywords."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from toolglot.converter.schema.accepted_values.acceptance import LESS, MORE, UNCLEAR, SchemaChange, Sense
from toolglot.converter.schema.budget import WalkBudget
from toolglot.converter.text.pointers import Path

if TYPE_CHECKING:
    from toolglot.converter.schema.accepted_values.schema_side import SchemaSide, StepBudget

TOO_LARGE = "too large or too deep to be compared"
_WORDS_OF_SENSE = {LESS: "less", MORE: "more", UNCLEAR: "changed"}


class ComparedSchemas(ABC):
    """Both sides, the budget of the comparison, and helpers to record a change."""

    old: SchemaSide
    new: SchemaSide
    steps: StepBudget
    budget: WalkBudget

    @abstractmethod
    def compare(self, old: Any, new: Any, at: Path, exact: bool) -> list[SchemaChange]:
        """Compare two schemas, one of each side."""

    @abstractmethod
    def compare_flat(self, old: Any, new: Any, at: Path, exact: bool) -> list[SchemaChange]:
        """Compare two schemas after following their references."""

    def same(self, old: Any, new: Any) -> bool:
        """Whether an old and a new schema accept the same values by the same words."""
        return self.old.shape(old) == self.new.shape(new)

    def change(
        self, what: str, at: Path, keyword: str, before: Any, after: Any, sense: Sense, note: str = ""
    ) -> SchemaChange:
        """A change at a path."""
        return SchemaChange(what, self.budget.write(at), keyword, before, after, sense, note)

    def keyword_changes(self, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> list[SchemaChange]:
        """The change of a keyword as a list; empty where nothing changed."""
        what = _WORDS_OF_SENSE.get(sense)
        if what is None:
            return []
        return [self.change(what, at, keyword, before, after, sense)]

    def unclear(self, at: Path, keyword: str, before: Any, after: Any, note: str) -> list[SchemaChange]:
        """A change that cannot be decided."""
        return [self.change("unclear", at, keyword, before, after, UNCLEAR, note)]
