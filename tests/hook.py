"""`make hook`: the hooks of this repository, tried by pre-commit itself in a scratch repository with everyday names."""

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


def expect(what: str, found: set[str], expected: set[str]) -> None:
    if found != expected:
        sys.exit(f"{what}: {sorted(found)} in place of {sorted(expected)}")


def files() -> dict[str, str]:
    """Tools under names that only their content explains, beside what a repository has otherwise."""
    draw = random.Random(0)
    return {
        ".tools/mail/TOOL.md": repository.tool_md(1, draw),
        ".tools/old/TOOL.md": repository.aliased(2, draw),
        "agents/split/TOOL.md": repository.legacy(3, draw),
        "agents/manifest.json": repository.server(4, draw),
        "src/box/agent.json": repository.program(5, draw),
        "catalog/drills.yaml": repository.record(6, draw),
        "catalog/notes.json": repository.descriptor(7, draw),
        "catalog/lines.jsonl": '{"toolId": "host:a", "source": "mcp", "safetyTier": "read"}\n',
        "catalog/bad.json": '{"toolId": "host:b", "source": "mcp", "safetyTier": "reed"}\n',
        "docs/TOOL.md": "# The tool\n\nHow to hold it.\n",
        "README.md": repository.readme(1, draw),
        "package.json": repository.package(1, draw),
        ".mcp.json": '{"mcpServers": {"notes": {"command": "notes"}}}\n',
        ".github/workflows/ci.yml": "on: push\n",
        "vendor/TOOL.md": "---\nid: [\n---\n",
        "toolglot.toml": 'extend-exclude = ["vendor"]\n\n[migrate.kind]\n"agents/" = "cli"\n',
    }


def main() -> None:
    """`check` finds the bad file, `migrate` rewrites the old ones, and then both have nothing to say."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        git(folder, "init", "--quiet")
        for name, content in files().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", "files")

        hook(folder, "toolglot-check", 1, "catalog/bad.json:1:", ".tools/old/TOOL.md:", "docs/TOOL.md: passed over")
        git(folder, "rm", "--quiet", "catalog/bad.json")
        hook(folder, "toolglot-migrate", 1, "files were modified by this hook", "marked as new: agents/split/DRIVER.md")
        beside = {"agents/split/DRIVER.md", "agents/split/SECRETS.md"}
        old = {".tools/old/TOOL.md", "agents/split/TOOL.md", "src/box/agent.json", "catalog/drills.yaml"}
        expect("migrated", set(git(folder, "diff", "--name-only").split()), old | beside)
        expect("untracked", set(git(folder, "ls-files", "--others").split()), set())
        git(folder, "commit", "--quiet", "--all", "--message", "migrated")
        expect("committed", beside & set(git(folder, "ls-files").split()), beside)
        hook(folder, "toolglot-migrate", 0)
        hook(folder, "toolglot-check", 0)


if __name__ == "__main__":
    main()
