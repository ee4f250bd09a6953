"""Mutation testing of the rules about safety: `python tests/mutants.py [PATTERN...]`, run by `make mutants`.

mutmut changes one thing in one function and runs the tests that call it; a mutant that no test notices is a rule that
nobody holds. mutmut wants the sources below `src`, so it works on a copy, `build/mutants`. In the copy no result is
cached, because mutmut skips decorated functions and because a cache would answer in the place of a mutant. The doctests
are copied out of the sources, where each mutant would repeat them.

Prints how many mutants of each module were killed and which survive. Every survivor has to stand in
`tests/mutants.md`, with the reason why it is equivalent; one that does not makes the exit code 1.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build" / "mutants" / "tree"
MUTMUT = Path(sys.executable).with_name("mutmut")
EXPLAINED = ROOT / "tests" / "mutants.md"
MODULES = ("safety/*.py",)
SETTINGS = """\
[tool.pytest.ini_options]
addopts = ["--import-mode=importlib", "--doctest-glob=tests/doctests/*.txt", "-p", "no:cacheprovider"]
pythonpath = ["tests", "src"]

[tool.mutmut]
source_paths = ["src/toolglot"]
only_mutate = ["src/toolglot/safety/*.py"]
also_copy = ["fixtures", "schemas"]
process_isolation = "forkserver"
forkserver_warmup = "WARMUP"
timeout_multiplier = 4.0
track_dependencies = false
use_git_change_detection = false
pytest_add_cli_args_test_selection = [
  "tests/test_safety_rules.py",
  "tests/test_warnings.py::test_a_warning_is_found",
  "tests/test_warnings.py::test_ordinary_prose_warns_of_nothing",
  "tests/test_warnings.py::test_a_text_never_makes_a_tool_look_safe",
  "tests/test_warnings.py::test_imitations_are_named",
  "tests/doctests",
]
"""
# The exit codes of mutmut (its `stats.status_by_exit_code`); a test that fails is 1, and a crash was noticed too.
VERDICTS = {0: "survived", 5: "no tests", 33: "no tests", None: "not run"}
VERDICTS |= dict.fromkeys((-24, 24, 36, 152, 255), "timeout")
_CACHE = re.compile(r"^@lru_cache\(.*\n", re.MULTILINE)


def lay_out() -> None:
    """Make the copy that mutmut works on."""
    shutil.rmtree(COPY, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "converters" / "toolglot", COPY / "src" / "toolglot", ignore=unwanted)
    for folder in ("fixtures", "schemas", "tests"):
        shutil.copytree(ROOT / folder, COPY / folder, ignore=unwanted)
    (COPY / "tests" / "doctests").mkdir()
    for path in sources():
        source = path.read_text()
        write_doctests(source, path)
        path.write_text(_CACHE.sub("", source))


def run(warmup: str, *names: str) -> None:
    (COPY / "pyproject.toml").write_text(SETTINGS.replace("WARMUP", warmup))
    subprocess.run([MUTMUT, "run", *names], cwd=COPY, check=False)


def survivors() -> list[str]:
    return [name for name, verdict in verdicts().items() if verdict in ("survived", "no tests")]


def sources() -> list[Path]:
    package = COPY / "src" / "toolglot"
    return sorted(path for pattern in MODULES for path in package.glob(pattern))


def write_doctests(source: str, path: Path) -> None:
    """The doctests of a module, as a text in whose namespace the module's names stand."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    documentation = [ast.get_docstring(function) or "" for function in functions]
    module = ".".join(path.with_suffix("").relative_to(COPY / "src").parts)
    start = f">>> import importlib\n>>> globals().update(vars(importlib.import_module({module!r})))"
    examples = [text for text in documentation if ">>>" in text]
    (COPY / "tests" / "doctests" / f"{path.stem}.txt").write_text("\n\n".join([start, *examples, ""]))


def verdicts() -> dict[str, str]:
    """What became of each mutant, by its name."""
    found: dict[str, str] = {}
    for path in sorted((COPY / "mutants" / "src").rglob("*.meta")):
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items():
            found[name] = VERDICTS.get(code, "killed")
    return found


def change_of(name: str) -> str:
    """The change that a mutant is, in one line: `module.function: old -> new`."""
    shown = subprocess.run([MUTMUT, "show", name], cwd=COPY, capture_output=True, text=True, check=True).stdout
    lines = [line for line in shown.splitlines() if line.startswith(("-", "+")) and line[:3] not in ("---", "+++")]
    old = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    new = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    function = name.removeprefix("toolglot.").split("__mutmut_")[0].replace(".x_", ".")
    return f"{function}: {old} -> {new}"


def main(patterns: list[str]) -> int:
    lay_out()
    run("collect", *(patterns or ["toolglot.safety.*"]))
    if survivors():
        run("none", *survivors())  # imports everything anew: tables are made when a module is imported
    counts: dict[str, Counter[str]] = {}
    for name, verdict in verdicts().items():
        module = name.rpartition(".")[0]
        counts.setdefault(module, Counter())[verdict] += 1
    for module, tally in sorted(counts.items()):
        print(f"{module}: {tally.total()} mutants,", ", ".join(f"{n} {verdict}" for verdict, n in tally.most_common()))
    explained = EXPLAINED.read_text()
    changes = [change_of(name) for name in survivors()]
    unexplained = [change for change in changes if f"`{change}`" not in explained]
    print(f"{len(changes)} survive, {len(unexplained)} of them unexplained")
    print(*unexplained, sep="\n")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
