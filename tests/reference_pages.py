"""The reference in `docs/` that the code writes: commands, settings, error codes, the Python API, fields of formats."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

import hub_reference
import toolglot
from golden import FIXTURES
from toolglot import errors, formats
from toolglot.cli import cli, settings
from toolglot.formats import Format
from toolglot.hub.model import Tool

PACKAGE = Path(toolglot.__file__).parent


def row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join([row(*heads), row(*["---"] * len(heads)), *(row(*cells) for cells in rows)])


def paragraphs(text: str) -> str:
    """A help text of click or a docstring, as Markdown; what click must not wrap stays as it is."""
    text = inspect.cleandoc(text)
    return re.sub(r"\x08\n(.*?)(?=\n\n|\Z)", lambda found: f"```text\n{found[1]}\n```", text, flags=re.DOTALL)


# Commands


COMMANDS_HEAD = """# Commands

Generated from the program itself (`toolglot COMMAND --help`). [The manual](README.md#the-manual) shows every command
and every option at work, [settings.md](settings.md) says which options a file may hold, and
[exit-codes.md](exit-codes.md) what the exit codes mean.
"""


def options_of(command: click.Command) -> list[tuple[str, ...]]:
    context = click.Context(command, info_name=command.name, **cli.context_settings)
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    return [(f"`{record[0]}`", record[1]) for record in records if record is not None]


def commands_page() -> str:
    parts = [COMMANDS_HEAD]
    for name, command in cli.commands.items():
        context = click.Context(command, info_name=f"toolglot {name}", **cli.context_settings)
        usage = " ".join(command.collect_usage_pieces(context))
        parts += [f"## {name}\n", f"```text\ntoolglot {name} {usage}\n```\n", paragraphs(command.help or "") + "\n"]
        parts.append(table(("option", "what it does"), options_of(command)) + "\n")
    return "\n".join(parts)


# Settings


SETTINGS_HEAD = """# Settings

`[tool.toolglot]` in `pyproject.toml`, or `toolglot.toml` (there the tables have no prefix), holds defaults. The nearest
file above the current folder counts; `--config FILE` names another, `--isolated` takes none. Keys are the names of
options without the dashes in front, and what is typed goes first. Generated from the code.

A settings file comes with a repository, which may be anybody's. It can say what to read and what to print, and never
where to write, what to overwrite, or what a person vouches for: {never} are refused.
"""


def settings_rows(kinds: dict[str, settings.SettingKind], commands: list[str]) -> list[tuple[str, ...]]:
    """The keys of a table, each with what it may hold and with the help of its option."""
    rows: list[tuple[str, ...]] = []
    parameters = [parameter for name in commands for parameter in cli.commands[name].params]
    for key, kind in kinds.items():
        named = (item for item in parameters if f"--{key}" in (*item.opts, *item.secondary_opts))
        option = next((item for item in named if isinstance(item, click.Option)), None)
        rows.append((f"`{key}`", kind.words, (option.help or "") if option else ""))
    return rows


def settings_page() -> str:
    heads = ("key", "holds", "what it does")
    never = ", ".join(f"`{name}`" for name in sorted(settings.NEVER))
    parts = [SETTINGS_HEAD.format(never=never), "## For every command\n"]
    parts.append(table(heads, settings_rows(settings.SHARED, list(cli.commands))) + "\n")
    for name, kinds in settings.TABLES.items():
        parts += [f"## {name}\n", table(heads, settings_rows(kinds, [name])) + "\n"]
    return "\n".join(parts)


# Error codes


CODES_HEAD = """# Error codes

An error has a stable code, which stands in brackets at the end of its message and is `code` in Python and in reports.
Generated from the places in the code that raise them; `...` stands for what the document or the call says.

`schema-KEYWORD` is not listed by itself: the document breaks that keyword of the canonical schema of its format, in
kebab case (`schema-additional-properties`). Codes of a conversion's report are what happened and the field of the hub
(`dropped-tags`); the fields are in [hub.md](hub.md).
"""


SAYS_SOMETHING = re.compile(r"\w")


class Raised(NamedTuple):
    """One place in the code that makes an error."""

    code: str
    error: str
    message: str


def errors_made(function: ast.AST) -> Iterator[Raised]:
    """The errors that a function makes, by the calls of their classes."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and node.args]
    for call in calls:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        error = getattr(errors, name, None)
        if not (inspect.isclass(error) and issubclass(error, errors.Error)):
            continue
        given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "code")]
        code = given[0].value if given and isinstance(given[0], ast.Constant) else error.default_code
        for message in messages_of(call.args[0], function):
            yield Raised(str(code), name, message)


