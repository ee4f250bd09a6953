"""Conversion where records already move: batches of any engine, and folders of files under Ray."""

from __future__ import annotations

from toolglot.verbs.streams.engines import COLUMNS, convert_batch
from toolglot.verbs.streams.ray import convert_shards

__all__ = ["COLUMNS", "convert_batch", "convert_shards"]
