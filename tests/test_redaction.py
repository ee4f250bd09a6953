"""What the result filter takes out, what it leaves, and that neither JSON nor time suffers."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import secret_texts
from rows import for_each
from toolglot.bridge import ResultFilter
from toolglot.errors import UsageError
from toolglot.runtime.bridge.redaction import secret_forms, values_behind_names
from toolglot.runtime.bridge.redaction.redacted_json import redact
from toolglot.runtime.bridge.redaction.redacted_text import REDACTED
from toolglot.runtime.bridge.result_filter import TRUNCATED
from toolglot.runtime.bridge.runner_failures import failure_of
from untyped import untyped

SECRET = "hunter2Xq9"  # stands for S3CRET in every row of SECRETS, and no result may

# What is written, and what stands there afterwards. Examples only: no value was ever issued.
SECRETS = {
    "github": ("found ghp_S3CRET1 here", "found [REDACTED] here"),
    "github-short": ("ghp_S3CRET", "[REDACTED]"),
    "github-fine-grained": ("github_pat_11AB_S3CRET", "[REDACTED]"),
    "slack": ("xoxb-12-S3CRET", "[REDACTED]"),
    "gitlab": ("glpat-abcdefS3CRET", "[REDACTED]"),
    "sk": ("use sk-proj-S3CRETabc now", "use [REDACTED] now"),
    "stripe": ("rk_live_S3CRET", "[REDACTED]"),
    "jwt": ("eyJhbGciOiJI.eyJzdWIi.S3CRET x", "[REDACTED] x"),
    "private-key": (
        "-----BEGIN RSA PRIVATE KEY-----\nS3CRET\n-----END RSA PRIVATE KEY-----\nafter",
        "[REDACTED]\nafter",
    ),
    "private-key-cut": ("a\n-----BEGIN OPENSSH PRIVATE KEY-----\nS3CRET\nmore", "a\n[REDACTED]"),
    "pgp-key": (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nS3CRET\n-----END PGP PRIVATE KEY BLOCK-----",
        "[REDACTED]",
    ),
    "url": ("https://me:S3CRET@example.org/x", "https://me:[REDACTED]@example.org/x"),
    "url-with-at": ("postgres://me:p@S3CRET@db:5432/a", "postgres://me:[REDACTED]@db:5432/a"),
    "url-without-user": ("redis://:S3CRET@cache", "redis://:[REDACTED]@cache"),
    "header": ("authorization: token S3CRET", "authorization: token [REDACTED]"),
    "header-curl": ("curl -H 'Authorization: Basic S3CRET'", "curl -H 'Authorization: Basic [REDACTED]'"),
    "bearer": ("Bearer S3CRET", "Bearer [REDACTED]"),
    "bearer-lower": ("bearer S3CRET", "bearer [REDACTED]"),
    "equals": ("password=S3CRET", "password=[REDACTED]"),
    "colon": ("password: S3CRET", "password: [REDACTED]"),
    "colon-capital": ("Password: password=S3CRET", "Password: [REDACTED]"),
    "environment": ("AWS_SECRET_ACCESS_KEY=S3CRET", "AWS_SECRET_ACCESS_KEY=[REDACTED]"),
    "environment-quoted": ("export TOKEN='S3CRET and more' B=2", "export TOKEN='[REDACTED]' B=2"),
    "session": ("aws_session_token = S3CRET", "aws_session_token = [REDACTED]"),
    "query": ("/login?user=bob&password=S3CRET", "/login?user=bob&password=[REDACTED]"),
    "key-with-hyphen": ("x-api-key: S3CRET", "x-api-key: [REDACTED]"),
    "camel": ("clientSecret = S3CRET", "clientSecret = [REDACTED]"),
    "connection-string": ("Uid=sa;Pwd=S3CRET", "Uid=sa;Pwd=[REDACTED]"),
    "quote-inside": ('PASSWORD=ab"cS3CRET x', "PASSWORD=[REDACTED] x"),
    "escaped-quotes": (r'said "password=\"S3CRET\"" twice', r'said "password=\"[REDACTED]\"" twice'),
    "unclosed-quote": ('token="a S3CRET', 'token="[REDACTED]'),
    "json": ('{"token": "S3CRET"}', '{"token": "[REDACTED]"}'),
    "json-line": ('{"id": 1}\n{"token": "S3CRET"}', '{"id": 1}\n{"token": "[REDACTED]"}'),
    "json-in-log": ('INFO {"secret":"S3CRET","a":1}', 'INFO {"secret":"[REDACTED]","a":1}'),
    "json-list": ('{"password": ["S3CRET"], "a": "b"}', '{"password": ["[REDACTED]"], "a": "b"}'),
    "json-in-json": (
        json.dumps({"log": json.dumps({"password": "S3CRET"})}),
        json.dumps({"log": json.dumps({"password": "[REDACTED]"})}),
    ),
    "json-list-with-dashes": ('{"password": ["-x", "S3CRET"]}', '{"password": ["[REDACTED]", "[REDACTED]"]}'),
    "json-key": ('{"ghp_S3CRET": 1}', '{"[REDACTED]": 1}'),
    "json-below": ('{"token": {"value": "S3CRET"}, "a": "b"}', '{"token": {"value": "[REDACTED]"}, "a": "b"}'),
    "json-far-below": (
        '{"token": {"a": [{"b": ["S3CRET"], "token": "S3CRET"}, "S3CRET"], "n": 1, "c": null, "d": ""}, "e": "f"}',
        '{"token": {"a": [{"b": ["[REDACTED]"], "token": "[REDACTED]"}, "[REDACTED]"], "n": 1, "c": null, "d": ""}, '
        '"e": "f"}',
    ),
    "json-below-after": (
        '[{"secret": [["S3CRET"]]}, "x", {"y": "z"}]',
        '[{"secret": [["[REDACTED]"]]}, "x", {"y": "z"}]',
    ),
    "json-name-is-not-secret": (
        '{"password": {"token": {"password": "S3CRET"}}}',
        '{"password": {"token": {"password": "[REDACTED]"}}}',
    ),
    "json-below-in-log": (
        'INFO {"token":{"value":"S3CRET", "l": ["S3CRET"]},"a":"b"} done',
        'INFO {"token":{"value":"[REDACTED]", "l": ["[REDACTED]"]},"a":"b"} done',
    ),
    "json-lines-below": ('{"a":1}\n{"token": [{"v": "S3CRET"}]}', '{"a":1}\n{"token": [{"v": "[REDACTED]"}]}'),
    "python-below": ("{'token': {'value': 'S3CRET'}, 'a': 'b'}", "{'token': {'value': '[REDACTED]'}, 'a': 'b'}"),
    "escaped-below": (r"x \"token\":{\"v\":\"S3CRET\"} y", r"x \"token\":{\"v\":\"[REDACTED]\"} y"),
    "json-below-cut": ('x {"token": {"v": "S3CRET", "w', 'x {"token": {"v": "[REDACTED]", "w'),
    "yaml-block": ("password: |\n  S3CRET\n  S3CRET\nnext: 1", "password: |\n  [REDACTED]\nnext: 1"),
    "xml": ("<password>S3CRET</password>", "<password>[REDACTED]</password>"),
    "php": ("'password' => 'S3CRET', 'a' => 1", "'password' => '[REDACTED]', 'a' => 1"),
    "subscript": ("os.environ['API_KEY'] = 'S3CRET'", "os.environ['API_KEY'] = '[REDACTED]'"),
    "flag": ("login --password S3CRET now", "login --password [REDACTED] now"),
    "word": ("the password S3CRET works", "the password [REDACTED] works"),
    "two-words": ("my secret token=S3CRET", "my secret token=[REDACTED]"),
}

SECRETS_AS_THEY_ARE = {
    "aws": ("AKIAIOSFODNN7HUNTER2", "[REDACTED]"),
    "basic": ("basic dXNlcjpwYXNz", "basic [REDACTED]"),
    "basic-twice": ("Basic basic dXNlcjpwYXNz", "Basic basic [REDACTED]"),
    "number": ('{"password": 123456, "n": 1}', '{"password": "[REDACTED]", "n": 1}'),
    "number-below": ('{"password": {"n": [123456]}, "n": 1}', '{"password": {"n": ["[REDACTED]"]}, "n": 1}'),
    "short": ("password: x", "password: [REDACTED]"),
    "quotes of HTML": ("<p>{&quot;token&quot;:&quot;abc1&quot;} &lt;b&gt;", '<p>{"token":"[REDACTED]"} &lt;b&gt;'),
    "escapes": (r'log {"pass\u0077ord": "hunter2"} \u2713', r'log {"password": "[REDACTED]"} \u2713'),
}

ORDINARY = (
    "my secret santa",
    "Basic training",
    "the token expired",
    "bearer of bad news",
    "Unexpected token 'abc123' in JSON",
    "max_tokens=4096 tokens: 17",
    "nextPageToken: CAUQAA",
    '{"next_page_token": "CAUQAA"}',
    "risk-assessment-of-2024-figures",
    '<div class="sk-folding-cube-wrapper">',
    "PWD=/home/alice\nOLDPWD=/tmp",
    "  --password string   Password to use",
    "  --token TOKEN  sign in",
    "https://example.org:8080/a@b",
    "https://alice@example.org/",
    "laughs_out loud",
    '{"token": "", "password": null, "secret": false}',
    "passwordless login",
    "2024-01-01 12:00:00 started",
    "",
    "   \n ",
)

ROWS = [
    *((name, text.replace("S3CRET", SECRET), expected) for name, (text, expected) in SECRETS.items()),
    *((name, text, expected) for name, (text, expected) in SECRETS_AS_THEY_ARE.items()),
]


@for_each(("text", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_secret_goes_and_its_surroundings_stay(text: str, expected: str) -> None:
    found = ResultFilter().filter(text)
    assert found == expected
    assert SECRET not in found
    assert ResultFilter().filter(found) == found


def test_every_form_and_every_construct_has_a_text() -> None:
    texts = [secret_texts.bare(text) for text in secret_texts.SECRETS] + [text for _, text, _ in ROWS]
    patterns = [pattern for _, pattern, _ in secret_forms._COMPILED] + [
        construct.behind for construct in values_behind_names._CONSTRUCTS
    ]
    assert [pattern.pattern for pattern in patterns if not any(map(pattern.search, texts))] == []


@for_each("text", secret_texts.SECRETS)
def test_every_secret_of_the_tables_goes(text: str) -> None:
    assert secret_texts.is_found(text), redact(secret_texts.bare(text))


@for_each("text", secret_texts.INNOCENTS)
def test_what_is_no_secret_stays_but_for_the_false_alarms_that_are_known(text: str) -> None:
    known = text in secret_texts.FALSE_ALARMS
    assert secret_texts.is_left(text) is not known, redact(secret_texts.bare(text))


@for_each("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert ResultFilter().filter(text, "some_tool") == text


def test_switched_off_nothing_is_taken_for_a_secret() -> None:
    text = "ghp_abc password=x"
    assert ResultFilter(redact_secrets=False).filter(text) == text


# -- patterns of one's own ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", [r"\d{3}-\d{2}-\d{4}", re.compile(r"\d{3}-\d{2}-\d{4}")])
def test_patterns_of_ones_own_come_on_top(pattern: str | re.Pattern[str]) -> None:
    found = ResultFilter(redact_patterns=[pattern]).filter("123-45-6789 and 987-65-4321, password=x")
    assert found == "[REDACTED] and [REDACTED], password=[REDACTED]"


def test_one_pattern_need_not_be_in_a_list_and_empty_matches_are_no_secrets() -> None:
    assert ResultFilter(redact_patterns="b*").filter("abba") == "a[REDACTED]a"


@for_each(
    ("options", "code"),
    [
        ({"redact_patterns": ["("]}, "bad-pattern"),
        ({"redact_patterns": [re.compile(b"a")]}, "bad-pattern"),
        ({"redact_patterns": [5]}, "bad-pattern"),
        ({"redact_patterns": [[10**5000]]}, "bad-pattern"),
        ({"redact_patterns": 5}, "bad-pattern"),
        ({"redact_patterns": None}, "bad-pattern"),
        ({"max_length": -(10**5000)}, "bad-length"),
        ({"max_length": -1}, "bad-length"),
        ({"max_length": True}, "bad-length"),
        ({"max_length": "10"}, "bad-length"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        ResultFilter(**options)
    assert caught.value.code == code


def test_only_text_can_be_filtered() -> None:
    with pytest.raises(UsageError, match="write it as JSON"):
        ResultFilter().filter(untyped({"token": "x"}))


# -- truncation ---------------------------------------------------------------------------------------------------


@for_each("length", range(len("key ghp_abc end") + 12))
def test_a_cut_never_goes_through_a_mark(length: int) -> None:
    whole = "key [REDACTED] end"
    found = ResultFilter(max_length=length).filter("key ghp_abc end")
    if length >= len(whole):
        assert found == whole
        return
    shown = found.removesuffix(TRUNCATED)
    assert found == shown + TRUNCATED
    assert whole.startswith(shown)
    assert len(shown) <= length
    assert "[" not in shown.replace(REDACTED, "")


def test_redaction_comes_before_the_cut() -> None:
    text = "password=" + "s" * 200
    assert ResultFilter(max_length=12).filter(text) == "password=[TRUNCATED]"


def test_a_huge_text_is_looked_at_in_part_and_no_half_word_is_shown() -> None:
    text = "-" * 10 + " " + "x " * 124_994 + "AKIAIOSFODNN7HUNTER2" + " y" * 125_000
    assert ResultFilter(max_length=len(text)).filter(text) == text.replace("AKIAIOSFODNN7HUNTER2", REDACTED)
    found = ResultFilter(max_length=100_000, redact_patterns=["x +"]).filter(text)
    assert "AKIA" not in found
    assert found.endswith(TRUNCATED)


def test_a_failure_shows_no_half_of_a_secret() -> None:
    token = f"eyJhbGciOiJI.eyJ{'c3Vi' * 600}.{SECRET}"
    told = failure_of(ValueError(" ".join([token] * 5))).message
    assert told == " ".join([REDACTED] * 5)


# -- JSON stays JSON --------------------------------------------------------------------------------------------------

words = st.sampled_from(
    ["password", "token:", "secret", "api_key", 'a"b', "\\", "\n", "x", "ghp_abc", "password=", '"', "'", "}", "bearer",
     "-----BEGIN PRIVATE KEY-----", "https://a:b@c", "é\u2028", "", "name", "value", "kind", "Secret", "data", "auth",
     "type", "string", "description", "authorization", "cookie: a=b", "${X}", "the password of it."]
)  # fmt: skip
texts = st.lists(words, max_size=5).map(" ".join) | st.lists(words, max_size=5).map("".join)
documents = st.recursive(
    texts | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@given(documents, st.sampled_from([None, 2]), st.booleans())
def test_json_stays_json_of_the_same_shape(document: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    if not isinstance(document, dict | list):
        text = f"[{text}]"
    pairs = json.loads(redact(text), object_pairs_hook=list)  # keys that were redacted may coincide
    original = json.loads(text, object_pairs_hook=list)
    assert count(pairs) == count(original)
    assert redact(redact(text)) == redact(text)


def count(data: Any) -> Any:
    """The nesting of lists and pairs."""
    return [count(item) for item in data] if isinstance(data, list | tuple) else 0


def test_pretty_json_keeps_its_spelling() -> None:
    text = '{\n  "user": "alice",\n  "n": 1.50,\n  "e": "\\u00e9",\n  "t": "ghp_abcdef"\n}'
    assert redact(text) == text.replace("ghp_abcdef", REDACTED)


# -- time ----------------------------------------------------------------------------------------------------------

_SIZE = 2_000
HOSTILE = (
    "password=", "password ", "password: |\n", 'password="', "password='", "password=\\", "<password>", "token: ",
    "eyJ", "eyJaaaa.", "eyJaaaa-", "://", "://a:", "://a:b", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "bearer ",
    "basic ", "basic a", "authorization: ", "authorization: basic ", " ", "sk-", "--", " --a-", "a-", "gh", "xox", "a",
    "pwd =", "api key", "\\\"", "\n", "[", '{"a":', '"', "AKIA", "continuation_", "kind: Secret\n",
    "- data:\n    a: b\n  kind: Secret\n", " kind: Secret\n data:\n  a: |\n   b\n", "name: token value ",
    '{"name":"token","value":', "cookie: a=", "set-cookie: a=", "curl -u a:", "curl ", "token=${", "token=$(",
    "login a password ", "<key>token</key>", "<password>a", "?sig=", "password: Optional[", "password: get(",
    "LS0tLS1CRUdJTi", "token for x", "token = the ", "token='the ", 'token="the ', "token=a,", "token=a;b=", "TOKEN=",
    "token: str = ", "| token | a |\n", "|", "| token |\n|---|\n", "token,a\n", "token  a\n", "\x1b[1m",
    "mysql -p", "mysql ", "token|a\n", "name='token'>", '<input password ', "token a: ", 'token "', "('token', '",
    "a:1:b:c:d", "--token \"", "PASS a", "a> AUTH ", "{\n", "[\n", "token\naaaaaaa1\n", "setx ", "net use ", "snmp ",
    "recovery codes\na1b2-c3d4\n", "insert into a (token) values ('a'),", "name='token'>a ", "the code is 1 ",
    "token').type('a", "token('a', ", "Aa1" * 11 + " key ", "$6$", "wifi a / ", "auth='a', 'b', ",
    "  a:\n   token: x\n",
    "user  password\n", "123 is your ", "password?\nit's ", "value: ",
    "token\n" + "a-" * 140 + "A1\n", "token" + "  A" * 100 + "x\n", "token " + "-" * 400 + "x\n",
    "token: " + "a.b1-" * 60 + "!", "insert into a (token) values (1)" + " " * 400 + "x",
    "token: a b c d e f g h", "mnemonic: abc ", "MTaaaaaaaaaaaaaaaaaaaaaa.",
    "sk-a", "glpat-", "eyJ.", "token:{", 'token:{"', 'token:["a",', "token:['token:[",
    'token:[[],\\"', "token:['a' ", 'token:{"a" ',
    "://a/", "/reset/", "/reset/a", "?a=", "?a=A1b", "key a", "key Aa1!", "a:Aa1!b\n", "a:Aa1!b", "wallet abc ",
    "a_pat_", "AUTH $1 a ", "AUTH..$1..a", "user a:", "user a:b1", "_pat_A1b", "login Aa1!bcde ", "enter the code ",
    "a * b * ", "a\t*\tb1\n", 'SHA "', "token of a is ", "kind: Secret\n- a\n", "a  b\n-- --\n",
    "a  token\n-  -\nb  c1  d\n", "...", "token: a...",
    "USER a\nPASS ", '"auth" "a" ', "user a on >", "-----BEGIN PUBLIC KEY-----\nA1b\n-----END ", "digest response=",
    "334 UGFzc3a\n", "code for a door ", "jwt.sign(a, ", "u: a p: ", '["password", "a1b', 'password || "', "secret%3D",
    "insert into token values ('a1", "account.key.a.b", "select a, token from b\n", "/a/token\tb\tAa1!aaaaa\t",
    "Aa  Token  Bb\na   b      c\n", "a:b1cdef@c", "login a/Aa1!aaaa ", "a\\b:Aa1!aaaa", "token → ", '"a": {"key": ',
    "$ get-token\nAbCdEfGhIjKlMn\n", "token\n(1) a1b2c3d4\n", '"--token","a",',
    "user a pass b1cde", "user a ", " -u a", " -u a -p b1cde", "kinit <<< 'a'", "kinit ", "door code 1", "door ",
    "authorization: nest ", "-----BEGIN OpenVPN Static key V1-----\n", "token='.+a", "token='[^a",
    "token=" + "[^" * 200, "token=" + ".+a-" * 90 + "'", "secret is a-", "password of a is abc-", "password?\na / ",
    '{"type":"password","value":',
    "key " + "a.B1" * 12, "password?\n" + "a / " * 80, "snmp community ", "/user:a /p:b ",
    "token A1b2C3d4E5f6G7h8i9 ", "A1b2C3d4E5f6G7h8i9 ", "password plover71 ", "plover71\\npw ", "a-b_c=d:e&f|login ",
    "login kim / a1b2c ", "login `a` / `bcd-ef` ", "login a:b1cde ", "login " + "a" * 60 + "/", "what's the pin? a1b2 ",
    "code: 123 shared ", "code 1234 ", "PASS a1b2c3 ", "token 'A1b2C3d4E5f6G7h8i9' ", "key=A1b2C3d4E5f6G7h8i9&",
)  # fmt: skip


@for_each("part", HOSTILE)
def test_time_grows_with_the_text_and_not_with_its_square(part: str) -> None:
    """Four times the text takes a rule that looks at the rest of it at every place 16 times as long.

    A busy machine may disturb one measurement, and does not disturb the same one three times.
    """
    assert any(grows_evenly(part) for _ in range(3))


def test_a_long_blank_line_below_a_heading_is_passed_over_once() -> None:
    started = time.process_time()
    ResultFilter().filter("password:\n" + " " * 40_000)
    assert time.process_time() - started < 2  # of the 10 that looking at it from every blank took


def grows_evenly(part: str) -> bool:
    whole = takes(part, _SIZE)
    return whole < 0.02 or whole < 8 * takes(part, _SIZE // 4) + 0.02


def takes(part: str, size: int) -> float:
    """The seconds of processor for a text of one part over and over, within JSON: read so, and as it is."""
    text = (part * (size // len(part) + 1))[:size]
    before = time.process_time()
    ResultFilter(max_length=10 * size).filter(json.dumps([text]))
    return time.process_time() - before
