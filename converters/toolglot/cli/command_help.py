"""The layout of `--help`: the options that people use first, and the others by groups."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import click

_HEADINGS: WeakKeyDictionary[click.Parameter, str] = WeakKeyDictionary()
_FIRST = "Options"
_ALL = "--all"


def put_below(heading: str, param: click.Parameter) -> None:
    """Explain an option only in `--help --all`, below a heading."""
    _HEADINGS[param] = heading


class ExplainedCommand(click.Command):
    """A command whose `--help` explains the options that people use first, and only names the others, by groups.

    `--help --all` explains all options.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, dict[click.Parameter, tuple[str, str]]] = {_FIRST: {}}  # of each option, what explains it
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, click.Option) and record is not None:
                groups.setdefault(_HEADINGS.get(param, _FIRST), {})[param] = record
        shown = groups if _ALL in ctx.meta else {_FIRST: groups.pop(_FIRST)}
        for name, records in shown.items():
            with formatter.section(name):
                formatter.write_dl(list(records.values()))
        if shown is not groups and groups:
            with formatter.section(f"More, which --help {_ALL} explains"):
                formatter.write_dl(
                    [(name, ", ".join(max(param.opts, key=len) for param in params)) for name, params in groups.items()]
                )


def without_all(ctx: click.Context, args: list[str]) -> list[str]:
    """The arguments without the `--all` of a request for help, which is kept in the context."""
    if _ALL not in args or not {*ctx.help_option_names}.intersection(args):
        return args
    ctx.meta[_ALL] = True
    return [arg for arg in args if arg != _ALL]
