"""Whether a call that a model asks for may be carried out: a policy, the facts of the tool, and the arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from toolglot.converter.files.names import LONGEST_PATH
from toolglot.converter.hub.model import Arguments, Leaf, Tool
from toolglot.converter.safety import UNKNOWN, UNSAFE, Levels
from toolglot.converter.safety.caution_before_calls import COSTS, UNKNOWN_COST, levels_with_cost, with_constants
from toolglot.converter.schema.arguments import Inputs, find_shape_fault
from toolglot.converter.text.pointers import escape, pointer_of_path, walk_texts, without_keys
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError, describe_finding
from toolglot.runtime.bridge.command_line.given_arguments import find_conflicts
from toolglot.runtime.bridge.delegation import Delegation
from toolglot.runtime.bridge.naming import Commands, Tools, commands, unknown_tool
from toolglot.runtime.bridge.prompt import clean_line
from toolglot.runtime.bridge.violations import SHELL_CHARACTERS, Validation, Violation, name_value

if TYPE_CHECKING:
    from toolglot.runtime.bridge.compilation import Resolved

_TRUST = ("inferred", "user", "community", "org", "vendor", "native")  # lowest first
_MOST_ADVICE = 50
_SURROGATE = re.compile("[\ud800-\udbff]")  # those after them are how Python writes a byte that is no UTF-8
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")  # C:, file:, host:
_DRIVE = re.compile(r"[A-Za-z]:")


class Policy(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """What calls may do; what is not set is allowed. As JSON the fields are `allowDestructive` and so on.

    A field that is `True` also answers what a person would be asked about it, see `Session`. The last three are not in
    the ATIP reference bridge: it has no rule for tools that wait for a person, that run other programs, or of which
    nobody states what they change.

    >>> Policy(allow_destructive=False, max_cost_estimate="low").allow_network is None
    True
    """

    allow_destructive: bool | None = None
    allow_non_reversible: bool | None = None
    allow_billable: bool | None = None
    allow_network: bool | None = None
    allow_filesystem_write: bool | None = None
    allow_filesystem_delete: bool | None = None
    max_cost_estimate: Literal["free", "low", "medium", "high"] | None = None
    min_trust_level: Literal["inferred", "user", "community", "org", "vendor", "native"] | None = None
    allow_interactive: bool | None = None
    allow_subprocess: bool | None = None
    allow_unstated: bool | None = None

    @classmethod
    def from_json(cls, data: Any) -> Policy:
        """The policy that an object with the keys of the reference bridge states.

        Raises:
            UsageError: a key that is not known, or a value that is not one of its own (code `bad-policy`). A
                policy that is half understood would allow what somebody meant to forbid.

        >>> Policy.from_json({"allowDestuctive": False})
        Traceback (most recent call last):
        toolglot.errors.UsageError: 'allowDestuctive' is not a field of a policy; did you mean "allowDestructive"? \
