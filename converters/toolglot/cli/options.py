"""Types of options, and the options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from toolglot.cli.discovery import Selection
    from toolglot.cli.sources import SourceRequest
    from toolglot.conversion.assertions import Assertion

    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # not generic at run time before click 8.4

_Command = TypeVar("_Command", bound=Callable[..., Any])

# As in `toolglot.conversion.offers`, whose import `--help` need not wait for.
FLATTEN = ("discrete", "action")
SAFETY_TEXTS = ("flags", "full")
# As in `toolglot.conversion.selection`, likewise.
EFFECTS = (
    "changes", "destructive", "irreversible", "unrepeatable", "writes_files", "deletes_files", "executes", "network",
    "billable", "interactive",
)  # fmt: skip


def _completions(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # what only completion needs

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class FormatName(_Type):
    """`FORMAT` or `FORMAT@VERSION`; the formats are imported when a value is looked at, not before."""

    name = "format"

    def __init__(self, written: bool) -> None:
        self.written = written

    def _versions(self, name: str) -> tuple[str, ...]:
        from toolglot import formats

        found = formats.get(name)
        return found.writes if self.written else found.versions

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from toolglot import formats
        from toolglot.errors import UsageError

        name, at, version = str(value).partition("@")
        try:
            name = formats.get(name).name
        except UsageError as error:
            self.fail("; ".join(filter(None, [error.message, error.hint])), param, ctx)
        versions = self._versions(name)
        if at and version not in versions:
            verb = "written" if self.written else "read"
            self.fail(f"{name} is not {verb} as version {version!r}; choose one of {', '.join(versions)}", param, ctx)
        return name + at + version

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from toolglot import formats

        name, at, _ = incomplete.partition("@")
        names = formats.names()
        if at and name in names:
            names = [f"{name}@{version}" for version in self._versions(name)]
        return _completions(names, incomplete)


class HubWord(_Type):
    """A word that a field of the hub may have; its schema, which lists them, is read when a value is looked at."""

    name = "word"

    def __init__(self, field: str) -> None:
        self.field = field

    def words(self) -> list[str]:
        from toolglot.schema import canonical

        return list(canonical.load("hub/1")["properties"][self.field]["enum"])

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(self.words())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.words():
            self.fail(f"{value!r} is not one of {', '.join(self.words())}", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _completions(self.words(), incomplete)


class DriverKind(_Type):
    """How the implementation of a tool runs; the formats, which list the words, are imported when one is looked at."""

    name = "kind"

    def words(self) -> list[str]:
        from toolglot import formats

        return list(dict.fromkeys(kind for name in formats.names() for kind in formats.get(name).migration.kinds))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value).lower() not in self.words():
            self.fail(f"{value!r} is not one of {', '.join(self.words())}", param, ctx)
        return str(value).lower()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _completions(self.words(), incomplete)


class Assignment(_Type):
    """`NAME=TEXT` on the command line, a table in a settings file; a text that says nothing is none."""

    name = "assignment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        pair = value if isinstance(value, tuple) else str(value).partition("=")[::2]
        if not all(text.strip() for text in pair):
            self.fail(f"{'='.join(pair)!r} is no {param.metavar if param else 'NAME=TEXT'}", param, ctx)
        return pair


class SchemaName(_Type):
    """The name of one of our JSON Schemas, such as `report/1`."""

    name = "schema"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from toolglot.schema import canonical

        return _completions(canonical.names(), incomplete)


class Size(_Type):
    """A number of bytes: `200000`, `64K`, `200M`, `1G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        from toolglot.cli.settings import size_of

        size = size_of(str(value))
        if size is None:
            self.fail(f"{value!r} is not a size; write a number of bytes, or one with K, M or G", param, ctx)
        return size


def from_format(command: _Command) -> _Command:
    """`--from`."""
    option = click.option(
        "--from",
        "format_name",
        type=FormatName(written=False),
        metavar="FORMAT",
        help="The format of the sources; detected from their content without it.",
    )
    return option(command)


def namespace(command: _Command) -> _Command:
    """`--namespace`."""
    option = click.option(
        "--namespace",
        metavar="auto|file|none|NAME",
        help="Whose ids they are, where several servers use one: as the document says, else as its file is called "
        "(auto, the default), the file's, nobody's, or this name.",
    )
    return option(command)


def assertions(command: _Command) -> _Command:
    """`--assert`."""
    option = click.option(
        "--assert",
        "assertions",
        type=click.Path(dir_okay=False, exists=True),
        metavar="FILE",
        help="What you vouch for, tool by tool: patterns (SERVER/TOOL), each with safety-tier, source, scope or "
        "trusted-hints.",
    )
    return option(command)


def load_assertions(path: str | None) -> tuple[Assertion, ...]:
    """What the file of `--assert` says; nothing without one."""
    if path is None:
        return ()
    from pathlib import Path

    from toolglot.conversion import assertions, sources

    return assertions.load(sources.open_document(Path(path), path))


def choice(command: _Command) -> _Command:
    """The options that choose among tools; `toolglot.conversion.selection.choice_of` takes what they give."""
    for option in reversed(_CHOICE):
        command = option(command)
    return command


def _parted(context: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of an option whose one value may hold several."""
    return tuple(part for value in values for part in value.split(",") if part)


_CHOICE = (
    click.option(
        "--only",
        multiple=True,
        callback=_parted,
        metavar="PATTERN",
        help="Only the tools that match, such as 'gh.pr.*' or 'gh pr' (commas part several); a group stands for all "
        "that is below it.",
    ),
    click.option(
        "--without",
        multiple=True,
        callback=_parted,
        metavar="PATTERN",
        help="Not the tools that match (commas part several).",
    ),
    click.option(
        "--depth",
        type=click.IntRange(0),
        metavar="N",
        help="Only commands of at most this many words below the program.",
    ),
    click.option(
        "--read-only",
        is_flag=True,
        default=None,
        help="Only tools that are stated to change nothing; what nobody knows is left out.",
    ),
    click.option(
        "--without-effect",
        "without_effects",
        multiple=True,
        type=click.Choice([effect.replace("_", "-") for effect in EFFECTS]),
        help="Not the tools that are stated to do this; what nobody knows stays.",
    ),
)


def jobs(command: _Command) -> _Command:
    """`--jobs`."""
    option = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Worker processes; without it as many as there are cores, and one for a few files.",
    )
    return option(command)


class Configured(click.Command):
    """A command whose options take their defaults from a settings file, as `toolglot.cli.settings` finds it.

    What the command line or the environment says wins over the file, and the file over what the option has.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given, _, _ = self.make_parser(ctx).parse_args(list(args))
        helping = self.get_help_option(ctx)
        asks_for_help = helping is not None and helping.name in given
        if not (ctx.resilient_parsing or asks_for_help or given.get("isolated")):
            self._configure(ctx, given)
        return super().parse_args(ctx, args)

    def _configure(self, ctx: click.Context, given: dict[str, Any]) -> None:
        """Take the defaults from a file, each value looked at as if it stood on the command line.

        Raises:
            UsageError: the file cannot be read, or a value is none for its option.
        """
        from toolglot.cli import settings

        config = given.get("config")
        found = settings.load(config) if config else settings.find(_paths(given))
        if found is None:
            return
        params = {name.lstrip("-"): param for param in self.params for name in param.opts}
        values = {}
        for key, value in found.of(ctx.info_name or "").items():
            param = params.get(key)
            if param is None or param.name is None:  # a shared one that this command has no use for
                continue
            if isinstance(value, dict):
                value = list(value.items())
            try:
                values[param.name] = param.type_cast_value(ctx, value)
            except click.BadParameter as error:
                command = "" if key in found.shared else ctx.info_name or ""
                raise found.wrong(key, f"`{key}`: {error.message}", command) from None
        ctx.default_map = values
        ctx.meta[_SETTINGS] = found.path


def settings_file(name: str) -> str | None:
    """The settings file that the value of an option comes from; `None` where it comes from elsewhere."""
    context = click.get_current_context()
    is_set = context.get_parameter_source(name) == ParameterSource.DEFAULT_MAP
    return context.meta[_SETTINGS] if is_set else None


_SETTINGS = "toolglot.cli.settings"  # the key under which a context keeps the path of the settings file


def _paths(given: dict[str, Any]) -> tuple[str, ...]:
    """The positional arguments that name sources, whatever the command calls them."""
    paths: list[str] = []
    for name in ("src", "path", "old", "new"):
        value = given.get(name)
        if isinstance(value, str):
            paths.append(value)
        elif isinstance(value, tuple):  # click has a mark of its own for an argument that is not there
            paths += value
    return tuple(paths)


def sources(command: _Command) -> _Command:
    """The options that say which sources are meant and how they are read; the command is given them as one `request`.

    The command must be a `Configured` one. Its argument is called `src` or `path`, one or many; a command that has
    neither, because its arguments are not a list of sources, gets an `request` without paths. `--from` is taken in
    where the command has it.

        @click.command(cls=options.Configured)
        @click.argument("src", nargs=-1, required=True, type=click.Path(allow_dash=True))
        @options.from_format
        @options.sources
        def convert(asked: Asked) -> int: ...
    """

    @wraps(command)
    def asking(**given: Any) -> Any:
        return command(request=_asked(given), **given)

    for option in reversed(_SOURCES):
        asking = option(asking)
    return cast(_Command, asking)


def _usual() -> tuple[str, ...]:
    """What is left out of folders; the hidden folders where formats have their documents are not."""
    from toolglot import formats
    from toolglot.cli.discovery import EXCLUDED

    own = dict.fromkeys(folder for name in formats.names() for folder in formats.get(name).folders)
    return (*EXCLUDED, *(f"!{folder}/" for folder in own))


_SOURCES = (
    click.option(
        "--exclude",
        multiple=True,
        default=_usual,
        metavar="PATTERN",
        help="Leave out of folders what matches (as in a .gitignore; commas part several), in place of hidden "
        "folders, node_modules and the like.",
    ),
    click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Walk these folders although --exclude leaves them out, such as hidden ones.",
    ),
    click.option("--extend-exclude", multiple=True, metavar="PATTERN", help="Leave this out as well."),
    click.option("--force-exclude", is_flag=True, help="Leave out files that are named, too."),
    click.option("--skip-others", is_flag=True, help="Pass over what is no tool description, where it is named, too."),
    click.option(
        "--gitignore/--no-gitignore", default=True, help="Whether .gitignore files count; they do without it."
    ),
    click.option(
        "--stdin-filename",
        metavar="NAME",
        help="What stdin (-) is called in messages; NAME.jsonl means JSON lines.",
    ),
    click.option(
        "--max-size",
        type=Size(),
        envvar="TOOLGLOT_MAX_SIZE",
        metavar="SIZE",
        help="Refuse sources larger than this (200000, 64K, 200M); 16M without it.",
    ),
    click.option(
        "--config",
        type=click.Path(),
        metavar="FILE",
        help="Take defaults from this file, not from the nearest toolglot.toml or pyproject.toml.",
    ),
    click.option("--isolated", is_flag=True, help="Take defaults from no file."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing to people but errors."),
    click.option("-v", "--verbose", is_flag=True, help="Name the files that are passed over or written."),
)


def _asked(given: dict[str, Any]) -> SourceRequest:
    """What the user said about sources; it is taken out of `given`."""
    from toolglot.cli.sources import SourceRequest
    from toolglot.cli.terminal import print_message

    del given["config"], given["isolated"]
    context = click.get_current_context()
    paths = next((given.pop(name) for name in ("src", "path") if name in given), ())
    request = SourceRequest(
        paths=(paths,) if isinstance(paths, str) else paths,
        format=given.pop("format_name", None),
        max_size=given.pop("max_size"),
        stdin_filename=given.pop("stdin_filename"),
        quiet=given.pop("quiet"),
        verbose=given.pop("verbose"),
        skips_others=given.pop("skip_others"),
        selection=_selection(given),
    )
    if request.verbose and _SETTINGS in context.meta:
        print_message(f"settings: {context.meta[_SETTINGS]}")
    return request


def _selection(given: dict[str, Any]) -> Selection:
    from toolglot.cli.discovery import Selection

    def patterns(name: str) -> tuple[str, ...]:
        values = given.pop(name)
        return values if settings_file(name) else tuple(part for value in values for part in value.split(",") if part)

    return Selection(
        exclude=patterns("exclude"),
        include=patterns("include"),
        extend_exclude=patterns("extend_exclude"),
        force_exclude=given.pop("force_exclude"),
        gitignore=given.pop("gitignore"),
        exclude_from=settings_file("exclude"),
        include_from=settings_file("include"),
        extend_exclude_from=settings_file("extend_exclude"),
    )
