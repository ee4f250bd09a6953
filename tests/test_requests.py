"""A call becomes an HTTP request, and whoever takes the request apart gets the call back, whatever its values are."""

from __future__ import annotations

import base64
import json
import re
from email import message_from_bytes
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import toolglot
from rows import for_each
from strategies import JSON_FINITE, TEXT
from test_openapi import DOCUMENTS, body, document, read
from toolglot.bridge import HttpRequest, request
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.uri_templates import (
    LABEL,
    MATRIX,
    QUERY,
    RESERVED_IN_QUERY,
    SIMPLE,
    Expansion,
    encode,
    expand_variable,
)
from toolglot.errors import ArgumentError, UsageError

HOST = "https://a.example"

# -- the tables of RFC 6570 -------------------------------------------------------------------------------------

LIST = ["red", "green", "blue"]
KEYS = {"semi": ";", "dot": ".", "comma": ","}
VALUES = {
    "dub": "me/too", "hello": "Hello World!", "half": "50%", "var": "value", "who": "fred", "v": "6", "x": "1024",
    "empty": "", "list": LIST, "keys": KEYS, "empty_keys": {},
}  # fmt: skip
# Sections 3.2.2, 3.2.5, 3.2.7 and 3.2.8: an operator, and what its expressions become. `&` stands where `?` would:
# here the question mark is of the whole query.
TABLES: dict[str, tuple[Expansion, dict[str, str]]] = {
    "simple": (SIMPLE, {
        "var": "value", "hello": "Hello%20World%21", "half": "50%25", "empty": "", "x": "1024", "dub": "me%2Ftoo",
        "list": "red,green,blue", "list*": "red,green,blue", "keys": "semi,%3B,dot,.,comma,%2C",
        "keys*": "semi=%3B,dot=.,comma=%2C", "empty_keys": "", "empty_keys*": "",
    }),
    "label": (LABEL, {
        "who": ".fred", "half": ".50%25", "var": ".value", "empty": ".", "list": ".red,green,blue",
        "list*": ".red.green.blue", "keys": ".semi,%3B,dot,.,comma,%2C", "keys*": ".semi=%3B.dot=..comma=%2C",
        "empty_keys": "", "empty_keys*": "",
    }),
    "matrix": (MATRIX, {
        "who": ";who=fred", "half": ";half=50%25", "empty": ";empty", "hello": ";hello=Hello%20World%21", "v": ";v=6",
        "list": ";list=red,green,blue", "list*": ";list=red;list=green;list=blue",
        "keys": ";keys=semi,%3B,dot,.,comma,%2C", "keys*": ";semi=%3B;dot=.;comma=%2C", "empty_keys": "",
    }),
    "query": (QUERY, {
        "who": "who=fred", "half": "half=50%25", "x": "x=1024", "empty": "empty=", "var": "var=value",
        "list": "list=red,green,blue", "list*": "list=red&list=green&list=blue",
        "keys": "keys=semi,%3B,dot,.,comma,%2C", "keys*": "semi=%3B&dot=.&comma=%2C", "empty_keys*": "",
    }),
}  # fmt: skip


@for_each(("how", "table"), TABLES.values(), ids=list(TABLES))
def test_the_tables_of_rfc_6570(how: Expansion, table: dict[str, str]) -> None:
    for expression, expected in table.items():
        name = expression.removesuffix("*")
        value: Any = VALUES[name]
        assert expand_variable(name, value, how, explode=expression != name) == expected, expression


RESERVED = {"value": "value", "Hello World!": "Hello%20World!", "50%": "50%25", "/foo/bar": "/foo/bar", ";": ";"}


@for_each(("text", "expected"), RESERVED.items())
def test_reserved_characters_that_stay(text: str, expected: str) -> None:
    """Section 3.2.3; what would end a value in a query does not stay."""
    assert encode(text, RESERVED_IN_QUERY) == expected


def test_what_would_end_a_value_never_stays() -> None:
    assert encode("a&b=c#d+e[f]", RESERVED_IN_QUERY) == "a%26b%3Dc%23d%2Be%5Bf%5D"
    reserved: dict[str, Any] = {"_path": "/{a}", "parameters": [parameter("path", allowReserved=True)]}
    assert call({"a": "root:/b;c?d#e&f@g"}, **reserved).url == f"{HOST}/root:%2Fb%3Bc%3Fd%23e&f@g"


# -- styles -----------------------------------------------------------------------------------------------------

