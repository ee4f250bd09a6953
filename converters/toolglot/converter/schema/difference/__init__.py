"""What two schemas accept, compared by meaning: for `diff`, for catalogues, and for what a conversion did.

schema_comparison   the walk over two schemas side by side, and whether one accepts what the other does
schema_keywords     what a change of each keyword means
schemas_to_compare  the two schemas made ready: plain, references followed, alike where they say the same
"""
