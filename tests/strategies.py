"""Hypothesis strategies: valid records of every format, as rich as the format allows.

The canonical schemas are too loose to be interesting (open objects, free text), so these are written by hand
and held to the schemas by `test_laws.py`, which refuses a record that its schema refuses.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from toolglot.converter.formats import Record

ALPHABET = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))
PLAIN = st.text(st.sampled_from("abc XYZ019._-:;|[](){}'\"/\\~#*é日🔒⚠️"), min_size=1, max_size=24)
WORDS = st.sampled_from(["list", "delete", "repo", "a.b", "a_b", "x:y", "Ünï", "no", "1.0", "null", "--", "-"])
TEXT = st.one_of(WORDS, PLAIN, st.text(ALPHABET, min_size=1, max_size=12))
KEY = st.one_of(st.sampled_from(["a", "b", "name", "file", "force", "type", "a/b", "a~b"]), TEXT)
UNKNOWN_KEY = st.sampled_from(["x-note", "_cache", "extra", "destructve", "unknownKey"])

_TAILS = st.sampled_from([
    "", "", "", " [⚠️ DESTRUCTIVE]", " [⚠️ DESTRUCTIVE | 💰 BILLABLE]", " [🔒 READ-ONLY]", " [💰 BILLABLE | ⚠️ DESTRUCTIVE]",
    " [⚠️ MAYBE]", "[⚠️ NOT REVERSIBLE]", "\n\nSafety: deletes files; uses the network.", "\n\nSafety: sings.",
    "\n\nSafety: some calls need approval by the user. [⚠️ NOT IDEMPOTENT]",
    "\n\nWhen to use: never", "\n\nWhen to use: a\n\nb",
    "\n\nRequires: x; y\n\nScopes: s", "\n\nSafety: risk level 2 of 3; high cost.", "\n\nPermissions: p.\n\nRequires: q",
])  # fmt: skip
_ALONE = st.sampled_from(
    ["When to use: never", "Implements: a:b", "Safety: deletes files.", "Requires: x; y\n\nCalls: z."]
)
DESCRIPTION = st.one_of(TEXT, st.builds("{}{}".format, TEXT, _TAILS), _ALONE)

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, width=32), TEXT)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3), max_leaves=6
)
JSON_FINITE = JSON.filter(lambda value: "inf" not in repr(value))


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def required(
    fields: dict[str, st.SearchStrategy[Any]], **others: st.SearchStrategy[Any]
) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(fields, optional=others)


def with_unknown(
    strategy: st.SearchStrategy[dict[str, Any]], keys: st.SearchStrategy[str] = UNKNOWN_KEY
) -> st.SearchStrategy[dict[str, Any]]:
    unknown = st.dictionaries(keys, JSON_FINITE, max_size=1)
    return st.builds(lambda known, extra: {**extra, **known}, strategy, unknown)


TEXTS = st.lists(TEXT, max_size=3)
_BOOL = st.booleans()

# -- JSON Schema ---------------------------------------------------------------------------------------------

_LEAF_SCHEMA = st.one_of(
    st.sampled_from([
        {}, {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "array"}, {"type": "object"},
        {"type": "string", "format": "uri"}, {"type": "string", "format": "file-path"}, {"type": ["string", "null"]},
        {"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}, {"enum": [1, "a", None]}, {"const": None},
        {"type": "integer", "minimum": 0, "maximum": 9}, {"$ref": "#/$defs/node"}, {"type": "string", "pattern": "(a+)+$"},
        {"type": "array", "items": {"type": "integer"}}, {"$ref": "https://example.invalid/schema.json"},
    ]),
    st.builds(lambda text, default: {"type": "string", "description": text, "default": default}, TEXT, JSON_FINITE),
)  # fmt: skip


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(lambda item: {"type": "array", "items": item}, inner),
        st.builds(lambda some: {"anyOf": some}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda some: {"oneOf": some, "title": "t"}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda props: {"type": "object", "properties": props}, st.dictionaries(KEY, inner, max_size=2)),
    )


SCHEMA = st.recursive(_LEAF_SCHEMA, _deeper, max_leaves=4)


_PROPERTIES = st.dictionaries(KEY, SCHEMA | _BOOL, max_size=4)
_KEYWORDS = optional(additionalProperties=_BOOL, title=TEXT, description=TEXT, minProperties=st.just(0))


@st.composite
def object_schema(draw: st.DrawFn) -> dict[str, Any]:
    properties = draw(_PROPERTIES)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    has_required = draw(_BOOL)
    if properties and has_required:
        schema["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    if "$ref': '#/$defs" in repr(properties) or draw(st.integers(0, 4)) == 0:
        schema["$defs"] = {"node": draw(SCHEMA)}
    schema.update(draw(_KEYWORDS))
    return draw(st.sampled_from([schema, schema, {}, {"type": "object"}]))


# -- ATIP ----------------------------------------------------------------------------------------------------

_EFFECTS = with_unknown(
    optional(
        filesystem=with_unknown(optional(read=_BOOL, write=_BOOL, delete=_BOOL, paths=TEXTS)),
        network=_BOOL, subprocess=_BOOL, idempotent=_BOOL, reversible=_BOOL, destructive=_BOOL,
        creates=TEXTS, modifies=TEXTS, deletes=TEXTS,
        interactive=optional(stdin=st.sampled_from(["none", "optional", "required", "password"]), prompts=_BOOL, tty=_BOOL),
        cost=optional(estimate=st.sampled_from(["free", "low", "medium", "high"]), billable=_BOOL),
        duration=optional(
            typical=st.sampled_from(["1-5s", "10-30m"]), timeout=st.sampled_from(["0s", "60s", "5m", "300s", "2h", "007s"])
        ),
    )
)  # fmt: skip
_AUTH = with_unknown(
    optional(
        required=_BOOL,
        methods=st.lists(
            with_unknown(
                required(
                    {"type": st.sampled_from(["token", "oauth", "api-key", "password", "certificate"])},
                    envVar=st.sampled_from(["GH_TOKEN", "X", "_"]), description=TEXT, setupCommand=TEXT, scopes=TEXTS,
                )
            ),
            max_size=2,
        ),
        checkCommand=TEXT,
    )
)  # fmt: skip
_TYPE = st.sampled_from(["string", "integer", "number", "boolean", "file", "directory", "url", "enum", "array"])
_ENUM = st.lists(st.one_of(TEXT, st.integers(-5, 5), st.just(1.5)), max_size=3)
_PARAMETER = {"name": KEY, "type": _TYPE, "description": TEXT}
_OPTIONAL = {
    "required": _BOOL, "default": JSON_FINITE, "variadic": _BOOL, "enum": _ENUM, "pattern": st.sampled_from(["^a$", "b"]),
    "exclusive": TEXTS, "schema": SCHEMA,
}  # fmt: skip
_ARGUMENT = with_unknown(required(_PARAMETER, **_OPTIONAL))
_OPTION = with_unknown(
    required(
        {**_PARAMETER, "flags": st.lists(st.sampled_from(["-f", "--force", "--a-b"]), min_size=1, max_size=2)},
        envVar=st.sampled_from(["A", "A_B1"]),
        **_OPTIONAL,
    )
)
_PATTERN = with_unknown(
    required(
        {"name": TEXT, "description": TEXT, "steps": st.lists(required({"command": TEXT}, description=TEXT), max_size=2)},
        tags=TEXTS, executable=_BOOL,
    )
)  # fmt: skip


def _command(inner: st.SearchStrategy[Any] | None) -> st.SearchStrategy[Any]:
    nested = {} if inner is None else {"commands": st.dictionaries(KEY | st.just(""), inner, max_size=2)}
    return with_unknown(
        required(
            {"description": DESCRIPTION | st.just("")},
            arguments=st.lists(_ARGUMENT, max_size=2),
            options=st.lists(_OPTION, max_size=2),
            effects=_EFFECTS,
            examples=TEXTS,
            authentication=_AUTH,
            deprecated=_BOOL,
            hidden=_BOOL,
            interactive=optional(prompts=_BOOL, description=TEXT),
            **nested,
        )
    )


_COMMANDS = _command(_command(_command(None)))
_OMITTED = optional(
    reason=st.sampled_from(["filtered", "size-limited"]), safetyAssumption=st.sampled_from(["unknown", "known-safe"])
)
_ATIP = with_unknown(
    required(
        {
            "atip": st.sampled_from(
                ["0.1", "0.3", {"version": "0.4"}, {"version": "0.6", "features": ["trust-v1"]}, {"version": "0.5"}]
            ),
            "name": st.sampled_from(["gh", "my-tool", "A_1", "-x"]),
            "version": TEXT,
            "description": DESCRIPTION.filter(lambda text: len(text) <= 200),
        },
        title=TEXT, license=st.just("MIT"), homepage=st.just("https://example.invalid/"),
        commands=st.dictionaries(KEY | st.just(""), _COMMANDS, max_size=3),
        globalOptions=st.lists(_OPTION, max_size=2), authentication=_AUTH, effects=_EFFECTS,
        patterns=st.lists(_PATTERN, max_size=1), partial=_BOOL, filter=optional(depth=st.just(None) | st.just(2)),
        totalCommands=st.just(7), omitted=_OMITTED, deprecated=_BOOL, examples=TEXTS,
        trust=with_unknown(optional(source=st.sampled_from(["native", "inferred"]), verified=_BOOL)),
        binary=st.just({"hash": "sha256:" + "a" * 64, "name": "gh"}),
    )
)  # fmt: skip

# -- ATDF ----------------------------------------------------------------------------------------------------

_FAILURE = st.builds(
    lambda code, text, action: {"code": code, "description": text + action},
    TEXT, DESCRIPTION, st.sampled_from(["", " Action: retry"]),
)  # fmt: skip
_OUTPUTS = st.fixed_dictionaries({"success": TEXT, "failure": st.lists(_FAILURE, max_size=2)})


def _inputs(entry: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(entry, max_size=3, unique_by=lambda item: item["name"])


_INPUT = {"name": KEY, "type": st.sampled_from(["string", "object", "array", "integer", "unknown", "banana"])}
_BASIC = {"description": DESCRIPTION, "when_to_use": DESCRIPTION}
_ID = st.one_of(
    st.builds(lambda text: {"tool_id": text}, TEXT),
    st.builds(lambda text: {"id": text}, TEXT),
)
_ATDF_01 = st.builds(
    lambda identity, rest: {**identity, **rest},
    _ID,
    required(
        {**_BASIC, "how_to_use": st.fixed_dictionaries(
            {"inputs": _inputs(required(_INPUT, description=TEXT)), "outputs": _OUTPUTS}
        )},
        schema_version=st.sampled_from(["1.0.0", "0.1"]),
    ),
)  # fmt: skip
_EXAMPLE = with_unknown(
    required(
        {"goal": TEXT, "input_values": st.dictionaries(KEY, JSON_FINITE, max_size=2), "expected_result": TEXT},
        title=TEXT, inputs=st.just({}), name=TEXT,
    )
)  # fmt: skip
_ATDF_02 = st.builds(
    lambda identity, rest: {**identity, **rest},
    _ID,
    with_unknown(
        required(
            {**_BASIC, "how_to_use": st.fixed_dictionaries(
                {
                    "inputs": _inputs(required(_INPUT, description=TEXT, required=_BOOL, schema=SCHEMA)),
                    "outputs": _OUTPUTS,
                }
            )},
            schema_version=st.sampled_from(["2.0.0", "2.1"]),
            metadata=with_unknown(optional(
                version=TEXT, author=TEXT, tags=TEXTS, category=TEXT, created_at=st.just("2026-01-02"),
                updated_at=TEXT, title=TEXT, homepage=TEXT,
            )),
            localization=st.dictionaries(
                st.sampled_from(["es", "pt-BR", "es-419"]),
                with_unknown(st.fixed_dictionaries({"description": TEXT, "when_to_use": TEXT})), max_size=2,
            ),
            prerequisites=with_unknown(optional(tools=TEXTS, conditions=TEXTS, permissions=TEXTS)),
            feedback=with_unknown(optional(progress_indicators=TEXTS, completion_signals=TEXTS)),
            examples=st.lists(_EXAMPLE, max_size=2),
        )
    ),
)  # fmt: skip

# -- AIP-14 --------------------------------------------------------------------------------------------------

_MUTATES = st.lists(
    st.sampled_from(["workspace:/notes/*", "network:*", "external:mail", "database:rows", "sandbox:*", "audit:x"]),
    max_size=2,
)
_KINDS = st.lists(st.sampled_from(["cli", "http", "mcp", "sdk", "builtin"]), unique=True, max_size=2)
_ACTION = {
    "id": "shelf:clear", "mutates": ["shelf:*"], "risk_level": 3, "approval": "always", "fires_events": ["cleared"],
    "requires": {"network": ["shelf.example"], "tools": ["post.list"]}, "category": "shelves", "target_kind": "shelf",
}  # fmt: skip
_TOOL_MD = required(
    {
        "name": TEXT,
        "id": st.sampled_from(["a1", "notes.append", "workspace.delete", "a--b", "0-x"]),
        "description": DESCRIPTION,
        "version": st.sampled_from(["1.0.0", "0.2.0-rc.1", "10.0.0+b"]),
        "inputs": object_schema(),
        "outputs": object_schema() | st.just({}),
    },
    idempotent=_BOOL, mutates=_MUTATES,
    requires=optional(network=TEXTS, secrets=TEXTS, tools=TEXTS),
    approval=st.sampled_from(["auto", "always", "on-mutate", "policy:governance/sign"]),
    risk_level=st.sampled_from([0, 1, 2, 3, 2.0]), cost_class=st.sampled_from(["trivial", "metered", "expensive"]),
    timeout_ms=st.integers(1, 10**7),
    retry=required(
        {"max_attempts": st.integers(1, 20), "backoff": st.sampled_from(["fixed", "exponential"])},
        initial_ms=st.integers(0, 10**4),
    ),
    default_implementation=st.sampled_from([None, "acme-http"]),
    driver_constraints=optional(forbid=_KINDS, require_kind=_KINDS),
    tags=st.lists(st.sampled_from(["read-only", "finance", "x1"]), unique=True, max_size=2),
    examples=st.lists(required({"name": TEXT, "input": JSON_FINITE}, output=JSON_FINITE, note=TEXT), max_size=2),
    metadata=st.dictionaries(KEY, JSON_FINITE, max_size=2) | st.builds(lambda s: {"contextSchema": s}, object_schema()),
    implements=st.sampled_from([None, "storage:commit", "secrets:reveal", {"ref": "a/b"}, {"inline": _ACTION}]),
    schema=st.just("agentproto/tool/v1"),
)  # fmt: skip
_BODY = st.sampled_from([
    "", "\n# Title\n\nText.\n", "## Errors\n\n| Code | Meaning | Caller action |\n|---|---|---|\n| `gone` | No file | Stop |\n",
    "\n## Errors\n\n| Code | Meaning | Caller action |\n| --- | --- | --- |\n| `a` | b | c |\n", "text\r\nwith\r\nCRLF\r\n",
    "\n## Description\n\nLong.\n\n## Examples\n\n```sh\nls -l\n```\n", "\n## Errors\n\nnone\n", "---\n---\n",
    "\n## Description\n\nUse it when\nasked.\n\nWhen to use: never.\n", "## Description\n\nA.\n\n## Driver notes\n\nB.\n",
    "\n```md\n## Description\n\nCode.\n```\n", "\n## Description\n\n```\n## Errors\n", "## description #\r\n\r\nA\r\nB\r\n",
])  # fmt: skip


def _allowed(data: dict[str, Any]) -> bool:
    """AIP-14's own rule: what changes something says who approves."""
    return not data.get("mutates") or data.get("approval", "auto") != "auto"