COLOURS, RGB = ["blue", "black"], {"R": 100, "G": 200}
# OpenAPI 3.1, style examples: place, style, explode, value -> what becomes of it.
STYLES: list[tuple[str, str, bool, Any, str]] = [
    ("path", "matrix", False, "blue", "/;c=blue"),
    ("path", "matrix", False, COLOURS, "/;c=blue,black"),
    ("path", "matrix", True, COLOURS, "/;c=blue;c=black"),
    ("path", "matrix", False, RGB, "/;c=R,100,G,200"),
    ("path", "matrix", True, RGB, "/;R=100;G=200"),
    ("path", "label", False, "blue", "/.blue"),
    ("path", "label", True, COLOURS, "/.blue.black"),
    ("path", "label", True, RGB, "/.R=100.G=200"),
    ("path", "simple", False, COLOURS, "/blue,black"),
    ("path", "simple", True, RGB, "/R=100,G=200"),
    ("path", "pipeDelimited", False, COLOURS, "/blue%7Cblack"),
    ("query", "form", True, "", "/?c="),
    ("query", "form", True, COLOURS, "/?c=blue&c=black"),
    ("query", "form", False, COLOURS, "/?c=blue,black"),
    ("query", "form", False, RGB, "/?c=R,100,G,200"),
    ("query", "form", True, RGB, "/?R=100&G=200"),
    ("query", "form", True, True, "/?c=true"),
    ("query", "form", True, None, "/"),
    ("query", "form", True, [], "/"),
    ("query", "spaceDelimited", False, COLOURS, "/?c=blue%20black"),
    ("query", "spaceDelimited", False, RGB, "/?c=R%20100%20G%20200"),
    ("query", "pipeDelimited", False, COLOURS, "/?c=blue%7Cblack"),
    ("query", "deepObject", True, RGB, "/?c%5BR%5D=100&c%5BG%5D=200"),
    ("query", "deepObject", True, {"a": [{"b": 1e16}]}, "/?c%5Ba%5D%5B0%5D%5Bb%5D=10000000000000000"),
    ("query", "deepObject", True, [{"a": 1}], "/?c%5B0%5D%5Ba%5D=1"),
]


@for_each(("place", "style", "explode", "value", "expected"), STYLES)
def test_styles(place: str, style: str, explode: bool, value: Any, expected: str) -> None:
    parameter = {"name": "c", "in": place, "required": True, "style": style, "explode": explode, "schema": {}}
    tool = read(_path="/{c}" if place == "path" else "/", _servers=[{"url": HOST}], parameters=[parameter])
    assert request(tool, {"c": value}).url == HOST + expected


OBJECT = {"type": "object", "required": ["a"], "properties": {"a": {}, "b": {"type": "array", "items": {}}}}


def call(arguments: dict[str, Any], server: str | None = HOST, **operation: Any) -> HttpRequest:
    return request(read(**operation), arguments, server=server)


