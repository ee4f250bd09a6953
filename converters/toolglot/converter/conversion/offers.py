"""How tools are offered to a provider: the options, the modes, and one tool in a request."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from toolglot.converter.conversion.selection import EVERYTHING, Choice
from toolglot.converter.fitting.provider_names import Original, allot
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.formats import Format
from toolglot.converter.formats.kit.tool_ids import UNQUALIFIED, Name, Naming, Qualifier, function_name
from toolglot.converter.hub.model import Binding, JsonSchema, Leaf, LeafBase, Parameters, Tool, options_of, to_json
from toolglot.converter.hub.trees import join_parameters, unsaid_keywords
from toolglot.converter.text.pointers import only_keys
from toolglot.errors import UsageError

if TYPE_CHECKING:
    from toolglot.converter.fitting.argument_codec import Fitted
    from toolglot.converter.fitting.commands_as_one_tool import Member

Flatten = Literal["discrete", "group", "action"]
FLATTEN: tuple[str, ...] = get_args(Flatten)
SafetyText = Literal["flags", "full"]
SAFETY_TEXTS: tuple[str, ...] = get_args(SafetyText)
OwnDefinitions = Literal["as-read", "if-valid"]
"""Which definitions of the provider's own format stay exactly as they are, unless the options ask for something: all of
them, as in a document that is converted; or those that obey the rules, and whose name no other one has, as in a request
that the provider has to take."""


class OfferOptions(msgspec.Struct, frozen=True):
    """The options for offering tools.

    Attributes:
        strict: whether the provider is asked to hold its models to the schema; `None`: the provider's default, no.
        profile: a variant of the provider's rules, such as those of a cloud; `None`: the provider itself.
        flatten: `"discrete"`: one definition for each command. `"group"` and `"action"`: one for each group, or one
            for the program, with the command as a parameter.
        examples: whether the description has the examples, where the provider has no field for them.
        safety_text: `"flags"`: the RFC's flags, and words for deletion, running programs and approval, which have no
            flag. `"full"`: words for every danger. `None`: the default of the format.
        with_globals: whether a command also has the options of its program and its groups.
        compact: whether schemas leave out what tells a model nothing: titles that repeat the key or the description,
            and keywords whose value says as much as their absence, such as `required: []`.
        choice: which commands are offered.
    """

    strict: bool | None = None
    profile: str | None = None
    flatten: Flatten = "discrete"
    examples: bool = False
    safety_text: SafetyText | None = None
    with_globals: bool = False
    compact: bool = False
    choice: Choice = EVERYTHING

    @property
    def asks_for_changes(self) -> bool:
        """Whether a definition in the provider's own format has to be written anew, for another schema or text."""
        has_other_schema = self.strict is not None or self.profile is not None or self.with_globals or self.compact
        return has_other_schema or self.flatten != "discrete" or self.safety_text is not None


class TargetRequest(msgspec.Struct, frozen=True):
    """What tools are to be written as.

    Attributes:
        target: the format.
        version: the version of the format; `None`: the newest.
        options: how the tools are offered to a provider.
        own_definitions: which definitions in the provider's own format stay as they are.
        naming: what can be added to ids; default: what the tools say of themselves, where ids would be equal.
        include_hidden: whether tools and options are offered that are hidden from models or from help.
    """

    target: Format
    version: str | None = None
    options: OfferOptions = OfferOptions()
    own_definitions: OwnDefinitions = "as-read"
    naming: Naming | None = None
    include_hidden: bool = False

    @property
    def shows_hidden(self) -> bool:
        return self.include_hidden or self.options.choice.include_hidden

    def hides(self, leaf: Leaf) -> bool:
        """Whether a command is left out, because it is hidden from models and the target cannot say so."""
        is_for_model = self.own_definitions == "if-valid" or "hidden" not in self.target.holds
        return leaf.hidden and is_for_model and not self.shows_hidden


class Offer(LeafBase, msgspec.Struct, frozen=True):
    """One tool as a request offers it.

    Attributes:
        leaf: the callable node.
        name: the name for the provider.
        mode: `"strict"`, `"loose"`, or `"excluded"` where no schema of the provider fits; empty before it is decided.
        reason: why the mode is not the requested one; `None` where it is.
        fitted: the fitted schema and the codec of the arguments; `None` for a definition that stays as it was.
        members: the commands behind a definition that stands for several.
        chooser: the name of the parameter that chooses among the members.
        left_out: commands that the definition does not stand for, each with the reason.
        examples: whether the description has the examples.
        short_text: whether the description has only the dangers that every target has to say.
        qualifier: what is added to the path in the name.
        version: the version of the target for a definition that is written anew; `None`: the newest.
        leaves: the commands of a program or a group that was requested as one definition.
    """

    leaf: Leaf
    name: str = ""
    mode: str = ""
    reason: str | None = None
    fitted: Fitted | None = None
    members: tuple[Member, ...] = ()
    chooser: str = ""
    left_out: tuple[tuple[Leaf, str], ...] = ()
    examples: bool = False
    short_text: bool = False
    qualifier: Qualifier = UNQUALIFIED
    version: str | None = None
    leaves: tuple[Leaf, ...] = ()

    @property
    def schema(self) -> JsonSchema | None:
        """The schema of the arguments that is sent to the provider; `None` where none is sent."""
        return self.fitted.schema if self.fitted else self.leaf.tool.inputs

    @property
    def behind(self) -> list[Leaf]:
        """The commands that a call of this definition can reach."""
        return [member.leaf for member in self.members] or [self.leaf]


