"""Mutation testing of the rules about safety: `python tests/mutants.py [PATTERN...]`, run by `make mutants`.

mutmut changes one thing in one function and runs the tests that call it; a mutant that no test notices is a rule that
nobody holds. mutmut wants the sources below `src`, so it works on a copy, `build/mutants`. In the copy no result is
cached, because mutmut skips decorated functions and because a cache would answer in the place of a mutant. The doctests
are copied out of the sources, where each mutant would repeat them. All rows of a test are one test there, because
pytest takes longer for a row than the row does.

Prints how many mutants of each module were killed and which survive. Every survivor has to be in the table of
`tests/mutants.md`, with the reason why it is equivalent. One that is not makes the exit code 1, and so does a row of
the table that explains no survivor.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build" / "mutants" / "tree"
MUTMUT = Path(sys.executable).with_name("mutmut")
TABLE = ROOT / "tests" / "mutants.md"
CONVERTER = "toolglot/converter"
# Files of the converter, and which of their functions are changed: in the formats those that read facts about safety.
MUTATED = {
    "safety/*.py": ("*",),
    "formats/kit/unreadable_facts.py": ("*",),
    "formats/kit/field_tables.py": ("is_bool", "is_texts", "is_mappings", "boolean", "word", "texts", "take"),
    "formats/kit/description/facts_in_description.py": ("_take_flags",),
    "formats/atip/auth_methods.py": ("load_methods",),
    "formats/atip/misplaced_facts.py": ("*",),
    "formats/mcp/format.py": ("_doubts", "_second_title"),
    "formats/mcp/hints.py": ("*",),
}
# The two plugins that are switched off collect garbage at the end of each run, which takes as long as the tests do.
# The limits are wide, since a busy machine would make a timeout of a survivor.
SETTINGS = """\
[tool.pytest.ini_options]
addopts = [
  "--import-mode=importlib", "--doctest-glob=tests/doctests/*.txt",
  "-p", "no:cacheprovider", "-p", "no:unraisableexception", "-p", "no:threadexception",
]
pythonpath = ["tests", "src"]

[tool.mutmut]
source_paths = ["src/toolglot"]
only_mutate = FILES
also_copy = ["fixtures", "schemas"]
process_isolation = "forkserver"
forkserver_warmup = "WARMUP"
timeout_multiplier = 4.0
timeout_constant = 10.0
track_dependencies = false
use_git_change_detection = false
pytest_add_cli_args_test_selection = [
  "tests/test_every_row.py",
  "tests/doctests",
]
"""
TESTS = {
    "test_safety_rules": "test_",
    "test_safety_readers": "test_",
    "test_warnings": (
        "test_a_warning_is_found",
        "test_ordinary_prose_warns_of_nothing",
        "test_a_text_never_makes_a_tool_look_safe",
        "test_imitations_are_named",
        "test_read_only_is_no_imitation_where_nothing_else_can_say_it",
    ),
}
EVERY_ROW = """\
from importlib import import_module

import test_safety_readers as readers


def whole(test):
    def run():
        rows = [{}]
        for mark in getattr(test, "pytestmark", ()):
            names, values = mark.args
            pairs = [{names: value} if isinstance(names, str) else dict(zip(names, value)) for value in values]
            rows = [{**row, **pair} for row in rows for pair in pairs]
        for row in rows:
            test(**row)

    return run


for module, beginning in TESTS.items():
    for name, value in vars(import_module(module)).items():
        if name.startswith(beginning):
            globals()[name] = whole(value)

for name in readers.RECORDS:  # what is loaded when it is needed would be loaded for every mutant
    readers.read(name, "", {})
