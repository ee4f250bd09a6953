"""Words that look like secrets, in a text that speaks of secrets close by, whatever notation joins the two.

The better a word looks, the further away the word for a secret may be: some lines above what a program issued, in the
line of a password that a person chose or in the line above it. The name that stands before a word goes first: it may
be that of an id, a digest or a page.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from toolglot.runtime.bridge.redaction.names_in_text import TextMatch, TextPart, TextSpan, TextSpans
from toolglot.runtime.bridge.redaction.secret_names import NameKind, judge_name
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    is_chosen,
    is_mixed,
    is_object_name,
    is_other,
    is_random,
    stands_elsewhere,
)
from toolglot.runtime.bridge.redaction.word_search import after, either, in_small_letters

_WORD = re.compile(
    r"""(?: (?<![^\s"'`<>(){}\[\],;|=&:]) | (?<=\\[nrt]) ) (?!-) [^\s"'`<>(){}\[\],;|\\:=]{8,2000}+ ={0,2}+
        (?= [\s"'`<>){}\],;|\\] | \Z | :\s )""",
    re.VERBOSE,
)
_ISSUED = re.compile(  # not keys and certificates, as ssh and X.509 write them
    r"(?!AAAA|MI[IG]|LS0t|pk_|phc_|0x)(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[\w+/.~%-]{16,}={0,2}"
)
_BASE32 = re.compile(r"(?=.*[2-7])[A-Z2-7]{16,64}")
_ARGUMENT = re.compile(r"(?:0x)?(?:[0-9a-f]{32}){1,2}|[0-9a-f]{40}|(?:[0-9A-F]{32}){1,2}")
_ARGUMENT_BEGINS = re.compile(r"""[(\s\[:]\\?["']\Z""")
_NUMBERED = re.compile(r"(?=[^\W_]*[A-Za-z]{3})(?=.*[0-9])[A-Za-z](?:[\w.!?$+*~-]|[@#](?=[0-9])){6,19}[!?*+]?")
_NAME = re.compile(  # an algorithm, a version, a digest, a product, an object or a constant
    r"(?i:argon|base|sha|md|utf|ed|aes|cl|x|rs|es|hs|ps|pbkdf|oauth|curve|secp|ipv|http)[0-9].*|[0-9a-f]+"
    r"|[A-Za-z]+[0-9]?[._-][0-9.]+|[a-z]+(?:[_-][a-z0-9]+)+|[A-Z0-9_]+|v[0-9]\w*|[A-Z]?[a-z]+[0-9]*(?:[A-Z][a-z]+[0-9]*)+"
)
_ID = re.compile(  # of an object: of a service that writes its kind in front, of IPFS, Twilio and Salesforce
    r"(?:(?!sk|[a-z]*(?:api|pat|tok|tkn|key|sec|cred|auth|live))[a-z]{2,9}[_-]){1,2}[A-Za-z0-9]+"
    r"|Qm[A-Za-z0-9]{44}|[A-Z]{2}[0-9a-f]{32}|00[A-Za-z0-9]{16}"
)
_SET_OFF = re.compile(r"""["'`]\Z|\([a-z]+[ ]\Z|[ ]--[\w-]+[ ]\Z""")
_SHORTEST_RANDOM = 12  # characters of a word without marks or quotes; fewer are the number of a request
_WINDOW = 400
_WIDE_WINDOW = 1_000
_NARROW_WINDOW = 100
_PUBLIC_BLOCK = re.compile(r"-----BEGIN (?:PUBLIC|CERT|PGP (?!PRIV)|X509|SSH2 PUB)[\s\S]*?(?:-----END|\Z)")
_LABEL = re.compile(r"""([\w.-]{1,64}+)["'`\]]{0,2}[ \t]{0,40}(?:=>?|:|>)[ \t]{0,40}["'`]?\Z""")
_NEUTRAL = re.compile(
    r".*(?:value|result|data|encoded|content|output|text|string|body|key|salt|code|pass|pw|cookie|sess\w*|auth\w*|cred\w*|secret\w*|token\w*)|[pvk]",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"""(?<![\w.+@/:%$&=?\#~-]) ["'`]? [A-Za-z][\w.@\\-]{1,60}
        (?: ["'`]?[ ][/–—→-][ ]["'`]? | ["'`][ ](?:and|und|en|et|y|met|with)[ ]["'`] | [:/] )
        ([^\s"'`<>(){}\[\],;|/:=]{5,40}?) (?= ["'`]?[.,;)]{0,2}(?:\s|\Z|\\) )""",
    re.VERBOSE,
)
_HYPHENATED = re.compile(r"[a-z]{3,}(?:-[a-z0-9]+)+")
# `assword` is what scripts for `expect` wait for.
_SPEAKS_OF_LOGIN = re.compile(
    either(
        r"pass(?:w|\b|e\b|phrase|code)|pwd|pw\b|secret|credential|sign-?in|wort\b|wachtwoord|contrase|senha"
        r"|mot de passe|parol|has[łl]o|lösenord|парол|sleutel\b|psk\b|inlog|wi-?fi\b|wlan|accounts?\b|pdo|connect"
        r"|bind\w*\(|zugang",
        after(r"[a-z_]", "log", then=r"(?:in|on)\b"),
        after(r"\b", "log", then=r"(?:ged)? ?(?:in|on)\b"),
        after(r"\b", "user", "clave", "mdp", "pin", "cred", "creds", "admin", "root", then=r"\b"),
        after(r"\b", "assword", "ssid", "auth"),
    )
)
_SPEAKS_OF_SECRET = re.compile(
    either(
        r"token|auth|cookie|session|wallet|signer|vault|sensitive|client\(|bearer|second factor|totp|seed\b"
        r"|a[ks]ia[a-z0-9]{16}",
        after(r"(?<![^\W_])", "key", then=r"s?\b"),
        after(r"\b", "keyname", "2fa"),
    )
)
_HUMPED_KEY = re.compile(r"Key(?<=[a-z]Key)(?<![Pp]rimaryKey)(?<![Rr]outingKey)(?<![Ff]oreignKey)s?\b")  # as it stands
_SPEAKS_OF_OTHER = re.compile(
    either(
        r"fingerprint|digest|checksum|integrity|etag|cursor|nonce|publishable|certif|encrypted|sealed|ssh-(?:rsa|ed)|ecdsa-"
        r"|dnskey|domainkey|\|1\||enc\[|next_?token|page_?token|go\.mod|accessor|commit|websocket|signature",
        after(r"\b", "sha", then=r"-?\d"),
        after(r"\b", "pub", then=r"(?:lic)?(?:\b|_)"),
        after(r"\b", "kty", then=r"\b"),
        after(r"\b", "md5", "pubkey"),
    )
)
_LABEL_OF_OTHER = re.compile(
    r"(?:(?:\b|_|(?<=[a-z]))(?:ids?|Ids?|ID|SID|hash|etag|cursor|nonce|integrity|checksum|digest|md5|fingerprint|public|peer"
    r"|revision|commit|signature|trace|span|node|next|page|address|serial|version|image|challenge|owner|role|[Aa]ccept"
    r"|sitekey|state|marker|after|before|scroll|sync|verification|uuid|index|ray)"
    r"|\b(?:sha\d*|kid|pub|sig|[xynb](?=[\"':=])|bh|x5t|iv|tag|tx|cid|sid|h1|zh|cert\w*|continuation\w*|DNSKEY|recaptcha\w*|rsa|ed25519|nistp\d+|dss))"
    r"[-0-9]{0,3}[\"'`]*\s*[:=]*>?\s*[\"'`]?\Z"
)


def suspicious_words(text: str) -> TextSpans:
    """The words that look like secrets where one is spoken of.

    >>> text = "Invalid user Hj7!plantsoen from 10.3.4.18"
    >>> [text[start:end] for start, end in suspicious_words(text)]
    ['Hj7!plantsoen']
    """
    small = in_small_letters(text)
    logins = _starts(_SPEAKS_OF_LOGIN, small)
    secrets = sorted(logins + _starts(_SPEAKS_OF_SECRET, small) + _starts(_HUMPED_KEY, text))
    others = _starts(_SPEAKS_OF_OTHER, small)
    previous = -1  # word that was one: the next in a list is one too
    for match in _WORD.finditer(_PUBLIC_BLOCK.sub(_blank, text)) if secrets else ():
        word = TextPart(text, match.start(), match.start() + len(match[0].rstrip("._-?")))
        is_issued = _is_issued(word)
        if not (is_issued or _is_chosen(word)) or _is_name(word.word):
            continue
        above, begin = _lines_above(word)
        label = _LABEL.search(text, max(0, word.start - _NARROW_WINDOW), word.start)
        end = word.end + len(text[word.end : word.end + _WINDOW].partition("\n")[0])
        is_named = label is not None and _says_what(label, is_issued)
        if is_named or _says_other(word, begin) or _is_among(others, above, end):
            continue
        told, earliest = (secrets, word.start - _WIDE_WINDOW) if is_issued else (logins, above)
        latest = label.start() if label and is_issued else word.start  # its own name alone may be that of any key
        if previous >= above or _is_among(told, earliest, latest) or _is_among(told, word.end, end):
            previous = word.start
            yield word.start, word.end


def _blank(block: TextMatch) -> str:
    return " " * len(block[0])


def paired_passwords(text: str) -> TextSpans:
    """The passwords behind the name of a user, in or below a line that speaks of a login.

    >>> text = "Log in as heron / Plover71"
    >>> [text[start:end] for start, end in paired_passwords(text)]
    ['Plover71']
    """
    logins = _starts(_SPEAKS_OF_LOGIN, in_small_letters(text))
    for pair in _PAIR.finditer(text):
        password = TextPart(text, *pair.span(1))
        own = password.word
        looks_chosen = is_chosen(own) or (is_mixed(own) and not (_NAME.fullmatch(own) or is_object_name(own)))
        is_weak = "` " in pair[0] and _HYPHENATED.fullmatch(own) is not None
        is_harmless = is_other(own) or stands_elsewhere(own)
        if (looks_chosen or is_weak) and not is_harmless and _is_among(logins, _lines_above(password)[0], pair.start()):
            yield pair.span(1)


def _starts(pattern: re.Pattern[str], text: str) -> list[int]:
    return [match.start() for match in pattern.finditer(text)]


def _is_among(positions: list[int], start: int, end: int) -> bool:
    index = bisect_left(positions, start)
    return index < len(positions) and positions[index] < end


def _is_issued(word: TextPart) -> bool:
    """Whether a word looks as if a program had issued it."""
    own = word.word
    core = max(re.split("[-_]", own), key=len)  # of a name that ends in a digest
    is_mixed = _ISSUED.fullmatch(own) is not None and core not in (core.lower(), core.upper())
    is_argument = _ARGUMENT.fullmatch(own) and _ARGUMENT_BEGINS.search(word.text, max(0, word.start - 3), word.start)
    return bool(is_argument) or (is_mixed and is_random(own)) or _BASE32.fullmatch(own) is not None


def _is_chosen(word: TextPart) -> bool:
    """Whether a word looks as if a person had chosen it, by itself or as it is set off."""
    own, start = word.word, word.start
    if is_chosen(own) and (word.has_before('"', "'", "`") or len(own) >= _SHORTEST_RANDOM or not own.isalnum()):
        return True
    is_set_off = _SET_OFF.search(word.text, max(0, start - 40), start) is not None
    return is_set_off and _NUMBERED.fullmatch(own) is not None and not _NAME.fullmatch(own)


def _is_name(word: str) -> bool:
    """Whether a word is what programs call things."""
    return is_other(word) or is_object_name(word.lower()) or _ID.fullmatch(word) is not None


def _says_what(label: TextMatch, is_issued: bool) -> bool:
    """Whether the name before a word says what it is; a colon of prose does not, before what a person chose."""
    is_of_value = is_issued or label[0].endswith(('"', "'", "`"))
    is_other_name = is_of_value and not _NEUTRAL.fullmatch(label[1])
    return is_other_name or judge_name(label[1]) is NameKind.PLAIN


def _lines_above(word: TextPart) -> TextSpan:
    """Where the line above the line of a word begins, and where its own does."""
    text, start = word.text, word.start
    begin = max(text.rfind("\n", max(0, start - _WINDOW), start), start - _WINDOW, 0)
    return max(text.rfind("\n", max(0, begin - _WINDOW), begin), 0), begin


def _says_other(word: TextPart, begin: int) -> bool:
    """Whether what is pressed to a word says that it is none: a path, a template, or the name of an id."""
    text, start, end = word
    if text[start - 1 : start] + text[end : end + 1] in ("<>", "{}"):
        return True
    whole = re.split(r"[\s\"'`]", text[begin:start])[-1] + word.word
    is_part = stands_elsewhere(whole) or is_other(whole)
    return is_part or _LABEL_OF_OTHER.search(text[max(0, start - 48) : start]) is not None
