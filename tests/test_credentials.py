"""The words without which a text has no token of a form: every way in which the form can be met has one of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib import import_module
from itertools import product
from typing import Any

from rows import for_each
from toolglot.converter.text.credentials import FORMS, LONG, TOKEN, find_token, holds_credential

_FEW = 6  # characters that a set lists one by one, as `gh[pousr]_` does


def joined(parts: Iterable[list[str]]) -> list[str]:
    return ["".join(choice) for choice in product(*parts)]


def examples_of(tree: Iterable[Any]) -> list[str]:
    """Texts that a parsed expression matches: each of its alternatives, each of a few characters, the least repeats."""
    return joined(examples_of_node(str(code), argument) for code, argument in tree)


def examples_of_node(code: str, argument: Any) -> list[str]:
    if code == "LITERAL":
        return [chr(argument)]
    if code == "IN":
        return characters_in(argument)
    if code == "BRANCH":
        return [text for branch in argument[1] for text in examples_of(branch)]
    if code == "SUBPATTERN":
        return examples_of(argument[-1])
    if code in ("MAX_REPEAT", "POSSESSIVE_REPEAT"):
        least, _, repeated = argument
        return sorted({text * count for text in examples_of(repeated) for count in {least, max(least, 1)}})
    assert code in ("ASSERT", "ASSERT_NOT", "AT"), code
    return [""]


def characters_in(members: list[Any]) -> list[str]:
    if len(members) <= _FEW and all(str(code) == "LITERAL" for code, _ in members):
        return [chr(character) for _, character in members]
    ranges = [argument for code, argument in members if str(code) == "RANGE"]
    return [chr(ranges[-1][0])]  # a digit, mostly


@for_each(("needles", "form"), FORMS.items(), ids=lambda row: row)
def test_no_token_is_without_one_of_the_words(needles: str, form: str) -> None:
    parsed = import_module("re._parser").parse(form, re.VERBOSE)
    tokens = [text for text in examples_of(parsed) if TOKEN.fullmatch(text)]
    assert tokens, needles
    assert [text for text in tokens if not any(needle in text for needle in needles.split())] == []
    cut = [text for text in tokens if "".join(LONG.findall(text)) not in ("", text)]  # a short one is none
    assert cut == [], "the word that is looked at has a part of it"
    for needle in needles.split():
        assert any(needle in text for text in tokens), f"{needle} is of no token"


def test_a_text_with_a_word_is_looked_at() -> None:
    assert find_token("begin with sk-abcdefghijklmnopqrst1") == "sk-abcdefghijklmnopqrst1"
    assert find_token("begin with task-runner-of-the-team") is None
    assert find_token("chat by oauth:k3n9x2m4p7q1r8t5v6w0y2z4a6b8c1") == "oauth:k3n9x2m4p7q1r8t5v6w0y2z4a6b8c1"


MADE = "k3n9x2m4p7q1r8t5v6w0"
MIXED = "k8Jd-2kQ_pLx9ZtVbNrW"


@for_each(
    ("text", "is_held"),
    [
        ("such as xoxb-your-bot-token", False),
        ("such as sk-proj-YOUR-API-KEY-HERE", False),
        ("such as AKIA" + "IOSFODNN7EXAMPLE", False),
        ("Authorization: Bearer YOUR_TOKEN_HERE.", False),
        ("Authorization: Bearer your-github-token", False),
        ("Authorization: Bearer xxxxxxxxxxxxxxxx", False),
        ("Authorization: Bearer abcdefghijklmnopqrst", True),
        ("Authorization: Bearer YOUR_TOKEN_HERE, then Bearer " + MADE, True),
        (f"Authorization: Bearer YOUR_{MADE}_HERE", True),
        (f"Authorization: Bearer {MADE}EXAMPLE{MADE}", True),
        ("AKIA" + "Q3EGRLP7TZ2MWKHV", True),
        (f"client_secret = {MIXED}", True),
        (f"Run `export GREENHOUSE_API_KEY={MADE}`.", True),
        (f'{{"apiKey": "{MIXED}=="}}', True),
        (json.dumps(f'Write "password": "{MADE}" there.'), True),
        (f"clientSecret: '{MIXED}'", True),
        (f"GREENHOUSE_TOKEN={MADE}", True),
        (f"pageToken: {MIXED}", False),
        (f"the key {MIXED}", False),
        ("api_key: Base64EncodedSha256OfTheKey", False),
        ("client_secret = the_client_secret_of_2026_v2", False),
        (f"API_KEY=$API_KEY_{MADE}", False),
        (f"API_KEY={MIXED[:12]}", False),
        ("API_KEY=/run/app1/keys2/of/the/api3.key", False),
        ("secret: projects/my-app1/secrets/db2/versions/3", False),
        ("IDEMPOTENCY_KEY: 550e8400-e29b-41d4-a716-446655440000", False),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", False),
    ],
)
def test_what_manuals_have_in_the_place_of_a_token_is_none(text: str, is_held: bool) -> None:
    assert holds_credential(text) is is_held
