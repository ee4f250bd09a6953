"""The coefficients of `toolglot.tokens.estimate`, fitted on one half of the corpus and tried on the other.

`make tokens` runs it. The definitions are other people's and lie beside the project, in `../shared/corpus`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import bpe_openai

from corpus import FOLDERS, IS_HERE, files
from toolglot.conversion import sources
from toolglot.errors import Error
from toolglot.text.serialization import dump_json
from toolglot.tokens.estimate import COEFFICIENTS, features_of

ENCODING = bpe_openai.get_encoding("o200k_base")


class Sample(NamedTuple):
    """One definition: what the formula counts in it, how many tokens it is, and whether the fit may see it."""

    features: list[int]
    tokens: int
    is_fitted: bool


def samples() -> Iterator[Sample]:
    for path in (path for folder in FOLDERS for path in files(folder)):
        try:
            records = sources.read_document(sources.open_document(path)).records
        except Error:
            continue
        for record in records:
            text = dump_json(record.data, None)[:-1]
            is_fitted = hashlib.sha256(f"{path.name} {text}".encode()).digest()[0] % 2 == 0
            yield Sample(features_of(text), len(ENCODING.encode_ordinary(text)), is_fitted)


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


def describe(some: list[Sample], coefficients: Sequence[float]) -> str:
    """The errors of the formula over many definitions, in per cent."""
    errors = sorted(100 * error_of(sample, coefficients) for sample in some)
    low, median, high = (errors[int(len(errors) * part)] for part in (0.05, 0.5, 0.95))
    worst = max(errors, key=abs)
    numbers = f"median {median:+.1f} %, p5 {low:+.1f} %, p95 {high:+.1f} %, worst {worst:+.1f} %"
    return f"{len(errors):5,} definitions: {numbers}"


if __name__ == "__main__":
    if not IS_HERE:
        sys.exit(f"the corpus is not here: {Path('..', 'shared', 'corpus')} has to lie beside the checkout")
    everything = list(samples())
    seen = [sample for sample in everything if sample.is_fitted]
    unseen = [sample for sample in everything if not sample.is_fitted]
    fitted = fit(seen)
    print("fitted on one half:", *(f"{coefficient:.2f}" for coefficient in fitted))
    print("  on the other half:", describe(unseen, fitted))
    print("in the package:    ", *(f"{coefficient:.2f}" for coefficient in COEFFICIENTS))
    print("  on the other half:", describe(unseen, COEFFICIENTS))
    print("  on all:           ", describe(everything, COEFFICIENTS))
