"""Migration: `pipeline.migrate` brings a document to another version of its own format, and touches nothing else.

pipeline      document -> plan -> edited text -> proofs -> result
plans         what has to become of the data
edit          a text changed so that it says other data, byte for byte as it was everywhere else
companions    files that appear beside it
comments      which comments travel, and which go
proofs        what the result has to stand up to
"""
