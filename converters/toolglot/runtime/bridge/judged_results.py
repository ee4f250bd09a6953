"""Whether the result of a call obeys the output schema of its tool."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from toolglot.converter.formats.kit.call_results import compact_json, to_plain_data
from toolglot.converter.hub.calls import Content
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.text.wording import data_of_text
from toolglot.runtime.bridge.calls import content_of


def judge_result(outputs: Schema, result: Any) -> tuple[Content, str | None]:
    """A result with its data as the output schema means them, and why it breaks the schema, if it does.

    A text may be the data, or JSON of it. A result that says that the call failed breaks nothing; its data are only
    told in words, because some clients validate them too.

    >>> content, fault = judge_result(Schema({"type": "integer"}), "7")
    >>> content.parts, content.structured, fault
    (('7',), 7, None)
    """
    content = content_of(result)
    if content is None:
        content = Content((compact_json(result),), structured=to_plain_data(result))
    if content.structured is not UNSET:
        fault = outputs.refusal(content.structured)
        if fault is not None and content.failed:
            return content._replace(structured=UNSET), None
        return content, fault
    if content.failed:
        return content, None
    data: Any = "\n".join(part for part in content.parts if isinstance(part, str))
    fault = outputs.refusal(data)
    if fault is not None:
        data = data_of_text(data)
        fault = outputs.refusal(data)
    return content._replace(structured=data), fault
