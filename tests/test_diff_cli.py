"""`toolglot diff` from outside: revisions of git that nobody trusts, hostile texts, and exit codes."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

import repository as files
import streams
from systems import needs_git
from toolglot.cli import git as git_plumbing
from toolglot.cli.git import Revision
from toolglot.cli.reports.diff_report import RENDERERS, difference_to_text
from toolglot.cli.reports.markdown import MARKER, MAX_MARKDOWN
from toolglot.converter.hub.model import Tool
from toolglot.converter.schema import canonical
from toolglot.errors import ReadError
from toolglot.verbs.comparison.contract_comparison import diff


def run(*arguments: str) -> streams.Ran:
    """`toolglot ARGUMENTS` in the current folder."""
    return streams.run(Path.cwd(), arguments)


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
def test_nobody_shadows_a_revision_with_a_file() -> None:
    put("HEAD:tools", tool("host:literal"))
    put("none:tools", tool("host:literal"))
    ran = run("diff", "HEAD:tools", "tools/a.json")
    assert (ran.code, ran.stdout) == (2, "")
    assert "[ambiguous]" in ran.stderr
    for path in ("./HEAD:tools", os.path.abspath("HEAD:tools"), "none:tools"):
        assert "host:literal" in run("diff", path, "tools/a.json").stdout


REFUSED = {
    "-x:tools": "unknown-revision",
    "--output=x:tools": "unknown-revision",
    "nowhere:tools": "unknown-revision",
    "HEAD..HEAD:tools": "unknown-revision",
    "^HEAD:tools": "unknown-revision",
    "main@{9}:tools": "unknown-revision",
    "HEAD:tools/missing": "not-in-revision",
    "HEAD:../tools": "not-in-revision",
    "HEAD:tools\n": "not-in-revision",
    "HEAD:tools/readme.md": "no-front-matter",
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
def test_the_past_is_what_it_was(repository: Path) -> None:
    """Replaced objects and grafts make another history of one that was reviewed."""
    before = git("rev-parse", "HEAD:tools/a.json"), git("rev-parse", "HEAD")
    put("tools/a.json", tool("host:a", safetyTier="write"))
    commit()
    for old, new in zip(before, (git("rev-parse", "HEAD:tools/a.json"), git("rev-parse", "HEAD")), strict=True):
        git("replace", "-f", old, new)
    (repository / ".git/info/grafts").write_text(f"{git('rev-parse', 'HEAD')}\n", encoding="utf-8")
    for source in (f"{before[1]}:tools/a.json", "HEAD~1:tools"):
        assert "[danger-added]" in run("diff", source, "tools").stdout, source


@needs_git
@pytest.mark.parametrize("answer", ["", "x blob 9\n", "x blob 100\nshort", "x missing\n"])
def test_half_a_file_is_no_file(answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "git"
    known = 'case "$*" in *-t*) echo blob;; *-s*) echo 100;; *--batch*) printf "$ANSWER";; *) echo 1234;; esac'
    fake.write_text(f"#!/bin/sh\n{known}\n", encoding="utf-8")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("ANSWER", answer)
    (blob,) = git_plumbing.read_revision(Revision("HEAD", "x"), lambda path: True, 1_000)
    assert isinstance(blob.data, ReadError)


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


DRIVER = """---
{name: Ping, id: ping-cli, description: P., version: 1.0.0, kind: cli, implements: [{tool: net.ping, version: ^1.0.0}],
network: {egress: [%s]}}
---
"""
TOOL_MD = """---
{name: Ping, id: net.ping, description: P., version: 1.0.0, default_implementation: ping-cli, inputs: {}, outputs: {},
implements: ../../actions/ping/ACTION.md}
---
"""


@needs_git
@pytest.mark.usefixtures("repository")
def test_a_revision_has_its_own_files_around_its_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    put("more/ping/TOOL.md", TOOL_MD)
    put("more/ping/DRIVER.md", DRIVER % "a.example")
    put("actions/ping/ACTION.md", "---\n{schema: action/v1, id: 'net:ping', description: Ping., risk_level: 1}\n---\n")
    commit()
    monkeypatch.chdir("more")
    for old in ("HEAD:more", "HEAD:./ping/TOOL.md", "HEAD:more/ping/"):
        assert (run("diff", old, "ping", "--check-versions").stdout, old) == ("", old)
    put("ping/DRIVER.md", DRIVER % "a.example, b.example")
    assert re.findall(r"\[([a-z-]+)\]$", run("diff", "HEAD:more", ".").stdout, re.MULTILINE) == ["requires-added"]


@needs_git
@pytest.mark.usefixtures("repository")
def test_the_named_format_holds_on_both_sides() -> None:
    put("tools/mcp.json", '{"name": "a", "inputSchema": {"type": "object"}}')
    commit()
    for name, number in (("mcp", 1), ("tool-descriptor", 1)):
        ran = run("diff", "HEAD:tools", "tools", "--from", name, "--extend-exclude", "deep/", "--format", "json")
        found = json.loads(ran.stdout)
        assert (ran.code, found["compared"], found["tools"]) == (0, number, []), name


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
    assert compared("--extend-exclude", "tools/deep/") == 1  # from the folder where somebody is, as on the disk


@needs_git
@pytest.mark.parametrize("behaviour", ["sleep 30", "head -c 3000000 /dev/zero"])
def test_git_is_bounded(behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "git"
    fake.write_text(f"#!/bin/sh\nexec {behaviour}\n", encoding="utf-8")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(git_plumbing, "TIMEOUT", 0.2)
    with pytest.raises(ReadError) as caught:
        list(git_plumbing.read_revision(Revision("HEAD", "x"), lambda path: True, 1_000))
    assert caught.value.code in ("git-failed", "too-large")


# -- texts that are not what they look like ---------------------------------------------------------------------------

ONE = {"type": "string"}
HOSTILE = (
    "a`|<img src=x onerror=alert(1)>|\n\n# @everyone [x](http://example.invalid) \x1b[2J\u202e</code>\\| &amp; **b**"
)


def hostile() -> Any:
    old = Tool(id=HOSTILE, version=HOSTILE, mutates=(), tags=("a",))
    inputs = {"properties": {HOSTILE: {"enum": [HOSTILE]}}, "required": [HOSTILE]}
    return diff(old, Tool(id=HOSTILE, version="2" + HOSTILE, mutates=(f"x:{HOSTILE}",), tags=(HOSTILE,), inputs=inputs))


def test_markdown_holds_no_more_than_code() -> None:
    found = RENDERERS["markdown"](hostile()).removeprefix(f"{MARKER}\n")
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
        schemas = [{"properties": {f"p{n}of{tool}": {"type": kind} for n in range(30)}} for tool in range(100)]
        return [Tool(id=f"{'x' * 300}{n}", version="1.0.0", inputs=schema) for n, schema in enumerate(schemas)]

    found = RENDERERS["markdown"](diff(tools("string"), tools("integer")))
    assert 60_000 < len(found) <= MAX_MARKDOWN
    assert re.search(r"[0-9]+ rows do not fit here\.", found)
    assert re.search(r"100 notes do not fit here\.\n\Z", found)


def test_what_fails_stands_first() -> None:
    """Nobody pushes a change out of a comment by a larger one that is allowed."""
    schema = {"properties": {f"p{number}": ONE for number in range(2_000)}}
    old = [Tool(id="a", version="1.0.0", inputs=schema), Tool(id="z", version="1.0.0", approval="always")]
    new = [Tool(id="a", version="2.0.0", inputs={}), Tool(id="z", version="1.0.0", approval="auto")]
    found = RENDERERS["markdown"](diff(old, new))
    assert 60_000 < len(found) <= MAX_MARKDOWN
    assert found.index("`z`") < found.index("`a`")


def test_a_comment_says_what_was_not_compared() -> None:
    strict = Tool(id="a", version="1.0.0", approval="always", origin="aip14")
    assert "cannot say it: approval, version." in RENDERERS["markdown"](diff(strict, Tool(id="a", origin="mcp")))


def test_text_moves_no_cursor() -> None:
    found = difference_to_text(hostile())
    assert "\x1b" not in found
    assert "\u202e" not in found
    assert all(line.isprintable() for line in found.splitlines())


# -- exit codes -------------------------------------------------------------------------------------------------------


def described(version: str, **more: Any) -> str:
    head = {"name": "A", "id": "a.b", "description": "A.", "version": version, "inputs": {}, "outputs": {}, **more}
    return f"---\n{json.dumps(head)}\n---\n"


CODES: list[tuple[str, str, tuple[str, ...], int]] = [
    (described("1.0.0"), described("1.0.0", risk_level=1), (), 0),
    (described("1.0.0"), described("1.0.0", risk_level=1), ("--check-versions",), 1),
    (described("1.0.0"), described("1.1.0", risk_level=1), ("--check-versions",), 1),
    (described("1.0.0"), described("2.0.0", risk_level=1), ("--check-versions",), 0),
    (described("1.0.0", risk_level=2), described("1.0.0", risk_level=1), ("--check-versions",), 1),
    (described("1.0.0", risk_level=2), described("1.1.0", risk_level=1), ("--check-versions",), 0),
    (described("1.0.0"), described("1.0.0", tags=["a"]), ("--check-versions",), 0),
    (described("1.0.0"), described("1.0.0"), ("--check-versions",), 0),
    (described("0.1.0"), described("0.2.0", risk_level=1), ("--check-versions",), 0),
    (described("2.0.0"), described("1.0.0", tags=["a"]), ("--check-versions",), 1),
    (described("1.0.0"), "---\nname: [\n---\n", ("--check-versions",), 2),
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
    assert canonical.is_valid(json.loads(ran.stdout), "difference/1")
    assert [item["id"] for item in json.loads(ran.stdout)["tools"]] == ["host:a"]
    assert "new/b.tools.json" in ran.stderr


# -- what a pull request of nothing but a migration, or of the first tools, looks like -----------------------------


@needs_git
@pytest.mark.usefixtures("repository")
def test_a_migration_changes_no_contract() -> None:
    draw = random.Random(0)
    for number, make in enumerate((files.legacy, files.aliased, files.tool_md)):
        put(f"tools/t{number}/TOOL.md", make(number, draw))
    silent = files.tool_md(8, draw).replace("approval: always\n", "")
    put("tools/t8/TOOL.md", silent)
    put("tools/drill.atdf.json", files.record(1, draw))
    put("tools/box.atip.json", files.program(1, draw))
    commit()
    assert run("migrate", "tools", "--kind", "cli", "-q").code == 0
    assert "approval: on-mutate" in Path("tools/t8/TOOL.md").read_text()
    ran = run("diff", "HEAD:tools", "tools", "--check-versions")
    assert ran.code == 0
    assert set(re.findall(r"^  (\S+):", ran.stdout, re.MULTILINE)) <= {"editorial"}


@needs_git
@pytest.mark.usefixtures("repository")
def test_the_first_tools_of_a_folder_are_new() -> None:
    put("more/a.json", tool("host:x"))
    ran = run("diff", "HEAD:more", "more", "--check-versions")
    assert ran.code == 0
    assert "HEAD:more: no tool was there; every tool is new" in ran.stderr
    assert run("diff", "HEAD:mroe", "more", "--check-versions").code == 2


@pytest.mark.parametrize("names", [("h_en.json", "h.json"), ("a/TOOL.json", "b/TOOL.json")])
def test_a_tree_with_repeated_ids_does_not_differ_from_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for side, order in (("one", names), ("two", names[::-1])):
        for name in order:
            put(f"{side}/{name}", tool("host:same", description=name, inputSchema={"title": name}))
    assert run("diff", "one", "two").stdout == ""


@needs_git
@pytest.mark.usefixtures("repository")
def test_a_file_that_held_a_tool_and_cannot_be_read_any_more_is_refused() -> None:
    """To call its tools gone would be a guess, and to pass it over would let a gate open."""
    put("tools/TOOL.md", "---\nname: A\nid: a.b\ndescription: Do it.\nversion: 1.0.0\n---\n")
    commit()
    put("tools/TOOL.md", "# Nothing\n")
    ran = run("diff", "HEAD:tools", "tools", "--fail-on", "danger")
    assert ran.code == 2
    assert "tools/TOOL.md: error: it held a tool before, and now this Markdown has no front matter" in ran.stderr
    put("tools/deep/readme.md", "# Nothing\n")
    (Path("tools") / "TOOL.md").unlink()
    assert run("diff", "HEAD:tools", "tools", "--fail-on", "danger").code == 0
