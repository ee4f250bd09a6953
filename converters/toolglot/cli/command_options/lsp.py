"""`toolglot lsp`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.commands import carry_out
from toolglot.extras import load_package


@effects(stdin="required")
@agent.example("toolglot lsp")
@options.command("lsp", options.GroupedCommand)
@options.option(
    "--base-url",
    "Where the documentation is published; findings link to the pages of their rules.",
    "URL",
    envvar="TOOLGLOT_BASE_URL",
)
def lsp(base_url: str | None) -> int:
    """Answer an editor: a language server over stdin and stdout.

    An editor starts it. While somebody types, it shows what `check` finds, with the same settings, offers corrections,
    says what a key means and where other formats have it, and completes keys and words. Nothing is run, and nothing is
    fetched.
    """
    load_package("pygls", "lsp", "a language server needs")
    return carry_out("serve_editor", base_url)
