"""Whether what stands under the name of a secret is the secret, or code, a reference to it, or prose.

A secret that is left is worse than a word that is lost, so a value is left only where it has the form of something
else. Every rule looks at a bounded part of the text, and never twice.
"""

from __future__ import annotations

import base64
import binascii
import re
from enum import Enum, auto
from itertools import pairwise

from toolglot.runtime.bridge.redaction.secret_names import (
    NameKind,
    is_name_of_secret,
    is_noun_of_secret,
    judge_name,
    words_of,
)

# Characters of a value that are looked at.
LONGEST = 300


class Notation(Enum):
    """In what a name and its value are written, as far as that says how to read the value."""

    BARE = auto()  # behind an operator
    SHELL = auto()  # NAME=word, or a pair of a query: every word is a literal
    CODE = auto()  # an attribute or an entry gets a value: every word is a variable
    CELL = auto()  # of a table


def rule(pattern: str) -> re.Pattern[str]:
    """An expression with blanks in it, for letters of any case, in which a dot is any character."""
    return re.compile(pattern, re.VERBOSE | re.DOTALL | re.IGNORECASE)


# A secret that is written in groups, for its reader: of letters, of digits, or of words.
GROUPS = r"""[a-z]{4} (?: [ ][a-z]{4} ){3} (?! [ \w] ) | [0-9]{3,4} (?: [ -] [0-9]{3,4} ){1,7}+ (?! [\w] )
    | [a-z]{3,8} (?: [ ,]{1,3} [a-z]{3,8} ){11,23}+"""
