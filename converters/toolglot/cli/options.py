"""The options that several commands share, their defaults from a settings file, and what they say about sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from toolglot import agent
from toolglot.cli.command_help import ExplainedCommand, put_below, without_all
from toolglot.cli.command_options import OF_PROGRAMS, SUMMARIES
from toolglot.cli.commands import carry_out
from toolglot.cli.late_modules import document_reader, file_search, formats, settings
from toolglot.cli.option_types import Size, SourceFormat
from toolglot.cli.renamed_words import earlier_words, refuse_removed_words, split_words, with_new_words
from toolglot.cli.terminal import print_message
from toolglot.converter.conversion.fail_on import FAILING, FailOn, fail_on_of
from toolglot.converter.hub.facets import facets_with
from toolglot.converter.text.wording import count_noun
from toolglot.errors import UsageError
from toolglot.option_checks import refuse, split_commas

if TYPE_CHECKING:
    from toolglot.converter.file_search import FilePatterns, PathFilter
    from toolglot.converter.text.document_reader import Limits

Decorator = Callable[[Any], Any]
"""What declares an option or an argument of a command; the command stays what it is."""


_SETTINGS = "toolglot.cli.settings"  # the key under which a context keeps the settings of its file


class SourcePath(click.Path):
    """A file, a folder or `-`."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return "Name a file or a folder; - is standard input."


# Reading it says whether it can be read: click would end the run for one file of many.
SOURCE = SourcePath(allow_dash=True, readable=False)


