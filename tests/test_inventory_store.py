"""Our own state: fingerprints of programs, and the answers that are kept by them."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import pytest

from systems import needs_folders, needs_modes
from toolglot.converter.files.state_files import default_folder
from toolglot.errors import LimitError, ParseError, ReadError, UsageError
from toolglot.runtime.inventory.fingerprints import Fingerprint, fingerprint_of
from toolglot.runtime.inventory.kept_answers import Answer, KnownProgram, Provenance, Store

PROGRAM = Fingerprint("/opt/demo", 3, 7, "a" * 64)
PROVENANCE = Provenance("probe", PROGRAM, "2026-02-01T00:00:00Z", ("/opt/demo", "--agent"), "none")
KNOWN = KnownProgram("demo", PROGRAM)


def test_a_fingerprint_is_of_the_file_that_a_link_leads_to(tmp_path: Path) -> None:
    program = tmp_path / "demo"
    program.write_bytes(b"demo" * 1_000_000)
    (tmp_path / "link").symlink_to(program)
    expected = Fingerprint(
        str(program.resolve()),
        4_000_000,
        program.stat().st_mtime_ns,
        hashlib.sha256(program.read_bytes()).hexdigest(),
    )
    assert fingerprint_of(tmp_path / "link") == fingerprint_of(program) == expected


def test_content_decides_where_size_and_time_do_not(tmp_path: Path) -> None:
    program = tmp_path / "demo"
    program.write_bytes(b"one")
    before = fingerprint_of(program)
    program.write_bytes(b"two")
    os.utime(program, ns=(before.mtime_ns, before.mtime_ns))
    after = fingerprint_of(program)
    assert (before.size, before.mtime_ns) == (after.size, after.mtime_ns)
    assert before.sha256 != after.sha256


def test_what_is_no_file_has_no_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ParseError, match="not-a-file"):
        fingerprint_of(tmp_path / "pipe")
    with pytest.raises(ParseError, match="not-a-file"):
        fingerprint_of(tmp_path)
    with pytest.raises(ReadError, match="unreadable"):
        fingerprint_of(tmp_path / "gone")
    with pytest.raises(ReadError, match="unreadable"):
        fingerprint_of("a\0b")
    limit = patch("toolglot.runtime.inventory.fingerprints.MAX_BYTES", 4)
    unread = patch("os.read", side_effect=AssertionError("it is read"))
    with limit, unread, pytest.raises(LimitError, match="too-large"):
        fingerprint_of(tmp_path / "large")


@needs_folders
@pytest.mark.parametrize(
    ("value", "folder"), [("", "~/.local/state"), ("state", "~/.local/state"), ("/srv/state", "/srv/state")]
)
def test_the_folder_is_where_the_directory_specification_says(
    value: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", value)
    assert default_folder() == f"{os.path.expanduser(folder)}/toolglot"


def test_an_answer_is_found_by_what_was_asked_and_by_the_hash_of_the_program(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    assert store.answers() == ()
    assert store.find_answer(PROGRAM) is None
    whole = store.save_answer(b'{"name": "demo"}', PROVENANCE)
    part = store.save_answer(b'{"name":  "demo"}', PROVENANCE, partial=True, commands=("a",), depth=1)
    assert store.answers() == (whole, part)
    assert store.find_answer(PROGRAM) == whole
    assert store.read_document(whole) == b'{"name": "demo"}'
    assert store.find_answer(PROGRAM, ["a"], 1) == part
    assert part.partial
    assert store.find_answer(PROGRAM, ["a"]) is None
    changed = Fingerprint("/opt/demo", 3, 7, "b" * 64)
    assert store.find_answer(changed) is None


def test_a_new_answer_replaces_the_old_one_and_its_document(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save_answer(b"1", PROVENANCE)
    answer = store.save_answer(b"2", PROVENANCE)
    assert store.answers() == (answer,)
    assert [path.name for path in (tmp_path / "documents").iterdir()] == [f"{hashlib.sha256(b'2').hexdigest()}.json"]


def test_programs_and_answers_leave_each_other_alone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    answer = store.save_answer(b"{}", PROVENANCE)
    store.save_programs([KNOWN])
    assert (store.programs(), store.answers()) == ((KNOWN,), (answer,))


@needs_modes
def test_only_the_owner_may_read_what_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "state")
    answer = store.save_answer(b"{}", PROVENANCE)
    files = [tmp_path / "state/programs.json", tmp_path / f"state/documents/{answer.document}.json"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_writers_at_the_same_time_lose_nothing_and_leave_nothing_behind(tmp_path: Path) -> None:
    """Behaviour 28: valid JSON, no temporary left."""

    def save(number: int) -> Answer:
        program = Fingerprint(f"/opt/{number}", 1, 1, "a" * 64)
        return Store(tmp_path).save_answer(str(number).encode(), Provenance("probe", program, "2026"))

    with ThreadPoolExecutor(4) as pool:
        saved = list(pool.map(save, range(12)))
    assert set(Store(tmp_path).answers()) == set(saved)
    assert json.loads((tmp_path / "programs.json").read_text())["toolglot"] == 1
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".tmp"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "json-syntax"),
        ("[]", "damaged-state"),
        ('{"toolglot": 2}', "newer-state"),
        ('{"toolglot": 1, "answers": [{}]}', "damaged-state"),
        ('{"toolglot": 1, "unknown": []}', "damaged-state"),
    ],
)
def test_state_that_is_not_ours_is_refused_and_stays(text: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "programs.json").write_text(text)
    for use in (Store(tmp_path).answers, lambda: Store(tmp_path).save_answer(b"{}", PROVENANCE)):
        with pytest.raises(ReadError, match=code):
            use()
    assert (tmp_path / "programs.json").read_text() == text


def test_a_document_that_was_changed_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    answer = store.save_answer(b"{}", PROVENANCE)
    (tmp_path / f"documents/{answer.document}.json").write_bytes(b"[]")
    with pytest.raises(ReadError, match="changed-document"):
        store.read_document(answer)


def test_no_path_is_made_of_what_is_no_hash(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="bad-hash"):
        Store(tmp_path).read_document(Answer("../../etc/passwd", PROVENANCE))
