"""Which sentences are missing where a target had no room for a text."""

from __future__ import annotations

from toolglot.converter.conversion import report_wording
from toolglot.converter.conversion.moved_texts import TEXTS
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.sentences import is_told, one_line, split_sentences

_LONGEST_QUOTATION = 600  # characters


def words_that_were_cut(action: str, was: str, after: Tool) -> str:
    """The sentences of a text that the target does not have, in quotation marks; empty where it has all.

    They are quoted, because a number of characters would not tell whether a warning was among them. A sentence that
    stood there twice, and stands there once now, is not missing.

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
