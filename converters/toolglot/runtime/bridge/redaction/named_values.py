"""Whether what stands after the name of a secret is the secret, or code, a reference to it, or prose.

A secret that is left is worse than a word that is lost, so a value is left only where it has the form of something
else. Every rule looks at a bounded part of the text, and never twice.
"""

from __future__ import annotations

import re
from enum import Enum, auto

NAMES = r"""
    (?: passw(?:or)?[dt] | passwort | authtok | totp | requirepass
      | (?<=_) (?: salt | cookie ) | key\ content | (?-i: (?<= [a-z_] ) PAT )
      | (?<![a-z]) (?: mot\ de\ passe | kennwort | contrase[ñn]a | senha | wachtwoord ) | 密码
      | (?<=_) pass | passphrase | passcode | secret | credential | token | client-key-data
      | (?<![a-z0-9]) (?: psk | pw | pswd | mnemonic | app [_-]? key )
      | pwd (?! [=:] [ \t]{0,8} ["']? [/~] )  # the working directory
      | (?: api | access | secret | private | signing | encryption | master | account | shared | subscription | storage
          | functions? | consumer | deploy | webhook | hmac | routing
          | licen[cs]e | auth | write | device | validation ) [ _-]? key (?: [ _-]? base )?
    )"""
"""What the name of a secret ends with; for `re.VERBOSE` and `re.IGNORECASE`."""

NAMING_KEYS = ("name", "key", "label", "parametername", "parameterkey")
"""Keys in small letters, of a pair in which another key holds the value: `{"name": "password", "value": "hunter2"}`."""

NAMED_KEYS = ("value", "parametervalue")
"""The keys of those values."""

PARTS_OF_NAMES = (
    *("pass", "secret", "credential", "token", "key", "pwd", "pw", "psk", "pswd", "mnemonic", "authtok"),
    *("kennwort", "contrase", "senha", "wachtwoord", "密码", "salt", "cookie"),
)
"""Without one of them in small letters a text holds no such name."""


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL | re.IGNORECASE)


_SECRET_NAME = _rule(rf"{NAMES} \Z")
_NUMBER_NAME = _rule(r"(?: passw(?:or)?[dt] | passphrase | passcode | pwd | secret ) \Z")
# Where a listing goes on, and the marks of a vocabulary.
_OTHER_NAME = _rule(
    r"""(?: next | page | continuation | resume | sync | pad | bos | eos | unk | mask | sep | cls | stop | special
          | cancell?ation ) [ _-]? token \Z | existing [ _-]? secret \Z"""
)
_LONGEST_NAME = 64


def is_other_name(name: str) -> bool:
    """Whether a name that ends like that of a secret is another one.

    >>> is_other_name("nextPageToken"), is_other_name("accessToken")
    (True, False)
    """
    return name[-6:].lower().endswith(("token", "secret")) and bool(_OTHER_NAME.search(name[-_LONGEST_NAME:]))


def is_name_of_secret(name: str) -> bool:
    """Whether a text under this name is a secret.

    >>> is_name_of_secret("clientSecret"), is_name_of_secret("nextPageToken")
    (True, False)
    """
    return bool(_SECRET_NAME.search(name[-_LONGEST_NAME:])) and not is_other_name(name)


def is_name_of_secret_number(name: str) -> bool:
    """Whether even a number under this name is a secret.

    >>> is_name_of_secret_number("db_password"), is_name_of_secret_number("token")
    (True, False)
    """
    return bool(_NUMBER_NAME.search(name[-_LONGEST_NAME:]))


class Notation(Enum):
    """In what a name and its value are written, as far as that says how to read the value."""

    ANY = auto()
    SHELL = auto()  # NAME=word, or a pair of a query: every word is a literal
    CODE = auto()  # an attribute or an entry gets a value: every word is a variable


# -- values ---------------------------------------------------------------------------------------------------------

_LONGEST = 300