GROUPED = re.compile(GROUPS, re.VERBOSE)
_SAYS = re.compile(r"[^\W_]")  # a letter or a digit
_ELSEWHERE = rule(
    r"""`? (?:
        \$\{ (?: env | secret | vault | file | ssm | op | input | config | command ) : [^}]* \}
      | \$ (?: \{\{ .* | \{ [^}:]*+ (?: :[-=+] | :? \?[^}]* )? \} | \( .* )     # ${{ name }}, ${NAME:-}, $(command)
      | \$\$? (?-i: [0-9@*#] | [A-Z_][A-Z0-9_]* | [a-z_]++ (?: (?:\.|->|::) [a-z_]++ )* )  # $NAME, $this->name
      | \$ [\w:]+ (?: -> )? [\[{] .*                            # $_POST['name'], $__file{path}
      | \$ [a-z_]\w* (?: (?: -> | :: ) \w+ )+ (?: \( .* )?     # $request->token()
      | % (?: [a-z_]\w* % | \(\w+\)s | [-+#0-9.]{0,8} [a-z] )   # %NAME%, %(name)s, %s
      | \#? \{ (?! [\w+/]{24,}={0,2} \} ) .* \} | (?: < [^<>]* > [:@/]? )+              # {{ name }}, {name}, <name>
      | \[ [A-Z_ |]+ \] | \( [^()]* \)                        # [NAME], (hidden)
      | ! [a-z] .*                                              # a tag of YAML: !Ref Name
      | (?: [\w.-]{1,80}+ : )? (?-i: (?: ~ | \.{1,2} )? (?: / [a-z0-9_.-]+ )+ )   # a path
      | (?-i: [a-z][a-z_.-]* (?: / [a-z][a-z0-9_.-]* )+ )
      | [<>=^~!]{1,2} [ ]? v? [0-9] [\w.*-]* | v?[0-9]+ (?: \.[0-9]+ ){1,3}   # versions
      | [0-9]+ (?: \.[0-9]+ )? [ ]? (?: px | r?em | pt | % | m?s | min | [hdw] | [kmg]i?b? | days? )    # sizes, times
      | [0-9]{4}-[0-9]{2}-[0-9]{2} (?: [T\ ] .* )?              # a time
      | 1[3-9][0-9]{8} (?: \. [0-9]{1,6} | [0-9]{3} | [0-9]{6} )?  # a time since 2011, in seconds or parts of them
      | [0-9]{1,2} : [0-9]{2} (?: : [0-9.]+ )? Z?
      | @ [\w./-]+ \. \w{1,5} | @ [\w.]+ \( .*                  # a file, a vault
      | [a-z+]+ :// .* \#? .* | vault: .* | arn:aws .* | env[:.]\w+
      | redacted | hidden | masked | filtered | omitted | removed | concealed | sensitive | unset | null | undefined
      | (?: enc | encrypted | sealed ) \[ .* | \$ansible_vault .*  # encrypted
      ) `?
      | \# [0-9a-f]{3,8} | 0x (?: [0-9a-f]{1,8} u?l{0,2} | [0-9a-f]{40} )      # a colour, a number, an address
      | .* (?: \\ [wsdb] | \[\^ [^\]]*+ \] | \. [*+] (?: \W | [\w-]*+ \Z ) ) .*    # a regular expression
      | \^ .* [\[({|] .* \$
      | (?: fake | dummy | mock | sample | example ) [ _-] .*
      | \[REDACTED\] .* | change [ _-]? (?: me | this | it ) (?: [ _-] [a-z]+ )* | _+ [a-z_]+ _+
      | (?: [a-z0-9]{1,10} [_-] ){0,3} (?: (?: [*x•·.…_-]{3,} | [*•]{2,} ) (?: [\w/+=]{0,4} | \(\w+\) )   # a mask
          | (?: your | insert | enter | replace | paste | put | fill | todo | placeholder ) [ _-] .* )
      | [\w/+=.:~-]* (?-i: EXAMPLE ) [\w/+=.:~-]{0,8}             # as manuals have it
      | [a-z]{2,4} -"""  # the beginning of a key whose rest is dots
)
_HIDES = ("...", "…", "[REDACTED")
_WORDS = words_of(
    "none null nil undefined true false yes no off on empty unset missing required optional invalid valid expired "
    "revoked rotated hidden redacted masked filtered secret enabled disabled bearer basic impl dyn mut const fn "
    "func function def class struct hash enum interface type self this str string text byte bytes int integer "
    "number bool boolean object any unknown never void buffer value id uuid varchar nvarchar char bytea blob "
    "bigint date timestamp json jsonb list dict tuple set read write present absent expected got default example "
    "public private protected static final placeholder while for if unless foreach error errors failed failure "
    "unable cannot unauthorized forbidden all bcrypt scrypt argon2 argon2i argon2id pbkdf2"
)
_OPENING = r"""
    (?: (?: an? | the | this | that | your | its | is | are | was | must | should | can | can't | may | will
          | not | no | for | to | of | or | and | if | when | it | used? | using | with | see | please | needs?
          | has | have | in | on | from | by | at | user(?:name)? | login ) \s++ ["'`(]? [a-z0-9]
      | (?-i: [A-Z][a-z]++ (?: [ ][a-z]++ ){1,3}? [ ] )
        (?: for | of | the | to | an? | is | and | in | from | that ) \b )"""
_SENTENCE_BEGINS = rule(_OPENING)
# Words go on after the value, with one among them that is in sentences only.
_PROSE = r"""
    (?: (?-i: (?:[A-Z]{2})? [A-Za-z][a-z']*+) (?: [ ] [\w'.-]++ ){0,6}?
        [ ] (?: ["'] | the | and | to | of | your | an? | in | for | or | is | are | was | with | from | on | by | that
          | if | at | as | it | be | will | must | can | not | tokens? | passwords? | error | failed | successfully
          | changed | updated | expired ) \b )"""
PLACEHOLDER = re.compile(r"[A-Z_]+|strings?|text|value|file|path|name|options?|flags?|and|or|via")  # of an option
_PLACE = re.compile(
    r"\$\{[^{}\n]{0,80}\}|<[A-Za-z][^<>\n]{0,80}>|\{\{[^{}\n]{0,80}\}\}|\[[A-Za-z][^\[\]\n]{0,80} [^\[\]\n]{1,80}\]"
)
_SENTENCE = rule(
    r"""(?: is | are | was | must | should | can | can't | cannot | may | will | needs? ) \s .*
      | .* (?: (?: passw | secret | token | credential | key ) .* | [.:?] | (?: \s++ \S++ ){5} )"""
)

