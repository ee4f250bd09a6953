"""Rules of the family `safety`: facts and hints about danger that are contradicted, or missing.

Hosts decide by these facts whether to ask a person. What a name or a text says makes no tool look safe; it can only
show that a field is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.hub.facets import facets_with
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.safety import (
    FIELDS_OF_DANGER,
    UNKNOWN,
    WORDS,
    caution,
    facets_of,
    levels_of,
    may_warn,
    text_warnings,
    warnings_in,
    worst_value,
)
from toolglot.converter.safety.danger_in_names import DESTROYS, READS, WRITES, first_word, verb_in, words_of_name
from toolglot.converter.schema.keywords import walk
from toolglot.converter.text.pointers import mapping_at, pointer_of_path, texts_at, walk_texts
from toolglot.converter.text.sentences import first_sentence
from toolglot.verbs.diagnostics.rules.phrases import quote

# "remove", "drop", "kill" and "revoke" are said of what stays as it was, or comes back.
_DESTROYS_FOR_GOOD = DESTROYS - {"remove", "removes", "drop", "drops", "truncate", "kill", "revoke"}
_READING_TIERS = ("pure", "read")
_IRREVERSIBLE = re.compile(
    r"\b(?:permanent(?:ly)? (?:delet|remov|destroy|eras|los)\w*|(?:delet|remov|destroy|eras)\w* [^.]{0,40}permanently|"
    r"irreversibl[ey]|irrevocabl[ey]|(?:cannot|can'?t|can not) be (?:undone|reversed|recovered)|"
    r"(?<!non-)(?<!non)(?<!not )destructive)\b",
    re.IGNORECASE,
)
_IN_IRREVERSIBLE = ("permanent", "irre", "undone", "reversed", "recovered", "destructive")
_SOME = "(?:(?:an?|the|all|any|every|one|multiple|specific|existing|given) ){0,3}"
_KIND = r"(?:(?!from\b|of\b)\w{1,40} ){0,2}?"
_TABLES = "(?:database|table|schema|collection|index|column|view|keyspace|bucket|queue|topic)(?:e?s)?"
_RESOURCES = (
    "(?:account|app|application|backup|branch|cluster|config|container|context|deployment|directory|document|domain|"
    "environment|file|folder|image|instance|namespace|network|node|object|pod|project|record|release|repository|"
    "resource|row|secret|server|service|site|snapshot|stack|user|volume|workspace)s?|directories|repositories"
)
# What a sentence says at its start that the tool does. Verbs inside of a sentence are mostly nouns ("inserts, updates
# and deletes") or about others; "removes", "clears" and "truncates" are said of texts and pictures too, which stay as
# they were ("Removes the background of a picture."), and count with the things that are gone then.
_DESTROYING_SENTENCE = re.compile(
    r"(?:^|[.!?:;]\s{1,4}|\n[\s*#>-]{0,9})"  # bounded: from each of a thousand empty lines it would go to the end
    r"(?:(?:this|the) (?:tool|command|function|operation) (?:will |can )?|it (?:will |can )?|used? to |tool to |"
    r"use this (?:tool )?to |permanently |completely |immediately ){0,4}"
    r"(?P<words>(?:delete|erase|destroy|purge|wipe|shred|uninstall|revoke|overwrite|kill)s?|"
    rf"(?:drop|truncate)s? {_SOME}{_KIND}{_TABLES}|"
    rf"removes? (?:(?:all|every|unused|stopped|one or more) |{_SOME}{_KIND}(?:{_TABLES}|{_RESOURCES})\b(?! from\b))|"
    r"empt(?:y|ies) (?:the )?(?:\w+ )?(?:trash|bin|bucket))\b"
    r"(?! (?:no|nothing)\b)(?!\s*[:=(/])",
    re.IGNORECASE,
)
# The same of what is run, and is whatever the caller writes; a query that only reads is no such thing.
_EXECUTING_SENTENCE = re.compile(
    r"\A(?:(?:this|the) (?:tool|command|function|operation) (?:will |can )?|it (?:will |can )?|used? to |tool to |"
    r"use this (?:tool )?to |allows? you to |safely ){0,3}"
    r"(?P<words>(?:run|execute|evaluate)s? (?:(?:an?|the|any|some|one|one-off|arbitrary|custom|raw|given|specified|"
    r"single|multiple|provided|system|remote|local|write|modifying|\w{1,20}script|python|node\.js|ruby|r|or) ){0,5}?"
    r"(?:sql|ddl|shell|bash|powershell|cmd|terminal|commands?|command[ -]line|code|scripts?|snippets?|"
    r"insert|update|delete)\b)"
    r"(?! (?:select|search|palette|history)\b)(?![^.]{0,80}\b(?:read[- ]?only|select (?:query|statement)))",
    re.IGNORECASE,
)
# The same of what a value of a parameter has the tool do, and of what it has it do without asking anybody. A value that
# is deleted ("ID of the note to delete") is no such thing.
_DESTROYING_VALUE = re.compile(
    _IRREVERSIBLE.pattern + r"|"
    r"(?:\A\W{0,9}|\b(?:(?:if|when) (?:it is |set to )?|set (?:this |it )?(?:to )?)"
    r"[`'\"]?(?:true|yes|1|enabled|set|given|present)\b[`'\"]?,? (?:to )?)"
    r"(?:(?:whether to|should|will|also|permanently|recursively|force|this|it|completely|immediately) ){0,3}"
    r"(?:(?:delete|erase|destroy|purge|wipe|shred)s?\b(?! (?:marker|token|key|flag|nothing)s?\b)|"
    r"overwrites? (?:(?:the|any|an|all) )?(?:existing|output|target|destination|files?|data|content|remote|local)\b|"
    r"drops? (?:(?:the|any|all|existing|target) ){0,2}(?:database|table|schema|collection|index)s?\b|"
    r"discards? (?:(?:the|any|all|local|uncommitted|unsaved) ){0,2}changes\b)",
    re.IGNORECASE,
)
_ASKS_NOBODY = re.compile(
    r"\b(?:skip|bypass|suppress|disable)(?:s|es|ping|ing)? "
    r"(?:(?:the|any|all|this|interactive|user|safety|security) ){0,3}"
    r"(?:confirmations?|approvals?|consent|safety checks?|security checks?|safeguards?|guardrails?|permission checks?|"
    r"(?:confirmation|approval|interactive) prompts?)\b|"
    r"\bwithout (?:(?:any|asking|prompting|user|further|explicit|manual|requiring|for|interactive) ){0,3}"
    r"(?:confirmation|confirming|approval|prompting|consent)\b|"
    r"\b(?:do not|don'?t|never) (?:ask|prompt) (?:for (?:confirmation|approval|consent)|before|the user)\b",
    re.IGNORECASE,
)
# One of these is in every text that fits one of the two; few texts have one, and to look for them takes no time.
_STEMS_OF_DANGER = (
    "permanent", "irre", "undone", "revers", "recover", "destr", "delet", "eras", "purg", "wip", "shred", "overwrit",
    "drop", "discard", "confirm", "approv", "consent", "safe", "security", "guardrail", "permission", "prompt", "ask ",
)  # fmt: skip
_GREAT_DANGERS = frozenset(facets_with(always_said=True)) - {"billable", "executes"}
_STATED_DANGERS = {"unclear"}.union(
    field for field in FIELDS_OF_DANGER if not _GREAT_DANGERS.isdisjoint(levels_of(field, worst_value(field)))
)
_DESTROYING_FACETS = frozenset(facets_with(always_said=True, is_change=True))
_MOST_SCHEMAS = 500  # of a tool whose texts are looked at
_ENUM_TEXTS = ("enumDescriptions", "x-enum-descriptions", "x-enumDescriptions", "markdownEnumDescriptions")
_READ_ONLY = re.compile(r"\bread[- ]?only\b", re.IGNORECASE)
_CHOOSERS = ("method", "action", "operation", "command", "op", "mode")


def _read_only_claim(subject: Subject) -> str:
    """The field that claims that a tool only reads; nothing where none does."""
    claims = subject.claims
    if claims.get("safety_tier") in _READING_TIERS:
        return "safety_tier"
    if claims.get("mutates") == ():
        return "mutates"
    return "risk_level" if claims.get("risk_level") == 0 else ""


def _harmless_claim(subject: Subject) -> str:
    """The field that claims that a tool only reads, or that it destroys nothing; nothing where none does."""
    claim = _read_only_claim(subject)
    if not claim and subject.claims.get("destructive") is False:
        return "destructive"
    return claim


def _verb_of(subject: Subject) -> str:
    own = subject.own
    return verb_in(own.id, own.description or own.summary or "")


def _find_name(
    subject: Subject, verbs: frozenset[str], claim_of: Callable[[Subject], str], of_commands: bool = True
) -> Iterator[Hit]:
    """A name that says one of some verbs, and a claim that says otherwise."""
    word, claim = _verb_of(subject), claim_of(subject)
    if word in verbs and claim and (of_commands or not subject.is_command):
        yield Hit({"word": word}, claim)


def _texts_of_tool(subject: Subject) -> str:
    """What a tool says of itself in words."""
    own = subject.own
    return "\n".join(filter(None, (own.summary, own.description, own.guidance, own.when_to_use)))


def _irreversible_words(text: str) -> str:
    """The words by which a text says that what is done cannot be undone; nearly none has a part of one."""
    lower_text = text.lower()
    if text.isascii() and not any(map(lower_text.__contains__, _IN_IRREVERSIBLE)):
        return ""
    return _words_of(_IRREVERSIBLE, text)


def _find_irreversible_text(subject: Subject) -> Iterator[Hit]:
    claim = _harmless_claim(subject)
    if not claim and subject.claims.get("reversible") is True:
        claim = "reversible"
    words = _irreversible_words(_texts_of_tool(subject)) if claim else ""
    if words:
        yield Hit({"words": quote(words)}, claim)


def _find_destroying_text(subject: Subject) -> Iterator[Hit]:
    claims, claim = subject.claims, _harmless_claim(subject)
    if not claim and claims.get("deletes_files") is False and claims.get("network") is False:
        claim = "deletes_files"
    if not claim or _verb_of(subject) in DESTROYS:
        return  # nothing is contradicted, or another rule warns of it
    text = _texts_of_tool(subject)
    match = _DESTROYING_SENTENCE.search(text)
    if match is not None and not _irreversible_words(text):  # of that another rule warns, too
        yield Hit({"words": quote(match["words"])}, claim)


def _find_unstated_danger(subject: Subject) -> Iterator[Hit]:
    if subject.claims.keys() & _STATED_DANGERS or text_warnings(subject.own):
        return
    words = _irreversible_words(_texts_of_tool(subject))
    if words:
        yield Hit({"what": "text", "words": quote(words)}, "description")
    elif caution(subject.tool)["changes"] == UNKNOWN:
        yield from _dangerous_verbs(subject)


def _dangerous_verbs(subject: Subject) -> Iterator[Hit]:
    """What the first sentence of a tool, or its name, says that it destroys or runs."""
    own = subject.own
    sentence = first_sentence(own.description or own.summary or "")
    match = _DESTROYING_SENTENCE.match(sentence) or _EXECUTING_SENTENCE.match(sentence)
    if match is not None:
        yield Hit({"what": "text", "words": quote(match["words"])}, "description")
        return
    words = words_of_name(own.id)
    word = next((word for word in words if word in _DESTROYS_FOR_GOOD), "")
    if word and words[0] not in READS | WRITES and not subject.is_command:
        yield Hit({"what": "name", "words": word}, "id")


def _find_dangerous_value(subject: Subject) -> Iterator[Hit]:
    """The first parameter whose text states a danger that neither a field nor the text of the tool does."""
    harmless = _harmless_claim(subject)
    is_stated = bool(subject.claims.keys() & _STATED_DANGERS) or _verb_of(subject) in DESTROYS
    if is_stated and not harmless:
        return
    for pointer, text in _texts_of_values(subject.own.inputs):
        destroying = _destroying_words(text)
        words = destroying or _words_of(_ASKS_NOBODY, text)
        if not words:
            continue
        if destroying and harmless:
            claim = f"`{harmless}` says that nothing is destroyed"
            yield Hit({"words": quote(words), "claim": claim}, "inputs", pointer)
        elif not is_stated and not text_warnings(subject.own) and not _irreversible_words(_texts_of_tool(subject)):
            yield Hit({"words": quote(words), "claim": "no field does"}, "inputs", pointer)
        return


def _destroying_words(text: str) -> str:
    """The words or the warnings by which the text of a parameter says that a value destroys."""
    warnings = [WORDS[name] for name in warnings_in(text)]
    flags = [warning.words for warning in warnings if warning.facet in _DESTROYING_FACETS]
    return _words_of(_DESTROYING_VALUE, text) or ", ".join(flags)


def _words_of(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return "" if match is None else match.group()


def _texts_of_values(inputs: JsonSchema | None) -> Iterator[tuple[str, str]]:
    """What the schemas of arguments say of values, and might be dangerous, each text with where it stands."""
    for pointer, schema in islice(walk(inputs or {}), 1, _MOST_SCHEMAS):
        if not isinstance(schema, dict):
            continue
        for key in ("description", *_ENUM_TEXTS):
            for path, text in walk_texts(schema.get(key)):
                lower_text = text.lower()
                if may_warn(text) or any(stem in lower_text for stem in _STEMS_OF_DANGER):
                    yield f"{pointer}/{key}{pointer_of_path(path)}", text


def _find_unstated_reading(subject: Subject) -> Iterator[Hit]:
    if any(facets_of(name) & {"changes", "risk"} for name in subject.claims):
        return
    match = _READ_ONLY.search(_texts_of_tool(subject))
    if match is not None:
        yield Hit({"words": quote(match.group())}, "description")


def _find_two_in_one(subject: Subject) -> Iterator[Hit]:
    properties = mapping_at(subject.own.inputs or {}, "properties")
    if _verb_of(subject) in WRITES | DESTROYS:
        return
    for name in _CHOOSERS:
        verbs = set(map(first_word, texts_at(mapping_at(properties, name), "enum")))
        if verbs & READS and verbs & (WRITES | DESTROYS):
            verbs_in_words = f"{min(verbs & READS)} and {min(verbs & (WRITES | DESTROYS))}"
            yield Hit({"name": name, "both": verbs_in_words}, "inputs", f"/properties/{name}")


_COUNTS_AS_DANGEROUS = (
    "The field counts as dangerous until somebody corrects it, and other readers take it for silence."
)

RULES = (
    *declare_rules(
        "safety",
        "the rules of safety",
        {
            "unclear-safety": (
                "error",
                "a field about safety has a value that nobody can read",
                _COUNTS_AS_DANGEROUS,
                "Write one of the values that the format has; the finding names them.",
            ),
            "misspelt-key": (
                "error",
                "a key looks like one about safety, and is none",
                _COUNTS_AS_DANGEROUS,
                "Correct its spelling.",
            ),
            "misplaced-key": (
                "error",
                "a key about safety stands where it says nothing",
                _COUNTS_AS_DANGEROUS,
                "Move it where it belongs.",
            ),
            "unconfirmed": (
                "warning",
                "a conversion made a value up, which nobody states",
                "Its format demands a value. The next conversion reads it as unknown.",
                "Correct the value, and take its name out of the mark: `toolglot check --confirm-assumed FILE`.",
            ),
            "danger-in-unknown-key": (
                "warning",
                "a key that nobody reads sounds like a danger",
                "Readers pass over it, so that the tool looks as if it said nothing.",
                "Say it in a field of the format, or in the description with a flag such as [⚠️ DESTRUCTIVE].",
            ),
        },
    ),
    Rule(
        code="name-says-destructive",
        severity="error",
        message="the name says that it destroys ({word}), and this says that it does not",
        why="A host that believes the field lets the call through without asking.",
        mend="Correct the field; if the tool really destroys nothing, give it another name.",
        citation="the directories of Anthropic and OpenAI",
        bad={"id": "delete_note", "description": "Deletes a note.", "destructive": False},
        good={"id": "delete_note", "description": "Deletes a note.", "destructive": True},
        of_tool=partial(_find_name, verbs=DESTROYS, claim_of=_harmless_claim, of_commands=False),
    ),
    Rule(
        code="name-says-write",
        message="the name says that it changes something ({word}), and this says that it only reads",
        why="Hosts call what only reads without asking, and models call it as often as they like.",
        mend="Correct the field; if the tool really changes nothing, give it another name.",
        citation="measured on 302 published tools with hints",
        bad={"id": "send_mail", "description": "Sends a mail.", "safety_tier": "read"},
        good={"id": "send_mail", "description": "Sends a mail.", "safety_tier": "write"},
        of_tool=partial(_find_name, verbs=WRITES, claim_of=_read_only_claim),
    ),
    Rule(
        code="name-says-read",
        severity="info",
        message="the name says that it reads ({word}), and this says that it destroys",
        why="People stop reading warnings that are wrong.",
        mend="Look which of the two is right.",
        bad={"id": "get_note", "description": "Reads a note.", "destructive": True},
        good={"id": "get_note", "description": "Reads a note.", "destructive": False},
        of_tool=partial(
            _find_name,
            verbs=READS,
            claim_of=lambda subject: "destructive" if subject.claims.get("destructive") is True else "",
        ),
    ),
    Rule(
        code="text-says-irreversible",
        message="the text says {words}, and this says the opposite",
        why="The field decides whether a person is asked. The text is what the author thought of.",
        mend="Correct the field.",
        bad={"id": "clean", "description": "Permanently deletes old notes.", "destructive": False},
        good={"id": "clean", "description": "Permanently deletes old notes.", "destructive": True},
        of_tool=_find_irreversible_text,
    ),
    Rule(
        code="text-says-destructive",
        message="the text says {words}, and this says that nothing is destroyed",
        why="Hosts call what destroys nothing without asking. The text is what the author thought of.",
        mend="Correct the field; if the tool really destroys nothing, say what it does in another word.",
        citation="MCP, ToolAnnotations",
        bad={"id": "tidy", "description": "Erases all backups.", "safety_tier": "read"},
        good={"id": "tidy", "description": "Erases all backups.", "destructive": True},
        of_tool=_find_destroying_text,
    ),
    Rule(
        code="danger-unstated",
        message="the {what} says {words}, and no field does",
        why="Hosts decide by fields; from a name or a text they learn nothing.",
        mend="State it in the field for destructive effects.",
        citation="measured: right of 72 of 74 published tools that it was not written from",
        bad={"id": "clean", "description": "Permanently deletes old notes."},
        good={"id": "clean", "description": "Permanently deletes old notes.", "destructive": True},
        of_tool=_find_unstated_danger,
    ),
    Rule(
        code="parameter-says-destructive",
        severity="info",
        message="the text of a parameter says {words}, and {claim}",
        why="Hosts decide before a call by the fields of the tool. Of what a value does they learn nothing.",
        mend="State the worst that a call can do in the fields of the tool, or make a tool of its own of it.",
        citation="measured: 6 of 4,562 published tools",
        bad={"id": "tidy", "inputs": {"properties": {"all": {"description": "Set to true to delete old notes."}}}},
        good={"id": "tidy", "inputs": {"properties": {"note": {"description": "ID of the note to delete."}}}},
        of_tool=_find_dangerous_value,
    ),
    Rule(
        code="text-says-read-only",
        severity="info",
        message="the text says {words}, and no field does",
        why="A host that knows nothing of a tool asks before every call.",
        mend="State it in a field.",
        citation="measured: 160 published tools",
        bad={"id": "peek", "description": "Read-only access to the notes."},
        good={"id": "peek", "description": "Read-only access to the notes.", "safety_tier": "read"},
        of_tool=_find_unstated_reading,
    ),
    Rule(
        code="reads-and-writes",
        message="one tool reads and writes: `{name}` may be {both}",
        why="A host can ask before a tool, not before one value of a parameter: either reading asks, or writing "
        "does not.",
        mend="Make two tools of it.",
        citation="the directory of Anthropic",
        bad={"id": "notes", "inputs": {"properties": {"action": {"enum": ["list", "delete"]}}}},
        good={"id": "list_notes", "inputs": {"properties": {"limit": {"type": "integer"}}}},
        of_tool=_find_two_in_one,
    ),
)
