"""`make pictures`: the pictures in `docs/images`, of a terminal, of an editor, and of pages that commands write.

A terminal, and a text in an editor, is an SVG, so that its words can be searched and compared; `test_docs.py` holds it
to the program. A page is what Chromium shows.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from unittest.mock import patch

import streams
import test_transcripts
from golden import FIXTURES, ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
COLUMNS = 112
LINE_HEIGHT = 20
LETTER_WIDTH = 8.43  # of a fixed-width font of 14 pixels
MARGIN = 20
TERMINALS = {
    "terminal.svg": (
        "toolglot check notes.mcp.json",
        "toolglot convert notes.mcp.json --to openai -o notes.openai.json",
    ),
    "report.svg": ("toolglot convert purge.json --to anthropic -o out.json",),
}
"""The commands of each picture, which run in a copy of `fixtures/demo`."""
EDITORS = {"editor.svg": "legacy/TOOL.md"}
"""The text of each picture, a file of `fixtures/demo`."""
PAGES = {
    "report.png": ("toolglot convert purge.json --to anthropic -o out.json --report report.html", "report.html", 1),
    "catalog-light.png": ("toolglot catalog *.* --to html -o site", "site/index.html", 1),
    "catalog-dark.png": ("toolglot catalog *.* --to html -o site", "site/tools/mail-archive/index.html", 0),
}
"""The command that writes each page, the page, and its colours as Chromium counts them: 0 is dark."""

_OF_SEVERITIES = {"error": ("red", "#f0828c"), "warning": ("yellow", "#ebcb8b")}
_CODE = re.compile(r"\x1b\[(\d+)m")
_CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow"}
_STYLE = """text { font: 14px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }
.prompt { fill: #8fbc8f } .bold { font-weight: bold } .dim { fill: #8c96a8 }
.red { fill: #f0828c } .green { fill: #8fbc8f } .yellow { fill: #ebcb8b }"""


def output_of(command: str) -> Iterator[str]:
    """The lines that a command prints on a terminal, with the codes of their colours, as wide as the picture."""
    terminal = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    with patch.dict(os.environ, terminal), patch.object(streams.Stderr, "isatty", lambda _: True):
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


@contextlib.contextmanager
def demo() -> Iterator[Path]:
    """A copy of `fixtures/demo` as the current folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(FIXTURES / "demo", folder, dirs_exist_ok=True)
        yield Path(folder)


def draw(commands: tuple[str, ...]) -> str:
    """The picture of a terminal in which these commands were typed."""
    rows: list[str] = []
    with demo():
        for command in commands:
            rows += ["", f'<tspan class="prompt">$</tspan> {escape(command)}']
            rows += ["".join(spans_of(line)) for line in output_of(command)]
    return svg(rows[1:])


def draw_editor(name: str) -> str:
    """The picture of a text in an editor, with what `toolglot lsp` finds in it below the lines."""
    from editor_client import Editor, capabilities  # what it needs is an extra; no other picture does

    with demo() as folder:
        text = (folder / name).read_text(encoding="utf-8")
        editor = Editor(folder, capabilities("utf-32", pulls=False))
        findings = editor.show(name, text)
        editor.end()
    assert findings, f"{name}: nothing is wrong in it"
    rows, waves = [f'<tspan class="dim">{escape(name)}</tspan>', ""], []
    for number, line in enumerate(text.splitlines()):
        margin = f"{number + 1:3}  "
        rows.append(f'<tspan class="dim">{margin}</tspan>{escape(line)}')
        for finding in findings:
            if finding.range.start.line == number:
                assert finding.severity
                severity = finding.severity.name.lower()
                style, colour = _OF_SEVERITIES[severity]
                start, end = finding.range.start.character, finding.range.end.character
                waves.append(wave(len(rows) - 1, len(margin) + start, len(margin) + end, colour))
                told = f"{severity}: {finding.message} [{finding.code}]"
                rows += [
                    f'<tspan class="{style}">{" " * len(margin)}{escape(part)}</tspan>'
                    for part in textwrap.wrap(told, COLUMNS - len(margin), break_on_hyphens=False)
                ]
    return svg(rows, waves)


def wave(row: int, start: int, end: int, colour: str) -> str:
    """The squiggle under the characters of a row between two columns."""
    x, y = MARGIN + start * LETTER_WIDTH, MARGIN + (row + 1) * LINE_HEIGHT - 2
    turns = " t4 0" * max(round((end - start) * LETTER_WIDTH / 4) - 1, 0)
    return f'<path d="M{x:.1f} {y} q2 -4 4 0{turns}" fill="none" stroke="{colour}"/>'


def svg(rows: list[str], shapes: Iterable[str] = ()) -> str:
    """A dark picture of rows of text, and of what is drawn over them."""
    width, height = round(COLUMNS * LETTER_WIDTH) + 2 * MARGIN, len(rows) * LINE_HEIGHT + 2 * MARGIN
    size = f'width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">'
    back = f'<rect {size} rx="8" fill="#1f2430"/>'
    places = (MARGIN + (index + 1) * LINE_HEIGHT - 6 for index in range(len(rows)))
    texts = [f'<text x="{MARGIN}" y="{y}">{row}</text>' for y, row in zip(places, rows, strict=True) if row]
    return "\n".join([head, f"<style>{_STYLE}</style>", back, *texts, *shapes, "</svg>\n"])


def photograph(command: str, page: str, colours: int, target: Path) -> None:
    """Have Chromium show a page that a command writes."""
    with demo() as folder:
        list(output_of(command))
        look = ["--hide-scrollbars", "--window-size=1180,840", f"--blink-settings=preferredColorScheme={colours}"]
        shot = ["--headless", "--no-sandbox", *look, f"--screenshot={target}", (folder / page).as_uri()]
        subprocess.run([CHROMIUM, *shot], check=True, capture_output=True)


if __name__ == "__main__":
    images = ROOT / "docs" / "images"
    for name, commands in TERMINALS.items():
        (images / name).write_text(draw(commands), encoding="utf-8")
    for name, file in EDITORS.items():
        (images / name).write_text(draw_editor(file), encoding="utf-8")
    if not CHROMIUM:
        sys.exit(f"{', '.join(PAGES)}: left as they were; Chromium is needed (apt-get install chromium)")
    for name, (command, page, colours) in PAGES.items():
        photograph(command, page, colours, images / name)
