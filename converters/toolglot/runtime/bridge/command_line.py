"""A decoded call as the argument vector of a command line: data for `exec`, never text for a shell.

What the description says of each parameter tells which values it takes, and how they are written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from toolglot.converter import formats
from toolglot.converter.hub.model import NAMELESS, Binding, Example, JsonSchema, Leaf, Tool, commands_below, options_of
from toolglot.converter.schema.arguments import PATH_FORMATS
from toolglot.converter.schema.json_values import are_equal, has_type, stated_types, type_of
from toolglot.converter.schema.overlap import members_of
from toolglot.converter.schema.references import name_of_definition
from toolglot.converter.text.pointers import escape, list_at, mapping_at, texts_at, without_keys
from toolglot.converter.text.wording import suggestion, to_short_json
from toolglot.errors import TO_RESTORE, ArgumentError
from toolglot.runtime.bridge.naming import NamedCommand, only_leaf

# What can stand first: a name that the system looks up, neither a path nor an option.
_PROGRAM = re.compile(r"[^\s/\\-][^\s/\\]*")
# `-x`, `-word` and `--word`, which some programs begin with `+` or `/`. A word ends with `=` where the program takes
# its value in no other way. What help pages write, such as `--output <file>` or `--[no-]color`, is not something to put
# on a command line.
_FLAG = re.compile(r"-[!-,.-<>-~]|[+/]\w|(?:--?|\+\+?|/)[a-zA-Z0-9][\w.:+-]*=?", re.ASCII)
_MOST_FORMS = 100
_FROM_FILE = "@"  # with which many programs begin the name of a file whose lines they take for arguments
_NEGATIVE_NUMBER = re.compile(r"-\d+|-\d*\.\d+", re.ASCII)


def argv(
    tool: Tool | NamedCommand, arguments: Mapping[str, Any], *, host: Mapping[str, Any] | None = None
) -> list[str]:
    """The argument vector that carries out a call.

    The program's name and its global options, the words of the command, each with the options of its group behind
    it, options in the order of the description, then the positional arguments. `--` precedes the positional arguments
    if one of them begins with a dash, and a value that begins with a dash is joined to its option, so that no value
    is taken for an option. The same holds for `@file`, which many programs read arguments from: a path is written as
    `./@file`, and the value of an option is joined to it.

    Run it without a shell (`subprocess.run(vector)`): nothing is quoted, and `~`, `*` and `$NAME` are plain text.
    On Windows do not run batch files with it, because `cmd.exe` reads their arguments once more. What a program
    makes of a value (a path, a URL) is its own affair, and what a policy is for. Standard input is not
    part of a vector: look at `stdin`, `prompts` and `tty` of the tool before running what waits for somebody.

    Args:
        tool: one of `leaves_of`, or what has one as its `leaf`, as all that `toolglot.compile` returns does; or
            a tool that has only one leaf. Something with only a `tool` and a `path` will do, but it does not know the
            names of the program's other commands, and a positional value that is one of them could run that
            command. Not the `tool` of a leaf by itself, which does not know its program either.
        arguments: by property key of the input schema. `None` is the same as absent; so is an empty list, and
            `False` for a flag. Types, `enum` and `const` are checked, because the spelling depends on them;
            the rest of the schema is not. Only the parameters of the command itself, and options of its program
            that `toolglot.compile(..., with_globals=True)` offered: another one comes from a model that was never
            told of it, such as `--config`, which lets some programs run anything.
        host: options of the program and of the groups above the command, which only the host decides about.

    Raises:
        ArgumentError: the tool has no command line, or the arguments cannot be spelled on it.
        UsageError: `tool` is none of these.

    >>> from toolglot.converter.hub.model import Binding
    >>> inputs = {"type": "object", "properties": {"force": {"type": "boolean"}, "name": {"type": "string"}}}
    >>> bindings = {"force": Binding(kind="option", flags=("-f", "--force")), "name": Binding(kind="argument")}
    >>> notes = Tool(id="notes", children=(Tool(id="remove", inputs=inputs, bindings=bindings),))
    >>> argv(notes, {"name": "-rf", "force": True})
    ['notes', 'remove', '--force', '--', '-rf']
    """
    leaf = only_leaf(tool)
    words = _command(leaf)
    own = _parameters_of(leaf.tool.inputs, leaf.tool.bindings)
    global_parameters = _parameters_of(leaf.tool.global_inputs, leaf.tool.global_bindings)
    values = _check_arguments(arguments, own, global_parameters)
    if host is None:
        host = {}
    host_values = _check_arguments(host, global_parameters)
    for conflict in find_conflicts(leaf, {**host_values, **values}, leaf.ancestors):
        raise conflict
    examples = leaf.tool.examples or ()
    levels = _levels(leaf, global_parameters)
    syntax = _LineSyntax.of(leaf, (*own.values(), *global_parameters.values()))
    vector: list[str] = []
    options: list[_WrittenOption] = []
    for level, word in enumerate(words):
        vector += _before_words(options)
        if word:
            vector.append(word)
        options = [
            *_write_options(_options_of_level(level, levels, global_parameters), host_values, examples, syntax),
            *_write_options(_options_of_level(level, levels, own, global_parameters), values, examples, syntax),
        ]
    of_command = [parameter for key, parameter in own.items() if key not in levels or key in global_parameters]
    options += _write_options(
        [parameter for parameter in of_command if not parameter.positional], values, examples, syntax
    )
    words = _write_positionals([parameter for parameter in of_command if parameter.positional], values, leaf, syntax)
    if words and syntax.says("keeps_dashes"):
        return vector + _before_words(options) + words
    if words and words[0] != "--" and options and options[-1].is_greedy:
        words.insert(0, "--")
    return vector + _joined_words(options) + words


def _levels(leaf: Leaf, global_keys: Iterable[str]) -> dict[str, int]:
    """Behind which word of the command the options stand that a command has from above, by their key.

    The nearest group that states an option is the one meant; what no group states is the program's.
    """
    levels = dict.fromkeys(global_keys, 0)
    for level, node in enumerate(leaf.ancestors):
        for parameters in (node.global_inputs, options_of(node).inputs):
            levels.update(dict.fromkeys((parameters or {}).get("properties") or (), level))
    return levels


def _options_of_level(
    level: int, levels: Mapping[str, int], parameters: Mapping[str, _CommandParameter], but: Container[str] = ()
) -> Iterator[_CommandParameter]:
    """The options that stand at one level, without those that are the command's own."""
    for key, parameter in parameters.items():
        if levels.get(key) == level and key not in but:
            yield parameter


