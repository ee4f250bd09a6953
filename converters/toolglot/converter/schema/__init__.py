"""JSON Schema, whoever uses it: dialects, references, one walk over keywords, and schemas put together or compared.

    canonical          the schemas of our formats, and whether a document obeys one
    document_problems  why it does not
    document_fields    what they say of an entry of a document, and the keys that it may have
    misspelt_keys      keys of a document that are slips of those

A foreign schema becomes plain 2020-12 in this order; behind a module stand those that only help it:

    newest_dialect     any schema as 2020-12, which is what the hub holds; most are that already, and a quick look tells
    older_dialects     any draft, OpenAPI 3.0 and foreign spellings, with what they refer to
        older_keywords     each keyword of those dialects in the words of 2020-12
    metaschemas        the draft of a schema, and whether it is what that draft takes
    references         every `$ref` -> `#` or `#/$defs/<name>`, all definitions at the root; URIs, fragments, cycles

Several schemas as one, and what they share:

    intersection       what two schemas accept
    unions             what either of several object schemas accepts, and what one schema for it cannot say
    overlap            whether two schemas share a value

    accepted_values    whether a schema accepts less or more than another, with a proof or a doubt

What a schema says, in words:

    keyword_sentences  a keyword as a sentence for the description
    titles             titles that only repeat a name

What all of them go by:

    keywords           which keywords hold schemas, the walk over them, and what the values of the others have to be
    json_values        the types of JSON values, those that a schema states, and when two values are equal
    validators         whether a value is accepted by any other schema; they fetch nothing
    arguments          arguments that a model sent, held to a schema; neither of the two can be trusted
        meant_arguments    the same as the model meant them, without nulls that say nothing
    budget             how large a schema may be that somebody hands us
    transformation_steps  what was done to a schema, one entry a keyword
"""
