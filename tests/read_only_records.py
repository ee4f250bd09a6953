"""Valid records of the formats that are only read, as far as their schemas let them vary."""

from __future__ import annotations

import operator
from typing import Any

from hypothesis import strategies as st

from strategies import DESCRIPTION, JSON_FINITE, KEY, SCHEMA, TEXT, TEXTS, optional, required, with_unknown
from toolglot.converter.formats import Record

_BOOL = st.booleans()
_FLAG = st.sampled_from(["--force", "-f", "--dry-run", "--no-color", "level", "-"])

# -- OpenCLI -------------------------------------------------------------------------------------------------

_METADATA = st.lists(required({"name": TEXT}, value=JSON_FINITE), max_size=1)
_ARITY = optional(minimum=st.integers(0, 3), maximum=st.none() | st.integers(0, 3))
_VALUE = with_unknown(
    required(
        {"name": KEY}, required=_BOOL, arity=_ARITY, acceptedValues=TEXTS, group=TEXT, description=TEXT, hidden=_BOOL,
        metadata=_METADATA,
    )
)  # fmt: skip
_OPTION = with_unknown(
    required(
        {"name": _FLAG}, required=_BOOL, aliases=st.lists(_FLAG, max_size=2, unique=True),
        arguments=st.lists(_VALUE, max_size=2), group=TEXT, description=TEXT, recursive=_BOOL, hidden=_BOOL,
        metadata=_METADATA,
    )
)  # fmt: skip
_CODE = with_unknown(required({"code": st.integers(0, 3)}, description=TEXT))
_OF_CALL = {
    "arguments": st.lists(_VALUE, max_size=2), "options": st.lists(_OPTION, max_size=2),
    "exitCodes": st.lists(_CODE, max_size=2), "examples": TEXTS, "interactive": _BOOL, "metadata": _METADATA,
}  # fmt: skip


def _opencli_command(inner: st.SearchStrategy[Any] | None) -> st.SearchStrategy[Any]:
    below = {} if inner is None else {"commands": st.lists(inner, max_size=2, unique_by=lambda item: item["name"])}
    others = {"aliases": st.lists(KEY, max_size=2, unique=True), "description": DESCRIPTION, "hidden": _BOOL}
    return with_unknown(required({"name": KEY}, **others, **_OF_CALL, **below))


_OPENCLI_COMMANDS = _opencli_command(_opencli_command(_opencli_command(None)))
_OPENCLI_INFO = with_unknown(
    required(
        {"title": KEY.map("The {}".format), "version": TEXT}, summary=TEXT, description=DESCRIPTION,
        license=optional(name=TEXT, identifier=st.just("MIT")), contact=optional(name=TEXT),
    )
)  # fmt: skip
_OPENCLI_HEAD = {"opencli": st.sampled_from(["0.1", "0.1.2"]), "info": _OPENCLI_INFO}
_CONVENTIONS = optional(groupOptions=_BOOL, optionArgumentSeparator=st.sampled_from([" ", "="]))
_LIST_OF_COMMANDS = st.lists(_OPENCLI_COMMANDS, max_size=2, unique_by=lambda item: item["name"])
_OPENCLI = with_unknown(
    required(_OPENCLI_HEAD, conventions=_CONVENTIONS, commands=_LIST_OF_COMMANDS, **_OF_CALL)
) | with_unknown(required({**_OPENCLI_HEAD, "command": _OPENCLI_COMMANDS}, conventions=_CONVENTIONS))

# -- oclif ---------------------------------------------------------------------------------------------------

_NAME = st.text(st.sampled_from("abc-dé"), min_size=1, max_size=4)
_DEFAULT = st.sampled_from(["x", 3, 1.5, True, ["a"], {"a": 1}])
_SHARED = {"description": TEXT, "hidden": _BOOL, "required": _BOOL, "default": _DEFAULT, "options": TEXTS}
_ARGUMENT = with_unknown(optional(**_SHARED, multiple=_BOOL))
_RELATION = required({"type": st.sampled_from(["all", "some", "none", "only"])}, flags=TEXTS)
_OCLIF_FLAG = with_unknown(
    required(
        {"type": st.sampled_from(["boolean", "option"])}, **_SHARED, multiple=_BOOL, char=st.sampled_from("abc"),
        summary=TEXT, aliases=TEXTS, charAliases=st.lists(st.sampled_from("xyz"), max_size=2), allowNo=_BOOL, env=TEXT,
        exclusive=TEXTS, dependsOn=TEXTS, relationships=st.lists(_RELATION, max_size=2),
        deprecated=_BOOL | optional(to=TEXT), delimiter=st.just(","), helpGroup=TEXT,
    )
)  # fmt: skip