# -- the command --------------------------------------------------------------------------------------------


def _command(leaf: Leaf) -> list[str]:
    """The program and the names of the command; the command without a name is the program itself.

    The id is the program's name also where the description has a `binary`: it is what the program is called by,
    and `binary.name` is read into it where there is no other.
    """
    tool = leaf.tool
    if tool.trust is not None and tool.trust.get(NAMELESS) is True:
        raise ArgumentError("nobody states what the program is called", "bad-program")
    bindings = [*(tool.bindings or {}).values(), *(tool.global_bindings or {}).values()]
    origin = formats.find(tool.origin)
    of_program = origin is not None and origin.describes_one_program
    if not of_program and not any(binding.kind for binding in bindings):
        message = "the tool has no command line: its description does not say how it is called as a program"
        raise ArgumentError(message, "no-command-line", hint=TO_RESTORE)
    program, *path = leaf.path or ("",)
    if not _PROGRAM.fullmatch(program):
        message = f"{program!r} is not the name of a program: it is empty, a path, or looks like an option"
        raise ArgumentError(message, "bad-program")
    return [_check_word(word, "") for word in (program, *path)]


def _commands(leaf: Leaf) -> frozenset[str]:
    """The names that the program would take for a further command where the leaf's positional arguments stand."""
    if not leaf.ancestors:
        return frozenset(leaf.commands)
    return frozenset((*leaf.commands, *commands_below(leaf.ancestors[0], leaf.path[1:])))


