"""Migration: `pipeline.migrate` brings a document to another version of its own format, and touches nothing else.

pipeline          document -> plan -> edited text -> proofs -> result
plans             what has to become of the data
edit              a text changed so that it says other data, byte for byte as it was everywhere else
companion_files   files that appear beside it, with the comments of what moves there
proofs            what the result has to stand up to
corrections       what `check` writes in the place of a document
notes             what a person should look at: what the format notes, comments that are gone, stale slots
"""
