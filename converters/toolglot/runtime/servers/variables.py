"""Variables in configurations, such as `${NAME}`, which are filled in when a server is started.

A missing value is an error: a server that is started with an empty key asks the wrong account, or none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from toolglot.errors import UsageError

# How files write variables: not at all, `${NAME}`, that or `$NAME`, and `{env:NAME}`. A default may hold variables, and
# so may the default of one of these.
_BRACED = r"\$\{(?P<braced>(?:[^{}]|\$\{(?:[^{}]|\$\{[^{}]*\})*\})*)\}"
PLAIN = re.compile(r"(?!)")
BRACED = re.compile(_BRACED)
DOLLAR = re.compile(rf"{_BRACED}|\$(?P<bare>[A-Za-z_][A-Za-z0-9_]*)")
CURLY = re.compile(r"\{(?P<curly>env:[^{}]*|file:[^{}]*)\}")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


class VariableSource(NamedTuple):
    """The source of values for variables.

    Attributes:
        environment: our own environment variables.
        inputs: id of an input that a configuration asks people for -> name of the variable with its value.
        folder: the folder of the project that the configuration belongs to.
    """

    environment: Mapping[str, str]
    inputs: Mapping[str, str] = {}
    folder: str = "."

    def value(self, name: str) -> str:
        """The value of one of our variables.

        Raises:
            UsageError: it is not set; code `"unset-variable"`.
        """
        if name not in self.environment:
            advice = "give its name alone, and set it" if "=" in name else "set it"
            raise UsageError(f"the environment variable {name} is not set; {advice}", "unset-variable")
        return self.environment[name]


def project_folder(configuration: str) -> str:
    """The folder that relative paths of a configuration start from: above its own where that is a client's.

    >>> project_folder("/home/a/.vscode/mcp.json"), project_folder("/home/a/.mcp.json")
    ('/home/a', '/home/a')
    """
    folder = os.path.dirname(os.path.abspath(configuration))
    if os.path.basename(folder).startswith("."):
        return os.path.dirname(folder)
    return folder


def fill_in(text: str, syntax: re.Pattern[str], values: VariableSource) -> str:
    """A text of a configuration with its variables filled in; of a default only where it is used.

    Raises:
        UsageError: a variable is not set, or the braces have something unknown.

    >>> fill_in("${HOST:-localhost}:${env:PORT}", BRACED, VariableSource({"PORT": "80"}))
    'localhost:80'
    """
    return syntax.sub(lambda match: _resolve(next(filter(None, match.groups()), ""), syntax, values), text)


def variable_names(texts: Iterable[str], syntax: re.Pattern[str]) -> Iterator[str]:
    """The names of our variables that texts of a configuration need; those with a default are not needed.

    >>> [*variable_names(["Bearer ${API_TOKEN}", "${input:id} ${env:HOST} ${PORT:-80} ${A:-${B}}"], BRACED)]
    ['API_TOKEN', 'HOST', 'B']
    """
    for text in texts:
        for match in syntax.finditer(text):
            reference = next(filter(None, match.groups()), "").removeprefix("env:")
            if _NAME.fullmatch(reference) and reference not in _PLACES:
                yield reference
            yield from variable_names([reference.partition(":-")[2]], syntax)


def _resolve(reference: str, syntax: re.Pattern[str], values: VariableSource) -> str:
    """The value for the content of the braces: `NAME`, `NAME:-DEFAULT`, or `KIND:NAME`."""
    if reference in _PLACES:
        return _PLACES[reference](values)
    if _NAME.fullmatch(reference):
        return values.value(reference)
    name, is_default, default = reference.partition(":-")
    if is_default and _NAME.fullmatch(name):
        return values.environment.get(name) or fill_in(default, syntax, values)
    kind, _, name = reference.partition(":")
    if kind == "env":
        return values.value(name)
    if kind == "input":
        if name not in values.inputs:
            raise UsageError(
                f"the configuration asks for {name!r}; put it into a variable and give --input {name}=VARIABLE",
                "unset-variable",
            )
        return values.value(values.inputs[name])
    if kind == "file":
        raise UsageError(
            f"the contents of {name!r} are not put into a command; use an environment variable", "unknown-variable"
        )
    message = f"{reference!r} is no variable that can be filled in; write the value, or an environment variable"
    raise UsageError(message, "unknown-variable")


def _home(values: VariableSource) -> str:
    """The folder of the user, for which Windows has a variable of another name."""
    return values.environment.get("HOME") or values.environment.get("USERPROFILE") or values.value("HOME")


_PLACES: dict[str, Callable[[VariableSource], str]] = {
    "workspaceFolder": lambda values: os.path.abspath(values.folder),
    "workspaceFolderBasename": lambda values: os.path.basename(os.path.abspath(values.folder)),
    "userHome": _home,
}