# -- ToolDescriptor ------------------------------------------------------------------------------------------

_DESCRIPTOR = required(
    {
        "toolId": st.sampled_from(["mcp:fs.read", "x-host-acme-shell", "x", "openwop:core.noop", "Ü b"]),
        "source": st.sampled_from(["node-pack", "workflow", "mcp", "connector", "host-extension"]),
        "safetyTier": st.sampled_from(["pure", "read", "write"]),
    },
    title=TEXT, description=DESCRIPTION, inputSchema=object_schema(), outputSchema=object_schema(),
    auth=optional(scopes=st.lists(TEXT, unique=True, max_size=2), credentialRef=_BOOL),
    egress=st.sampled_from(["none", "safe-fetch", "host-mediated", "host-owned"]),
    approval=st.sampled_from(["never", "conditional", "always"]),
    replayPolicy=st.sampled_from(["deterministic", "idempotent", "non-deterministic"]),
    costHint=st.sampled_from(["low", "medium", "high"]), latencyHint=st.sampled_from(["low", "high"]),
)  # fmt: skip
_EXEC = st.builds(lambda data: {**data, "safetyTier": "exec", "source": "host-extension"}, _DESCRIPTOR)


# -- MCP -----------------------------------------------------------------------------------------------------

# Boolean subschemas are of 2026-07-28 only, and `execution` of 2025-11-25 only.
_MCP_HINTS = with_unknown(
    optional(title=TEXT, readOnlyHint=_BOOL, destructiveHint=_BOOL, idempotentHint=_BOOL, openWorldHint=_BOOL)
)
_ICON = with_unknown(
    required(
        {"src": st.sampled_from(["https://example.invalid/a.png", "data:image/png;base64,AA=="])},
        mimeType=st.just("image/png"), sizes=st.just(["48x48", "any"]), theme=st.sampled_from(["light", "dark"]),
    )
)  # fmt: skip
_HEADER = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
_MCP_INPUTS = st.one_of(
    object_schema().map(lambda schema: {**schema, "type": "object"}),
    st.sampled_from([
        _HEADER, {"type": "object", "additionalProperties": False}, {"type": "object", "oneOf": [{"required": ["a"]}]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"type": {"type": "object"}}},
        {"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {}}}}},
    ]),
)  # fmt: skip
_MCP_OUTPUTS = _MCP_INPUTS | SCHEMA | object_schema()
_SCHEMES = st.lists(
    st.just({"type": "noauth"})
    | st.fixed_dictionaries({"type": st.just("oauth2")}, optional={"scopes": st.lists(TEXT, max_size=2)}),
    max_size=2,
)
_MCP_SHARED = {
    "title": TEXT | st.just(""), "description": DESCRIPTION | st.just(""), "annotations": _MCP_HINTS,
    "_meta": st.dictionaries(st.sampled_from(["com.example/a", "ui", "dev.toolglot/record"]), JSON_FINITE, max_size=2)
    | with_unknown(optional(securitySchemes=_SCHEMES, **{"openai/visibility": st.sampled_from(["private", "public", "x"])})),
    "securitySchemes": _SCHEMES,
    "arguments": st.just([{"name": "a"}]), "required": st.just(["a"]), "toolMetadata": st.just({"destructive": {"value": True}}),
}  # fmt: skip
_MCP_NAME = st.one_of(st.sampled_from(["ls", "repo.delete", "A_1-b"]), TEXT)


