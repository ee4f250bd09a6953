"""Who may call a tool and who is shown it, as the Apps SDK states it; its servers are MCP servers.

`securitySchemes` stands in a record and again in its `_meta`, because libraries of the protocol drop unknown keys of a
record. Both are written back as they are while they agree with the tool; new ones are written into `_meta`, where they
survive. Source: Apps SDK reference, tool descriptor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolglot.converter.formats.kit.field_tables import Row, Table
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import NOTHING, is_mappings, is_texts, mapping_at, value_at, without_keys

_SCHEMES = "securitySchemes"
_HIDDEN = {"private": True, "public": False}
_VISIBILITIES = {True: "private", False: "public"}


VISIBILITY: Table = {
    "openai/visibility": Row(
        "hidden", lambda word: isinstance(word, str) and word in _HIDDEN, _HIDDEN.__getitem__, _VISIBILITIES.__getitem__
    )
}


def is_for_apps_only(record: dict[str, Any]) -> bool:
    """Whether hosts must not show a tool to a model. Source: MCP Apps, tool visibility.

    >>> is_for_apps_only({"_meta": {"ui": {"visibility": ["app"]}}})
    True
    """
    audience = mapping_at(mapping_at(record, "_meta"), "ui").get("visibility")
    return is_texts(audience) and "model" not in audience


def take_visibility(rest: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Set `hidden` for a record that is for apps only. The rest keeps the audience, and the word of the Apps SDK."""
    if not is_for_apps_only(rest):
        return rest
    stated_hidden = fields.get("hidden")
    fields["hidden"] = True
    if stated_hidden is None:
        return rest
    return _with_meta(rest, {**rest["_meta"], "openai/visibility": _VISIBILITIES[stated_hidden]})


def put_visibility(rest: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """The extension of a tool, with the audience `app` if another format hides the tool."""
    if not tool.hidden or tool.origin == "mcp" or is_for_apps_only(rest):
        return rest
    meta = mapping_at(rest, "_meta")
    return _with_meta(rest, {**meta, "ui": {**mapping_at(meta, "ui"), "visibility": ["app"]}})


def access_of(record: dict[str, Any]) -> dict[str, Any]:
    """What a record states about its callers: whether they have to be signed in, and the scopes of all alternatives.

    `noauth` states no fact: beside others it makes them optional, and alone it is only a claim of the server.

    >>> access_of({"securitySchemes": [{"type": "oauth2", "scopes": ["read"]}]})
    {'auth_required': True, 'scopes': ('read',)}
    >>> access_of({"securitySchemes": [{"type": "noauth"}, {"type": "oauth2", "scopes": ["read"]}]})
    {}
    """
    facts: dict[str, Any] = {}
    scopes: dict[str, None] = {}
    for _, schemes in _schemes_in(record):
        # Only where every alternative asks a caller to sign in.
        if not schemes or not is_mappings(schemes, "type") or any(scheme["type"] == "noauth" for scheme in schemes):
            continue
        facts["auth_required"] = True
        for scheme in schemes:
            if is_texts(scheme.get("scopes")):
                scopes.update(dict.fromkeys(scheme["scopes"]))
    if scopes:
        facts["scopes"] = tuple(scopes)
    return facts


def unreadable_access(record: dict[str, Any]) -> list[str]:
    """JSON Pointers of statements about callers that cannot be read.

    >>> unreadable_access({"securitySchemes": "oauth2", "_meta": {"securitySchemes": [{"type": "oauth2"}]}})
    ['/securitySchemes']
    """
    found = _schemes_in(record)
    return [place for place, schemes in found if schemes is not None and not is_mappings(schemes, "type")]


ACCESS_PLACES = ("/_meta/securitySchemes", "/securitySchemes")
"""The places that `access_of` reads."""


def access_echoes(record: dict[str, Any]) -> list[str]:
    """The places that state what `access_of` reads of them, and nothing else."""
    without_scopes = [{"type": "oauth2"}]
    with_scopes = _schemes_for(access_of(record).get("scopes", ()))
    return [place for place, schemes in _schemes_in(record) if schemes in (without_scopes, with_scopes)]


def take_access(rest: dict[str, Any]) -> dict[str, Any]:
    """The rest of a record without the schemes that the writer would make of its scopes."""
    scopes = access_of(rest).get("scopes")
    if scopes is None or _SCHEMES in rest:
        return rest
    meta = mapping_at(rest, "_meta")
    if meta.get(_SCHEMES) != _schemes_for(scopes):
        return rest
    return _with_meta(rest, without_keys(meta, _SCHEMES))


def put_access(extension: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """The extension of a tool with schemes for its scopes; schemes that state these scopes already stay."""
    scopes = _oauth_scopes(tool)
    if access_of(extension).get("scopes", ()) == scopes:
        return extension
    meta = without_keys(mapping_at(extension, "_meta"), _SCHEMES)
    if scopes:
        meta[_SCHEMES] = _schemes_for(scopes)
    return _with_meta(without_keys(extension, _SCHEMES), meta)


def _oauth_scopes(tool: Tool) -> tuple[str, ...]:
    """The scopes for which callers sign in by OAuth; none where they sign in by other methods."""
    if not tool.auth_required or tool.scopes is None:
        return ()
    if tool.auth_methods is None or any(method.type == "oauth" for method in tool.auth_methods):
        return tool.scopes
    return ()


def _schemes_for(scopes: Iterable[str]) -> list[dict[str, Any]]:
    return [{"type": "oauth2", "scopes": list(scopes)}]


def _with_meta(record: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
    if not meta:
        return without_keys(record, "_meta")
    return {**record, "_meta": meta}


def _schemes_in(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for place in ACCESS_PLACES:
        schemes = value_at(record, place, NOTHING)
        if schemes is not NOTHING:
            yield place, schemes
