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

RECORDS: dict[str, st.SearchStrategy[Record]] = {
    "opencli": _OPENCLI.map(Record),
}