def parameter(place: str, name: str = "a", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": {}, **more}


def test_headers_and_cookies() -> None:
    sent = call(
        {"X-A": ["1", "2"], "b": "x;y", "c": ["p", "q"]},
        parameters=[parameter("header", "X-A"), parameter("cookie", "b"), parameter("cookie", "c")],
    )
    assert sent.headers == {"X-A": "1,2", "Cookie": "b=x%3By; c=p; c=q"}


def test_a_cookie_that_nobody_encodes_is_written_as_it_is_or_refused() -> None:
    plain = [parameter("cookie", "c", style="cookie")]
    assert call({"c": ["%20", "b/="]}, parameters=plain).headers["Cookie"] == "c=%20; c=b/="
    for value in ("a; admin=1", "é", "a b"):
        with pytest.raises(ArgumentError, match="a cookie holds"):
            call({"c": value}, parameters=plain)


# Place, media type, value -> what becomes of it.
CONTENTS: list[tuple[str, str, Any, str]] = [
    ("query", "application/json", {"b": ["&"]}, "?a=%7B%22b%22%3A%20%5B%22%26%22%5D%7D"),
    ("query", "application/json", "b c", "?a=%22b%20c%22"),
    ("query", "text/plain", "b c", "?a=b%20c"),
    ("querystring", "application/jsonpath", "$.a", "?%24.a"),
    ("querystring", "application/x-www-form-urlencoded", {"b": "c d", "l": [1, 2]}, "?b=c%20d&l=1&l=2"),
    ("header", "text/plain", "b c", "b c"),
    ("header", "*/*", "b", '"b"'),
]


@for_each(("place", "media_type", "value", "expected"), CONTENTS)
def test_a_parameter_is_written_in_its_media_type(place: str, media_type: str, value: Any, expected: str) -> None:
    sent = call({"a": value}, parameters=[{"name": "a", "in": place, "content": {media_type: {}}}])
    assert expected in (sent.url.removeprefix(f"{HOST}/a"), sent.headers.get("a"))


def test_an_argument_is_no_second_header_beside_those_that_a_request_has() -> None:
    headers = [{"name": name, "in": "header", "type": "string"} for name in ("content-type", "accept")]
    stated = {"parameters": [*headers, {"name": "b", "in": "body", "schema": OBJECT, "required": True}]}
    post = {**stated, "produces": ["a/b"], "responses": {"200": {"description": "", "schema": {}}}}
    tool = toolglot.read_one({"swagger": "2.0", "info": {}, "paths": {"/": {"post": post}}})
    sent = request(tool, {"content-type": "c/d", "accept": "e/f", "a": 1}, server=HOST)
    assert sent.headers == {"accept": "e/f", "Content-Type": "application/json"}
    cookies = [parameter("cookie", "b"), parameter("header", "cookie")]
    assert call({"cookie": "a=1", "b": "2"}, parameters=cookies).headers == {"Cookie": "a=1; b=2"}


def test_the_result_that_is_read_is_asked_for() -> None:
    response = {"description": "", "content": {"text/html": {}, "application/vnd.a+json": {"schema": {}}}}
    assert call({}, responses={"200": response}).headers == {"Accept": "application/vnd.a+json"}


# -- bodies -----------------------------------------------------------------------------------------------------

SPACES = {"style": "spaceDelimited"}


def form_with(encoding: dict[str, Any]) -> dict[str, Any]:
    """A form that says how its list `b` is written."""
    entry = {"schema": OBJECT, "encoding": {"b": encoding}}
    return {"required": True, "content": {"application/x-www-form-urlencoded": entry}}


BODIES: dict[str, tuple[Any, dict[str, Any], bytes, str]] = {
    "json": (body(OBJECT), {"a": "é", "b": [1]}, '{"a":"é","b":[1]}'.encode(), "application/json"),
    "what an open object takes besides": (
        body({**OBJECT, "additionalProperties": True}),
        {"a": 1, "z": None},
        b'{"z":null,"a":1}',
        "application/json",
    ),
    "a list": (body({"type": "array"}), {"body": [1, None]}, b"[1,null]", "application/json"),
    "any json": (body({}, "*/*"), {"body": 1}, b"1", "application/json"),
    "json that is called a text": (body(OBJECT, "text/json"), {"a": "b", "b": [1]}, b'{"a":"b","b":[1]}', "text/json"),
    "json of a kind": (body({}, "application/vnd.a+json"), {"body": None}, b"null", "application/vnd.a+json"),
    "a form": (
        body(OBJECT, "application/x-www-form-urlencoded"),
        {"a": {"x": "&"}, "b": ["1", "2 3"]},
        b"a=%7B%22x%22%3A%22%26%22%7D&b=1&b=2%203",
        "application/x-www-form-urlencoded",
    ),
    "a form that says how a list is written": (
        form_with(SPACES),
        {"a": "1", "b": ["1", "2"]},
        b"a=1&b=1%202",
        "application/x-www-form-urlencoded",
    ),
    "a form that says that the members of a list are json": (
        form_with({"contentType": "application/json"}),
        {"a": "1", "b": ["1", None, "2"]},
        b"a=1&b=%221%22&b=%222%22",
        "application/x-www-form-urlencoded",
    ),
    "a form whose encoding names another place": (
        form_with({"in": "header", "name": "Authorization"}),
        {"a": "1", "b": ["1", "2"]},
        b"a=1&b=1&b=2",
        "application/x-www-form-urlencoded",
    ),
    "json beside which another type stands": (
        {**body({"type": "object", "properties": {"a": {}}}), "contentType": "text/plain"},
        {"a": 1},
        b'{"a":1}',
        "application/json",
    ),
    "a text": (body({}, "text/plain"), {"body": "é"}, "é".encode(), "text/plain"),
    "lines of json": (body({}, "application/x-ndjson"), {"body": "[1]\n"}, b"[1]\n", "application/x-ndjson"),
    "a query": (body({}, "application/graphql"), {"body": "{a}"}, b"{a}", "application/graphql"),
    "bytes": (body({}, "image/png"), {"body": base64.b64encode(b"\x00\xff").decode()}, b"\x00\xff", "image/png"),
    "an empty object": (body({"type": "object", "properties": {"a": {}}}), {}, b"{}", "application/json"),
}
BYTES = {"type": "string", "format": "binary"}
# Where a document has the bytes of a form: a schema, and a value with the byte `\xff`.
WHERE_BYTES_ARE: dict[str, tuple[dict[str, Any], Any]] = {
    "in an alternative": ({"properties": {"a": {"anyOf": [BYTES, {"type": "null"}]}}}, {"a": "/w=="}),
    "in a list or alone": ({"properties": {"a": {"oneOf": [{"items": BYTES}, BYTES]}}}, {"a": ["/w=="]}),
    "by reference": ({"properties": {"a": {"$ref": "#/components/schemas/Bytes"}}}, {"a": "/w=="}),
    "by their media type": ({"properties": {"a": {"contentMediaType": "application/pdf"}}}, {"a": "/w=="}),
    "in the alphabet of addresses": (
        {"properties": {"a": {"type": "string", "contentEncoding": "base64url"}}},
        {"a": "_w"},
    ),
    "or null": ({"properties": {"a": {**BYTES, "type": ["string", "null"]}}}, {"a": "/w=="}),
    "in one of two shapes": (
        {"anyOf": [{"properties": {"b": {"type": "integer"}}}, {"properties": {"a": BYTES}}]},
        {"body": {"a": "/w=="}},
    ),
    "in a base": (
        {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"b": {"type": "integer"}}}]},
        {"body": {"a": "/w=="}},
    ),
}


