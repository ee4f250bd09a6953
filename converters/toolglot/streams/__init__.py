"""Streams of records: `records.convert_records` here, `local` over processes, `ray` over machines.

records   one record after the other, each an outcome of its own; `Tally` counts them
local     chunks of a stream over the processes of this machine
workers   the processes, and how they end
batches   columns for any engine that maps a function over batches
ray       folders of files under Ray
"""
