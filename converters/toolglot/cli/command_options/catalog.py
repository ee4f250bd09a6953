"""`toolglot catalog`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import CatalogTarget


@replaces_files(stdin="optional")
@agent.example("toolglot catalog tools/ --to markdown -o tools.md")
@options.command("catalog")
@options.source_paths("path")
@options.setting(
    ("-t", "--to"),
    (
        "The format of the catalogue; `toolglot formats` lists them. Or pages for people: html is a folder of pages, "
        "markdown is one document."
    ),
    "FORMAT[@VERSION]|html|markdown",
    required=True,
    type=CatalogTarget(),
)
@options.from_format
@options.output("The file to write; a name in .jsonl means JSON Lines. For html, the folder.")
@options.flag("--check", "Write nothing. The exit code is 1 if the file or folder of -o would change.", "is_check")
@options.group(
    "One program",
    options.setting(
        "--as-program",
        "For a format of programs: the name of the program; an id with dots becomes a command of a command.",
        "NAME",
        "merge",
    ),
    options.setting("--program-version", "With --as-program: the version of the program.", "VERSION"),
    options.setting("--program-description", "With --as-program: what the program is for.", "TEXT"),
)
@options.file(
    "--since",
    "An earlier catalogue of yours. Files that did not change since are not read again. It need not exist yet.",
)
@options.flag("--bare", "Write an array of records, and nothing around it.", "is_bare", cls=options.Configurable)
@options.setting(
    "--provenance/--no-provenance",
    (
        "Whether the catalogue says which file each tool comes from. Without it a later run takes it for a foreign "
        "file, and writes it nowhere."
    ),
    dest="has_provenance",
    default=True,
)
@options.setting(
    "--language", "The languages of the texts, such as es,en. The first that a text has is shown.", "TAG[,TAG...]"
)
@options.fail_on(f"{options.OF_CONVERSIONS} Then nothing is written.")
@options.written_file("--report", "Write every difference to this file, as JSON, .md, .html or .sarif.")
@options.errors
@options.assertions
@options.scope
@options.namespace
@options.choice
@options.jobs
@options.together(
    ("--check", "needs", "--output"),
    ("--program-version", "needs", "--as-program"),
    ("--program-description", "needs", "--as-program"),
    ("--to html", "excludes", "--as-program", "--since", "--bare", "--provenance", "--report"),
    ("--to markdown", "excludes", "--as-program", "--since", "--bare", "--provenance", "--report"),
)
@options.restore
@options.sources
@options.done_by("catalog_files")
def catalog() -> None:
    """Gather the tools of many files, of any format, in one document.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. Every tool is in the catalogue once, in the order
    of servers and ids, with the path and the hash of its file. Copies and translations are one tool. A tool has its
    server in its name, where that is known. Two tools that would still have the same name are left out and named: the
    exit code is 1. An earlier -o stays as it was then, and where a file cannot be read.
    """
