"""The words in which documents state danger under keys of their own: what each means, and under which answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from operator import not_
from typing import Any

from toolglot.formats.kit.field_tables import Row, Table, boolean, is_bool, is_texts, word
from toolglot.regexes import compile_later

WordTable = Mapping[str, Any]  # the letters of a key -> its row, or the words that count in the mapping under it


def letters_of_key(key: str) -> str:
    """What is the same in all spellings of a key.

    >>> letters_of_key("READ-ONLY"), letters_of_key("readOnly")
    ('readonly', 'readonly')
    """
    return "".join(filter(str.isalnum, key.lower()))


def words_of(table: Table) -> WordTable:
    """The keys of a table by their letters; those of a table inside it also in one word with its own key.

    >>> words = words_of({"risk_level": boolean("destructive"), "cost": {"Billable": boolean("billable")}})
    >>> list(words), list(words["cost"])
    (['risklevel', 'cost', 'costbillable'], ['billable'])
    """
    words: dict[str, Any] = {}
    for key, entry in table.items():
        letters = letters_of_key(key)
        if isinstance(entry, Row):
            words[letters] = entry
            continue
        words[letters] = words_of(entry)
        for inner_letters, row in words[letters].items():
            if isinstance(row, Row):
                words[letters + inner_letters] = row
    return words


_ANSWERS: dict[str, str] = {
    **dict.fromkeys(("always", "required", "enabled", "alwaysask"), "always"),
    **dict.fromkeys(("never", "no", "none", "auto", "disabled", "notrequired", "alwaysallow"), "never"),
}


def answer_to(value: Any) -> str | None:
    """Whether a person is asked, in any spelling; `None` where nobody can tell.

    >>> answer_to(True), answer_to("DISABLED"), answer_to("perhaps")
    ('always', 'never', None)
    """
    if isinstance(value, bool):
        return "always" if value else "never"
    return _ANSWERS.get(letters_of_key(value)) if isinstance(value, str) else None


def _says_nothing(value: Any) -> bool:
    """Any value, of a word that has to say something to be heard."""
    return True


ASKS = Row("approval", lambda value: answer_to(value) is not None, answer_to)
_MAY_ASK = Row(ASKS.field, ASKS.accepts, ASKS.load, is_silent=_says_nothing)  # or a text is what is asked
_ASKS_UNLESS = Row(
    "approval", is_bool, {True: "never", False: "always"}.__getitem__, is_silent=lambda value: not is_bool(value)
)


def _if_yes(field: str, value: Any, about: str | None = None) -> Row:
    """A word that may mean something else too: it says something where its answer is yes."""
    return Row(field, lambda answer: bool(answer == 1), lambda answer: value, is_silent=_says_nothing, about=about)


# Who has to be asked for what, as people put the words together: `requires_human_approval`, `approvalMode`.
_OF_A_PERSON = [
    f"{who}_{noun}" for who in ("human", "user", "explicit", "manual", "admin") for noun in ("approval", "confirmation")
]
_APPROVALS = ("approval", "confirmation", *_OF_A_PERSON)
_ASKED_FOR = (*_APPROVALS, "confirm", "consent", "user_consent", "human_review", "human_in_the_loop")
_WORDS_THAT_ASK = [
    *[f"{verb}_{noun}" for noun in _ASKED_FOR for verb in ("require", "requires", "need", "needs")],
    *[f"{noun}_{ending}" for noun in _ASKED_FOR for ending in ("required", "needed")],
]
_WORDS_FOR_APPROVAL = [
    *_OF_A_PERSON,
    *_WORDS_THAT_ASK,
    *[f"{noun}_{ending}" for noun in _APPROVALS for ending in ("mode", "policy")],
]

_MAY_BE_ASKED = (
    "confirm", "confirmation", "must_confirm", "always_ask", "ask_first", "human_review", "human_in_loop", "hitl",
    "requires_permission", "needs_permission", "permission_required",
)  # fmt: skip
ASKING_ALONE = frozenset(map(letters_of_key, (*_WORDS_THAT_ASK, "always_ask")))
_HIGH = frozenset({
    "high", "highrisk", "veryhigh", "highest", "critical", "severe", "extreme", "danger", "dangerous", "destructive",
})  # fmt: skip
_RISK = Row(  # numbers have many scales
    "risk_level",
    lambda value: value is True or (isinstance(value, str) and letters_of_key(value) in _HIGH),
    lambda value: 3,
    is_silent=_says_nothing,
)
_DANGEROUS_GROUP = compile_later(
    r"\W*(?:danger(?:ous)?|destructive)(?: (?:zone|options?|flags?|commands?|actions?|operations?))?\W*", re.IGNORECASE
)
_GROUP = Row(
    "destructive",
    lambda value: isinstance(value, str) and _DANGEROUS_GROUP.fullmatch(value) is not None,
    lambda words: True,
    is_silent=_says_nothing,
)
_PARTS = Row("destructive", bool, lambda parts: True)  # of a call
_DANGEROUS_PARTS = [
    f"{word}_{part}" for word in ("dangerous", "destructive") for part in ("flags", "options", "arguments", "args")
]
_READ_ONLY = Row("safety_tier", is_bool, {True: "read", False: "write"}.__getitem__, about="modifies")
_NO_EFFECTS = ("none", "read", "readonly")


def _tier_of_effects(effects: bool | list[Any]) -> str:
    """What effects that are listed change at least.

    >>> _tier_of_effects(["none"]), _tier_of_effects(["mail"])
    ('read', 'write')
    """
    if isinstance(effects, list):
        effects = any(letters_of_key(str(effect)) not in _NO_EFFECTS for effect in effects)
    return "write" if effects else "read"


_CHANGES = Row(
    "safety_tier",
    lambda value: is_bool(value) or isinstance(value, list),
    _tier_of_effects,
    is_silent=_says_nothing,
    about="modifies",
)
_TIER = Row(
    "safety_tier",
    word("safety_tier", "pure", "read", "write", "exec").accepts,
    is_silent=lambda value: value is None or value in ("safe", "low", "readonly", "read-only"),
)
_ACCESS = Row(
    "safety_tier",
    lambda value: isinstance(value, str) and letters_of_key(value) in ("write", "readwrite", "writeonly", "rw"),
    lambda value: "write",
    is_silent=_says_nothing,
    about="modifies",
)
_CHANGES_IF_YES = _if_yes("safety_tier", "write", about="modifies")
_DELETES = Row("deletes", lambda value: is_bool(value) or is_texts(value), lambda value: ("*",) if value else ())
_METHOD = Row(  # of HTTP
    "deletes",
    lambda value: isinstance(value, str) and value.upper() == "DELETE",
    lambda value: ("*",),
    is_silent=_says_nothing,
)
_WORDS_FOR_EXECUTION = (
    "code_execution", "arbitrary_code", "arbitrary_code_execution", "runs_code", "runs_commands", "executes_commands",
    "shell_access", "spawns_process", "spawns_processes",
)  # fmt: skip
_WORDS_FOR_NETWORK = (
    "network", "network_access", "requires_network", "uses_network", "internet_access", "requires_internet",
)  # fmt: skip
_WORDS_FOR_CHANGES = (
    "side_effect", "has_side_effect", "writes", "writes_data", "modifies", "modifies_data", "modifies_state",
    "mutates_state", "state_changing", "read_write",
)  # fmt: skip
_WORDS_FOR_LOSS = ("not_reversible", "non_reversible", "cannot_be_undone", "unrecoverable")
# Each may have other words around it (see `_spellings_of`), and be spelled in any way.
_COMMON_WORDS = words_of({
    "destructive": boolean("destructive"),
    "dangerous": boolean("destructive"),
    "unsafe": boolean("destructive"),
    **dict.fromkeys(("destroys_data", "causes_data_loss"), _if_yes("destructive", True)),
    "safe": Row("destructive", is_bool, not_),
    "non_destructive": Row("destructive", is_bool, not_),
    "reversible": boolean("reversible"),
    "undoable": boolean("reversible"),
    "irreversible": Row("reversible", is_bool, not_),
    **dict.fromkeys(_WORDS_FOR_LOSS, _if_yes("reversible", False)),
    **dict.fromkeys(("can_undo", "can_be_undone", "revertible"), Row("reversible", is_bool, is_silent=_says_nothing)),
    "idempotent": boolean("idempotent"),
    **dict.fromkeys(("not_idempotent", "non_idempotent"), _if_yes("idempotent", False)),
    "read_only": _READ_ONLY,
    "side_effects": _CHANGES,
    "has_side_effects": _CHANGES,
    "mutating": _CHANGES,
    "mutates": _CHANGES,
    **dict.fromkeys(_WORDS_FOR_CHANGES, _CHANGES_IF_YES),
    **dict.fromkeys(("access", "access_mode"), _ACCESS),
    "safety_tier": _TIER,
    "deletes": _DELETES,
    "deletes_data": _DELETES,
    "deletes_files": boolean("deletes_files"),
    "method": _METHOD,
    "http_method": _METHOD,
    "filesystem": {"delete": boolean("deletes_files")},
    "subprocess": boolean("subprocess"),
    "executes_code": boolean("subprocess"),
    **dict.fromkeys(_WORDS_FOR_EXECUTION, _if_yes("subprocess", True)),
    "open_world": boolean("network"),
    **dict.fromkeys(_WORDS_FOR_NETWORK, _if_yes("network", True)),
    "billable": boolean("billable"),
    **dict.fromkeys(("costs_money", "spends_money", "incurs_cost", "incurs_costs"), _if_yes("billable", True)),
    **dict.fromkeys(("danger", "danger_level", "hazard", "hazard_level", "threat_level", "severity"), _RISK),
    **dict.fromkeys(("risk", "risks", "risk_level", "risk_class", "risk_tier", "risk_category", "risk_rating"), _RISK),
    "high_risk": _if_yes("risk_level", 3),
    **dict.fromkeys(_WORDS_FOR_APPROVAL, ASKS),
    "approval": ASKS,
    "consequential": ASKS,
    "human_in_the_loop": ASKS,
    **dict.fromkeys(_MAY_BE_ASKED, _MAY_ASK),
    **dict.fromkeys(("auto_approve", "auto_approved", "auto_approval"), _ASKS_UNLESS),
    **dict.fromkeys(_DANGEROUS_PARTS, _PARTS),
    "group": _GROUP,
    "help_group": _GROUP,
    "category": _GROUP,
})  # fmt: skip


# What people call effects, one or a list of them: `side_effects: [fs:delete, network]`, `mutates "fs:delete"`.
EFFECTS = words_of({
    **dict.fromkeys(("delete", "deletes", "deletion", "remove", "removes", "delete_data"), _DELETES),
    **dict.fromkeys(("write", "writes", "mutation", "mutates", "state_mutation", "update", "create", "send"), _CHANGES),
    **dict.fromkeys(("execute", "exec", "shell", "subprocess", "code_execution"), boolean("subprocess")),
    **dict.fromkeys(("network", "external_api"), boolean("network")),
    **dict.fromkeys(("payment", "purchase", "charge", "billing"), boolean("billable")),
})  # fmt: skip
LISTS_OF_EFFECTS = frozenset({"effect", "effects", "sideeffect", "sideeffects", "mutates"})

NO_WORDS: WordTable = {}


def words_with(own: WordTable) -> WordTable:
    """A format's own words, and those that anybody may use."""
    return {**_COMMON_WORDS, **own}


COMMON = words_with(NO_WORDS)