# -- parameters -----------------------------------------------------------------------------------------------


class _CommandParameter(NamedTuple):
    """What the description says about one parameter.

    `forms` are plain schemas, one of which a value must obey; `items` are those for the items of a list.
    """

    key: str
    required: bool
    default: Any
    forms: list[JsonSchema]
    items: list[JsonSchema]
    binding: Binding

    @property
    def pointer(self) -> str:
        return f"/{escape(self.key)}"

    @property
    def positional(self) -> bool:
        return self.binding.kind == "argument"

    @property
    def repeats(self) -> bool:
        """Whether each item of a list is a value of its own on the command line."""
        is_list = self.binding.together or self.binding.variadic is not False
        return bool(is_list) and "array" in _types(self.forms)

    @property
    def is_greedy(self) -> bool:
        """Whether it may take what follows its values for more of them: no exact number of them is stated."""
        is_counted = all("minItems" in form and form["minItems"] == form.get("maxItems") for form in self._lists)
        return self.repeats and self.binding.together is not False and not is_counted

    @property
    def _lists(self) -> list[JsonSchema]:
        """What the values behind one flag are together."""
        return self.items if self._nests else self.forms

    def takes(self, number: int) -> bool:
        """Whether so many values may stand behind one flag, whose program would take others for them."""
        counts = [(form.get("minItems", 0), form.get("maxItems", number)) for form in self._lists]
        return not self.binding.together or any(least <= number <= most for least, most in counts)

    @property
    def _nests(self) -> bool:
        return self.binding.together is True and "array" in _types(self.items)

    @property
    def name(self) -> str:
        return self.binding.name or self.key

    @property
    def is_flag(self) -> bool:
        """Whether it may stand without a value."""
        return "boolean" in _types(self.forms) or (self.repeats and "boolean" in _types(self.items))

    def uses(self, value: Any) -> list[list[tuple[Any, str]]]:
        """The values behind each flag, each with its place in the arguments."""
        if not self.repeats or not isinstance(value, list):
            return [[(value, self.pointer)]]
        values = _places_of(value, self.pointer)
        if self._nests:
            return [_places_of(item, pointer) for item, pointer in values]
        if self.binding.together:
            return [values]
        return [[one] for one in values]


def _places_of(values: Sequence[Any], pointer: str) -> list[tuple[Any, str]]:
    return [(item, f"{pointer}/{index}") for index, item in enumerate(values)]