"""
# The exit codes of mutmut (its `stats.status_by_exit_code`); a test that fails is 1, and a crash was noticed too. So is
# 255, which mutmut takes for a timeout: no test can be collected, since the package cannot be imported.
VERDICTS = {0: "survived", 5: "no tests", 33: "no tests", None: "not run"}
VERDICTS |= dict.fromkeys((-24, 24, 36, 152), "timeout")
_MEMORY = re.compile(r"^MOST_REMEMBERED = .*", re.MULTILINE)
_CACHE = re.compile(r"^@lru_cache\(.*?\n(?=def )", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r"\w+|\W")


class Reason(NamedTuple):
    """A row of the table: in which functions, which changes (`...` stands for any text), why nobody can tell."""

    where: list[str]
    changes: list[str]
    why: str

    def explains(self, function: str, change: str) -> bool:
        patterns = (".*".join(map(re.escape, pattern.split("..."))) for pattern in self.changes)
        return any(fnmatch(function, where) for where in self.where) and any(
            re.fullmatch(it, change) for it in patterns
        )


def lay_out() -> None:
    """Make the copy that mutmut works on."""
    shutil.rmtree(COPY, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "converters" / "toolglot", COPY / "src" / "toolglot", ignore=unwanted)
    for folder in ("fixtures", "schemas", "tests"):
        shutil.copytree(ROOT / folder, COPY / folder, ignore=unwanted)
    (COPY / "tests" / "doctests").mkdir()
    for pattern in MUTATED:
        for path in (COPY / "src" / CONVERTER).glob(pattern):
            source = path.read_text()
            write_doctests(source, path)
            path.write_text(_CACHE.sub("", source))
    cache = COPY / "src" / "toolglot" / "runtime" / "bridge" / "compilation_cache.py"
    cache.write_text(_MEMORY.sub("MOST_REMEMBERED = 0", cache.read_text()))
    (COPY / "tests" / "test_every_row.py").write_text(EVERY_ROW.replace("TESTS", repr(TESTS)))


def write_doctests(source: str, path: Path) -> None:
    """The doctests of a module, as a text in whose namespace the module's names stand."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    documentation = [ast.get_docstring(function) or "" for function in functions]
    module = ".".join(path.with_suffix("").relative_to(COPY / "src").parts)
    start = f">>> import importlib\n>>> globals().update(vars(importlib.import_module({module!r})))"
    examples = [text for text in documentation if ">>>" in text]
    (COPY / "tests" / "doctests" / f"{path.stem}.txt").write_text("\n\n".join([start, *examples, ""]))


def names_of_all() -> list[str]:
    """What mutmut calls the mutants, as patterns."""
    modules = {
        f"toolglot.converter.{path.removesuffix('.py').replace('/', '.')}": names for path, names in MUTATED.items()
    }
    return [f"{module}.x_{name}__mutmut_*" for module, names in modules.items() for name in names]


def run(warmup: str, *names: str) -> None:
    files = json.dumps([f"src/{CONVERTER}/{path}" for path in MUTATED])
    (COPY / "pyproject.toml").write_text(SETTINGS.replace("WARMUP", warmup).replace("FILES", files))
    each = {**os.environ, "TOOLGLOT_EACH": "1"}  # the first row that fails is enough
    subprocess.run([MUTMUT, "run", *names], cwd=COPY, env=each, check=False)


def run_again(names: list[str]) -> None:
    """Run these mutants with every test and everything imported anew: tables are made when a module is imported."""
    path = COPY / "mutants" / "mutmut-stats.json"
    stats = json.loads(path.read_text())
    tests = list(stats["duration_by_test"])
    stats["tests_by_mangled_function_name"] |= {name.partition("__mutmut_")[0]: tests for name in names}
    path.write_text(json.dumps(stats))
    run("none", *names)


def verdicts() -> dict[str, str]:
    """What became of each mutant that was run, by its name."""
    codes: dict[str, int | None] = {}
    for path in sorted((COPY / "mutants" / "src").rglob("*.meta")):
        codes |= json.loads(path.read_text())["exit_code_by_key"]
    return {name: VERDICTS.get(code, "killed") for name, code in codes.items() if code is not None}


