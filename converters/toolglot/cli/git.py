"""git: files as they were at a revision, without touching the working tree; new files that are marked or ignored.

Only plumbing commands run that read objects: no shell, no hook, no filter, no textconv, no file system monitor, and
nothing is fetched. A revision is untrusted text: one that looks like an option is refused, and what a command gives is
bounded in size and in time.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from toolglot.converter.files.system.program_files import find_program
from toolglot.errors import LimitError, ReadError

TIMEOUT = 60
"""Seconds that one command of git may take."""

MAX_FILES = 100_000
MAX_LISTING = 64 * 1024 * 1024
_REGULAR = ("100644", "100755", "100664")

# `none` is no protocol, so that objects that a partial clone lacks are not fetched.
_SETTINGS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_COMMAND = ("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


class Revision(NamedTuple):
    """What `REV:PATH` means: a revision, and a path from the top of the repository (`./` from the current folder)."""

    revision: str
    path: str

    def __str__(self) -> str:
        return f"{self.revision}:{self.path}"


class Blob(NamedTuple):
    """A file of a revision.

    Attributes:
        name: what messages call it.
        relative: its path from the folder that was named, with `/`; the bare name where the file was named itself.
        is_named: whether the file was named itself.
        data: its bytes, or why they cannot be read.
    """

    name: str
    relative: str
    is_named: bool
    data: bytes | ReadError


def parse_revision(source: str, rules: Any = os.path) -> Revision | None:
    r"""`REV:PATH`, or `None` for a path.

    A name that could be both is refused, because whoever writes the files, such as the author of a pull request,
    must not choose what they are compared with. `./REV:PATH` is a path always, and so is what begins with a drive.

    Args:
        rules: the module that has those of a system for paths; by default of this one.

    Raises:
        ReadError: it is both (`ambiguous`).

    >>> parse_revision("HEAD~1:tools/mail.json"), parse_revision("mail.json")
    (Revision(revision='HEAD~1', path='tools/mail.json'), None)
    >>> import ntpath
    >>> parse_revision(r"C:\tools\mail.json", ntpath), parse_revision("C:mail.json", ntpath)
    (None, None)
    """
    revision, colon, path = source.partition(":")
    is_address = path.startswith("//")  # no address is fetched, which is said where it is opened
    if not (revision and colon) or is_address or rules.splitdrive(source)[0]:
        return None
    parsed_revision = Revision(revision, path)
    if not os.path.lexists(source):
        return parsed_revision
    with _name_in_errors(parsed_revision):
        if find_program("git", os.environ) and _is_known(parsed_revision):
            raise ReadError("this is a revision, and a file as well; write ./ before it for the file", "ambiguous")
    return None


@contextmanager
def _name_in_errors(revision: Revision) -> Iterator[None]:
    """Say of which revision an error speaks."""
    try:
        yield
    except ReadError as error:
        error.source = str(revision)
        raise


def read_revision(revision: Revision, is_wanted: Callable[[str], bool], max_bytes: int) -> Iterator[Blob]:
    """The file that a revision names, or the files below its folder, sorted by path.

    Args:
        is_wanted: whether a file below a folder is looked at, by its path from there.
        max_bytes: how large a file may be.

    Raises:
        ReadError: git is not there (`no-git`), this is no repository (`no-repository`), the revision or the path is
            not in it (`unknown-revision`, `not-in-revision`), or git fails (`git-failed`).
    """
    with _name_in_errors(revision):
        if _git("rev-parse", "--git-dir") is None:
            raise ReadError(
                "the current folder is not in a git repository, or not in one of yours; change to one", "no-repository"
            )
        if not _is_known(revision):
            raise ReadError(
                f"there is no revision {revision.revision!r} in this repository; fetch it, or check its name",
                "unknown-revision",
            )
        path = revision.path.rstrip("/")
        path = "./" if path == "." else path  # which git takes for the current folder only so
        output = _git("rev-parse", "--verify", "--quiet", f"{revision.revision}:{path}")
        if output is None:
            message = f"the revision {revision.revision!r} has no file or folder {revision.path!r}"
            hint = "paths start at the top of the repository; ./ starts at the current folder"
            raise ReadError(message, "not-in-revision", hint=hint)
        identifier = output.decode("ascii", "replace").strip()
        if (_git("cat-file", "-t", identifier) or b"").strip() == b"tree":
            yield from _read_folder(revision, identifier, is_wanted, max_bytes)
            return
        length = int(_git("cat-file", "-s", identifier) or 0)
        with _start_reader(max_bytes) as fetch:
            yield Blob(str(revision), os.path.basename(path), True, fetch(str(revision), identifier, length))


def place_of(revision: Revision) -> str:
    """The path of the work tree that a revision names: the same place, at another time."""
    with _name_in_errors(revision):
        top = (_git("rev-parse", "--show-cdup") or b"").strip()
    is_from_here = revision.path == "." or revision.path.startswith(("./", "../"))
    start = "" if is_from_here else os.fsdecode(top)
    return os.path.abspath(os.path.join(start, revision.path))


def intend_to_add(top: str, paths: Sequence[str]) -> bool:
    """Tell git that new files belong to a repository (`git add -N`), so that `git diff` shows them; whether it did.

    Args:
        top: the folder of the repository.
        paths: absolute.
    """
    from_stdin = ("--pathspec-from-file=-", "--pathspec-file-nul")  # as arguments they may be more than a system takes
    return _tell(top, paths, "--literal-pathspecs", "add", "--intent-to-add", *from_stdin) is not None


def find_ignored(top: str, paths: Sequence[str]) -> list[str]:
    """The new files among `paths` that git ignores, so that `git add` refuses them; none where git cannot say.

    Args:
        top, paths: as for `intend_to_add`.
    """
    output = _tell(top, paths, "check-ignore", "-z", "--stdin") or b""
    ignored_paths = set(os.fsdecode(output).split("\0"))
    return [path for path in paths if path in ignored_paths]


def _tell(top: str, paths: Sequence[str], *arguments: str) -> bytes | None:
    """What a command prints in a folder that reads paths; `None` where there is no git, or it fails."""
    with suppress(ReadError), _start_process(*arguments, stdin=subprocess.PIPE, folder=top) as process:
        with _watch_process(process):
            output, _ = process.communicate(os.fsencode("\0".join(paths)))
        return output if process.returncode == 0 else None
    return None


def _is_known(revision: Revision) -> bool:
    """Whether the repository has the revision; what looks like an option or like a range is none."""
    name = revision.revision
    if name.startswith(("-", "^")) or "\0" in str(revision):
        return False
    return _git("rev-parse", "--verify", "--quiet", f"{name}^{{tree}}") is not None


def _read_folder(revision: Revision, tree: str, is_wanted: Callable[[str], bool], max_bytes: int) -> Iterator[Blob]:
    listing = _git("ls-tree", "-r", "-z", "-l", "--full-tree", tree, limit=MAX_LISTING) or b""
    files: list[tuple[str, str, int]] = []
    for line in filter(None, listing.split(b"\0")):
        head, _, raw = line.partition(b"\t")
        mode, _, identifier, length = head.decode("ascii", "replace").split()
        path = os.fsdecode(raw)
        if mode in _REGULAR and is_wanted(path):
            size = int(length) if length.isdigit() else 0  # a partial clone lacks some
            files.append((path, identifier, size))
    if len(files) > MAX_FILES:
        raise ReadError(f"more than {MAX_FILES} files; name a folder inside", "too-large")
    lead = str(revision)
    if not lead.endswith((":", "/")):
        lead += "/"
    with _start_reader(max_bytes) as fetch:
        for path, identifier, size in sorted(files):
            name = os.fsencode(lead + path).decode("utf-8", "replace")
            yield Blob(name, path, False, fetch(name, identifier, size))


Fetch = Callable[[str, str, int], bytes | ReadError]
"""Called with what messages call a file, its object, and its size."""


@contextmanager
def _start_reader(max_bytes: int) -> Iterator[Fetch]:
    """One process that reads any number of files, because starting git takes longer than reading most of them."""
    with _start_process("cat-file", "--batch", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        queries, answers = process.stdin, process.stdout

        def fetch(name: str, identifier: str, size: int) -> bytes | ReadError:
            if size > max_bytes:
                return LimitError(f"larger than {max_bytes} bytes; split the document", "too-large", source=name)
            with _watch_process(process), suppress(OSError):  # of a git that is gone
                queries.write(f"{identifier}\n".encode())
                queries.flush()
                head = answers.readline().split()
                if len(head) == 3 and head[2] == str(size).encode():
                    content = answers.read(size + 1)
                    if len(content) > size:  # else git ended in the middle of it
                        return content[:size]
            return ReadError("git does not have this file; fetch it", "git-failed", source=name)

        yield fetch


def _git(*arguments: str, limit: int = 1_000_000) -> bytes | None:
    """What a command prints; `None` if it fails.

    Raises:
        ReadError: there is no git, or it takes too long, or prints more than `limit` bytes.
    """
    with _start_process(*arguments) as process, _watch_process(process) as is_stopped:
        assert process.stdout is not None
        output = process.stdout.read(limit + 1)
        if len(output) > limit:
            raise ReadError(f"git prints more than {limit} bytes; name a folder inside", "too-large")
        code = process.wait()
    if is_stopped() or code < 0:
        raise ReadError(f"git was stopped; it may take {TIMEOUT} seconds", "git-failed")
    return output if code == 0 else None


@contextmanager
def _start_process(
    *arguments: str, stdin: int = subprocess.DEVNULL, folder: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A command of git that does not outlive its use."""
    program = find_program("git", os.environ)
    if program is None:
        raise ReadError("git is not installed, which reading a revision needs", "no-git")
    process = subprocess.Popen(
        [program, *_COMMAND, *arguments],
        cwd=folder,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **_SETTINGS},
    )
    try:
        yield process
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        process.wait()


@contextmanager
def _watch_process(process: subprocess.Popen[bytes]) -> Iterator[Callable[[], bool]]:
    """Stop what takes too long; what is given says whether that was done. On Windows its exit code would not say it."""
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        process.kill()

    watch = threading.Timer(TIMEOUT, stop)
    watch.daemon = True
    watch.start()
    try:
        yield stopped.is_set
    finally:
        watch.cancel()
