"""Skills of an A2A agent card: what an agent can be asked for, in words.

A skill has no schema and no safety hints: everything about arguments and effects is lost, and the report says so.
Warnings are written into the description.

Only the part `{"skills": [...]}` of a card is written, because addresses, capabilities and security schemes belong to
the agent. Security requirements are read from the card and from its skills; only those of a skill are written back.
Source: A2A 1.0, `AgentCard` and `AgentSkill`.
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
    """The examples as requests in words: the title of each, or the command line that it shows."""
    requests = []
    for example in examples:
        request = example.command if example.title is None else example.title
        if request is not None:
            requests.append(request)
    return requests


# For a skill without tags: the A2A SDK takes an empty list for a missing field. This tag states nothing new.
_PLACEHOLDER_TAGS = ["tool"]


_TABLE: Table = {
    "id": text("id"),
    "name": text("title"),
    "description": text("description"),
    "tags": Row(
        "tags",
        is_texts,
        lambda tags: None if tags == _PLACEHOLDER_TAGS else tuple(tags),
        lambda tags: list(tags or _PLACEHOLDER_TAGS),
        has_spellings=True,
    ),
    "examples": Row("examples", is_texts, lambda texts: tuple(Example(title=item) for item in texts), _dump_examples),
}
_HOLDS = fields_of(_TABLE)


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {}
    rest = take(record.data, _TABLE, fields)
    fields.update(split_description(fields.pop("description", ""), _HOLDS))
    fields.update(_security_facts(rest)[0])
    return make_tool("a2a", fields, rest)


def _write(tool: Tool, version: str | None) -> Record:
    data = put(tool, _TABLE, tool.extension("a2a"))
    data.setdefault("name", words_of_id(tool.id))
    data["description"] = join_description(tool, _HOLDS) or text_about(tool)
    data.setdefault("tags", list(_PLACEHOLDER_TAGS))
    return Record(order_keys(data, _TABLE))


# -- security requirements, as A2A 1.0 and 0.3 write them ---------------------------------------------------------

# The key of 1.0, its name in Protobuf (readers of Protobuf's JSON accept both), and the key of 0.3.
_SECURITY_KEYS = ("securityRequirements", "security_requirements", "security")
_SECURITY_PLACES = tuple(f"/{key}" for key in _SECURITY_KEYS)


def _security_facts(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The facts `auth_required` and `scopes` of a card or a skill, and the keys that state them.

    The scopes are those of all alternatives. An alternative without a scheme makes signing in optional, so its key
    states nothing. The keys of two versions count together.

    >>> _security_facts({"security": [{"oauth": ["mail.read"]}, {"apiKey": []}]})
    ({'auth_required': True, 'scopes': ('mail.read',)}, ['security'])
    >>> _security_facts({"security": [{"oauth": ["mail.read"]}, {}]})
    ({}, [])
    """
    stated_keys: list[str] = []
    all_scopes: dict[str, None] = {}
    for key in _SECURITY_KEYS:
        alternatives = [_schemes_of(requirement) for requirement in list_at(data, key)]
        if alternatives and all(alternatives):
            stated_keys.append(key)
            for schemes in alternatives:
                all_scopes.update(dict.fromkeys(chain(*schemes.values())))
    return without_empty({"auth_required": bool(stated_keys), "scopes": tuple(all_scopes)}), stated_keys


def _schemes_of(requirement: Any) -> dict[str, list[str]]:
    """The security schemes that one alternative needs together: name -> scopes."""
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
    """What a card says about all of its skills: the name of the agent, and the security requirements."""
    facts, keys = _security_facts(card)
    places = {f"/{key}": "auth_required" for key in keys}
    if is_short_text(card.get("name")):
        facts["namespace"] = card["name"]
        places["/name"] = "namespace"
    if not facts:
        return NO_CONTAINER
    return Container(facts, places)


def _identify(name: Name) -> str:
    """A plain id as it is; the parts of a path joined to one name."""
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
    places=Places(places(_TABLE), dict.fromkeys(("auth_required", "scopes"), _SECURITY_PLACES)),
    read=_read,
    write=_write,
    identify=_identify,
    names_below=NAMES_BELOW | {"scopes", "securitySchemes"},
    spelling=Spelling(formal=("title",), echoes=echoes(_TABLE)),
    also_states=frozenset({"auth_required", "scopes"}),
)