def _mcp(inputs: st.SearchStrategy[Any], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return with_unknown(required({"name": _MCP_NAME, "inputSchema": inputs}, **_MCP_SHARED, **more))


def _objects(schema: Any) -> bool:
    """Whether the revisions before 2026-07-28 allow the schema."""
    properties = schema.get("properties", {})
    return schema.get("type") == "object" and all(isinstance(value, dict) for value in properties.values())


_OLDER = _MCP_INPUTS.filter(_objects)
_MCP_2025_06 = _mcp(_OLDER, outputSchema=_OLDER)
_MCP_2025_11 = _mcp(
    _OLDER, outputSchema=_OLDER, icons=st.lists(_ICON, max_size=2),
    execution=with_unknown(optional(taskSupport=st.sampled_from(["forbidden", "optional", "required"]))),
)  # fmt: skip
_MCP_2026 = _mcp(_MCP_INPUTS, outputSchema=_MCP_OUTPUTS, icons=st.lists(_ICON, max_size=2))

# -- OpenAI, Anthropic, Gemini -----------------------------------------------------------------------------------

_CALLED = st.sampled_from(["ls", "repo_delete", "A-1", "9lives", "-x", "a" * 128])
_ARGUMENTS = st.one_of(
    object_schema().map(lambda schema: {"type": "object", **schema}),
    st.sampled_from([
        {"type": "object", "properties": {}}, {"type": "object", "properties": {}, "additionalProperties": False},
        {"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {}}}}},
        {"type": "object", "properties": {"a": {"type": "dict"}, "b": {"type": "float", "optional": True}}},
        {"type": "object", "properties": {"a": 7, "b": {"enum": "x", "anyOf": {}, "items": [], "required": "a"}}},
    ]),
)  # fmt: skip
_PROSE = DESCRIPTION | st.just("") | st.builds(lambda text: f"{text * 300} [⚠️ DESTRUCTIVE]", PLAIN)
_STRICT = st.sampled_from([True, False, None])
_FUNCTION = with_unknown(required({"name": _CALLED}, description=_PROSE, parameters=_ARGUMENTS, strict=_STRICT))
_GRAMMAR = st.just({"type": "grammar", "grammar": {"definition": "a", "syntax": "regex"}})
_CUSTOM = with_unknown(required({"name": _CALLED}, description=_PROSE, format=_GRAMMAR, strict=_BOOL))
_OPENAI_CHAT = st.one_of(
    _FUNCTION,
    with_unknown(st.fixed_dictionaries({"type": st.just("function"), "function": _FUNCTION})),
    with_unknown(required({"type": st.just("custom"), "custom": _CUSTOM}, strict=_BOOL)),
    st.builds(
        lambda function, more: {**function, **more},
        _FUNCTION,
        optional(function=TEXT, response=SCHEMA, params=JSON_FINITE),
    ),
)
_OPENAI_RESPONSES = st.one_of(
    with_unknown(
        required(
            {"type": st.just("function"), "name": _CALLED, "parameters": _ARGUMENTS | st.none(), "strict": _STRICT},
            description=_PROSE | st.none(), output_schema=_ARGUMENTS | st.none(), defer_loading=_BOOL,
            allowed_callers=st.just(["direct", "programmatic"]), function=TEXT, **{"async": _BOOL},
        )
    ),
    st.builds(lambda tool: {"type": "custom", **tool}, _CUSTOM),
    with_unknown(
        required(
            {"type": st.sampled_from(["web_search", "mcp", "code_interpreter"])},
            name=_CALLED, description=_PROSE, container=st.just({"type": "auto"}), server_label=TEXT,
        )
    ),
)  # fmt: skip
_CALLERS = st.just(["direct", "code_execution_20260521"])
_ANTHROPIC = st.one_of(
    with_unknown(
        required(
            {"name": _CALLED, "input_schema": _ARGUMENTS | st.just({"type": "object", "properties": None})},
            type=st.just("custom"), description=_PROSE, strict=_BOOL, defer_loading=_BOOL, allowed_callers=_CALLERS,
            input_examples=st.lists(st.dictionaries(KEY, JSON_FINITE, max_size=2), max_size=2),
            cache_control=st.sampled_from([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}, None]),
            eager_input_streaming=st.sampled_from([True, None]),
        )
    ),
    with_unknown(
        required(
            {"type": st.sampled_from(["bash_20250124", "web_search_20260318", "mcp_toolset"])},
            name=_CALLED, max_uses=st.just(5), description=_PROSE, input_schema=_ARGUMENTS,
        )
    ),
)  # fmt: skip

_GEMINI_LEAF = st.one_of(
    st.sampled_from([
        {}, {"type": "STRING"}, {"type": "string"}, {"type": "INTEGER", "format": "int64", "minimum": 0}, {"type": "NULL"},
        {"type": "STRING", "format": "enum", "enum": ["a", ""]}, {"type": "STRING", "enum": ["a"], "nullable": True},
        {"type": "INTEGER", "format": "enum", "enum": ["101", "x"]}, {"type": "NUMBER", "enum": ["1.5", "2", None]},
        {"type": "ARRAY", "items": {"type": "STRING"}, "minItems": "2", "maxItems": 3}, {"type": "ARRAY", "min_items": "x"},
        {"type": "BOOLEAN", "nullable": False}, {"ref": "#/defs/node", "nullable": True}, {"ref": "elsewhere"},
        {"type": "TYPE_UNSPECIFIED"}, {"type": ["STRING", "NULL"]}, {"type": 5, "nullable": "yes"}, {"const": "a"},
        {"type": "STRING", "example": "a", "examples": ["b"]}, {"type": "STRING", "example": None}, {"any_of": [{}], "anyOf": []},
        {"anyOf": [{"type": "NULL"}], "nullable": True}, {"anyOf": [{"type": "STRING"}, {"type": "null"}]}, {"enum": [None]},
    ]),
    st.builds(lambda text, value: {"type": "STRING", "title": text, "default": value}, TEXT, JSON_FINITE),
)  # fmt: skip


def _gemini_deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, max_size=3)
    return st.one_of(
        st.builds(lambda item, null: {"type": "ARRAY", "items": item, "nullable": null}, inner, _BOOL),
        st.builds(lambda some, null: {"anyOf": some, "nullable": null}, some, _BOOL),
        st.builds(lambda some: {"type": "OBJECT", "any_of": some, "nullable": True}, some),
        st.builds(
            lambda some, more: {"type": "OBJECT", "properties": some, "propertyOrdering": list(some), **more},
            st.dictionaries(KEY, inner | st.just(7), max_size=2),
            optional(additionalProperties=inner | _BOOL, defs=st.dictionaries(KEY, inner, max_size=1)),
        ),
    )


