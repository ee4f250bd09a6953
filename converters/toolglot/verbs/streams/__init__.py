"""Streams of records: `record_stream.convert_records` here, `json_lines` over processes, `ray` over machines.

record_stream   one record after the other, each an outcome of its own
tally           what they came to
line_reader     the lines of a stream, in chunks
json_lines      chunks of a stream over the processes of this machine
workers         how many processes
    process_pool   the processes, and how they end
batches         one function that maps a verb over batches, for any engine
    tasks          what each verb does with a record
ray             the same over folders of files, by Ray
    shard_runs     one run: its pieces, its manifest, what all of it comes to
    shards         a file or a part of one: its records, and the files that come of it
"""
