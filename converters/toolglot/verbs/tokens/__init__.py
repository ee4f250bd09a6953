"""Tokens: `costs.count_tokens` says what the definitions of tools cost a model, by `estimate` or by `exact`.

costs          what they cost
definitions    the definitions, as one request to a provider offers them, and their parts
savings        what fewer tools and shorter texts would save
estimate       about how many tokens a text is, by a formula
exact          how many, by the vocabulary itself
"""
