"""Fitting a tool's input schema to what a provider accepts, without losing its meaning in silence.

A schema travels through these modules, in this order; behind each stand those that only help it:

    plain              a quick look at what is plain already and may skip the next two
    newest             any schema as 2020-12, which is what the hub holds; most are that already
    dialects           any draft, OpenAPI 3.0 and foreign spellings -> plain JSON Schema 2020-12
        spellings          each keyword of those dialects in the words of 2020-12
        shapes             what the value of a keyword has to be, and what people write instead
        nodes              one schema on its way, and the place where it stands
    references         every `$ref` -> `#` or `#/$defs/<name>`, all definitions at the root
        addresses          URIs, fragments and JSON Pointers
        graphs             which references lead back to themselves
    fit                one pass against the rules of a provider -> a schema, the steps, and a codec
        root               the root as an object, without what is refused there in any mode
        scalars            keywords that hold no schema
        containers         objects and arrays
        alternatives       `anyOf` and `oneOf`
        nulls              null beside other values
        limits             how large the result may be
        fitted             the result
        repeated           the same for schemas that were fitted before
    codec              arguments there and back

`fit` and its helpers call on:

    merge              schemas into one, a front for the next three
        intersection       what two schemas accept
        unions             what either of several object schemas accepts
        overlap            whether two schemas share a value
        values             when two JSON values are equal, and how two values of a keyword become one
    words              a keyword as a sentence for the description
        phrases            values, names and texts in a sentence

What all of them go by:

    rules              what a provider may accept, as data; which provider accepts what is a table of the formats
    steps              what was done to a schema, one entry a keyword
    keywords           which keywords hold schemas, and the walk over them
    budget             how large a schema may be that somebody hands us
    validity           whether a value is accepted; the one way to the validator, which fetches nothing

Beside the way:

    verdict            whether a schema, a name or a request obeys the rules, judged apart from `fit`
        verdict_structure  its own walk over a schema
    names              names of tools and keys that a provider accepts
    combining          several commands as one tool with a parameter that chooses among them
"""
