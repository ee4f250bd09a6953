"""Conversion: `pipeline.convert` reads, writes, reads back, and reports every difference.

pipeline      the whole way
result        what it gives: files, and the report when somebody asks for it
sources       a source to tools: opened, read, restored
    recognition   which format a file has, and whether it is something else
    reading       the tools of a document, as its visible fields describe them
    slots         what a lossless conversion keeps in a record, and what comes of it when the record is read
    extension_slots   what is ours in a record, and where it stands
    confirmation  what a person confirms of a document
options       what a caller can ask for
    selection     which of the tools are meant
    namespaces    whose ids they are
    vouched_facts    what a person vouches for
    unread_dangers   keys that sound like a danger, and that no reader reads
    pattern_use   which patterns of the user mean no tool
    sums          what is counted in parts, put together
writing       tools to records, with caution
    offers        how a provider is offered tools, and one tool as a request offers it
    offer_planning   the offers of a whole request: names, modes, fitted schemas
output        the records with what they cannot hold, and the files that hold them
read_back     what was written beside what was read: laws 2 and 3
leaf_comparison   the changes, computed by comparing every command before and after
    categories    what a change is for people
    fail_on       which of them a run fails on
    report        the records that they are put into
    field_differences, moved_texts, cut_texts, schema_changes   what a difference means, by the kind of field
    reasons_of_changes   what an entry tells people: where it stands, what it is called there, why, whether it matters
    report_wording   the words for it
    garbage_collection   Python's collector of cycles, paused meanwhile
positions     where the source says it, and where the result does
"""
