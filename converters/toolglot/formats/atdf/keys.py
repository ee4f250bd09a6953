"""The keys and fixed words of ATDF records that its reader, writer and migrations share."""

from __future__ import annotations

BASIC_KEYS = frozenset({"schema_version", "tool_id", "id", "description", "when_to_use", "how_to_use"})
UNKNOWN_TYPE = "unknown"  # what upstream's own converter writes where it cannot tell
COMPLETED = "Completed."  # what comes of a call, where the source does not say; of an example it is read as nothing

# The schema's names for an example's parts, then those of the specification's text and of real files.
EXAMPLE_KEYS = {
    "title": ("goal", "title", "name"),
    "input": ("input_values", "inputs", "input"),
    "note": ("expected_result", "expected_output", "output"),
}