class ProviderModes(msgspec.Struct, frozen=True):
    """The rules of a provider in each mode; `strict` is `None` where it has no strict mode."""

    strict: ProviderRules | None
    loose: ProviderRules


def find_modes(target: Format, version: str | None, profile: str | None) -> ProviderModes:
    """The rules of a provider, strict (where there is such a mode) and loose.

    Raises:
        UsageError: the provider has no such profile for this version of its format.
    """
    version = version or target.writes[-1]
    rows = [row for row in target.provider.profiles if version in row.versions]
    profiles = list(dict.fromkeys(row.profile for row in rows))
    name = profiles[0] if profile is None else profile
    if name not in profiles:
        message = f"{target.name}@{version} has no profile {name!r}; choose one of {', '.join(profiles)}"
        raise UsageError(message, code="unknown-profile")
    rows_by_mode = {row.strict: row for row in rows if row.profile == name}
    return ProviderModes(rows_by_mode.get(True), rows_by_mode[False])


def naming_of(tools: Iterable[Tool]) -> Naming:
    """What can be added to the names of tools, by what the tools say of themselves."""
    return Naming([Qualifier(tool.namespace, tool.major) for tool in tools])


def with_globals(leaf: Leaf) -> Leaf:
    """The command with the options of its program and its groups as parameters of its own.

    Of two parameters with one name its own is offered. The other one is left to the host, and so are conditions that no
    joint schema can say.
    """
    tool = leaf.tool
    if tool.global_inputs is None:
        return leaf
    own = Parameters(inputs_of(leaf), tool.bindings)
    inputs, bindings = join_parameters(own, Parameters(tool.global_inputs, tool.global_bindings))
    own_properties = (own.inputs or {}).get("properties", ())
    shared_properties = tool.global_inputs.get("properties") or {}
    own_globals = only_keys(shared_properties, own_properties)
    host_inputs: JsonSchema | None = None
    host_bindings: dict[str, Binding] | None = None
    unsaid = _unsaid_above(leaf, own.inputs or {})
    if own_globals:
        host_inputs = {**unsaid, **tool.global_inputs, "properties": own_globals, "required": []}
        host_bindings = only_keys(tool.global_bindings or {}, own_globals) or None
    elif unsaid:
        host_inputs = unsaid
    new_tool = replace(tool, inputs=inputs, bindings=bindings, global_inputs=host_inputs, global_bindings=host_bindings)
    return replace(leaf, tool=new_tool)


def _unsaid_above(leaf: Leaf, own: JsonSchema) -> JsonSchema:
    """The conditions on options of the program or a group that the joint schema does not say."""
    levels: list[JsonSchema | None] = [leaf.tool.global_inputs]
    for node in reversed(leaf.ancestors):
        levels += [options_of(node).inputs, node.global_inputs]
    unsaid: list[JsonSchema] = []
    nearer = dict(own.get("properties") or {})
    for level in filter(None, levels):
        keywords = unsaid_keywords(level, {"properties": nearer})
        if keywords and keywords not in unsaid:
            unsaid.append(keywords)
        if level is not leaf.tool.global_inputs:  # which has the names of all levels
            nearer.update(level.get("properties") or {})
    if len(unsaid) > 1:
        return {"allOf": unsaid}
    return unsaid[0] if unsaid else {}


def qualifiers_of(leaves_of_tools: Iterable[Iterable[Leaf]], naming: Naming) -> list[Qualifier]:
    """What has to be added to the names of leaves whose paths are not unique."""
    return naming.apart([[(leaf.path, UNQUALIFIED) for leaf in leaves] for leaves in leaves_of_tools])


def names_of(qualified: Sequence[tuple[Leaf, Qualifier]], first: str, rest: str, limit: int) -> list[str]:
    """A name for each leaf and its qualifier; `first`, `rest` and `limit` are as in `allot`."""
    names = [Name(leaf.path, *qualifier) for leaf, qualifier in qualified]
    counts = Counter(names)
    originals: list[Original] = []
    for name, (leaf, qualifier) in zip(names, qualified, strict=True):
        content = json.dumps(to_json(leaf.tool), sort_keys=True) if counts[name] > 1 else ""
        kind = leaf.path if qualifier == UNQUALIFIED else name
        originals.append((function_name("_".join(leaf.path), name), (kind, content)))
    return allot(originals, first, rest, limit, [name.is_plain for name in names])


_UNDESCRIBED = {"type": "object", "additionalProperties": True}  # without a word about keys it would read as "none"


def inputs_of(leaf: Leaf) -> Any:
    return leaf.tool.inputs if leaf.tool.inputs is not None else _UNDESCRIBED
