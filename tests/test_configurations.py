"""The files in which clients name servers: every shape is read as data, and nothing in them is started or run."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from rows import for_each
from toolglot.converter.formats.detection import detect
from toolglot.errors import Error, ReadError, UsageError
from toolglot.runtime.servers import client_configurations, variables
from toolglot.runtime.servers.client_configurations import choose_entries, read_client_configuration
from toolglot.runtime.servers.consent import TrustedConfigurations
from toolglot.runtime.servers.named_servers import EVENTS, HTTP, PROGRAM, ServerEntry
from toolglot.runtime.servers.pulled_document import origin_of
from toolglot.runtime.servers.variables import VariableSource, fill_in

FOLDER = Path(__file__).parents[1] / "fixtures" / "servers"

# File -> server -> what differs from an entry that says nothing.
ENTRIES: dict[str, dict[str, dict[str, Any]]] = {
    "claude/.mcp.json": {
        "files": {
            "command": ("npx", "-y", "example-files-server", "${FOLDER:-/srv/files}"),
            "environment": {"FILES_KEY": "${FILES_KEY}"},
        },
        "tickets": {
            "transport": HTTP,
            "url": "https://${TICKETS_HOST:-tickets.example}/mcp",
            "headers": {"Authorization": "Bearer ${TICKETS_TOKEN}"},
            "ignored_keys": ("headersHelper",),
        },
        "old-events": {"transport": EVENTS, "url": "https://events.example/stream"},
        "unsaid": {"transport": HTTP, "url": "https://unsaid.example/mcp"},
        "broken": {"fault": "`args` is a list of texts"},
    },
    "claude/claude.json": {
        "clock": {"command": ("clock-server",)},
        "/home/user/shop:shop": {"command": ("shop-server", "--stdio"), "folder": "/home/user/shop"},
    },
    "claude/projects.json": {
        "/home/user/shop:shop": {"command": ("shop-server", "--stdio"), "folder": "/home/user/shop"},
    },
    "vscode/.vscode/mcp.json": {
        "maps": {
            "command": ("${workspaceFolder}/bin/maps", "--key", "${input:maps-key}"),
            "ignored_keys": ("sandboxEnabled",),
        },
        "search": {
            "transport": HTTP,
            "url": "https://search.example/mcp",
            "headers": {"X-Key": "${input:maps-key}"},
        },
        "from-file": {
            "fault": "its variables stand in a file, which is not read; set them, and leave `envFile` out",
        },
    },
    "vscode-settings/settings.json": {
        "paint": {
            "command": ("node", "paint.js"),
            "environment": {"NODE_OPTIONS": "--require ./more.js", "PAINT_KEY": "${env:PAINT_KEY}"},
        },
    },
    "cursor/.cursor/mcp.json": {
        "mail": {
            "command": ("mail-server",),
            "environment": {"MAIL_KEY": "${env:MAIL_KEY}"},
            "ignored_keys": ("autoApprove",),
        },
        "wiki": {"transport": EVENTS, "url": "https://wiki.example/sse", "is_off": True},
    },
    "codex/.codex/config.toml": {
        "database": {
            "command": ("database-server", "--price", "$5"),
            "environment": {"DATABASE": "test"},
            "passed_on": ("DATABASE_KEY", "DATABASE_HOST"),
            "folder": "tools",
            "ignored_keys": ("enabled_tools", "default_tools_approval_mode", "tools"),
        },
        "issues": {
            "transport": HTTP,
            "url": "https://issues.example/mcp",
            "headers": {"X-Team": "tools"},
            "header_variables": {"X-Account": "ISSUES_ACCOUNT"},
            "bearer_variable": "ISSUES_TOKEN",
        },
        "plans": {"transport": HTTP, "url": "https://plans.example/mcp", "ignored_keys": ("bearer_token",)},
        "off": {"command": ("server",), "is_off": True},
    },
    "gemini/.gemini/settings.json": {
        "images": {"command": ("images-server", "--key=$IMAGES_KEY"), "ignored_keys": ("trust", "excludeTools")},
        "events": {"transport": EVENTS, "url": "https://events.example/mcp"},
        "streams": {
            "transport": HTTP,
            "url": "https://streams.example/mcp",
            "headers": {"Authorization": "Bearer $STREAMS_TOKEN"},
        },
    },
    "opencode/opencode.jsonc": {
        "notes": {"command": ("bun", "notes.ts"), "environment": {"NOTES_KEY": "{env:NOTES_KEY}"}},
        "remote": {
            "transport": HTTP,
            "url": "https://remote.example/mcp",
            "headers": {"X-Key": "{env:REMOTE_KEY}"},
            "ignored_keys": ("oauth",),
        },
        "secret": {"transport": HTTP, "url": "https://secret.example/mcp", "headers": {"X-Key": "{file:~/key.txt}"}},
        "off": {"command": ("server",), "is_off": True},
    },
    "zed/.zed/settings.json": {
        "charts": {
            "command": ("charts-server", "--price", "${5}"),
            "environment": {"CHARTS_KEY": "charts"},
            "ignored_keys": ("source",),
        },
        "maps": {
            "transport": HTTP,
            "url": "https://maps.example/mcp",
            "headers": {"Authorization": "Bearer maps"},
        },
        "off": {"command": ("server",), "is_off": True},
    },
    "fastmcp/servers.json": {
        "weather": {"transport": HTTP, "url": "https://weather.example/mcp"},
        "alerts": {"transport": EVENTS, "url": "https://alerts.example/sse/"},
        "local": {"command": ("python", "server.py"), "folder": "."},
    },
}

SYNTAXES = {
    "gemini/.gemini/settings.json": variables.DOLLAR,
    "codex/.codex/config.toml": variables.PLAIN,
    "opencode/opencode.jsonc": variables.CURLY,
    "zed/.zed/settings.json": variables.PLAIN,
}


def test_every_shape_has_a_file() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()} == ENTRIES.keys()


@for_each("name, servers", ENTRIES.items())
def test_servers_are_read(name: str, servers: dict[str, dict[str, Any]]) -> None:
    path = str(FOLDER / name)
    syntax = SYNTAXES.get(name, variables.BRACED)
    expected = [ServerEntry(name=key, configuration=path, syntax=syntax, **more) for key, more in servers.items()]
    assert read_client_configuration(path).entries == expected


@for_each("name", ENTRIES)
def test_a_configuration_is_no_tool_description(name: str) -> None:
    if name.endswith(".toml"):
        return
    data = client_configurations._parse((FOLDER / name).read_bytes(), name)
    with pytest.raises(ReadError) as caught:
        detect(data, None, name)
    assert caught.value.code in ("foreign-format", "unknown-format")


def entry_of(name: str, server: str) -> ServerEntry:
    [entry] = choose_entries(read_client_configuration(str(FOLDER / name)), (server,))
    return entry


SECRETS = {
    ("claude/.mcp.json", "files"): ("FILES_KEY",),
    ("claude/.mcp.json", "tickets"): ("TICKETS_TOKEN",),
    ("codex/.codex/config.toml", "database"): ("DATABASE", "DATABASE_HOST", "DATABASE_KEY"),
    ("codex/.codex/config.toml", "issues"): ("ISSUES_ACCOUNT", "ISSUES_TOKEN"),
    ("gemini/.gemini/settings.json", "images"): ("IMAGES_KEY",),
    ("opencode/opencode.jsonc", "remote"): ("REMOTE_KEY",),
    ("fastmcp/servers.json", "local"): (),
}


@for_each("place, names", SECRETS.items())
def test_variables_are_named_and_their_values_are_not(place: tuple[str, str], names: tuple[str, ...]) -> None:
    entry = entry_of(*place)
    assert entry.secret_names == names
    assert "NODE_OPTIONS" not in entry.environment
    literals = [*entry.environment.values(), *entry.headers.values()]
    said = repr(origin_of(entry)) + entry.line
    assert all(literal not in said for literal in literals if len(literal) > 1)


LINES = [
    ("claude/.mcp.json", "files", "FILES_KEY=... npx -y example-files-server '${FOLDER:-/srv/files}'"),
    ("claude/.mcp.json", "tickets", "https://${TICKETS_HOST:-tickets.example}/mcp (sends Authorization)"),
    (
        "codex/.codex/config.toml",
        "database",
        "DATABASE_KEY=$DATABASE_KEY DATABASE_HOST=$DATABASE_HOST DATABASE=... database-server --price '$5' (in tools)",
    ),
    (
        "codex/.codex/config.toml",
        "issues",
        "https://issues.example/mcp (sends X-Team) (sends X-Account) (sends Authorization)",
    ),
    # What makes a program run other code than its command says is shown.
    ("vscode-settings/settings.json", "paint", "NODE_OPTIONS='--require ./more.js' PAINT_KEY=... node paint.js"),
]


@for_each("name, server, line", LINES)
def test_what_happens_is_shown(name: str, server: str, line: str) -> None:
    assert entry_of(name, server).line == line


UNENCRYPTED = [
    ("http://tools.example/mcp", True),
    ("HTTP://10.0.0.1/mcp", True),
    ("http://localhost.example/mcp", True),
    ("http://127.0.0.1.example/mcp", True),
    ("http://${HOST}/mcp", True),
    ("http://[::1", True),
    ("https://tools.example/mcp", False),
    ("http://localhost:8000/mcp", False),
    ("http://127.0.0.1:8000/mcp", False),
    ("http://[::1]:8000/mcp", False),
]


@for_each("url, expected", UNENCRYPTED)
def test_headers_in_the_clear_are_told(url: str, expected: bool) -> None:
    assert ServerEntry(transport=HTTP, url=url, bearer_variable="TOKEN").sends_unencrypted is expected
    assert ServerEntry(transport=HTTP, url=url).sends_unencrypted is False


def test_a_server_that_is_switched_off_is_asked_only_by_name() -> None:
    configuration = read_client_configuration(str(FOLDER / "codex/.codex/config.toml"))
    assert [entry.name for entry in choose_entries(configuration, ())] == ["database", "issues", "plans"]
    assert [entry.name for entry in choose_entries(configuration, ("off",))] == ["off"]
    with pytest.raises(UsageError, match="no server 'of'; there are database, issues, off, plans"):
        choose_entries(configuration, ("of",))


VALUES = VariableSource({"A": "1", "EMPTY": "", "HOME": "/home/me"}, {"key": "A", "lost": "NONE"}, "/work")
WORK = os.path.abspath("/work")
EXPANSIONS = [
    ("x ${A} $A {env:A}", variables.PLAIN, "x ${A} $A {env:A}"),
    ("x ${A} $A {env:A}", variables.BRACED, "x 1 $A {env:A}"),
    ("x ${A} $A {env:A}", variables.DOLLAR, "x 1 1 {env:A}"),
    ("x ${A} $A {env:A}", variables.CURLY, "x ${A} $A 1"),
    ("${env:A}${input:key}", variables.BRACED, "11"),
    ("${B:-b}${A:-b}${EMPTY:-e}${EMPTY}", variables.BRACED, "b1e"),
    ("${A:-${HOME}/.x}:/r", variables.BRACED, "1:/r"),
    ("${B:-${HOME}/.x}:/r", variables.BRACED, "/home/me/.x:/r"),
    ("${B:-${C:-${HOME}/c}/b}:/r", variables.BRACED, "/home/me/c/b:/r"),
    ("${A:-${B}}", variables.BRACED, "1"),
    ("${B:-$HOME/.x}:/r", variables.BRACED, "$HOME/.x:/r"),
    ("${B:-$HOME/.x}:/r", variables.DOLLAR, "/home/me/.x:/r"),
    (
        "${workspaceFolder} ${workspaceFolderBasename} ${userHome}",
        variables.BRACED,
        f"{os.path.abspath('/work')} work /home/me",
    ),
    ("{json: 1}", variables.CURLY, "{json: 1}"),
]


@for_each("text, syntax, expected", EXPANSIONS)
def test_variables_are_filled_in(text: str, syntax: re.Pattern[str], expected: str) -> None:
    assert fill_in(text, syntax, VALUES) == expected


def test_the_home_of_a_user_of_windows_is_found() -> None:
    assert fill_in("${userHome}", variables.BRACED, VariableSource({"USERPROFILE": r"C:\Users\me"})) == r"C:\Users\me"


UNFILLED = [
    ("${B}", variables.BRACED, "unset-variable", "the environment variable B is not set"),
    ("$B", variables.DOLLAR, "unset-variable", "B is not set"),
    ("{env:B}", variables.CURLY, "unset-variable", "B is not set"),
    ("${input:other}", variables.BRACED, "unset-variable", "--input other=VARIABLE"),
    ("${input:lost}", variables.BRACED, "unset-variable", "NONE is not set"),
    ("${command:some.thing}", variables.BRACED, "unknown-variable", "'command:some.thing' is no variable"),
    ("${}", variables.BRACED, "unknown-variable", "'' is no variable"),
    ("${B:-${C}}", variables.BRACED, "unset-variable", "C is not set"),
    ("{file:/etc/passwd}", variables.CURLY, "unknown-variable", "are not put into a command"),
    ("${file:/etc/passwd}", variables.BRACED, "unknown-variable", "are not put into a command"),
]


@for_each("text, syntax, code, message", UNFILLED)
def test_a_variable_without_a_value_is_an_error(text: str, syntax: re.Pattern[str], code: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        fill_in(text, syntax, VALUES)
    assert caught.value.code == code
    assert message in str(caught.value)


BAD_FILES = [
    ("a.json", "[]", "no-servers", "an object that names servers"),
    ("a.json", "{}", "no-servers", "no client's way"),
    ("a.json", '{"mcpServers": []}', "no-servers", "no client's way"),
    (
        "server.json",
        '{"name": "a/b", "version": "1", "packages": []}',
        "no-servers",
        "(server.json); it holds no tools",
    ),
    ("a.json", '{"mcpServers": {', "json-syntax", "ends where"),
    ("a.json", '{"a": 1, /* never ends', "json-syntax", "ends where"),
    ("a.json", '{"mcpServers": {}, "mcpServers": {}}', "duplicate-key", "mcpServers"),
    ("a.json", "[" * 100_000, "too-deep", "levels"),
    ("a.toml", "[mcp_servers.a\n", "toml-syntax", "a.toml:1:15"),
    ("a.toml", f"a = {'[' * 100_000}", "too-deep", "nested too deeply"),
    ("a.toml", f"a = {'1' * 5_000}", "toml-syntax", "a number is too long"),
    ("a.toml", f"\n{'a.' * 100}a = 1", "too-deep", "a.toml:2: a key of more than 100 parts"),
    ("a.toml", "#" * 1_100_000, "too-large", "more than 1048576 characters"),
    ("a.json", json.dumps({"mcpServers": {str(n): {} for n in range(1001)}}), "too-many-servers", "1000"),
]


@pytest.mark.parametrize(
    ("name", "text", "code", "message"), BAD_FILES, ids=[f"{row[2]} {row[3]}" for row in BAD_FILES]
)
def test_a_bad_file_is_an_error(tmp_path: Path, name: str, text: str, code: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(Error) as caught:
        read_client_configuration(str(path))
    assert caught.value.code == code
    assert message in str(caught.value)


FAULTS = [
    ("1", "it is no object"),
    ("{}", "a server has either `command` or `url`"),
    ('{"command": "a", "url": "b"}', "a server has either `command` or `url`"),
    ('{"command": []}', "`command` is empty"),
    ('{"command": "", "url": ""}', "a server has either `command` or `url`"),
    ('{"command": 7}', "`command` is a number; expected a text"),
    ('{"command": ["a", 7]}', "`command[1]` is a number; expected a text"),
    ('{"command": "a\\u0000b"}', "a command holds no NUL character"),
    ('{"command": "a", "args": [1]}', "`args[0]` is a number; expected a text"),
    ('{"command": "a", "env": ["B=1"]}', "`env` is an object of texts"),
    ('{"command": "a", "env": {"B": null}}', "`env.B` is null; expected a text"),
    ('{"command": "a", "env": {"B": ["c"]}}', "`env.B` is a list; expected a text"),
    ('{"serverUrl": "http://a", "headers": {"B": {}}}', "`headers.B` is an object; expected a text"),
    ('{"url": "http://a", "type": "carrier-pigeon"}', "`type` is one of stdio, local, http"),
    ('{"url": "http://a", "type": {}}', "`type` is one of stdio, local, http"),
    ('{"url": ["http://a"]}', "`url` is a list; expected a text"),
]


# Managers of servers ask for a command of each, so that one with an address has an empty one; some write null.
BOTH_WAYS = {
    '{"type": "http", "url": "https://a.example/mcp", "command": ""}': (HTTP, "https://a.example/mcp", ()),
    '{"type": "sse", "command": null, "url": "https://a.example/sse"}': (EVENTS, "https://a.example/sse", ()),
    '{"url": "", "httpUrl": "https://a.example/mcp"}': (HTTP, "https://a.example/mcp", ()),
    '{"httpUrl": "", "url": "https://a.example/sse"}': (EVENTS, "https://a.example/sse", ()),
    '{"type": "streamableHttp", "command": "", "baseUrl": "http://a"}': (HTTP, "http://a", ()),
    '{"command": "a", "args": ["b"], "url": ""}': (PROGRAM, "", ("a", "b")),
}


def test_an_empty_command_or_address_is_none(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    servers = ", ".join(f'"{number}": {text}' for number, text in enumerate(BOTH_WAYS))
    path.write_text(f'{{"mcpServers": {{{servers}}}}}')
    entries = read_client_configuration(str(path)).entries
    assert [entry.fault for entry in entries] == [None] * len(BOTH_WAYS)
    assert [(entry.transport, entry.url, entry.command) for entry in entries] == [*BOTH_WAYS.values()]


@pytest.mark.parametrize("key", ['"enabled": false', '"isActive": false', '"disabled": true'])
def test_every_word_that_switches_a_server_off_is_known(tmp_path: Path, key: str) -> None:
    path = tmp_path / "servers.json"
    path.write_text(f'{{"mcpServers": {{"a": {{"command": "b", {key}}}}}}}')
    (entry,) = read_client_configuration(str(path)).entries
    assert (entry.is_off, entry.ignored_keys) == (True, ())


def test_a_bad_server_is_a_fault_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    servers = ", ".join(f'"{number}": {text}' for number, (text, _) in enumerate(FAULTS))
    path.write_text(f'{{"mcpServers": {{{servers}, "good": {{"command": "a", "env": {{"N": 1, "B": true}}}}}}}}')
    *faulty, good = read_client_configuration(str(path)).entries
    for entry, (_, message) in zip(faulty, FAULTS, strict=True):
        assert message in (entry.fault or ""), entry
    assert (good.fault, good.environment) == (None, {"N": "1", "B": "true"})


def test_trust_is_for_these_bytes_in_this_place(tmp_path: Path) -> None:
    path, trusted = tmp_path / "servers.json", TrustedConfigurations(tmp_path / "state")
    path.write_text('{"mcpServers": {"a": {"command": "./server"}}}')
    configuration = read_client_configuration(str(path))
    assert not trusted.has(configuration)
    trusted.add(configuration)
    assert trusted.has(read_client_configuration(str(path)))
    elsewhere = tmp_path / "copy.json"
    elsewhere.write_bytes(path.read_bytes())
    assert not trusted.has(read_client_configuration(str(elsewhere)))
    trusted.add(read_client_configuration(str(elsewhere)))
    path.write_text(path.read_text() + "\n")
    assert not trusted.has(read_client_configuration(str(path)))
    assert trusted.has(read_client_configuration(str(elsewhere)))
    assert os.name == "nt" or os.stat(trusted.path).st_mode & 0o777 == 0o600
    for text, code in (('{"toolglot": 2, "trusted": {}}', "newer-state"), ('{"trusted": 1}', "damaged-state")):
        Path(trusted.path).write_text(text)
        with pytest.raises(ReadError) as caught:
            trusted.has(configuration)
        assert caught.value.code == code
