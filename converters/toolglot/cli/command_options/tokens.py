"""`toolglot tokens`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.option_types import WrittenFormats


@effects(stdin="optional")
@agent.example("toolglot tokens tools/")
@options.command("tokens")
@options.source_paths("src")
@options.option(
    ("-t", "--to"),
    "The formats to count. The default is every format in which models are offered tools.",
    "FORMAT[@VERSION],...",
    "providers",
    type=WrittenFormats(),
)
@options.flag("--exact", "Count with the vocabulary (`pip install '.[tokens]'`) and do not estimate.")
@options.output_form("The form of the output.", "text", "json")
@options.from_format
@options.errors
@options.offering
@options.choice
@options.jobs
@options.restore
@options.sources
@options.done_by("print_tokens")
def tokens() -> None:
    """Say how many tokens the definitions of tools cost in every request to a model.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. A formula estimates the tokens of the definitions
    as compact JSON in the encoding o200k; what a provider bills may differ. A source that cannot be read is left out,
    and the exit code is 2.
    """