# What only stands without quotes.
_PUNCTUATION = ".,;:|?!`"
_CLOSED = _PUNCTUATION + ")]}>"
_CALL = r"""
    (?: (?: try | await | new | yield | lambda | not | async | typeof | return | raise | throw ) \b
      | (?-i: (?: Read | Get | New | Import | Invoke | ConvertTo | ConvertFrom ) - [A-Z] )  # of PowerShell
      | [:&*]{0,2} [a-z_] (?: [\w.:] | \?\. )*+ [!?]? [(\[<{]
        (?: [^\n]{0,200}? (?: [)\]>}] | , (?= \n | \Z ) ) | [ \t]*+ (?: \n | \Z ) )
      | \( [^\n]{0,200}? \) | \{ [\w.:!]{0,40} \} | \{ \w++: [ ] )"""
_OBJECTS = words_of(
    "self this cls config settings options opts args params process os env var local data module inputs github context "
    "ctx req request response props state user event auth session client app model body secrets"
)
_ATTRIBUTE = re.compile(r"([A-Za-z_]\w*)(?:[?!]?\.|::|->)(?:[A-Za-z_]\w*(?:[?!]?\.|::|->))*[A-Za-z_]\w*")
_NO_TOKEN = re.compile(rf"{_ATTRIBUTE.pattern}|[A-Z]{{2,12}}")
_VARIABLE = re.compile(r"[&*]?([A-Za-z_]\w*)(?<![0-9])")
_PARTS = re.compile(r"_|[a-z](?=[A-Z])")
_TYPE = re.compile(
    r"&'[a-z]+|[&*](?:str|string|bytes)|[A-Z]+(?:[_+][A-Z]+)+|_?[A-Z][A-Za-z]*(?:Str|String|Type|Field|Alias|Params?|T)"
)
# In one look, because three in turn take half as long again for a megabyte of names without values.
_NO_VALUE = rule(rf"{_OPENING} | {_CALL} | {_PROSE}")
_OPERATOR = re.compile(r"[ ](?:[-+*/%]|\|\||&&|\?\?|and|or)[ ][\w(\"']")  # of an expression
_SCHEME = re.compile(r"(?:Bearer|Basic|Token) ")
_CONSTANT = re.compile(r"[A-Z]+(?:[_+][A-Z]+)+")
_SPELLED = re.compile(r"[^\W\d_]+(?:[_-][^\W\d_]+)+")  # as nobody issues a token
_WORD = re.compile(r"[A-ZÄÖÜ][a-zß-ÿ]+")  # likewise
_IDENTIFIER = re.compile(r"[A-Za-z_]+")
_PIECE = re.compile(r"[\w.]+(?=[,;)}\]])")  # what code without blanks begins with
_LONGEST_MINIFIED = 2  # characters of a variable in such code
_LABEL = re.compile(r"[A-ZÄÖÜ][^A-Z\d]*|(?:[^\W\d_]+[ ])+[^\W\d_]+[?:]?")  # of a field, for its reader
_CAMEL_CASE = re.compile(r"(?:[A-Z][a-z]+){2,}")
_OBJECTS_IN_VAULTS = words_of("secret secrets credentials token tokens")
_NAME_IN_VAULT = re.compile("[a-z]+(?:[-/][a-z]+)+")
_SHORT_NUMBER = re.compile(r"[+-]?[0-9]{1,5}")
_SHORTEST_NUMBER = 4  # digits of one that is a password; fewer are a size, or the number of a field
_LONGEST_CODE = 40
_SPREAD = re.compile(r"(?=.*[0-9])[a-z0-9-]{8,}")
_SHORTEST_TOKEN = 3
_SHORTEST_GENERATED = 16
_SHORTEST_SCRAMBLED = 12
_LEAST_CHANGES = 0.38
_MARKED = re.compile(r"[^\W_][!#$%^*~&]+[^\W_]")
_UNPAIRED = re.compile(r"(?=\S*[a-z])(?=\S*[A-Z])(?=\S*[0-9])[^\s\[{(]*[\]}][^\s]*[^\s\])};,]")  # as in no code
_CHOSEN = re.compile(r"(?=.*[a-z])(?=.*[A-Z0-9])[^\s\"'`<>(){}\[\]=\\/]{8,40}")
_MARKED_OR_ALL = re.compile(
    r"[^\W_][!#$%^*&?+~]+[^\W_]|[0-9][!#$%^*&?+~]|\A(?=.*[A-Z])(?=.*[0-9]).*(?:[^\W_][.,_-][^\W_]|[!#$%^&*+~]\Z)"
)
_CASES = re.compile(r"(?=.*[a-z]).*[A-Z]")
_OTHER = re.compile(  # an address, a version, a digest, a file, a time, a path of a key, keys that are pressed together
    r"\[?[0-9a-fA-F.:]+\]?(?::[0-9]+)?(?<=[.:][0-9a-f])|v?[0-9]+(?:\.[0-9]+)+\S*|(?:sha[0-9]+|md5|h1)[:~-].*"
    r"|~?/.*/.*|[a-z0-9_./(-]*#[0-9]+\W*|(?:[A-Z]+|Ticket|Issue|Build|Bug|Case|Order|Job|Run)#[0-9]+|[0-9]{6,}:[a-z_]+|.*\w\(.*\)|.*\.[a-z]{1,5}\.?|[\w-]+[<>~!=]=.+|.*[A-Za-z]:[0-9]+|[0-9-]{8,10}T.*"
    r"|[a-z_-]{2,}(?::[a-z0-9_.-]+)+|[A-Za-z]+(?:\+\w{1,12})+|[a-z]{2}-[a-z]{4,9}-[0-9].*|(?:[A-Z][a-z]+){2,}#\w+"
    r"|.*&[lr]?[dsa]?quot?|[a-z0-9-]+(?:\.[a-z0-9-]+)+/.*|[*&_]?[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+!?|[\w./-]+(?:@v?|-v?(?=[0-9]+[.]))[0-9.]+(?:-\S*)?"
    r"|(?:rsa|ed|cv|dsa|elg|nistp)[0-9]+/[0-9A-F]{8,40}"
)
_NAMES_WITH_NUMBERS = re.compile(r"(?:[A-Z]?[a-z]{2,}+[0-9]*+)++|(?:[A-Z]?[a-z]++)*+[A-Z]*+[0-9]*+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_GENERATED = re.compile(r"[\w+/=.~:%-]+")
_MARK = re.compile(r"[^\w\s]")
_LEAST_MARKS = 8  # different ones in a word that has them from a generator
_PART_OF_NAME = r"(?:[a-z]++(?![0-9])|(?=[a-z]*+[0-9])[a-z0-9]{1,10}+)"
_NAMES = re.compile(r"(?:(?:[A-Z]?[a-z]++)*+[A-Z]*+[0-9]{0,8}+(?:[^A-Za-z0-9]+|\Z))++")  # words, and numbers of them
_NAME_OF_OBJECT = re.compile(rf"{_PART_OF_NAME}(?:[-./]{_PART_OF_NAME})++")  # such as Kubernetes makes


def stands_elsewhere(value: str) -> bool:
    """Whether a value is a reference, a template or a mask: it names a secret, or hides one.

    >>> stands_elsewhere("${API_KEY}"), stands_elsewhere("hunter2")
    (True, False)
    """
    return any(mark in value for mark in _HIDES) or _ELSEWHERE.fullmatch(value, 0, LONGEST) is not None


def is_placeholder(text: str, start: int) -> bool:
    """Whether words in brackets begin there that say what to put in their place.

    >>> is_placeholder("key=<your key here>", 4), is_placeholder("key=hunter2", 4)
    (True, False)
    """
    return _PLACE.match(text, start) is not None


def is_mixed(word: str) -> bool:
    """Whether a word has letters in it and digits, or a mark between letters, as few words of a language have."""
    if len(word) < 6 or "://" in word or not any(map(str.isalpha, word)):
        return False
    return any(map(str.isdigit, word)) or _MARKED.search(word) is not None


def is_chosen(word: str) -> bool:
    """Whether a word looks like a password that somebody chose: marks, capitals and digits among small letters.

    >>> is_chosen("Gatto.Nero.88"), is_chosen("Kestrel2024")
    (True, False)
    """
    is_all = word.isalnum() and _CASES.match(word) is not None and is_random(word)
    return _CHOSEN.fullmatch(word) is not None and (is_all or _MARKED_OR_ALL.search(word) is not None)


def is_no_constant(word: str) -> bool:
    """Whether a word is more than the name of a variable: `DB_PASSWORD`."""
    return not _CONSTANT.fullmatch(word)


def is_random(word: str) -> bool:
    """Whether a word changes between capitals, small letters and digits all the time, as no name does.

    >>> is_random("Q7fR2mXw9LbT4vKe1ZcYp8"), is_random("accessTokenOfServer1")
    (True, False)
    """
    is_name = _UUID.fullmatch(word) or _NAMES_WITH_NUMBERS.fullmatch(word, 0, LONGEST)
    return any(map(str.isdigit, word)) and _changes_often(word[:LONGEST]) and not is_name


def is_scrambled(word: str) -> bool:
    """Whether capitals stand among the small letters of a long word as in no name, though no digit does.

    >>> is_scrambled("GhVcFNgC-YfmBOpf"), is_scrambled("InitialAdminPassword")
    (True, False)
    """
    return len(word) >= _SHORTEST_SCRAMBLED and _changes_often(word[:LONGEST]) and not _CAMEL_CASE.fullmatch(word)


def is_other(word: str) -> bool:
    """Whether a word is of a kind that no secret is.

    >>> is_other("10.3.4.18"), is_other("app.log"), is_other("hunter2")
    (True, True, False)
    """
    return _OTHER.fullmatch(word, 0, LONGEST) is not None


def _changes_often(word: str) -> bool:
    classes = [(letter.isupper(), letter.isdigit()) for letter in word]
    return sum(one != next_one for one, next_one in pairwise(classes)) > len(word) * _LEAST_CHANGES


def is_generated(word: str) -> bool:
    """Whether a word looks as if a program had made it, to be a secret or an id.

    >>> is_generated("c2VjcmV0LWZvci1qYW5l9"), is_generated("backups/2024/orders.gz")
    (True, False)
    """
    if (
        len(word) < _SHORTEST_GENERATED
        or not is_mixed(word[:LONGEST])
        or is_object_name(word)
        or _NAMES.fullmatch(word)
    ):
        return False
    is_noise = len(set(_MARK.findall(word[:LONGEST]))) >= _LEAST_MARKS
    return is_noise or _GENERATED.fullmatch(word) is not None


def is_object_name(word: str) -> bool:
    """Whether a word is a name such as programs give to objects, or an id.

    >>> is_object_name("default-token-x8k2p"), is_object_name("X8k2p")
    (True, False)
    """
    return _NAME_OF_OBJECT.fullmatch(word, 0, LONGEST) is not None or _UUID.fullmatch(word) is not None


def decode_base64(word: str) -> bytes:
    """The bytes that a word is in base64; none where it is no base64."""
    try:
        return base64.b64decode(word + "=" * (-len(word) % 4))
    except binascii.Error:
        return b""


def is_secret_number(digits: str, kind: NameKind) -> bool:
    """Whether a number below a name is the secret: that of a password, and no setting of one such as its length."""
    return (
        kind in (NameKind.PASSWORD, NameKind.CODE)
        and len(digits) >= _SHORTEST_NUMBER
        and fits_name(digits, kind)
        and not stands_elsewhere(digits)
    )


def fits_name(value: str, kind: NameKind) -> bool:
    """Whether a value is of the kind that its name wants."""
    if kind is NameKind.GENERATED:
        return is_generated(value)
    digits = sum(map(str.isdigit, value))
    if kind is NameKind.MIXED:
        is_grouped = GROUPED.fullmatch(value) is not None
        return is_mixed(value) or digits >= _SHORTEST_NUMBER or is_grouped or is_scrambled(value)
    if kind is NameKind.CODE:
        is_large = digits > 1 and len(value) > _SHORTEST_NUMBER and value == value.upper()
        is_spread = _SPREAD.fullmatch(value) is not None and not _NAMES.fullmatch(value)
        return len(value) < _LONGEST_CODE and (digits >= _SHORTEST_NUMBER or is_large or is_spread)
    return kind is NameKind.PASSWORD or (kind is NameKind.TEXT and len(value) >= _SHORTEST_TOKEN)


def is_quoted_secret(value: str, name: str = "") -> bool:
    """Whether a text in quotes is what the name before it says.

    >>> is_quoted_secret("correct horse"), is_quoted_secret("The password of the user.")
    (True, False)
    """
    value = _SCHEME.sub("", value)
    if not _SAYS.search(value) or stands_elsewhere(value) or value.lower().rstrip("?") in _WORDS:
        return False
    if _CONSTANT.fullmatch(value):
        return False
    if _LABEL.fullmatch(value, 0, LONGEST) and any(map(is_noun_of_secret, value.split())):
        return False
    if _letters(name).endswith(_letters(value)) and is_name_of_secret(value):
        return False  # the name of a variable, a header or a field
    if judge_name(name) is NameKind.TEXT and _is_no_token(value):
        return False
    return not (_SENTENCE_BEGINS.match(value) and _SENTENCE.fullmatch(value, 0, LONGEST))


def _is_no_token(value: str) -> bool:
    """Whether a value is the name of a token, one word for the reader, or prose."""
    return (_SPELLED.fullmatch(value) is not None and judge_name(value) >= NameKind.MIXED) or _WORD.fullmatch(
        value
    ) is not None


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()


def is_bare_secret(text: str, start: int, end: int, name: str, notation: Notation) -> bool:
    """Whether what stands without quotes is what the name before it says.

    Args:
        text: all of it, because a sentence or a call goes on after the value.
        start: where the value begins.
        end: where it ends.
        name: the name before it.
        notation: in what the name and its value are written.

    >>> is_bare_secret("password = get(x)", 11, 17, "password", Notation.BARE)
    False
    """
    written = text[start : min(end, start + LONGEST)]
    value = written.rstrip(_CLOSED)
    if not _SAYS.search(value) or any(map(stands_elsewhere, {value, written, written.rstrip(_PUNCTUATION)})):
        return False
    if _SHORT_NUMBER.fullmatch(value) and (len(value) < _SHORTEST_NUMBER or judge_name(name) is NameKind.TEXT):
        return False
    if _letters(name) in _OBJECTS_IN_VAULTS and (_NAME_IN_VAULT.fullmatch(value) or text.startswith(":", start - 1)):
        return False
    if notation is Notation.SHELL or is_chosen(value) or _UNPAIRED.fullmatch(value):
        return True
    if _NO_VALUE.match(text, start):
        return False
    piece = _PIECE.match(value)
    if piece and (notation is Notation.CODE or piece[0].lower() in _WORDS or len(piece[0]) <= _LONGEST_MINIFIED):
        return False
    if notation is not Notation.CELL and not is_mixed(value) and _OPERATOR.match(text, start + len(value)):
        return False
    follows = text[start + len(value) : start + len(value) + 1]
    has_parts = "_" in value or _CAMEL_CASE.fullmatch(value) is not None
    is_assigned = follows == ";" and text.endswith(" = ", 0, start)
    in_code = notation is Notation.CODE or is_assigned or (has_parts and follows in (",", ")", ";"))
    is_symbol = _NO_TOKEN.fullmatch(value) and not is_random(value)
    is_no_token = judge_name(name) is NameKind.TEXT and (is_symbol or _is_no_token(value))
    is_variable = in_code and _IDENTIFIER.fullmatch(value)
    return not (is_no_token or is_variable or _letters(value) == _letters(name) or _is_code(value))


def _is_code(value: str) -> bool:
    """Whether a value is a word of a language, a variable, or an attribute of one."""
    if value.lower() in _WORDS or _TYPE.fullmatch(value):
        return True
    variable = _VARIABLE.fullmatch(value)
    if variable:
        has_parts = _PARTS.search(value) is not None
        return is_noun_of_secret(variable[1]) or (has_parts and judge_name(value) >= NameKind.GENERATED)
    attribute = _ATTRIBUTE.fullmatch(value)
    if attribute is None or is_random(value):
        return False
    is_named = is_name_of_secret(attribute[1]) or is_name_of_secret(value)
    return attribute[1].lower() in _OBJECTS or is_named or ("_" in value and not any(map(str.isdigit, value)))
