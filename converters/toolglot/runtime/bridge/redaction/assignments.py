"""Values behind an operator: of a setting, an entry, a variable, an attribute, a parameter or a pair of keys."""

from __future__ import annotations

import re

from toolglot.runtime.bridge.redaction.names_in_text import TextMatch, TextPart, TextSpan, TextSpans
from toolglot.runtime.bridge.redaction.secret_names import NameKind, judge_name
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    GROUPS,
    PLACEHOLDER,
    Notation,
    fits_name,
    is_bare_secret,
    is_mixed,
    is_placeholder,
    is_quoted_secret,
    rule,
    stands_elsewhere,
)

# Keys in small letters, of a pair in which another key holds the value: `{"name": "password", "value": "hunter2"}`.
NAMING_KEYS = ("name", "key", "label", "parametername", "parameterkey", "option_name", "field", "title", "id")

# The keys of those values.
NAMED_KEYS = ("value", "parametervalue", "option_value", "plaintext", "defaultvalue")


_QUOTE = r"""\\?["']?"""
_BLANK = r"[ \t]{0,16}"
_PLACES = r"(?: (?: \] | %5D ) | s? (?: \[ | %5B ) [\w.-]{0,40} (?: \] | %5D ) )++"  # a[name]=, name[]=, names[0]=
_OPERATOR = rule(
    rf"""(?: (?: [ ]? \#? [0-9]{{1,2}} )? \\?["'`*]{{0,3}} (?P<entry> \] )?
           | (?: \ (?: for | of ) (?: \ [^\s:=,;.]{{1,60}}+ (?: [.] [^\s:=,;.]{{1,60}}+ ){{0,4}} ){{1,4}}?
               (?= [ ]? [:=]+ [ ] ) )
           | {_PLACES} ) (?: [ ] \( [^()\n]{{0,40}} \) )? {_BLANK}
         (?P<operator> : [ \t]? [a-z_.]{{1,40}}+ [ \t]? = (?= [ \t]? [bfru]{{0,2}} ["'] )
           | [:=]{{1,2}} =? >? | := | [.]{{4,80}} )
         (?! // | \? )
         (?: \s{{1,8}} string\([0-9]{{1,6}}\) )? [*]{{0,2}} [ \t]{{0,40}}+"""
)
_BESIDE = rule(
    rf"""{_QUOTE} [\s,;]{{1,80}}+ (?: {_QUOTE} (?!{"|".join(NAMED_KEYS)}) \w{{1,40}}+ {_QUOTE} {_BLANK} [:=] {_BLANK}
             [^\s,;]{{1,40}}+ [\s,;]{{1,80}}+ ){{0,2}}
         {_QUOTE} (?: {"|".join(NAMED_KEYS)} ) {_QUOTE} {_BLANK} (?P<operator> [:=] ) {_BLANK}"""
)
# What stands in quotes, and what does for a quote there: one with a backslash (in JSON within JSON with three), two of
# them in YAML, SQL and shells, and one with the sign of PowerShell.
_GOES_ON = r"""(?![\s,;:)}\]"']|\Z)"""
_DOUBLE = rf"""(?: [^"\\\n`] | \\. | [`"]" {_GOES_ON} | ` )"""
_SINGLE = rf"""(?: [^'\\\n] | \\. | ' (?:\\')? ' {_GOES_ON} )"""
_ESCAPED = r"""\\(?P<quote>["']) ((?: \\\\\\[^\n] | (?!\\(?P=quote)) [^\n] )"""
_BARE = r"""\\. | [^\s"'\\;&,] | ["'\\](?![\s,;:)}\]]|\Z) | [;&,](?![ ]?[\w.-]{1,40}=|\s|\Z)"""
_NEXT = r"\n (?: [+-] (?=[ ]{2}) )? [ \t]++"  # an indented line, also one of a diff
_VALUE = rule(
    rf"""(?: [bfnru]{{1,2}} (?=["']) | \( \s{{1,80}} (?=["'])
      | (?-i: Some | Just | Secret\w{{0,9}} | Sensitive | String ) [ ]? \(? (?=["']) )?
    (?: \"\"\" ((?: (?!\"\"\") . )++) | \\?(?:""|\'\')
      | [|>][+-]?[ \t]{{0,8}}{_NEXT} (?P<block> [^\n]++ (?: {_NEXT} [^\n]++ )*+)
      | {_ESCAPED}++)
      | " ({_DOUBLE}++)
      | ' ({_SINGLE}++)
      | ` ([^`\n]++) `
      | (?P<groups> {GROUPS} )
      | (?P<bare> (?: {_BARE} ){{1,300}}+) )"""
)
_CHANGE = rule(r'''" [ ] -> [ ] " ((?: [^"\\\n] | \\. )++) "''')
_REST = rule(rf"(?: {_BARE} )*+")
_NEXT_CODE = re.compile(r",?[ ](?=\w*[0-9])([\w-]{4,20}+)(?=[,.\s]|\Z)(?![ ]?[:=])")
_RECIPE = re.compile(r"(?:\A|\n)[^\n:]{1,64}:[^\n=]*+\n\t")  # a target of `make` and what it needs
_SAYING = rule(r"the [ ] (?: secret | token | credential ) : [ ] [a-z]{1,20} [.!] (?: \s | \Z )")
_SYMBOL = re.compile("[a-z_]+")
_CLOSING = ")]}>"
_DECLARES = re.compile(r"(?<!\w)(?:let(?: mut)?|const|val) \Z")  # a variable of code: a word without quotes is another

