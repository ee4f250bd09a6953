"""Secrets that are told by their form, or by the words of the program, the protocol or the file that they stand in.

Every form is linear: what it runs over is bounded, or ends where the next match could begin, and is never given back.
The secret is group 1, or all that matches.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from toolglot.converter.text.credentials import ADDRESSES, COMMANDS, TOKEN
from toolglot.runtime.bridge.redaction.names_in_text import TextSpan
from toolglot.runtime.bridge.redaction.secret_values import is_mixed, is_quoted_secret, stands_elsewhere

_CONSTANT = re.compile(r"[A-Z_]+")
_MARKED = re.compile(r"[^\w/.:]")
_OF_NO_PASSWORD = "31d6cfe0d16ae931b73c59d7e0c089c0"  # as Windows writes it for who has none


def _decode_base64(word: str) -> bytes:
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return b""


def _is_key_in_base64(word: str) -> bool:
    return b"PRIVATE KEY" in _decode_base64(word[:80])


def _is_user_and_password(word: str) -> bool:
    return b":" in _decode_base64(word)


def _is_no_constant(word: str) -> bool:
    return not _CONSTANT.fullmatch(word)


def _is_bearer(word: str) -> bool:
    return is_mixed(word) or (len(word) >= 16 and _is_no_constant(word))


def _is_marked(word: str) -> bool:
    return is_mixed(word) and _MARKED.search(word) is not None


def _is_of_user(digest: str) -> bool:
    return digest != _OF_NO_PASSWORD


_QUOTE = r"""\\?["']?"""
_COLON = rf"{_QUOTE} [ \t]{{0,16}} [:=] [ \t]{{0,16}} (?: \[ [ ]? )? {_QUOTE}"
_SCHEMES = "(?: bearer | basic | token | digest | negotiate | apikey | aws4-hmac-sha256 | ssws | key | genie-?key )"
_QUOTED = r"""["'] [^"'\n]{0,200} ["'] \s{0,4} , \s{0,8}"""

# A word in small letters without which a text has no such secret, the form, and what the secret must be beside.
_FORMS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("eyj", r"(?<![A-Za-z0-9_-]) eyJ[A-Za-z0-9_-]{4,}+ (?: \.[A-Za-z0-9_-]*+ ){2,4}", bool),  # JSON Web Tokens
    (
        "private key",
        r"""-----BEGIN\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- (?= \s | \\ )
            [\s\S]*? (?: -----END\ [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- | \Z )""",
        bool,
    ),
    ("ls0tls1crudjti", r"(?<![A-Za-z0-9+/]) (LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+=*+)", _is_key_in_base64),
    # Hashes of passwords: of crypt and its heirs, PostgreSQL, Django, LDAP, Windows and MySQL
    (
        "$",
        r"""(?<![\w$]) \$ (?: [1567y] | 2[abxy]? | gy | apr1 | argon2\w{1,2} | scrypt | P | H | pbkdf2[\w-]{0,12} )
            \$ [\w./$=,+-]{20,}+""",
        bool,
    ),
    ("scram-sha", r"SCRAM-SHA-\d{1,3} \$ [0-9]{1,8} : [\w+/=]++ \$ [\w+/=:]++", bool),
    ("$", r"\b (?: pbkdf2_sha\d{1,3} | argon2 | bcrypt(?:_sha256)? | scrypt ) \$ [\w./$=,+-]{20,}+", bool),
    ("sha", r"\{ S?SHA (?: 256 | 384 | 512 )? \} [A-Za-z0-9+/]{20,}+ =*+", bool),
    (":::", r": [0-9]{1,9} : [0-9a-f]{32} : ([0-9a-f]{32}) :::", _is_of_user),
    ("*", r"(?<!\w) \* [0-9A-F]{40} (?!\w)", bool),
    ("-", r"(?<![\w-]) [0-9]{6} (?: - [0-9]{6} ){7} (?! [\w-] )", bool),  # the recovery key of BitLocker
    # Addresses
    *((needle, form, bool) for _, needle, form in ADDRESSES),
    ("://", r"""(?<=://) [^\s/:@"<>\[]*+ : (?! pass (?:wo?r?d)? @ ) ([^\s/"<>]+) @""", bool),
    ("@", r"""(?<=:) ([^\s:@/"']++) @ (?: tcp | unix ) \(""", bool),  # of databases, as Go and Oracle write them
    ("/", r"(?: thin: | sqlplus\ ) [\w$]{1,40} / ([^\s@\"']++) @", bool),
    ("sig", r"(?i) [?&;] (?: sig | signature | x-(?:amz|goog)-signature ) = ([a-z0-9%+/_=-]{16,}+)", bool),
    # Headers
    ("authorization", rf"(?i) authorization {_COLON} {_SCHEMES} [ \t]{{1,8}} ([^\s\"'\\]++)", _is_no_constant),
    ("authorization", rf"(?i) \b authorization {_COLON} (?! bearer|basic ) ([\w.~+/=:-]{{16,}}+) (?! [ ] )", is_mixed),
    ("set-cookie", rf"(?i) \b set-cookie {_COLON} [^\s=;\"']{{1,80}}+ = ([^\s;\"']{{8,}}+)", bool),
    ("cookie", rf"(?i) (?<!-) \b cookie {_COLON} ([^\s=;\"']{{1,80}}+ = [^\n\"']++)", bool),
    ("bearer", r"(?i) \b bearer [ \t]{1,8} ([A-Za-z0-9._~+/-]{3,}+=*+)", _is_bearer),
    ("basic", r"(?i) \b basic (?= [ \t]{1,8} ([A-Za-z0-9+/]{4,}+={0,2}) )", _is_user_and_password),
    # Programs, protocols and files
    *(
        (
            program.lower(),
            rf"(?<![\w.-]) {program} [a-z]{{0,10}} \b (?! [:=] ) [^\n|;&]{{0,300}}? [ ] {option} [\"']? ([^\s\"']++)",
            is_quoted_secret,
        )
        for program, option in COMMANDS
    ),
    ("curl", r"""\b curl \b [^\n]{0,300}? [ ] (?:-u|--user) [ =]? ["']? [^\s:"']{1,80}+ : ([^\s"']++)""", bool),
    (
        "|",
        r"""["'] (?: [\w.-]{1,40} : )? ([^"'\n]++) ["'] [ ]? \| [^\n|]{0,80}?
            (?: \b chpasswd | \b sudo\ -S | --password-stdin | \b passwd\ --stdin | \b cryptsetup | \b kinit ) \b""",
        is_quoted_secret,
    ),
    (
        "login",
        r"\b (?: az | docker | podman | helm\ registry | cf | oc ) \ login \b [^\n]{0,100}? [ ] -p [ ]? (\S++)",
        bool,
    ),
    ("login", r"(?i) \b login [ \t]{1,8} [^\s|]{1,80}+ \s{1,8} password [ \t]{1,8} ([^\s|]\S*+)", bool),  # .netrc
    ("login", r"""\b [a-zA-Z]\d{1,5} [ ] LOGIN [ ] \S{1,80}+ [ ] "? ([^\s"]++)""", bool),  # IMAP
    ("auth ", r"\b AUTH [ ] (?: PLAIN | LOGIN | XOAUTH2 ) [ ] ([A-Za-z0-9+/]{12,}+=*+)", bool),  # SMTP
    ("auth ", r"^ [^\s>]{0,80} > [ ] AUTH [ ] (?: \S{1,60} [ ] )? (\S++) $", is_quoted_secret),  # Redis
    (
        "identified",
        r"(?i) \b identified (?: \ with \ \S{1,40} )? \ (?: by | as ) (?: \ password )? [ ]{1,8} ' ([^'\n]++) '",
        bool,
    ),
    (  # .pgpass
        ":",
        r"^ [\w.*-]{1,80}+ : (?: [0-9]{1,5} | \* ) : [\w*-]{1,60} : [\w*.@-]{1,60} : ((?: [^\s:\\] | \\\S ){6,}+) $",
        bool,
    ),
    ("<input", r"(?i) <input\b (?= [^<>]{0,300}? password ) [^<>]{0,300}? \b value= [\"'] ([^\"'<>]++)", bool),
    (
        "(",
        rf"""(?i) (?: connect\w* | login | auth | credentials? (?: [:.]{{0,2}} new )? | sequelize | pdo | __construct )
            [ =]{{0,3}} \( \s{{0,8}} (?: {_QUOTED} ){{1,3}} ["'] ([^"'\n/]{{6,80}}+) ["'] \s{{0,4}} [,)]""",
        lambda word: is_mixed(word) and is_quoted_secret(word),
    ),
    # Messages
    (
        "your ",
        r"""(?i) (?<![\w.-]) ((?: [A-Z]- )? [0-9]{3,4} [ -]? [0-9]{2,4}) \ (?: is | as ) \ your [^\n.]{0,60}?
            \b (?: code | pin | otp | passcode | password ) \b""",
        bool,
    ),
    (
        "code to",
        r"""\b code\ to\ (?: sign | log | verify | confirm | continue | reset | complete ) \b
            [^\n:]{0,40}+ : [ ] (\w[\w-]{3,12}+)""",
        lambda word: any(map(str.isdigit, word)),
    ),
    (
        " / ",
        r"""(?i) \b (?: wi-?fi | wlan | ssid | logins? | user(?:name)? | admin | root | account | cred(?:ential)?s
                | guest ) \b [^\n/]{0,60}? [ ]? / [ ] ([^\s,;/]{8,}+)""",
        _is_marked,
    ),
)
_COMPILED = (
    ("", TOKEN, bool),
    *((needle, re.compile(form, re.VERBOSE | re.MULTILINE), is_secret) for needle, form, is_secret in _FORMS),
)


def secrets_by_form(text: str) -> Iterator[TextSpan]:
    """Where a text holds what has the form of a secret.

    >>> text = "https://me:hunter2@example.org"
    >>> [text[start:end] for start, end in secrets_by_form(text)]
    ['hunter2']
    """
    small = text.lower()
    for needle, pattern, is_secret in _COMPILED:
        for match in pattern.finditer(text) if needle in small else ():
            group = match.lastindex or 0
            word = match[group].rstrip("`.,;:)'\"")
            if word and not stands_elsewhere(word) and is_secret(word):
                yield match.span(group)
