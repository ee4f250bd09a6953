"""Comparison: `contracts.diff` says what changed between two contracts, and what that means to callers.

contracts                  both sides, paired, compared and judged
compared_tools             the tools of one side, flat, each with what its format can say and where it stands
pairing                    which old tool and which new tool are the same one
facts                      the changes of each field of the hub, by a table of fields
    commands                   of the command line
    inputs_and_outputs         of what callers send and get
    defaults                   of what a call means that leaves something out
schema_comparison          whether a schema accepts less or more than another, with a proof or a doubt
    schema_keywords            what the change of each keyword means for that
    compared_schemas           both schemas, plain: which of their parts are the same, and one of them as alternatives
rules                      what a change means: its class, the bump it needs, and who says so
versions                   whether a version follows
difference                 a `Difference` holds a `ToolDifference` for each tool, and that its `ContractChange`s
"""
