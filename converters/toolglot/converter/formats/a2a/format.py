"""Skills of an A2A agent card: what an agent can be asked for, in words.

A skill has no schema and no hint: everything about its arguments and effects is lost, and the report says so; what it
says of danger stands in the description. What is written is the part `{"skills": [...]}` of a card: its addresses,
capabilities and ways to sign in are those of an agent, which only the agent knows. So security requirements are read,
and only a skill's own are written. Source: A2A 1.0, `AgentCard` and `AgentSkill`.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import NO_CONTAINER, Container, Format, Places, Record, Spelling, is_short_text
from toolglot.converter.formats.a2a.detection import MARKS
from toolglot.converter.formats.kit.containers import listed_records
from toolglot.converter.formats.kit.description.facts_in_description import join_description, split_description
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    echoes,
    fields_of,
    make_tool,
    order_keys,
    places,
    put,
    take,
    text,
)
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, function_name, named_parts, words_of_id
from toolglot.converter.hub.model import Example, Tool, text_about
from toolglot.converter.safety import NAMES_BELOW
from toolglot.converter.text.pointers import as_mapping, is_texts, list_at, texts_of, without_empty


def _dump_examples(examples: tuple[Example, ...]) -> list[str]:
    """Examples are requests in words here: what an example is called, or the command line that it shows."""
    requests = []
    for example in examples:
        words = example.command if example.title is None else example.title
        if words is not None:
            requests.append(words)
    return requests


# A skill has at least one tag: the SDK takes none for a field that is missing. This one says nothing that is not known.
_STAND_IN = ["tool"]


_TABLE: Table = {
    "id": text("id"),
    "name": text("title"),
    "description": text("description"),
    "tags": Row(
        "tags",
        is_texts,
        lambda tags: None if tags == _STAND_IN else tuple(tags),
        lambda tags: list(tags or _STAND_IN),
        has_spellings=True,
    ),
    "examples": Row("examples", is_texts, lambda texts: tuple(Example(title=item) for item in texts), _dump_examples),
}
_HOLDS = fields_of(_TABLE)


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {}
    rest = take(record.data, _TABLE, fields)
    fields.update(split_description(fields.pop("description", ""), _HOLDS))
    fields.update(_sign_in(rest)[0])
    return make_tool("a2a", fields, rest)


def _write(tool: Tool, version: str | None) -> Record:
    data = put(tool, _TABLE, tool.extension("a2a"))
    data.setdefault("name", words_of_id(tool.id))
    data["description"] = join_description(tool, _HOLDS) or text_about(tool)
    data.setdefault("tags", list(_STAND_IN))
    return Record(order_keys(data, _TABLE))


# -- who may ask, as A2A 1.0 and 0.3 write it --------------------------------------------------------------------

# Of 1.0, as Protobuf has it, which readers of its JSON take too, and of 0.3.
_SIGN_IN_KEYS = ("securityRequirements", "security_requirements", "security")
_SIGN_IN_PLACES = tuple(f"/{key}" for key in _SIGN_IN_KEYS)


def _sign_in(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What a card or a skill says of its callers, and the keys under which it does.

    That is if they have to be signed in, and the scopes of all alternatives. An alternative that needs nothing makes
    the others optional, so that nothing is stated. A card that says it in the words of two versions means both, for a
    reader may know either.
    """
    places: list[str] = []
    all_scopes: dict[str, None] = {}
    for key in _SIGN_IN_KEYS:
        alternatives = [_schemes_of(requirement) for requirement in list_at(data, key)]
        if alternatives and all(alternatives):
            places.append(key)
            for schemes in alternatives:
                all_scopes.update(dict.fromkeys(chain(*schemes.values())))
    return without_empty({"auth_required": bool(places), "scopes": tuple(all_scopes)}), places


def _schemes_of(requirement: Any) -> dict[str, list[str]]:
    """The schemes that one alternative needs, all of them, each with its scopes."""
    if not isinstance(requirement, dict):
        return {}
    schemes = requirement.get("schemes")
    if not isinstance(schemes, dict):
        schemes = requirement
    return {name: texts_of(as_mapping(needs).get("list", needs)) for name, needs in schemes.items()}


# -- documents ------------------------------------------------------------------------------------------------


def _records(data: Any) -> list[Record]:
    """The skills of a card, of a list, or one alone."""
    records = listed_records(data, "skills")
    if isinstance(data, dict) and isinstance(data.get("skills"), list):
        container = _container(data)
        return [replace(record, container=container) for record in records]
    return records


def _container(card: dict[str, Any]) -> Container:
    """The agent that the card is about: whose skills they are, and who may ask for them."""
    facts, keys = _sign_in(card)
    places = {f"/{key}": "auth_required" for key in keys}
    if is_short_text(card.get("name")):
        facts["namespace"] = card["name"]
        places["/name"] = "namespace"
    if not facts:
        return NO_CONTAINER
    return Container(facts, places)


def _identify(name: Name) -> str:
    """One id stays as it is; the parts of a path become one name."""
    if name.is_plain:
        return name.path[0]
    return fit_id(function_name("_".join(named_parts(name.path)), name), "A-Za-z0-9._-", 128)


FORMAT = Format(
    name="a2a",
    title="A2A agent skills",
    url="https://a2a-protocol.org/latest/specification/",
    marks=MARKS,
    versions=("1.0",),
    writes=("1.0",),
    records=_records,
    wrap=lambda records: {"skills": records},
    version_of=lambda record: "1.0",
    holds=_HOLDS,
    places=Places(places(_TABLE), dict.fromkeys(("auth_required", "scopes"), _SIGN_IN_PLACES)),
    read=_read,
    write=_write,
    identify=_identify,
    names_below=NAMES_BELOW | {"scopes", "securitySchemes"},
    spelling=Spelling(formal=("title",), echoes=echoes(_TABLE)),
    also_states=frozenset({"auth_required", "scopes"}),
)