GEMINI_SCHEMA = st.recursive(_GEMINI_LEAF, _gemini_deeper, max_leaves=5)
_GEMINI_ARGUMENTS = st.builds(
    lambda kind, properties, more: {"type": kind, "properties": properties, **more},
    st.sampled_from(["OBJECT", "OBJECT", "object"]), st.dictionaries(KEY, GEMINI_SCHEMA, max_size=3),
    optional(
        required=st.just(["a"]), defs=st.just({"node": {"type": "STRING"}}), nullable=_BOOL, minProperties=st.just("1"),
        additionalProperties=_BOOL, description=TEXT,
    ),
) | st.just({"type": "OBJECT"})  # fmt: skip
_DECLARED = {"name": st.sampled_from(["ls", "repo_delete", "a.b:c-d", "_x", "a" * 128])}
_BEHAVIOR = st.sampled_from(["BLOCKING", "NON_BLOCKING"])
_GEMINI_JSON = st.sampled_from(["parametersJsonSchema", "parameters_json_schema"]).flatmap(
    lambda key: with_unknown(
        required(
            {**_DECLARED, key: _ARGUMENTS},
            description=_PROSE,
            responseJsonSchema=_ARGUMENTS | SCHEMA,
            behavior=_BEHAVIOR,
        )
    )
)
_GEMINI = st.one_of(
    with_unknown(
        required(
            _DECLARED, description=_PROSE, parameters=_GEMINI_ARGUMENTS, response=GEMINI_SCHEMA, behavior=_BEHAVIOR
        )
    ),
    _GEMINI_JSON,
    with_unknown(required(_DECLARED, response_json_schema=_ARGUMENTS, parameters=_GEMINI_ARGUMENTS)),
    with_unknown(required({**_DECLARED, "parametersJsonSchema": _ARGUMENTS}, response=GEMINI_SCHEMA)),
    st.sampled_from(
        [{"googleSearch": {}}, {"mcpServers": [{"name": "a"}]}, {"retrieval": {"vertexAiSearch": {"datastore": "a"}}}]
    ),
)

