"""`toolglot convert`: what it is asked for, and which of three ways it goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import FormatName, hub_word
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import count_noun
from toolglot.converter.conversion.categories import LOSSES, Category, FailOn, count_failing
from toolglot.converter.files.existing_targets import can_be_folder

if TYPE_CHECKING:
    from toolglot.converter.conversion.options import ConvertOptions


class ConvertCommandOptions(NamedTuple):
    """What `convert` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`.
        options: those of `toolglot.convert`.
        output: a file or a folder; `None` is stdout.
        force: whether files that exist are replaced.
        fail_on: what makes the exit code 1, and nothing is written.
        report: `text`, `json`, `none`, or a file.
        jobs: how many processes.
    """

    to: str
    options: ConvertOptions
    output: str | None
    force: bool
    fail_on: tuple[FailOn, ...] = ()
    report: str = "text"
    jobs: int | None = 1

    @property
    def report_file(self) -> str | None:
        """The file that the report goes to, if it is one."""
        return None if self.report in options.REPORT_STYLES else self.report

    @property
    def has_all_changes(self) -> bool:
        """Whether the report has every change of every source."""
        return self.report == "json" or self.report_file is not None

    def shows_entries(self, request: SourceRequest) -> bool:
        """Whether people see in the terminal what became of the tools."""
        return self.report == "text" and not request.quiet

    @property
    def is_lossless(self) -> bool:
        """Whether converting back is to restore everything."""
        return bool(self.options.get("lossless"))

    @property
    def has_assertions(self) -> bool:
        """Whether a person vouches for something."""
        return any(self.options.get(name) for name in ("assertions", "safety_tier", "trust_methods"))

    def error_of(self, counts: Mapping[Category, int]) -> str | None:
        """What people are told of changes that do not pass, were refused, or that nothing carries; `None` without any.

        Args:
            counts: how many there are of each category.
        """
        failing = count_failing(counts, self.fail_on)
        if failing:
            return options.describe_failing(failing, self.fail_on)
        refused = counts[Category.REFUSED]
        if refused:
            return f"error: {count_noun(refused, 'fact')} of your word refused; the dangers stand as they are [refused]"
        losses = sum(counts[category] for category in LOSSES)
        if losses and self.is_lossless:
            return (
                f"error: {count_noun(losses, 'loss')} that --lossless cannot keep: converting back does not restore "
                "everything [loss]"
            )
        return None


# It writes with -o and --report FILE only, and replaces what exists with --force only.
@replaces_files(stdin="optional")
@agent.example("toolglot convert tools/ --to hub -o tools.hub.json")
@agent.arguments(src="A file, a folder (walked), a glob pattern, or - for stdin.")
@options.command("convert")
@options.source_paths("src")
@options.setting(
    "-t",
    "--to",
    required=True,
    type=FormatName(for_writing=True),
    metavar="FORMAT[@VERSION]",
    help="The format to write; `toolglot formats` lists them.",
)
@options.source_format(cls=options.Configurable)
@options.output(
    "The file to write. Several sources, or a folder, go to files below this folder, unless it has the name of a "
    "document (.json, .md, ...). A name in .jsonl means JSON Lines."
)
@options.force
@options.flag(
    "--lossless",
    "Keep what the target has no field for in its extension slot, so that converting back restores it. Where "
    "something cannot be kept, the exit code is 1.",
    cls=options.Configurable,
)
@options.fail_on(f"{options.OF_CONVERSIONS} Then nothing is written.")
@options.setting(
    "--report",
    kind=options.ReportStyle,
    default="text",
    show_default=True,
    callback=options.take_report,
    metavar="text|json|none|FILE",
    help="Where the report of differences goes: to stderr as text, as JSON, nowhere, or to a file (a path with a dot "
    "or a slash) as JSON, .md, .html or .sarif. JSON goes to stdout when the result does not.",
)
@options.group(
    "Safety",
    click.option(
        "--safety-tier",
        type=hub_word("safety_tier"),
        help="What a call can do, as you assert it instead of the source. The report says so.",
    ),
    click.option(
        "--provided-by",
        "source",
        type=hub_word("source"),
        help="What carries out the calls, as you assert it.",
    ),
    options.assertions,
    options.flag(
        "--trust-methods",
        "Believe that an API keeps to the rules of HTTP: GET changes nothing, and PUT can be repeated. You vouch for "
        "it, and the report says so.",
        default=None,
    ),
)
@options.offering
@options.group(
    "Names and form",
    options.setting("--scope", metavar="NAME", help="Write NAME: before every new id."),
    options.flag("--bare", "Write an array of records, and nothing around it.", default=None, cls=options.Configurable),
    options.namespace,
)
@options.choice
@options.jobs
@options.sources
def convert(request: options.SourceRequest, assertions: str | None, **values: Any) -> int:
    """Convert tool descriptions to another format.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The result goes to stdout or to --output, and a
    report of all differences to stderr. Several sources, or a folder, become files below a folder, in the same folders
    as the sources. JSON Lines (.jsonl, .ndjson, also with .gz) become JSON Lines, one record at a time.
    """
    from toolglot.cli.source_files import load_assertions  # what `--help` need not wait for

    values["assertions"] = load_assertions(assertions) or None
    convert_options = options.record_of(ConvertCommandOptions, values, "options")
    # An import each: who converts one document does not wait for what converts many over several processes.
    if is_stream(request.paths, request.stdin_filename, convert_options.output):
        from toolglot.cli.commands.convert_lines import convert_lines

        return convert_lines(request, convert_options)
    if convert_options.output is not None and _goes_one_by_one(request.paths, convert_options.output):
        from toolglot.cli.commands.convert_each import convert_each

        return convert_each(request, convert_options, convert_options.output)
    from toolglot.cli.commands.convert_together import convert_together

    return convert_together(request, convert_options)


def is_stream(paths: Sequence[str], stdin_filename: str | None, output: str | None) -> bool:
    """Whether the only source, which is one file, and the output, if there is one, are called like JSON Lines.

    >>> is_stream(["a.jsonl"], None, "b.ndjson.gz"), is_stream(["a.jsonl"], None, "b.json")
    (True, False)
    """
    from toolglot.cli.file_search import STDIN, is_pattern  # with what follows what `--help` need not wait for
    from toolglot.converter.text.serialization import LINED

    if len(paths) != 1 or is_pattern(paths[0]):
        return False
    names = [paths[0]]
    if paths[0] == STDIN:
        names = [stdin_filename or ""]
    if output is not None:
        names.append(output)
    return all(name.lower().endswith(LINED) and not os.path.isdir(name) for name in names)


def _goes_one_by_one(paths: Sequence[str], output: str) -> bool:
    """Whether every source gets files of its own: several, or a folder, to what is not called like a document.

    A folder of tools that goes to `all.json` is one document; one that goes to `out` is a folder of documents.
    """
    are_many = len(paths) > 1 or os.path.isdir(paths[0]) or not os.path.lexists(paths[0])  # a pattern
    return are_many and can_be_folder(output)
