"""What a description says about danger, how much caution that asks for, and how a target says it.

Every rule about danger stands in this package:

danger_of_stated_facts     what a stated field says about each *facet* (destructive, network, approval, ...), and the
                           order of danger among its values
danger_in_texts_and_tags   the words in which a text or a tag states danger, and how they are found
stated_caution             how much caution the statements of a tool ask for together, and what law 3 forbids
caution_before_calls       the same for a single call, as hosts judge it
danger_in_names            what the words of a name say that its tool does; conversions believe none of them
reasons_to_ask             what a person has to be asked before a call
vendor_extensions          the few keys of no format that count, and what only sounds like danger
constants                  the cautious values of what nobody states
statements_for_targets     what a target says: the value of a field that the source does not state, and words for what
                           has no field
inheritance                what a command takes from the groups and the program above it, as `leaves_of` asks, and
                           a tool from the action that it implements, which it may not take back

The facets are the table of `hub.facets`. A facet has a *level*; more is more cautious, and unknown lies between safe
and unsafe, never at safe. The order and its rules are in `docs/internals/safety.md`; the flags are the ATIP RFC,
section 8.1.
"""

from toolglot.converter.hub.facets import FACETS
from toolglot.converter.safety.constants import CONSTANTS, without_constants
from toolglot.converter.safety.danger_in_texts_and_tags import (
    FLAGS,
    NOTES,
    SAFETY_LABEL,
    WORDS,
    fields_of_warnings,
    imitations_in,
    may_warn,
    names_by_words,
    sort_warnings,
    warnings_in,
    without_warnings,
)
from toolglot.converter.safety.danger_of_stated_facts import (
    FIELDS_OF_DANGER,
    SAFE,
    UNKNOWN,
    UNKNOWN_LEVELS,
    UNSAFE,
    Levels,
    facets_of,
    is_known,
    is_unsafe,
    known_values,
    levels_of,
    rank,
    worse,
    worst_value,
)
from toolglot.converter.safety.inheritance import (
    find_relaxations,
    is_inherited,
    with_inherited_facts,
    with_provenance,
    without_inherited_facts,
)
from toolglot.converter.safety.stated_caution import (
    SAFETY_FIELDS,
    asks_on_change,
    breached_facets,
    caution,
    denied_dangers,
    denies_reading,
    gist_of,
    hidden_facets,
    is_action_known,
    is_read_only,
    stated_facts,
    states_nothing,
    text_warnings,
    weaker_facets,
)
from toolglot.converter.safety.statements_for_targets import (
    Approval,
    SafetyWords,
    as_scope,
    express_safety,
    missing_warnings,
    policy_in_words,
    warnings_beyond,
    with_read_only_flag,
)
from toolglot.converter.safety.vendor_extensions import (
    FOREIGN_KEYS,
    NAMES_BELOW,
    ForeignDanger,
    foreign_dangers,
    is_open,
    sounding_keys,
)

__all__ = [
    "CONSTANTS",
    "FACETS",
    "FIELDS_OF_DANGER",
    "FLAGS",
    "FOREIGN_KEYS",
    "NAMES_BELOW",
    "NOTES",
    "SAFE",
    "SAFETY_FIELDS",
    "SAFETY_LABEL",
    "UNKNOWN",
    "UNKNOWN_LEVELS",
    "UNSAFE",
    "WORDS",
    "Approval",
    "ForeignDanger",
    "Levels",
    "SafetyWords",
    "as_scope",
    "asks_on_change",
    "breached_facets",
    "caution",
    "denied_dangers",
    "denies_reading",
    "express_safety",
    "facets_of",
    "fields_of_warnings",
    "find_relaxations",
    "foreign_dangers",
    "gist_of",
    "hidden_facets",
    "imitations_in",
    "is_action_known",
    "is_inherited",
    "is_known",
    "is_open",
    "is_read_only",
    "is_unsafe",
    "known_values",
    "levels_of",
    "may_warn",
    "missing_warnings",
    "names_by_words",
    "policy_in_words",
    "rank",
    "sort_warnings",
    "sounding_keys",
    "stated_facts",
    "states_nothing",
    "text_warnings",
    "warnings_beyond",
    "warnings_in",
    "weaker_facets",
    "with_inherited_facts",
    "with_provenance",
    "with_read_only_flag",
    "without_constants",
    "without_inherited_facts",
    "without_warnings",
    "worse",
    "worst_value",
]
