"""What a description says for a format that has no field for it, and how it is read back.

guidance                what the tool is and when to call it, before everything else
facts_in_description    facts behind the text: a paragraph each, and what is about safety
    shortening              a text in as much room as there is; what warns is never cut
short_and_whole         cut above, and whole below it in a body
schema_tail             of a value: what its type cannot say, behind its description
    schema_clauses          a schema in words that can be read back
    clause_values           the values in them
"""