class _LineSyntax(NamedTuple):
    """How the words of a command line are read.

    Attributes:
        stated: what is unusual, as the command and the groups above it state it in `Tool.syntax`: characters of
            `prefixes` begin an option, and of `response_files` the name of a file with more words; where it
            `keeps_dashes`, the `--` in front of the positional arguments would be one of them; where it
            `drops_dashes`, a value that is `--` is gone; `plain_values` are options whose values may not look like an
            option; `opposites` are the flags of those that say the opposite of a switch.
        prefixes: what begins an option.
        response_files: what begins the name of a file with more words.
        has_numbers: whether `-1` is an option.
    """

    stated: tuple[Mapping[str, Any], ...]
    prefixes: tuple[str, ...]
    response_files: tuple[str, ...]
    has_numbers: bool

    @classmethod
    def of(cls, leaf: Leaf, parameters: Iterable[_CommandParameter]) -> _LineSyntax:
        flags = [flag for parameter in parameters for flag in parameter.binding.flags or () if _FLAG.fullmatch(flag)]
        stated = tuple(node.syntax or {} for node in (leaf.tool, *leaf.ancestors))
        prefixes = ["-", *(flag[0] for flag in flags)]
        response_files: list[str] = []
        for syntax in stated:
            prefixes += str(syntax.get("prefixes", ""))
            response_files += str(syntax.get("response_files", ""))
        shown = " ".join(example.command or "" for example in leaf.tool.examples or ())
        if not any(stated) and f" {_FROM_FILE}" not in shown:
            response_files.append(_FROM_FILE)  # nobody says that the program is none of those
        has_numbers = any(map(_NEGATIVE_NUMBER.fullmatch, flags))
        return cls(stated, tuple(prefixes), tuple(response_files), has_numbers)

    def says(self, key: str) -> bool:
        return any(syntax.get(key) is True for syntax in self.stated)

    def refuse_option(self, word: str, pointer: str) -> None:
        """Refuse a word that the program would take for an option.

        Raises:
            ArgumentError: it looks like one.
        """
        if word.startswith(self.prefixes):
            message = f"the program would take a value that begins with {word[0]} for an option here"
            raise ArgumentError(message, "looks-like-option", pointer)

    def word(self, value: Any, pointer: str) -> str:
        """A value as a word, which may be joined to a flag.

        Raises:
            ArgumentError: nothing can stand for it, or the program would drop it.
        """
        word = _write_word(value, pointer)
        if word == "--" and self.says("drops_dashes"):
            raise ArgumentError("the program would drop a value that is `--`", "dropped-dashes", pointer)
        return word

    def plain_word(self, value: Any, parameter: _CommandParameter, pointer: str) -> str:
        """A word that stands by itself.

        Raises:
            ArgumentError: the program would take it for the name of a file with more arguments.
        """
        word = self.word(value, pointer)
        if not word.startswith(self.response_files):
            return word
        if any(form.get("format") in PATH_FORMATS for form in (*parameter.forms, *parameter.items)):
            return f"./{word}"
        message = f"the program would read its arguments from a file where a value begins with {word[0]}"
        raise ArgumentError(message, "names-a-response-file", pointer)


def _parameters_of(schema: JsonSchema | None, bindings: Mapping[str, Binding] | None) -> dict[str, _CommandParameter]:
    """The parameters of a command by their key, in the order of the description."""
    schema = schema or {}
    required = frozenset(texts_at(schema, "required"))
    parameters: dict[str, _CommandParameter] = {}
    for key, prop in mapping_at(schema, "properties").items():
        binding = (bindings or {}).get(key) or Binding()
        default = prop.get("default") if isinstance(prop, dict) else None
        forms = _forms([prop], schema)
        items = _forms([form["items"] for form in forms if "items" in form], schema)
        parameters[key] = _CommandParameter(key, key in required, default, forms, items, binding)
    return parameters


def _forms(schemas: list[Any], root: JsonSchema) -> list[JsonSchema]:
    """The schemas without references, `anyOf` and `oneOf`: the plain alternatives, or `{}` if there are too many."""
    definitions = mapping_at(root, "$defs")
    waiting, forms = schemas[:_MOST_FORMS], list[JsonSchema]()
    for _ in range(_MOST_FORMS):
        if not waiting:
            return forms
        node = waiting.pop()
        if node is False:
            continue
        if not isinstance(node, dict):
            forms.append({})
            continue
        rest = without_keys(node, "$ref", "anyOf", "oneOf")
        alternatives = [*list_at(node, "anyOf"), *list_at(node, "oneOf")]
        if "$ref" in node:
            definition = definitions.get(name_of_definition(str(node["$ref"])))
            if isinstance(definition, dict):
                rest = {**definition, **rest}
            waiting.append(rest)
        elif alternatives:
            # `true` and `false` have no place for what their neighbours say.
            waiting += [{**rest, **item} if isinstance(item, dict) else item for item in alternatives[:_MOST_FORMS]]
        else:
            forms.append(node)
    return [{}]


def _types(forms: Iterable[JsonSchema]) -> frozenset[str]:
    """The types that are allowed by name, or by the values of an enum; a schema that is open names none."""
    types: set[str] = set()
    for form in forms:
        types.update(stated_types(form) or map(type_of, members_of(form) or ()))
    return frozenset(types)


