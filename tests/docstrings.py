"""The examples in docstrings, of the package and of helpers, as pytest collects them."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem, DoctestModule, _get_checker, _get_runner, get_optionflags

SOURCES = Path(__file__).resolve().parents[1] / "converters"
PARSER = doctest.DocTestParser()
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples stand in the package and in helpers, but not in all: to look for one, pytest imports the whole file."""
    collectors = yield
    if file_path.name.startswith("test_") or b">>> " not in file_path.read_bytes():
        return [collector for collector in collectors if type(collector) is pytest.Module]
    if file_path.is_relative_to(SOURCES):
        return [Examples.from_parent(parent, path=file_path)]
    return collectors


class Examples(DoctestModule):
    """The examples of a module, which is read to find them, and imported only to run one.

    Python's own search imports the module and walks over all that it has imported. Some modules import packages that
    take half a second, on every worker.
    """

    def collect(self) -> Iterator[Example]:
        self.name_of_module = ".".join(self.path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
        runner = _get_runner(_get_checker(), verbose=False, optionflags=get_optionflags(self.config))
        for name, node in documented(ast.parse(self.path.read_bytes()), self.name_of_module):
            text = ast.get_docstring(node, clean=False) or ""
            line = node.body[0].lineno - 1 if ">>> " in text else 0
            example = PARSER.get_doctest(text, {}, name, str(self.path), line)
            if example.examples:
                yield Example.from_parent(self, name=name, runner=runner, dtest=example)


class Example(DoctestItem):
    """An example with the names of its module, as it stands when the example runs."""

    parent: Examples

    def setup(self) -> None:
        self.dtest.globs.update(vars(import_module(self.parent.name_of_module)))
        super().setup()


def documented(node: Documented, name: str) -> Iterator[tuple[str, Documented]]:
    """A module or a class and whatever may have a docstring in it, with their names; nothing within a function."""
    yield name, node
    for part in () if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else node.body:
        if isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from documented(part, f"{name}.{part.name}")