_SAYS = re.compile(r"[^\W_]")  # a letter or a digit
_ELSEWHERE = _rule(
    r"""`? (?:
        \$ (?: \{\{ .* | \{ [^}:]*+ (?: :[-=+] | :? \?[^}]* )? \} | \( .* )     # ${{ name }}, ${NAME:-}, $(command)
      | \$\$? (?-i: [0-9@*#] | [A-Z_][A-Z0-9_]* | [a-z_]++ (?: (?:\.|->|::) [a-z_]++ )* )  # $NAME, $this->name
      | \$ \w+ \[ .*                                            # $_POST['name']
      | % (?: [a-z_]\w* % | \(\w+\)s | [-+#0-9.]{0,8} [a-z] )   # %NAME%, %(name)s, %s
      | \#? \{ .* \} | < [^<>]* > | \[ [A-Z_ |]+ \]             # {{ name }}, {name}, <name>, [NAME]
      | ! [a-z] .*                                              # a tag of YAML: !Ref Name
      | (?: [\w.-]{1,80}+ : )? (?-i: (?: ~ | \.{1,2} )? (?: / [a-z0-9_.-]+ )+ )   # a path
      | [<>=^~!]{1,2} [ ]? v? [0-9] [\w.*-]*                    # versions
      | [0-9]{4}-[0-9]{2}-[0-9]{2} (?: [T\ ] .* )?              # a time
      | @ [\w./-]+ \. \w{1,5}                                   # a file
      | [a-z+]+ :// .* \#? .* | vault: .* | arn:aws .* | env[:.]\w+
      ) `?
      | \[REDACTED\] .* | change [ _-]? (?: me | this | it )
      | (?: [a-z0-9]{1,10} [_-] ){0,3} (?: [*x•·.…_-]{3,} \w{0,4}                                      # a mask
          | (?: your | insert | enter | replace ) [ _-] .* )
      | [a-z]{2,4} -"""  # the beginning of a key whose rest is dots
)
_WORDS_OF_CODE = (
    "none null nil undefined true false yes no off empty unset missing required optional invalid valid expired revoked "
    "rotated hidden redacted masked enabled disabled bearer basic impl dyn mut const fn func function def class struct "
    "hash enum interface type self this str string text byte bytes int integer number bool boolean object any unknown "
    "never void buffer value id uuid varchar char date timestamp json jsonb"
)
_WORDS = frozenset(_WORDS_OF_CODE.split())
_OPENING = r"""
    (?: (?: an? | the | this | that | your | its | is | are | was | must | should | can | may | will | not | no | for
          | to | of | or | and | if | when | it | used? | using | with | see | please | needs? ) \s++ ["'`(]? [a-z0-9]
      | (?-i: [A-Z][a-z]++ (?: [ ][a-z]++ ){1,3}? [ ] )
        (?: for | of | the | to | an? | is | and | in | from | that ) \b )"""
_SENTENCE_BEGINS = _rule(_OPENING)
# Words go on after the value, with one among them that is in sentences only.
_PROSE = r"""
    (?: (?-i:[A-Za-z][a-z']*+) (?: [ ] [\w'-]++ ){0,6}?
        [ ] (?: the | and | to | of | your | an? | in | for | or | is | are | was | with | from | on | by | that | if
          | at | as | it | be | will | must | can ) \b )"""
_RECIPE = re.compile(r"[^\n=]*+\n\t")
_PLACE = re.compile(
    r"\$\{[^{}\n]{0,80}\}|<[A-Za-z][^<>\n]{0,80}>|\{\{[^{}\n]{0,80}\}\}|\[[A-Za-z][^\[\]\n]{0,80} [^\[\]\n]{1,80}\]"
)
_SENTENCE = _rule(
    rf"""(?: is | are | was | must | should | can | cannot | may | will | needs? ) \s .*
      | .* (?: {NAMES} .* | [.:?] | (?: \s++ \S++ ){{5}} )"""
)

# What only stands without quotes.
_PUNCTUATION = ".,;:|?!`"
_CLOSED = _PUNCTUATION + ")]}>"
_CALL = r"""
    (?: (?: await | new | yield | lambda | not | async | typeof ) \b
      | (?-i: (?: Read | Get | New | Import | Invoke | ConvertTo | ConvertFrom ) - [A-Z] )  # of PowerShell
      | [:&*]{0,2} [a-z_] (?: [\w.:] | \?\. )*+ [!?]? [(\[<{] (?: [^\n]{0,200}? [)\]>}] | [ \t]*+ (?: \n | \Z ) )
      | \( [^\n]{0,200}? \) | \{ [\w.:!]{0,40} \} | \{ \w++: [ ] )"""
_ATTRIBUTE = _rule(
    rf"""(?: self | this | cls | config | settings | options | opts | args | params | process | os | env | var | local
          | data | module | inputs | github | context | ctx | req | request | response | props | state | user | event
          | auth | session | client | app | model | body | secrets | [a-z_]*{NAMES} ) (?: (?: \.|::|->) [a-z_]\w* )+
      | [a-z_][a-z_.]* \. [a-z_]*{NAMES}"""
)
_ATTRIBUTES = (".", "::", "->")  # without one of them the slowest expression of all is not tried
_VARIABLE = _rule(
    rf"""[&*]? (?: \w*_ | \w*(?-i:[a-z](?=[A-Z])) )? {NAMES}
      | &'[a-z]+ | [&*](?:str|string|bytes)
      | (?-i: [A-Z]+(?:_[A-Z]+)+ | _?[A-Z][A-Za-z]*(?:Str|String|Type|Field|Alias|Params?|T) )"""
)
# In one look, because three in turn take half as long again for a megabyte of names without values.
_NO_VALUE = _rule(rf"{_OPENING} | {_CALL} | {_PROSE}")
_CONSTANT = _rule(r"(?-i:[A-Z]+(?:_[A-Z]+)+)")
_IDENTIFIER = re.compile(r"[A-Za-z_]+")
_PIECE = re.compile(r"[\w.]+(?=[,;)}\]])")  # what code without blanks begins with
_LONGEST_MINIFIED = 2  # characters of a variable in such code
_LABEL = _rule(rf"(?= (?-i: [A-Z][^A-Z]* \Z )) {NAMES}")  # of a field, in the language of its reader
_CAMEL_CASE = re.compile(r"(?:[A-Z][a-z]+){2,}")
_OF_PROSE = frozenset({"secret", "token", "credential"})
_LAST_WORD = re.compile(r"[a-z]{1,20}[.!](?:\s|\Z)")
_SHORT_NUMBER = re.compile(r"[+-]?[0-9]{1,5}")
_SHORTEST_NUMBER = 4  # digits of one that is a password; fewer are a size, or the number of a field


