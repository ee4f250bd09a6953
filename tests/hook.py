"""`make hook`: the hooks of this repository, tried by pre-commit itself in a scratch repository."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import repository

ROOT = Path(__file__).parents[1]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=scratch", "-c", "user.email=scratch@example.org")
    done = run(folder, "git", *who, *arguments)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def hook(folder: Path, name: str, expected: int, *words: str) -> None:
    """Run one hook over all files, and hold its exit code and its output to what is expected."""
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), name, "--all-files", "--verbose"]
    done = run(folder, *command)
    printed = done.stdout + done.stderr
    missing = [word for word in words if word not in printed]
    if done.returncode != expected or missing:
        sys.exit(f"{name} ended with {done.returncode}, and did not say {missing}:\n{printed}")
    print(f"{name}: exit code {done.returncode}, as expected")


def main() -> None:
    """`check` finds the bad file, `migrate` rewrites the old one, and then both have nothing to say."""
    draw = random.Random(0)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        git(folder, "init", "--quiet")
        files = {
            "mail/TOOL.md": repository.tool_md(1, draw),
            "old/TOOL.md": repository.aliased(2, draw),
            "bad.atdf.json": '{"tool_id": "drill"}',
            "README.md": repository.readme(1, draw),
            "vendor/TOOL.md": "---\nid: [\n---\n",
            "toolglot.toml": 'extend-exclude = ["vendor"]\n',
        }
        for name, content in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(content)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", "files")

        hook(folder, "toolglot-check", 1, "bad.atdf.json:1:", "old/TOOL.md:")
        git(folder, "rm", "--quiet", "bad.atdf.json")
        hook(folder, "toolglot-migrate", 1, "files were modified by this hook")
        changed = git(folder, "diff", "--name-only").split()
        if changed != ["old/TOOL.md"]:
            sys.exit(f"migrate changed {changed}")
        git(folder, "add", ".")
        hook(folder, "toolglot-migrate", 0)
        hook(folder, "toolglot-check", 0)


if __name__ == "__main__":
    main()
