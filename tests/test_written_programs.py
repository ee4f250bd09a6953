"""What other tools become as the description of a program: as an author of such a description would write it."""

from __future__ import annotations

import json
import shlex
from typing import Any

import toolglot
from rows import for_each
from toolglot.bridge import argv
from toolglot.converter.safety import caution

TOOL_MD = {
    "name": "Print label",
    "id": "parcel.print",
    "description": "Print the label of a parcel.",
    "version": "1.0.0",
    "mutates": ["external:printer"],
    "inputs": {
        "type": "object",
        "properties": {
            "parcel_no": {"type": "integer"},
            "note": {"type": "string"},
            "dry_run": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "size": {"type": "object", "properties": {"wide": {"type": "number"}}},
        },
    },
    "outputs": {"type": "object"},
}


def written(**more: Any) -> dict[str, Any]:
    """The program that a tool with more keys becomes."""
    document = f"---\n{json.dumps({**TOOL_MD, **more})}\n---\n"
    program: dict[str, Any] = json.loads(toolglot.convert(document, "atip").text)
    return program


@for_each(
    ("arguments", "line"),
    [
        ({"parcel_no": 7, "note": "for Ann"}, "parcel-print --parcel-no 7 --note 'for Ann'"),
        ({"dry_run": True, "tags": ["a", "b"]}, "parcel-print --dry-run --tags a --tags b"),
        ({"size": {"wide": 2}}, "parcel-print --size '{\"wide\":2}'"),
        ({"note": "-x"}, None),
        ({"note": ""}, None),
        ({"dry_run": False}, None),
        ({"parcel_no": None}, None),
        ({"unheard-of": 1}, None),
    ],
)
def test_an_example_becomes_the_line_that_a_call_of_it_has(arguments: dict[str, Any], line: str | None) -> None:
    program = written(examples=[{"name": "One", "input": arguments}])
    assert program["commands"][""].get("examples") == (None if line is None else [line])
    if line is not None:
        assert argv(toolglot.read_one(json.dumps(program)), arguments) == shlex.split(line)


def test_a_trivial_cost_is_free_and_a_low_one_is_not_trivial() -> None:
    program = written(cost_class="trivial")
    assert program["commands"][""]["effects"]["cost"] == {"estimate": "free", "billable": False}
    back = toolglot.read_one(toolglot.convert(json.dumps(program), "aip14").text)
    assert back.cost_class == "trivial"
    program["commands"][""]["effects"]["cost"]["estimate"] = "low"
    back = toolglot.read_one(toolglot.convert(json.dumps(program), "aip14").text)
    assert back.cost_class is None
    assert caution(back)["cost"] > 1


def test_the_names_of_secrets_stay() -> None:
    program = written(requires={"secrets": ["printer-key", "PRINTER_TOKEN"]})
    assert (
        json.loads(toolglot.convert(json.dumps(program), "atip@0.3").text)["authentication"]
        == program["authentication"]
    )
    assert program["authentication"]["methods"] == [
        {
            "type": "api-key",
            "description": "printer-key (all 2 secrets are needed)",
            "x-toolglot": {"assumed": ["type"]},
        },
        {
            "type": "token",
            "envVar": "PRINTER_TOKEN",
            "description": "PRINTER_TOKEN (all 2 secrets are needed)",
            "x-toolglot": {"assumed": ["type"]},
        },
    ]
