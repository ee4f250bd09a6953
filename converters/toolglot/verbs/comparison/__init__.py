"""Comparison: `contract_comparison.diff` says what changed between two contracts, and what that means to callers.

contract_comparison        both sides, paired, compared and judged
tools_to_compare           the tools of one side, flat, each with what its format can say and where it stands
comparison_in_parts        more tools than fit in memory, part by part
pairing                    which old tool and which new tool are the same one
removed_and_added_tools    what only one side has, and which new tool a tool that is gone looks like
entry_differences          what happened to one entry, with its places and versions
tool_fields                the changes of each field of a tool, by a table of fields
    field_comparisons          what a difference in the value of one field means
    danger_changes             whether it asks for less care, or for more
    command_line_changes       how its parameters are given
    changes_of_inputs_and_outputs  what a change of a schema means to those who send values, and to those who get them
    request_comparison         whether a call is the HTTP request that it was
suspicious_words           new words that `check` warns of
breaking_changes           which changes break callers: the class of each kind of change, the bump it needs, and why
versions                   whether a version follows
difference                 a `Difference` holds a `ToolDifference` for each tool, and that its changes
"""
