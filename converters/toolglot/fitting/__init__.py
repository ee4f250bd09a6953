"""Fitting: `fit.fit` brings a schema to what a provider accepts, without losing its meaning in silence.

    fit                one pass against the rules of a provider -> a schema, the steps, and a codec
        node               one schema on its way, and what the whole pass knows
        root               the root as an object, without what is refused there in any mode
        types              the types that a schema names or implies
        enums              `enum` and `const`
        plain_keywords     the other keywords that hold no schema: bounds, patterns, titles
        containers         objects and arrays
        alternatives       `anyOf` and `oneOf`
        all_of             `allOf` folded into the schema that holds it
        nulls              null beside other values
        exclusive_bounds   bounds that exclude their own value
        patterns           regular expressions that a provider takes
        schema_size        how large the result may be
        fitted             the result
        fit_cache          the same for schemas that were fitted before
    argument_codec     arguments there and back
    provider_rules     what a provider may accept, as data; a provider's rows stand in its folder under `formats`

Beside the way:

    rule_faults        whether a schema, a name or a description obeys the rules, judged apart from `fit`
    provider_names     names of tools and keys that a provider accepts
    combining          several commands as one tool with a parameter that chooses among them
"""