# -- arguments ------------------------------------------------------------------------------------------


def _check_arguments(
    arguments: Mapping[str, Any], parameters: Mapping[str, _CommandParameter], of_host: Container[str] = ()
) -> dict[str, Any]:
    """The arguments that put something on the command line, checked.

    Args:
        of_host: parameters that the host may give, and these arguments may not.

    Raises:
        ArgumentError: an argument is unknown, missing, or of the wrong type.
    """
    if not isinstance(arguments, Mapping):
        raise ArgumentError(f"the arguments are {type_of(arguments)}; give an object", "not-an-object")
    for key in arguments:
        if key not in parameters and key in of_host:
            message = "this is an option of the program, which nobody was offered"
            hint = "the host gives it apart, or offers it (with_globals)"
            raise ArgumentError(message, "not-offered", f"/{escape(str(key))}", hint=hint)
        if key not in parameters:
            known_names = list(parameters)[:1000]
            names = suggestion(str(key)[:64], known_names, f"it takes {_quote_names(parameters)}", mark="`")
            pointer = f"/{escape(str(key))}"
            raise ArgumentError("the tool has no such parameter", "unknown-argument", pointer, hint=names)
    values = {key: value for key, value in arguments.items() if value is not None and value != []}
    for key, parameter in parameters.items():
        if parameter.required and key not in values:
            message = f"a value is required, {_describe_absence(arguments, key)}"
            raise ArgumentError(message, "missing-argument", parameter.pointer)
        if key in values:
            _check_value(values[key], parameter)
    return values


def find_conflicts(leaf: Leaf, arguments: Mapping[str, Any], groups: Iterable[Tool] = ()) -> Iterator[ArgumentError]:
    """Options of a call that exclude each other, and groups of options of which one is missing.

    Args:
        groups: nodes above the command whose options are among the arguments.
    """
    bindings = {**(leaf.tool.global_bindings or {}), **(leaf.tool.bindings or {})}
    given: dict[str, str] = {}
    for key, binding in bindings.items():
        if _stands_on_line(binding, arguments.get(key)):
            names = (binding.name or key, *(flag.lstrip("-") for flag in binding.flags or ()))
            given.update(dict.fromkeys(names, key))
    for key in dict.fromkeys(given.values()):
        for rival in bindings[key].excludes or ():
            if given.get(rival, key) != key:
                message = f"it excludes `{given[rival]}`; give only one of them"
                yield ArgumentError(message, "exclusive-options", f"/{escape(key)}")
    for node in (*groups, leaf.tool):
        for names in list_at(node.syntax or {}, "one_of"):
            if isinstance(names, list) and given.keys().isdisjoint(map(str, names)):
                yield ArgumentError(f"one of {_quote_names(map(str, names))} has to be given", "missing-argument", "")


def _stands_on_line(binding: Binding, value: Any) -> bool:
    """Whether a value puts something on the command line; `false` does where a flag says it."""
    if value is not False:
        return value is not None and value != []
    flags = binding.flags or ()
    return any(f"--no-{flag[2:]}" in flags for flag in flags)


def _quote_names(parameters: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in list(parameters)[:10]) or "no arguments"


def _describe_absence(arguments: Mapping[str, Any], key: str) -> str:
    if key not in arguments:
        return "and there is none; give one"
    return f"and {_compact(arguments[key])} puts nothing on the command line; give one"


def _check_value(value: Any, parameter: _CommandParameter) -> None:
    _check(value, parameter.forms, parameter.pointer)
    if parameter.items and isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, parameter.items, f"{parameter.pointer}/{index}")


