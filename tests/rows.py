"""Tests of one rule over many rows: one test, and every row that breaks the rule is named.

pytest takes longer for a case of its own than most rows take, three milliseconds with workers. A row stays a case of
its own where it needs a fixture that starts anew, or where it may be skipped.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

import pytest

THOROUGH = bool(os.environ.get("TOOLGLOT_LAWS"))  # `make laws`: no samples
EACH = bool(os.environ.get("TOOLGLOT_EACH"))  # each row as a case of its own, to look for one of them with `-k`
STARTS_ANEW = {"capfd", "capsys", "caplog", "monkeypatch", "recwarn", "request", "tmp_path"}
Test = Callable[..., None]
T = TypeVar("T")


def for_each(names: str | Sequence[str], rows: Iterable[Any], ids: Any = None) -> Callable[[Test], Test]:
    """A decorator like `pytest.mark.parametrize`, with the same arguments, that makes one test of all rows.

    Raises:
        BaseExceptionGroup: several rows are broken; its message names each.
    """
    if EACH:
        return pytest.mark.parametrize(names, list(rows), ids=ids)
    if isinstance(names, str):
        columns = [name.strip() for name in names.split(",")]
    else:
        columns = list(names)
    is_single = isinstance(names, str) and len(columns) == 1
    table: list[tuple[Any, ...]] = []
    for row in rows:
        if is_single:
            row = (row,)
        table.append(tuple(row))
    names_of_rows = list(ids) if isinstance(ids, Iterable) else ids
    labels = [label(row, index, names_of_rows) for index, row in enumerate(table)]

    def decorate(test: Test) -> Test:
        parameters = inspect.signature(test).parameters
        others = [parameter for name, parameter in parameters.items() if name not in columns]
        assert not STARTS_ANEW & {parameter.name for parameter in others}, f"{test.__name__} has to be parametrized"

        @wraps(test, updated=())
        def whole(**fixtures: Any) -> None:
            assert table, "no rows"
            broken: dict[str, BaseException] = {}
            for name, row in zip(labels, table, strict=True):
                try:
                    vary(test, name)
                    test(**fixtures, **dict(zip(columns, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # every row is tried, whatever the last raised
                    error.add_note(f"in the row {name}")
                    broken[name] = error
            if len(broken) == 1:
                raise next(iter(broken.values()))
            if broken:
                raise BaseExceptionGroup(f"{len(broken)} of {len(table)} rows: {'; '.join(broken)}", [*broken.values()])

        # What pytest reads from a test function: the fixtures that it takes, and its marks.
        whole.__dict__.update(__signature__=inspect.Signature(others), pytestmark=getattr(test, "pytestmark", []))
        return whole

    return decorate


def sample(items: Sequence[T], step: int, start: int = 0) -> Sequence[T]:
    """Each `step`-th item from the one with the number `start` on; all of them where the run is thorough.

    There is always one: where there are fewer items than a step is long, `start` walks over those that there are.
    """
    return items if THOROUGH else items[start % min(step, len(items)) :: step]


def vary(test: Test, name: str) -> None:
    """Let Hypothesis draw other examples for this row, as its plugin for pytest does for every case."""
    if hasattr(test, "hypothesis"):
        test.hypothesis.inner_test._hypothesis_internal_add_digest = name.encode()
        test.__dict__["_hypothesis_internal_database_key"] = b""  # else made of the source, though there is no database


def label(row: tuple[Any, ...], index: int, ids: Any) -> str:
    """What a row is called: as `ids` says, else by those of its values that are short, else by its number."""
    if isinstance(ids, Sequence):
        return str(ids[index])
    if ids:
        words = [str(ids(value)) for value in row]
    else:
        words = [value for value in row if isinstance(value, str)]
    return "-".join(word[:40] for word in words) or f"number {index}"
