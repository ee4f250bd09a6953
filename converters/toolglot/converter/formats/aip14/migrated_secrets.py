"""The `secrets` of a TOOL.md from before AIP-30, as entries of a SECRETS.md (AIP-19).

AIP-19 (consumer bindings) has only one form: a map from environment variables to where their values come from,
`{vault: slug}`, `{oauth: provider}` or `{value: text}`. Names are understood as well: slugs, variables, and entries of
an inventory. Anything else may be a secret itself: it is refused, and no message shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.converter.formats import Finding
from toolglot.converter.formats.aip14.driver_parts import DriverPart
from toolglot.converter.formats.aip14.keys import VARIABLE
from toolglot.converter.formats.kit.tool_ids import fit_id
from toolglot.converter.schema import canonical
from toolglot.converter.schema.json_values import are_equal
from toolglot.converter.text.credentials import find_secret, looks_generated, names_a_secret
from toolglot.converter.text.pointers import list_at, pointer_below, without_empty, without_keys
from toolglot.errors import ReadError

_SLUG = re.compile(r"(?:[a-z][a-z0-9-]*[a-z0-9]/)?[a-z][a-z0-9-]*[a-z0-9]\Z")
_PROVIDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_VALUE_KEYS = frozenset({"value", "plaintext", "ciphertext", "secret", "data", "key", "token"})  # of a secret itself
ANY = "*"  # any host, or any secret


class Secret(NamedTuple):
    """One secret.

    Attributes:
        slug: its name in the inventory.
        declaration: the other keys of its entry there.
        variable: the environment variable in which a program finds it.
    """

    slug: str
    declaration: Mapping[str, Any] = {}
    variable: str | None = None


def move_secrets(value: Any) -> DriverPart:
    """Where the secrets go that the value of a legacy `secrets` names.

    Raises:
        ReadError: it holds a secret itself, or something that may be one; the message does not show it.

    >>> move_secrets({"SCALE_KEY": {"vault": "scale-key"}}).needs
    ['scale-key']
    """
    refuse_secret(value, "/secrets", by_name=False)
    if value is True or value == ANY:
        kept = "it uses secrets and names none; name them in a SECRETS.md, and delete `{place}`"
        return DriverPart(needs=[ANY], kept=kept)
    if not any(item for _, item in _items(value)):
        return DriverPart(kept="it names no secret; delete `{place}` if it uses none")
    placed_secrets = list(_secrets(value))
    secrets = [secret for _, secret in placed_secrets]
    entries: dict[str, dict[str, Any]] = {}
    for secret in secrets:
        entry = entries.setdefault(secret.slug, {})
        if any(key in entry and not are_equal(entry[key], item) for key, item in secret.declaration.items()):
            raise ReadError("the same slug stands for two secrets; keep one of them", "two-secrets", "/secrets")
        entry.update(secret.declaration)
    complete = [_inventory_entry(slug, declaration) for slug, declaration in entries.items()]
    variables = list(dict.fromkeys(secret.variable for secret in secrets if secret.variable))
    names: list[str] = []  # those that the new entries do not repeat: variables, and names with a source
    for _, item in _items(value):
        if not _is_entry(item) and item not in list(entries):
            names += [item] if isinstance(item, str) else item
    is_block = isinstance(value, dict) and all(map(_is_binding, value.items()))
    kept = ""
    if is_block:
        kept = (
            f"`{{place}}` says what {', '.join(value)} stand for, in the block that AIP-19 has for it; see that your "
            "driver reads it"
        )
    elif names:
        kept = (
            f"no manifest of today holds {', '.join(names)} as it stands here; see that the program still gets the "
            "same, then delete `{place}`"
        )
    places = {slug: f"/secrets/{index}" for index, slug in enumerate(entries)}
    origins = {places[secret.slug]: place for place, secret in reversed(placed_secrets)}
    auth: dict[str, Any] = {}
    if complete:
        auth["ref"] = "./SECRETS.md"
    if variables:
        auth["state"] = {"env": variables}
    slugs = [entry["slug"] for entry in complete if entry["description"] == entry["slug"]]
    note = ""
    if slugs:
        note = f"nobody described {', '.join(slugs)}; SECRETS.md repeats each slug where that belongs"
    # AIP-19 lets a manifest have a block of variables and their bindings, so DRIVER.md has it under the same key.
    place = ("secrets",) if is_block else ()
    return DriverPart(without_empty({"auth": auth}), list(entries), complete, origins, kept, note, place)


def refuse_secret(value: Any, pointer: str = "", by_name: bool = True) -> None:
    """Raise `literal_secret` for data that have a secret in them."""
    found = find_secret(value, pointer, by_name=by_name)
    if found is not None:
        raise literal_secret(found)


def literal_secret(pointer: str) -> ReadError:
    """The error for a value that is a secret, or may be one; its message does not show the value."""
    return ReadError(
        "what stands here is a secret, or may be one, and would be copied to another file; take it out (renew it if it "
        "was committed) and name it: by a slug (mail-api-key), by a variable (MAIL_API_KEY), or as {vault: <slug>} or "
        "{oauth: <provider>}",
        code="literal-secret",
        pointer=pointer,
    )


def find_faults_of_manifest(data: dict[str, Any], path: str | None) -> Iterator[Finding]:
    """The faults of an inventory: a secret itself, and one slug for two secrets."""
    slugs: set[str] = set()
    for index, entry in enumerate(list_at(data, "secrets")):
        if not isinstance(entry, dict):
            continue
        here = f"/secrets/{index}"
        pointer = find_secret(entry, here)
        if pointer is not None:
            message = "what stands here is a secret, or may be one; take it out, and renew it if it was committed"
            yield Finding("literal-secret", pointer, message)
        slug = entry.get("slug")
        if isinstance(slug, str) and slug in slugs:
            yield Finding("same-slug", f"{here}/slug", f"{slug!r} stands for two secrets; rename one")
        slugs.add(str(slug))


def _secrets(value: Any) -> Iterator[tuple[str, Secret]]:
    """The secrets that a value names: JSON Pointer of each, and the secret."""
    for here, item in _items(value):
        if isinstance(item, str):
            yield here, _secret_by_name(item, here)
        elif _is_entry(item):
            yield here, _secret_of_entry(item, here)
        elif isinstance(item, dict):
            for key, binding in item.items():
                secret = _bound_secret(key, binding, here)
                if secret is not None:
                    yield pointer_below(here, key), secret
        else:
            raise literal_secret(here)


def _items(value: Any) -> list[tuple[str, Any]]:
    """The items of a list of secrets, or the value itself, each with its JSON Pointer."""
    if isinstance(value, list):
        return [(f"/secrets/{index}", item) for index, item in enumerate(value)]
    return [("/secrets", value)]


def _is_binding(item: tuple[str, Any]) -> bool:
    variable, source = item
    return isinstance(source, dict) and VARIABLE.match(variable) is not None


def _is_entry(item: Any) -> bool:
    return isinstance(item, dict) and "slug" in item


def _secret_by_name(name: str, here: str) -> Secret:
    """The secret that a text names: `vault:SLUG` or `oauth:PROVIDER`, a variable, or a slug.

    A word in capitals counts as a variable only with an underscore: any other may be the secret itself.
    """
    source, colon, rest = name.partition(":")
    if colon and source in _SOURCES:
        return _SOURCES[source](rest, here)
    if VARIABLE.match(name) and "_" in name:
        return _of_variable(name, here)
    return _of_vault(name, here)


def _of_vault(slug: Any, here: str) -> Secret:
    """A secret by its slug in a vault; a text that may be the secret itself is refused."""
    if not isinstance(slug, str) or not 2 <= len(slug) <= 80 or not _SLUG.match(slug) or looks_generated(slug):
        raise literal_secret(here)
    return Secret(slug)


def _of_provider(provider: Any, here: str) -> Secret:
    """The tokens of an OAuth provider. With its prefix the slug is valid, and none of a vault."""
    if not isinstance(provider, str) or not _PROVIDER.match(provider) or looks_generated(provider.lower()):
        raise literal_secret(here)
    return Secret(f"oauth-{fit_id(provider.lower(), 'a-z0-9-', 74)}", {"kind": "oauth"})


_SOURCES = {"vault": _of_vault, "oauth": _of_provider}


def _of_variable(name: str, here: str) -> Secret:
    """The secret in a variable without a source; its slug is made of the name of the variable."""
    slug = fit_id(name.lower(), "a-z0-9-", 80)
    if len(slug) == 1:
        slug = f"env-{slug}"  # a slug has at least two characters
    return _of_vault(slug, here)._replace(variable=name)


def _secret_of_entry(entry: dict[str, Any], here: str) -> Secret:
    """The secret of an entry in the form of SECRETS.md."""
    values = sorted(_VALUE_KEYS & entry.keys())
    if values:
        raise literal_secret(f"{here}/{values[0]}")
    refuse_secret(entry, here)
    slug = _of_vault(entry["slug"], f"{here}/slug").slug
    if not canonical.is_valid({"secrets": [_inventory_entry(slug, entry)]}, "aip14/secrets"):
        message = "this is no entry of a SECRETS.md; `toolglot schema aip14/secrets` says what one may have"
        raise ReadError(message, "bad-secret-entry", here)
    return Secret(slug, without_keys(entry, "slug"))


def _bound_secret(key: str, binding: Any, here: str) -> Secret | None:
    """The secret of a name and its binding; `None` where the binding is a plain value, which is no secret."""
    if not (VARIABLE.match(key) or _SLUG.match(key)) or looks_generated(key.lower()):
        raise literal_secret(here)  # the key may be the secret, so the pointer does not lead to the key
    at = pointer_below(here, key)
    variable = key if VARIABLE.match(key) else None
    if binding is None or binding is True:
        return _of_variable(key, at) if variable else _of_vault(key, at)
    if isinstance(binding, dict) and len(binding) == 1 and binding.keys() <= {*_SOURCES, "value"}:
        ((source, what),) = binding.items()
        if source == "value":
            _refuse_secret_value(key, what, f"{at}/value")
            return None
        return _SOURCES[source](what, f"{at}/{source}")._replace(variable=variable)
    if isinstance(binding, dict) and not variable:
        return _secret_of_entry({**binding, "slug": key}, at)
    if isinstance(binding, str) and re.search("[-/:]", binding):  # a single word may as well be the secret itself
        return _secret_by_name(binding, at)._replace(variable=variable)
    raise literal_secret(at)


def _refuse_secret_value(key: str, value: Any, here: str) -> None:
    """Refuse a plain value, which AIP-19 allows for what is no secret, if its name or its form is that of a secret."""
    if not isinstance(value, str) or names_a_secret(key) or looks_generated(value.lower()):
        raise literal_secret(here)


def _inventory_entry(slug: str, declaration: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of SECRETS.md. Its slug stands in for a missing name or description, so that no text is made up."""
    return {"slug": slug, "name": slug, "description": slug, **declaration}
