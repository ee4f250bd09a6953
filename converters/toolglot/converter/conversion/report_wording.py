"""Words of the report about single changes; `categories.ACTIONS` has the words for kinds of changes."""

from __future__ import annotations

# (action, field of the hub) -> what is said instead.
NOTES = {
    ("assumed", "trust"): "no such program is known: its name and its flags are made up",
    ("assumed", "safety_tier"): "a cautious proposal; only the host can confirm it",
    ("renamed", "namespace"): "it is left away: no other tool here is called the same",
    ("moved", "namespace"): "it is in the name; this report has the pairs",
}
# What a note says of one change, whatever its action.
ASSERTED = "on your word"
STATED_DANGER = "refused: the source states {}, and nobody's word takes that back"
UNKNOWN_ACTION = "an action that was not found"
UNREADABLE_DANGER = "something about danger that nobody can read"
OTHER_TEXT = "refused: the text is another one than you vouched for"
NOT_FOUND = "what it implements is not known here; it counts as dangerous as any action may be"
CUT = "cut: {}"  # however long: it quotes what nobody says any more
NOT_ASKED_FOR = "not asked for: --{}"
STALE_SLOT = "the record was edited since --lossless kept this; it is read as it stands"
UNASKED_SLOT = "kept by --lossless; --restore takes it back"
BESIDE_TOOLS = "it stands beside the tools, and no tool says it"
NO_DEFINITION_LEFT = "none is left to refer to"
IN_NEWEST_DIALECT = "its schema is said in JSON Schema 2020-12"
OFFERED_LOOSE = "offered loose: {}"
OFFERED_ALREADY = "the very same tool is offered already"
HIDDEN = "it is hidden from models; include_hidden offers it"
NESTED_TOO_DEEPLY = "the schema is nested too deeply [schema-too-deep]"
BUDGET_SPENT = "with the strict tools before it the request would have more than {} [budget]"
NO_STRICT_MODE = "{} has no strict mode for definitions [no-strict-mode]"
OVER_BUDGET = "a request takes at most {} tools: choose some, or offer a program as one definition (flatten action)"
COMMAND_AS_VALUE = "called with {} {!r}; the provider's schema accepts the parameters of every command"

# Why, in few words: of an action, where nothing better is known.
REASONS = {
    "dropped": "no such field",
    "widened": "accepts more",
    "narrowed": "says or accepts less",
    "assumed": "nobody says; filled in for {}",
    "unstated": "nobody states what it changes",
    "moved": "said elsewhere",
    "renamed": "spelled differently",
    "described": "now only words",
    "encoded": "decoding a call brings it back",
    "excluded": "left out",
}
SILENCE_OF_SEVERAL = "nobody states what they change"
OF_METHOD = "is", "are", ", which --trust-methods believes"
OF_HINT = "has", "have", ", which nobody vouches for"
IN_FULL_TEXT = "no such field; --safety-text full says more"
KIND_OF_VENDOR = "a kind of tool that only its vendor knows; elsewhere the host has to carry it out"
CAUTIOUS = ": the cautious value"
MADE_UP_IN_SOURCE = "the source names it as made up"
MADE_UP = ": a text that was made up"
MARKED = ", marked in {}"
AS_FIELD = "said in another field: {}: {}"
AS_HINT = "only as the hint {}, which readers may doubt"
NO_COMMAND_LINE = "no command line there"
NO_SUCH_WORD = "a type or key that no reader knows"
REFUSED_BY_SCHEMA = "its own schema does not take it; check tells why"
NO_SUCH_SCHEMA = "the provider takes no such schema"
LEFT_TO_THE_HOST = "left to the host"
CAN_BE_OFFERED = "left to the host; --with-globals offers them"
CARRIED = "carried along"
AS_SENTENCE = "said in a sentence"
AS_TEXT = "now only in the description"
AS_NAME = "the name says the same"
