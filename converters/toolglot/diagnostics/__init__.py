"""What `check` finds in a document: `checks.check`.

checks    every fault and doubt of a document, as `Diagnostic`s
samples   defaults and examples that do not fit the schema beside them
"""