# -- the hub -------------------------------------------------------------------------------------------------

_A2A = with_unknown(
    required(
        {
            "id": st.sampled_from(["ls", "repo.delete", "A_1-b"]) | TEXT,
            "name": TEXT,
            "description": DESCRIPTION,
            "tags": TEXTS,
        },
        examples=TEXTS,
        inputModes=st.just(["text/plain"]),
        securityRequirements=st.just([{"schemes": {"oauth": {"list": ["read"]}}}]),
    )
)

_SKILL = required(
    {"name": st.sampled_from(["sail", "sort-parcels", "a1"]), "description": DESCRIPTION.filter(str.strip)},
    license=TEXT,
    compatibility=TEXT,
    metadata=st.dictionaries(KEY | st.sampled_from(["author", "version"]), TEXT, max_size=3),
    **{"allowed-tools": st.just("Bash(git:*) Read")},
)

_HUB_FIELDS = {
    **dict.fromkeys(
        ["reads_files", "writes_files", "deletes_files", "network", "subprocess", "destructive", "reversible", "idempotent",
         "prompts", "tty", "billable", "auth_required", "deprecated"], _BOOL,
    ),
    **dict.fromkeys(["title", "summary", "when_to_use", "guidance", "category", "author", "success", "homepage", "version"], TEXT),
    **dict.fromkeys(["tags", "paths", "creates", "modifies", "deletes", "scopes", "secrets", "calls", "hosts",
                     "conditions", "permissions", "required_tools"], TEXTS),
    "namespace": TEXT | st.just("github"), "description": TEXT, "inputs": object_schema(), "outputs": object_schema(), "context": object_schema(),
    "mutates": _MUTATES, "risk_level": st.integers(0, 3), "timeout_ms": st.integers(0, 10**7),
    "safety_tier": st.sampled_from(["pure", "read", "write", "exec"]),
    "approval": st.sampled_from(["never", "auto", "conditional", "on-mutate", "always", "policy:a/b"]),
    "egress": st.sampled_from(["none", "safe-fetch", "host-mediated", "host-owned"]),
    "replay": st.sampled_from(["deterministic", "idempotent", "non-deterministic"]),
    "stdin": st.sampled_from(["none", "optional", "required", "password"]),
    "cost_estimate": st.sampled_from(["free", "low", "medium", "high"]),
    "cost_class": st.sampled_from(["trivial", "metered", "expensive"]),
    "cost_hint": st.sampled_from(["low", "medium", "high"]), "duration": st.sampled_from(["1-5s", "10-90m"]),
    "flags": st.lists(st.sampled_from(["destructive", "billable", "network", "risk-2", "read-only"]), min_size=1, unique=True),
    "errors": st.lists(required({"code": TEXT}, description=TEXT, action=TEXT), max_size=2),
    "examples": st.lists(optional(title=TEXT, command=TEXT, input=JSON_FINITE, output=JSON_FINITE, note=TEXT), max_size=2),
    "implements": st.just("storage:commit"), "driver_constraints": optional(forbid=_KINDS, require_kind=_KINDS),
    "source": st.sampled_from(["mcp", "workflow", "host-extension"]), "discovery": st.just({"partial": True}),
    "trust": st.just({"source": "native", "verified": True}), "retry": st.just({"max_attempts": 2, "backoff": "fixed"}),
}  # fmt: skip


