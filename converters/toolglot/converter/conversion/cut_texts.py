"""What is gone of a text that a target had no room for."""

from __future__ import annotations

from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.moved_texts import TEXTS
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.sentences import is_told, one_line, split_sentences

_LONGEST_QUOTATION = 600  # characters


def words_that_were_cut(action: str, was: str, after: Tool) -> str:
    """The sentences of a text that a target says nowhere, in quotation marks; empty where nothing of it is gone.

    A number of characters tells nobody whether a warning was among them. What stands in the text twice, and is left
    once, is not gone.

    >>> words_that_were_cut("narrowed", "By day. Never by night.", Tool(id="t", description="By day..."))
    "cut: 'Never by night.'"
    >>> words_that_were_cut("moved", "By day.", Tool(id="t"))
    ''
    """
    if action not in ("narrowed", "dropped"):
        return ""
    left = "\n\n".join(filter(None, (getattr(after, field) for field in TEXTS)))
    sentences = (one_line(sentence) for sentence, _ in split_sentences(was))
    gone = " ".join(sentence for sentence in dict.fromkeys(sentences) if not is_told(sentence, left))
    if len(gone) > _LONGEST_QUOTATION:  # then both ends, because warnings stand last
        gone = f"{gone[: _LONGEST_QUOTATION // 3]} [...] {gone[-2 * _LONGEST_QUOTATION // 3 :]}"
    return report_wording.CUT.format(f"'{gone}'") if gone else ""
