"""The converter: what a document passes on its way from one format to another.

text/         bytes as data that knows its lines, and data as bytes
hub/          the record that every format is read into, and the one table of its fields
schema/       JSON Schema, whoever uses it
safety/       what a description says about danger, and how a target says it
files/        writing files that may be anybody's: all or none
file_search/  which files somebody means: paths, folders, patterns
fitting/      a schema that a provider accepts, and the way back of the arguments
formats/      the formats: one folder each
conversion/   read, write, read back, report
"""