def _check(value: Any, forms: Sequence[JsonSchema], pointer: str) -> None:
    """Hold a value to types, `enum` and `const`."""
    if any(_fits(value, form) for form in forms):
        return
    types = _types(forms)
    members: list[Any] = []
    for form in forms:
        members += members_of(form) or ()
    if members and has_type(value, types):
        code = "not-in-enum"
        message = f"expected one of {', '.join(map(to_short_json, members[:10]))}"
    else:
        code = "wrong-type"
        message = f"expected {' or '.join(sorted(types)) or 'nothing'}"
    excerpt = type_of(value)
    if isinstance(value, str):
        excerpt = to_short_json(value)
    raise ArgumentError(f"{message}; found {excerpt}", code, pointer)


def _fits(value: Any, form: JsonSchema) -> bool:
    types, members = stated_types(form), members_of(form)
    if types and not has_type(value, types):
        return False
    return members is None or any(are_equal(value, member) for member in members)


# -- options ------------------------------------------------------------------------------------------------


class _WrittenOption(NamedTuple):
    """An option on the command line.

    Attributes:
        words: its flags and values.
        joined: the same with no value apart from its flag; `None` where that cannot be.
        is_greedy: whether it would take what follows for more of its values.
    """

    parameter: _CommandParameter
    words: list[str]
    joined: list[str] | None
    is_greedy: bool


def _write_options(
    parameters: Iterable[_CommandParameter],
    values: Mapping[str, Any],
    examples: Sequence[Example],
    syntax: _LineSyntax,
) -> list[_WrittenOption]:
    """The options of one level that put something on the command line."""
    parameters = list(parameters)
    owners = Counter(flag for parameter in parameters for flag in set(parameter.binding.flags or ()))
    options: list[_WrittenOption] = []
    for parameter in parameters:
        if parameter.key in values:
            flags = _flags(parameter, owners)
            option = _write_option(parameter, flags, values[parameter.key], examples, syntax)
            if option.words:
                options.append(option)
    return options


def _write_option(
    parameter: _CommandParameter, flags: Sequence[str], value: Any, examples: Sequence[Example], syntax: _LineSyntax
) -> _WrittenOption:
    words: list[str] = []
    joined: list[str] | None = []
    is_greedy = False
    for use in parameter.uses(value):
        if not parameter.takes(len(use)):
            raise ArgumentError("the option takes another number of values", "wrong-count", parameter.pointer)
        item, pointer = use[0]
        if isinstance(item, bool):
            words += _write_switch(parameter, flags, item, isinstance(value, list), syntax)
            continue
        is_greedy = parameter.is_greedy
        if len(use) > 1:
            words += [flags[0].removesuffix("="), *_write_together(parameter, use, syntax)]
            joined = None
            continue
        text = syntax.word(item, pointer)
        if any(parameter.name in texts_at(stated, "plain_values") for stated in syntax.stated):
            syntax.refuse_option(text, pointer)
        words += _write_valued(parameter, flags, text, examples, syntax)
        if joined is not None and (text or len(flags[0]) > 2):
            joined.append(_joined(flags[0], text))
        else:
            joined = None
    return _WrittenOption(parameter, words, joined, is_greedy)


def _write_together(parameter: _CommandParameter, use: Sequence[tuple[Any, str]], syntax: _LineSyntax) -> Iterator[str]:
    """Values that stand behind one flag.

    Raises:
        ArgumentError: one of them would be taken for an option.
    """
    for item, pointer in use:
        word = syntax.plain_word(item, parameter, pointer)
        if syntax.has_numbers or not _NEGATIVE_NUMBER.fullmatch(word):
            syntax.refuse_option(word, pointer)
        yield word


def _joined_words(options: Iterable[_WrittenOption]) -> list[str]:
    return [word for option in options for word in option.words]


def _before_words(options: Sequence[_WrittenOption]) -> list[str]:
    """Options with words behind them that none of the options may take for a value of its own, and without `--`.

    Raises:
        ArgumentError: there is no way to write them so.
    """
    if not options or not options[-1].is_greedy:
        return _joined_words(options)
    ordered = sorted(options, key=lambda option: not option.is_greedy)
    last = ordered[-1]
    if not last.is_greedy:
        return _joined_words(ordered)
    if last.joined is None:
        message = "it would take the words behind it for more of its values; give one value, or another option as well"
        raise ArgumentError(message, "greedy-option", last.parameter.pointer)
    return [*_joined_words(ordered[:-1]), *last.joined]


