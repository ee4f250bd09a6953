"""Ray: the verbs over a folder of JSON Lines or Parquet files. It needs `pip install '.[ray]'`.

The work is tasks of Ray Core. Ray Data does not tell which of its tasks killed a worker, and takes 10 s to begin and to
end, where a task takes none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.files.row_files import check_row_file
from toolglot.converter.files.shared_folders import whole_address
from toolglot.errors import UsageError
from toolglot.extras import load_package
from toolglot.option_checks import require
from toolglot.verbs.diagnostics.diagnostic import from_error
from toolglot.verbs.streams import workers
from toolglot.verbs.streams.record_stream import RecordTask
from toolglot.verbs.streams.shard_runs import ShardRun
from toolglot.verbs.streams.shards import INNOCENT_DEATHS, LINES, Piece, Shard, Shards, are_lines, map_piece
from toolglot.verbs.streams.tasks import catalog_task, check_task, convert_task, named_after, tokens_task

_UNDER_WAY = 1_000  # tasks that Ray is told of, which it may start machines for


def map_shards(task: RecordTask, shards: Shards) -> Iterator[Shard]:
    """A task on every record below a folder, on the Ray that is running, or else on one that is started here.

    JSON Lines become JSON Lines of the same name, and rows of Parquet rows of Parquet, unless `ending` says otherwise.
    A file that is larger than a piece becomes a folder of its name, with a file for each piece. `_errors` has every
    record that is refused, and `_manifest.json` what was asked for and what it came to.

    A catalogue becomes `catalog.jsonl`. Many machines read its tools; which of them are one, or have one name, this one
    finds, on its disk. The last outcome is that of the catalogue; there is none where a shard failed.

    Returns:
        One outcome a file, or a piece, as they are done; those first that an earlier run has finished.

    Raises:
        UsageError: there is no file to read, a result exists, or the run to go on with was asked for something else
            (code `"other-run"`).
        ReadError: a folder cannot be reached.
    """
    require("shards", shards, Shards, "`Shards`")
    check_row_file(shards.ending or LINES)
    if are_lines(shards, task) and formats.target_of(task.asked["to"]).syntax != "json":
        message = (
            f"a line cannot hold {task.asked['to']}, which is a document with front matter; give ending='.parquet'"
        )
        raise UsageError(message, "not-a-line")
    shards = shards._replace(source=whole_address(shards.source), output=whole_address(shards.output))
    run = ShardRun(shards, task, lambda: int(_start().cluster_resources().get("CPU", 1)))
    return run.outcomes(_perform(shards, task, run.pieces()))


def _start() -> Any:
    """Ray, which is running now."""
    ray = load_package("ray", "ray", "shards need")
    if not ray.is_initialized():
        ray.init(include_dashboard=False)  # a page that nobody looks at takes several seconds
    return ray


def _perform(shards: Shards, task: RecordTask, pieces: Iterator[Piece]) -> Iterator[Shard]:
    """Every piece as a task of Ray, in any order.

    Ray itself is told not to try again: what a lack of memory ends it would try for ever.
    """
    ray = _start()
    work = partial(ray.remote(max_retries=0)(map_piece).remote, ray.put(shards), ray.put(task))
    under_way: dict[Any, Piece] = {}
    try:
        while True:
            for piece in islice(pieces, _UNDER_WAY - len(under_way)):
                under_way[work(piece)] = piece
            if not under_way:
                return
            [done], _ = ray.wait(list(under_way))
            piece = under_way.pop(done)
            try:
                yield ray.get(done)
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError:
                piece = piece._replace(deaths=piece.deaths + 1)
                if piece.deaths < 2 * INNOCENT_DEATHS:
                    under_way[work(piece)] = piece
                else:
                    piece.shard.error = replace(from_error(workers.death()), source=piece.shard.file)
                    yield piece.shard
    finally:
        for reference in under_way:
            ray.cancel(reference, force=True)


convert_shards = named_after(convert_task, map_shards, "shards")
check_shards = named_after(check_task, map_shards, "shards")
tokens_shards = named_after(tokens_task, map_shards, "shards")
catalog_shards = named_after(catalog_task, map_shards, "shards")