def stands_elsewhere(value: str) -> bool:
    """Whether a value is a reference, a template or a mask: it names a secret, or hides one.

    >>> stands_elsewhere("${API_KEY}"), stands_elsewhere("hunter2")
    (True, False)
    """
    return _ELSEWHERE.fullmatch(value, 0, _LONGEST) is not None


def is_placeholder(text: str, start: int) -> bool:
    """Whether words in brackets begin there that say what to put in their place.

    >>> is_placeholder("key=<your key here>", 4), is_placeholder("key=hunter2", 4)
    (True, False)
    """
    return text.startswith(("$", "<", "{", "["), start) and _PLACE.match(text, start) is not None


def is_recipe(text: str, name: int, value: int) -> bool:
    """Whether a name and what stands behind its colon are a target of `make` and what it needs.

    >>> is_recipe("secret: build\\n\\tmake", 0, 8)
    True
    """
    begins_line = not name or text[name - 1] == "\n"
    return begins_line and _RECIPE.match(text, value) is not None


def is_saying(text: str, name: str, start: int) -> bool:
    """Whether one word ends a sentence there, behind a name that is a word of prose too.

    >>> is_saying("The secret: patience.", "secret", 12), is_saying("The password: swordfish.", "password", 14)
    (True, False)
    """
    return name.lower() in _OF_PROSE and _LAST_WORD.match(text, start) is not None


def is_quoted_secret(value: str, name: str = "") -> bool:
    """Whether a text in quotes is what the name before it says.

    >>> is_quoted_secret("correct horse"), is_quoted_secret("The password of the user.")
    (True, False)
    """
    if not _SAYS.search(value) or stands_elsewhere(value) or value.lower() in _WORDS:
        return False
    if _CONSTANT.fullmatch(value) or _LABEL.fullmatch(value):
        return False
    if name.casefold().endswith(value.casefold()) and is_name_of_secret(value):
        return False  # the name of a variable or a header
    return not (_SENTENCE_BEGINS.match(value) and _SENTENCE.fullmatch(value, 0, _LONGEST))


def is_bare_secret(text: str, start: int, end: int, name: str, notation: Notation) -> bool:
    """Whether what stands without quotes is what the name before it says.

    Args:
        text: all of it, because a sentence or a call goes on after the value.
        start: where the value begins.
        end: where it ends.
        name: the name before it.
        notation: in what the name and its value are written, as far as that is known.

    >>> is_bare_secret("password = get(x)", 11, 17, "password", Notation.ANY)
    False
    """
    written = text[start : min(end, start + _LONGEST)]
    whole = written.rstrip(_PUNCTUATION)
    value = written.rstrip(_CLOSED)
    if not _SAYS.search(value) or stands_elsewhere(value) or (whole != value and stands_elsewhere(whole)):
        return False
    if _SHORT_NUMBER.fullmatch(value) and (len(value) < _SHORTEST_NUMBER or not is_name_of_secret_number(name)):
        return False
    if notation is Notation.SHELL:
        return True
    if _NO_VALUE.match(text, start):
        return False
    piece = _PIECE.match(value)
    if piece and (notation is Notation.CODE or piece[0].lower() in _WORDS or len(piece[0]) <= _LONGEST_MINIFIED):
        return False
    follows = text[start + len(value) : start + len(value) + 1]
    has_parts = "_" in value or _CAMEL_CASE.fullmatch(value) is not None
    is_assigned = follows == ";" and text.endswith(" = ", 0, start)
    in_code = notation is Notation.CODE or is_assigned or (has_parts and follows in (",", ")", ";"))
    return not (_is_code(value) or (in_code and _IDENTIFIER.fullmatch(value)))


def _is_code(value: str) -> bool:
    """Whether a value is a word of a language, a variable, or an attribute of one."""
    if value.lower() in _WORDS or _VARIABLE.fullmatch(value):
        return True
    return any(mark in value for mark in _ATTRIBUTES) and _ATTRIBUTE.fullmatch(value) is not None