def _by_name(entries: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    named = st.dictionaries(_NAME, entries, max_size=2)
    return named.map(lambda found: {name: {"name": name, **entry} for name, entry in found.items()})


_EXAMPLE = TEXT | required({"command": TEXT}, description=TEXT)
_OCLIF_COMMAND = with_unknown(
    optional(
        summary=TEXT, description=DESCRIPTION, aliases=TEXTS, hidden=_BOOL, strict=_BOOL, usage=TEXT, pluginName=TEXT,
        args=_by_name(_ARGUMENT) | _by_name(_ARGUMENT).map(lambda named: list(named.values())),
        flags=_by_name(_OCLIF_FLAG), examples=st.lists(_EXAMPLE, max_size=2),
        state=st.sampled_from(["beta", "deprecated"]),
    )
)  # fmt: skip
_ID = st.lists(_NAME, min_size=1, max_size=3).map(":".join) | st.just("Symbol(SINGLE_COMMAND_CLI)")


def _with_ids(commands: dict[str, Any]) -> dict[str, Any]:
    return {name: {"id": name, **command} for name, command in commands.items()}


_OCLIF_COMMANDS = st.dictionaries(_ID, _OCLIF_COMMAND, min_size=1, max_size=4).map(_with_ids)
_OCLIF = with_unknown(required({"version": TEXT, "commands": _OCLIF_COMMANDS}))

# -- carapace-spec -------------------------------------------------------------------------------------------

_SPEC = st.builds(
    "{}{}".format,
    st.sampled_from(["-a", "--all", "-x, --extra", "-tag"]),
    st.sampled_from(["", "=", "?", "*", "=*!", "&", "={2}", "={-1}"]),
)
_WORDS = st.none() | TEXT | optional(description=TEXT, nargs=st.sampled_from([0, 1, 3]))
_SPECS = st.dictionaries(_SPEC, _WORDS, max_size=2)
_COMPLETION = st.lists(
    st.sampled_from(["$files", "$directories", "$(rm -rf /)", "$files([.go])", "a", "b\tB\tred"]),
    max_size=3,
    unique=True,
)
_PLACES = st.lists(_COMPLETION, max_size=2)
_FLAG_NAME = st.sampled_from(["a", "all", "extra", "tag", "other"])


def _carapace(inner: st.SearchStrategy[Any] | None) -> st.SearchStrategy[Any]:
    below = {} if inner is None else {"commands": st.lists(inner, max_size=2, unique_by=lambda item: item["name"])}
    return required(
        {"name": st.sampled_from(["a", "b c", "list FILE...", "Ünï", "x:y"])},
        aliases=TEXTS, description=DESCRIPTION, group=TEXT, hidden=_BOOL, run=st.sampled_from(["$(a)", ["a", "-b"]]),
        parsing=st.sampled_from(["disabled", "interspersed"]), flags=_SPECS, persistentflags=_SPECS,
        exclusiveflags=st.lists(st.lists(_FLAG_NAME, min_size=2, max_size=3, unique=True), max_size=1),
        completion=optional(
            flag=st.dictionaries(_FLAG_NAME, _COMPLETION, max_size=2), positional=_PLACES, positionalany=_COMPLETION,
            dash=_PLACES, dashany=_COMPLETION,
        ),
        documentation=optional(
            command=DESCRIPTION, flag=st.dictionaries(_FLAG_NAME, TEXT, max_size=2), positional=TEXTS,
            positionalany=TEXT, dash=TEXTS, dashany=TEXT,
        ),
        examples=st.dictionaries(TEXT, TEXT, max_size=2),
        **below,
    )  # fmt: skip


_MARKED = {"run": "$(true)", "completion": {"dashany": ["a"]}}  # so that any of them is known for what it is
_CARAPACE = _carapace(_carapace(_carapace(None))).map(lambda spec: {**spec, **_MARKED})

# -- OpenAPI -------------------------------------------------------------------------------------------------

_OPENAPI_SCHEMA = SCHEMA | st.sampled_from([
    {"$ref": "#/components/schemas/Node"}, {"$ref": "elsewhere.yaml#/A"},
    {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    {"type": "object", "properties": {"id": {"readOnly": True}, "pin": {"writeOnly": True}, "name": {"minLength": 1}}},
])  # fmt: skip
_PARAMETER = with_unknown(
    required(
        {"name": KEY, "in": st.sampled_from(["query", "header", "cookie"]), "schema": _OPENAPI_SCHEMA},
        description=TEXT, required=st.just(True), deprecated=st.just(True), example=JSON_FINITE,
        style=st.just("spaceDelimited"), allowReserved=_BOOL,
    )
)  # fmt: skip
_PARAMETERS = st.lists(_PARAMETER, max_size=3, unique_by=lambda parameter: (parameter["name"], parameter["in"]))
_MEDIA_TYPES = st.sampled_from(
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/x"]
)
_CONTENT = st.dictionaries(
    _MEDIA_TYPES, required({"schema": _OPENAPI_SCHEMA}, example=JSON_FINITE), min_size=1, max_size=2
)
_REQUEST_BODY = required({"content": _CONTENT}, description=TEXT, required=st.just(True))
_RESPONSE = with_unknown(required({"description": TEXT}, content=_CONTENT, headers=st.just({"X-A": {"schema": {}}})))
_RESPONSES = st.dictionaries(
    st.sampled_from(["200", "201", "204", "2XX", "302", "404", "5XX", "default"]), _RESPONSE, min_size=1, max_size=3
)
_SECURITY = st.lists(
    st.dictionaries(st.sampled_from(["key", "oauth", "basic"]), TEXTS, max_size=2), max_size=2, unique_by=repr
)
_SERVER = required(
    {"url": st.sampled_from(["https://a.example/v1", "/v1", "https://{x}.example", "https://b.example:8443"])},
    description=TEXT, variables=st.just({"x": {"default": "a", "enum": ["a", "b"]}}),
)  # fmt: skip
_HINTS = optional(readOnlyHint=_BOOL, destructiveHint=_BOOL, idempotentHint=_BOOL, openWorldHint=_BOOL)


def _under_annotations(hints: dict[str, Any]) -> dict[str, Any]:
    return {"x-mcp-annotations": hints} if hints else {}


_OPERATION = st.builds(
    lambda known, asks, hints: {**known, **asks, **hints},
    with_unknown(
        required(
            {"responses": _RESPONSES}, operationId=KEY, summary=TEXT, description=DESCRIPTION, tags=TEXTS,
            deprecated=_BOOL, parameters=_PARAMETERS, requestBody=_REQUEST_BODY, security=_SECURITY,
            servers=st.lists(_SERVER, max_size=2), callbacks=st.just({"a": {}}),
            externalDocs=required({"url": TEXT}, description=TEXT),
        ),
        st.sampled_from(["x-note", "x-owner"]),  # an operation has no other keys of somebody's own
    ),
    st.sampled_from([{}, {}, {"x-openai-isConsequential": True}, {"x-openai-isConsequential": False}]),
    _HINTS.map(_under_annotations),
)  # fmt: skip
_SCHEMES = {"key": {"type": "apiKey", "in": "query", "name": "k"}, "oauth": {"type": "oauth2", "flows": {}}}
_NODE = {"type": "object", "properties": {"id": {"readOnly": True}, "next": {"$ref": "#/components/schemas/Node"}}}


def _api(method: str, path: str, operation: dict[str, Any], of_path: dict[str, Any]) -> Record:
    own_hints = operation.get("x-mcp-annotations", {})
    hints = {name: hint for name, hint in of_path.pop("x-mcp-annotations", {}).items() if name not in own_hints}
    of_path |= _under_annotations(hints)  # what is stated again for an operation says nothing new
    components = {
        "schemas": {"Node": _NODE},
        "securitySchemes": {**_SCHEMES, "basic": {"type": "http", "scheme": "basic"}},
    }
    info = {"title": "Api", "version": "1"}
    return Record(
        {"openapi": "3.1.0", "info": info, "paths": {path: {**of_path, method: operation}}, "components": components}
    )


_OF_PATH = st.builds(
    operator.or_,
    optional(
        summary=TEXT.map("Path: {}".format),
        parameters=_PARAMETERS.map(lambda found: [{**entry, "name": f"path.{entry['name']}"} for entry in found]),
    ),
    _HINTS.map(_under_annotations),
)
_METHOD = st.sampled_from(["get", "put", "post", "delete", "patch", "head", "options", "trace"])
_OPENAPI = st.builds(
    _api,
    _METHOD,
    st.sampled_from(["/", "/pets/{id}", "/a.b/{x}/c"]),
    _OPERATION,
    _OF_PATH,
)


# -- usage ---------------------------------------------------------------------------------------------------

_EFFECT = st.sampled_from(["read", "write", "destructive"])
_FLAG_TEXT = st.sampled_from(
    [
        "-f --force",
        "--user <user>",
        "-n",
        "--sort [key]",
        "--tag... <tag>",
        "--in <file>...",
        "mine: -m",
        "--two <a> <b>",
    ]
)
_ARGUMENT_TEXT = st.sampled_from(["<file>", "[file]...", "file", "<a> <b>", "<-- rest>...", "<[x]>"])


_Strategy = st.SearchStrategy[Any]
_NONE: _Strategy = st.just([])


def _node(name: str, *arguments: _Strategy, children: _Strategy = _NONE, **properties: _Strategy) -> _Strategy:
    """A node of KDL, without what is empty."""

    def filled(values: tuple[Any, ...], named: dict[str, Any], inner: list[Any]) -> dict[str, Any]:
        parts = {"arguments": [*values], "properties": named, "children": inner}
        return {"name": name, **{key: value for key, value in parts.items() if value}}

    return st.builds(filled, st.tuples(*arguments), optional(**properties), children)


_OF_PARAMETER = {
    "help": TEXT, "long_help": TEXT, "required": _BOOL, "var": _BOOL, "var_min": st.integers(0, 3), "effect": _EFFECT,
    "env": TEXT, "default": TEXT | _BOOL | st.integers(0, 3), "hide": _BOOL, "deprecated": TEXT | _BOOL,
    "conflicts": st.just("--force"), "unheard": TEXT,
}  # fmt: skip
_INSIDE_PARAMETER = st.lists(
    _node("choices", TEXT, TEXT)
    | _node("alias", st.just("--other"), hide=_BOOL)
    | _node("effect", _EFFECT)
    | _node("default", TEXT, TEXT),
    max_size=2,
)
_USAGE_FLAG = _node(
    "flag", _FLAG_TEXT, children=_INSIDE_PARAMETER, count=_BOOL, negate=st.just("--no-x"), **{"global": _BOOL},
    **_OF_PARAMETER,
)  # fmt: skip
_USAGE_ARGUMENT = _node("arg", _ARGUMENT_TEXT, children=_INSIDE_PARAMETER, sigil=st.just("+"), **_OF_PARAMETER)
_OTHERS = (
    _node("help", DESCRIPTION) | _node("long_help", DESCRIPTION) | _node("example", TEXT, header=TEXT, help=TEXT)
    | _node("example", TEXT, TEXT, lang=TEXT) | _node("mount", run=TEXT) | _node("alias", KEY)
    | _node("effect", _EFFECT) | _node("complete", KEY, run=TEXT) | _node("after_help", TEXT)
    | _node("unheard", TEXT, a=TEXT)
)  # fmt: skip


def _nodes(inner: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    """Nodes, and of the commands among them one of each name."""

    def distinct(nodes: list[Any]) -> list[Any]:
        first = {node["arguments"][0]: node for node in reversed(nodes) if node["name"] == "cmd"}
        return [node for node in nodes if node["name"] != "cmd" or first[node["arguments"][0]] is node]

    return st.lists(inner, max_size=most).map(distinct)


def _usage_command(inner: st.SearchStrategy[Any] | None) -> st.SearchStrategy[Any]:
    nodes = _USAGE_FLAG | _USAGE_ARGUMENT | _OTHERS
    if inner is not None:
        nodes |= inner
    return _node(
        "cmd", KEY, children=_nodes(nodes, 4), help=DESCRIPTION,
        effect=_EFFECT, hide=_BOOL, deprecated=TEXT | _BOOL, subcommand_required=_BOOL,
    )  # fmt: skip


_USAGE_COMMANDS = _usage_command(_usage_command(_usage_command(None)))
_ABOUT = _node("name", KEY) | _node("version", TEXT) | _node("about", DESCRIPTION) | _node("long_about", DESCRIPTION)
_USAGE_NODES = _nodes(_ABOUT | _USAGE_FLAG | _USAGE_ARGUMENT | _OTHERS | _USAGE_COMMANDS, 6)
_USAGE = st.builds(lambda bin_, nodes: {"nodes": [bin_, *nodes]}, _node("bin", KEY), _USAGE_NODES)

RECORDS: dict[str, st.SearchStrategy[Record]] = {
    "opencli": _OPENCLI.map(Record),
    "usage": _USAGE.map(Record),
    "carapace": _CARAPACE.map(Record),
    "oclif": _OCLIF.map(Record),
    "openapi": _OPENAPI,
}
