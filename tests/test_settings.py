"""Settings: what a repository may say, what it may not, and that the command line has the last word."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import pytest

from pace import within
from toolglot.cli import cli, settings
from toolglot.cli.commands import check_files
from toolglot.cli.options import ConfiguredCommand, SharedConfigurable, SourceRequest, options_by_key
from toolglot.cli.settings import TABLES
from toolglot.errors import UsageError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def parsed(name: str, *arguments: str) -> dict[str, Any]:
    """What a command would be called with."""
    command = cli.commands[name]
    return command.make_context(name, list(arguments), help_option_names=["-h", "--help"]).params


# -- which file -------------------------------------------------------------------------------------------------


def test_the_nearest_file_counts_and_toolglot_toml_comes_first(here: Path) -> None:
    os.mkdir(".git")
    put("pyproject.toml", "[tool.toolglot]\ngitignore = false\n")
    put("a/pyproject.toml", "[tool.other]\n")
    put("a/b/toolglot.toml", "jobs = 1\n")
    put("a/b/pyproject.toml", "[tool.toolglot]\njobs = 2\n")
    put("a/c/x.json", "{}")

    def found(*sources: str) -> str | None:
        where = settings.find_settings(sources)
        return where.path if where else None

    assert found("a/b/x.json") == found("a/b/*.json") == found("a/b", "a/b/nowhere/y") == "a/b/toolglot.toml"
    assert found("a/b", "a/c/x.json") == found("a/c") == found("-") == found() == "pyproject.toml"
    os.chdir("a/b")
    assert found("-") == "toolglot.toml"
    assert found("../c") == os.path.realpath(here / "pyproject.toml")


def test_the_search_ends_at_the_repository_or_at_the_current_folder(here: Path) -> None:
    put("toolglot.toml", "gitignore = false\n")
    os.makedirs("repo/.git")
    os.makedirs("plain/deep")
    assert settings.find_settings(["repo"]) is None
    assert settings.find_settings(["plain/deep"]) is not None
    os.chdir("plain")
    assert settings.find_settings(["deep"]) is None
    assert settings.find_settings(["../repo"]) is None
    assert settings.find_settings([".."]) is not None  # the folder that was named


# -- what it may say ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("\nexlude = []\n", 2, "the setting `exlude` is unknown; did you mean `exclude`?"),
        ("lossless = true\n", 1, "`lossless` is unknown; it belongs in the table `convert`"),
        ("[convert]\ngitignore = false\n", 2, "`gitignore` of `convert` is unknown; it belongs at the top"),
        ("zzz = 1\n", 1, "`zzz` is unknown; there are exclude, "),
        ("[convert]\nto = 'hub'\nforce = true\n", 3, "`force` of `convert` cannot be set in a file; give --force"),
        ("output = 'x'\n", 1, "`output` cannot be set"),
        ("gitignore = 1\n", 1, "`gitignore` must be true or false"),
        ("exclude = 'a'\n", 1, "`exclude` must be a list of strings"),
        ("exclude = ['a', 1]\n", 1, "`exclude` must be a list of strings"),
        ("jobs = true\n", 1, "`jobs` must be a number from 1 to 64"),
        ("jobs = 100000\n", 1, "`jobs` must be a number"),
        ("max-size = '1T'\n", 1, "`max-size` must be a size"),
        ("max-size = '100G'\n", 1, "`max-size` must be a size of at most 256M"),
        ("\n[convert]\nreport = 'none'\n", 3, "`report` of `convert` cannot be set in a file; give --report"),
        ("quiet = true\n", 1, "`quiet` cannot be set"),
        ("check = 3\n", 1, "`check` is a table: write [check]"),
        ("a = 1\na = 2\n", 2, "not valid TOML: cannot overwrite a value"),
        ("[convert\n", 1, "not valid TOML: "),
        ("x = " + "[" * 100_000, None, "nested too deeply"),
        ("#" * 1_100_000, None, "settings of more than 1048576 bytes"),
        ("\x00", 1, "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named(text: str, line: int | None, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings.load_settings(put("toolglot.toml", text))
    error = caught.value
    assert said in f"{error.message}; {error.hint}"
    assert (error.source, error.line, error.code) == ("toolglot.toml", line, "settings")


def test_pyproject_has_a_table_of_ours(here: Path) -> None:
    assert settings.load_settings(put("pyproject.toml", "[tool.ruff]\n")) is None
    assert settings.load_settings(put("pyproject.toml", "tool = 1\n")) is None
    for text in ("[tool]\ntoolglot = 1\n", "[[tool.toolglot]]\n"):
        with pytest.raises(UsageError, match="is a table"):
            settings.load_settings(put("pyproject.toml", text))
    found = settings.load_settings(
        put("pyproject.toml", '[tool.toolglot]\ngitignore = false\ncheck.fail-on = "warning"\n')
    )
    assert found is not None
    assert found.of("check") == {"gitignore": False, "fail-on": "warning"}
    assert found.of("convert") == {"gitignore": False}
    with pytest.raises(UsageError, match=r"write \[tool.toolglot.check\]"):
        settings.load_settings(put("pyproject.toml", "[tool.toolglot]\ncheck = true\n"))
    Path("pyproject.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="UTF-8"):
        settings.load_settings("pyproject.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a." * 100_000 + "a = 1", "1: a key of more than 100 parts"),
        ("\n" + "'b' . \"c\"\t." * 50_000 + "a = 1", "2: a key of more than 100 parts"),
        ('"\\"".' + "a." * 20_000 + "a = 1", "1: a key of more than 100 parts"),
        (f"[{'a.' * 100_000}a]", "1: a key of more than 100 parts"),
        (f"a = {'1' * 100_000}", "a number is too long"),
        (f"a = {'[' * 100_000}", "nested too deeply"),
        (f"a = {'{a=' * 100_000}", "nested too deeply"),
        ("x" * 100_000 + " = 1", "`xxx"),
        ('exclude = ["""\n' + "a.\n" * 20_000 + '"""]\nzzz = 1', "20003: the setting `zzz` is unknown"),
        ("exclude = [" + '"*a*b*c",' * 10_000 + "7]", "a list of strings"),
        ("[check]\nselect = [" + "'*a*'," * 1_001 + "]", "2: `select` of `check` has more than 1,000 entries"),
        (
            "[check.per-file-ignores]\n" + "".join(f"a{n} = ['ALL']\n" for n in range(501)),
            "`per-file-ignores` of `check` has more than 1,000 entries",
        ),
    ],
)
@pytest.mark.usefixtures("no_garbage")
def test_a_hostile_file_is_one_short_error_soon(content: str, message: str) -> None:
    with within(5), pytest.raises(UsageError) as caught:
        settings.load_settings(put("toolglot.toml", content))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_settings_file_that_is_not_there_is_an_error_where_it_was_named() -> None:
    with pytest.raises(UsageError, match=r"nowhere.toml"):
        settings.load_settings("nowhere.toml")
    os.mkdir("toolglot.toml")
    assert settings.find_settings(["."]) is None
    with pytest.raises(UsageError):
        settings.load_settings("toolglot.toml")


def test_a_path_is_one_from_the_folder_of_the_settings(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("toolglot.toml", '[check]\nbaseline = "known.json"\n')
    put("tools/x.json", "{}")
    assert parsed("check", "tools")["baseline"] == "known.json"
    monkeypatch.chdir(here / "tools")
    assert os.path.samefile(os.path.dirname(parsed("check", "--config", "../toolglot.toml", ".")["baseline"]), here)
    os.mkdir(here / ".git")
    assert parsed("check", ".")["baseline"] == os.path.join(os.path.realpath(here), "known.json")
    assert parsed("check", ".", "--baseline", "other.json")["baseline"] == "other.json"


@pytest.mark.parametrize("key", settings.settings_in(""))
def test_every_shared_setting_is_an_option_of_several_commands(key: str) -> None:
    shared = [
        command for command in cli.commands.values() if isinstance(options_by_key(command).get(key), SharedConfigurable)
    ]
    assert len(shared) > 1


SETTINGS = {
    "": "scope exclude extend-exclude force-exclude gitignore skip-others max-size jobs",
    "convert": """from to lossless fail-on strict profile flatten examples safety-text compact namespace bare
        one-per-tool""",
    "check": """from format select extend-select ignore require per-file-ignores severity fail-on
        baseline""",
    "migrate": "to kind fill",
    "catalog": """to as-program program-version program-description namespace language fail-on bare provenance""",
    "diff": "fail-on format",
}


@pytest.mark.parametrize("table", ["", *TABLES])
def test_a_new_option_is_no_setting_before_somebody_says_so_here(table: str) -> None:
    """What a repository may say is looked at twice: this list has to change with the declaration."""
    assert set(settings.settings_in(table)) == set(SETTINGS[table].split())


DANGEROUS = [
    *("assert", "config", "confirm-assumed", "fix", "force", "isolated", "output", "quiet", "report", "restore"),
    *("safety-tier", "stdin-filename", "trust-methods", "update-baseline"),
]


@pytest.mark.parametrize("key", DANGEROUS)
def test_what_endangers_is_never_a_setting(key: str) -> None:
    for table in ("", *TABLES):
        text = f"[{table}]\n{key} = true\n" if table else f"{key} = true\n"
        with pytest.raises(UsageError, match=f"cannot be set in a file; give --{key} on the command line"):
            settings.load_settings(put("toolglot.toml", text))


def test_every_command_with_sources_is_configured() -> None:
    for command in cli.commands.values():
        takes_settings = any("--isolated" in param.opts for param in command.params)
        assert takes_settings == isinstance(command, ConfiguredCommand)


# -- who has the last word ---------------------------------------------------------------------------------------


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("toolglot.toml", 'max-size = "1K"\nexclude = ["a"]\n[convert]\nto = "hub"\nlossless = true\nstrict = false\n')
    assert parsed("convert", "x")["max_size"] == 1024
    assert parsed("convert", "x")["exclude"] == ("a",)
    assert (parsed("convert", "x")["to"], parsed("convert", "x")["strict"]) == ("hub", False)
    assert parsed("convert", "x", "--to", "mcp", "--strict")["to"] == "mcp"
    assert parsed("convert", "x", "--to", "mcp", "--strict")["strict"] is True
    assert parsed("check", "x", "--exclude", "b")["exclude"] == ("b",)
    assert parsed("check", "x", "--isolated")["max_size"] is None
    with pytest.raises(click.MissingParameter, match="to"):
        parsed("convert", "x", "--isolated")
    monkeypatch.setenv("TOOLGLOT_MAX_SIZE", "2K")
    assert parsed("check", "x")["max_size"] == 2048
    assert parsed("check", "x", "--max-size", "3K")["max_size"] == 3072
    other = put("other.toml", "gitignore = false\n")
    assert (parsed("check", "x")["gitignore"], parsed("check", "x", "--config", other)["gitignore"]) == (True, False)


def test_a_value_that_the_option_does_not_take_names_the_file() -> None:
    put("toolglot.toml", 'gitignore = false\n[check]\nformat = "xml"\n[convert]\nfrom = "hubb"\n')
    with pytest.raises(UsageError, match=r"^toolglot.toml:3: `format`: 'xml' is not one of"):
        parsed("check", "x")
    with pytest.raises(UsageError, match=r"^toolglot.toml:5: `from`: .*did you mean"):
        parsed("convert", "x", "--to", "hub")
    assert parsed("prompt", "x")["gitignore"] is False


@pytest.mark.parametrize(
    ("command", "text", "said"),
    [
        ("check", "ignore = ['schema-enm']", "2: `ignore`: there is no rule and no family 'schema-enm'; did you mean"),
        ("check", "require = ['opnai']", "2: `require`: --require takes no"),
        ("check", "severity = {size = 'high'}", "2: `severity`: the severity of 'size' is error, warning"),
        ("check", "per-file-ignores = {'*.md' = ['x']}", "2: `per-file-ignores`: there is no rule"),
        ("migrate", "kind = {'*.md' = 'cil'}", "2: `kind`: 'cil' is not one of cli"),
        ("migrate", "fill = {x = 'y'}", "2: `fill`: 'x' is not one of description"),
    ],
)
def test_a_value_that_the_command_refuses_names_the_file(command: str, text: str, said: str) -> None:
    put("toolglot.toml", f"[{command}]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        cli.main([command, "."], standalone_mode=False)
    assert str(caught.value).startswith(f"toolglot.toml:{said}")


def test_help_comes_before_a_broken_file() -> None:
    put("toolglot.toml", "[")
    for flag in ("--help", "-h"):
        with pytest.raises(click.exceptions.Exit):
            parsed("check", flag)


def test_the_command_is_given_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    put("t/toolglot.toml", 'extend-exclude = ["gen,1"]\ngitignore = false\n')
    seen: list[SourceRequest] = []

    def find_sources(asked: SourceRequest) -> list[Any]:
        seen.append(asked)
        return []

    monkeypatch.setattr(check_files, "find_sources", find_sources)
    cli.main(["check", "t", "-q", "--exclude", "a,b", "--exclude", "", "--max-size", "1K"], standalone_mode=False)
    (asked,) = seen
    assert (asked.paths, asked.format, asked.max_size, asked.quiet) == (("t",), None, 1024, True)
    assert asked.path_filter.exclude == ("a", "b")
    assert (asked.path_filter.exclude_from, asked.path_filter.extend_exclude_from) == (None, "t/toolglot.toml")
    assert asked.path_filter.extend_exclude == ("gen,1",)  # a list needs no commas
    assert not asked.path_filter.gitignore
