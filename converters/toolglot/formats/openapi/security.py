"""Who may call an operation: alternatives of requirements, each of several schemes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.errors import escape
from toolglot.formats.openapi.operations import Api
from toolglot.formats.openapi.versions import SWAGGER
from toolglot.hub.model import AuthMethod

_TYPES = {"apiKey": "api-key", "oauth2": "oauth", "openIdConnect": "oauth", "mutualTLS": "certificate"}
_TYPES |= {"basic": "password"}  # of Swagger
_HTTP_SCHEMES = {"basic": "password", "digest": "password"}  # any other carries a token


class Security(NamedTuple):
    """What a caller has to have.

    Attributes:
        auth_required: `None` where the document does not say.
        requirements: as the document has them: any of these, and of each all.
        schemes: those that are required, by name.
    """

    auth_required: bool | None = None
    methods: tuple[AuthMethod, ...] | None = None
    scopes: tuple[str, ...] | None = None
    requirements: list[Any] | None = None
    schemes: dict[str, Any] | None = None


def security_of(api: Api, stated: dict[str, Any], unresolved: list[str]) -> Security:
    """The requirements of an operation, or those of the document where it states none.

    The empty list takes back those of the document. Beside an empty alternative all others are optional, so that
    nothing is said of whether a caller has to be signed in. The scopes are those of all alternatives, because which
    one a caller takes is not known.
    """
    requirements = stated["security"] if "security" in stated else api.look_at("security")
    if not isinstance(requirements, list):
        return Security()
    required: dict[str, dict[str, None]] = {}
    for name, scopes in _requirements(requirements):
        required.setdefault(name, {}).update(dict.fromkeys(scopes))
    known = _schemes(api)
    stated_schemes = {name: known.get(name, {"$ref": name} if _is_uri(name) else None) for name in required}
    resolved = {name: api.references.resolve(scheme, unresolved) for name, scheme in stated_schemes.items()}
    schemes = {name: target.value for name, target in resolved.items() if target is not None}
    for name in known.keys() & schemes.keys():
        api.references.used[f"{_home(api)}/{escape(name)}"] = None
    return Security(
        auth_required=None if {} in requirements else bool(requirements),
        methods=tuple(_method(name, schemes.get(name, {}), scopes) for name, scopes in required.items()) or None,
        scopes=tuple(dict.fromkeys(scope for scopes in required.values() for scope in scopes)) or None,
        requirements=requirements,
        schemes=schemes or None,
    )


def _requirements(requirements: list[Any]) -> Iterator[tuple[str, list[str]]]:
    for alternative in requirements:
        for name, scopes in alternative.items() if isinstance(alternative, dict) else ():
            yield name, [scope for scope in scopes if isinstance(scope, str)] if isinstance(scopes, list) else []


def _is_uri(name: str) -> bool:
    """Whether a scheme that has no such name is named by where it stands, as 3.2 allows."""
    return "#" in name or "/" in name


def _home(api: Api) -> str:
    return "/securityDefinitions" if api.version == SWAGGER else "/components/securitySchemes"


def _schemes(api: Api) -> dict[str, Any]:
    components = api.data if api.version == SWAGGER else api.data.get("components")
    schemes = components.get(_home(api).rpartition("/")[2]) if isinstance(components, dict) else None
    return schemes if isinstance(schemes, dict) else {}


def _method(name: str, scheme: dict[str, Any], scopes: dict[str, None]) -> AuthMethod:
    """One scheme; what is not known of its type carries a token of some kind."""
    kind = _TYPES.get(str(scheme.get("type")))
    if scheme.get("type") == "http":
        kind = _HTTP_SCHEMES.get(str(scheme.get("scheme")).lower())
    words = scheme.get("description")
    return AuthMethod(
        type=kind or "token",
        description=words if isinstance(words, str) else None,
        scopes=tuple(scopes) or None,
        extensions={"openapi": {"scheme": name}},
    )
