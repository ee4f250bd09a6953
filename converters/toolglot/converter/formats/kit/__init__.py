"""What several formats share: tables that map a document to the hub and back, names, parameters, calls, migrations.

suppositions        what a writer made up because its format demands a value, and the mark that names it
field_tables        tables: one row a field, read in both directions
key_order           new and renamed keys in the order that people write
places              where documents say what
parameters          lists of named parameters as one JSON Schema, and back
command_trees       trees of commands, read
command_lines       what a command line gives to the parameters of its command
containers          what records come in
definitions         function definitions of providers
definition_containers
                    what those come in
    keyword_sets        sets of keywords that a provider's profile is made of
description         what a description says for a format that has no field for it
tool_ids            ids that a pattern allows
unreadable_facts    facts about safety that nobody can read
rule                a rule of `check` as it is declared
migrations          what migrations share
auth_of_secrets     how somebody signs in with a secret
calls               reading what a model sent
    call_arguments      its arguments, as a text or as data
    call_faults         what is wrong with it, in words
call_streams        reading it from the events of a stream
call_results        writing results
request_templates   how a call becomes an HTTP request
"""
