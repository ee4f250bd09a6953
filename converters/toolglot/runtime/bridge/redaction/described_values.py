"""Which values of a JSON object are secret: by their names, by other texts of the object, and by the names above."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.schema.keywords import TYPES
from toolglot.runtime.bridge.redaction.assignments import NAMED_KEYS, NAMING_KEYS
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name, words_of

# What may be a value in an object that describes one; its other keys hold none.
_VALUES = words_of("default const enum example examples value key data content plaintext")
_DESCRIBED_TYPES = frozenset((*TYPES, "apiKey", "http", "oauth2"))  # also of security schemes
_DESCRIBING = words_of("description integrity resolved")  # a parameter, or a package of a lock file
_OF_TEXT = words_of("logprob start_offset lemma")  # of the tokens of language models and of search engines
_KEYS_BESIDE = {
    "username": words_of("key"),
    "kty": words_of("d k p q dp dq qi"),  # of a JSON Web Key
    "httponly": words_of("value"),  # of a cookie
}
_HOLDERS = words_of("attributes values payload")  # of what an object says of itself
_SECRET_TYPES = words_of("SecureString")  # whose `Value` is one
_MOST_BELOW = {"license": NameKind.GENERATED}  # its `key` is `mit` or the key of a program


class DescribedObject(NamedTuple):
    """What the texts of an object say about its values."""

    name: str = ""  # of the value, if it is a pair of a name and a value
    is_secret: bool = False  # by its type, or by where it is kept
    describes: bool = False
    is_manifest: bool = False
    is_of_text: bool = False  # a token that a language model read or wrote
    secret_keys: frozenset[str] = frozenset()  # that say so only beside others

    def name_of(self, key: str) -> str:
        """The name of the value at `key`."""
        if key.lower() in self.secret_keys:
            return "own key"
        return self.name if self.name and key.lower() in NAMED_KEYS else key


class Hidden(NamedTuple):
    """What the names above a value say about it."""

    kind: NameKind = NameKind.UNKNOWN
    path: str = ""  # the last names, as far as they belong together

    def below(self, holder: DescribedObject, key: str) -> Hidden:
        """The same for the value at a key, whose own name counts too."""
        if holder.is_of_text:
            return NOT_HIDDEN
        name = holder.name_of(key)
        kind = judge_name(name)
        if kind is NameKind.UNKNOWN and self.path:
            kind = judge_name(f"{self.path} {key}")
            kind = min(kind, _MOST_BELOW.get(self.path, kind))
        if holder.describes and key not in _VALUES:
            return Hidden(kind if kind >= NameKind.TEXT else NameKind.UNKNOWN, name)
        if holder.is_manifest and key in ("data", "stringData"):
            return Hidden(NameKind.PASSWORD, name)
        if kind is NameKind.PLAIN and key not in _VALUES:
            return Hidden(NameKind.PLAIN, "")
        if holder.is_secret and kind is NameKind.UNKNOWN:
            return Hidden(self.kind, "secret")
        return Hidden(max(self.kind, kind), self.path if key in _HOLDERS else name)


NOT_HIDDEN = Hidden()


def describe_object(pairs: tuple[tuple[str, Any], ...]) -> DescribedObject:
    """What an object with these keys and values says about its values.

    >>> describe_object((("name", "api_key"), ("value", "abc"))).name_of("value")
    'api_key'
    """
    fields = {key.lower(): value for key, value in reversed(pairs)}
    names = [fields[key] for key in NAMING_KEYS if type(fields.get(key)) is str]
    name = next(filter(is_name_of_secret, names), "".join(names[:1]))
    secret_keys = frozenset().union(*(_KEYS_BESIDE.get(key, ()) for key in fields))
    kind = fields.get("type")
    is_typed = str(kind) in _SECRET_TYPES or judge_name(str(kind)) is NameKind.PASSWORD
    is_secret = is_typed or fields.get("sensitive") is True or any("/secrets/" in text for text in names)
    name = "secret" if is_secret else name
    describes = isinstance(kind, list) or str(kind) in _DESCRIBED_TYPES or not _DESCRIBING.isdisjoint(fields)
    is_manifest, is_of_text = fields.get("kind") == "Secret", not _OF_TEXT.isdisjoint(fields)
    return DescribedObject(name, is_secret, describes, is_manifest, is_of_text, secret_keys)
