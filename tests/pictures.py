"""`make pictures`: the terminals in `docs/images`, drawn from what the commands print on one.

A picture is an SVG, so that its words can be searched and compared; `test_docs.py` holds it to the program.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from html import escape
from unittest.mock import patch

import test_transcripts
from golden import FIXTURES, ROOT

COLUMNS = 112
LINE_HEIGHT = 20
LETTER_WIDTH = 8.43  # of a fixed-width font of 14 pixels
MARGIN = 20
PICTURES = {
    "terminal.svg": (
        "toolglot check notes.mcp.json",
        "toolglot convert notes.mcp.json --to openai -o notes.openai.json",
    ),
    "report.svg": ("toolglot convert purge.json --to anthropic -o out.json",),
}
"""The commands of each picture, which run in a copy of `fixtures/demo`."""

_CODE = re.compile(r"\x1b\[(\d+)m")
_CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow"}
_STYLE = """text { font: 14px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }
.prompt { fill: #8fbc8f } .bold { font-weight: bold } .dim { fill: #8c96a8 }
.red { fill: #f0828c } .green { fill: #8fbc8f } .yellow { fill: #ebcb8b }"""


def output_of(command: str) -> Iterator[str]:
    """The lines that a command prints on a terminal, with the codes of their colours, as wide as the picture."""
    with patch.object(test_transcripts._Stderr, "isatty", lambda _: True):
        ran = test_transcripts.toolglot(shlex.split(command)[1:], b"")
    for line in (ran.stdout + ran.stderr).decode().splitlines():
        yield from wrapped(line)


def wrapped(line: str) -> Iterator[str]:
    """A line as a terminal breaks it; codes of colours have no width.

    >>> COLUMNS, [len(part) for part in wrapped("x" * 113)]
    (112, [112, 1])
    """
    part, width = "", 0
    for piece in re.split(r"(\x1b\[\d+m)", line):
        for letters in [piece] if _CODE.fullmatch(piece) else piece:
            if width == COLUMNS and not _CODE.fullmatch(letters):
                yield part
                part, width = "", 0
            part += letters
            width += 0 if _CODE.fullmatch(letters) else 1
    yield part


def spans_of(line: str) -> Iterator[str]:
    """The pieces of a line, each in its colour.

    >>> list(spans_of("a\\x1b[1mb\\x1b[0m"))
    ['a', '<tspan class="bold">b</tspan>']
    """
    classes: list[str] = []
    for index, piece in enumerate(_CODE.split(line)):
        if index % 2:
            classes = [*classes, _CLASSES[piece]] if piece in _CLASSES else []
        elif piece:
            yield f'<tspan class="{" ".join(classes)}">{escape(piece)}</tspan>' if classes else escape(piece)


def draw(commands: tuple[str, ...]) -> str:
    """The picture of a terminal in which these commands were typed."""
    rows: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(FIXTURES / "demo", folder, dirs_exist_ok=True)
        with contextlib.chdir(folder):
            for command in commands:
                rows += ["", f'<tspan class="prompt">$</tspan> {escape(command)}']
                rows += ["".join(spans_of(line)) for line in output_of(command)]
    del rows[0]
    width, height = round(COLUMNS * LETTER_WIDTH) + 2 * MARGIN, len(rows) * LINE_HEIGHT + 2 * MARGIN
    size = f'width="{width}" height="{height}"'
    texts = [
        f'<text x="{MARGIN}" y="{MARGIN + (index + 1) * LINE_HEIGHT - 6}">{row}</text>'
        for index, row in enumerate(rows)
        if row
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">',
            f"<style>{_STYLE}</style>",
            f'<rect {size} rx="8" fill="#1f2430"/>',
            *texts,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    for name, commands in PICTURES.items():
        (ROOT / "docs" / "images" / name).write_text(draw(commands), encoding="utf-8")
