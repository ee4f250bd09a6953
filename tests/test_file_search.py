"""Which files a command line means, and why others are left out: against git itself, and against hostile trees."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolglot
from pace import within
from systems import IS_SUPERUSER, needs_any_name, needs_git, needs_modes
from toolglot.converter import file_search
from toolglot.converter.file_search import PathFilter, ignore_rules
from toolglot.converter.file_search.globs import matches_glob
from toolglot.converter.file_search.ignore_rules import IgnoreRules

PATTERNS = ("TOOL.md", "*.hub.json")


def find(*sources: str, **how: Any) -> list[str]:
    return [item.path for item in file_search.find_files(sources, PATTERNS, PathFilter(**how))]


def reasons(*sources: str, **how: Any) -> dict[str, str]:
    said: dict[str, str] = {}
    file_search.find_files(sources, PATTERNS, PathFilter(**how), said.__setitem__)
    return said


def put(*names: str, text: str = "{}") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tree(here: Path) -> Path:
    put(
        "t/b.json", "t/a/TOOL.md", "t/a/x.txt", "t/.git/c.json", "t/.venv/c.json", "t/node_modules/p/c.json",
        "t/z.yaml", "outside.json",
    )  # fmt: skip
    return here


def test_a_folder_is_walked_in_order_and_hidden_folders_are_not(tree: Path) -> None:
    assert find("t") == find("./t/") == ["t/a/TOOL.md", "t/b.json", "t/z.yaml"]
    assert find(".") == ["outside.json", "t/a/TOOL.md", "t/b.json", "t/z.yaml"]
    items = file_search.find_files(["t", "t/b.json"], PATTERNS)
    assert [(item.relative, item.is_named, item.has_usual_name) for item in items] == [
        ("a/TOOL.md", False, True),
        ("b.json", True, False),
        ("z.yaml", False, False),
    ]
    assert reasons("t") == {
        "t/.git": 'never walked: ".git/"',
        "t/.venv": 'excluded by default: ".*/"',
        "t/node_modules": 'excluded by default: "node_modules/"',
    }


def test_endings_in_capitals_are_endings(here: Path) -> None:
    put("A.JSON", "b/C.Yaml", "b/D.MD", "b/E.JSONL.GZ", "b/F.TXT")
    assert find(".") == ["A.JSON", "b/C.Yaml", "b/D.MD", "b/E.JSONL.GZ"]


@pytest.mark.parametrize("options", [{"extend_exclude": ("!.*",)}, {"extend_exclude": ("!**",)}, {"exclude": ()}])
def test_no_option_opens_the_history_of_a_repository(here: Path, options: dict[str, tuple[str, ...]]) -> None:
    put(".git/a.json", ".hg/TOOL.md", "b.json")
    assert find(".", **options) == ["b.json"]


def test_hidden_folders_are_walked_where_somebody_asks_for_them(here: Path) -> None:
    put(".tools/a.json", ".agents/b.json", ".agents/.deep/c.json", ".other/d.json")
    usual = (*file_search.EXCLUDED, "!.tools/")
    assert find(".", exclude=usual) == [".tools/a.json"]
    assert find(".", exclude=usual, extend_exclude=("!.agents",)) == [".agents/b.json", ".tools/a.json"]
    assert find(".", exclude=usual, extend_exclude=("!.agents", "!.deep", ".tools")) == [
        ".agents/.deep/c.json", ".agents/b.json",
    ]  # fmt: skip
    os.chdir(".other")
    assert find("..", extend_exclude=("!.agents",), extend_exclude_from="../toolglot.toml") == ["../.agents/b.json"]


def test_hidden_folders_with_candidates_are_said(here: Path) -> None:
    os.mkdir(".git")
    put(".git/a.json", ".agents/b.json", ".agents/in/TOOL.md", ".empty/c.txt", ".mine/d.json", "sub/.x/e.json")
    put(".cache/node_modules/f.json", ".is_named/g.json", ".made/.gitignore", ".made/h.json")
    put(".gitignore", text=".mine/\n")
    put(".made/.gitignore", text="*\n")
    said: dict[str, list[str]] = {}

    def hidden(folder: str, files: Sequence[file_search.FoundFile]) -> None:
        said[folder] = [item.path for item in files]

    file_search.find_files(["."], PATTERNS, PathFilter(extend_exclude=(".is_named",)), on_hidden=hidden)
    assert said == {".agents": [".agents/in/TOOL.md", ".agents/b.json"], "sub/.x": ["sub/.x/e.json"]}


def test_looking_into_hidden_folders_is_bounded(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1000):
        os.makedirs(f".big/{number}")
    put(".big/999/a.json", *(f".{number}/a.json" for number in range(100)))
    real, scanned, said = os.scandir, [], []

    def scandir(path: str) -> object:
        scanned.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    file_search.find_files(["."], PATTERNS, on_hidden=lambda folder, files: said.append(folder))
    assert len(said) == file_search.MAX_PEEKS
    assert len(scanned) < 500


def test_sources_are_sorted_each_once_and_stdin_is_last(tree: Path) -> None:
    put("t-1/a.json", "t/b/c.json")
    assert find("-", "t/z.yaml", "t-1", "t", "t/b.json", "-") == [
        "t/a/TOOL.md", "t/b/c.json", "t/b.json", "t/z.yaml", "t-1/a.json", "-",
    ]  # fmt: skip


def test_links_are_followed_to_files_of_the_folder_only(tree: Path) -> None:
    os.symlink("../outside.json", "t/out.json")
    os.symlink("nowhere", "t/gone.json")
    os.symlink("self.json", "t/self.json")
    os.symlink("b.json", "t/again.json")
    os.symlink("a/x.txt", "t/other.json")
    os.symlink("../t", "t/loop")
    os.symlink("..", "t/a/up")
    os.symlink("/", "t/root")
    os.mkfifo("t/pipe.json")
    assert find("t") == ["t/a/TOOL.md", "t/b.json", "t/other.json", "t/z.yaml"]
    said = reasons("t")
    assert said["t/out.json"] == said["t/root"] == "a link that leads out of t"
    assert said["t/gone.json"] == said["t/self.json"] == "a link that leads nowhere"
    assert said["t/again.json"] == "the same file as t/b.json"
    assert said["t/loop"] == said["t/a/up"] == "a link to a folder"
    assert said["t/pipe.json"] == "not a regular file"
    assert find("t/loop") == ["t/loop/a/TOOL.md", "t/loop/b.json", "t/loop/other.json", "t/loop/z.yaml"]
    started = time.monotonic()  # the standard library would follow the two loops for ever
    assert find("t/**/*.json") == ["t/b.json", "t/other.json"]
    assert time.monotonic() - started < 5


def test_a_file_with_a_link_that_has_a_usual_name_has_one(tree: Path) -> None:
    put("t/kept.md")
    os.symlink("kept.md", "t/TOOL.md")
    found = {file.path: file.has_usual_name for file in file_search.find_files(["t"], PATTERNS)}
    assert found == {"t/a/TOOL.md": True, "t/b.json": False, "t/kept.md": True, "t/z.yaml": False}
    assert reasons("t")["t/TOOL.md"] == "the same file as t/kept.md"


def test_patterns_are_expanded_unless_a_file_is_called_so(tree: Path) -> None:
    put("t/a/deep/d.json", "t/.github/e.json", "t/a/.h.json")
    assert find("t/**/*.json") == ["t/a/deep/d.json", "t/b.json"]
    assert find("t/*.json") == find("./t/[b].json") == ["t/b.json"]
    assert find("t/node_modules/**/*.json") == ["t/node_modules/p/c.json"]
    assert find("t/**/node_modules/*/*.json") == ["t/node_modules/p/c.json"]
    assert find("t/.github/*") == find("*/.github/*.json") == ["t/.github/e.json"]
    assert find("t/a*") == ["t/a/.h.json", "t/a/TOOL.md", "t/a/deep/d.json"]
    assert find("*.nothing") == ["*.nothing"]
    put("t/[b].json")
    assert find("t/[b].json") == ["t/[b].json"]


# -- .gitignore ---------------------------------------------------------------------------------------------------


def test_ignored_files_are_left_out_and_the_pattern_is_named(here: Path) -> None:
    os.mkdir(".git")
    put(".git/info/exclude", text="# mine\nprivate.json\n")
    put(".gitignore", text="\ufeffbuild/\r\n*.json\r\n!keep.json\r\n/sub/top.yaml\r\n")
    put("sub/.gitignore", text="!also.json\nkeep.json\n")
    put("build/a.json", "x.json", "keep.json", "private.json", "sub/also.json", "sub/keep.json", "sub/top.yaml")
    put("sub/in/top.yaml", "sub/in/also.json", "sub/in/other.json")
    kept = ["keep.json", "sub/also.json", "sub/in/also.json", "sub/in/top.yaml"]
    assert find(".") == kept
    assert find("sub") == kept[1:]
    os.chdir("sub")
    assert find("in") == ["in/also.json", "in/top.yaml"]
    os.chdir("..")
    said = reasons(".")
    assert said["build"] == 'ignored by .gitignore:1: "build/"'
    assert said["sub/keep.json"] == 'ignored by sub/.gitignore:2: "keep.json"'
    assert said["private.json"] == 'ignored by .gitignore:2: "*.json"'
    put(".gitignore", text="nothing\n")
    assert reasons(".")["private.json"] == 'ignored by .git/info/exclude:2: "private.json"'
    assert "x.json" in find(".", gitignore=False)


def test_the_search_for_gitignores_ends_at_the_repository(here: Path) -> None:
    put(".gitignore", text="*.json\n")
    put("repo/.git/x", "repo/sub/a.json")
    assert find("repo/sub") == ["repo/sub/a.json"]


def test_what_is_named_is_taken_unless_exclusion_is_forced(here: Path) -> None:
    os.mkdir(".git")
    put(".gitignore", text="build/\nx.json\n")
    put("build/a.json", "build/in/b.json", "x.json", "node_modules/c.json", "gen/d.json")
    assert find("build", "x.json", "node_modules/c.json") == [
        "build/a.json", "build/in/b.json", "node_modules/c.json", "x.json",
    ]  # fmt: skip
    forced = {"force_exclude": True, "extend_exclude": ("gen",)}
    named = ("build", "build/in", "build/in/b.json", "x.json", "node_modules/c.json", "gen/d.json", "gen")
    assert find(*named, **forced) == []
    said = reasons(*named, **forced)
    assert set(said) == set(named)
    assert said["build/in/b.json"] == 'ignored by .gitignore:1: "build/"'
    assert said["gen/d.json"] == 'excluded by --extend-exclude: "gen"'
    assert find("gen/*.json", extend_exclude=("gen",)) == ["gen/d.json"]
    assert find("*/*.json", extend_exclude=("gen",)) == []


def test_options_exclude_relative_to_the_current_folder_or_to_their_file(here: Path) -> None:
    put("a/gen/x.json", "gen/y.json", "b/gen/z.json", "a/keep/node_modules/m.json")
    assert find(".", exclude=("/gen",)) == ["a/gen/x.json", "a/keep/node_modules/m.json", "b/gen/z.json"]
    assert find(".", exclude=("gen",)) == ["a/keep/node_modules/m.json"]
    assert find(".", extend_exclude=("!node_modules/", "gen")) == ["a/keep/node_modules/m.json"]
    assert find(".", exclude=("/gen",), exclude_from="b/pyproject.toml") == [
        "a/gen/x.json", "a/keep/node_modules/m.json", "gen/y.json",
    ]  # fmt: skip
    os.chdir("b")
    assert find("..", exclude=("/gen",)) == ["../a/gen/x.json", "../a/keep/node_modules/m.json", "../gen/y.json"]
    assert find("../a", exclude=("gen",)) == ["../a/keep/node_modules/m.json"]
    assert find("../a", exclude=("gen",), exclude_from="../toolglot.toml") == ["../a/keep/node_modules/m.json"]
    assert reasons("..", exclude=("gen",), exclude_from="../toolglot.toml")["../gen"] == (
        'excluded by `exclude` in ../toolglot.toml: "gen"'
    )


SEGMENTS = (
    "a", "b", "ab", "*", "**", "a*", "*b", "?", "?b", "[ab]", "[!a]", "a*b", "*a*b*", "a\\b", "\\*", "*.a", "a.*", ".",
)  # fmt: skip


@needs_git
def test_git_agrees(here: Path) -> None:
    """The same files as `git ls-files --others --exclude-standard`, for lists of patterns of every shape."""
    chance = random.Random(7)
    names = ("a", "b", "ab", "aab", "a.b", "b.a")
    for folder in ("", "a", "a/ab", "a/b", "aab/b", "aab/b/a", "a/b.a/ab", "b/a/b/ab"):
        put(*(os.path.join("r", folder, f"{name}.x", name) for name in names))
    subprocess.run(["git", "init", "-q", "r"], check=True)
    listing = ["git", "-C", "r", "-c", "core.excludesFile=/dev/null", "ls-files", "-o", "--exclude-standard"]
    outcomes = set()
    for _ in range(80):
        patterns = []
        for _ in range(chance.choice([1, 2, 3])):
            body = "/".join(chance.choices(SEGMENTS, k=chance.choice([1, 1, 2, 3, 4])))
            patterns.append(chance.choice(["", "", "!"]) + chance.choice(["", "/"]) + body + chance.choice(["", "/"]))
        put("r/.gitignore", text="\n".join([*patterns, "/.gitignore", ""]))
        git = set(subprocess.run(listing, capture_output=True, check=True, text=True).stdout.split())
        ours = {os.path.relpath(path, "r") for path in _every_file("r")}
        assert ours == git, patterns
        outcomes.add(len(git))
    assert len(outcomes) > 10  # some patterns do match


def _every_file(root: str) -> list[str]:
    return [item.path for item in file_search.find_files([root], ("*",), PathFilter(exclude=("/r/.git",)))]


# -- hostile trees ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*a" * 60 + "*b", "a" * 200),
        ("*?" * 60 + "*b", "a" * 200),
        ("[a]*" * 60 + "b", "a" * 200),
        ("**/a*/" * 60 + "b", "a/" * 100 + "c"),
        ("**/*a*a*a*a*/**/" + "*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/" * 20 + "c"),
    ],
)
def test_no_pattern_takes_long(pattern: str, name: str) -> None:
    with within(0.5):
        assert IgnoreRules([pattern]).match(name, folder=False) is None


DEEP = ("a" * 38 + "/") * 95 + "x.json"


@pytest.mark.parametrize(
    "patterns",
    [
        [f"a*/**/b{number}/**/c/**/d" for number in range(300)],
        [f"**/a*/**/b{number}/?*" for number in range(300)],
        [f"{'**/a*/' * 150}b{number}" for number in range(300)],
    ],
    ids=["ends", "any", "chain"],
)
def test_no_list_of_patterns_takes_long_for_a_deep_tree(patterns: list[str]) -> None:
    with within(1):
        rules = IgnoreRules(patterns)
        for number in range(5):
            assert rules.match(DEEP[:-6] + f"{number}.json", folder=False) is None


def test_no_pattern_on_the_command_line_takes_long() -> None:
    with within(1):
        assert not matches_glob(DEEP.split("/"), ["**", "a*"] * 40 + ["b"])
        assert matches_glob(DEEP.split("/"), ["**", "a*"] * 40 + ["**", "x.*"])


@given(st.lists(st.text(alphabet="ab*?[]!\\/.-^ \t#&|~\x00é\udc80", max_size=12), max_size=4), st.booleans())
def test_any_pattern_is_read_without_a_word(lines: list[str], folder: bool) -> None:
    rules = IgnoreRules(lines)
    for path in ("a", "a/b", "a.b/ab", "\udc80/é", "a\nb"):
        found = rules.match(path, folder)
        assert found is None or found in rules.rules


def test_broken_long_and_too_many_patterns_are_said(here: Path) -> None:
    put("a.json", "b.json")
    put(".gitignore", text="[z-a].json\nx\\\n" + "y" * 2000 + "\nb.json\n")
    said = reasons(".")
    assert said[".gitignore:1"] == "the pattern '[z-a].json' is broken"
    assert said[".gitignore:3"].startswith("a pattern of more than 1000 characters")
    assert find(".") == ["a.json"]
    put(".gitignore", text="".join(f"a*{number}*b\n" for number in range(ignore_rules.MAX_GLOBS + 1)) + "b.json\n")
    assert reasons(".")[f".gitignore:{ignore_rules.MAX_GLOBS + 1}"] == "too many patterns with wildcards"
    assert find(".") == ["a.json"]
    put(".gitignore", text="b.json\n" + "#" * ignore_rules.MAX_BYTES)
    assert reasons(".")[".gitignore"] == "larger than 1048576 bytes"
    assert find(".") == ["a.json", "b.json"]


def test_a_gitignore_that_is_no_file_is_not_opened(here: Path) -> None:
    put("a.json")
    os.mkfifo(".gitignore")
    assert reasons(".") == {".gitignore": "not a regular file"}
    os.unlink(".gitignore")
    os.symlink("/dev/zero", ".gitignore")
    assert find(".") == ["a.json"]
    os.unlink(".gitignore")
    os.mkdir(".gitignore")
    assert find(".") == ["a.json"]


@needs_any_name
def test_names_that_no_terminal_shows(here: Path) -> None:
    names = [b"caf\xe9.json", b"two\nlines.json", b"\x1b[2J.json", b"-.json"]
    for name in names:
        Path(os.fsdecode(name)).write_text("{}")
    assert sorted(map(os.fsencode, find("."))) == sorted(names)
    Path(".gitignore").write_bytes(b"caf\xe9.json\n*lines.json\n")
    assert sorted(map(os.fsencode, find("."))) == sorted(names[2:])


@needs_modes
@pytest.mark.skipif(IS_SUPERUSER, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_an_error_of_its_own(here: Path) -> None:
    put("t/a.json", "t/shut/b.json")
    os.chmod("t/shut", 0)
    try:
        items = file_search.find_files(["t"], PATTERNS)
    finally:
        os.chmod("t/shut", 0o700)
    assert [(item.path, item.fault) for item in items] == [
        ("t/a.json", None),
        ("t/shut", "the folder cannot be read: permission denied"),
    ]


def test_a_folder_that_fails_does_not_stop_the_others(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("t/a.json", "t/shut/b.json")
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    items = file_search.find_files(["t"], PATTERNS)
    assert [(item.path, item.fault) for item in items] == [
        ("t/a.json", None),
        ("t/shut", "the folder cannot be read: permission denied"),
    ]


def test_very_deep_folders_are_an_error_of_their_own(here: Path) -> None:
    put("t/" + "d/" * file_search.MAX_DEPTH + "a.json", "t/" + "d/" * (file_search.MAX_DEPTH + 1) + "b.json")
    *_, good, bad = sorted(file_search.find_files(["t"], PATTERNS), key=lambda item: item.fault or "")
    assert (good.path.endswith("a.json"), good.fault) == (True, None)
    assert bad.fault == "more than 100 folders deep"


def test_pathspec_is_imported_only_for_what_needs_it(here: Path) -> None:
    put("t/a.json", "t/node_modules/b.json")
    put("t/.gitignore", text="build/\n*.log\n/a/b\n!keep\n")
    code = (
        "import sys; from toolglot.converter import file_search; file_search.find_files(['t'], ()); "
        "print('pathspec' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [b"False"]
    put("t/.gitignore", text="a*b\n")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [b"True"]


def test_the_library_reads_all_tools_of_a_folder(here: Path) -> None:
    """As commands do: what is hidden, ignored or of another kind is left out, and what cannot be read is not."""
    descriptor = '{"toolId": "%s", "source": "mcp", "safetyTier": "read"}'
    for name in ("b", "a/z", ".hidden/c", "ignored", "node_modules/d"):
        put(f"t/{name}.json", text=descriptor % name.replace("/", "."))
    put("t/a/package.json", text='{"name": "x", "version": "1.0.0"}')
    put("t/a/settings.json", text='{"a": 1, // of an editor\n}')
    put("t/a/more.jsonl", text=f"{descriptor % 'e'}\n{descriptor % 'f'}\n")
    put("t/.gitignore", text="ignored.json\n")
    assert [tool.id for tool in toolglot.read(Path("t"))] == ["e", "f", "a.z", "b"]
    put("t/c.json", text=descriptor % "g" + "}")
    with pytest.raises(toolglot.Error, match=r"t/c\.json:1:\d+"):
        toolglot.read(Path("t"))
    with pytest.warns(UserWarning, match=r"a tool is left out: t/c\.json"):
        assert len(toolglot.read(Path("t"), skip_bad=True)) == 4
    put("others/package.json", "others/README.md", text='{"name": "x", "version": "1.0.0"}')
    with pytest.raises(toolglot.Error, match="others: no tool description was found"):
        toolglot.read(Path("others"))
    put("others/b.json", text=descriptor % "b")
    assert [tool.id for tool in toolglot.read(Path("others"))] == ["b"]
    with pytest.raises(toolglot.Error, match="no tool description was found"):
        toolglot.read(Path("others"), "mcp")
    put("others/TOOL.md", text="---\ninputs: {}\nmutates: []\n---\n")  # a tool that lacks its id is one all the same
    with pytest.raises(toolglot.Error, match="`id` is missing"):
        toolglot.read(Path("others"))


def test_thousands_of_patterns_are_no_slower_than_a_few(here: Path) -> None:
    for number in range(100):
        put(*(f"t/d{number}/f{index}.json" for index in range(10)))

    def seconds(patterns: list[str]) -> float:
        put("t/.gitignore", text="\n".join(patterns))
        best = []
        for _ in range(3):
            started = time.process_time()
            assert len(find("t")) == 1000
            best.append(time.process_time() - started)
        return min(best)

    few = seconds(["*.log", "build/", "/dist", "!keep"])
    many = seconds(
        [f"x{i}" for i in range(1500)] + [f"/a/x{i}/" for i in range(1500)] + [f"*.x{i}" for i in range(2000)]
    )
    assert many < 3 * few + 0.1  # reading 5,000 lines included


def test_patterns_that_a_later_python_may_read_otherwise_print_no_warning_of_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rules = IgnoreRules(["[[:alpha:]]*x*y", "[[a]*b*"])
    assert rules.match("axby", folder=False) is not None