@for_each(("schema", "arguments"), WHERE_BYTES_ARE.values(), ids=list(WHERE_BYTES_ARE))
def test_bytes_arrive_in_a_form_wherever_its_schema_has_them(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Found by `make apis`: the skills of two vendors are lists of files that may be null, or a list or one file."""
    data = document(
        requestBody={"content": {"multipart/form-data": {"schema": {"type": "object", **schema}}}, "required": True}
    )
    base = {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/Bytes"}}}
    data["components"] = {"schemas": {"Bytes": BYTES, "Base": base}}
    tool = toolglot.read(data)[0]
    assert '"base64' in json.dumps(tool.inputs)
    assert '"binary"' not in json.dumps(tool.inputs)
    sent = request(tool, arguments, server=HOST).body or b""
    assert b'name="a"; filename="a"' in sent
    assert b"\r\n\r\n\xff\r\n" in sent


def test_fields_of_a_form_that_is_given_whole_are_written_as_the_document_says() -> None:
    shapes = [{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}]
    content = {"schema": {"anyOf": shapes}, "encoding": {"a": {"style": "form", "explode": False}}}
    sent = call({"body": {"a": ["x", "y"]}}, requestBody={"content": {"application/x-www-form-urlencoded": content}})
    assert sent.body == b"a=x,y"


def test_what_is_no_text_is_no_bytes() -> None:
    """A file that may also be named by an object: the object is JSON."""
    schema = {"type": "object", "properties": {"a": {"anyOf": [BYTES, {"type": "object"}]}}}
    sent = call({"a": {"id": "b"}}, requestBody=body(schema, "multipart/form-data"))
    assert b'Content-Type: application/json\r\n\r\n{"id":"b"}' in (sent.body or b"")


def test_bytes_that_json_cannot_hold_go_into_a_form_if_there_is_one() -> None:
    """Found by `make apis`: OpenAI offers both for the files of a container, with one schema."""
    with_bytes = {"schema": {"type": "object", "properties": {"a": BYTES}}}
    without = {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    contents = [(with_bytes, "multipart/form-data"), (without, "application/json")]
    for of_json, expected in contents:
        content = {"application/json": of_json, "multipart/form-data": with_bytes}
        sent = call({"a": "/w=="}, requestBody={"content": content})
        assert sent.headers["Content-Type"].partition(";")[0] == expected


@for_each(("request_body", "arguments", "content", "media_type"), BODIES.values(), ids=list(BODIES))
def test_bodies(request_body: Any, arguments: dict[str, Any], content: bytes, media_type: str) -> None:
    sent = call(arguments, requestBody=request_body)
    assert (sent.body, sent.headers["Content-Type"]) == (content, media_type)


EXPLODED = [("R", "100"), ("G", "200")]
IN_BRACKETS = [("c[R]", "100"), ("c[G]", "200")]
# What a document says of a property of a form, its value -> the fields that arrive.
STYLES_OF_FORMS: list[tuple[dict[str, Any], Any, list[tuple[str, str]]]] = [
    ({"style": "form"}, COLOURS, [("c", "blue"), ("c", "black")]),
    ({"style": "form"}, RGB, EXPLODED),
    ({"explode": True}, RGB, EXPLODED),
    ({"explode": False}, COLOURS, [("c", "blue,black")]),
    ({"explode": False}, RGB, [("c", "R,100,G,200")]),
    ({"style": "spaceDelimited"}, COLOURS, [("c", "blue black")]),
    ({"style": "pipeDelimited"}, COLOURS, [("c", "blue|black")]),
    ({"style": "pipeDelimited"}, RGB, [("c", "R|100|G|200")]),
    ({"style": "deepObject"}, RGB, IN_BRACKETS),
    ({"style": "deepObject", "explode": True}, {**RGB, "B": None}, IN_BRACKETS),
    ({"style": "deepObject"}, {"a": [{"b": "&"}]}, [("c[a][0][b]", "&")]),
    ({"style": "form", "explode": False}, {"a": [1]}, [("c", '{"a":[1]}')]),
    ({"contentType": "text/plain", "style": "deepObject"}, RGB, IN_BRACKETS),
]
OPEN = {"type": "object", "properties": {"c": {}}}


@pytest.mark.parametrize("schema", [OPEN, {"anyOf": [OPEN]}], ids=["by property", "whole"])
@pytest.mark.parametrize("version", ["3.0.3", "3.1.1"])
@for_each(("encoding", "value", "fields"), STYLES_OF_FORMS)
def test_styles_of_forms(
    version: str, schema: dict[str, Any], encoding: dict[str, Any], value: Any, fields: list[tuple[str, str]]
) -> None:
    """Read back by the parsers of Python, which know nothing of styles."""
    arguments = {"c": value} if schema is OPEN else {"body": {"c": value}}
    for media_type in ("application/x-www-form-urlencoded", "multipart/form-data"):
        request_body = {"content": {media_type: {"schema": schema, "encoding": {"c": encoding}}}}
        sent = call(arguments, _openapi=version, requestBody=request_body)
        assert fields_of_form(sent) == fields, media_type


def fields_of_form(sent: HttpRequest) -> list[tuple[str, str]]:
    assert sent.body is not None
    if sent.headers["Content-Type"] == "application/x-www-form-urlencoded":
        return parse_qsl(sent.body.decode())
    message = message_from_bytes(b"Content-Type: " + sent.headers["Content-Type"].encode() + b"\r\n\r\n" + sent.body)
    parts = [part for part in message.walk() if not part.is_multipart()]
    names = [part.get_param("name", header="content-disposition") for part in parts]
    return [(str(name), bytes(part.get_payload(decode=True)).decode()) for name, part in zip(names, parts, strict=True)]


LIST_OF_TEXTS = {"type": "array", "items": {"type": "string"}}
OF_SWAGGER = [
    {"name": "a", "in": "formData", **LIST_OF_TEXTS, "collectionFormat": "pipes"},
    {"name": "b", "in": "formData", **LIST_OF_TEXTS, "collectionFormat": "multi"},
    {"name": "c", "in": "formData", **LIST_OF_TEXTS},
    {"name": "d", "in": "header", **LIST_OF_TEXTS, "collectionFormat": "ssv"},
]


ADDRESSES_OF_SWAGGER = [
    ("a.example", "/", "https://a.example/u"),
    ("a.example", "/v1/", "https://a.example/v1/u"),
    ("a.example", "v1", "https://a.example/v1/u"),
    ("a.example", "", "https://a.example/u"),
    ("a.example", "@b.example", "https://a.example/@b.example/u"),
    ("a.example/", "/v1", "https://a.example/v1/u"),
    ("http://a.example:80", "/v1", "http://a.example:80/v1/u"),
]


@for_each(("host", "base", "expected"), ADDRESSES_OF_SWAGGER)
def test_no_path_of_swagger_changes_the_host(host: str, base: str, expected: str) -> None:
    data = {"swagger": "2.0", "info": {}, "host": host, "basePath": base, "paths": {"/u": {"get": {}}}}
    tool = toolglot.read_one(data)
    assert tool.hosts == ("a.example",)
    assert request(tool, {}).url == expected


def test_lists_of_swagger() -> None:
    data = {"swagger": "2.0", "info": {}, "host": "a.example", "paths": {"/": {"post": {"parameters": OF_SWAGGER}}}}
    arguments = {key: ["1", "2"] for key in "abcd"}
    sent = request(toolglot.read_one(data), arguments)
    assert (sent.url, sent.body) == ("https://a.example/", b"a=1%7C2&b=1&b=2&c=1,2")
    assert sent.headers["d"] == "1 2"
    parts = request(toolglot.read_one({**data, "consumes": ["multipart/form-data"]}), arguments).body or b""
    assert re.findall(rb'"(.)"\r\n.*\r\n\r\n(.*)\r\n', parts) == [
        (b"a", b"1|2"),
        (b"b", b"1"),
        (b"b", b"2"),
        (b"c", b"1,2"),
    ]


def test_a_body_that_need_not_be_sent_is_not() -> None:
    assert call({}, requestBody=body({}, required=False)) == HttpRequest("POST", f"{HOST}/a", {}, None)


def test_a_form_of_parts() -> None:
    properties = {
        "file": {"type": "string", "format": "binary"},
        "about": {"type": "object"},
        "tags": {"type": "array"},
        "names": {"type": "array"},
        "joined": {"type": "array"},
        "photo": {},
    }
    request_body = body({"type": "object", "properties": properties}, "multipart/form-data")
    request_body["content"]["multipart/form-data"]["encoding"] = {
        "file": {"contentType": "image/png"},
        "names": {"contentType": "application/json"},
        "joined": {"contentType": "application/json", "style": "form", "explode": False},  # of both, the style counts
        "photo": {"contentType": "image/jpeg"},  # of 3.1: a schema that says nothing is one of bytes
    }
    encoded = base64.b64encode(b"\r\n--toolglot").decode()
    arguments = {
        "file": encoded,
        "about": {"a": 1},
        "tags": ["x", "y"],
        "names": ["x"],
        "joined": ["x", "y"],
        "photo": encoded,
    }
    sent = call(arguments, requestBody=request_body)
    head = f"Content-Type: {sent.headers['Content-Type']}\r\n\r\n".encode()
    _, *parts = message_from_bytes(head + (sent.body or b"")).walk()
    found = [
        (part.get_param("name", header="content-disposition"), part.get_content_type(), part.get_payload(decode=True))
        for part in parts
    ]
    assert found == [
        ("file", "image/png", b"\r\n--toolglot"),
        ("about", "application/json", b'{"a":1}'),
        ("tags", "text/plain", b"x"),
        ("tags", "text/plain", b"y"),
        ("names", "application/json", b'"x"'),
        ("joined", "text/plain", b"x,y"),
        ("photo", "image/jpeg", b"\r\n--toolglot"),
    ]


# -- servers ----------------------------------------------------------------------------------------------------

REGION = {"url": "https://{r}.a.example/v1/", "variables": {"r": {"default": "eu", "enum": ["eu", "us"]}}}
SERVERS: list[tuple[list[Any], dict[str, Any], str]] = [
    ([REGION], {}, "https://eu.a.example/v1/a"),
    ([REGION], {"variables": {"r": "us"}}, "https://us.a.example/v1/a"),
    ([REGION], {"variables": {"r": "evil"}}, "'r' is one of eu, us, not 'evil'"),
    ([{"url": "https://{t}.a.example"}], {}, "the variable 't' of the server has no value"),
    ([{"url": "https://{t}.a.example"}], {"variables": {"t": "x"}}, "https://x.a.example/a"),
    # A client that gives the host alone asks another path (PrefectHQ/fastmcp#886).
    ([{"url": "/v1"}], {}, "'/v1' is no address of a server; give all of it, from https:// to its path, as server="),
    ([{"url": "/v1"}], {"server": "https://b.example/v1"}, "https://b.example/v1/a"),
    ([{"url": "file:///etc"}], {}, "'file:///etc' is no address of a server"),
    ([{"url": "https://a.example\r\nX: y"}], {}, "is no address of a server"),
    ([{"url": "https://user@a.example"}], {}, "is no address of a server"),
    ([{"url": "https://["}], {}, "is no address of a server"),
    ([{"url": "https://[a.example]"}], {}, "is no address of a server"),
    ([{"url": "https://a.example/?key=1"}], {}, "has no query"),
    ([], {}, "the description names no server"),
]


@for_each(("servers", "chosen", "expected"), SERVERS)
def test_servers(servers: list[Any], chosen: dict[str, Any], expected: str) -> None:
    tool = read(_servers=servers)
    if expected.startswith("https"):
        assert request(tool, {}, **chosen).url == expected
    else:
        with pytest.raises(UsageError, match=expected.replace("?", r"\?")):
            request(tool, {}, **chosen)


# -- what is refused --------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no object": (["a"], {}, "refused-arguments"),
    "an argument that nobody knows": ({"z": 1}, {}, "refused-arguments"),
    "a wrong type": ({"a": 1}, {"parameters": [parameter("query", schema={"type": "string"})]}, "refused-arguments"),
    "a missing one": ({}, {"parameters": [parameter("query", required=True)]}, "refused-arguments"),
    "dots": ({"a": ".."}, {"_path": "/x/{a}/y", "parameters": [parameter("path")]}, "dot-segment"),
    "dots behind a slash": ({"a": "b/../c"}, {"_path": "/x/{a}", "parameters": [parameter("path")]}, "dot-segment"),
    "dots behind a backslash": ({"a": "..\\b"}, {"_path": "/x/{a}", "parameters": [parameter("path")]}, "dot-segment"),
    "an empty segment": ({"a": ""}, {"_path": "/x/{a}", "parameters": [parameter("path")]}, "empty-segment"),
    "a variable that is not described": ({}, {"_path": "/x/{a}"}, "refused-arguments"),
    "a header of two lines": ({"a": "b\r\nX-C: d"}, {"parameters": [parameter("header")]}, "bad-header"),
    "a header that is no name": ({"a b": "c"}, {"parameters": [parameter("header", "a b")]}, "bad-header"),
    "a header of the connection": ({"Host": "b"}, {"parameters": [parameter("header", "Host")]}, "bad-header"),
    "a list of lists": ({"a": [["b"]]}, {"parameters": [parameter("query")]}, "nested-value"),
    "a media type of two lines": (
        {"body": 1},
        {"requestBody": body({}, "application/json; a=\r\nX-C: d")},
        "bad-description",
    ),
    "a text as a form": ({"body": "b"}, {"requestBody": body({}, "multipart/form-data")}, "no-form"),
    "a list as a form": ({"body": ["b"]}, {"requestBody": body({}, "application/x-www-form-urlencoded")}, "no-form"),
    "bytes that are no text": ({"body": True}, {"requestBody": body({}, "image/png")}, "refused-arguments"),
    "what is no base64": ({"body": "é"}, {"requestBody": body({}, "image/png")}, "no-base64"),
    "bars between bars": (
        {"a": ["b|c"]},
        {"parameters": [parameter("query", style="pipeDelimited", explode=False)]},
        "ambiguous-value",
    ),
    "blanks between blanks": (
        {"a": {"b c": "d"}},
        {"parameters": [parameter("query", style="spaceDelimited", explode=False)]},
        "ambiguous-value",
    ),
    "commas between commas of a header": ({"a": ["b,c"]}, {"parameters": [parameter("header")]}, "ambiguous-value"),
    "commas that stay": (
        {"a": ["b,c"]},
        {"parameters": [parameter("query", explode=False, allowReserved=True)]},
        "ambiguous-value",
    ),
    "dots between dots": (
        {"a": [1, 0.5]},
        {"_path": "/{a}", "parameters": [parameter("path", style="label", explode=True)]},
        "ambiguous-value",
    ),
    "a member of a form that would be another field": (
        {"a": {"b": 1}},
        {
            "requestBody": {
                "content": {
                    "application/x-www-form-urlencoded": {
                        "schema": {"type": "object", "properties": {"a": {}, "b": {}}},
                        "encoding": {"a": {"style": "form"}},
                    }
                }
            }
        },
        "ambiguous-value",
    ),
    "commas between commas of a part": (
        {"a": ["b,c"]},
        {
            "requestBody": {
                "content": {
                    "multipart/form-data": {
                        "schema": {"type": "object", "properties": {"a": {}}},
                        "encoding": {"a": {"style": "form", "explode": False}},
                    }
                }
            }
        },
        "ambiguous-value",
    ),
    "a member that another argument is called": (
        {"a": {"b": "c"}},
        {"parameters": [parameter("query"), parameter("query", "b")]},
        "ambiguous-value",
    ),
}


@for_each(("arguments", "operation", "code"), REFUSED.values(), ids=list(REFUSED))
def test_refused(arguments: Any, operation: dict[str, Any], code: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(arguments, **operation)
    assert caught.value.code == code


def test_the_text_of_a_path_stays_in_the_path() -> None:
    assert call({}, _path="/a b\r\nc/é%20").url == f"{HOST}/a%20b%0D%0Ac/%C3%A9%20"


def test_a_fragment_that_tells_operations_apart_is_not_sent() -> None:
    """As in the descriptions of AWS. Where an argument stands in it, it is a part of the path: none is left out."""
    assert call({}, _path="/a#Target=b").url == f"{HOST}/a"
    assert call({"c": "d"}, _path="/a#b/{c}", parameters=[parameter("path", "c")]).url == f"{HOST}/a%23b/d"


def test_an_operation_that_somebody_garbled_is_read_as_far_as_it_says_something() -> None:
    garbled = {"method": "GET", "path": "/", "servers": 5, "parameters": {"a": {"in": ["query"]}, "b": {"in": "query"}}}
    tool = Tool(id="t", inputs={"type": "object"}, extensions={"openapi": garbled})
    assert request(tool, {}, server=HOST).url == f"{HOST}/"


def test_a_tool_of_another_format_has_no_requests() -> None:
    with pytest.raises(ArgumentError, match="no requests"):
        request(Tool(id="ls"), {})


def test_a_tool_that_came_home_has_the_same_requests() -> None:
    data = document(_path="/{a}", _servers=[{"url": HOST}], parameters=[parameter("path")], requestBody=body(OBJECT))
    text = toolglot.convert(data, "openai", lossless=True).text
    with pytest.raises(ArgumentError, match="--restore"):
        request(toolglot.read_one(text), {})
    tool = toolglot.read_one(text, restore=True)
    arguments = {"a_path": "x", "a": 1}
    assert request(tool, arguments) == request(toolglot.read(data)[0], arguments)


@for_each("target", ["openai", "anthropic", "gemini"])
def test_a_call_of_a_model_becomes_a_request(target: str) -> None:
    data = document(_path="/{a}", _servers=[{"url": HOST}], parameters=[parameter("path")], requestBody=body(OBJECT))
    compiled = toolglot.compile(toolglot.read(data), target, strict=target != "gemini")
    [name] = compiled.tools
    arguments = compiled.encode(name, {"a_path": "x", "a": "y"})
    resolved = compiled.resolve(name, arguments)
    sent = request(resolved.leaf, resolved.arguments)
    assert (sent.url, sent.body) == (f"{HOST}/x", b'{"a":"y"}')


# -- whatever the values are ------------------------------------------------------------------------------------

PLACES = ["path", "query", "cookie"]


@given(st.fixed_dictionaries(dict.fromkeys(PLACES, TEXT)), JSON_FINITE)
def test_whoever_takes_a_request_apart_gets_the_call_back(texts: dict[str, str], value: Any) -> None:
    tool = read(
        _path="/x/{path}/y",
        _servers=[{"url": f"{HOST}/v1"}],
        parameters=[parameter(place, place) for place in PLACES],
        requestBody=body({}),
    )
    assume(texts["path"] not in (".", ".."))  # refused: see above
    sent = request(tool, {**texts, "body": value})
    parts = urlsplit(sent.url)
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "a.example", "")
    *before, segment, last = parts.path.split("/")
    assert (before, unquote(segment), last) == (["", "v1", "x"], texts["path"], "y")
    assert parse_qsl(parts.query, keep_blank_values=True) == [("query", texts["query"])]
    cookie = SimpleCookie(sent.headers["Cookie"])["cookie"].value
    assert unquote(cookie) == texts["cookie"]
    assert json.loads(sent.body or b"") == value


def test_every_operation_of_our_documents_becomes_a_request() -> None:
    tools = [tool for path in DOCUMENTS for tool in toolglot.read(path)]
    without_arguments = [tool for tool in tools if not (tool.inputs or {}).get("required")]
    assert len(without_arguments) >= 4
    for tool in without_arguments:
        sent = request(tool, {}, server=HOST)
        assert sent.url == HOST + tool.extension("openapi")["path"]
        assert sent.method == tool.extension("openapi")["method"].upper()
