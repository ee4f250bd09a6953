"""`docs/reference/api.md`: what the package exports, from its docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import toolglot
from reference.tables import table
from toolglot.converter.hub.model import Tool

HEAD = """# The Python API

Everything that `toolglot` exports, from its docstrings. [python.md](python.md) begins with examples, and
[calls.md](../calls.md) has the loop between a model and its tools.
"""


def signature_of(value: Any) -> str:
    """How it is called, without the quotes of annotations and the address of a default that is a function."""
    signature = re.sub(r"(: |-> )(?:'([^']*)'|ForwardRef\('([^']*)'\))", r"\1\2\3", str(inspect.signature(value)))
    return re.sub(r"<function (\w+) at \w+>", r"\1", signature)


def members_of(value: type) -> Iterator[tuple[str, str]]:
    """The public methods and properties that a class documents, with the first line of what they say."""
    own_classes = [base for base in value.__mro__ if base.__module__.startswith("toolglot.")]
    # A name that a class has anew is shown once.
    for name in dict.fromkeys(name for base in own_classes for name in vars(base)):
        member = inspect.getattr_static(value, name)
        is_shown = callable(member) or isinstance(member, property | cached_property)
        about = inspect.getdoc(member) if is_shown else None
        if about and not name.startswith("_"):
            yield name, about.partition("\n")[0]


def page() -> str:
    parts = [HEAD]
    values = {name: getattr(toolglot, name) for name in toolglot.__all__}
    for title, holds in (("Functions", inspect.isfunction), ("Types", inspect.isclass)):
        parts.append(f"## {title}\n")
        for name, value in ((name, value) for name, value in values.items() if holds(value)):
            is_record = value is Tool or (inspect.isclass(value) and issubclass(value, Exception))
            shown = name if is_record else f"{name}{signature_of(value)}"
            parts += [f"### {name}\n", f"```text\n{shown}\n```\n", f"```text\n{inspect.getdoc(value)}\n```\n"]
            if inspect.isclass(value):
                members = [(f"`{member}`", about) for member, about in members_of(value)]
                parts += [table(("member", "about"), members) + "\n"] if members else []
    return "\n".join(parts)
