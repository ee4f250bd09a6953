"""What the parser of a framework knows about one command, as a tool of the hub."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from toolglot.converter.formats.kit.parameters import NamedParameter
from toolglot.converter.hub.model import AuthMethod, Example, Tool
from toolglot.converter.text.pointers import only_keys, without_empty, without_keys
from toolglot.errors import UsageError
from toolglot.runtime.agent.parsed_parameters import collect_parameters, join_sentences

_SUFFIX = re.compile(r"\.(?:py|pyw|pyz|exe)\Z")


class ParsedNotes(msgspec.Struct):
    """What the description of a program leaves out, to be told to whoever asked for it.

    Attributes:
        left_out: parameters, and why no call can give them.
        hidden: options that help leaves out, as their author wants it.
        broken: commands that cannot be described, and why.
    """

    left_out: list[str] = []
    hidden: list[str] = []
    broken: list[str] = []

    def lines(self, names_hidden: bool = False) -> list[str]:
        """The notes as lines for a person.

        Args:
            names_hidden: whether hidden options are named: for a person who asks for a report, and not for each caller.
        """
        unseen = [f"{option}: help leaves it out" for option in self.hidden if names_hidden]
        left_out = [f"left out of the description: {parameter}" for parameter in self.left_out + unseen]
        return left_out + [f"a command cannot be described: {command}" for command in self.broken]


@contextmanager
def blaming_program(what_fails: str) -> Iterator[None]:
    """Report an error that code of the program raises as a fault of the program, not of toolglot.

    Raises:
        UsageError: the code raised an error.
    """
    try:
        yield
    except Exception as error:
        raise UsageError(f"{what_fails}: {type(error).__name__}: {error}", code="bad-program") from error


class ArgumentsAbove(NamedTuple):
    """The positional arguments of the groups above a command; each call of the command has to give them.

    Attributes:
        parameters: the arguments in their order.
        levels: for each argument the depth of the group that it belongs to; 0 is the program.
        depth: the number of groups.
        takes_all: the name of an argument that takes any number of words, so that none is left for the command.
    """

    parameters: tuple[NamedParameter, ...] = ()
    levels: tuple[int, ...] = ()
    depth: int = 0
    takes_all: str | None = None

    @property
    def syntax(self) -> dict[str, Any]:
        """The levels, as a fact for `Tool.syntax`."""
        return {"behind": list(self.levels)} if self.levels else {}

    def with_group(self, parameters: Sequence[NamedParameter]) -> ArgumentsAbove:
        """These arguments, and those of one more group.

        A call of a command has to give even the optional ones: without a word of its own, an argument would take the
        name of the command.
        """
        own: list[NamedParameter] = []
        takes_all = None
        for parameter in parameters:
            if parameter.binding.kind == "argument":
                schema = without_keys(parameter.schema, "default")
                own.append(NamedParameter(parameter.name, schema, True, replace(parameter.binding, required=None)))
                if schema.get("type") == "array" and "maxItems" not in schema:
                    takes_all = parameter.name
        levels = (*self.levels, *[self.depth] * len(own))
        return ArgumentsAbove((*self.parameters, *own), levels, self.depth + 1, takes_all)


class ParsedCommand(NamedTuple):
    """What a parser knows about one command.

    Attributes:
        parameters: its parameters in their order, without those that print something and end, such as `--help`.
        children: the commands below it.
        statements: what people stated about it.
        alone: the arguments of a group that is called without one of its commands; `None` where it cannot be.
        facts: what else the parser knows, as fields of a tool, such as `prompts` and `stdin`.
        is_closed: whether the command refuses words that it does not know.
        alternatives: groups of names of parameters; of each group a call has to give exactly one.
        syntax: what is unusual in how its words are read; an empty value there says nothing.
        above: the positional arguments of the groups above it.
    """

    name: str
    description: str | None
    parameters: Sequence[NamedParameter] = ()
    children: tuple[Tool, ...] = ()
    statements: Mapping[str, Any] = {}
    alone: Sequence[NamedParameter] | None = None
    facts: Mapping[str, Any] = {}
    is_closed: bool = True
    alternatives: Sequence[Sequence[str]] = ()
    syntax: Mapping[str, Any] = {}
    above: ArgumentsAbove = ArgumentsAbove()

    def as_tool(self) -> Tool:
        """The command as a tool; a group that can be called without a command has a nameless child for that."""
        facts = {**_facts(self.statements), **self.facts}
        examples = tuple(Example(command=line) for line in self.statements.get("examples", ())) or None
        syntax = without_empty({**self.syntax, "one_of": [list(names) for names in self.alternatives]})
        if self.children:
            return self._as_group(facts, syntax, examples)
        inputs = collect_parameters([*self.above.parameters, *self.parameters], self.is_closed)
        if self.alternatives:
            inputs["inputs"]["oneOf"] = [{"required": [name]} for name in self.alternatives[0]]
        description = join_sentences(self.description, *map(_say_choice, self.alternatives[1:]))
        syntax |= self.above.syntax
        return Tool(id=self.name, description=description, examples=examples, syntax=syntax or None, **facts, **inputs)

    def _as_group(self, facts: dict[str, Any], syntax: dict[str, Any], examples: tuple[Example, ...] | None) -> Tool:
        """A group as a tool; its description says which options and arguments every command below it needs."""
        options = [parameter for parameter in self.parameters if parameter.binding.kind == "option"]
        arguments = [parameter for parameter in self.parameters if parameter.binding.kind != "option"]
        sentences = [self.description]
        if arguments:
            sentences.append(f"Its commands stand behind {', '.join(parameter.name for parameter in arguments)}")
        sentences += map(_say_choice, self.alternatives)
        children = self.children
        if self.alone is not None:
            above = self.above._replace(levels=self.above.with_group(self.alone).levels)
            alone = self._replace(name="", parameters=self.alone, children=(), alternatives=(), syntax={}, above=above)
            children = (alone.as_tool(), *children)
            examples = None
        return Tool(
            id=self.name,
            description=join_sentences(*sentences),
            children=children,
            examples=examples,
            syntax=syntax or None,
            **facts,
            **(collect_parameters(options, is_closed=False) if options else {}),
        )


def _say_choice(names: Sequence[str]) -> str:
    return f"One of {', '.join(names)} has to be given"


def _facts(statements: Mapping[str, Any]) -> dict[str, Any]:
    """The statements of people as fields of a tool."""
    facts: dict[str, Any] = {}
    for name, value in statements.get("effects", {}).items():
        facts[name] = tuple(value) if isinstance(value, list | tuple) else value
    methods: list[AuthMethod] = []
    for method, details in statements.get("auth", ()):
        more = dict(details)
        for word, field in (("required", "auth_required"), ("check", "auth_check")):
            if word in more:
                facts[field] = more.pop(word)
        if "scopes" in more:
            more["scopes"] = tuple(more["scopes"])
        if method is not None:
            methods.append(AuthMethod(type=method, **more))
    if methods:
        facts["auth_methods"] = tuple(methods)
    return facts


def as_program(tool: Tool, about: Mapping[str, str]) -> Tool:
    """The first command as the whole program; where it has commands, its options become those of every command."""
    name = about.get("name") or program_name(tool.id)
    fields: dict[str, Any] = only_keys(about, ("title", "homepage", "license"))
    if tool.children:
        fields.update(global_inputs=tool.inputs, global_bindings=tool.bindings, inputs=None, bindings=None)
    return replace(
        tool,
        id=name,
        version=about.get("version") or _installed_version(name),
        trust={"source": "native", "verified": False},
        **fields,
    )


def program_name(started_as: str) -> str:
    """The name of a program, by how it was started.

    >>> program_name("python -m notes"), program_name("/opt/notes.py"), program_name("notes")
    ('notes', 'notes', 'notes')
    """
    words = started_as.split() or ["program"]
    return _SUFFIX.sub("", re.split(r"[/\\]", words[-1])[-1])


def _installed_version(name: str) -> str | None:
    """The version of the distribution that installed a command, from its metadata."""
    from importlib.metadata import entry_points  # 24 ms that a program that states its version does without

    scripts = entry_points(group="console_scripts", name=name)
    versions = {script.dist.version for script in scripts if script.dist is not None}
    if len(versions) == 1:
        return versions.pop()
    return None
