"""What a description says for a format that has no field for it, and how it is read back.

guidance              what the tool is and when to call it, before everything else
field_tail            the whole: the text, the paragraphs, what is about safety
labelled_paragraphs   facts about a call, a paragraph each
schema_tail           of a value: what its type cannot say, behind its description
    schema_clauses        a schema in words that can be read back
    clause_values         the values in them
"""
