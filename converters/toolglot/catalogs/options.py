"""What a catalogue is asked for beside its format."""

from __future__ import annotations

from typing import NamedTuple

from toolglot.conversion.asserted_facts import Assertion
from toolglot.conversion.namespaces import AUTO
from toolglot.conversion.selection import EVERYTHING, Choice


class CatalogOptions(NamedTuple):
    """What a catalogue is asked for.

    Attributes:
        namespace: whose ids they are, as in `toolglot.conversion.namespaces.with_namespaces`.
        assertions: what the person who runs this vouches for.
        languages: of the texts; the first is shown, the others stand in where it is missing. Empty: as they come.
        choice: which of the tools stand in it.
    """

    namespace: str = AUTO
    assertions: tuple[Assertion, ...] = ()
    languages: tuple[str, ...] = ()
    choice: Choice = EVERYTHING


AS_USUAL = CatalogOptions()