def of_value(take: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The callback of an option that looks at nothing but its value."""
    return lambda context, param, value: take(value)


def argument(name: str, meaning: str, **more: Any) -> Decorator:
    """An argument, and what `--agent` says that it means, as `click` keeps no help of arguments.

    Args:
        more: what `click.argument` takes.
    """

    return lambda command: agent.arguments(**{name: meaning})(click.argument(name, **more)(command))


def source_argument(name: str, **more: Any) -> Decorator:
    """The argument that names a source."""
    return argument(name, "A file, a folder (walked), a glob pattern, or - for stdin.", type=SOURCE, **more)


def source_paths(name: str) -> Decorator:
    """The argument that names one source or several."""
    return source_argument(name, nargs=-1, required=True)


class Configurable(click.Option):
    """An option that a settings file may say too, in the table of its command; it may say no other.

    A settings file comes with a repository, which may be anybody's. So what says where to write, what to overwrite,
    what a person vouches for, or what people are told of a loss, is never one.

    Args:
        kind: what it may hold in a file, where the type of its value does not say that.
    """

    def __init__(self, *names: Any, kind: Any = None, **more: Any) -> None:
        super().__init__(*names, **more)
        self.kind = kind


class SharedConfigurable(Configurable):
    """An option that a settings file may say at its top, for every command that has it."""


def option(
    name: str | tuple[str, ...],
    meaning: str,
    metavar: str | None = None,
    dest: str = "",
    choices: Sequence[str] = (),
    **more: Any,
) -> Decorator:
    """An option.

    Args:
        name: what it is called, or the short name and the long one.
        metavar: what stands for its value in `--help`.
        dest: what a command calls it, if not by its name.
        choices: the values that it may have.
        more: what `click.option` takes.
    """
    if choices:
        more["type"] = click.Choice(choices)
    names = name if isinstance(name, tuple) else (name,)
    return click.option(*names, *filter(None, [dest]), metavar=metavar, help=meaning, **more)


setting = partial(option, cls=Configurable)
shared_setting = partial(option, cls=SharedConfigurable)


# As in `conversion.offers`, whose import `--help` need not wait for.
FLATTEN = ("discrete", "group", "action")
SAFETY_TEXTS = ("flags", "full")


def flag(name: str, meaning: str, dest: str = "", **more: Any) -> Decorator:
    """An option that is given or not; arguments as for `option`."""
    return option(name, meaning, dest=dest, is_flag=True, **more)


def file(name: str, meaning: str, dest: str = "", **more: Any) -> Decorator:
    """An option that names a file; arguments as for `flag`."""
    file_type = click.Path(dir_okay=False, exists=more.pop("exists", False))
    return option(name, meaning, "FILE", dest, type=file_type, **more)


def written_file(name: str, meaning: str) -> Decorator:
    """An option that names a file to write."""
    return file(name, meaning, callback=take_written_path)


def output(meaning: str, dir_okay: bool = True) -> Decorator:
    """`--output`."""
    path = click.Path(dir_okay=dir_okay, allow_dash=True)
    return option(("-o", "--output"), meaning, type=path, callback=take_output_path)


def group(name: str, *options: Decorator) -> Decorator:
    """Several options as one, in this order.

    Args:
        name: the heading below which `--help --all` explains them; empty for those that every `--help` explains.
    """

    def with_options(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
            if name:
                put_below(name, command.__click_params__[-1])  # where click keeps options until it makes the command
        return command

    return with_options


def together(*relations: tuple[str, ...]) -> Decorator:
    """Which options and arguments go together: an option, `needs` or `excludes`, and others, of which one is enough.

    `"--to html"` is an option that has this value. Who breaks a relation is told so in one form, before anything runs.
    """

    def with_relations(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def checked(**values: Any) -> Any:
            context = click.get_current_context()
            for option, relation, *others in relations:
                if not _is_given(context, option):
                    continue
                given = next((other for other in others if _is_given(context, other)), None)
                refuse(
                    (relation == "needs" and given is None, f"{option} needs {' or '.join(others)}"),
                    (
                        relation == "excludes" and given is not None,
                        f"{option} and {given} do not go together; leave one of them out",
                    ),
                )
            return command(**values)

        return checked

    return with_relations


def _is_given(context: click.Context, option: str) -> bool:
    """Whether somebody says an option, or this value of it; `false` in a settings file says nothing."""
    name, _, wanted = option.partition(" ")
    param = next(param for param in context.command.params if name in param.opts)
    value = context.params[param.name or ""]
    if wanted:
        return bool(value == wanted)
    source = context.get_parameter_source(param.name or "")
    return source == ParameterSource.COMMANDLINE or (source != ParameterSource.DEFAULT and bool(value))


def refuse_shared_stdin(*values: str | None) -> None:
    """Refuse stdin as several things at once."""
    refuse((values.count("-") > 1, "stdin can be read once; give the others as files"))


class GroupedCommand(ExplainedCommand):
    """A command that understands what its options were called earlier."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.words_of_today(ctx, args))

    def words_of_today(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments of the command; whoever writes an earlier option is told what it is called now.

        Raises:
            UsageError: an option is gone.
        """
        args = without_all(ctx, args)
        refuse_removed_words(ctx.info_name, args)
        if {"-q", "--quiet"}.isdisjoint(args):
            for earlier, now in earlier_words(ctx.info_name, args).items():
                print_message(f"{earlier} is called {now} now")
        return with_new_words(ctx.info_name, args)


force = flag("--force", "Replace files that exist.")
quiet = option(("-q", "--quiet"), "Print no messages but errors.", is_flag=True)


def verbose(meaning: str) -> Decorator:
    """`--verbose`."""
    return option(("-v", "--verbose"), meaning, is_flag=True)


source_format = partial(
    click.option,
    "-f",
    "--from",
    "format_name",
    type=SourceFormat(),
    metavar="FORMAT",
    help="The format of the sources. The default is to detect it from their content.",
)
from_format = source_format()


namespace = setting(
    "--namespace",
    (
        "The server whose tools these are, for ids that several servers use: what the document says "
        "(auto, the default), the name of its file, none, or NAME. Where ids meet in one result, convert takes the "
        "name of the file for a server that the document does not name."
    ),
    "auto|file|none|NAME",
)


scope = shared_setting(
    "--scope",
    (
        "Write NAME: before every new id of a tool whose source has no scope of its own. In the settings it counts "
        "for formats whose ids have one."
    ),
    "NAME",
)


assertions = file(
    "--assert",
    "A JSON file of what you vouch for: patterns (SERVER/TOOL), each with safety-tier, source, scope or "
    "trusted-hints; or a lock of servers that holds such. A danger that is stated stands: the exit code is then 1. "
    "A pattern that matches no tool gives a warning.",
    "assertions",
    exists=True,
)


def _check_written_path(value: str | None) -> str | None:
    """The path of a file to write.

    Raises:
        UsageError: a link in a repository leads out of it.
    """
    if value is not None:
        file_search.refuse_link_out_of_repository(value)
    return value


take_written_path = of_value(_check_written_path)


@of_value
def take_output_path(value: str | None) -> str | None:
    """A callback for `--output`: `-` is stdout, as no path is; an empty one would be the current folder.

    Raises:
        BadParameter: the path is empty, as a variable of a shell may be.
        UsageError: a link in a repository leads out of it.
    """
    if value == "":
        raise click.BadParameter("the path is empty; - is stdout")
    return None if value == "-" else _check_written_path(value)


REPORT_STYLES = ("text", "json", "none")


@of_value
def take_report(value: str) -> str | None:
    """A callback for `--report` of a conversion: a word, or a path.

    Raises:
        BadParameter: it is neither.
        UsageError: a link in a repository leads out of it.
    """
    if value in REPORT_STYLES:
        return value
    if not set(value) & set("./\\"):
        raise click.BadParameter(f"{value!r} is not text, json, none or a path (a path has a dot or a slash)")
    return _check_written_path(value)


errors = written_file(
    "--errors",
    "Write what is refused to this file, every record of JSON Lines and every source, as JSON Lines or Parquet (by its "
    "name): source, line, id, code, pointer, message. Messages name the first 20.",
)


@of_value
def take_several(values: tuple[str, ...]) -> tuple[str, ...]:
    """A callback for an option whose one value may hold several, with commas between."""
    return split_commas(*values)


choice = group(
    "Selection",
    option(
        "--only",
        (
            "Only the tools that match, such as 'gh.pr.*', 'gh pr' or 'SERVER/*', with commas between several. "
            "A group stands for all commands below it."
        ),
        "PATTERN",
        multiple=True,
        callback=take_several,
    ),
    option(
        "--without",
        (
            "Leave out the tools that match, with commas between several. A pattern of --only or --without that "
            "matches no tool gives a warning; the exit code stays. `serve` does not start with such a --without."
        ),
        "PATTERN",
        multiple=True,
        callback=take_several,
    ),
    option(
        "--depth",
        "Only N levels of commands. Of a group below which there are more, a program's document says that.",
        "N",
        type=click.IntRange(0),
    ),
    flag(
        "--read-only",
        "Only tools that are stated to change nothing. A tool that does not say is left out.",
        default=None,
    ),
    option(
        "--without-effect",
        "Leave out the tools that are stated to do this. A tool that does not say stays.",
        dest="without_effects",
        multiple=True,
        choices=[effect.replace("_", "-") for effect in facets_with(is_chosen_by=True)],
    ),
    option(
        "--include-hidden",
        "Offer tools and options that are hidden from models, too, where the result cannot say so.",
        is_flag=True,
        default=None,
    ),
)


# How a provider is offered tools, as `conversion.offers.OfferOptions` has it.
offering = group(
    "Providers",
    setting(
        "--strict/--no-strict",
        "For providers: ask for definitions that models must follow. A tool that has no strict schema stays loose.",
        default=None,
    ),
    setting("--profile", "For providers: a variant of their rules, such as azure.", "NAME"),
    setting(
        "--flatten",
        (
            "For providers: one definition for each command, or for each group or program with the command as a "
            "parameter."
        ),
        choices=FLATTEN,
    ),
    setting(
        "--examples/--no-examples",
        "For providers: write the examples into the description, where there is no field for them.",
        default=None,
    ),
    setting(
        "--safety-text",
        "For providers: write dangers as flags and few words, or all of them in words.",
        choices=SAFETY_TEXTS,
    ),
    flag(
        "--with-globals",
        "For providers: offer the options of the program and of groups with every command.",
        default=None,
    ),
    setting(
        "--compact/--no-compact",
        "For providers: leave out keywords of schemas that tell a model nothing, and titles that repeat a name.",
        default=None,
    ),
)


_Record = TypeVar("_Record")


def record_of(kind: type[_Record], values: dict[str, Any], rest: str) -> _Record:
    """A record of what a command was asked for, as its options are called.

    Args:
        rest: the field for options that have none of their own.
    """
    own = {name: values.pop(name) for name in kind.__annotations__ if name in values}
    return kind(**own, **{rest: values})


OF_CONVERSIONS = (
    "danger (what stands on your word, was refused or was not found), guessed (danger, and what nobody states about "
    "safety), lost (danger, and what is lost or accepts more), any (all but what is only spelled otherwise)."
)
OF_CONTRACTS = (
    "danger (what is safety-relevant), guessed (danger, and what nobody states any more about safety), lost (danger, "
    "and what is gone), breaking (danger, and what breaks callers), words (danger, and other words for models, which "
    "are then shown whole), any (every change)."
)


def fail_on(meaning: str, allowed: Collection[FailOn] = tuple(FAILING)) -> Decorator:
    """`--fail-on`, whose words mean the same in every command that converts or compares.

    Args:
        meaning: what `--help` says of the words.
        allowed: what can be named.
    """

    @of_value
    def take_kinds(values: tuple[str, ...]) -> tuple[FailOn, ...]:
        try:
            return fail_on_of(values, allowed)
        except UsageError:
            message = f"{','.join(values)!r} is not made of {', '.join(allowed)}"
            raise click.BadParameter(message) from None

    return setting(
        "--fail-on",
        f"What ends with exit code 1, with commas between several: {meaning}",
        "|".join(allowed),
        multiple=True,
        callback=take_kinds,
    )


def describe_failing(number: int, kinds: Iterable[FailOn], effect: str = ": no result was written") -> str:
    """What people are told of changes that a run fails on."""
    return f"error: {count_noun(number, 'change')} at --fail-on {','.join(kinds)}{effect} [fail-on]"


jobs = shared_setting(
    ("-j", "--jobs"),
    "Worker processes. The default is one for each core, and one in all for a few files.",
    "N",
    type=click.IntRange(1, 256),
)


def output_form(meaning: str, *forms: str) -> Decorator:
    """`--format`, which chooses a form of what is printed.

    Args:
        meaning: what `--help` says.
        forms: what can be chosen; the first is the default.
    """
    return setting("--format", meaning, dest="style", choices=forms, default=forms[0], show_default=True)


call = group(
    "",
    argument("src", "A file, or - for stdin.", type=click.Path(allow_dash=True, dir_okay=False, readable=False)),
    argument(
        "tool",
        "The name that a model calls the tool by (gh_pr_create), or the words of the command.",
        metavar="NAME",
    ),
    argument("arguments", "A JSON object, @FILE for one in a file, or - for one on stdin.", metavar="ARGS-JSON"),
)

restore_document = flag("--restore", "Take back what --lossless kept in SRC, if it was not edited since.")


host_arguments = option(
    "--host",
    (
        "Options of the program and of the groups above the command, which only the host decides about, as a "
        "JSON object or as @FILE."
    ),
    "HOST-JSON",
)


# -- settings ---------------------------------------------------------------------------------------------------------


def with_bare_restore(args: list[str]) -> list[str]:
    """Arguments in which `--restore` has an empty value where it has none; it never takes the next word for one.

    >>> with_bare_restore(["--restore", "a.json", "--", "--restore"])
    ['--restore=', 'a.json', '--', '--restore']
    """
    own, rest = split_words(args)
    return [*("--restore=" if word == "--restore" else word for word in own), *rest]


class ConfiguredCommand(GroupedCommand):
    """A command whose options take their defaults from a settings file, as `toolglot.cli.settings` finds it.

    What the command line or the environment says wins over the file, and the file over what the option has.
    """

    def words_of_today(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = with_bare_restore(super().words_of_today(ctx, args))
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        help_option = self.get_help_option(ctx)
        asks_for_help = help_option is not None and help_option.name in values
        if not (ctx.resilient_parsing or asks_for_help or values.get("isolated")):
            self._take_settings(ctx, values)
        return args

    def _take_settings(self, ctx: click.Context, arguments: dict[str, Any]) -> None:
        """Take the defaults from a file, each value looked at as if it stood on the command line.

        Args:
            arguments: what stands on the command line.

        Raises:
            UsageError: the file cannot be read, or a value is none for its option.
        """
        if arguments.get("config"):
            found = settings.load_settings(arguments["config"])
        else:
            paths: list[str] = []
            for name in ("src", "path", "old", "new"):  # what commands call the arguments that name sources
                value = arguments.get(name)
                if isinstance(value, str):
                    paths.append(value)
                elif isinstance(value, tuple):  # click has a mark of its own for an argument that is not there
                    paths += value
            found = settings.find_settings(paths)
        if found is None:
            return
        command = ctx.info_name or ""
        known_options = options_by_key(self)
        defaults = {}
        for key, value in found.of(command).items():
            default = known_options.get(key)
            if not isinstance(default, Configurable) or default.name is None:  # one that this command has no use for
                continue
            if isinstance(default.type, click.Path):  # from the folder of the settings, wherever the command is run
                value = os.path.join(os.path.dirname(found.path), value)
            if isinstance(value, dict):  # an option of pairs; several texts are one, with commas
                value = [(name, text if isinstance(text, str) else ",".join(text)) for name, text in value.items()]
            try:
                defaults[default.name] = default.type_cast_value(ctx, value)
            except click.BadParameter as error:
                table = "" if key in found.shared_settings else command
                raise found.wrong(key, f"`{key}`: {error.message}", table) from None
        ctx.default_map = defaults
        ctx.meta[_SETTINGS] = found


def options_by_key(command: click.Command) -> dict[str, click.Parameter]:
    """The options of a command by the keys that a settings file has for them: their names without the dashes."""
    return {max(param.opts, key=len).lstrip("-"): param for param in command.params if isinstance(param, click.Option)}


def command(name: str, kind: type[click.Command] = ConfiguredCommand) -> Callable[[Callable[..., Any]], click.Command]:
    """A command, whose line in the list of commands is known before it is imported."""
    return click.command(cls=kind, short_help={**SUMMARIES, **OF_PROGRAMS}[name])


def done_by(name: str) -> Decorator:
    """What a command does: a function of `cli.commands` that is given its options, and is called like its module."""
    return lambda command: wraps(command)(partial(carry_out, name))


def settings_file(name: str) -> str | None:
    """The settings file that the value of an option comes from; `None` where it comes from elsewhere."""
    context = click.get_current_context()
    if context.get_parameter_source(name) == ParameterSource.DEFAULT_MAP:
        return str(context.meta[_SETTINGS].path)
    return None


def patterns_of(name: str, table: Iterable[tuple[str, Any]]) -> FilePatterns[Any]:
    """Values for files, by the patterns of an option; they are relative to the settings file that they come from.

    Raises:
        UsageError: a pattern is broken, or they are too many.
    """
    with name_setting_in_errors(name):
        patterns = file_search.FilePatterns(os.path.realpath(os.path.dirname(settings_file(name) or "")), tuple(table))
        patterns.rules()
    return patterns


@contextmanager
def name_setting_in_errors(name: str) -> Iterator[None]:
    """What is wrong with the value of an option is said of the settings file, where it comes from one."""
    try:
        yield
    except (click.BadParameter, UsageError) as error:
        if settings_file(name) is None:
            raise
        context = click.get_current_context()
        param = next(param for param in context.command.params if param.name == name)
        key = param.opts[-1].lstrip("-")
        hint = getattr(error, "hint", None)
        raise context.meta[_SETTINGS].wrong(key, f"`{key}`: {error.message}", context.info_name, hint) from None


# -- sources ----------------------------------------------------------------------------------------------------------


class SourceRequest(NamedTuple):
    """What the user said about sources; the options of `sources` make it.

    Attributes:
        paths: files, folders, glob patterns or `-`.
        format: what `--from` says, `NAME` or `NAME@VERSION`.
        max_size: in bytes.
        stdin_filename: what `-` is called in messages.
        quiet, verbose: how much people are told.
        skips_others: whether named files, too, are passed over where they are no tool descriptions.
        path_filter: what is left out of folders.
        restore: the files whose slots are believed: a pattern, empty for all that are named; `None` for none.
    """

    paths: tuple[str, ...]
    path_filter: PathFilter
    format: str | None = None
    max_size: int | None = None
    stdin_filename: str | None = None
    quiet: bool = False
    verbose: bool = False
    skips_others: bool = False
    restore: str | None = None

    def believes(self, relative: str) -> bool:
        """Whether what `--lossless` kept in a file is believed.

        Args:
            relative: its path from the folder that was walked, or its name where it was named itself.
        """
        if not self.restore:
            return self.restore is not None
        parts, segments = relative.split("/"), self.restore.split("/")
        return file_search.matches_glob(parts if len(segments) > 1 else parts[-1:], segments)

    @property
    def limits(self) -> Limits:
        """How much of one source is read."""
        if self.max_size:
            return document_reader.Limits(max_bytes=self.max_size)
        return document_reader.DEFAULT_LIMITS


def _given_request(*options: Decorator) -> Decorator:
    """Options that a command is given as one `request`."""

    def with_request(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def requested(**values: Any) -> Any:
            return command(request=request_of(values), **values)

        return group("", *options)(requested)

    return with_request


def without_sources(meaning: str) -> Decorator:
    """`--quiet` and `--verbose`, which the command is given as a `request` that names no sources.

    Args:
        meaning: what `--help` says of `--verbose`.
    """
    return _given_request(quiet, verbose(meaning))


def _usual_exclusions() -> tuple[str, ...]:
    """What is left out of folders; the hidden folders where formats have their documents are not."""
    folders = dict.fromkeys(folder for name in formats.names() for folder in formats.marks_of(name).folders)
    return (*file_search.EXCLUDED, *(f"!{folder}/" for folder in folders))


_source_options = group(
    "Files",
    shared_setting(
        "--exclude",
        (
            "What to leave out of folders, in place of hidden folders, node_modules and the like. Patterns are as in "
            "a .gitignore, with commas between several."
        ),
        "PATTERN",
        multiple=True,
        default=_usual_exclusions,
    ),
    shared_setting(
        "--extend-exclude",
        "What to leave out as well; '!PATTERN' walks what --exclude leaves out, such as a hidden folder.",
        "PATTERN",
        multiple=True,
    ),
    shared_setting("--gitignore/--no-gitignore", "Whether .gitignore files count. They do by default.", default=True),
    option("--stdin-filename", "The name of stdin (-) in messages. NAME.jsonl means JSON Lines.", "NAME"),
    shared_setting(
        "--max-size",
        "Refuse sources (of JSON Lines: lines) larger than this, such as 200000, 64K or 200M. The default is 16M.",
        "SIZE",
        type=Size(),
        envvar="TOOLGLOT_MAX_SIZE",
    ),
    option(
        "--config",
        "The settings file, in place of the nearest toolglot.toml or pyproject.toml.",
        "FILE",
        type=click.Path(),
    ),
    flag("--isolated", "Read no settings file."),
)


sources = _given_request(
    _source_options,
    quiet,
    verbose("Print more: files that are passed over or written, and every change or note."),
)
"""The options that say which sources are meant and how they are read; the command is given them as one `request`.

The command must be a `ConfiguredCommand`. Its argument is called `src` or `path`, one or many; a command that has
neither, because its arguments are not a list of sources, gets a `request` without paths. `--from` is taken in where the
command has it.

    @options.command("convert")
    @options.source_paths("src")
    @options.from_format
    @options.sources
    @options.done_by("convert_sources")  # def convert_sources(request: SourceRequest) -> int: ...
    def convert() -> None: ...
"""

restore = group(
    "Files",
    option(
        "--restore",
        (
            "Take back what --lossless kept in these sources, if they were not edited since. For a folder, =GLOB says "
            "in which of its files. Without it, only the dangers that it states count."
        ),
        "[=GLOB]",
    ),
)


# For programs that name every changed file, such as pre-commit.
for_hooks = group(
    "Files",
    flag("--force-exclude", "Leave out files also where they are named.", cls=SharedConfigurable),
    flag("--skip-others", "Pass over what is no tool description also where it is named.", cls=SharedConfigurable),
)


def request_of(values: dict[str, Any]) -> SourceRequest:
    """What the user said about sources; it is taken out of `values`.

    Raises:
        UsageError: a folder is believed. Somebody has to say which of its files, because anybody may put files there.
    """
    values.pop("config", None)  # `ConfiguredCommand` has looked at these two
    values.pop("isolated", None)
    paths: tuple[str, ...] | str = ()
    for name in ("src", "path"):
        paths = values.pop(name, paths)
    if isinstance(paths, str):
        paths = (paths,)
    restore = values.get("restore")
    for folder in filter(os.path.isdir, paths):
        refuse((restore == "", f"{folder} is a folder; say which of its files are believed: --restore='*'"))
    filters: dict[str, Any] = {name: values.pop(name) for name in ("force_exclude", "gitignore") if name in values}
    for name in values.keys() & {"exclude", "extend_exclude"}:
        path = filters[f"{name}_from"] = settings_file(name)
        texts = values.pop(name)
        filters[name] = texts if path else split_commas(*texts)
    fields = {name: values.pop(name) for name in SourceRequest._fields if name in values}
    request = SourceRequest(
        paths,
        file_search.PathFilter(**filters),
        format=values.pop("format_name", None),
        skips_others=values.pop("skip_others", False),
        **fields,
    )
    context = click.get_current_context()
    if request.verbose and _SETTINGS in context.meta:
        print_message(f"settings: {context.meta[_SETTINGS].path}")
    return request
