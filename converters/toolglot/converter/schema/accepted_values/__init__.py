"""What two schemas accept, compared by meaning: for `diff`, for catalogues, and for what a conversion did.

schema_comparison   the walk over two schemas side by side, and whether one accepts what the other does
schema_keywords     what the changes of all keywords of a schema mean
    json_types          the types of values
    enumerations        listed values
    plain_keywords      keywords that hold no schema, one by one
    bounds              of numbers, lengths and counts
    object_keywords     properties, and which are required
    array_keywords      items
    alternatives        `anyOf`, `oneOf`, and several types
    compared_schemas    the two schemas, as all of these get them
keywords_in_reports  what a change of one keyword means by itself
acceptance          a change, and whether less is accepted for it, or more
plain_schemas       the two schemas made ready: plain, and counted
    equal_schemas       which of their parts say the same, whatever the order
    schema_side         one of the two, with references followed
"""
