"""`toolglot diff` from outside: revisions of git that nobody trusts, hostile texts, and exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

import streams
from toolglot import revisions, schemas
from toolglot.cli.differences import MAX_MARKDOWN, as_markdown, as_text
from toolglot.contracts import diff
from toolglot.model import Tool
from toolglot.revisions import Revision


def run(*arguments: str) -> streams.Ran:
    """`toolglot ARGUMENTS` in the current folder."""
    return streams.run(Path.cwd(), arguments)


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def tool(name: str = "host:add", **more: Any) -> str:
    return json.dumps({"toolId": name, "source": "host-extension", "safetyTier": "read", "description": "D.", **more})


def git(*arguments: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *settings, *arguments], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, and the current folder in it."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    put("tools/a.json", tool("host:a"))
    put("tools/deep/b.tools.json", tool("host:b"))
    put("tools/node_modules/c.json", tool("host:c"))
    put("tools/readme.md", "# Not a tool\n")
    commit()
    return tmp_path


def put(path: str, content: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(content, encoding="utf-8")


def commit() -> None:
    git("add", "-A")
    git("commit", "-q", "-m", "x")


# -- revisions ------------------------------------------------------------------------------------------------------


@needs_git
@pytest.mark.parametrize("name", ["HEAD", "main", "HEAD~0", "v1", "HEAD^{tree}"])
@pytest.mark.usefixtures("repository")
def test_a_file_and_a_folder_at_a_revision(name: str) -> None:
    git("tag", "v1")
    put("tools/a.json", tool("host:a", safetyTier="write"))
    put("tools/deep/b.tools.json", tool("host:b", approval="always"))
    one = run("diff", f"{name}:tools/a.json", "tools/a.json", "--format", "json")
    both = run("diff", f"{name}:tools/", "tools", "--format", "json")
    assert (one.code, both.code) == (0, 0)
    assert [item["id"] for item in json.loads(one.stdout)["tools"]] == ["host:a"]
    assert [item["id"] for item in json.loads(both.stdout)["tools"]] == ["host:a", "host:b"]
    assert json.loads(both.stdout)["compared"] == 2
    assert json.loads(run("diff", f"{name}:tools", f"{name}:tools", "--format", "json").stdout)["tools"] == []


@needs_git
@pytest.mark.usefixtures("repository")
def test_paths_start_at_the_top_or_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("tools")
    for source in ("HEAD:tools/deep", "HEAD:./deep", "HEAD:./deep/b.tools.json", "HEAD:tools/deep/"):
        assert run("diff", source, "deep", "-q").stdout == ""
    assert run("diff", "HEAD:.", ".", "-q").stdout == ""
    assert run("diff", "HEAD:", ".", "-q").stdout == ""
    assert run("diff", "HEAD:deep", "deep").code == 2


@needs_git
@pytest.mark.usefixtures("repository")
def test_a_path_that_exists_wins() -> None:
    put("HEAD:tools", tool("host:literal"))
    assert "host:literal" in run("diff", "HEAD:tools", "tools/a.json").stdout
    assert revisions.parse("HEAD:tools") is None


REFUSED = {
    "-x:tools": "unknown-revision",
    "--output=x:tools": "unknown-revision",
    "nowhere:tools": "unknown-revision",
    "HEAD..HEAD:tools": "unknown-revision",
    "main@{9}:tools": "unknown-revision",
    "HEAD:tools/missing": "not-in-revision",
    "HEAD:../tools": "not-in-revision",
    "HEAD:tools\n": "not-in-revision",
    "HEAD:tools/readme.md": "empty",
    "HEAD:tools/node_modules/none": "not-in-revision",
}


@needs_git
@pytest.mark.parametrize("source", REFUSED)
@pytest.mark.usefixtures("repository")
def test_what_is_refused(source: str) -> None:
    ran = run("diff", "--", source, "tools")
    assert ran.code == 2
    assert f"[{REFUSED[source]}]" in ran.stderr
    assert "internal" not in ran.stderr


@needs_git
def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    put("a.json", tool())
    assert "[no-repository]" in run("diff", "HEAD:a.json", "a.json").stderr


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    put("a.json", tool())
    ran = run("diff", "HEAD:a.json", "a.json")
    assert ran.code == 2
    assert "[no-git]" in ran.stderr


@needs_git
def test_nothing_of_the_repository_is_run(repository: Path) -> None:
    """Hooks, filters, converters to text, the pager and the file system monitor are programs of somebody else."""
    script = repository / ".git" / "trap"
    script.write_text(f"#!/bin/sh\ntouch '{repository}/sprung'\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    put(".gitattributes", "*.json filter=trap diff=trap\n")
    commit()
    for name in ("filter.trap.smudge", "filter.trap.clean", "filter.trap.process", "diff.trap.textconv", "core.pager",
                 "core.fsmonitor", "core.sshCommand", "diff.external", "pager.cat-file", "alias.cat-file"):  # fmt: skip
        git("config", name, str(script))
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        shutil.copy(script, hooks / name)
    (repository / "sprung").unlink(missing_ok=True)
    assert run("diff", "HEAD:tools", "tools", "-q").code == 0
    assert not (repository / "sprung").exists()


@needs_git
def test_nothing_is_fetched(repository: Path) -> None:
    """A partial clone would ask its remote for the objects that it lacks."""
    script = repository / "remote"
    script.write_text(f"#!/bin/sh\ntouch '{repository}/sprung'\n", encoding="utf-8")
    script.chmod(0o755)
    blob = git("rev-parse", "HEAD:tools/a.json")
    for name, value in (("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"),
                        ("remote.origin.url", f"ext::{script}"), ("remote.origin.promisor", "true"),
                        ("protocol.ext.allow", "always")):  # fmt: skip
        git("config", name, value)
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    ran = run("diff", "HEAD:tools", "tools")
    assert ran.code == 2
    assert "[git-failed]" in ran.stderr
    assert "host:b" not in ran.stderr  # the others are compared
    assert not (repository / "sprung").exists()


@needs_git
@pytest.mark.usefixtures("repository")
def test_links_and_names_of_bytes_and_sizes() -> None:
    os.symlink("/etc/passwd", "tools/link.json")
    Path(os.fsdecode(b"tools/\xff.json")).write_text(tool("host:bytes"), encoding="utf-8")
    put("tools/large.tools.json", tool("host:large", description="x" * 5_000))
    commit()
    ran = run("diff", "HEAD:tools", "HEAD:tools", "--format", "json")
    assert json.loads(ran.stdout)["compared"] == 4
    ran = run("diff", "HEAD:tools", "HEAD:tools", "--max-size", "1000")
    assert ran.code == 2
    assert ran.stderr.count("[too-large]") == 2
    assert "3 tools compared" in ran.stderr


@needs_git
@pytest.mark.usefixtures("repository")
def test_patterns_hold_at_a_revision_too() -> None:
    def compared(*options: str) -> int:
        found: int = json.loads(run("diff", "HEAD:tools", "HEAD:tools", "--format", "json", *options).stdout)[
            "compared"
        ]
        return found

    assert compared() == 2
    assert compared("--exclude", "deep/") == 2  # and node_modules is no longer left out
    assert compared("--extend-exclude", "deep/") == 1


@pytest.mark.parametrize("behaviour", ["sleep 30", "head -c 3000000 /dev/zero"])
def test_git_is_bounded(behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\nexec {behaviour}\n", encoding="utf-8")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(revisions, "TIMEOUT", 0.2)
    with pytest.raises(revisions.ReadError) as caught:
        list(revisions.read(Revision("HEAD", "x"), lambda path: True, 1_000))
    assert caught.value.code in ("git-failed", "too-large")


# -- texts that are not what they look like ---------------------------------------------------------------------------

HOSTILE = (
    "a`|<img src=x onerror=alert(1)>|\n\n# @everyone [x](http://example.invalid) \x1b[2J\u202e</code>\\| &amp; **b**"
)


def hostile() -> Any:
    old = Tool(id=HOSTILE, version=HOSTILE, mutates=(), tags=("a",))
    inputs = {"properties": {HOSTILE: {"enum": [HOSTILE]}}, "required": [HOSTILE]}
    return diff(old, Tool(id=HOSTILE, version="2" + HOSTILE, mutates=(f"x:{HOSTILE}",), tags=(HOSTILE,), inputs=inputs))


def test_markdown_holds_no_more_than_code() -> None:
    found = as_markdown(hostile())
    assert set(re.findall(r"<[^>]*>", found)) == {"<code>", "</code>"}
    outside = re.sub(r"<code>.*?</code>|`[^`]*`", "", found)
    assert "everyone" not in outside
    assert "example" not in outside
    assert found.isascii()
    rows = [line for line in found.splitlines() if line.startswith("|")]
    assert len(rows) > 3
    assert {line.count("|") for line in rows} == {7}
    for code in re.findall(r"<code>(.*?)</code>", found):
        assert not re.search(r"[^\w &#;]", code), code  # nothing that Markdown or HTML would act on


def test_markdown_has_an_end() -> None:
    def tools(kind: str) -> list[Tool]:
        schema = {"properties": {f"p{n}": {"type": kind} for n in range(30)}}
        return [Tool(id=f"{'x' * 300}{n}", version="1.0.0", inputs=schema) for n in range(100)]

    found = as_markdown(diff(tools("string"), tools("integer")))
    assert 60_000 < len(found) <= MAX_MARKDOWN
    assert re.search(r"This and [0-9]+ more tools do not fit here\.\n\Z", found)


def test_text_moves_no_cursor() -> None:
    found = as_text(hostile())
    assert "\x1b" not in found
    assert "\u202e" not in found
    assert all(line.isprintable() for line in found.splitlines())


# -- exit codes -------------------------------------------------------------------------------------------------------


def described(version: str, **more: Any) -> str:
    head = {"name": "A", "id": "a.b", "description": "A.", "version": version, "inputs": {}, "outputs": {}, **more}
    return f"---\n{json.dumps(head)}\n---\n"


CODES: list[tuple[str, str, tuple[str, ...], int]] = [
    (described("1.0.0"), described("1.0.0", risk_level=1), (), 0),
    (described("1.0.0"), described("1.0.0", risk_level=1), ("--check",), 1),
    (described("1.0.0"), described("1.1.0", risk_level=1), ("--check",), 1),
    (described("1.0.0"), described("2.0.0", risk_level=1), ("--check",), 0),
    (described("1.0.0", risk_level=2), described("1.0.0", risk_level=1), ("--check",), 1),
    (described("1.0.0", risk_level=2), described("1.1.0", risk_level=1), ("--check",), 0),
    (described("1.0.0"), described("1.0.0", tags=["a"]), ("--check",), 0),
    (described("1.0.0"), described("1.0.0"), ("--check",), 0),
    (described("0.1.0"), described("0.2.0", risk_level=1), ("--check",), 0),
    (described("2.0.0"), described("1.0.0", tags=["a"]), ("--check",), 1),
    (described("1.0.0"), "---\nname: [\n---\n", ("--check",), 2),
]


@pytest.mark.parametrize(("old", "new", "options", "code"), CODES)
def test_exit_codes(
    old: str, new: str, options: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put("old/TOOL.md", old)
    put("new/TOOL.md", new)
    assert run("diff", "old", "new", *options).code == code


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put("old/a.tools.json", tool("host:a"))
    put("new/a.tools.json", tool("host:a", safetyTier="write"))
    put("new/b.tools.json", "{")
    ran = run("diff", "old", "new", "--format", "json")
    assert ran.code == 2
    assert schemas.is_valid(json.loads(ran.stdout), "difference/1")
    assert [item["id"] for item in json.loads(ran.stdout)["tools"]] == ["host:a"]
    assert "new/b.tools.json" in ran.stderr
