"""Takes secrets out of the result of a tool, before a model, a log or a person reads it.

redacted_json   secrets in JSON, which stays JSON
    described_values   which values of an object are secret, by all that it says
redacted_text   secrets in any other text, found in five ways:
    values_behind_names   behind names, in whatever notation
        assignments     behind an operator
        names_in_text   which names a text has, and what stands around them
    tables          in columns and rows
    below_headings  below headings, commands and questions
    suspects        by what they look like, near a word for a secret
    secret_forms    by what they look like
        addresses       in addresses
        programs_and_protocols  in what programs, protocols and files have
    kubernetes      in manifests

secret_names    what a name says, by the words that it is made of
secret_or_prose   whether what stands behind the name of a secret is one
word_search     words that are looked for in a whole text
"""