def changes() -> dict[str, tuple[str, str]]:
    """The function and the change of each mutant that no test killed, by its name."""
    living = [name for name, verdict in verdicts().items() if verdict != "killed"]
    modules = {name.rpartition(".")[0] for name in living}
    sources = {module: functions_of(module) for module in modules}
    found: dict[str, tuple[str, str]] = {}
    for name in living:
        module, _, mutant = name.rpartition(".")
        function = mutant.partition("__mutmut_")[0]
        old, new = (sources[module][known] for known in (f"{function}__mutmut_orig", mutant))
        where = f"{module.removeprefix('toolglot.converter.')}.{function.removeprefix('x_')}"
        found[name] = where, change_between(old, new)
    return found


def functions_of(module: str) -> dict[str, list[str]]:
    """The lines of each function, and of each method, of a module with mutants, without its name."""
    source = (COPY / "mutants" / "src" / f"{module.replace('.', '/')}.py").read_text()
    lines = [line.strip() for line in source.splitlines()]
    functions = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = lines[node.lineno - 1 : node.end_lineno]
            functions[node.name] = [line.replace(f"def {node.name}(", "def (") for line in body]
    return functions


def change_between(old: list[str], new: list[str]) -> str:
    """The one statement that differs, with the change in it: `return {first -> last}(text)`."""
    start = count_same(old, new)
    end = count_same(old[start:][::-1], new[start:][::-1])
    before, after = (_TOKEN.findall(" ".join(lines[start : len(lines) - end])) for lines in (old, new))
    same = count_same(before, after)
    tail = count_same(before[same:][::-1], after[same:][::-1])
    first, last = before[:same], before[len(before) - tail :]
    parts = (first, before[same : len(before) - tail], after[same : len(after) - tail], last)
    return "{}{{{} -> {}}}{}".format(*map("".join, parts))


def count_same(one: list[str], other: list[str]) -> int:
    """How many entries two lists have in common at their beginning."""
    count = 0
    for entry, counterpart in zip(one, other, strict=False):
        if entry != counterpart:
            break
        count += 1
    return count


def reasons() -> list[Reason]:
    """The rows of the table in `tests/mutants.md` whose first two cells are code."""
    reasons = []
    for line in TABLE.read_text().splitlines():
        cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if line.startswith("| `") and len(cells) == 3:
            where, what, why = cells
            reasons.append(Reason(re.findall("`([^`]+)`", where), re.findall("`([^`]+)`", what), why))
    return reasons


def unexplained(known: list[Reason]) -> dict[str, tuple[str, str]]:
    """The mutants that live and that no row explains; what took too long is among them."""
    return {name: made for name, made in changes().items() if not is_explained(made, known)}


def is_explained(made: tuple[str, str], known: list[Reason]) -> bool:
    return any(reason.explains(*made) for reason in known)


def is_idle(reason: Reason, every: Iterable[tuple[str, str]]) -> bool:
    return not any(reason.explains(*made) for made in every)


def print_counts() -> None:
    counts: dict[str, Counter[str]] = {}
    for name, verdict in verdicts().items():
        counts.setdefault(name.rpartition(".")[0], Counter())[verdict] += 1
    for module, tally in sorted([*counts.items(), ("all", sum(counts.values(), Counter()))]):
        print(f"{module}: {tally.total()} mutants,", ", ".join(f"{n} {verdict}" for verdict, n in tally.most_common()))


def main(patterns: list[str]) -> int:
    known = reasons()
    lay_out()
    run("collect", *(patterns or names_of_all()))
    again = unexplained(known)
    if again:
        run_again(list(again))
    print_counts()
    survivors = unexplained(known)
    every = changes().values()
    idle = [reason for reason in known if is_idle(reason, every)]
    print(f"{len(survivors)} survivors are not explained")
    print(*(f"  {verdicts()[name]}: {where}: {change}" for name, (where, change) in survivors.items()), sep="\n")
    if patterns:
        return bool(survivors)
    print(f"{len(idle)} rows of {TABLE.name} explain nothing")
    print(*(f"  {', '.join(reason.where)}: {', '.join(reason.changes)}" for reason in idle), sep="\n")
    return bool(survivors or idle)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
