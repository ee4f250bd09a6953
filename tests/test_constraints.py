"""constraints.txt pins what pyproject.toml names, inside its bounds, and says nothing of the machine that made it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def lines_of(name: str) -> list[str]:
    return [line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("extra", [None, *EXTRAS])
def test_what_an_environment_names_is_pinned_inside_its_bounds(extra: str | None) -> None:
    own = f"constraints-{extra}.txt"
    pins = dict(line.split("==") for line in lines_of(own if (ROOT / own).is_file() else "constraints.txt"))
    for requirement in map(Requirement, PROJECT["dependencies"] if extra is None else EXTRAS[extra]):
        version = pins.get(canonicalize_name(requirement.name), "none")
        assert version in requirement.specifier, f"{requirement} and {version}: make constraints"


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-apis.txt", "constraints-api-requests.txt"])
def test_a_file_of_constraints_has_pins_and_nothing_else(name: str) -> None:
    assert [line for line in lines_of(name) if not re.fullmatch(r"[a-z0-9.-]+==[\w.+]+", line)] == []
