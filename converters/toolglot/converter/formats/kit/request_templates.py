"""How a call becomes an HTTP request: what a format says of it, in no format's words. `bridge` fills it in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from toolglot.converter.text.pointers import escape
from toolglot.converter.text.uri_templates import Expansion

PlaceInRequest = Literal["path", "query", "querystring", "header", "cookie", "body"]
# As the MIME Sniffing Standard has them, and what stands for any type; and what ends in `+json`.
_JSON = frozenset({"application/json", "text/json", "*/*", "application/*"})
_SEQUENCES = frozenset(
    {"application/jsonl", "application/x-ndjson", "application/json-seq", "text/event-stream", "multipart/mixed"}
)
# Texts although their types do not begin with `text/`; and what ends in `xml` or `yaml`.
_TEXTS = frozenset({
    "application/ecmascript", "application/graphql", "application/javascript", "application/sparql-query",
    "application/sparql-update", "application/sql", "application/toml",
})  # fmt: skip


def plain_type(media_type: str | None) -> str:
    """A media type without its parameters; empty where there is none.

    >>> plain_type("Text/Plain; charset=utf-8")
    'text/plain'
    """
    return (media_type or "").partition(";")[0].strip().lower()


def is_json(media_type: str | None) -> bool:
    """Whether values of a media type are JSON texts.

    >>> is_json("application/json; charset=utf-8"), is_json("application/problem+json"), is_json("text/plain")
    (True, True, False)
    """
    plain = plain_type(media_type)
    return plain in _JSON or plain.endswith("+json")


def is_sequence(media_type: str) -> bool:
    """Whether values of a media type are items one after the other, such as the events of a stream.

    >>> is_sequence("text/event-stream"), is_sequence("application/jsonl"), is_sequence("application/json")
    (True, True, False)
    """
    plain = plain_type(media_type)
    return plain in _SEQUENCES or plain.endswith("+json-seq")


def is_text(media_type: str) -> bool:
    """Whether values of a media type other than JSON are texts."""
    plain = plain_type(media_type)
    return plain.startswith("text/") or plain.endswith(("xml", "yaml")) or plain in _TEXTS or is_sequence(plain)


class Slot(NamedTuple):
    """Where the value of one argument goes.

    Attributes:
        name: in the request; empty for the whole body.
        expansion: how it is written in an address, a header or a cookie; `None` where its `media_type` says it.
        explode: whether each member is written by itself.
        reserved: the reserved characters that stay as they are.
        media_type: of the value by itself; `None` where the place says it.
        is_base64: whether it stands for bytes.
        is_verbatim: whether it is written as it is, so that a value which would have to be encoded has no place there.
        key: of the argument.
    """

    place: PlaceInRequest
    name: str
    expansion: Expansion | None
    explode: bool = False
    reserved: str = ""
    media_type: str | None = None
    is_base64: bool = False
    is_verbatim: bool = False
    key: str = ""

    @property
    def pointer(self) -> str:
        """The JSON Pointer to the argument."""
        return f"/{escape(self.key)}"


class Server(NamedTuple):
    """The beginning of an address, with variables in braces.

    Attributes:
        variables: name -> the value that it has unless another is chosen; `None` where one has to be.
        choices: name -> the values that it may have, where those are limited.
    """

    url: str
    variables: Mapping[str, str | None] = {}
    choices: Mapping[str, tuple[str, ...]] = {}


class RequestTemplate(NamedTuple):
    """What a call becomes.

    Attributes:
        method: in upper case.
        path: with variables in braces, to be put behind the address of a server.
        slots: key of an argument -> where it goes.
        media_type: of the body; `None` where there is none.
        is_body_required: whether a body is sent though no argument of it is given.
        accepts: media type of the answer, if it is known.
        fields: name of a property -> where it goes in a form of which an argument is the whole body.
        credentials: the ways to sign in, each as all that a request then carries; none where nothing is said of it.
    """

    method: str
    path: str
    servers: tuple[Server, ...]
    slots: Mapping[str, Slot]
    media_type: str | None
    is_body_required: bool
    accepts: str | None
    fields: Mapping[str, Slot]
    credentials: list[list[str]]
