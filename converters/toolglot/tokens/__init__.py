"""Tokens: `costs.count_tokens` says what the definitions of tools cost a model, by `estimate` or by `exact`.

requests           the definitions, as one request to a provider offers them
costs              what they cost
    definition_parts   part by part: name, description, parameters
    savings            what fewer tools and shorter texts would save
estimate           about how many tokens a text is, by a formula
exact              how many, by the vocabulary itself
"""
