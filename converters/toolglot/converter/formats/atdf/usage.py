"""When to use a tool and what a call returns, where no field of the source states it.

Sentences of the description about it are quoted. If none is about use, the first sentence stands in; a record of 0.2
marks it as supposed. If none is about the result, nothing is supposed: "List a product for sale" returns no product.
"""

from __future__ import annotations

import re

from toolglot.converter.hub.model import Tool
from toolglot.converter.schema.titles import parts_of_name
from toolglot.converter.text.english import is_english
from toolglot.converter.text.pointers import mapping_at
from toolglot.converter.text.sentences import end_sentence, first_sentence, split_sentences, unwrap_paragraphs
from toolglot.converter.text.wording import add_full_stop, join_names
from toolglot.regexes import compile_later

_MARKUP = " \t\n\"'*_#>-"  # characters that a quotation does not begin or end with
_OPENING = rf"[{re.escape(_MARKUP)}]*"
# Parts of patterns: what a sentence calls the tool, what a case of its use begins with, and how a use is forbidden.
_TOOL = r"(?:this|it)(?:\s+(?:tool|function|action|command|method|operation|endpoint|skill))?"
_CASE = r"(?:only\s+|first\s+)?(?:when|whenever|if|for|before|after|as|instead|once|unless|during)\b"
_FORBIDDEN = (
    rf"(?:do not|don't|never|avoid)\s+(?:us|call|invok|runn?)(?:e|ing)?\s+(?:{_TOOL}\b|{_CASE})|when\s+not\s+to\s+use\b"
)
_ABOUT_USE = compile_later(
    rf"(?i){_OPENING}(?:"
    rf"(?:(?:always|only|please)\s+)*(?:use|call|invoke|run)\s+(?:{_TOOL}\s+(?:to\b|{_CASE})|{_CASE})"
    rf"|{_FORBIDDEN}"
    rf"|(?:{_TOOL}\s+(?:is|should be|must be)\s+)?(?:useful|used|helpful)\s+{_CASE}"
    r"|when\s+to\s+use\b)"
)
_FORBIDS_USE = compile_later(rf"(?i){_OPENING}(?:{_FORBIDDEN})")
_ABOUT_RESULT = compile_later(rf"{_OPENING}(?:{_TOOL}\s+)?returns\s", re.IGNORECASE)
_MOST_QUOTED, _LONGEST_QUOTED = 8, 4_000  # sentences, and characters of one with its list

COMPLETED = "Completed."  # the result of a call of which nothing is known; of an example, too
_OK = "OK"  # instead of `COMPLETED` where the tool is not described in English
NO_RESULT = (COMPLETED, _OK)  # read back as no result, marked as supposed or not


def when_to_use(tool: Tool) -> str:
    """When to use a tool: the sentences of its description about that.

    What the tool does comes before them if they only forbid uses, and stands for them if there are none.

    >>> when_to_use(Tool(id="find", description="Find a person. Use this tool when somebody is named."))
    'Use this tool when somebody is named.'
    >>> when_to_use(Tool(id="load", description="Gets the load. Do not use for memory."))
    'Gets the load.\\nDo not use for memory.'
    >>> when_to_use(Tool(id="find_person"))
    'Find person.'
    """
    description = _description_of(tool)
    quotations = _quote(_ABOUT_USE, description)
    if all(map(_FORBIDS_USE.match, quotations)):
        name = tool.title or " ".join(parts_of_name(tool.id)).capitalize() or tool.id
        quotations.insert(0, end_sentence(first_sentence(description) or name))
    return "\n".join(quotations)


def result_of_outputs(tool: Tool) -> str:
    """What a call returns, by the schema of its results: its description, or the names of its properties.

    >>> result_of_outputs(Tool(id="a", outputs={"properties": {"url": {}}}, description="Returns a page."))
    'Returns `url`.'
    """
    outputs = tool.outputs or {}
    if isinstance(outputs.get("description"), str) and outputs["description"]:
        return str(outputs["description"])
    names = [f"`{name}`" for name in mapping_at(outputs, "properties")]
    if names and is_english(_description_of(tool)):
        return add_full_stop(f"Returns {join_names(names)}")
    return ", ".join(names)


def result_of_description(tool: Tool) -> str:
    """What a call returns, by the description of the tool; a text of `NO_RESULT` where it does not say.

    >>> result_of_description(Tool(id="a", description="Find a page. Returns its address."))
    'Returns its address.'
    >>> result_of_description(Tool(id="a", description="Go."))
    'Completed.'
    """
    description = _description_of(tool)
    if not is_english(description):
        return _OK
    return "\n".join(_quote(_ABOUT_RESULT, description)) or COMPLETED


def _description_of(tool: Tool) -> str:
    """The description without the title, which stands before it where a target has no other place."""
    return (tool.description or tool.summary or "").removeprefix(f"{tool.title}\n\n")


def _quote(pattern: re.Pattern[str], description: str) -> list[str]:
    """The sentences that match a pattern, word for word; one that ends in a colon includes the list after it."""
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
    return quoted
