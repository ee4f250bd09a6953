"""Secrets that are told by their form.

Every form is linear: what it runs over is bounded, or ends where the next match could begin, and is never given back.
The secret is group 1, or all that matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from toolglot.converter.text.credentials import TOKEN
from toolglot.runtime.bridge.redaction.addresses import ADDRESSES, JUDGED_ADDRESSES
from toolglot.runtime.bridge.redaction.names_in_text import TextSpans
from toolglot.runtime.bridge.redaction.programs_and_protocols import (
    FORMS_BESIDE_WORDS,
    JUDGED_BESIDE_WORDS,
)
from toolglot.runtime.bridge.redaction.secret_names import is_noun_of_secret
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    decode_base64,
    is_chosen,
    is_mixed,
    is_placeholder,
    is_quoted_secret,
    is_random,
    stands_elsewhere,
)


def _is_key_in_base64(word: str) -> bool:
    return b"PRIVATE KEY" in decode_base64(word[:80])


_USERS = """(?: logins? | user(?:name)? | admin | root | accounts? | auth | cred(?:ential)?s? | guest | usuario | utente
    | benutzer | utilisateur | gebruiker | konto | compte | cuenta | zugang )"""
_SECRET_BLOCK = r"(?: [A-Z0-9\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)? | OpenVPN\ Static\ key\ V1 )-----"
_DOORS = "(?: door | gate | alarm | garage | safe | entrance | deur | poort | kluis | tür | porte | puerta )"
_WORD_OF_PHRASE = r"(?! (?: the|and|for|are|was|not|but|from|you|your|has|had|can|its ) \b ) [a-z]{3,8}"
_QUOTED = r"""["'] [^"'\n]{0,200} ["'] \s{0,4} , \s{0,8}"""

# A word in small letters without which a text has no such secret, and the form. The other tables have the same rows.
_FORMS = (
    (
        "eyj",
        r"(?<![A-Za-z0-9_-]) (?: eyJ[A-Za-z0-9_-]{4,}+ (?: \.[A-Za-z0-9_-]*+ ){2,4} | eyJpdiI6[\w+/=%-]{60,}+ )",
    ),  # JSON Web Tokens, and Laravel's
    (
        "-----begin",
        rf"""-----BEGIN\ {_SECRET_BLOCK} (?= \s | \\ ) [\s\S]*? (?: -----END\ {_SECRET_BLOCK} | \Z )""",
    ),
    (  # the rest of one that is cut off before
        "-----end",
        rf"^ (?: \W{{0,8}} [A-Za-z0-9+/]{{16,80}}+ =*+ \s{{1,8}} ){{1,100}}+ -----END\ {_SECRET_BLOCK}",
    ),
    (
        "---- begin",
        r"---- [ ] BEGIN [ ] [A-Z0-9 ]{0,40} PRIVATE [ ] KEY [ ] ---- [\s\S]*? (?: ---- [ ] END \b [^\n]*+ | \Z )",
    ),
    ("private-lines", r"^ Private-Lines: [ ] [0-9]{1,4} \s{1,2} ( [\w+/=]++ (?: \s{1,2} [\w+/=]++ $ )*+ )"),  # PuTTY
    # Hashes of passwords: of crypt and its heirs, PostgreSQL, Django, LDAP, Windows and MySQL
    (
        "$",
        r"""(?<![\w$]) (?: pbkdf2_sha\d{1,3} | argon2 | bcrypt(?:_sha256)? | scrypt
              | \${1,2} (?: [1567yA] | 2[abxy]? | gy | apr1 | argon2\w{1,2} | scrypt | P | H | pbkdf2[\w-]{0,12} ) )
            \${1,2} [\w./$=,+-]{20,}+""",
    ),
    ("password ", r"\b PASSWORD [ ] [\w.@-]{1,60} [ ] = [ ] (\S{6,200})"),  # as Elasticsearch tells those of its users
    ("scram-sha", r"SCRAM-SHA-\d{1,3} \$ [0-9]{1,8} : [\w+/=]++ \$ [\w+/=:]++"),
    ("sha", r"\{ S?SHA (?: 256 | 384 | 512 )? \} [A-Za-z0-9+/]{20,}+ =*+"),
    (":::", r": [0-9]{1,9} : [0-9a-f]{32} : (?!31d6cfe0d16ae931b73c59d7e0c089c0) ([0-9a-f]{32}) :::"),  # not of none
    ("*", r"(?<!\w) \* [0-9A-F]{40} (?!\w)"),
    ("-pbkdf2", r"-pbkdf2 (?: :\w{1,9} )? - [0-9a-f]{40,}+ , [0-9a-f]{32,}+ , [0-9]++"),
    ("md5", r"(?<![\w-]) md5[0-9a-f]{32} (?!\w)"),
    ("-", r"(?<![\w-]) [0-9]{6} (?: - [0-9]{6} ){7} (?! [\w-] )"),  # the recovery key of BitLocker
    # Tokens that begin with no word of their own
    (":", r"(?<![\w/]) [0-2] (?: /[0-9]{16} ){1,2} : [a-f0-9]{32} \b"),  # Asana
    ("0.", r"(?<![\w.-]) 0\.[a-f0-9]{8}-[a-f0-9-]{27}\.[A-Za-z0-9]{20,}+:[A-Za-z0-9+/=]{20,}+"),  # Bitwarden
    (".", r"(?<![\w.-]) [MNO][A-Za-z0-9_-]{23,27} \. [A-Za-z0-9_-]{6} \. [A-Za-z0-9_-]{27,38}+ (?![\w-])"),  # Discord
    (":", r"(?<![\w:-]) [a-f0-9]{24} : [a-f0-9]{64} \b"),  # Ghost
    ("-", r"(?<![\w-]) (?: sdk | api ) -[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9-]{17}"),  # LaunchDarkly
    ("-us", r"(?<!\w) [a-f0-9]{32}-us[0-9]{1,2} \b"),  # Mailchimp
    ("-", r"(?<![\w-]) [a-f0-9]{32} (?: -[a-f0-9]{8} ){2} (?![\w-])"),  # Mailgun
    ("-", r"(?<![\w-]) (?= [A-Z-]{0,40} [0-9] ) (?: [A-Z0-9]{5}- ){4} [A-Z0-9]{5} (?![\w-])"),  # Microsoft, and others
    ("!", r"(?<=!) [\w.-]{1,40}= ([a-f0-9]{8}-[a-f0-9-]{27}) \b"),  # Proxmox
    ("s", r"(?<!\w) S[A-Z2-7]{55} (?!\w)"),  # Stellar
    ("ac", r"(?<![a-z0-9]) AC[a-f0-9]{32} [\s\"',:]{1,6} ([a-f0-9]{32}) \b"),  # Twilio
    (":aa", r"(?<![0-9]) [0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),  # Telegram
    # Messages
    *(
        (word, rf"(?<![\w-]) {_WORD_OF_PHRASE} (?: [ ,]{{1,2}} {_WORD_OF_PHRASE} ){{11,23}}+ (?![\w-])")
        for word in ("phrase", "seed", "mnemonic", "wallet")
    ),
    (
        "your ",
        r"""(?i) (?<![\w.-]) ((?: [A-Z]- )? [0-9]{3,4} [ -]? [0-9]{2,4}) \ (?: is | as ) \ your [^\n.]{0,60}?
            \b (?: code | pin | otp | passcode | password ) \b""",
    ),
    (
        "code",
        rf"""(?i) \b code \ (?: for | of | to | van | voor | de | der | für ) \ [^\n.:0-9]{{0,30}}? {_DOORS}
            [^\n.0-9]{{0,20}}? [ ] ([0-9]{{4,8}} [#*]?) (?! \w | [.-]\w )
            | \b {_DOORS} \b [^\n.:0-9]{{0,40}}? \b code:? [ ] ([0-9]{{4,8}} [#*]?) (?! \w | [.-]\w )""",
    ),
    (
        "code",
        r"""(?i) \b (?: enter | use | type ) \ (?: (?: the | this | your ) \ (?: [\w-]{1,20} \ ){0,2} )? code:? [ ]
            ([0-9]{3,4} [ -]? [0-9]{2,4} | (?-i: [A-Z0-9]{4} -? [A-Z0-9]{4,5} )) \b""",
    ),
    (  # a short message that asks to keep it
        "code",
        r"""(?i) \b code:? [ ] ([0-9]{3,4} [ -]? [0-9]{0,4}) (?! [\w.-] \w )
            (?= [^\n]{0,100}? \b (?: shar | deel | teil | valid | geldig | gültig | expir | partag | compart ) )""",
    ),
    (
        "de v",
        r"""(?i) \b c[oó]d(?:e|igo|ice) \ (?: de | d[ei] ) \ [vs][ée][rc]\w{0,20} [^\n.0-9]{1,40}? ([0-9]{4,8}) \b""",
    ),
    (
        "code to",
        r"""\b code\ to\ (?: sign | log | verify | confirm | continue | reset | complete ) \b
            [^\n:]{0,40}+ : [ ] ((?= [\w-]{0,12} [0-9] ) \w[\w-]{3,12}+)""",
    ),
)
# The same, and what the secret must be beside.
_JUDGED: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("ls0tls1crudjti", r"(?<![A-Za-z0-9+/]) (LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}+=*+)", _is_key_in_base64),
    # What begins with a word for a secret: `acme_pat_...`
    (
        "",
        r"""(?<![\w./-]) (?: (?!pk|pub) [a-z0-9]{2,12} [_-] ){0,2}
            (?: pat | sk | rk | secret | live | prv | priv | token | cred ) [_-]
            (?: [a-z0-9]{1,10} [_-] ){0,2} ([A-Za-z0-9]{20,}+) (?! [\w.-] )""",
        is_random,
    ),
    # A user and a password
    ("valid cred", r"(?i) (?<![\w.@-]) [\w.@-]{1,40}+ : (\S{3,80}+) [ ] - [ ] valid\ credential", is_quoted_secret),
    (":", r"^ [ \t]* (?: \[.\] \ )? [\w.@-]{1,40}+ : ([^\s:\"']{8,40}+) $", is_chosen),
    (":", r"(?:^|[ ]) [0-9a-f]{32,128} : ([^\s:/]{6,40}) $", is_mixed),  # the hash of a password, and what it was
    (  # postfix
        ":",
        r"""^ (?: \[ [\w.-]{1,80}+ \] (?: :[0-9]{1,5} )? | [\w.-]{1,80}+ (?: :[0-9]{1,5} | (?= \s{1,8} \S{1,60}+ @ ) ) )
            [ \t]{1,8} [\w.+@-]{1,120}+ :
            (\S{4,}+ (?: [ ][a-z]{4} ){0,3}+) $""",
        is_quoted_secret,
    ),
    (
        " / ",
        rf"""(?i) \b (?: wi-?fi | wlan | ssid | {_USERS} ) \b [^\n/]{{0,60}}? [ ]? / [ ]
            (?= \S* [^\w\s/.:] | (?-i: \S* [A-Z] \S* [.] ) ) ([^\s,;/]{{8,}}+)""",
        is_mixed,
    ),
    (
        ":",
        rf"""(?i) (?<![a-z0-9/]) {_USERS} (?: [.][\w.]{{1,40}} )? [ =:>→-]{{1,4}} [\"']?
            (?! [0-9]+: ) [\w.@-]{{1,40}}+ : ((?: [^\s:\"'@,;] | @ (?! [\w-]{{1,40}}+ [.:/] ) ){{6,}}+)""",
        is_mixed,
    ),
    (
        "(",
        rf"""(?i) (?: connect\w* | login | auth | credentials? (?: [:.]{{0,2}} new )? | sequelize | pdo | mysqli
              | __construct | create_?\w{{0,10}}user | client )
            [ =]{{0,3}} \( \s{{0,8}} (?: {_QUOTED} ){{1,3}} ["'] ([^"'\n/]{{6,80}}+) ["'] \s{{0,4}} [,)]""",
        is_mixed,
    ),
)
_ROWS = (
    *((*row, bool) for row in (*_FORMS, *ADDRESSES, *FORMS_BESIDE_WORDS)),
    *_JUDGED,
    *JUDGED_ADDRESSES,
    *JUDGED_BESIDE_WORDS,
)
_COMPILED = (
    ("", TOKEN, bool),
    *((needle, re.compile(form, re.VERBOSE | re.MULTILINE), is_secret) for needle, form, is_secret in _ROWS),
)


def secrets_by_form(text: str) -> TextSpans:
    """Where a text holds what has the form of a secret.

    >>> text = "https://me:hunter2@example.org"
    >>> [text[start:end] for start, end in secrets_by_form(text)]
    ['hunter2']
    """
    small = text.lower()
    for needle, pattern, is_secret in _COMPILED:
        for match in pattern.finditer(text) if needle in small else ():
            group = match.lastindex or 0
            word = match[group].rstrip("`.,;:)>]}'\"")
            is_harmless = (
                any(map(stands_elsewhere, (word, match[group])))
                or is_noun_of_secret(word)
                or is_placeholder(text, match.start(group))
            )
            if not is_harmless and is_secret(word):
                yield match.span(group)
