"""The coefficients of `tokens.estimate`, fitted on one half of the corpus and tried on the other.

`make tokens` runs it, and holds the table in `docs/reference/tokens.md` to it. The definitions are other people's and
lie beside the project, in `../shared/corpus`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus import FOLDERS, IS_HERE, files
from golden import same_table
from toolglot.converter import formats
from toolglot.converter.conversion import sources
from toolglot.converter.conversion.offers import OfferOptions, SafetyText, TargetRequest
from toolglot.errors import Error
from toolglot.verbs.tokens.definitions import ToolRequest
from toolglot.verbs.tokens.estimate import COEFFICIENTS, counted_text, estimate_tokens, features_of_text
from toolglot.verbs.tokens.exact import count_exactly

# Provider -> how much of the dangers its descriptions tell.
TARGETS: dict[str, SafetyText | None] = {"openai": None, "anthropic": "full"}


class Sample(NamedTuple):
    """One definition: what the formula counts in it, how many tokens it is, and whether the fit may see it."""

    features: list[int]
    tokens: int
    is_fitted: bool


def samples(path: Path) -> Iterator[tuple[str, Sample]]:
    """The definitions of a file as they are and as providers are offered them, each under the name of its kind."""
    try:
        reading = sources.read_document(sources.open_document(path))
    except Error:
        return
    for record in reading.records:
        yield "as published", sample(record.data, path)
    for provider, safety_text in TARGETS.items():
        options = OfferOptions(safety_text=safety_text)
        form = TargetRequest(formats.get(provider), None, options, own_definitions="if-valid")
        for definition in ToolRequest(reading.tools, form, estimate_tokens).definitions:
            yield f"for {provider}", sample(definition.data, path)


def sample(data: dict[str, Any], path: Path) -> Sample:
    text = counted_text(data)
    is_fitted = hashlib.sha256(path.name.encode()).digest()[0] % 2 == 0  # by files, whose tools are of one hand
    return Sample(features_of_text(text), count_exactly(text), is_fitted)


def fit(some: list[Sample]) -> list[float]:
    """The coefficients with the smallest sum of relative errors, by least squares that trust outliers less."""
    coefficients = [0.0] * len(COEFFICIENTS)
    for _ in range(30):
        weights = [1 / sample.tokens**2 / (abs(error_of(sample, coefficients)) + 0.01) for sample in some]
        coefficients = least_squares(some, weights)
    return coefficients


def least_squares(some: list[Sample], weights: list[float]) -> list[float]:
    """The solution of the normal equations, by elimination."""
    size = len(COEFFICIENTS)
    rows = [[0.0] * (size + 1) for _ in range(size)]
    for sample, weight in zip(some, weights, strict=True):
        values = [*sample.features, sample.tokens]
        for row, feature in zip(rows, sample.features, strict=True):
            for column, value in enumerate(values):
                row[column] += weight * feature * value
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for index in range(size):
            if index != pivot:
                factor = rows[index][pivot]
                rows[index] = [value - factor * own for value, own in zip(rows[index], rows[pivot], strict=True)]
    return [row[size] for row in rows]


def error_of(sample: Sample, coefficients: Sequence[float]) -> float:
    """How far the formula is off, as a part of the tokens."""
    estimate = sum(a * b for a, b in zip(sample.features, coefficients, strict=True))
    return estimate / sample.tokens - 1


def row(name: str, some: list[Sample], coefficients: Sequence[float] = COEFFICIENTS) -> str:
    """The errors of the formula over many definitions, in per cent, as a row of a table."""
    errors = sorted(100 * error_of(sample, coefficients) for sample in some)
    low, median, high = (errors[int(len(errors) * part)] for part in (0.05, 0.5, 0.95))
    cells = (f"{error:+.1f} %" for error in (median, low, high, max(errors, key=abs)))
    return f"| {name} | {len(errors):,} | {' | '.join(cells)} |"


if __name__ == "__main__":
    if not IS_HERE:
        sys.exit(f"the corpus is not here: {Path('..', 'shared', 'corpus')} has to lie beside the checkout")
    kinds: dict[str, list[Sample]] = {}
    for path in (path for folder in FOLDERS for path in files(folder)):
        for kind, one in samples(path):
            kinds.setdefault(kind, []).append(one)
    everything = [one for several in kinds.values() for one in several]
    fitted = fit([one for one in everything if one.is_fitted])
    unseen = [one for one in everything if not one.is_fitted]
    print("fitted:        ", *(f"{coefficient:.3f}" for coefficient in fitted))
    print("in the package:", *(f"{coefficient:.3f}" for coefficient in COEFFICIENTS))
    print(row("fitted, on the other half", unseen, fitted))
    lines = ["| definitions | number | median | p5 | p95 | worst |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    lines += [row("the half that was not fitted on", unseen)]
    lines += [row(f"all, {kind}", several) for kind, several in kinds.items()]
    print("\n".join(lines))
    same_table("errors of the formula", "\n".join(lines))
