"""A program that somebody names, as `notes.py:app` or `notes.cli:app`: its module is imported, and no command runs."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from toolglot.converter.files.names import portable_path
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.runtime.agent.parsed_commands import blaming_program, program_name

_TARGET = re.compile(r"(?P<module>.+?):(?P<attribute>[^\W\d]\w*(?:\.[^\W\d]\w*)*)(?P<is_factory>\(\))?\Z")
_SHAPE = "PROGRAM.py:NAME or package.module:NAME, with () behind it where a function makes the program"


class NamedProgram(NamedTuple):
    """A program, and its name for the case that the program states none."""

    program: Any
    usual_name: str


def load_program(target: str) -> NamedProgram:
    """Import the module of a program; that runs what the module does when it is imported, and nothing else.

    Args:
        target: `PROGRAM.py:NAME`, a file; or `package.module:NAME`, as `import` finds it; with `()` behind it where
            a function makes the program.

    Raises:
        UsageError: the target is none of these; or the module cannot be imported, ends the program, or lacks the name.
    """
    match = _TARGET.match(target)
    if match is None:
        raise UsageError(f"{target!r} names no program; write {_SHAPE}", code="bad-program")
    where = match["module"]
    is_file = where.endswith(".py") or "/" in portable_path(where)
    if is_file:
        usual_name = program_name(where)
    else:
        usual_name = _script_name(where, match["attribute"])
    with _as_if_started(usual_name):
        program: Any
        if is_file:
            program = _import_file(Path(where))
        else:
            sys.path.insert(0, os.getcwd())  # as `python -m` does
            program = _run_guarded(lambda: importlib.import_module(where), where)
        for name in match["attribute"].split("."):
            if not hasattr(program, name):
                hint = suggestion(name, vars(program) if isinstance(program, ModuleType) else ())
                raise UsageError(f"{where} has no {match['attribute']!r}", code="bad-program", hint=hint)
            program = getattr(program, name)
        if match["is_factory"]:
            program = _run_guarded(program, target, "called")
    return NamedProgram(program, usual_name)


@contextmanager
def _as_if_started(name: str) -> Iterator[None]:
    """Set `sys.argv` as for `NAME --help`: where a module has no `__main__` guard, its start then runs no command."""
    before = sys.argv
    sys.argv = [name, "--help"]
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        sys.argv = before


def _import_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file {path}", code="bad-program")
    name = path.stem
    while name in sys.modules:  # `json` is, and so is `_json`
        name = f"_{name}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is no module of Python", code="bad-program")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))  # where Python looks first when it runs a file
    _run_guarded(lambda: spec.loader.exec_module(module), path)
    return module


def _run_guarded(run: Any, what: object, done: str = "imported") -> Any:
    try:
        with blaming_program(f"{what} cannot be {done}"):
            return run()
    except SystemExit as error:
        message = f'{what} ends when it is {done}; put its start under `if __name__ == "__main__":`'
        raise UsageError(message, code="bad-program") from error


def _script_name(module: str, attribute: str) -> str:
    """The command that its distribution installs for this object; else the name of the package."""
    from importlib.metadata import entry_points  # 24 ms that other programs than `MODULE:ATTRIBUTE` do without

    for script in entry_points(group="console_scripts"):
        if script.value == f"{module}:{attribute}":
            return script.name
    return module.partition(".")[0]
