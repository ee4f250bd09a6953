"""Templates of HTTP requests, independent of any format. `bridge` fills in the arguments of a call."""

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
    """Whether a media type is a sequence of items, such as the events of a stream.

    >>> is_sequence("text/event-stream"), is_sequence("application/jsonl"), is_sequence("application/json")
    (True, True, False)
    """
    plain = plain_type(media_type)
    return plain in _SEQUENCES or plain.endswith("+json-seq")


def is_text(media_type: str) -> bool:
    """Whether a media type other than JSON is text."""
    plain = plain_type(media_type)
    return plain.startswith("text/") or plain.endswith(("xml", "yaml")) or plain in _TEXTS or is_sequence(plain)


class Slot(NamedTuple):
    """The place of one argument in a request.

    Attributes:
        name: the name in the request; empty for the whole body.
        expansion: how the value is written in an address, a header or a cookie; `None`: by its `media_type`.
        explode: whether each member is written by itself.
        reserved: reserved characters that are not encoded.
        media_type: the media type of the value; `None`: the one of its place.
        is_base64: whether the value is base64 of bytes.
        is_verbatim: whether nothing is encoded; a value that would have to be is refused.
        key: the key of the argument.
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
        variables: name -> default value; `None`: a value has to be chosen.
        choices: name -> the allowed values, where these are limited.
    """

    url: str
    variables: Mapping[str, str | None] = {}
    choices: Mapping[str, tuple[str, ...]] = {}


class RequestTemplate(NamedTuple):
    """The HTTP request of a tool.

    Attributes:
        method: the method in upper case.
        path: the path, with variables in braces; it follows the address of a server.
        slots: key of an argument -> its place.
        media_type: the media type of the body; `None`: no body.
        is_body_required: whether a body is sent even where no argument for it is given.
        accepts: the media type of the answer, if it is known.
        fields: for a form that is one argument: name of a property -> its place.
        credentials: the ways to sign in, each as a list of what the request then has; empty: nothing is known.
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
