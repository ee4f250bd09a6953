"""Streams of records: `records.convert_records` here, `local` over processes, `ray` over machines."""
