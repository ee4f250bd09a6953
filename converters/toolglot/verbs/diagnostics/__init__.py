"""What `check` finds in a document: `document_checks.check`.

document_checks       every fault and doubt of a document
    record_checks         of one of its records: by its format, the canonical schema and the rules
    unreadable_documents  of one that cannot be read: one fault hides no other
    manifest_checks       of one that is no tool, and stands beside some
    rule_selection        which rules are applied, and how grave each is
        rule_names            which rules somebody means
    rule_engine           the rules at work
    suppressions          comments that take findings away
line_checks           JSON Lines, line by line
cross_source_checks   what is wrong between sources
rules                 the rules, one module a family
manipulation          rules about texts that manipulate a model, one module decided and one weighed
rule_pages            what the manual says of a rule
diagnostic            one finding: `Diagnostic`
fixes                 what is put right on request
credential_warnings   the warning of whoever copies what holds a credential
"""
