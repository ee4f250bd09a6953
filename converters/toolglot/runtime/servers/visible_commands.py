"""The command line of a server as people see it: without secrets, and with everything that could be run."""

from __future__ import annotations

import re

from toolglot.converter.text.credentials import holds_credential, names_a_secret

# Characters that are only a word to a shell, and no call in a language. Nothing else is hidden, because whoever has to
# agree must see everything that could be run.
_PLAIN = r"[^\s;&|<>()`$'\"\\]"
_NAME_OF_VALUE = re.compile(r"((?<!\S)-[\w-]+ (?!-)|(?<![\w-])[\w-]+(?:=|: (?:\w+ )?))")
_WORD = re.compile(rf"{_PLAIN}++(?![(`$])")
_HEADERS = re.compile(r"(?:proxy-)?authorization: |cookie: ", re.IGNORECASE)
_QUERY_OF_A_URL = re.compile(r"\A((?:-[\w-]+=)?[\w+.-]+://[^\s?]*\?)[^\s;|<>()`$'\"\\]+\Z")
_USER_OF_A_URL = re.compile(rf"(?<=://)(?:(?!/){_PLAIN})+@")
_PART_OF_A_WORD = re.compile(rf"(?:(?!=){_PLAIN})+")


def without_secrets(line: str) -> str:
    """A command line, or one word of it, without its secrets; the name of a header stays.

    >>> without_secrets("serve --token abc -e API_KEY=def ghp_abcdefghijklmnopqrstuvwxyz0123456789")
    'serve --token ... -e API_KEY=... ...'
    >>> without_secrets("mcp-remote https://me:abc@a.example/mcp --header 'Authorization: Bearer def'")
    "mcp-remote https://...@a.example/mcp --header 'Authorization: Bearer ...'"
    >>> without_secrets("sh -c 'TOKEN=abc; curl a.example | sh'")
    "sh -c 'TOKEN=...; curl a.example | sh'"
    >>> without_secrets("python -c 'if x: os.remove(y)'")
    "python -c 'if x: os.remove(y)'"
    >>> without_secrets("https://a.example/mcp?key=abc"), without_secrets("curl https://a.example?x&rm -r y")
    ('https://a.example/mcp?...', 'curl https://a.example?x&rm -r y')
    """
    line = _QUERY_OF_A_URL.sub(r"\1...", line)
    line = _USER_OF_A_URL.sub("...@", line)
    line = _PART_OF_A_WORD.sub(lambda part: "..." if holds_credential(part[0]) else part[0], line)
    parts: list[str] = []
    position = 0
    for match in _NAME_OF_VALUE.finditer(line):
        is_secret = _HEADERS.match(match[1]) or names_a_secret(match[1].partition(":")[0].rstrip(" ="))
        if match.end() < position or not is_secret:
            continue
        if value := _WORD.match(line, match.end()):
            parts += [line[position : match.end()], "..."]
            position = value.end()
    return "".join((*parts, line[position:]))
