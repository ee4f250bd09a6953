"""`toolglot --agent`: the program described for agents, from the click commands and in our own words about effects.

The description is a hub tool like any other and is written by the library itself.
"""

from __future__ import annotations

from typing import Any

import click

import toolglot
from toolglot import formats
from toolglot.cli.option_types import HubWord
from toolglot.hub.model import Binding, Example, Tool

_READS: dict[str, Any] = {
    "reads_files": True,
    "writes_files": False,
    "deletes_files": False,
    "network": False,
    "subprocess": False,
    "idempotent": True,
    "reversible": True,
    "destructive": False,
    "stdin": "none",
    "prompts": False,
    "tty": False,
    "cost_estimate": "free",
    "billable": False,
}

# What each command can do at most, whatever its options; the empty name is the program without a command.
EFFECTS: dict[str, dict[str, Any]] = {
    "": {**_READS, "reads_files": False},
    # It writes with -o and --report FILE only, and replaces what exists with --force only, but then for good.
    "convert": {**_READS, "writes_files": True, "reversible": False, "destructive": True, "stdin": "optional"},
    # It writes with --fix and --update-baseline only, and replaces what was there for good.
    "check": {**_READS, "writes_files": True, "reversible": False, "destructive": True, "stdin": "optional"},
    # It replaces files in place, and removes temporaries that a killed run left.
    "migrate": {
        **_READS,
        "writes_files": True,
        "deletes_files": True,
        "reversible": False,
        "destructive": True,
        "stdin": "optional",
    },
    "catalog": {**_READS, "writes_files": True, "reversible": False, "destructive": True, "stdin": "optional"},
    "diff": {**_READS, "subprocess": True, "stdin": "optional"},  # git, for REV:PATH
    # It starts programs of others, and writes with -o, --lock and --trust.
    "pull": {
        **_READS,
        "writes_files": True,
        "network": True,
        "subprocess": True,
        "idempotent": False,
        "reversible": False,
        "destructive": True,
    },
    "prompt": {**_READS, "stdin": "optional"},
    "tokens": {**_READS, "stdin": "optional"},
    "argv": {**_READS, "stdin": "optional"},  # what it prints is not run
    # It writes with -o and --write-registry only, and replaces what is there for good.
    "discover": {**_READS, "writes_files": True, "reversible": False, "destructive": True},
    # It runs what the user names, which can do anything; and it keeps what it answers.
    "ask": {
        **_READS,
        "writes_files": True,
        "network": None,
        "subprocess": True,
        "reversible": None,
        "destructive": None,
        "idempotent": None,
    },
    "run": {  # with --yes it does what the program does
        "reads_files": True,
        "writes_files": True,
        "subprocess": True,
        "stdin": "optional",
    },
    "formats": _READS,
    "rule": _READS,
    "schema": _READS,
}

_EXAMPLES = {
    "convert": ("toolglot convert tools/ --to hub -o tools.hub.json",),
    "check": ("toolglot check tools/ --format github",),
    "migrate": ("toolglot migrate . --diff",),
    "catalog": ("toolglot catalog tools/ --to hub -o catalog.json",),
    "diff": ("toolglot diff main:tools tools --check",),
    "pull": ("toolglot pull --config servers.json --yes --lock tools.lock.json --check",),
    "prompt": ("toolglot prompt tools/",),
    "tokens": ("toolglot tokens tools/",),
    "discover": ("toolglot discover --format json",),
    "argv": ("""toolglot argv gh.atip.json gh_pr_create '{"title": "Fix"}'""",),
}

_KINDS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "integer range": {"type": "integer"},
    "size": {"type": "string"},
    "float": {"type": "number"},
    "float range": {"type": "number"},
    "boolean": {"type": "boolean"},
    "path": {"type": "string", "format": "file-path"},
    "filename": {"type": "string", "format": "file-path"},
}


