"""What a description says for a format that has no field for it, and how it is read back.

guidance              what the tool is and when to call it, before everything else
labelled_paragraphs   facts about a call, a paragraph each
tail                  the whole: the text, the paragraphs, what is about safety
"""