def _flags(parameter: _CommandParameter, owners: Mapping[str, int]) -> list[str]:
    """The flags that can be written, long ones first: they can hold any value, and they say what they are.

    Args:
        owners: how many options of the level have a flag.
    """
    if parameter.binding.kind != "option":
        message = "the tool does not say where this stands on its command line"
        raise ArgumentError(message, "no-binding", parameter.pointer)
    usable = [flag for flag in parameter.binding.flags or () if _FLAG.fullmatch(flag)]
    if not usable:
        raise ArgumentError("the option has no flag that can be written, such as --name", "no-flag", parameter.pointer)
    own = [flag for flag in usable if owners[flag] == 1]
    if not own:
        message = f"another option has its flag {usable[0]} as well, so that nobody could tell which is meant"
        raise ArgumentError(message, "shared-flag", parameter.pointer)
    return sorted(own, key=lambda flag: (not flag.startswith("--"), len(flag) == 2))


def _write_switch(
    parameter: _CommandParameter, flags: Sequence[str], value: bool, repeats: bool, syntax: _LineSyntax
) -> list[str]:
    """The flag for a boolean; none for what holds without one.

    `--no-x` is the opposite of `--x`. Alone it is a flag like any other, unless its parameter is `x` and on by default.
    """
    if not parameter.is_flag:
        message = "the tool does not say whether this is a flag or takes a value"
        raise ArgumentError(message, "unknown-type", parameter.pointer)
    on_by_default = parameter.default is True
    names = set(flags)
    if on_by_default:
        names.add(f"--{parameter.name}")
    for flag in flags:
        is_opposite = flag.startswith("--no-") and f"--{flag[5:]}" in names
        if not value and is_opposite:
            return [flag]
        if value and not is_opposite and not flag.endswith("="):
            return [flag]
    for stated in syntax.stated:
        opposite = mapping_at(stated, "opposites").get(parameter.name)
        if on_by_default and not value and isinstance(opposite, str) and _FLAG.fullmatch(opposite):
            return [opposite]
    if repeats or value is not on_by_default:
        message = f"the option has no flag that says {_compact(value)}"
        raise ArgumentError(message, "no-flag", parameter.pointer)
    return []


def _write_valued(
    parameter: _CommandParameter,
    flags: Sequence[str],
    value: str,
    examples: Sequence[Example],
    syntax: _LineSyntax,
) -> list[str]:
    """A flag and its value: apart, or joined where apart they would mean something else.

    Joined are a value that begins as an option or the name of a response file does, a value that may be left out
    (`--color=always` beside `--color`), and whatever the description's own examples join.
    """
    flag = flags[0]
    is_special = value.startswith((_FROM_FILE, *syntax.prefixes, *syntax.response_files))
    if len(flag) == 2:
        if parameter.is_flag:
            message = "a short flag whose value may be left out would take the next word for it; it needs a long flag"
            raise ArgumentError(message, "no-flag", parameter.pointer)
        return [_joined(flag, value)] if is_special else [flag, value]
    name = flag.removesuffix("=")
    shown_joined = any(f" {name}=" in (example.command or "") for example in examples)
    if name != flag or parameter.is_flag or shown_joined or is_special:
        return [_joined(flag, value)]
    return [name, value]


def _joined(flag: str, value: str) -> str:
    if len(flag) == 2:
        return flag + value
    return f"{flag.removesuffix('=')}={value}"


# -- positional arguments -----------------------------------------------------------------------------------