[bad-policy]
        """
        if not isinstance(data, Mapping):
            raise UsageError(f"expected a policy as an object, found {type(data).__name__}", code="bad-policy")
        fields = cls.__struct_encode_fields__
        for key in data:
            if key not in fields:
                hint = suggestion(key, fields, f"the fields are {', '.join(fields)}")
                raise UsageError(f"{name_value(key)} is not a field of a policy", code="bad-policy", hint=hint)
        try:
            return msgspec.convert(dict(data), cls)
        except (msgspec.ValidationError, UnicodeError) as error:
            message = str(error)
            raise UsageError(message[:1].lower() + message[1:], code="bad-policy") from None


class _PolicyRule(NamedTuple):
    """A restriction of a policy that is `False`, and the facet that it speaks about."""

    field: str
    facet: str
    code: str
    severity: str
    words: str


# In the order of the reference bridge, which has the first six.
_RULES = (
    _PolicyRule("allow_destructive", "destructive", "DESTRUCTIVE_OPERATION", "error", "destroys data for good"),
    _PolicyRule("allow_non_reversible", "irreversible", "NON_REVERSIBLE_OPERATION", "error", "cannot be undone"),
    _PolicyRule("allow_billable", "billable", "BILLABLE_OPERATION", "error", "may incur costs"),
    _PolicyRule("allow_network", "network", "NETWORK_OPERATION", "warning", "uses the network"),
    _PolicyRule("allow_filesystem_write", "writes_files", "FILESYSTEM_WRITE", "warning", "writes files"),
    _PolicyRule("allow_filesystem_delete", "deletes_files", "FILESYSTEM_DELETE", "warning", "deletes files"),
)
_OWN_RULES = (
    _PolicyRule("allow_interactive", "interactive", "INTERACTIVE_OPERATION", "error", "waits for a person"),
    _PolicyRule("allow_subprocess", "executes", "SUBPROCESS_OPERATION", "error", "runs other programs"),
)


_UNSTATED_PATH = "it looks like a path, but the tool does not say that it is one"


class _Objection(NamedTuple):
    """What a `Violation` says beside whose call it is about."""

    code: str
    message: str
    severity: str = "error"
    pointer: str | None = None


class _Call(NamedTuple):
    """The name that was called, the command that it means, and what the command is called with."""

    name: str
    leaf: Leaf
    arguments: Any


class Validator:
    """Judges calls before they run. It collects every reason against a call, not only the first.

    Args:
        tools: as for `exposed`; the names are those that the model was given.
        policy: a `Policy`, or an object with the keys of the reference bridge (`allowDestructive`, ...).
        strict: whether a fact that the policy asks for and the tool does not state speaks against the call. By
            default silence is allowed, as in the reference bridge; but what nobody says to be free counts as metered.
        root: the folder in which path-typed arguments (format `file-path`, `directory-path` or `path`) have to
            stay; `None` lets them lead anywhere. Of a plain text nobody says whether it is a path: one that looks like
            one is advice (`PATH_NOT_COVERED`), and speaks against the call where it is `strict` and the path would
            leave the folder. A path inside a file or a URL is nobody's business here.
        delegation: rules of the ATIP RFC, section 10.2, as `Delegation` or as its object.

    Attributes:
        policy: what was given; one that says nothing allows everything.

    Raises:
        UsageError: tools, policy, root or delegation are not what they should be.

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
        self.policy = Policy.from_json(_fields(policy))
        self._strict = strict
        self._root = _root_as_text(root)
        if isinstance(delegation, Delegation):
            self._delegation = delegation
        else:
            rules = {} if delegation is None else delegation
            self._delegation = Delegation(rules, strict=strict)
        self._inputs: dict[tuple[str, ...], Inputs] = {}

    def judges(self, tools: Tools) -> bool:
        """Whether it knows every one of `tools` by its name, with the same facts.

        >>> safe, dangerous = Tool(id="rm"), Tool(id="rm", destructive=True)
        >>> Validator([safe]).judges([safe]), Validator([safe]).judges([dangerous])
        (True, False)
        """
        own_leaves = {name: dict(command.behind) for name, command in self._commands.items()}
        offered_leaves = {name: dict(command.behind) for name, command in commands(tools).items()}
        return all(own_leaves.get(name) == leaves for name, leaves in offered_leaves.items())

    def refuses(self, tool: Tool) -> bool:
        """Whether the policy is against every call of a tool, whatever its arguments are.

        >>> rm = Tool(id="rm", destructive=True)
        >>> Validator([rm], {"allowDestructive": False}).refuses(rm), Validator([rm]).refuses(rm)
        (True, False)
        """
        return any(self._judge_policy(tool))

    def validate(self, name: str | tuple[str, ...] | Resolved, arguments: Any = None) -> Validation:
        """Every reason against calling a tool with `arguments`, which the tool's own schema describes.

        A model's arguments are those after decoding: give what `Compiled.resolve` returns, alone or taken apart.
        Where one definition stands for several commands, its name will do too, with the argument that chooses one
        among the others; that command is judged.

        Violations come in this order: trust, the effects as the reference bridge has them, cost, input and programs,
        what nobody states, delegation, arguments, paths. A name or a choice that was never offered is the only
        violation of its call (`UNKNOWN_COMMAND`).

        Two things are advice and leave the call valid. `SHELL_METACHARACTERS`: an argument vector goes to no shell, so
        that these characters mean nothing, but a host may have one. `PATH_NOT_COVERED`: see `root`.

        What cannot be judged is a violation too; nothing is raised for what a model sent.
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
        about_arguments: Iterable[_Objection]
        advice: Iterable[_Objection]
        arguments = {} if call.arguments is None else call.arguments
        fault = find_shape_fault(arguments)
        if fault is None:
            about_arguments = [*self._judge_arguments(inputs, leaf, arguments)]
            advice = islice(self._advise(inputs, arguments), _MOST_ADVICE)
        else:
            arguments = {}
            about_arguments = [_Objection("ARGUMENTS_INVALID", fault.message, pointer=fault.pointer)]
            advice = []
        violations = [
            *_violations(call, self._judge_policy(leaf.tool)),
            *self._delegation.permits(leaf, arguments, call.name),
            *_violations(call, about_arguments),
        ]
        return Validation(tuple(violations), tuple(_violations(call, advice)))

    def _call_by_path(self, name: Any, arguments: Any) -> _Call | Violation:
        """The command of a path, or of a call that was resolved; what means several tools means none for sure."""
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

    def _judge_policy(self, tool: Tool) -> Iterator[_Objection]:
        stated_levels = levels_with_cost(tool)
        levels = with_constants(tool, stated_levels)
        yield from self._judge_trust(tool)
        yield from self._judge_effects(_RULES, levels, stated_levels)
        yield from self._judge_cost(levels["cost"], stated_levels["cost"])
        yield from self._judge_effects(_OWN_RULES, levels, stated_levels)
        if self.policy.allow_unstated is False and stated_levels["changes"] == UNKNOWN:
            message = "nobody states whether it changes anything, which the policy does not allow"
            yield _Objection("UNSTATED_EFFECTS", message)

    def _judge_trust(self, tool: Tool) -> Iterator[_Objection]:
        least_trust = self.policy.min_trust_level
        if least_trust is None or (tool.trust is None and not self._strict):
            return
        source = (tool.trust or {}).get("source")
        if source not in _TRUST or _TRUST.index(source) < _TRUST.index(least_trust):
            statement = "nothing"
            if source is not None:
                statement = f"`{clean_line(str(source), 40)}`"
            message = f"expected a source of `{least_trust}` or better, found {statement}"
            yield _Objection("TRUST_BELOW_THRESHOLD", message)

    def _judge_effects(
        self, rules: Iterable[_PolicyRule], levels: Levels, stated_levels: Levels
    ) -> Iterator[_Objection]:
        forbidden = {rule.facet for rule in rules if getattr(self.policy, rule.field) is False}
        # As in the reference bridge, what destroys and cannot be undone says both, though only one is asked about.
        refused_facets = set(forbidden)
        if "destructive" in forbidden and levels["destructive"] == UNSAFE:
            refused_facets.add("irreversible")
        for rule in rules:
            level = stated_levels[rule.facet]
            counts = self._strict or levels[rule.facet] == UNSAFE
            if level == UNSAFE and rule.facet in refused_facets:
                yield _Objection(rule.code, f"it {rule.words}, which the policy does not allow", rule.severity)
            elif level == UNKNOWN and counts and rule.facet in forbidden:
                message = f"nothing says that it does not do this: it {rule.words}"
                yield _Objection(rule.code, message, rule.severity)

    def _judge_cost(self, cost: int, stated_cost: int) -> Iterator[_Objection]:
        most = self.policy.max_cost_estimate
        if most is None or most == "high":
            return
        if stated_cost == UNKNOWN_COST:
            if self._strict or cost > COSTS[most]:
                yield _Objection("COST_EXCEEDS_LIMIT", f"nothing is stated about its cost; the limit is `{most}`")
        elif cost > COSTS[most]:
            word_of_cost = next(word for word, level in COSTS.items() if level == cost)
            yield _Objection("COST_EXCEEDS_LIMIT", f"its cost is `{word_of_cost}`; the limit is `{most}`")

    def _inputs_of(self, call: _Call) -> Inputs:
        key = call.name, *call.leaf.path
        if key not in self._inputs:
            self._inputs[key] = Inputs(call.leaf.tool)
        return self._inputs[key]

    def _judge_arguments(self, inputs: Inputs, leaf: Leaf, arguments: Arguments) -> Iterator[_Objection]:
        if not inputs.is_described and arguments and self._strict:
            yield _Objection("ARGUMENTS_INVALID", "nothing is stated about its arguments", pointer="")
        for fault in inputs.faults(arguments):
            yield _Objection("ARGUMENTS_INVALID", fault.message, pointer=fault.pointer)
        for pointer, path in inputs.paths(arguments):
            reason = _reason_outside(path, self._root)
            if reason is not None:
                yield _Objection("PATH_OUTSIDE_ROOT", f"the path is refused: {reason}", pointer=pointer)
        for pointer, text in self._unstated_paths(inputs, arguments) if self._strict else ():
            reason = _reason_outside(text, self._root)
            if reason is not None:
                message = f"{_UNSTATED_PATH}: as a path it is refused: {reason}"
                yield _Objection("PATH_NOT_COVERED", message, pointer=pointer)
        for conflict in find_conflicts(leaf, arguments):
            yield _Objection("ARGUMENTS_INVALID", conflict.message, pointer=conflict.pointer)

    def _unstated_paths(self, inputs: Inputs, arguments: Arguments) -> Iterator[tuple[str, str]]:
        """The texts that look like paths and that the tool does not call so, with their places; none without a root."""
        if not self._root:
            return
        pointers_of_paths = {pointer for pointer, _ in inputs.paths(arguments)}
        for path, text in walk_texts(arguments):
            pointer = pointer_of_path(path)
            if pointer not in pointers_of_paths and _looks_like_path(text):
                yield pointer, text

    def _advise(self, inputs: Inputs, arguments: Arguments) -> Iterator[_Objection]:
        for pointer, _ in self._unstated_paths(inputs, arguments):
            message = f"{_UNSTATED_PATH}: no rule about paths covers it"
            yield _Objection("PATH_NOT_COVERED", message, "advice", pointer)
        for path, text in walk_texts(arguments):
            if SHELL_CHARACTERS.search(text):
                message = "it holds characters that a shell would act on; start the program without one"
                yield _Objection("SHELL_METACHARACTERS", message, "advice", pointer_of_path(path))


def _choose_command(name: str, several: Commands, arguments: Any) -> _Call | Violation:
    """The command that an argument chooses, with the other arguments."""
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


def _violations(call: _Call, objections: Iterable[_Objection]) -> Iterator[Violation]:
    """Objections as what the caller is told: of which tool, and of which command of it."""
    for objection in objections:
        yield Violation(**objection._asdict(), tool_name=call.name, command_path=call.leaf.path[1:])


def _name_as_text(name: Any) -> str:
    """A name as text; what is no name by its type alone, because any value at all may stand there."""
    if isinstance(name, str):
        return name
    return type(name).__name__


def _fields(policy: Policy | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A policy as JSON data: nothing has checked the values of one that was made in Python."""
    if policy is None:
        return {}
    if not isinstance(policy, Policy):
        return policy
    return dict(zip(policy.__struct_encode_fields__, msgspec.structs.astuple(policy), strict=True))


