"""A baseline: known findings, which are not reported again.

A finding is identified by its code, its tool and its place in the tool (`Diagnostic.fingerprint`), not by its line: a
finding that moves stays the same.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from toolglot.converter.files import writing
from toolglot.converter.files.existing_targets import refuse_foreign
from toolglot.converter.text import document_reader, serialization
from toolglot.errors import ReadError, UsageError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, known_place

_KEY = "toolglot-baseline"  # by which a file is known to be one


class BaselineComparison(NamedTuple):
    """The findings that are not in a baseline, and the number of its entries that are not found any more."""

    new: list[Diagnostic]
    stale: int


def compare_with_baseline(path: str, diagnostics: Iterable[Diagnostic]) -> BaselineComparison:
    """The findings that are not in the baseline.

    Raises:
        UsageError: the file is no baseline; code `"bad-baseline"`.
    """
    counts = _read(path)
    new: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if counts[diagnostic.fingerprint] > 0:
            counts[diagnostic.fingerprint] -= 1
        else:
            new.append(diagnostic)
    return BaselineComparison(new, sum(count for count in counts.values() if count > 0))


def write_baseline(path: str, diagnostics: Iterable[Diagnostic]) -> None:
    """Write the findings as the new baseline.

    Raises:
        UsageError: the file exists and is no baseline.
    """
    refuse_foreign(path, _KEY)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for diagnostic in diagnostics:
        about, pointer = known_place(diagnostic)
        counts[about, diagnostic.code, pointer, diagnostic.fingerprint] += 1
    entries = [
        {"fingerprint": fingerprint, "code": code, "tool": about, "pointer": pointer, "count": count}
        for (about, code, pointer, fingerprint), count in sorted(counts.items())
    ]
    writing.write_if_changed(path, serialization.dump_json({_KEY: 1, "findings": entries}).encode())


def _read(path: str) -> Counter[str]:
    if not os.path.lexists(path):
        raise UsageError("there is no such baseline", "bad-baseline", source=path, hint="--update-baseline writes one")
    try:
        data = json.loads(document_reader.read_file(path))
        if data[_KEY] != 1:
            raise ValueError
        return Counter({entry["fingerprint"]: int(entry.get("count", 1)) for entry in data["findings"]})
    except (ReadError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise UsageError("this is no baseline of toolglot", "bad-baseline", source=path) from None