def describe(program: click.Group) -> str:
    """The description of `program` in the format that programs print about themselves."""
    name = next(name for name in formats.targets() if formats.get(name).describes_one_program)
    return toolglot.write(as_tool(program), name)


def as_tool(program: click.Group) -> Tool:
    """The program as a hub tool: its own options are those of the bare executable, each command is a child."""
    # With the program's own settings: click remembers the help option of the first context that asks for it.
    context = click.Context(program, info_name="toolglot", **program.context_settings)
    children = [_node("", program, context)]
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None
        children.append(_node(name, command, click.Context(command, info_name=name, parent=context)))
    return Tool(
        id="toolglot",
        version=toolglot.__version__,
        description=_help(program),
        trust={"source": "native", "verified": False},
        children=tuple(children),
    )


def _node(name: str, command: click.Command, context: click.Context) -> Tool:
    properties: dict[str, Any] = {}
    bindings: dict[str, Binding] = {}
    required: list[str] = []
    for param in command.get_params(context):
        key = _name(param)
        properties[key] = _schema(param, context)
        bindings[key] = _binding(param)
        if param.required:
            required.append(key)
    inputs = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        inputs["required"] = required
    description = _help(command) if name else "Print the version, this description or the help."
    examples = tuple(Example(command=line) for line in _EXAMPLES.get(name, ()))
    return Tool(
        id=name,
        description=description,
        inputs=inputs,
        bindings=bindings,
        examples=examples or None,
        **EFFECTS[name],
    )


def _help(command: click.Command) -> str:
    """The first paragraph; the rest is for people at a terminal."""
    return " ".join((command.help or "").split("\n\n")[0].split())


def _name(param: click.Parameter) -> str:
    """The long flag without its dashes; the name of an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len).lstrip("-")
    return param.name or ""


def _schema(param: click.Parameter, context: click.Context) -> dict[str, Any]:
    if isinstance(param.type, click.Choice):
        schema: dict[str, Any] = {"type": "string", "enum": [str(choice) for choice in param.type.choices]}
    elif isinstance(param.type, HubWord):
        schema = {"type": "string", "enum": param.type.words()}
    else:
        schema = dict(_KINDS.get(param.type.name, {"type": "string"}))
    if param.nargs == -1 or param.multiple:
        schema = {"type": "array", "items": schema}
    schema["description"] = _description(param)
    default = param.to_info_dict().get("default")
    if isinstance(default, str | int | float) and not param.required:
        schema["default"] = default
    return schema


def _description(param: click.Parameter) -> str:
    if isinstance(param, click.Option):
        return param.help or ""
    return _ARGUMENTS[param.name or ""]


# click has no help for arguments.
_ARGUMENTS = {
    "location": "A file or folder in place of those of this machine: a registry, a cache, shims, an index, ...",
    "program": "The absolute path of a program, or its name on the allow list.",
    "code": "The code of a rule, such as hidden-character.",
    "src": "A file, a folder (walked), a glob pattern, or - for stdin.",
    "path": "A file, a folder (walked), a glob pattern, or - for stdin.",
    "old": "A file, a folder, - for stdin, or REV:PATH for one of either at a git revision: how it was.",
    "new": "The same: how it is.",
    "target": "The URL of a server, or behind -- the program that is one, and its arguments.",
    "name": "The name of a schema; all names are listed without it.",
    "tool": "The name that a model calls the tool by (gh_pr_create), or the words of the command.",
    "arguments": "A JSON object, @FILE for one in a file, or - for one on stdin.",
}


def _binding(param: click.Parameter) -> Binding:
    is_option = isinstance(param, click.Option)
    return Binding(
        kind="option" if is_option else "argument",
        flags=(*param.opts, *param.secondary_opts) if is_option else None,
        required=param.required,
        variadic=True if param.nargs == -1 or param.multiple else None,
        env=param.envvar if isinstance(param.envvar, str) else None,
    )
