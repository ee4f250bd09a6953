"""What a lead agent allows another agent to do: the delegation rules of the ATIP RFC, section 10.2.

    {"allowedTools": ["gh", "git"], "deniedCommands": ["gh repo delete"], "effectRestrictions": {"destructive": false}}

The RFC has this example and does not say how it is read. These are our rules, the cautious reading where there are two:

* A command is its words. `gh pr` means every command of which these are the first words, never `gh project`.
* What is denied stays denied, whatever is allowed. An absent list of allowed tools allows all, an empty one none.
* A tool of a server may be denied with its server: `github.search`, `github/search` or `github__search`.
* A denied command may end with flags (`git push --force`): then only calls that give them are denied. Short ones may
  stand together, there and in the arguments: `rm -rf` denies what gives both, in whatever spelling.
* A word that is no command of the program is looked for among the arguments: `kubectl delete namespace`.
* A command is no pattern: `git push *` is refused as a rule, because it would deny nothing.
* A text is read as a shell reads it, without quotes, backslashes and brackets. A denied command may begin at any word,
  because programs start others (`sudo git push`), behind any sign (`vim -c '!rm x'`), and with a path. Behind a flag it
  is not known which word is a command: `git -C . push --force`. A pattern in place of a name (`/bin/r?`) may be any
  program.
* An effect restriction names the worst value that is permitted: `destructive: false` permits what does not destroy,
  `reversible: true` only what can be undone, `network: true` everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, takewhile
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Arguments, Binding, Leaf, Tool
from toolglot.converter.hub.trees import cut, list_tools
from toolglot.converter.safety import UNKNOWN, UNSAFE, Levels
from toolglot.converter.safety.caution_before_calls import COSTS, UNKNOWN_COST, levels_with_cost
from toolglot.converter.schema.arguments import find_shape_fault
from toolglot.converter.text.pointers import walk_texts, without_nulls
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.runtime.bridge.naming import exposed, leaf_of
from toolglot.runtime.bridge.stated_objects import read_fields
from toolglot.runtime.bridge.violations import SHELL_CHARACTERS, Objection, Violation, name_value


class _Effect(NamedTuple):
    path: str  # in ATIP's `effects`
    facet: str
    words: str
    refuses: bool = False  # the value of the restriction that refuses the effect


_EFFECTS = {
    effect.path: effect
    for effect in (
        _Effect("destructive", "destructive", "destroys data"),
        _Effect("reversible", "irreversible", "cannot be undone", refuses=True),
        _Effect("idempotent", "unrepeatable", "does something else when repeated", refuses=True),
        _Effect("network", "network", "uses the network"),
        _Effect("subprocess", "executes", "runs other programs"),
        _Effect("filesystem.read", "reads_files", "reads files"),
        _Effect("filesystem.write", "writes_files", "writes files"),
        _Effect("filesystem.delete", "deletes_files", "deletes files"),
        _Effect("cost.billable", "billable", "may incur costs"),
        _Effect("interactive", "interactive", "asks for input"),
    )
}
_ESTIMATE = "cost.estimate"
_KEYS = ("allowedTools", "deniedCommands", "effectRestrictions")
_TOGETHER = re.compile(r"-[a-z0-9]{2,}", re.ASCII)  # short flags in one word
_PATTERN = re.compile(r"[*?\[\](){}]")  # what shells and the rules of other clients read as more than a word
_FIRST_PATTERN = re.compile(rf"\s*\S*{_PATTERN.pattern}")
_SIGNS = re.compile(r"[^\w./\\-]+")  # behind which programs and shells read a command, or another word
_QUOTING = str.maketrans("", "", "\"'\\(){}[],")  # in a word, of which a shell makes what is left
_FOLDERS = re.compile(r".*[/\\]", re.DOTALL)  # in which a program is
_LONGEST = 8  # words of a command that are held to their order; of the others it is enough that they are there


class Delegation:
    """Parsed delegation rules.

    Args:
        rules: `allowedTools`, `deniedCommands`, `effectRestrictions`, or an object that has them under `delegation`.
        strict: whether a restricted effect is also refused where a description does not mention it.

    Raises:
        UsageError: a key or an effect is unknown, or a value has another type (code `bad-delegation`).

    >>> rules = Delegation({"allowedTools": ["gh"], "deniedCommands": ["gh repo delete"]})
    >>> gh = Tool(id="gh", children=(Tool(id="repo", children=(Tool(id="list"), Tool(id="delete"))),))
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> [leaf.path for tool in rules.filter([gh]) for leaf in leaves_of(tool)]
    [('gh', 'repo', 'list')]
    >>> [found.code for found in rules.permits("git push")]
    ['TOOL_NOT_ALLOWED']
    """

    def __init__(self, rules: Mapping[str, Any], strict: bool = False) -> None:
        fields = read_fields(rules, _KEYS, "an object of rules", "a delegation rule", "bad-delegation", "delegation")
        rules = without_nulls(fields)
        self._allowed_commands: list[tuple[str, ...]] | None = None
        if "allowedTools" in rules:
            self._allowed_commands = _parse_commands(rules["allowedTools"], "allowedTools")
        self._denied_commands = _parse_commands(rules.get("deniedCommands", []), "deniedCommands")
        self._effects, self._most = _parse_restrictions(rules.get("effectRestrictions", {}))
        self._strict = strict

    def permits(
        self, tool: Leaf | str, arguments: Mapping[str, Any] | None = None, name: str | None = None
    ) -> list[Violation]:
        """The violations of a command; empty where it is delegated.

        Args:
            tool: a leaf, or a command as words with flags. The effects of words are unknown, so every restriction of
                effects refuses them. Words that are several commands to a shell are not delegated.
            arguments: the arguments of the call, for denied commands with flags or other arguments. Without arguments
                such a command is not denied.
            name: the name of the tool in the violations; by default its path, joined by `_`.

        Raises:
            UsageError: `tool` is neither a leaf nor words (code `bad-tools`).
        """
        if isinstance(tool, str):
            leaf = Leaf(tuple(tool.split()), "", Tool(id=tool), ())  # of which nothing is known but its words
            readings = [tool, _SIGNS.sub(" ", tool), tool.translate(_QUOTING)]
        else:
            leaf = leaf_of(tool)
            readings = []
        name = name or "_".join(leaf.path)
        if arguments is None:
            arguments = {}
        elif isinstance(arguments, Mapping):
            arguments = dict(arguments)
        objections = list(self._judge_path(leaf.path))
        fault = find_shape_fault(arguments)
        if fault is None:
            objections += self._judge_command(leaf, readings, arguments, name)
        else:
            objections.append(Objection("ARGUMENTS_INVALID", fault.message))
        if isinstance(tool, str):
            objections += self._judge_words(tool)
        else:
            objections += self._judge_effects(levels_with_cost(leaf.tool))
        return [objection.about(name, leaf) for objection in objections]

    def filter(self, tools: Tool | Iterable[Tool]) -> list[Tool]:
        """The tools with only their delegated commands; a tool without any is left out.

        Raises:
            UsageError: `tools` are no hub tools (code `bad-tools`).
        """
        delegated_tools: list[Tool] = []
        for tool in list_tools(tools):
            pointers = {leaf.pointer for leaf in exposed([tool]).values() if not self.permits(leaf)}
            if pointers:
                delegated_tools.append(cut(tool, pointers).tool)
        return delegated_tools

    def _judge_path(self, path: tuple[str, ...]) -> Iterator[Objection]:
        if self._allowed_commands is None or any(_is_prefix(path, words) for words in self._allowed_commands):
            return
        yield Objection("TOOL_NOT_ALLOWED", f"`{' '.join(path)}` is not among the tools that are delegated")

    def _judge_command(self, leaf: Leaf, readings: list[str], arguments: Arguments, name: str) -> Iterator[Objection]:
        commands = [tuple(" ".join(leaf.path).casefold().split())]
        commands += dict.fromkeys(chain.from_iterable(map(_commands_in, readings)))
        names = set(map(_fold_name, _names_of(leaf, name)))
        given_words = _words_of_call(leaf.tool, arguments) | _words_of_text(" ".join(readings))
        for denied in self._denied_commands:
            denied_words = tuple(word.casefold() for word in denied)
            # A text may have as many commands as words: only those of the program that is denied are looked at.
            of_program = [command for command in commands if command[:1] == denied_words[:1]] or commands[:1]
            is_meant = any(_is_meant(denied_words, command, given_words) for command in of_program)
            if is_meant or _fold_name(" ".join(denied)) in names:
                yield Objection("COMMAND_DENIED", f"`{' '.join(denied)}` is denied")

    def _judge_words(self, words: str) -> Iterator[Objection]:
        is_shell = SHELL_CHARACTERS.search(words) or _FIRST_PATTERN.match(words)
        if is_shell and (self._denied_commands or self._allowed_commands is not None):
            yield Objection(
                "TOOL_NOT_ALLOWED", "a shell may take it for other commands, or for several; ask about each"
            )
        for key in (*self._effects, *((_ESTIMATE,) if self._restricts_cost else ())):
            yield Objection("EFFECT_RESTRICTED", f"nothing is known about `{key}`")

    def _judge_effects(self, levels: Levels) -> Iterator[Objection]:
        for key in self._effects:
            effect = _EFFECTS[key]
            if levels[effect.facet] == UNSAFE:
                yield Objection("EFFECT_RESTRICTED", f"it {effect.words}, which is not delegated")
            elif self._strict and levels[effect.facet] == UNKNOWN:
                yield Objection("EFFECT_RESTRICTED", f"nothing is stated about `{key}`, which is restricted")
        cost = levels["cost"]
        if cost == UNKNOWN_COST and self._strict and self._restricts_cost:
            yield Objection("EFFECT_RESTRICTED", f"nothing is stated about `{_ESTIMATE}`, which is restricted")
        elif cost != UNKNOWN_COST and cost > self._most:
            yield Objection("EFFECT_RESTRICTED", "its cost is above what is delegated")

    @property
    def _restricts_cost(self) -> bool:
        return self._most < COSTS["high"]


def _is_prefix(path: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return path[: len(words)] == words or path[:1] == (" ".join(words),)


def _names_of(leaf: Leaf, name: str) -> Iterator[str]:
    """The names of a command as one word, which may stand for several commands; with and without its server."""
    joined = "_".join(leaf.path)
    yield from (name, joined)
    if leaf.tool.namespace:
        yield from (f"{leaf.tool.namespace}{mark}{joined}" for mark in ("__", ".", "/"))


def _fold_name(name: str) -> str:
    """A name without case and separators, which people confuse. To deny too much is the lesser fault."""
    return name.casefold().replace("-", "_")


def _words_of_call(tool: Tool, arguments: Arguments) -> set[str]:
    """The words of a call: the flags of its options, and every word of every text."""
    bindings = {**(tool.global_bindings or {}), **(tool.bindings or {})}
    values = {key: value for key, value in arguments.items() if not _is_absent(value)}
    words: set[str] = set()
    for key in values:
        flags = bindings.get(key, Binding()).flags or (f"--{key}",)
        words.update(map(_fold_word, flags))
    for _, text in walk_texts(values):
        words |= _words_of_text(text)
    return words


def _commands_in(text: str) -> Iterator[tuple[str, ...]]:
    """The possible commands in a text, each from a word that may be a program up to the next flag.

    >>> list(_commands_in("X=1 /bin/Git push --force origin"))
    [('x=1', '/bin/git', 'push'), ('git', 'push'), ('push',), ('origin',)]
    """
    words = text.casefold().split()
    for index, word in enumerate(words):
        behind = takewhile(lambda other: not other.startswith("-"), words[index + 1 : index + _LONGEST])
        if not word.startswith("-"):
            yield _FOLDERS.sub("", word), *behind


def _words_of_text(text: str) -> set[str]:
    words = set(map(_fold_word, text.split()))
    return words.union(*map(_split_short_flags, words))


def _is_absent(value: Any) -> bool:
    """Whether an argument adds nothing to a command line."""
    return value is None or value is False or value == []


def _is_meant(denied_words: tuple[str, ...], own: tuple[str, ...], given_words: set[str]) -> bool:
    """Whether a denied command is this command, and the call gives its further words."""
    count = 0
    for word in denied_words[: len(own)]:
        if word.startswith("-"):
            break
        count += 1
    return own[:count] == denied_words[:count] and all(_is_given(word, given_words) for word in denied_words[count:])


def _is_given(word: str, given_words: set[str]) -> bool:
    bare = _fold_word(word)
    short_flags = _split_short_flags(bare)
    return bare in given_words or (bool(short_flags) and given_words.issuperset(short_flags))


def _split_short_flags(word: str) -> list[str]:
    """Short flags that stand together, one by one; empty for any other word.

    >>> _split_short_flags("-rf"), _split_short_flags("--force"), _split_short_flags("-r")
    (['-r', '-f'], [], [])
    """
    if _TOGETHER.fullmatch(word):
        return [f"-{letter}" for letter in word[1:]]
    return []


def _fold_word(word: str) -> str:
    """A word, or a flag without its value, in lower case. To deny too much is the lesser fault."""
    lower_word = word.casefold()
    if lower_word.startswith("-"):
        return lower_word.partition("=")[0]
    return lower_word


def _parse_commands(value: Any, key: str) -> list[tuple[str, ...]]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item.split() for item in value):
        raise _delegation_error(f"expected `{key}` to be a list of commands")
    for item in value:
        if _PATTERN.search(item):
            raise _delegation_error(
                f"`{key}` has a pattern, {name_value(item)}, which no command would match",
                "write the words of a command; they stand for every command that begins with them",
            )
    return [tuple(item.split()) for item in value]


def _parse_restrictions(restrictions: Any) -> tuple[list[str], int]:
    """The refused effects, and the highest permitted level of cost."""
    if not isinstance(restrictions, Mapping):
        raise _delegation_error("expected `effectRestrictions` to be an object of effects")
    refused_effects, most = [], COSTS["high"]
    for key, value in _flatten(restrictions):
        if key == _ESTIMATE and isinstance(value, str) and value in COSTS:
            most = COSTS[value]
        elif key == _ESTIMATE:
            raise _delegation_error(f"expected one of {', '.join(COSTS)} for `{key}`, found {name_value(value)}")
        elif key not in _EFFECTS:
            effects = (*_EFFECTS, _ESTIMATE)
            hint = suggestion(key, effects, f"known are {', '.join(effects)}")
            raise _delegation_error(f"{key!r} is not an effect that can be restricted", hint)
        elif not isinstance(value, bool):
            raise _delegation_error(f"expected true or false for `{key}`, found {name_value(value)}")
        elif value is _EFFECTS[key].refuses:
            refused_effects.append(key)
    return refused_effects, most


def _flatten(restrictions: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in restrictions.items():
        if not isinstance(key, str):
            key = name_value(key)
        if isinstance(value, Mapping) and not prefix:
            yield from _flatten(value, f"{key}.")
        else:
            yield f"{prefix}{key}", value


def _delegation_error(message: str, hint: str | None = None) -> UsageError:
    return UsageError(message, code="bad-delegation", hint=hint)
