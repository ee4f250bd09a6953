"""A test of many rows fails where one of them does, and says which."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rows
from rows import for_each, sample

pytestmark = pytest.mark.skipif(rows.EACH, reason="each row is a case of its own")


def test_every_broken_row_is_named() -> None:
    seen = []

    @for_each(("left", "right"), [("a", "a"), ("b", "c"), ("d", "d"), ("e", "f")], ids=["one", "two", "three", "four"])
    def rule(left: str, right: str) -> None:
        seen.append(left)
        assert left == right

    with pytest.raises(ExceptionGroup, match=r"2 of 4 rows: two; four") as raised:
        rule()
    assert [error.__notes__ for error in raised.value.exceptions] == [["in the row two"], ["in the row four"]]
    assert seen == ["a", "b", "d", "e"]


def test_a_row_that_should_have_raised_is_named_as_the_others_are() -> None:
    @for_each("number", [0, 1, 2])
    def rule(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            assert 1 // number

    with pytest.raises(BaseExceptionGroup, match=r"2 of 3 rows: number 1; number 2"):
        rule()


def test_one_broken_row_is_raised_as_it_is() -> None:
    @for_each("number", [1, 0])
    def rule(number: int) -> None:
        assert 1 // number

    with pytest.raises(ZeroDivisionError) as raised:
        rule()
    assert raised.value.__notes__ == ["in the row number 1"]


def test_rows_in_rows_are_all_tried() -> None:
    seen = []

    @for_each("one", "ab")
    @for_each("other", "xy")
    def rule(one: str, other: str) -> None:
        seen.append(one + other)

    rule()
    assert seen == ["ax", "ay", "bx", "by"]
    assert not inspect.signature(rule).parameters


def test_each_row_has_examples_of_its_own() -> None:
    drawn: dict[int, list[int]] = {0: [], 1: []}

    @for_each("number", [0, 1])
    @given(example=st.integers())
    def rule(number: int, example: int) -> None:
        drawn[number].append(example)

    rule()
    assert drawn[0] != drawn[1]


def test_no_rows_and_a_fixture_that_starts_anew_are_mistakes() -> None:
    @for_each("number", [])
    def rule(number: int) -> None: ...

    with pytest.raises(AssertionError, match="no rows"):
        rule()
    with pytest.raises(AssertionError, match="has to be parametrized"):

        @for_each("number", [1])
        def other(number: int, tmp_path: object) -> None: ...


@pytest.mark.skipif(rows.THOROUGH, reason="a thorough run takes no samples")
def test_samples_that_walk_leave_nothing_out() -> None:
    for size in (1, 2, 3, 4, 15):
        samples = [sample(range(size), 3, start) for start in range(3)]
        assert all(samples)
        assert {number for taken in samples for number in taken} == {*range(size)}
