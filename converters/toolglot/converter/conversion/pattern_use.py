"""Which patterns of a user match no tool. Without a warning, a misspelt one would seem to have worked.

Each part of a run, such as a file in a worker, notes the names of its tools and the patterns that match one of them.
The notes of all parts together show which patterns match none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from warnings import warn

import msgspec

from toolglot.converter.conversion.selection import EVERYTHING, Choice, matches, names_of_command
from toolglot.converter.conversion.vouched_facts import Assertion, find_assertions
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.wording import suggestion

_MOST_TOOLS = 10_000  # whose names are kept
_MOST_NAMED = 10  # patterns in warnings
_ON_THE_COMMAND_LINE = {"only": "--only", "without": "--without", "assert": "--assert"}
_IN_PYTHON = {"only": "only", "without": "without", "assert": "assertions"}


class Patterns(msgspec.Struct, frozen=True):
    """The patterns for names of tools that a user gave.

    >>> Patterns(Choice(without=("rm",))).of_options
    {'only': (), 'without': ('rm',), 'assert': ()}
    """

    choice: Choice = EVERYTHING
    assertions: tuple[Assertion, ...] = ()

    @property
    def has_any(self) -> bool:
        """Whether there is any pattern."""
        return bool(self.choice.only or self.choice.without or self.assertions)

    @property
    def of_options(self) -> dict[str, tuple[str, ...]]:
        """The patterns of each option."""
        of_assertions = tuple([assertion.pattern for assertion in self.assertions])
        return {"only": self.choice.only, "without": self.choice.without, "assert": of_assertions}


class PatternUse(msgspec.Struct):
    """Which patterns of a user match which tools.

    Attributes:
        used: the pairs of option and pattern that match a tool.
        tools: namespace and path of the tools, at most of the first 10,000; empty where there is no pattern.

    >>> patterns = Patterns(Choice(without=("rmm",)))
    >>> list(PatternUse.of([Tool(id="rm")], patterns).warnings(patterns))
    ['--without \\'rmm\\' matches no tool; did you mean "rm"?']
    """

    used: set[tuple[str, str]] = set()
    tools: dict[tuple[str | None, tuple[str, ...]], None] = {}

    @classmethod
    def of(cls, tools: Iterable[Tool], patterns: Patterns) -> PatternUse:
        """The notes about some tools."""
        use = cls()
        use.add(tools, patterns)
        return use

    def add(self, tools: Iterable[Tool], patterns: Patterns) -> None:
        """Note the names of tools, chosen or not, and the patterns that match them."""
        if not patterns.has_any:
            return
        for tool in tools:
            for leaf in leaves_of(tool):
                self.add_name(leaf.tool.namespace, leaf.path, patterns)

    def add_name(self, namespace: str | None, path: Iterable[str], patterns: Patterns) -> None:
        """Note the name of one tool, and the patterns that match it."""
        words = tuple(filter(None, path))
        self._keep_name(namespace, words)
        names = names_of_command(words, namespace)
        for option, texts in (("only", patterns.choice.only), ("without", patterns.choice.without)):
            self.used.update([(option, text) for text in texts if matches(names, [text])])
        for assertion in find_assertions(patterns.assertions, namespace, words):
            self.used.add(("assert", assertion.pattern))

    def merge(self, other: PatternUse) -> None:
        """Add the notes of another part."""
        self.used |= other.used
        for namespace, path in other.tools:
            self._keep_name(namespace, path)

    def unused(self, patterns: Patterns) -> list[tuple[str, str]]:
        """The pairs of option and pattern that match no tool; empty where there was no tool at all."""
        if not self.tools:
            return []
        given = [(option, text) for option, texts in patterns.of_options.items() for text in texts]
        return [item for item in dict.fromkeys(given) if item not in self.used]

    def warnings(self, patterns: Patterns, names: Mapping[str, str] = _ON_THE_COMMAND_LINE) -> Iterator[str]:
        """Warnings about the patterns that match no tool.

        Args:
            names: option -> its name for people.
        """
        unused = self.unused(patterns)
        for option, text in unused[:_MOST_NAMED]:
            hint = _find_hint(text, self._names_for(option))
            yield "; ".join(filter(None, (f"{names[option]} {text!r} matches no tool", hint)))
        if len(unused) > _MOST_NAMED:
            yield f"{len(unused) - _MOST_NAMED} more patterns match no tool"

    def warn_caller(self, patterns: Patterns, depth: int) -> None:
        """Warn the caller of toolglot about the patterns that match no tool.

        Args:
            depth: how many of our own calls lie between.
        """
        for text in self.warnings(patterns, _IN_PYTHON):
            warn(text, UserWarning, stacklevel=depth + 2)

    def _keep_name(self, namespace: str | None, path: tuple[str, ...]) -> None:
        if len(self.tools) < _MOST_TOOLS:
            self.tools[namespace, path] = None

    def _names_for(self, option: str) -> Collection[str]:
        """The names that patterns of an option are compared with."""
        names: dict[str, None] = {}
        for namespace, path in self.tools:
            if option == "assert":
                names["/".join(filter(None, (namespace, ".".join(path))))] = None
            else:
                names.update(dict.fromkeys(names_of_command(path, namespace)))
        return names


def _find_hint(pattern: str, names: Collection[str]) -> str | None:
    """A hint at the name that a pattern was meant to match: one with a program or server before it, or a similar one.

    >>> _find_hint("rm", ["gh", "gh.rm"]), _find_hint("serch", ["github/search", "search"])
    ('did you mean "gh.rm"?', 'did you mean "search"?')
    """
    inner_name = ".".join(pattern.split())
    for name in names:
        if name.endswith((f".{inner_name}", f"/{inner_name}")):
            return f'did you mean "{name}"?'
    return suggestion(pattern, names)
