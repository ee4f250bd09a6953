"""What `check` finds in a document: `checks.check`.

checks        every fault and doubt of a document
credentials   those that hold what was issued as a credential
diagnostic    one finding: `Diagnostic`
engine        the rules at work
rules         the rules, one module a family
selection     which of them are applied
"""
