"""Fitting: `fit.fit` brings a schema to what a provider accepts, without losing its meaning in silence.

    fit                      one pass against the rules of a provider -> a schema, the steps, and a codec
        schema_node          one schema on its way, and what the whole pass knows
        root_object          the root as an object, without what is refused there in any mode
        types                the types that a schema names or implies, and null beside others
        enum_and_const       listed values
        objects_and_arrays   what they hold, and whether they are closed
        combinators          `anyOf`, `oneOf` and `allOf`
        bounds               bounds that exclude their own value
        other_keywords       all others: patterns, formats, titles
        patterns             regular expressions that a provider takes
        schema_size          how large the result may be
    argument_codec           arguments there and back; `Fitted`, the result
    provider_rules           what a provider may accept, as data; a provider's rows stand in its folder under `formats`

Beside the way:

    provider_violations    whether a schema, a name or a description obeys the rules, judged apart from `fit`
    provider_names         names of tools and keys that a provider accepts
    commands_as_one_tool   several commands as one tool with a parameter that chooses among them
"""
