"""The manual pages in `share/man/man1`, from the help of the commands."""

from __future__ import annotations

import inspect
import re

import click

import toolglot
from command_words import walk_commands
from golden import ROOT
from toolglot.cli import cli
from toolglot.cli.command_options import SUMMARIES
from toolglot.cli.exit_codes import MEANINGS

FILES = {
    "toolglot.toml, pyproject.toml": "Defaults for options: the nearest one above the current folder, the table "
    "[tool.toolglot] in the second.",
    ".gitignore": "What a walk through folders leaves out.",
}
ENVIRONMENT = {
    "NO_COLOR": "Print no colours.",
    "TOOLGLOT_BASE_URL": "As --base-url of toolglot schema.",
    "TOOLGLOT_MAX_SIZE": "As --max-size.",
}


def escaped(text: str) -> str:
    """A text as roff prints it: hyphens that can be copied, and nothing that is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def section(title: str, *lines: str) -> list[str]:
    return [f".SH {title}", *lines]


def listed(entries: dict[str, str]) -> list[str]:
    lines: list[str] = []
    for name, about in entries.items():
        lines += [".TP", f"\\fB{escaped(name)}\\fR", escaped(" ".join(about.split()))]
    return lines


def prose(text: str) -> list[str]:
    paragraphs = inspect.cleandoc(text).replace("\b\n", "").split("\n\n")
    return [line for paragraph in paragraphs for line in (".PP", escaped(paragraph))]


def options_of(command: click.Command, context: click.Context) -> dict[str, str]:
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    return {record[0]: record[1] for record in records if record is not None and record[1]}


def exit_status() -> list[str]:
    return section("EXIT STATUS", *listed({f"{code:d}": meaning for code, meaning in MEANINGS.items()}))


def heading(name: str) -> str:
    return f'.TH "{name.upper()}" "1" "" "toolglot {toolglot.__version__}" "User commands"'


def page_of(name: str, command: click.Command, summary: str) -> str:
    """The page of one command."""
    context = click.Context(command, info_name=f"toolglot {name}", **cli.context_settings)
    usage = " ".join(command.collect_usage_pieces(context))
    page = f"toolglot-{name.replace(' ', '-')}"
    lines = [heading(page), *section("NAME", f"{escaped(page)} \\- {escaped(summary.rstrip('.'))}")]
    lines += section("SYNOPSIS", f"\\fBtoolglot {name}\\fR {escaped(usage)}")
    lines += section("DESCRIPTION", *prose(command.help or ""))
    lines += section("OPTIONS", *listed(options_of(command, context)))
    lines += exit_status()
    return "\n".join([*lines, *section("SEE ALSO", "\\fBtoolglot\\fR(1)")]) + "\n"


def page_of_program(commands: dict[str, str]) -> str:
    """The page of the program itself."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^```sh\n(toolglot check.*?)^```$", index, re.DOTALL | re.MULTILINE)
    context = click.Context(cli, info_name="toolglot", **cli.context_settings)
    first, _, _ = inspect.cleandoc(cli.help or "").partition("\n\n")
    lines = [heading("toolglot")]
    lines += section("NAME", "toolglot \\- convert, migrate and check descriptions of agent tools")
    lines += section("SYNOPSIS", "\\fBtoolglot\\fR [OPTIONS] COMMAND [ARGS]...")
    lines += section("DESCRIPTION", *prose(first), *prose("Each command has a page, such as toolglot-convert(1)."))
    lines += section("OPTIONS", *listed(options_of(cli, context)))
    lines += section("COMMANDS", *listed(commands))
    lines += exit_status()
    lines += section("FILES", *listed(FILES))
    lines += section("ENVIRONMENT", *listed(ENVIRONMENT))
    lines += section("EXAMPLES", ".nf", escaped(shown.rstrip("\n")), ".fi")
    names = ", ".join(f"\\fBtoolglot\\-{name}\\fR(1)" for name in commands)
    return "\n".join([*lines, *section("SEE ALSO", names)]) + "\n"


def pages() -> dict[str, str]:
    """Every page, by the name of its file."""
    summaries = dict(sorted(SUMMARIES.items()))
    pages_of_commands = {
        f"toolglot-{words.replace(' ', '-')}.1": page_of(words, command, command.short_help or "")
        for words, command in walk_commands()
    }
    return {"toolglot.1": page_of_program(summaries), **pages_of_commands}