def _hub_tool(children: st.SearchStrategy[Any] | None) -> st.SearchStrategy[dict[str, Any]]:
    identifier = st.sampled_from(["ls", "a.b", "x:y", "R m"])
    fields = required({"id": identifier}, **_HUB_FIELDS)
    if children is None:
        return fields
    some = st.lists(children, min_size=1, max_size=2, unique_by=lambda tool: tool["id"])
    return st.one_of(fields, st.builds(lambda tool, below: {**tool, "children": below}, fields, some))


HUB = _hub_tool(_hub_tool(None)).map(Record)


def _record(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Record]:
    return strategy.map(Record)


RECORDS: dict[str, st.SearchStrategy[Record]] = {
    "atip": _record(_ATIP),
    "atdf": _record(_ATDF_01 | _ATDF_02),
    "aip14": st.tuples(_TOOL_MD.filter(_allowed), _BODY).map(lambda both: Record(*both)),
    "tool-descriptor": _record(_DESCRIPTOR | _EXEC),
    "mcp": _record(_MCP_2025_06 | _MCP_2025_11 | _MCP_2026),
    "openai": _record(_OPENAI_CHAT | _OPENAI_RESPONSES),
    "anthropic": _record(_ANTHROPIC),
    "gemini": _record(_GEMINI),
    "a2a": _record(_A2A),
    "skill": st.tuples(_SKILL, _BODY).map(lambda both: Record(*both)),
}
