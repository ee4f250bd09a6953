"""Tokens: what the definitions of tools cost in every request to a model.

* `estimate`: about how many tokens a text or a value is, by a formula that needs no vocabulary.
"""
