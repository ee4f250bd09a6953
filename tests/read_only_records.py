"""Valid records of the formats that are only read, as far as their schemas let them vary."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from strategies import DESCRIPTION, JSON_FINITE, KEY, TEXT, TEXTS, optional, required, with_unknown
from toolglot.formats import Record

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
_OCLIF_FLAG = with_unknown(
    required(
        {"type": st.sampled_from(["boolean", "option"])}, **_SHARED, multiple=_BOOL, char=st.sampled_from("abc"),
        summary=TEXT, aliases=TEXTS, charAliases=st.lists(st.sampled_from("xyz"), max_size=2), allowNo=_BOOL, env=TEXT,
        exclusive=TEXTS, dependsOn=TEXTS, deprecated=_BOOL | optional(to=TEXT), delimiter=st.just(","), helpGroup=TEXT,
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

RECORDS: dict[str, st.SearchStrategy[Record]] = {
    "opencli": _OPENCLI.map(Record),
    "carapace": _CARAPACE.map(Record),
    "oclif": _OCLIF.map(Record),
}
