"""When to use a tool and what a call of it gives, where no field of the source says so.

Sentences of the description that say it are quoted. Without any, a sentence is made of what the tool does: it is
supposed, and a record that has room for a mark says so.
"""

from __future__ import annotations

import re

from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.titles import parts_of_name
from toolglot.converter.text.language import is_english
from toolglot.converter.text.pointers import mapping_at
from toolglot.converter.text.sentences import end_sentence, first_sentence, split_sentences, unwrap_paragraphs
from toolglot.converter.text.wording import add_full_stop, join_names
from toolglot.regexes import compile_later

_MARKUP = " \t\n\"'*_#>-"
_OPENING = rf"[{re.escape(_MARKUP)}]*"
_TOOL = r"(?:this|it)(?:\s+(?:tool|function|action|command|method|operation|endpoint|skill))?"
_CASE = r"(?:only\s+|first\s+)?(?:when|whenever|if|for|before|after|as|instead|once|unless|during)\b"
_OF_USE = compile_later(
    rf"(?i){_OPENING}(?:"
    rf"(?:(?:always|only|please)\s+)*(?:use|call|invoke|run)\s+(?:{_TOOL}\s+(?:to\b|{_CASE})|{_CASE})"
    rf"|(?:do not|don't|never|avoid)\s+(?:us|call|invok|runn?)(?:e|ing)?\s+(?:{_TOOL}\b|{_CASE})"
    rf"|(?:{_TOOL}\s+(?:is|should be|must be)\s+)?(?:useful|used|helpful)\s+{_CASE}"
    r"|when\s+(?:not\s+)?to\s+use\b)"
)
_OF_RESULT = compile_later(rf"{_OPENING}(?:{_TOOL}\s+)?returns\s", re.IGNORECASE)

# What a description begins with that says what a tool does, and that is hardly ever a noun there.
_VERBS_IN_FIRST_FORM = (
    "activate add analyze append apply approve archive ask assign attach authenticate block book build calculate "
    "call cancel change check choose clear click clone close combine compare compile compute configure confirm "
    "connect convert copy count crawl create deactivate decode delete demote deploy describe destroy detach detect "
    "disable disconnect display download drag drop duplicate edit enable encode enqueue enrich enumerate estimate "
    "evaluate execute explain explore export extract fetch fill filter find fork forward gather generate get give "
    "grant hide identify import ingest initialize insert inspect install introspect invite invoke join keep launch "
    "leave list load locate lock look make manage mark merge modify monitor move navigate open optimize parse pause "
    "perform place predict prepare press print promote provide publish pull push put query read receive recommend "
    "redirect refresh register reject remove rename render reopen reorder reply reset resize resolve restart "
    "restore resume retrieve return revert review revoke rotate run save scale scan schedule scrape search select "
    "send set show simulate sort start stop store submit subscribe suggest summarize swipe switch take toggle track "
    "transcribe transfer transform translate trigger turn unarchive uninstall unlock unpause unpublish unstage "
    "update upgrade upload validate verify visualize wait watch withdraw write"
)
_VERBS = frozenset(_VERBS_IN_FIRST_FORM.split())
_OF_GETTING = frozenset(("fetch", "get", "list", "provide", "retrieve"))
_VERB = compile_later(r"([A-Za-z]+)(?=,?\s+\S)")
_AFTER_SENTENCE = compile_later(r"\s+[A-Z]\w+:\s|\s*\([^()]*\)[.:]?\Z|[.:]\Z")  # `Args: ...`, or a remark in brackets
_SECOND_VERB = compile_later(r"\b(and|or|then) ([a-z]+s)\b")
_MOST_QUOTED, _LONGEST_QUOTED = 8, 4_000  # sentences, and characters of one with its list
_LONGEST = 300  # characters of a sentence that is made of another

COMPLETED = "Completed."  # what comes of a call of which nothing is known; of an example it is read as nothing
_OK = "OK"  # the same in every language
NO_RESULT = (COMPLETED, _OK)  # read back as nothing said, with a mark or without


