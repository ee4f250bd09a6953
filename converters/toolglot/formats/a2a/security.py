"""Who may ask an agent: the security requirements of a card and of its skills, as A2A 1.0 and 0.3 write them."""

from __future__ import annotations

from typing import Any

from toolglot.text.pointers import texts_at

_KEYS = ("securityRequirements", "security")  # of 1.0, of 0.3


def sign_in_facts(data: dict[str, Any]) -> dict[str, Any]:
    """What a card or a skill says of its callers: if they have to be signed in, and the scopes of all alternatives.

    An alternative that needs nothing makes the others optional, so that nothing is stated.

    >>> sign_in_facts({"securityRequirements": [{"schemes": {"post": {"list": ["read"]}}}]})
    {'auth_required': True, 'scopes': ('read',)}
    >>> sign_in_facts({"security": [{"post": ["read"]}, {}]})
    {}
    """
    place = sign_in_place(data)
    requirements = None if place is None else data[place]
    if not isinstance(requirements, list):
        return {}
    alternatives = [_schemes_of(requirement) for requirement in requirements]
    if not alternatives or not all(alternatives):
        return {}
    all_scopes: dict[str, None] = {}
    for schemes in alternatives:
        for scopes in schemes.values():
            all_scopes.update(dict.fromkeys(scopes))
    if not all_scopes:
        return {"auth_required": True}
    return {"auth_required": True, "scopes": tuple(all_scopes)}


def sign_in_place(data: dict[str, Any]) -> str | None:
    """The key under which a card or a skill says it."""
    return next((key for key in _KEYS if key in data), None)


def _schemes_of(requirement: Any) -> dict[str, list[str]]:
    """The schemes that one alternative needs, all of them, each with its scopes."""
    if not isinstance(requirement, dict):
        return {}
    schemes = requirement.get("schemes")
    if not isinstance(schemes, dict):
        schemes = requirement
    return {name: _scopes_of(needs) for name, needs in schemes.items()}


def _scopes_of(needs: Any) -> list[str]:
    if not isinstance(needs, dict):
        needs = {"list": needs}
    return texts_at(needs, "list")
