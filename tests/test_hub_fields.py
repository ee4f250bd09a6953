"""`hub.fields` is the one table of the fields of a tool."""

from __future__ import annotations

import pytest

import reference
from golden import ROOT, same_file
from toolglot.converter import formats, safety
from toolglot.converter.hub.fields import FIELDS, fields_with
from toolglot.converter.hub.model import SCHEMAS, Tool


def test_every_field_of_a_tool_has_a_row() -> None:
    assert FIELDS.keys() == {*Tool.__struct_fields__}


@pytest.mark.golden
def test_every_field_of_a_tool_is_in_its_schema() -> None:
    same_file(ROOT / "schemas" / "hub" / "1.schema.json", reference.hub.schema())


def test_what_stands_elsewhere_agrees_with_it() -> None:
    assert {*fields_with(kind="schema")} == {*SCHEMAS}
    assert safety.CONSTANTS.keys() <= {*fields_with(assumable=True)}
    assert {*fields_with(handed_down="worst")} <= safety.FIELDS_OF_DANGER


def test_a_format_names_what_it_made_up_in_a_place_of_its_own() -> None:
    for target in map(formats.get, formats.targets()):
        if "assumed" in target.holds and not target.holds_everything:
            assert target.slot.path
