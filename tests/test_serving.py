"""`toolglot serve`: the catalogue over HTTP, as the specification has it; who sees what; and what happens when files
change."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

import streams
from asgi import Application, Response, ask
from rows import for_each
from test_aip14_around import DANGER, TOOL, put
from toolglot.cli.commands.serve_catalog import ServedCatalog, ServeOptions
from toolglot.cli.options import SourceRequest
from toolglot.converter.file_search import PathFilter
from toolglot.converter.schema import canonical
from toolglot.errors import UsageError
from toolglot.runtime.serving import web_server
from toolglot.runtime.serving.admission import Gate, Rate
from toolglot.runtime.serving.catalog.compact_view import flatten
from toolglot.runtime.serving.catalog.routes import make_application
from toolglot.runtime.serving.principals import owner, parse_tokens, read_tokens
from toolglot.runtime.serving.reloading import Reloading

OWNER, READER, FILES = "owner-0123456789", "reader-0123456789", "files-0123456789"
FLAT = {"type": "object", "properties": {"oneOf": {"type": "string"}}, "required": ["oneOf"]}
NESTED = {"type": "object", "properties": {"a": {"items": {"anyOf": [{"type": "string"}, {"type": "array"}]}}}}


def descriptor(tool_id: str, source: str = "connector", **more: Any) -> dict[str, Any]:
    return {"toolId": tool_id, "source": source, "safetyTier": "read", **more}


DESCRIPTORS = [
    descriptor("mcp:files/read me", "mcp", inputSchema=FLAT, egress="none"),
    descriptor("connector:mail.list", inputSchema=NESTED, outputSchema={"type": "object"}, title="Mail"),
    descriptor("connector:mail.send", safetyTier="write", approval="always",
               auth={"scopes": ["mail.send", "mail.read"]}),
    descriptor("connector:mail.read", auth={"scopes": ["mail.read"]}, inputSchema={"type": "object"}),
    descriptor("openwop:flow", "workflow", description="\\ud800 <script>alert(1)</script>", approval="conditional"),
]  # fmt: skip
IDS = sorted(one["toolId"] for one in DESCRIPTORS)

TOKENS = {
    "tokens": [
        {"name": "reader", "token": READER, "tools": ["connector:*", "openwop:*"], "scopes": ["mail.read"]},
        {"name": "files", "sha256": hashlib.sha256(FILES.encode()).hexdigest(), "tools": ["mcp:*"]},
    ]
}


class Served(NamedTuple):
    """A catalogue that is served, and its files."""

    folder: Path
    catalog: ServedCatalog
    app: Application

    def ask(self, target: str = "/v1/tools", token: str | None = OWNER, **more: str) -> Response:
        return ask(self.app, target, token, **more)

    def ids(self, target: str = "/v1/tools", token: str = OWNER) -> list[str]:
        return [one["toolId"] for one in self.ask(target, token).data]


def write_tools(folder: Path, *descriptors: dict[str, Any]) -> None:
    (folder / "tools.json").write_text(json.dumps({"tools": descriptors}))


def options(folder: Path, **more: Any) -> ServeOptions:
    usual: dict[str, Any] = {
        "host": "127.0.0.1", "port": 0, "tokens": str(folder / "tokens.json"), "token_variable": None,
        "is_enveloped": False, "rate": 1e6, "assertions": None, "namespace": None, "choice": {},
    }  # fmt: skip
    return ServeOptions(**usual | more)


def serve(folder: Path, strangers_per_second: float = 1e6, **more: Any) -> Served:
    tokens = folder / "tokens.json"
    tokens.write_text(json.dumps(TOKENS))
    tokens.chmod(0o600)
    tools = folder / "tools"
    if not tools.exists():
        tools.mkdir()
        write_tools(tools, *DESCRIPTORS)
    request = SourceRequest((str(tools),), PathFilter(), quiet=True)
    catalog = ServedCatalog(request, options(folder, **more), [owner(OWNER)])
    return Served(tools, catalog, make_application(catalog, Gate(more.get("rate", 1e6), strangers_per_second)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return serve(tmp_path_factory.mktemp("served"))


# -- what the specification asks of a host, leg by leg -----------------------------------------------------------------


def test_everybody_learns_that_there_is_a_catalogue(served: Served) -> None:
    response = served.ask("/.well-known/openwop", None)
    assert (response.status, response.headers["cache-control"]) == (200, "public, max-age=300")
    capability = response.data["toolCatalog"]
    assert capability["supported"] is True
    assert capability["compactView"] is True
    assert "sessionLifecycle" not in capability
    assert {one["source"] for one in DESCRIPTORS} < set(capability["sources"])


def test_clients_of_either_version_can_read_what_there_is(served: Served) -> None:
    """Those of openwop-client 1.8 and 2.7 read these keys without asking whether they are there."""
    data = served.ask("/.well-known/openwop", None).data
    assert isinstance(data["protocolVersion"], str)
    assert data["preferredVersion"] in data["protocolVersions"]
    assert data["limits"].keys() >= {"clarificationRounds", "schemaRounds", "envelopesPerTurn"}
    assert data["supportedEnvelopes"] == []
    assert data["schemaVersions"] == {}
    for target in ("", "/openwop%3Aflow", "?source=mcp", "?view=compact", "/openwop%3Aflow?view=compact"):
        assert served.ask(f"/tools{target}").body == served.ask(f"/v1/tools{target}").body
    assert served.ask("/tools/connector%3Amail.send", READER).status == 404
    assert served.ask("/tools", None).status == 401


@for_each("target", ["/v1/tools", "/v1/tools/openwop%3Aflow", "/v1/tools/none", "/", "/none"])
def test_nobody_without_a_token_learns_more(served: Served, target: str) -> None:
    for token in (None, "", "wrong-0123456789", OWNER[:-1]):
        response = served.ask(target, token)
        assert (response.status, response.data["error"]) == (401, "unauthenticated")
        assert response.data.keys() == {"error", "message"}


def test_the_list_holds_valid_descriptors_without_credentials(served: Served) -> None:
    tools = served.ask().data
    assert [one["toolId"] for one in tools] == IDS
    forbidden = {"secret", "credential", "credentials", "token", "apiKey", "password"}
    for one in tools:
        assert canonical.is_valid(one, "tool-descriptor/v1")
        assert not forbidden & one.keys()


@for_each("tool_id", [*IDS])
def test_each_tool_is_found_by_its_encoded_id(served: Served, tool_id: str) -> None:
    encoded = "".join(f"%{byte:02X}" for byte in tool_id.encode())
    one = served.ask(f"/v1/tools/{encoded}").data
    assert one in served.ask().data
    assert one["toolId"] == tool_id


def test_what_somebody_may_not_see_is_answered_as_what_does_not_exist(served: Served) -> None:
    unknown = served.ask("/v1/tools/none", READER)
    assert unknown.status == 404
    for hidden in ("mcp%3Afiles%2Fread%20me", "connector%3Amail.send"):
        assert served.ask(f"/v1/tools/{hidden}").status == 200
        assert served.ask(f"/v1/tools/{hidden}", READER) == unknown


def test_the_compact_view_has_the_same_tools_and_flat_schemas(served: Served) -> None:
    tools = {one["toolId"]: one for one in served.ask("/v1/tools?view=compact").data["tools"]}
    assert sorted(tools) == IDS
    assert tools["mcp:files/read me"] == descriptor("mcp:files/read me", "mcp", inputSchema=FLAT)
    assert tools["connector:mail.list"] == descriptor("connector:mail.list", title="Mail")
    assert tools["connector:mail.read"]["inputSchema"] == {"type": "object", "properties": {}}
    assert tools["connector:mail.send"]["description"] == "Safety: ask the user for approval before every call."
    assert tools["openwop:flow"]["description"].endswith("</script> Safety: some calls need approval by the user.")
    assert served.ask("/v1/tools/connector%3Amail.list?view=compact").data == tools["connector:mail.list"]


TEXT, NULL = {"type": "string"}, {"type": "null"}
# what stands for a property -> what the compact view has for it; `None` where it has none
FLATTENED: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    ({"$ref": "#/$defs/text"}, TEXT),
    ({"$ref": "#/$defs/text", "description": "Its name."}, {**TEXT, "description": "Its name."}),
    ({"allOf": [TEXT, {"minLength": 1}]}, {**TEXT, "minLength": 1}),
    ({"type": "array", "items": {"anyOf": [TEXT, NULL]}}, {"type": "array", "items": {"type": ["string", "null"]}}),
    ({"anyOf": [{"enum": ["a"], **TEXT}, NULL]}, {"enum": ["a", None], "type": ["string", "null"]}),
    (
        {"anyOf": [{"enum": ["a", 1], "type": ["string", "integer"]}, NULL]},
        {"enum": ["a", 1, None], "type": ["string", "integer", "null"]},
    ),
    ({"anyOf": [{**TEXT, "if": {"minLength": 2}, "then": {"pattern": "^a"}}, NULL]}, None),
    ({"$ref": "#"}, None),
    ({"$ref": "https://example.com/schema.json"}, None),
    ({"anyOf": [TEXT, {"type": "integer"}, NULL]}, None),
    ({**TEXT, "not": {"const": "a"}}, None),
    ({"type": "object", "patternProperties": {"^a": TEXT}}, None),
]  # fmt: skip


@for_each("row", FLATTENED)
def test_arguments_are_flattened_where_the_same_values_stay_accepted(
    row: tuple[dict[str, Any], dict[str, Any] | None],
) -> None:
    stated, flat = row
    written = flatten({"type": "object", "properties": {"a": stated}, "$defs": {"text": TEXT}})
    assert written == (None if flat is None else {"type": "object", "properties": {"a": flat}})


@for_each("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_is_changed_or_called(served: Served, method: str) -> None:
    for target in ("/v1/tools", "/v1/tools/openwop%3Aflow", "/.well-known/openwop", "/"):
        response = served.ask(target, method=method)
        assert (response.status, response.headers["allow"]) == (405, "GET, HEAD")


# -- views ------------------------------------------------------------------------------------------------------------

QUERIES = [
    ("", IDS),
    ("?source=mcp", ["mcp:files/read me"]),
    ("?source=node-pack", []),
    ("?source=nobody", []),
    ("?source=", []),
    ("?view=wide", IDS),
]


@for_each("query", QUERIES)
def test_a_query_narrows_the_list(served: Served, query: tuple[str, list[str]]) -> None:
    assert served.ids(f"/v1/tools{query[0]}") == query[1]


@for_each("target", ["/v1/tools?limit=1", "/tools?limit=1", "/v1/tools/openwop%3Aflow?unknown=1", "/v1/tools?%FF=%00"])
def test_a_parameter_that_nobody_knows_is_refused(served: Served, target: str) -> None:
    """To ask for `sources=mcp`, or for a page of ten, gave the whole list."""
    assert served.ask(target).status == 400


def test_a_query_has_a_bound(served: Served) -> None:
    assert served.ask("/v1/tools?source=" + "a" * 3000).status == 400


VISIBLE = [
    (OWNER, IDS),
    (READER, ["connector:mail.list", "connector:mail.read", "openwop:flow"]),
    (FILES, ["mcp:files/read me"]),
]


@for_each("visible", VISIBLE)
def test_a_token_sees_what_it_is_for_and_holds_the_scopes_of(served: Served, visible: tuple[str, list[str]]) -> None:
    token, ids = visible
    assert served.ids(token=token) == ids
    assert [one["toolId"] for one in served.ask("/v1/tools?view=compact", token).data["tools"]] == ids
    page = served.ask("/", token).body.decode()
    for tool_id in IDS:
        assert (tool_id.partition(":")[2].partition(".")[2] in page) or tool_id not in ids
    for hidden in ("read me", "send"):
        assert (hidden in page) == any(hidden in tool_id for tool_id in ids)


def test_an_envelope_is_put_around_the_list_where_it_is_asked_for(tmp_path: Path) -> None:
    assert [one["toolId"] for one in serve(tmp_path, is_enveloped=True).ask().data["tools"]] == IDS


# -- what is kept -----------------------------------------------------------------------------------------------------


def test_what_a_client_has_is_not_sent_again(served: Served) -> None:
    whole = served.ask()
    etag = whole.headers["etag"]
    assert whole.headers["cache-control"] == "private, no-cache"
    assert whole.headers["vary"] == "authorization"
    for names in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        kept = served.ask(if_none_match=names)
        assert (kept.status, kept.body, kept.headers["etag"]) == (304, b"", etag)
        assert "content-length" not in kept.headers
    assert served.ask(if_none_match='"other"') == whole
    assert served.ask(token=READER, if_none_match=etag).status == 200


def test_a_head_has_the_headers_of_a_get(served: Served) -> None:
    """Its body is left out by the web server; behind one that was sent, `test_over_a_socket` would hear no more."""
    assert served.ask(method="HEAD").headers == served.ask().headers


# -- pages ------------------------------------------------------------------------------------------------------------


def test_a_browser_gives_its_token_as_a_password(served: Served) -> None:
    refused = served.ask("/", None)
    assert refused.headers.get("www-authenticate") == 'Basic realm="toolglot"'
    password = base64.b64encode(f"anybody:{READER}".encode()).decode()
    page = served.ask("/", None, authorization=f"Basic {password}")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<script>alert" not in page.body


def test_the_pages_of_tools_are_those_that_the_list_leads_to(served: Served) -> None:
    page = served.ask("/tools/connector-mail-list/index.html", READER)
    assert page.status == 200
    assert served.ask("/tools/connector-mail-list/", READER) == page
    assert served.ask("/tools/connector-mail-send/", READER).status == 404
    assert served.ask("/tools/../../etc/passwd", READER).status == 404


WRONG_TOKENS = ["Bearer", "Basic", "Basic !", f"Digest {OWNER}", f"Basic {base64.b64encode(OWNER.encode()).decode()}"]


@for_each("value", WRONG_TOKENS)
def test_what_is_no_token_lets_nobody_in(served: Served, value: str) -> None:
    assert served.ask("/", None, authorization=value).status == 401


# -- bounds -----------------------------------------------------------------------------------------------------------


def test_a_token_has_a_rate_of_its_own(tmp_path: Path) -> None:
    served = serve(tmp_path, strangers_per_second=0.001, rate=0.001)
    assert [served.ask(token=token).status for token in (READER, FILES, None)] == [200, 200, 401]
    for token in (READER, FILES, None):
        refused = served.ask(token=token)
        assert (refused.status, refused.data["error"], refused.headers["retry-after"]) == (429, "rate_limited", "1")
    assert served.ask(token=OWNER).status == 200


def test_a_bucket_fills_evenly() -> None:
    now = [0.0]
    rate = Rate(2, clock=lambda: now[0])
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    now[0] = 0.5
    assert [rate.allows("a"), rate.allows("a")] == [True, False]
    now[0] = 100
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]


@for_each("host", ["a..b", "\udcff", "no host"])
def test_a_host_that_is_none_is_said(host: str) -> None:
    with pytest.raises(UsageError) as caught:
        web_server.listen(host, 0)
    assert caught.value.code == "no-socket"


# -- files that change ------------------------------------------------------------------------------------------------


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Served]:
    said: list[Exception] = []
    with patch("toolglot.cli.commands.serve_catalog._report", said.append):
        yield serve(tmp_path)


def look(served: Served) -> bool:
    """Look twice, as files have to rest."""
    return served.catalog.look() or served.catalog.look()


def test_a_changed_file_changes_the_catalogue(changing: Served) -> None:
    before = changing.ask()
    assert not look(changing)
    write_tools(changing.folder, DESCRIPTORS[0])
    assert not changing.catalog.look()  # it may still be written
    assert changing.ask() == before
    assert changing.catalog.look()
    assert changing.ids() == ["mcp:files/read me"]
    assert changing.ask(if_none_match=before.headers["etag"]).status == 200


@pytest.mark.parametrize("action", ["ACTION.md", "../actions/clear/ACTION.md"])
def test_what_a_link_leads_to_is_read_again(changing: Served, action: str) -> None:
    (changing.folder.parent / ".git").mkdir()
    put(changing.folder / "TOOL.md", **TOOL, implements=action.removeprefix("../"))
    for danger in ({"mutates": [], "risk_level": 0, "approval": "auto"}, DANGER):
        put(changing.folder / action, schema="action/v1", description="Clear.", **{"id": "a:b", **danger})
        assert look(changing)
        assert not look(changing)
    assert [tool["approval"] for tool in changing.ask().data if tool["toolId"].endswith("post.weigh")] == ["always"]


def test_files_that_come_and_go_are_seen(changing: Served) -> None:
    new = changing.folder / "new.json"
    new.write_text(json.dumps(descriptor("connector:new")))
    assert look(changing)
    assert "connector:new" in changing.ids()
    new.unlink()
    assert look(changing)
    assert changing.ids() == IDS


def test_a_file_that_broke_takes_nothing_out(changing: Served) -> None:
    (changing.folder / "new.json").write_text(json.dumps(descriptor("connector:new")))
    assert look(changing)
    for broken in ('{"tools": [', "{}", ""):
        (changing.folder / "tools.json").write_text(broken)
        assert not look(changing)
        assert len(changing.ids()) == len(IDS) + 1
    write_tools(changing.folder, DESCRIPTORS[0])
    assert look(changing)
    assert changing.ids() == ["connector:new", "mcp:files/read me"]


def test_a_tool_that_holds_a_credential_is_never_served(changing: Served, capsys: pytest.CaptureFixture[str]) -> None:
    told = descriptor("mcp:told", description="Send it with Bearer abcdefghijklmnop0123.")
    (changing.folder / "told.json").write_text(json.dumps({"tools": [told, descriptor("mcp:new")]}))
    assert look(changing)
    assert changing.ids() == sorted([*IDS, "mcp:new"])
    assert "mcp:told is left out" in capsys.readouterr().err
    assert changing.catalog.exit_code == 1


def test_who_was_served_keeps_the_id_when_a_file_comes_that_has_it_too(changing: Served) -> None:
    """Both were gone, so that a second file took a tool out of a catalogue that was in use."""
    (changing.folder / "a.json").write_text(json.dumps(descriptor(IDS[0], title="Another")))
    assert look(changing)
    assert changing.ids() == IDS
    assert changing.ask(f"/v1/tools/{IDS[0].replace(':', '%3A')}").data.get("title") != "Another"
    assert changing.catalog.exit_code == 1


def test_a_file_that_cannot_be_read_hides_no_other(changing: Served, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.mcp.json", "b.mcp.json"):
        (changing.folder / name).write_text("{")
    (changing.folder / "new.json").write_text(json.dumps(descriptor("connector:new")))
    assert look(changing)
    assert changing.ids() == sorted([*IDS, "connector:new"])
    said = capsys.readouterr().err
    assert "a.mcp.json:1:2: error:" in said
    assert "b.mcp.json:1:2: error:" in said
    assert changing.catalog.exit_code == 2
    again = serve(changing.folder.parent)
    assert again.ids() == changing.ids()
    assert again.catalog.exit_code == 2
    for name in ("a.mcp.json", "b.mcp.json"):
        (changing.folder / name).unlink()
    assert look(changing)
    assert changing.catalog.exit_code == 0


def test_files_that_all_broke_are_counted(changing: Served) -> None:
    said: list[Exception] = []
    changing.catalog._report = said.append
    (changing.folder / "new.json").write_text(json.dumps(descriptor("connector:new")))
    assert look(changing)
    for name in ("new.json", "tools.json"):
        (changing.folder / name).write_text('{"tools": [')
    assert not look(changing)
    assert "new.json" in str(said[0])
    assert "1 other file cannot be read; toolglot check names all" in str(said[0])


def test_files_that_go_end_nothing(tmp_path: Path) -> None:
    said: list[Exception] = []
    with patch("toolglot.cli.commands.serve_catalog._report", said.append):
        served = serve(tmp_path)
    away = served.folder.rename(tmp_path / "away")
    assert [served.catalog.look() for _ in range(3)] == [False, False, False]
    assert len(said) == 1
    assert served.ids() == IDS
    away.rename(served.folder)
    write_tools(served.folder, DESCRIPTORS[0])
    assert look(served)
    assert len(served.ids()) == 1


def test_a_token_that_is_taken_out_opens_nothing(changing: Served) -> None:
    assert changing.ask(token=READER).status == 200
    tokens = changing.folder.parent / "tokens.json"
    tokens.write_text(json.dumps({"tokens": TOKENS["tokens"][1:]}))
    assert look(changing)
    assert changing.ask(token=READER).status == 401
    assert changing.ids() == IDS


def test_a_token_that_sees_no_tool_is_told_once(changing: Served, capsys: pytest.CaptureFixture[str]) -> None:
    tokens = changing.folder.parent / "tokens.json"
    tokens.write_text(json.dumps({"tokens": [TOKENS["tokens"][0], {**TOKENS["tokens"][1], "tools": ["files/*"]}]}))
    assert look(changing)
    warning = "warning: the token 'files' sees no tool: its patterns match no whole id"
    assert capsys.readouterr().err.count(warning) == 1
    write_tools(changing.folder, *DESCRIPTORS[1:])
    assert look(changing)
    assert warning not in capsys.readouterr().err


def test_what_changes_while_it_is_read_is_read_again() -> None:
    stamps = iter([1, 1, 2, 2, 3, 3, 3, 3])
    reloading = Reloading(lambda: "value", lambda: {"": next(stamps)}, print)
    assert [reloading.look() for _ in range(4)] == [False, False, False, True]


# -- tokens -----------------------------------------------------------------------------------------------------------

WRONG_FILES: list[tuple[Any, str]] = [
    ([], "expected"),
    ({"tokens": [{"name": "a", "tools": ["*"]}]}, "give a token, or its sha256"),
    ({"tokens": [{"name": "a", "tools": ["*"], "token": OWNER, "sha256": "0" * 64}]}, "give a token, or its sha256"),
    ({"tokens": [{"name": "a", "tools": ["*"], "token": "with spaces and more"}]}, "a token has 16"),
    ({"tokens": [{"name": "a", "tools": ["*"], "sha256": "ABC"}]}, "64 digits"),
    ({"tokens": [{"name": "a", "tools": "*", "token": OWNER}]}, "expected"),
    ({"tokens": [{"name": "a", "tools": ["*"], "token": OWNER, "scope": []}]}, "expected"),
    ({"tokens": [{"name": name, "tools": ["*"], "token": OWNER} for name in "ab"]}, "one token"),
    ({"tokens": [{"name": "a", "tools": ["*"], "token": token} for token in (OWNER, READER)]}, "one name"),
]


@for_each("wrong", WRONG_FILES)
def test_a_file_of_tokens_that_says_something_else_is_refused(wrong: tuple[Any, str]) -> None:
    with pytest.raises(UsageError, match=wrong[1]):
        parse_tokens(wrong[0])


@pytest.mark.skipif(os.name != "posix", reason="elsewhere there are no such permissions")
def test_tokens_that_others_can_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(json.dumps(TOKENS))
    path.chmod(0o644)
    with pytest.raises(UsageError, match="others can read"):
        read_tokens(path)
    path.write_text(json.dumps({"tokens": TOKENS["tokens"][1:]}))
    assert [one.name for one in read_tokens(path)] == ["files"]


# -- the command ------------------------------------------------------------------------------------------------------

MISUSES: list[tuple[list[str], str]] = [
    (["--host", "0.0.0.0", "tools"], "say who may, with --tokens or --token-env"),
    (["--host", "::", "tools"], "[no-token]"),
    (["--token-env", "NO_SUCH_VARIABLE", "tools"], "the environment variable NO_SUCH_VARIABLE is not set"),
    (["--token-env", "PATH", "tools"], "holds no token"),
    (["https://tools.invalid/tools.json"], "no address is fetched"),
    (["--tokens", "none.json", "tools"], "none.json"),
    (["--tokens", "tools/tools.json", "tools"], "[bad-tokens]"),
    (["none"], "none"),
    (["empty"], "no tool description was found"),
]


@pytest.mark.parametrize("misuse", MISUSES)
def test_what_cannot_be_served_is_said_before_anything_listens(tmp_path: Path, misuse: tuple[list[str], str]) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "empty").mkdir()
    write_tools(tmp_path / "tools", *DESCRIPTORS)
    with patch.object(web_server, "listen", side_effect=AssertionError("it listens")):
        ran = streams.run(tmp_path, ["serve", *misuse[0]])
    assert ran.code == 2
    assert misuse[1] in ran.stderr


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    write_tools(tmp_path, *DESCRIPTORS)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = streams.run(tmp_path, ["serve", "tools.json", "--port", str(taken.getsockname()[1])])
    assert ran.code == 2
    assert "[no-socket]" in ran.stderr


def test_a_second_ctrl_c_lets_the_application_end_too(served: Served) -> None:
    server = web_server.make_server(served.app)
    for _ in range(2):
        server.handle_exit(signal.SIGINT, None)
    assert (server.should_exit, server.force_exit) == (True, False)


@contextmanager
def listening_server(app: Any) -> Iterator[tuple[str, int]]:
    """An application on a port of this machine."""
    listener = web_server.listen("127.0.0.1", 0)
    assert listener.proto == socket.IPPROTO_TCP  # else asyncio leaves Nagle's algorithm on
    server = web_server.make_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield listener.getsockname()[:2]
    finally:
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


def test_over_a_socket(served: Served) -> None:
    with listening_server(served.app) as address:
        connection = http.client.HTTPConnection(*address, timeout=30)
        answers = []
        for method, target in (
            ("GET", "/v1/tools/mcp%3Afiles%2Fread%20me"),
            ("HEAD", "/v1/tools"),
            ("GET", "/v1/tools/%FF%FE"),
            ("GET", "//v1/tools"),
        ):
            connection.request(method, target, headers={"Authorization": f"Bearer {OWNER}"})
            response = connection.getresponse()
            answers.append((response.status, response.read()))
        assert [status for status, _ in answers] == [200, 200, 404, 404]
        assert json.loads(answers[0][1])["toolId"] == "mcp:files/read me"
        connection.close()


ASK = b"GET /%d HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LONG = 1 << 24  # bytes; more than the buffers of a connection hold
SLOW: list[tuple[str, bytes]] = [
    ("nothing is asked", b""),
    ("half of a head", ASK % 1),
    ("half of a body", b"POST /1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"),
    ("an answer that nobody takes", ASK % LONG + b"\r\n"),
    ("another protocol", ASK % 1 + b"Connection: upgrade\r\nUpgrade: websocket\r\n"),
]


async def _answer_at_length(scope: Any, receive: Any, send: Any) -> None:
    """Answers with as many bytes as the path says."""
    while scope["type"] == "lifespan":
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": bytes(int(scope["path"][1:]))})


@for_each("row", SLOW)
def test_a_connection_that_keeps_its_place_for_nothing_is_cut(row: tuple[str, bytes]) -> None:
    is_cut = threading.Event()

    class Noting(web_server.BoundedProtocol):
        def _cut(self) -> None:
            super()._cut()
            is_cut.set()

    bounds = patch.multiple(web_server, REQUEST_SECONDS=0.1, ANSWER_SECONDS=0.1, BoundedProtocol=Noting)
    with bounds, listening_server(_answer_at_length) as address:
        client = _connect(address)
        client.sendall(row[1])
        assert is_cut.wait(30)
        assert _received(client) < LONG


def _connect(address: tuple[str, int]) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    client.settimeout(30)
    client.connect(address)
    return client


def _received(client: socket.socket) -> int:
    """How many bytes come until the other side ends the connection."""
    count = 0
    with client, suppress(ConnectionResetError):
        while received := client.recv(1 << 16):
            count += len(received)
    return count


def test_more_connections_than_there_are_places_for_are_cut() -> None:
    bounds = patch.multiple(web_server, MOST_CONNECTIONS=1, REQUEST_SECONDS=600, ANSWER_SECONDS=600)
    with bounds, listening_server(_answer_at_length) as address:
        first, second = _connect(address), _connect(address)
        assert _received(second) == 0
        first.sendall(ASK % LONG + b"Connection: close\r\n\r\n")
        assert _received(first) > LONG


CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
MALFORMED: list[tuple[str, list[bytes]]] = [
    ("no chunk", [ASK % 1 + CHUNKED + b"ZZ\r\n"]),
    ("no chunk after one", [ASK % 1 + CHUNKED + b"2\r\n{}\r\nZZ\r\n"]),
    ("no chunk after the answer", [ASK % 1 + CHUNKED + b"2\r\n{}\r\n", b"ZZ\r\n"]),
    ("no request", [b"ZZ\r\n\r\n"]),
    ("a head that is too long, and whole", [ASK % 1 + b"X: %s\r\n\r\n" % (b"a" * 50_000)]),
    ("a second one", [ASK % 1 + b"\r\n" + ASK % 1 + b"X: %s\r\n\r\n" % (b"a" * 50_000)]),
]


@pytest.mark.parametrize("row", MALFORMED, ids=lambda row: row[0])
def test_a_malformed_request_is_refused_and_costs_no_line(
    row: tuple[str, list[bytes]], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with listening_server(_answer_at_length) as address, _connect(address) as client:
        answer = b""
        for data in row[1]:
            client.sendall(data)
            if data is not row[1][-1]:
                answer += client.recv(1 << 16)
        with suppress(ConnectionResetError):
            while received := client.recv(1 << 16):
                answer += received
    assert answer.count(b"HTTP/1.1 200") == (1 if row[0] in ("no chunk after the answer", "a second one") else 0)
    assert answer.count(b"HTTP/1.1 400") == (0 if row[0] == "no chunk after the answer" else 1)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert capfd.readouterr().err == ""
