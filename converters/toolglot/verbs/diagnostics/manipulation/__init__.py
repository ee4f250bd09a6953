"""Texts that manipulate a model: what is decided about them, and what is only weighed.

    characters                 characters that no reader sees, or takes for other letters
    links_and_imitated_flags   references to elsewhere, images from there, tools of others, imitated warnings
    decided                    texts that ask for a private file or key, and texts that no reader sees
    weighed                    the words of a text against those of harmless and poisoned ones: a guess, said on request

All but the last are exact definitions, and warned of. `rule_engine.Engine.check_texts` asks them all of each record;
`docs/internals/manipulation.md` says how often they are right.
"""
