"""Texts that say other data than before, and are otherwise what they were.

What is not changed stays byte for byte: comments, key order, quotes, flow style, blank lines, indentation, line breaks,
and the body after front matter. A library that reads into a model and writes it out again keeps some of these and
lays out the rest its own way; here the parts of the text that have to change are replaced, and nothing else is touched.
That the result says what it should is not believed but read back.

edited_text               the text of a document that says other data
entry_texts               entries as they are written, with their comments
syntax_tree               where everything stands
changes                   what has to change, as replacements of parts of the text
    lines_and_comments    which lines belong to an entry, with its comments
    moved_entries         entries that stand somewhere else afterwards
    layout_of_new_values  new values, so that they look like what surrounds them
"""