def messages_of(message: ast.expr, function: ast.AST) -> list[str]:
    """What may stand for a message; one that has a name, as the function gives it that name."""
    match message:
        case ast.IfExp():
            return [*messages_of(message.body, function), *messages_of(message.orelse, function)]
        case ast.Name():
            given = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
            values = [node.value for node in given if ast.unparse(node.targets[0]) == message.id]
            return [text for value in values for text in messages_of(value, ast.Pass())]
    return [words_of(message)]


def words_of(message: ast.expr) -> str:
    """What a message says whatever it is about."""
    match message:
        case ast.Constant():
            return str(message.value)
        case ast.JoinedStr():
            return "".join(words_of(part) for part in message.values)
        case ast.BinOp():
            return words_of(message.left) + words_of(message.right)
    return "..."


def functions_of_package() -> Iterator[ast.AST]:
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if re.search(r"\b(?:\w*Error|ToolFailure)\(", source):  # to parse every module would take a second
            body = ast.parse(source).body
            yield from body


def codes_page() -> str:
    found: dict[str, dict[str, list[str]]] = {}
    for raised in (raised for function in functions_of_package() for raised in errors_made(function)):
        messages = found.setdefault(raised.code, {}).setdefault(raised.error, [])
        if raised.message not in messages:
            messages.append(raised.message)
    rows: list[tuple[str, ...]] = []
    for code in sorted(found):
        for error, messages in sorted(found[code].items()):
            rows.append((f"`{code}`", f"`{error}`", "; ".join(filter(SAYS_SOMETHING.search, messages))))
    return f"{CODES_HEAD}\n{table(('code', 'error', 'messages'), rows)}\n"


# The Python API


API_HEAD = """# The Python API

Everything that `toolglot` exports, from its docstrings. [python.md](python.md) begins with examples, and
[calls.md](calls.md) has the loop between a model and its tools.
"""


def signature_of(value: Any) -> str:
    """How it is called, without the quotes of annotations and the address of a default that is a function."""
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))
    return re.sub(r"<function (\w+) at \w+>", r"\1", signature)


def members_of(value: type) -> Iterator[tuple[str, str]]:
    """The public methods and properties that a class documents, with the first line of what they say."""
    for name, member in vars(value).items():
        about = inspect.getdoc(member) if callable(member) or isinstance(member, property) else None
        if about and not name.startswith("_"):
            yield name, about.partition("\n")[0]


def api_page() -> str:
    parts = [API_HEAD]
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


# Fields


FIELDS_HEAD = """# Fields of each format in every other

For each format its fields, as it spells them (JSON Pointers in a record), and where each goes in the other formats.
Generated by converting a tool that states the field, in its most dangerous value where it is about danger, and nothing
else, and reading the result back:

* a pointer: the field of the target that holds it;
* *said in* a pointer: no field holds it, and another says it, mostly in the words of a description; *said in what
  silence says too*: the cautious value, which the target is told of a tool that states nothing, says as much;
* *in part*: the target keeps some of what the field says;
* nothing: the target cannot say it, and the report of a conversion says so. With `--lossless` it travels beside.

`hub` is the field of the hub ([hub.md](hub.md)), through which every conversion goes.
"""
DANGEROUS = {"destructive": True, "reversible": False, "idempotent": False, "billable": True, "network": True,
             "subprocess": True, "reads_files": True, "writes_files": True, "deletes_files": True, "prompts": True,
             "tty": True, "auth_required": True, "approval": "always", "safety_tier": "exec", "risk_level": 3,
             "egress": "host-owned", "deprecated": True, "hidden": True}  # fmt: skip
