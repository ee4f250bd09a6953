"""Verbs where records already move: batches of any engine, and folders of files under Ray."""

from __future__ import annotations

from toolglot.verbs.streams.batches import catalog_batch, check_batch, convert_batch, tokens_batch
from toolglot.verbs.streams.ray import catalog_shards, check_shards, convert_shards, tokens_shards
from toolglot.verbs.streams.shards import Shard, Shards
from toolglot.verbs.streams.tasks import COLUMNS

__all__ = [
    "COLUMNS",
    "Shard",
    "Shards",
    "catalog_batch",
    "catalog_shards",
    "check_batch",
    "check_shards",
    "convert_batch",
    "convert_shards",
    "tokens_batch",
    "tokens_shards",
]
