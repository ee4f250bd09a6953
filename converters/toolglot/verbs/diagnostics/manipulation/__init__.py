"""Rules about texts that manipulate a model: exact ones, and one that weighs words.

    characters                 characters that readers do not see, or take for other letters
    links_and_imitated_flags   links and images from elsewhere, tools of other servers, imitated warnings
    decided                    texts that ask for a private file or key, and texts that readers do not see
    weighed                    the words of a text compared with harmless and poisoned ones: a guess, on request

All but the last are exact definitions, and warnings. `rule_engine.Engine.check_texts` applies them to each record;
`docs/internals/manipulation.md` says how often they are right.
"""
