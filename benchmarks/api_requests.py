"""`make apis`: whether a request says what its call said, read back by openapi-core, which has no code of toolglot.

For every operation of the documents that vendors publish, and of ours, arguments are drawn from the tool's own schema
with a fixed seed; texts in them are full of what ends, joins or escapes parts of a request. `bridge.request` builds the
request, werkzeug takes it apart, and openapi-core reads it by the document. What arrives is held to what was given.

It runs with `tests` on the path. The counts in `docs/internals/peers.md` are held to the run; `TOOLGLOT_ACCEPT=1`
writes them anew, `-v` names every call that is refused, unread or wrong.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from apis import documents, real_documents
from hypothesis import strategies as st
from jsonschema_path import SchemaPath
from openapi_core import V30RequestUnmarshaller, V31RequestUnmarshaller, V32RequestUnmarshaller
from openapi_core.testing import MockRequest
from table import markdown
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

import schema_judge as judge
import toolglot
from golden import same_table
from toolglot import bridge
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import document_reader

HOST = "https://api.example"
CALLS = 20  # drawn for each operation; those that its schema does not accept do not count
UNMARSHALLERS = {"3.0": V30RequestUnmarshaller, "3.1": V31RequestUnmarshaller, "3.2": V32RequestUnmarshaller}
PLACES = ("path", "query", "header", "cookie")
# What ends, joins or escapes parts of a request, and what looks like a value of another type.
PIECES = (
    *"ab cXYZ019._-/:é日&=%+#?;,|[]{}()<>@!$*^~`'", '"', "\\", "\n", "\t", "\r\n", "..", "true", "null", "7", "1e3",
    "%2F", "",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
WORDS = st.sampled_from(["a", "report-7", "x_1"]) | HOSTILE
MORE_MEDIA_TYPES = {"application/merge-patch+json": json.loads}
SAID_ELSEWHERE = ("accept", "content-type", "authorization")  # headers that OpenAPI takes from no parameter
NOTHING: Any = object()
_VARIABLE = re.compile(r"\{([^{}]*)\}")
# The share of right calls on 29 November 2026, before this benchmark was there to find faults by.
FIRST_SHARES = {
    "anthropic/official": "99.89 %", "cohere/official": "100.00 %", "openai/azure": "100.00 %",
    "openai/azure-preview": "100.00 %", "openai/official": "99.01 %", "files-3.2.yaml": "100.00 %",
    "library-3.0.yaml": "100.00 %", "shop-3.0.yaml": "100.00 %", "tickets-3.1.json": "100.00 %",
    "weather-3.1.json": "100.00 %", "garden.openapi.yaml": "98.15 %",
}  # fmt: skip


class Arrived(NamedTuple):
    """What was read of a request: values by place and name, and the body. What is not there is `NOTHING`."""

    values: dict[tuple[str, str], Any]
    body: Any


class Outcome(NamedTuple):
    """What became of a call: "right", "refused", "unread" or "wrong", why, and what exactly."""

    kind: str
    reason: str = ""
    detail: str = ""


# -- the reader --------------------------------------------------------------------------------------------------


class AsRead:
    """In place of what makes classes of formats: values stay as they were read."""

    def __init__(self, schema_validators_factory: Any) -> None:
        self.schema_validators_factory = schema_validators_factory

    def create(self, *_: Any, **__: Any) -> AsRead:
        return self

    def unmarshal(self, value: Any) -> Any:
        return value


def prepared(value: Any, key: str = "") -> Any:
    """A document without values that the reader would fill in, and whose queries may hold empty texts."""
    if isinstance(value, list):
        return [prepared(member) for member in value]
    if not isinstance(value, dict):
        return value
    names = [name for name in value if name != "default" or key == "properties"]
    out = {name: prepared(value[name], name) for name in names}
    if value.get("in") == "query" and "name" in value:
        out["allowEmptyValue"] = True
    return out


class Reader:
    """One operation as openapi-core has it."""

    def __init__(self, data: dict[str, Any], path: str, method: str) -> None:
        self.path = path
        item = data["paths"][path]
        operation = {key: value for key, value in item[method].items() if key not in ("security", "servers")}
        paths = {path: {"parameters": item.get("parameters", []), method: operation}}
        spec = SchemaPath.from_dict({**data, "paths": paths, "servers": [{"url": HOST}], "security": []})
        known = UNMARSHALLERS[data["openapi"][:3]]
        # Only values are compared: documents of 3.1 say `nullable`, and map discriminators to what they do not have.
        kind = type("Unmarshaller", (known,), {"_validate_schema": lambda *_: None})
        self.unmarshaller = kind(
            spec,
            schema_unmarshallers_factory=AsRead(known.schema_validators_factory),
            extra_media_type_deserializers=MORE_MEDIA_TYPES,
        )
        of_path = spec / "paths" / path
        parts = [part / "parameters" for part in (of_path / method, of_path) if "parameters" in part]
        declared = {((entry / "name").read_value(), (entry / "in").read_value()) for part in parts for entry in part}
        self.declared = {(name, place) for name, place in declared if name.lower() not in SAID_ELSEWHERE}
        self.content = of_path / method / "requestBody" / "content"

    def read(self, sent: bridge.HttpRequest) -> Arrived | Exception:
        """What arrives, or why it cannot be read."""
        parts = urlsplit(sent.url)
        builder = EnvironBuilder(
            "/", HOST, method=sent.method, query_string=parts.query, headers=sent.headers, data=sent.body
        )
        taken_apart = Request(builder.get_environ())
        request = MockRequest(
            HOST,
            sent.method,
            self.path,
            path_pattern=self.path,
            args=taken_apart.args,
            view_args=self.variables(parts.path),
            headers=taken_apart.headers,
            cookies={name: unquote(value) for name, value in taken_apart.cookies.items()},
            data=sent.body,
            content_type=sent.headers.get("Content-Type", ""),
        )
        try:
            result = self.unmarshaller.unmarshal(request)
        except Exception as error:
            return error
        if result.errors:
            first: Exception = result.errors[0]
            return first
        values = {
            (place, name): value
            for place in PLACES
            for name, value in getattr(result.parameters, place).items()
            if (name, place) in self.declared
        }
        return Arrived(values, NOTHING if sent.body is None else result.body)

    def variables(self, path: str) -> dict[str, str]:
        """The variables of a path, decoded after it was taken apart at its slashes, as routers do."""
        template = self.path.partition("?")[0]
        pattern = "([^/]*)".join(map(re.escape, _VARIABLE.split(template)[::2]))
        found = re.fullmatch(pattern, path)
        if found is None:
            return {}
        values = dict(zip(_VARIABLE.findall(template), map(unquote, found.groups()), strict=True))
        # By the names of RFC 6570 openapi-core finds variables that are written in the styles `label` and `matrix`.
        return {
            form.format(name): value for name, value in values.items() for form in ("{}", ".{}", ".{}*", ";{}", ";{}*")
        }

    def media_types(self) -> list[str]:
        return keys_of(self.content)

    def fields_of_bytes(self, sent_type: str) -> set[str]:
        """The properties of a body that the document says to be bytes."""
        for media_type in self.media_types():
            properties = self.content / media_type / "schema" / "properties"
            if sent_type.startswith(media_type):
                return {name for name in keys_of(properties) if is_of_bytes(properties / name)}
        return set()


def keys_of(place: SchemaPath) -> list[str]:
    return [str(key) for key in place.keys()] if place.exists() else []  # noqa: SIM118 - it yields paths otherwise


def is_of_bytes(schema: SchemaPath) -> bool:
    if "contentMediaType" in schema or ("format" in schema and (schema / "format").read_value() == "binary"):
        return True
    inner = [schema / "items"] if "items" in schema else []
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            inner += list(schema / keyword)
    return any(map(is_of_bytes, inner))


# -- what has to arrive ------------------------------------------------------------------------------------------


def given(reader: Reader, tool: Tool, arguments: dict[str, Any]) -> Arrived:
    """Where each argument has to arrive, by what docs/reference/openapi.md says."""
    keys = (tool.inputs or {}).get("properties", {}).keys()
    body = dict(arguments)
    values: dict[tuple[str, str], Any] = {}
    for name, place in reader.declared:
        key = f"{name}_{place}" if f"{name}_{place}" in keys else name
        if key in body:
            values[place, name] = body.pop(key)
    return Arrived(values, body)


def compare(reader: Reader, expected: Arrived, arrived: Arrived, media_type: str) -> Iterator[Outcome]:
    """What did not arrive as it was given."""
    for (place, name), value in expected.values.items():
        got = arrived.values.get((place, name), NOTHING)
        if got is NOTHING and place == "query" and isinstance(value, dict) and not is_empty(value):
            yield Outcome("unread", "an object whose members stand in the query by themselves", name)
        elif not same(value, got, is_text=True):
            yield Outcome("wrong", place, f"{name}: {value!r} arrives as {got!r}")
    for place, name in arrived.values.keys() - expected.values.keys():
        yield Outcome("wrong", place, f"{name}: nobody gave {arrived.values[place, name]!r}")
    if not expected.body and (arrived.body is NOTHING or arrived.body == {}):
        return
    body = expected.body
    if body.keys() == {"body"} and "body" not in as_object(arrived.body):
        body = body["body"]
    if "json" in media_type:
        has_form = any(other.startswith("multipart/") for other in reader.media_types())
        if has_form and reader.fields_of_bytes(media_type) & as_object(body).keys():
            yield Outcome("wrong", "body", f"bytes in JSON: {body!r}")
        elif not same(body, arrived.body, is_text=False):
            yield Outcome("wrong", "body", f"{body!r} arrives as {arrived.body!r}")
    elif isinstance(body, dict):
        yield from compare_forms(reader.fields_of_bytes(media_type), body, arrived.body)
    elif not same(body if media_type.startswith("text/") else as_bytes(body), arrived.body, is_text=True):
        yield Outcome("wrong", "body", f"{body!r} arrives as {arrived.body!r}")


def compare_forms(of_bytes: set[str], body: dict[str, Any], arrived: Any) -> Iterator[Outcome]:
    for name in body.keys() | as_object(arrived).keys():
        value, got = body.get(name, NOTHING), as_object(arrived).get(name, NOTHING)
        if isinstance(value, list) and isinstance(got, bytes):  # of an alternative of a list it reads one part
            if len(value) > 1:
                yield Outcome("unread", "several parts of one name, where a list is one of several shapes", name)
                continue
            value = value[0]
        if name in of_bytes:
            value = as_bytes(value)
            got = got.encode() if isinstance(got, str) else got
        if not same(value, got, is_text=True):
            yield Outcome("wrong", "body", f"{name}: {value!r} arrives as {got!r}")


def as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_bytes(value: Any) -> Any:
    """What a value in base64 stands for; what is none stands for nothing that could arrive."""
    if isinstance(value, list):
        return list(map(as_bytes, value))
    if not isinstance(value, str):
        return value
    try:
        return base64.b64decode(value, validate=True)
    except ValueError:
        return object()


def is_empty(value: Any) -> bool:
    return value is NOTHING or value is None or value in ([], {})


def same(sent: Any, got: Any, is_text: bool) -> bool:
    """Whether a value arrived.

    Args:
        is_text: whether it stood in a place that has texts only: a null or an empty list is nothing there, and what
            the document gives no type, or several, arrives as its text.
    """
    if is_text and is_empty(sent):
        return is_empty(got) or got == ""
    if isinstance(sent, dict) and isinstance(got, dict):
        return all(same(sent.get(key, NOTHING), got.get(key, NOTHING), is_text) for key in sent.keys() | got.keys())
    if isinstance(sent, list) and isinstance(got, list):
        members = [member for member in sent if member is not None] if is_text else sent
        return len(members) == len(got) and all(map(same, members, got, [is_text] * len(got)))
    if is_text and isinstance(got, bytes) and not isinstance(sent, bytes):
        got = got.decode("utf-8", "surrogateescape")
    if is_text and isinstance(got, str) and not isinstance(sent, str):
        return is_written_as(sent, got)
    both = isinstance(sent, bool) is isinstance(got, bool)
    return both and bool(sent == got)


def is_written_as(sent: Any, text: str) -> bool:
    try:
        return same(sent, json.loads(text), is_text=False)
    except ValueError:
        return False


# -- calls -------------------------------------------------------------------------------------------------------


def calls_of(tool: Tool) -> list[dict[str, Any]]:
    schema = tool.inputs or {}
    return [call for call in judge.sample(judge.instances(schema, WORDS), CALLS) if judge.accepts(schema, call)]


def outcome(reader: Reader, tool: Tool, arguments: dict[str, Any]) -> Outcome:
    """What becomes of a call; of several reasons the worst."""
    try:
        sent = bridge.request(tool, arguments, server=HOST)
    except toolglot.Error as error:
        return Outcome("refused", error.code, str(error))
    arrived = reader.read(sent)
    if isinstance(arrived, Exception):
        return Outcome("unread", type(arrived).__name__, f"{arrived} ({arrived.__cause__})")
    media_type = sent.headers.get("Content-Type", "")
    found = list(compare(reader, given(reader, tool, arguments), arrived, media_type))
    return max(found, key=lambda result: result.kind == "wrong", default=Outcome("right"))


def every_document() -> dict[str, Any]:
    """The documents of vendors, then ours of the versions that the reader knows."""
    real = {name: document_reader.load(path.read_bytes(), path.name).data for name, path in real_documents().items()}
    ours = {name: data for name, data in documents().items() if str(data.get("openapi"))[:3] in UNMARSHALLERS}
    return real | ours


def outcomes(name: str, data: dict[str, Any], is_verbose: bool) -> Iterator[Outcome]:
    prepared_data = prepared(data)
    for tool in toolglot.read(data):
        extension = tool.extension("openapi")
        path, method = extension["path"], extension["method"].lower()
        if method not in data["paths"][path]:
            continue
        reader = Reader(prepared_data, path, method)
        for arguments in calls_of(tool):
            result = outcome(reader, tool, arguments)
            if is_verbose and result.kind != "right":
                print(f"{name} {tool.id}: {': '.join(result)}", file=sys.stderr)
            yield result


def main() -> None:
    warnings.simplefilter("ignore")  # openapi-core warns of what is deprecated in a document
    reasons: Counter[tuple[str, str]] = Counter()
    rows = [["document", "operations", "calls", "refused", "unread", "wrong", "right at first", "right"]]
    for name, data in every_document().items():
        found = list(outcomes(name, data, "-v" in sys.argv))
        kinds = Counter(result.kind for result in found)
        reasons.update((result.kind, result.reason) for result in found if result.kind != "right")
        judged = kinds["right"] + kinds["wrong"]
        share = f"{100 * kinds['right'] / judged:.2f} %" if judged else "-"
        counts = (len(toolglot.read(data)), len(found), kinds["refused"], kinds["unread"], kinds["wrong"])
        rows.append([name, *map(str, counts), FIRST_SHARES.get(name, "-"), share])
    table = markdown(rows)
    table_of_reasons = markdown(
        [
            ["what became of it", "why", "calls"],
            *([kind, reason, str(count)] for (kind, reason), count in sorted(reasons.items())),
        ]
    )
    print(table, table_of_reasons, sep="\n\n")
    same_table("api-requests", table)
    same_table("api-requests-reasons", table_of_reasons)


if __name__ == "__main__":
    main()