INPUTS = {"type": "object", "properties": {"folder": {"type": "string", "description": "A folder."}}}
BINDING = {"folder": {"kind": "option", "flags": ["--folder"]}}
SAMPLES = {"inputs": INPUTS, "bindings": BINDING, "global_inputs": INPUTS, "global_bindings": BINDING}
# What a field says nothing without.
BESIDE = {"bindings": {"inputs": INPUTS}, "global_bindings": {"global_inputs": INPUTS}}
# What no document states: how a tool was read, and what belongs to one format alone.
NOT_STATED = {"namespace", "origin", "inherits", "own", "unclear", "extensions", "children"}


@cache
def samples() -> dict[str, Any]:
    """A value for each field: the most dangerous one, or else the longest that a case of ours has."""
    values: dict[str, Any] = {}

    def collect(node: dict[str, Any]) -> None:
        for field, value in node.items():
            values[field] = max(values.get(field, value), value, key=lambda item: len(str(item)))
        for child in node.get("children", []):
            collect(child)

    for path in sorted(FIXTURES.glob("cases/*/hub.json")):
        for tool in json.loads(path.read_bytes())["tools"]:
            collect(tool)
    values |= {**DANGEROUS, **SAMPLES}
    return {field: values[field] for field in Tool.__struct_fields__ if field in values and field not in NOT_STATED}


@cache
def place_in(name: str, field: str) -> str:
    """Where a format has a field when a tool states it: a cell of the tables."""
    target = formats.get(name)
    silent = {"id": "sample", "description": "What it does.", **BESIDE.get(field, {})}
    try:
        conversion = convert(silent | {field: samples()[field]}, target)
    except errors.Error:
        return ""
    happened = {change.action for change in conversion.report.changes if change.path.split("/")[1] == field}
    [record] = conversion.output.records
    pointer = target.places.get(field)
    if "dropped" in happened:
        return ""
    if pointer is None or "moved" in happened:
        [other] = convert(silent, target).output.records
        places = [f"`{place}`" for place in differences(other.data, record.data)]
        places += ["the Markdown"] if other.body != record.body else []
        return ("*said in* " if "moved" in happened else "") + (", ".join(places) or "what silence says too")
    return f"`{pointer}`, *in part*" if happened & {"narrowed", "widened"} else f"`{pointer}`"


def convert(tool: dict[str, Any], target: Format) -> toolglot.Conversion:
    return toolglot.convert({"toolglot": 1, "tools": [tool]}, target.name, format="hub")


def differences(one: Any, other: Any, pointer: str = "") -> Iterator[str]:
    """Where two records differ, as JSON Pointers; a list as a whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            yield from differences(one.get(key), other.get(key), f"{pointer}/{key}")
    elif isinstance(other, dict) and one is None:
        yield from differences({}, other, pointer)
    elif one != other:
        yield pointer


def own_place(source: Format, field: str) -> str:
    """Where a format has a field that it cannot say of a tool that comes from elsewhere."""
    pointer = source.places.get(field)
    return f"`{pointer}`" if pointer else "in another version"


def fields_page() -> str:
    known = [format for format in map(formats.get, formats.names()) if not format.holds_everything]
    parts = [FIELDS_HEAD]
    for source in known:
        others = [format for format in known if format is not source]
        rows: list[tuple[str, ...]] = []
        for field in samples():
            if field in source.holds:
                place, *places = [place_in(format.name, field) for format in (source, *others)]
                rows.append((place or own_place(source, field), f"`{field}`", *places))
        heads = (f"`{source.name}`", "hub", *(f"`{other.name}`" for other in others))
        parts += [f"## {source.title}\n", table(heads, rows) + "\n"]
    return "\n".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "hub.md": hub_reference.page,
    "commands.md": commands_page,
    "settings.md": settings_page,
    "codes.md": codes_page,
    "api.md": api_page,
    "fields.md": fields_page,
}
