"""Streams of records: `record_stream.convert_records` here, `json_lines` over processes, `ray` over machines.

record_stream   one record after the other, each an outcome of its own
tally           what they came to
json_lines      chunks of a stream over the processes of this machine
workers         how many processes
    process_pool   the processes, and how they end
engines         columns for any engine that maps a function over batches
row_files       rows in a file: JSON Lines or Parquet
ray             folders of files under Ray
"""
