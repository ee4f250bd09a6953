"""What `check` finds in a document: `checks.check`.

checks        every fault and doubt of a document
credentials   those that hold what was issued as a credential
diagnostic    one finding: `Diagnostic`
samples       defaults and examples that do not fit the schema beside them
"""
