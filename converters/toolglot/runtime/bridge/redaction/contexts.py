"""Secrets without a name of their own: what stands below a heading, a command or a word that speaks of a secret."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from toolglot.runtime.bridge.redaction.names_in_text import TextMatch, TextSpan, TextSpans, judge_name_in_text, names_in
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name
from toolglot.runtime.bridge.redaction.secret_values import (
    GROUPED,
    GROUPS,
    is_chosen,
    is_mixed,
    is_object_name,
    is_random,
    is_scrambled,
    stands_elsewhere,
)

_LINE = re.compile(r"[^\n]*[^\s][^\n]*")  # not a blank one
_LONGEST_LINE = 300
_COMMAND = re.compile(r"\s*(?:\S{0,80}[$#>%]|PS \S{0,80}>|➜|\+)[ ]")
_LISTS = re.compile(r"\b(?:secrets? create|ls|list|rm|delete|metadata|\w*sum|digest|fingerprint)\b")
_IS_PUBLIC = re.compile(r"\bpub(?:lic)?[_-]?key\b[^|;&]*\Z")  # what the last of several commands prints
_MARK = re.compile(r"[ \t]*+(?:[-*•>][ ]|\(?[0-9]{1,2}[.)][ ])?[ \t]*+")
_REPLY = re.compile(  # to who asked for a secret, or with the name of the user
    r"(?:[^\n]{0,40}?\b(?:it'?s|it is|here you go|here|sure|yes|yep|yup|try)(?: now)?[:,]? |[a-z][\w.@-]{0,40}[,:;|]"
    r"|[^\n/]{1,60} / )[\"'`]?([^\s\"'`]{5,200}[^\s\"'`.,])(?=[\"'`.,]*+(?:\s|\Z))",
    re.IGNORECASE,
)
_CELL = re.compile(
    r"(?!<)(?:[0-9]{1,2}[.)][ ]{1,2})?[\"'`]?([0-9]{3,5} [0-9]{3,5}(?=  |\s*\Z)|[^\s\"'`,|]{5,2000}+)[\"'`]?"
    r"(?=[ ]{2,}|\t|\s*\Z)[ \t]*"
)
_ONE_WORD = re.compile(r"[\w.@-]+")
_RULE = re.compile(r"[\s=─-]*")
_FILE_ENDING = re.compile(r"\.(?:txt|client|conf|env|pw|pass|key|ini)\b")
_PASSPHRASE = re.compile(r"[a-z]{3,12}(?:-[a-z]{3,12}){2,8}")
_CODE = re.compile(r"(?=\S*[0-9])[A-Za-z0-9]{3,24}(?:[ -][A-Za-z0-9]{3,12}){0,7}")
_PAIR = re.compile(
    r"(?:[A-Z][A-Z0-9_]*|[a-z_.][a-z0-9_.-]*|[A-Za-z_.-]+)=(?!=|\Z)|[A-Z0-9]+(?:_[A-Z0-9]+)+\Z|\S+:\Z|\[.*\]\Z"
)  # or a constant, a heading, or what has its value below
_OTHER = re.compile(  # an address, a version, a digest, a file, a time, a path of a key, keys that are pressed together
    r"\[?[0-9a-fA-F.:]+\]?(?::[0-9]+)?(?<=[.:][0-9a-f])|v?[0-9]+(?:\.[0-9]+)+\S*|(?:sha[0-9]+|md5|h1)[:~-].*"
    r"|~?/.*/.*|[\w./(-]*#[0-9]+\W*|.*\w\(.*\)|.*\.[a-z]{1,5}\.?|[\w-]+[<>~!=]=.+|.*[A-Za-z]:[0-9]+|[0-9-]{8,10}T.*"
    r"|[a-z_-]{2,}(?::[a-z0-9_.-]+)+|[A-Za-z]+(?:\+\w{1,12})+|[a-z]{2}-[a-z]{4,9}-[0-9].*|(?:[A-Z][a-z]+){2,}#\w+|_?[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+"
)
_MOST_COLONS = 3  # more are the fields of a line of /etc/passwd
_SHORTEST = 8
_GROUPED_LINE = re.compile(rf"({GROUPS}) \s*+ \Z", re.VERBOSE)

# Not keys and certificates, as ssh and X.509 write them.
_LONG = re.compile(
    r"(?<![\w+/=.@%~-])(?<![a-z0-9][:=])(?=\S{0,80}[0-9])(?!AAAA|MII|LS0t|pk_|phc_)[A-Za-z0-9+/_-]{32,2000}+={0,2}+(?![\w.@:-])"
)
_CHOSEN = re.compile(
    r"""(?<![^\s"'`(:,])(?=\S{0,40}[!#$%^*&?+~.,_-])(?=\S{0,40}[a-z]{3})
        (?!(?=[\w-]{20})[\w-]{0,40}[a-z][A-Z0-9][a-z]?[A-Z0-9])
        [^\s"'`<>(){}\[\]=\\/:;,@|]{8,40}+(?=\\|["'`.,;:)]*(?:\s|\Z))""",
    re.VERBOSE,
)
_WINDOW = 400
_PUBLIC_BLOCK = re.compile(r"-----BEGIN (?:PUBLIC|CERT|PGP (?!PRIV)|X509|SSH2 PUB)[\s\S]*?(?:-----END|\Z)")
_NAMED = re.compile(
    r"""(?<!value)(?<!value["'])(?<=[\w\]"'])\s?(?:=>?|(?<=["']):)\s?["']?\Z"""
    r"""|(?:^|\n)[ \t-]*(?!value:)[\w.-]+:[ \t]+["']?\Z"""
)  # its name says all
_ARGUMENT_BEGINS = re.compile(r"""[(\s]["']\Z""")
_SPEAKS = re.compile(
    r"(?<![/\w-])(?:[a-z]+[ _-])?(?:keys?|tokens?|secrets?|credentials?|passwords?|passphrase|pw)"
    r"(?![\w-]|[/\\]\w|\.(?!new)\w)|(?-i:[a-z](?:Keys?|Tokens?|Secrets?|Credentials?|Passwords?)\b)|\bKeyName\b"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}|client\(|wallet\(|signer\(",
    re.IGNORECASE,
)
_SPEAKS_OF_OTHER = re.compile(
    r"fingerprint|digest|checksum|\bsha-?\d|\bmd5|hash|integrity|etag|cursor|versions?\b|\bids?\b|public|\bpub\b|certif"
    r"|commit|image|encrypted|sealed|next|page|\bcert|accessor|issuer|ssh-|ecdsa-",
    re.IGNORECASE,
)
_SPEAKS_OF_LOGIN = re.compile(
    r"pass(?:w|\b|e\b)|pwd|\bpw\b|secret|credential|\buser\b|log(?:in|on)\b|sign-?in|wort\b|wachtwoord|contrase|senha"
    r"|pdo|connect|\bcreds?\b|\badmin\b|\broot\b|bind\w*\(|\bauth",
    re.IGNORECASE,
)


def secrets_below_headings(text: str, found: Iterable[TextSpan]) -> TextSpans:
    """What a command prints that was asked for a secret, and what is listed below the words for one.

    Args:
        text: all of it.
        found: the secrets that are known by now, in their order; a line with one of them is no heading.

    >>> text = "Your recovery codes:\\n  6bd77-5377a  c9b47-c7967\\nKeep them."
    >>> [text[start:end] for start, end in secrets_below_headings(text, [])]
    ['6bd77-5377a', 'c9b47-c7967']
    """
    starts = [start for start, _ in found]
    heading: TextMatch | None = None
    for line in _LINE.finditer(text):
        is_known = bisect_left(starts, line.start()) < bisect_left(starts, line.end()) or "[REDACTED]" in line[0]
        cells = [] if is_known or heading is None else _cells_of(line)
        if cells and heading and _are_secrets([cell[1] for cell in cells], heading[0]):
            yield from (cell.span(1) for cell in cells)
        elif is_known:
            heading = line if _COMMAND.match(line[0]) else None
        elif not (
            _RULE.fullmatch(line[0]) or (heading and _COMMAND.match(heading[0]) and _ONE_WORD.fullmatch(line[0]))
        ):
            heading = line  # one word, such as a user, may stand between a command and the secret


def _cells_of(line: TextMatch) -> list[TextMatch]:
    """The cells of a line, if it has nothing but words that may be secrets."""
    text, end = line.string, line.end()
    mark = _MARK.match(text, line.start(), end)
    position = mark.end() if mark else line.start()
    groups = _GROUPED_LINE.match(text, position, end) or _REPLY.match(text, position, end)
    if groups:
        return [groups]
    cells = []
    while position < end:
        cell = _CELL.match(text, position, end)
        if cell is None:
            return []
        cells.append(cell)
        position = cell.end()
    return cells


def _are_secrets(words: list[str], heading: str) -> bool:
    """Whether all the words of a line look like the secrets that the line above it speaks of."""
    kind = _kind_of_heading(heading)
    is_asked = heading.rstrip().endswith(":") or _COMMAND.match(heading) is not None
    return kind >= NameKind.GENERATED and all(_is_answer(word, kind, is_asked) for word in words)


def _is_answer(word: str, kind: NameKind, is_asked: bool) -> bool:
    """Whether a word is what a line of this kind speaks of; `is_asked` where the line ends as a question does."""
    if kind is NameKind.CODE:
        return _CODE.fullmatch(word) is not None
    if _PAIR.match(word) or _OTHER.fullmatch(word) or word.count(":") > _MOST_COLONS or stands_elsewhere(word):
        return False
    if word.isidentifier() and is_name_of_secret(word):
        return False
    if GROUPED.fullmatch(word) or (is_asked and _PASSPHRASE.fullmatch(word)):
        return True
    is_name = is_object_name(word) and (kind is not NameKind.PASSWORD or "/" in word)
    return not is_name and len(word) >= _SHORTEST and (is_mixed(word) or is_scrambled(word))


def _kind_of_heading(line: str) -> NameKind:
    is_code = line.rstrip().endswith((";", "{", "(", ",", "\\")) or _PAIR.match(line)
    is_listing = _COMMAND.match(line) and (_LISTS.search(line) or _IS_PUBLIC.search(line))
    if len(line) > _LONGEST_LINE or _LONG.fullmatch(line.strip()) or is_code or is_listing:
        return NameKind.UNKNOWN
    names = [name for text in (line, _FILE_ENDING.sub("", line)) for name in names_in(text)]
    parts = re.split("[-.: ]", line) if _COMMAND.match(line) else ()
    return max((*map(judge_name_in_text, names), *map(judge_name, parts)), default=NameKind.UNKNOWN)


def long_secrets(text: str) -> TextSpans:
    """Long random words in a line that speaks of secrets, or below one; not digests, cursors and ids.

    >>> text = "Credentials.new('Q7fR2mXw9LbT4vKe1ZcYp8sNd3HgUj6aV5tB0xEr')"
    >>> [text[start:end] for start, end in long_secrets(text)]
    ['Q7fR2mXw9LbT4vKe1ZcYp8sNd3HgUj6aV5tB0xEr']
    """
    for match in _LONG.finditer(_PUBLIC_BLOCK.sub(lambda block: " " * len(block[0]), text)):
        word, end = match[0], match.end()
        before = text[max(0, match.start() - _WINDOW) : match.start()]
        core = max(re.split("[-_]", word), key=len)  # of a name that ends in a digest
        if core in (core.lower(), core.upper()) and not _ARGUMENT_BEGINS.search(before[-2:]):
            continue
        if not is_random(word) or is_object_name(word) or stands_elsewhere(word):
            continue
        if _NAMED.search(before[-80:]):
            continue
        lines = [*before.rpartition("\n\n")[2].splitlines(), text[end : end + 80].partition("\n")[0]]
        if any(map(_SPEAKS.search, lines)) and not _SPEAKS_OF_OTHER.search(" ".join(lines[-4:])):
            yield match.span()


def chosen_secrets(text: str) -> TextSpans:
    """Words that look like passwords that somebody chose, in a line that speaks of a login or below one.

    >>> text = "Invalid user Hj7!plantsoen from 10.3.4.18"
    >>> [text[start:end] for start, end in chosen_secrets(text)]
    ['Hj7!plantsoen']
    """
    for match in _CHOSEN.finditer(text) if _SPEAKS_OF_LOGIN.search(text) else ():
        word = match[0].rstrip("._-!?")
        if not is_chosen(word) or _OTHER.fullmatch(word) or is_object_name(word.lower()):
            continue
        above, _, line = text[max(0, match.start() - _WINDOW) : match.start()].rpartition("\n")
        whole = re.split(r"[\s\"']", line)[-1] + word
        if stands_elsewhere(whole) or _OTHER.fullmatch(whole):
            continue
        around = (above.rpartition("\n")[2], line, text[match.end() : match.end() + _WINDOW].partition("\n")[0])
        if any(map(_SPEAKS_OF_LOGIN.search, around)):
            yield match.span()
