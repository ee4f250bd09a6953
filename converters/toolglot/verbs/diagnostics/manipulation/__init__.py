"""Texts that manipulate a model: what is decided about them, and what is only weighed.

    decided    texts that ask for a private file or key, and texts that no reader sees: exact definitions, warned of
    weighed    the words of a text against those of harmless and poisoned ones: a guess, said on request

Characters that no reader sees, and flags that a text imitates, are decided too; their rules stand with the other rules
(`diagnostics.rules`). `docs/manipulation.md` says how often all of them are right.
"""
