"""Whether a call may be carried out: by a policy, by the facts of the tool, and by its arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from toolglot.converter.hub.model import Arguments, Leaf, Tool
from toolglot.converter.schema.arguments import Inputs, find_shape_fault
from toolglot.converter.text.pointers import escape, pointer_of_path, walk_texts, without_keys
from toolglot.errors import describe_finding
from toolglot.runtime.bridge.command_line.given_arguments import find_conflicts
from toolglot.runtime.bridge.delegation import Delegation
from toolglot.runtime.bridge.naming import Commands, Tools, commands
from toolglot.runtime.bridge.path_bounds import looks_like_path, reason_outside, root_as_text
from toolglot.runtime.bridge.policy import Policy, judge_policy, read_policy
from toolglot.runtime.bridge.prompt import clean_line
from toolglot.runtime.bridge.unknown_names import unknown_tool
from toolglot.runtime.bridge.violations import SHELL_CHARACTERS, Objection, Validation, Violation

if TYPE_CHECKING:
    from toolglot.runtime.bridge.compilation import Resolved

_MOST_ADVICE = 50


_UNSTATED_PATH = "it looks like a path, but the tool does not say that it is one"


class _Call(NamedTuple):
    """The name that was called, the command that it means, and the arguments."""

    name: str
    leaf: Leaf
    arguments: Any

    def violation(self, objection: Objection) -> Violation:
        """An objection as a violation by this call."""
        return objection.about(self.name, self.leaf)


class Validator:
    """Validates calls before they run. It collects every violation, not only the first.

    Args:
        tools: as in `exposed`; the names are those that the model was given.
        policy: a `Policy`, or an object with the keys of the reference bridge (`allowDestructive`, ...).
        strict: whether a restricted fact that the tool does not state is a violation. By default silence is allowed, as
            in the reference bridge; but a tool that nobody calls free counts as metered.
        root: the folder in which path-typed arguments (format `file-path`, `directory-path` or `path`) have to stay;
            `None`: they may lead anywhere. A plain text that looks like a path is advice (`PATH_NOT_COVERED`); it is a
            violation with `strict`, if the path would leave the folder. Paths inside of files or URLs are not checked.
        delegation: rules of the ATIP RFC, section 10.2, as `Delegation` or as its object.

    Attributes:
        policy: the policy; one without any field allows everything.

    Raises:
        UsageError: tools, policy, root or delegation are wrong.

    >>> rm = Tool(id="rm", destructive=True, inputs={"type": "object", "properties": {"n": {"type": "integer"}}})
    >>> found = Validator([rm], {"allowDestructive": False}).validate("rm", {"n": "all"})
    >>> [(violation.code, violation.pointer) for violation in found.violations]
    [('DESTRUCTIVE_OPERATION', None), ('ARGUMENTS_INVALID', '/n')]
    """

    def __init__(
        self,
        tools: Tools,
        policy: Policy | Mapping[str, Any] | None = None,
        strict: bool = False,
        *,
        root: str | os.PathLike[str] | None = None,
        delegation: Delegation | Mapping[str, Any] | None = None,
    ) -> None:
        self._commands = commands(tools)
        self.policy = read_policy(policy)
        self._strict = strict
        self._root = root_as_text(root)
        if isinstance(delegation, Delegation):
            self._delegation = delegation
        else:
            rules = {} if delegation is None else delegation
            self._delegation = Delegation(rules, strict=strict)
        self._inputs: dict[tuple[str, ...], Inputs] = {}

    def judges(self, tools: Tools) -> bool:
        """Whether it knows all of these tools by their names, with the same facts.

        >>> safe, dangerous = Tool(id="rm"), Tool(id="rm", destructive=True)
        >>> Validator([safe]).judges([safe]), Validator([safe]).judges([dangerous])
        (True, False)
        """
        own_leaves = {name: dict(command.behind) for name, command in self._commands.items()}
        offered_leaves = {name: dict(command.behind) for name, command in commands(tools).items()}
        return all(own_leaves.get(name) == leaves for name, leaves in offered_leaves.items())

    def refuses(self, tool: Tool) -> bool:
        """Whether the policy refuses every call of a tool, whatever the arguments are.

        >>> rm = Tool(id="rm", destructive=True)
        >>> Validator([rm], {"allowDestructive": False}).refuses(rm), Validator([rm]).refuses(rm)
        (True, False)
        """
        return any(judge_policy(self.policy, tool, self._strict))

    def validate(self, name: str | tuple[str, ...] | Resolved, arguments: Any = None) -> Validation:
        """The violations of a call with these arguments, which are those of the tool's own schema.

        Arguments of a model have to be decoded first: give the result of `Compiled.resolve`, as it is or its parts. For
        a definition of several commands, its name and the argument that chooses one are enough.

        Violations stand in this order: trust, the effects in the order of the reference bridge, cost, input and
        programs, unstated effects, delegation, arguments, paths. For an unknown name or choice there is only one
        violation (`UNKNOWN_COMMAND`).

        Two codes are advice and leave the call valid. `SHELL_METACHARACTERS`: an argument vector goes to no shell,
        where these characters would have a meaning, but the host may have one. `PATH_NOT_COVERED`: see `root`.

        Arguments that cannot be judged are a violation. No input of a model raises an exception.
        """
        if isinstance(name, str):
            call = self._call_by_name(name, arguments)
        else:
            call = self._call_by_path(name, arguments)
        if isinstance(call, Violation):
            return Validation((call,))
        return self._judge(call)

    def _judge(self, call: _Call) -> Validation:
        leaf, inputs = call.leaf, self._inputs_of(call)
        about_arguments: Iterable[Objection]
        advice: Iterable[Objection]
        arguments = {} if call.arguments is None else call.arguments
        fault = find_shape_fault(arguments)
        if fault is None:
            about_arguments = [*self._judge_arguments(inputs, leaf, arguments)]
            advice = islice(self._advise(inputs, arguments), _MOST_ADVICE)
        else:
            arguments = {}
            about_arguments = [Objection("ARGUMENTS_INVALID", fault.message, pointer=fault.pointer)]
            advice = []
        violations = [
            *map(call.violation, judge_policy(self.policy, leaf.tool, self._strict)),
            *self._delegation.permits(leaf, arguments, call.name),
            *map(call.violation, about_arguments),
        ]
        return Validation(tuple(violations), tuple(map(call.violation, advice)))

    def _call_by_path(self, name: Any, arguments: Any) -> _Call | Violation:
        """The command of a path or of a resolved call; an ambiguous path means none."""
        leaf = getattr(name, "leaf", None)
        path = leaf.path if isinstance(leaf, Leaf) else name
        if isinstance(leaf, Leaf) and arguments is None:
            arguments = getattr(name, "arguments", None)
        if not isinstance(path, tuple):
            return self._unknown_violation(_name_as_text(name))
        matches: list[tuple[str, Leaf]] = []
        for command_name, several in self._commands.items():
            matches += [(command_name, one) for _, one in several.behind if one.path == path]
        if leaf is not None and len(matches) > 1:
            matches = [(command_name, one) for command_name, one in matches if one.tool == leaf.tool]
        if len(matches) != 1:
            return self._unknown_violation(" ".join(map(_name_as_text, path)))
        return _Call(*matches[0], arguments)

    def _call_by_name(self, name: str, arguments: Any) -> _Call | Violation:
        if name not in self._commands:
            return self._unknown_violation(name)
        several = self._commands[name]
        if several.members:
            return _choose_command(name, several, arguments)
        return _Call(name, several.leaf, arguments)

    def _unknown_violation(self, name: str) -> Violation:
        name = clean_line(name, 100)
        unknown = unknown_tool(name, self._commands)
        message = describe_finding(unknown.message, "", unknown.hint)
        return Violation(code="UNKNOWN_COMMAND", message=message, tool_name=name)

    def _inputs_of(self, call: _Call) -> Inputs:
        key = call.name, *call.leaf.path
        if key not in self._inputs:
            self._inputs[key] = Inputs(call.leaf.tool)
        return self._inputs[key]

    def _judge_arguments(self, inputs: Inputs, leaf: Leaf, arguments: Arguments) -> Iterator[Objection]:
        if not inputs.is_described and arguments and self._strict:
            yield Objection("ARGUMENTS_INVALID", "nothing is stated about its arguments", pointer="")
        for fault in inputs.faults(arguments):
            yield Objection("ARGUMENTS_INVALID", fault.message, pointer=fault.pointer)
        for pointer, path in inputs.paths(arguments):
            reason = reason_outside(path, self._root)
            if reason is not None:
                yield Objection("PATH_OUTSIDE_ROOT", f"the path is refused: {reason}", pointer=pointer)
        for pointer, text in self._unstated_paths(inputs, arguments) if self._strict else ():
            reason = reason_outside(text, self._root)
            if reason is not None:
                message = f"{_UNSTATED_PATH}: as a path it is refused: {reason}"
                yield Objection("PATH_NOT_COVERED", message, pointer=pointer)
        for conflict in find_conflicts(leaf, arguments):
            yield Objection("ARGUMENTS_INVALID", conflict.message, pointer=conflict.pointer)

    def _unstated_paths(self, inputs: Inputs, arguments: Arguments) -> Iterator[tuple[str, str]]:
        """The plain texts that look like paths, with their places; empty without a root."""
        if not self._root:
            return
        pointers_of_paths = {pointer for pointer, _ in inputs.paths(arguments)}
        for path, text in walk_texts(arguments):
            pointer = pointer_of_path(path)
            if pointer not in pointers_of_paths and looks_like_path(text):
                yield pointer, text

    def _advise(self, inputs: Inputs, arguments: Arguments) -> Iterator[Objection]:
        for pointer, _ in self._unstated_paths(inputs, arguments):
            message = f"{_UNSTATED_PATH}: no rule about paths covers it"
            yield Objection("PATH_NOT_COVERED", message, "advice", pointer)
        for path, text in walk_texts(arguments):
            if SHELL_CHARACTERS.search(text):
                message = "it holds characters that a shell would act on; start the program without one"
                yield Objection("SHELL_METACHARACTERS", message, "advice", pointer_of_path(path))


def _choose_command(name: str, several: Commands, arguments: Any) -> _Call | Violation:
    """The command that an argument chooses, with the remaining arguments."""
    value = arguments.get(several.chooser) if type(arguments) is dict else None
    if isinstance(value, str) and value in several.members:
        others = without_keys(arguments, several.chooser)
        return _Call(name, several.members[value], others)
    choices = ", ".join(f"`{clean_line(member, 40)}`" for member in list(several.members)[:10])
    return Violation(
        code="UNKNOWN_COMMAND",
        message=f"`{clean_line(several.chooser, 40)}` chooses no command; known are {choices}",
        tool_name=name,
        pointer=f"/{escape(several.chooser)}",
    )


def _name_as_text(name: Any) -> str:
    """A name as text; any other value by its type alone, because it may be anything."""
    if isinstance(name, str):
        return name
    return type(name).__name__