# An object or a list as a value: JSON in a log, or what Python prints. A part redacts its group: a text that is no key.
_OPENS = re.compile(r"""[{\[]\s*+(?:[{\[]|\\?["'])""")
_PART = rule(
    rf"""\s++ | [{{}}\[\]:,] | => | -?[0-9][0-9.eE+-]*+ | (?: true | false | null | none | nil )\b
      | {_ESCAPED}*+) \\(?P=quote) | " ({_DOUBLE}*+) " | ' ({_SINGLE}*+) '"""
)
_IS_KEY = re.compile(r"\s{0,8}(?::|=>)")


def read_assignment(name: TextPart, kind: NameKind) -> tuple[list[TextSpan], int] | None:
    """The secrets behind an operator, directly or at the key of the value, and the offset to continue from.

    `None` where no operator follows the name.
    """
    text = name.text
    operator = _OPERATOR.match(text, name.end) or _BESIDE.match(text, name.end)
    if operator is None:
        return None
    if (operator[0] == ":" and name.has_before(":", '["', "['")) or (
        name.has_before("::") and "=" not in operator[0] and judge_name(f"::{name.word}") is NameKind.UNKNOWN
    ):
        return [], name.end  # also fields that colons part, types such as AWS::KMS::Key, and the user in a URL
    start = operator.end()
    if kind >= NameKind.TEXT and _OPENS.match(text, start):
        return _read_container(text, start)
    value = _VALUE.match(text, start)
    if value is None or value.lastindex is None:
        return [], name.end
    word, span, group = value[value.lastindex], value.span(value.lastindex), value.lastgroup
    if not fits_name(word, kind):
        return [], name.end
    if stands_elsewhere(word) or is_placeholder(text, value.start()):
        return [], value.end()
    if group == "groups":
        return [span], value.end()
    if group == "bare":
        bare = _span_of_bare(name, span, operator)
        if bare is None:
            return [], name.end
        spans = [bare, *(_spans_of_list(text, bare[1]) if kind is NameKind.CODE else ())]
        return spans, spans[-1][1]
    is_closed = text.startswith(('"', "'", "\\", "`"), value.end())
    is_split = word[0] in " \t" and not (is_closed and ":" not in operator[0])
    is_compared = operator["operator"].startswith("==") and not is_mixed(word)
    if is_split or is_compared or not is_quoted_secret(word, name.word):
        return [], name.end
    spans = [span]
    change = _CHANGE.match(text, span[1])  # what it becomes, in a plan of Terraform
    if change:
        spans.append(change.span(1))
    return spans, spans[-1][1]


def _spans_of_list(text: str, end: int) -> TextSpans:
    """The further codes of a list with commas, behind the one that ends at `end`."""
    while code := _NEXT_CODE.match(text, end):
        yield code.span(1)
        end = code.end()


def _read_container(text: str, start: int) -> tuple[list[TextSpan], int]:
    """The texts in an object or a list inside of other text, up to its end or to what cannot be part of it."""
    spans: list[TextSpan] = []
    depth, position, key = 0, start, ""
    while part := _PART.match(text, position):
        position = part.end()
        depth += (part[0] in "{[") - (part[0] in "}]")
        if part.lastindex and _IS_KEY.match(text, position):
            key = part[part.lastindex]
        elif part.lastindex and judge_name(key) is not NameKind.PLAIN and is_quoted_secret(part[part.lastindex]):
            spans.append(part.span(part.lastindex))
        if not depth:
            break
    return spans, position


def _span_of_bare(name: TextPart, span: TextSpan, operator: TextMatch) -> TextSpan | None:
    text = name.text
    start, end = span
    if _assigns_nothing(name, span, operator):
        return None
    if not is_bare_secret(text, start, end, name.word, _notation(name, operator)):
        return None
    rest = _REST.match(text, end)
    return start, start + 1 + len(text[start + 1 : rest.end() if rest else end].rstrip(_CLOSING))


def _assigns_nothing(name: TextPart, span: TextSpan, operator: TextMatch) -> bool:
    """Whether a name and a value are none: a comparison, a recipe, a figure of speech, a symbol, or an emoticon."""
    text = name.text
    if operator["operator"].startswith(("==", "::")) or _RECIPE.match(text, max(0, name.start - 1)):
        return True
    if _SAYING.match(text, max(0, name.start - 4)):
        return True
    if operator[0] == " :" and _SYMBOL.fullmatch(text, *span):
        return judge_name(name.word) is not NameKind.PASSWORD
    return name.word.startswith("--") and PLACEHOLDER.fullmatch(text, *span) is not None


def _notation(name: TextPart, operator: TextMatch) -> Notation:
    text, own, written = name.text, name.word, operator[0]
    is_close = written == "="
    is_entry = written.rstrip(" \t=").endswith("]")
    is_property = "." in own and (not name.start or name.has_before("\n") or own.startswith("-"))
    if ("." in own and not is_property) or is_entry or _DECLARES.search(text, max(0, name.start - 9), name.start):
        return Notation.CODE
    is_literal = own.isupper() or is_property or name.has_before("?", "&", ";")
    return Notation.SHELL if is_close and is_literal else Notation.BARE
