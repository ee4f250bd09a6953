"""What `check` finds in a document: `checks.check`.

checks        every fault and doubt of a document
credentials   those that hold what was issued as a credential
diagnostic    one finding: `Diagnostic`
engine        the rules at work
fixes         what is put right on request
foreign_mentions   tools of one source that another's descriptions name
rule_pages    what the manual says of a rule
rules         the rules, one module a family
selection     which of them are applied
shared_checks   what the checks of all tools of a document share
stand_ins     what takes the place of faulty values, so that the rest can be checked
suppressions  comments that take findings away
"""
