"""A judge of danger that knows nothing of toolglot: readers of every raw format, written by hand.

Each reader takes the bytes of a document and returns what a careful host would understand of every tool in it. Sources
are the published specifications of the formats alone; what toolglot documents as its own words
("Safety: deletes files.") is parsed here a second time. The folder imports `json`, `yaml`, `re` and `unicodedata` and
nothing of toolglot, and `test_judge.py` holds it to that: a mistake in the product's reading cannot hide itself here.
"""

from judge.claims import without_claims
from judge.laws import Fault, calmer, faults, surplus
from judge.reading import FORMATS, read
from judge.statements import FACETS, SAID_BY_ALL, Statement

__all__ = [
    "FACETS", "FORMATS", "SAID_BY_ALL", "Fault", "Statement", "calmer", "faults", "read", "surplus", "without_claims",
]  # fmt: skip