def when_to_use(tool: Tool) -> str:
    """When to use a tool: what its description says of that, or else a sentence of what it does.

    >>> when_to_use(Tool(id="find", description="Find a person. Use this tool when somebody is named."))
    'Use this tool when somebody is named.'
    >>> when_to_use(Tool(id="find", description="Finds and removes a person."))
    'To find and remove a person.'
    >>> when_to_use(Tool(id="find_person")), when_to_use(Tool(id="weather"))
    ('To find person.', 'Use it for: weather.')
    """
    description = _description_of(tool)
    quoted = _quote(_OF_USE, description)
    if quoted:
        return quoted
    title = tool.title or " ".join(parts_of_name(tool.id)).lower() or tool.id
    if not is_english(description or title):
        return f"«{title}»"
    for text in (first_sentence(description), title):
        verb, rest = _verb_and_rest(text)
        if verb:
            return end_sentence(f"To {verb}{rest}")
    return f"Use it for: {title}."


def result_of_outputs(tool: Tool) -> str:
    """What a call gives by the schema of its results: the description of that, or the names in it.

    >>> result_of_outputs(Tool(id="a", outputs={"properties": {"url": {}}}, description="Returns a page."))
    'Returns url.'
    """
    outputs = tool.outputs or {}
    if isinstance(outputs.get("description"), str) and outputs["description"]:
        return str(outputs["description"])
    names = list(mapping_at(outputs, "properties"))
    if names and is_english(_description_of(tool)):
        return add_full_stop(f"Returns {join_names(names)}")
    return ", ".join(names)


def result(tool: Tool) -> str:
    """What a call gives by what the description says of it.

    >>> result(Tool(id="a", description="Find a page. Returns its address.")), result(Tool(id="a", description="Go."))
    ('Returns its address.', 'Completed.')
    >>> result(Tool(id="a", description="List the pages of a site."))
    'Returns the pages of a site.'
    """
    description = _description_of(tool)
    if not is_english(description):
        return _OK
    quoted = "eturns" in description and _quote(_OF_RESULT, description)
    if quoted:
        return quoted
    verb, rest = _verb_and_rest(first_sentence(description))
    if verb in _OF_GETTING and not rest.startswith((",", " and ", " or ")):
        return end_sentence(f"Returns{rest}")
    return COMPLETED


def _description_of(tool: Tool) -> str:
    """The description without the title, which stands before it where a target has no other place."""
    return (tool.description or tool.summary or "").removeprefix(f"{tool.title}\n\n")


def _quote(pattern: re.Pattern[str], description: str) -> str:
    """The sentences that a pattern fits, word for word; one that ends in a colon with the list after it."""
    text = unwrap_paragraphs(description)
    quoted: list[str] = []
    end = 0
    for sentence, start in split_sentences(text):
        if start < end or not pattern.match(sentence) or len(quoted) == _MOST_QUOTED:
            continue
        block = text[start : start + _LONGEST_QUOTED].partition("\n\n")[0]
        sentence = first_sentence(block.partition("\n")[0])
        if sentence.rstrip(_MARKUP).endswith(":"):
            sentence = block
        end = start + len(sentence)
        quoted.append(sentence.strip(_MARKUP))
    return "\n".join(quoted)


def _verb_and_rest(sentence: str) -> tuple[str, str]:
    """The verb that a sentence begins with, in its first form, and what follows; two empty texts without one."""
    match = _VERB.match(sentence)
    word = match[1].lower() if match else ""
    verb = _first_form(word)
    if verb is None or len(sentence) > _LONGEST:
        return "", ""
    rest = _AFTER_SENTENCE.split(sentence[len(word) :], 1)[0]
    if verb != word:
        rest = _SECOND_VERB.sub(lambda second: f"{second[1]} {_first_form(second[2]) or second[2]}", rest)
    return verb, rest


def _first_form(word: str) -> str | None:
    """`return` of `returns`, `query` of `queries`; `None` for what is no verb that is known."""
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y")
    return next((form for form in forms if form in _VERBS), None)
