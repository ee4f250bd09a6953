"""Conversion: `pipeline.convert` reads, writes, reads back, and reports every difference."""
