"""`toolglot check`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import Assignment, FormatName


def _selectors(name: str, text: str) -> options.Decorator:
    """An option with names of rules, for a field of `RuleSelection`."""
    return options.setting(name, text, "RULE", multiple=True, callback=options.take_several)


# It writes with --fix and --update-baseline only.
@replaces_files(stdin="optional")
@agent.example("toolglot check tools/ --format github")
@options.command("check")
@options.source_argument("path", nargs=-1, default=(".",))
@options.setting(
    ("-f", "--from"),
    "The format of the documents, and the version that they must obey. The default is to detect it.",
    "FORMAT[@VERSION]",
    "format_name",
    type=FormatName(),
)
@options.output_form("The form of the findings.", "text", "json", "sarif", "github", "junit", "gitlab")
@options.group(
    "Rules",
    _selectors(
        "--select",
        "Only these rules: codes, families, patterns such as 'schema-*', or ALL, with commas between.",
    ),
    _selectors("--extend-select", "These rules as well."),
    _selectors("--ignore", "Leave out these rules, whatever selects them."),
    _selectors(
        "--require",
        "Hold tools to what a directory or a provider demands, too; `toolglot rule` lists them.",
    ),
    options.setting(
        "--per-file-ignores",
        "Rules that do not hold for some files, or for a part of them.",
        "GLOB[#/POINTER]=RULE,...",
        kind=dict[str, list[str]],
        multiple=True,
        type=Assignment(),
    ),
    options.setting(
        "--severity",
        "Make a rule an error, a warning, info or none.",
        "RULE=LEVEL",
        "severities",
        multiple=True,
        type=Assignment(),
    ),
)
@options.setting(
    "--fail-on",
    "The least severity that makes the exit code 1.",
    choices=["error", "warning", "info", "never"],
    default="error",
    show_default=True,
)
@options.flag("--fix", "Correct the files in place, where only one correction is possible.", "fixes")
@options.flag(
    "--confirm-assumed",
    "Take the values that a conversion made up for the author's, and what --lossless kept for that of the record "
    "as it is now. Correct them first.",
    "confirms",
)
@options.flag("--diff", "Print what --fix or --confirm-assumed would change, and write nothing.", "shows_diff")
@options.group(
    "Known findings",
    options.flag("--statistics", "Print how many findings each rule has, and not the findings."),
    options.file("--baseline", "Leave out the findings that this file lists.", cls=options.Configurable),
    options.flag("--update-baseline", "Write the findings to the --baseline file.", "updates_baseline"),
)
@options.jobs
@options.together(("--update-baseline", "needs", "--baseline"), ("--fix", "excludes", "--confirm-assumed"))
@options.sources
@options.for_hooks
@options.done_by("check_files")
def check() -> None:
    """Say what is wrong or doubtful in tool descriptions.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. The default is the current folder. Findings go
    to stdout. Exit code 1 means that there is an error, 2 that a document could not be read at all. What breaks a rule
    and can still be read is a warning; --fail-on warning fails on it too. -v prints notes too. `toolglot rule` has a
    page for each rule.
    """
