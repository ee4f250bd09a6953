"""Who may call an operation: alternatives of requirements, each of several schemes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.hub.model import AuthMethod
from toolglot.converter.text.pointers import as_mapping, escape, pointer_below, texts_of, value_at

_TYPES = {"apiKey": "api-key", "oauth2": "oauth", "openIdConnect": "oauth", "mutualTLS": "certificate"}
_TYPES |= {"basic": "password"}  # of Swagger
_HTTP_SCHEMES = {"basic": "password", "digest": "password"}  # any other carries a token


class Security(NamedTuple):
    """What a caller has to have.

    Attributes:
        auth_required: `None` where the document does not say.
        requirements: as the document has them: any of these, and of each all.
        schemes: those that are named, by name.
    """

    auth_required: bool | None = None
    methods: tuple[AuthMethod, ...] | None = None
    scopes: tuple[str, ...] | None = None
    requirements: list[Any] | None = None
    schemes: dict[str, Any] | None = None


def security_of(operation: Operation) -> Security:
    """The requirements of an operation, or those of the document where it states none.

    The empty list takes back those of the document. With an empty alternative all others are optional, so that nothing
    is said of what a caller needs. The scopes are those of all alternatives, because which one a caller takes is not
    known.
    """
    requirements = operation.own_or_common("security")
    if not isinstance(requirements, list):
        return Security()
    named: dict[str, dict[str, None]] = {}
    for alternative in requirements:
        for name, scopes in as_mapping(alternative).items():
            named.setdefault(name, {}).update(dict.fromkeys(texts_of(scopes)))
    schemes = _resolve_schemes(operation, named)
    is_optional = {} in requirements
    required = {} if is_optional else named
    return Security(
        auth_required=None if is_optional else bool(named),
        methods=tuple(_method(name, schemes.get(name, {}), scopes) for name, scopes in required.items()) or None,
        scopes=tuple(dict.fromkeys(chain.from_iterable(required.values()))) or None,
        requirements=requirements,
        schemes=schemes or None,
    )


def _resolve_schemes(operation: Operation, names: Iterable[str]) -> dict[str, Any]:
    """The schemes of these names, as far as the document has them; the others are references that lead nowhere."""
    home = "/securityDefinitions" if operation.api.is_swagger else "/components/securitySchemes"
    schemes_by_name = as_mapping(value_at(operation.api.data, home))
    schemes: dict[str, Any] = {}
    for name in names:
        scheme = schemes_by_name.get(name)
        if name not in schemes_by_name:
            is_place = "#" in name or "/" in name  # where it stands, as 3.2 allows
            scheme = {"$ref": name if is_place else f"#{home}/{escape(name)}"}
        resolved = operation.resolve(scheme)
        if resolved is None:
            continue
        schemes[name] = resolved
        if name in schemes_by_name:
            operation.api.references.used_pointers[pointer_below(home, name)] = None
    return schemes


def _method(name: str, scheme: dict[str, Any], scopes: dict[str, None]) -> AuthMethod:
    """One scheme; what is not known of its type carries a token of some kind."""
    kind = _TYPES.get(str(scheme.get("type")))
    if scheme.get("type") == "http":
        kind = _HTTP_SCHEMES.get(str(scheme.get("scheme")).lower())
    return AuthMethod(
        type=kind or "token",
        description=stated_text(scheme, "description"),
        scopes=tuple(scopes) or None,
        extensions={"openapi": {"scheme": name}},
    )