def _root_as_text(root: Any) -> str | None:
    """The root as text.

    Raises:
        UsageError: it is not the path of a folder (code `bad-root`).
    """
    path = root.__fspath__() if isinstance(root, os.PathLike) else root
    if path is None or (isinstance(path, str) and "\0" not in path and not _SURROGATE.search(path)):
        return path
    raise UsageError(f"expected the path of a folder, found {name_value(path)}", code="bad-root")


# -- paths --------------------------------------------------------------------------------------------------------


def _reason_outside(path: str, root: str | os.PathLike[str] | None) -> str | None:
    """Why a path is not, or may not be, inside `root`; `None` where it is.

    Args:
        path: as a caller wrote it; relative paths begin at `root`. Written for the caller's system or another:
            a backslash or a drive letter is refused everywhere, because a program may run elsewhere than we do.
        root: a folder. Where it exists, links are followed. `None`: only what no path can hold is refused.

    >>> _reason_outside("notes/../../etc/passwd", "/srv/work")
    'it goes up with `..`'
    """
    if "\0" in path:
        return "it holds a NUL character"
    if root is None:
        return None
    if len(path) > LONGEST_PATH:
        return f"it has more than {LONGEST_PATH} characters"
    if "\\" in path:
        return "it holds a backslash, which parts folders on some systems; write `/`"
    if path.startswith("~"):
        return "it begins in a home folder"
    if _PREFIX.match(path):
        return "it begins with a drive, a host or a scheme"
    if ".." in path.split("/"):
        return "it goes up with `..`"
    return None if _is_below(path, os.path.abspath(root)) else "it leads elsewhere"


def _is_below(path: str, root: str) -> bool:
    """Compared as written and, where links could matter, as the system resolves it."""
    absolute = os.path.normpath(os.path.join(root, path))
    real = os.path.realpath(os.path.join(root, path))
    real_root = os.path.realpath(root)
    # An absolute path may name the root by a link or by what the link means.
    is_named_below = _contains(root, absolute) or _contains(real_root, absolute)
    return is_named_below and _contains(real_root, real)


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _looks_like_path(text: str) -> bool:
    """Whether a program may take a text for a path that leads out of the folder that it works in.

    >>> _looks_like_path("notes.txt"), _looks_like_path("../notes.txt"), _looks_like_path("file:///etc/passwd")
    (False, True, True)
    """
    return "/" in text or "\\" in text or text.startswith("~") or text == ".." or bool(_DRIVE.match(text))
