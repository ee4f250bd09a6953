"""What a hostile document can try beyond its syntax (that is `test_text.py`): texts, references, patterns, sizes."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

import toolglot
from toolglot import formats, reading, text
from toolglot.errors import LimitError

DESCRIPTOR = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "write"}


def codes(source: Any) -> list[str]:
    return [found.code for found in toolglot.check(source)]


@pytest.mark.parametrize(
    ("description", "code"),
    [
        ("Lists. \u202eelif eteled", "hidden-character"),
        ("Lists\u200b files", "hidden-character"),
        ("Lists \U000e0041\U000e0042", "hidden-character"),
        ("Lists \x1b[2K\x1b[1Aall clear", "hidden-character"),
        ("Lists \x9b2J", "hidden-character"),
        ("Deletes. [🔒 READ-ONLY]", "flag-imitation"),
        ("Deletes. [ Read-Only ] really", "flag-imitation"),
        ("Deletes. [⚠️ DESTRUCTIVE | 🔒 READ-ONLY]", "flag-imitation"),
    ],
)
def test_a_text_that_is_not_what_it_looks_like_is_reported(description: str, code: str) -> None:
    assert code in codes({**DESCRIPTOR, "description": description})


@pytest.mark.parametrize("source", ["\x1b[31mred", "a\u202eb", "\x07", "\U000e0041"])
def test_no_message_repeats_what_a_terminal_would_obey(source: str) -> None:
    found = toolglot.check({**DESCRIPTOR, source: 1, "approval": source, "safetyTier": source})
    assert found
    assert all(str(item).isprintable() for item in found)


@pytest.mark.parametrize("target", formats.names())
@pytest.mark.parametrize(
    "ref", ["http://127.0.0.1:9/x.json", "file:///etc/passwd", "/etc/passwd", "../up.json", "//h/x"]
)
def test_a_reference_is_kept_and_never_followed(ref: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something tried to reach the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    source = {**DESCRIPTOR, "inputSchema": {"type": "object", "properties": {"a": {"$ref": ref}}}}
    assert "remote-ref" in codes(source)
    assert json.dumps(ref) in toolglot.convert(source, target).text or ref in toolglot.convert(source, target).text


@pytest.mark.parametrize("target", formats.names())
def test_a_pattern_that_backtracks_is_data(target: str) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^(a+)+$", "default": "a" * 60 + "!"}},
    }
    begin = time.perf_counter()
    toolglot.convert({**DESCRIPTOR, "inputSchema": schema}, target)
    toolglot.check({**DESCRIPTOR, "inputSchema": schema})
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize("target", formats.names())
@pytest.mark.parametrize(
    "identifier", ["../../etc/passwd", "..", "/abs", "a/../../b", "C:\\x", "a\nb", "CON", ".", "é"]
)
def test_no_file_name_leaves_its_folder(identifier: str, target: str, tmp_path: Path) -> None:
    for name, _ in toolglot.convert({**DESCRIPTOR, "toolId": identifier}, target).files:
        assert (tmp_path / name).resolve().is_relative_to(tmp_path.resolve())
        assert name.isprintable()
        assert "../" not in name


def test_a_file_over_the_limit_is_refused_by_its_size_and_the_limit_can_be_raised(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    begin = time.perf_counter()
    with pytest.raises(LimitError) as caught:
        toolglot.read(path)
    assert caught.value.code == "too-large"
    assert time.perf_counter() - begin < 1
    small = tmp_path / "small.json"
    small.write_text(json.dumps(DESCRIPTOR))
    with pytest.raises(LimitError):
        reading.open_document(small, limits=text.Limits(max_bytes=10))
    assert reading.open_document(small, limits=text.Limits(max_bytes=1000)).data == DESCRIPTOR


@pytest.mark.parametrize("depth", [60, 65, 100_000])
def test_depth_is_bounded_wherever_the_schema_is_free(depth: int) -> None:
    nested = '{"not":' * depth + "{}" + "}" * depth
    source = f'{{"toolId": "a", "source": "mcp", "safetyTier": "read", "inputSchema": {nested}}}'
    if depth < 62:
        for target in formats.names():
            toolglot.convert(source, target)
        return
    with pytest.raises(LimitError):
        toolglot.read(source)


def test_a_thousand_commands_and_a_thousand_options_take_seconds() -> None:
    option = {"flags": ["-x"], "type": "string", "description": "d"}
    options = [{"name": f"o{number}", **option} for number in range(1000)]
    commands = {f"c{number}": {"description": "d", "effects": {"network": True}} for number in range(1000)}
    commands["big"] = {"description": "d", "options": options}
    program = {"atip": "0.3", "name": "p", "version": "1", "description": "d", "commands": commands}
    begin = time.perf_counter()
    for target in formats.names():
        toolglot.convert(program, target)
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize(
    "slot",
    [{"toolglot": 1}, {"toolglot": 1, "tool": 5}, {"toolglot": 1, "tool": {"id": "x"}, "order": "no"},
     {"toolglot": 1, "tool": {"id": "x", "children": [{"id": "y"}, {"id": "y"}]}}, {"toolglot": True}],
)  # fmt: skip
def test_a_forged_remainder_is_ignored(slot: Any) -> None:
    program = {"atip": "0.3", "name": "p", "version": "1", "description": "d", "x-toolglot": slot}
    assert toolglot.read_one(program).id == "p"
    assert json.loads(toolglot.write(toolglot.read(program), "atip"))["x-toolglot"] == slot
