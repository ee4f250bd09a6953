"""What a program prints at `--agent`: one JSON document on standard output, or an error and no document."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from toolglot.converter.hub.model import Tool
from toolglot.converter.text.terminal_characters import escape_raw
from toolglot.errors import Error
from toolglot.runtime.agent import argparse_parsers, click_commands
from toolglot.runtime.agent.descriptions import write_part
from toolglot.runtime.agent.parsed_commands import ParsedNotes
from toolglot.runtime.agent.requests import Grammar, find_request


def answer_command(command: Any, ctx: Any, words: list[str]) -> None:
    """Print the description of a click or typer program and end it, if its words ask for that."""
    _answer(
        words,
        click_commands.grammar_of(command, ctx),
        lambda notes: click_commands.read_program(command, ctx, notes),
        ctx.fail,
        ctx.exit,
    )


def answer_parser(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Print the description of an argparse program and end it, if its words ask for that."""
    _answer(
        words,
        argparse_parsers.grammar_of(parser),
        lambda notes: argparse_parsers.read_program(parser, notes),
        parser.error,
        parser.exit,
    )


def _answer(
    words: list[str],
    grammar: Grammar,
    read_program: Callable[[ParsedNotes], Tool],
    fail: Callable[[str], object],
    leave: Callable[[], object],
) -> None:
    notes = ParsedNotes()
    try:
        request = find_request(words, grammar)
        if request is None:
            return
        with redirect_stdout(sys.stderr):  # a group may import the modules of its commands now, and these may print
            text = write_part(read_program(notes), request)
    except Error as error:
        fail(str(error))
        raise
    for note in notes.lines():
        print(note, file=sys.stderr)
    # Without indentation: a model may read the text, and would pay for the blanks.
    text = escape_raw(json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):  # bytes: UTF-8 whatever the terminal's encoding, and no \r\n on Windows
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    leave()
