"""Tokens: `costs.count_tokens` says what the definitions of tools cost a model, by `estimate` or by `exact`."""