def _write_positionals(
    parameters: Sequence[_CommandParameter], values: Mapping[str, Any], leaf: Leaf, syntax: _LineSyntax
) -> list[str]:
    """The positional arguments in their order.

    Raises:
        ArgumentError: from their order alone the program could not tell which is which, or it would take one of them
            for something else.
    """
    words: list[str] = []
    missing: _CommandParameter | None = None
    several: _CommandParameter | None = None  # takes any number of values, so that what follows is counted from the end
    for parameter in parameters:
        is_given = parameter.key in values
        if is_given and missing is not None:
            message = f"it would be taken for `{missing.key}`, which stands before it; give that as well"
            raise ArgumentError(message, "positional-gap", parameter.pointer)
        if several is not None and _is_ambiguous(several, parameter, values):
            message = f"`{several.key}` takes any number of values, so that nobody could tell where this one begins"
            raise ArgumentError(message, "ambiguous-positionals", parameter.pointer)
        if parameter.is_greedy:
            several = parameter
        elif not is_given:
            missing = parameter
        if is_given:
            words += _write_argument(parameter, values[parameter.key], syntax)
    if words and words[0] in _commands(leaf):
        message = f"{words[0]!r} is the name of a further command, which would run instead"
        pointer = next(parameter.pointer for parameter in parameters if parameter.key in values)
        raise ArgumentError(message, "names-a-command", pointer)
    if syntax.says("keeps_dashes"):
        if words:
            syntax.refuse_option(words[0], parameters[0].pointer)
        return words
    if any(word.startswith(syntax.prefixes) for word in words):
        return ["--", *words]
    return words


def _write_argument(parameter: _CommandParameter, value: Any, syntax: _LineSyntax) -> Iterator[str]:
    for use in parameter.uses(value):
        for item, pointer in use:
            yield syntax.plain_word(item, parameter, pointer)


def _is_ambiguous(several: _CommandParameter, parameter: _CommandParameter, values: Mapping[str, Any]) -> bool:
    """Whether a value of a parameter could be one more of `several`, which stands before it."""
    if parameter.is_greedy:
        return parameter.key in values
    if parameter.required:  # exactly one, which is counted from the end
        return False
    return parameter.key in values or several.key in values


# -- words ----------------------------------------------------------------------------------------------------


def _write_word(value: Any, pointer: str) -> str:
    """One value as one element of a vector.

    Text stays as it is, numbers are plain decimal digits, lists and objects are compact JSON.

    Raises:
        ArgumentError: nothing can stand for the value.

    >>> [_write_word(value, "") for value in ("a b", "", 8.0, 1e-7, True, {"a": [1, None]})]
    ['a b', '', '8', '0.0000001', 'true', '{"a":[1,null]}']
    """
    spell = _SPELLINGS.get(type(value))
    if spell is None:
        raise ArgumentError(f"{type_of(value)} has no spelling on a command line", "unwritable-value", pointer)
    try:
        return _check_word(spell(value), pointer)
    except (ValueError, TypeError, RecursionError):
        message = "the value cannot be written down: not finite, not JSON, too long a number, or nested too deeply"
        raise ArgumentError(message, "unwritable-value", pointer) from None


def _number(value: float) -> str:
    """Plain decimal digits, because few programs read an exponent; 8.0 is 8, which every program reads."""
    if value - value == 0:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return _compact(value)


def _compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_SPELLINGS: dict[type, Callable[[Any], str]] = {
    str: str, bool: _compact, int: str, float: _number, list: _compact, dict: _compact,
}  # fmt: skip


def _check_word(word: str, pointer: str) -> str:
    """The word, if it can be an element of a vector.

    Raises:
        ArgumentError: it holds a NUL, at which the system would cut it off, or half a character.
    """
    if "\0" in word:
        raise ArgumentError("a value with a NUL character cannot be given to a program", "nul-character", pointer)
    if not word.isascii() and re.search("[\ud800-\udfff]", word):
        raise ArgumentError("a lone surrogate is half a character; give the whole one", "lone-surrogate", pointer)
    return word
