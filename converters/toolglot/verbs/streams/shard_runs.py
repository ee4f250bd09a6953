"""One run over the files of a folder: which pieces there are, what was asked for, and what all shards came to.

    _manifest.json   what was asked for, the files that were read, and what they came to
    _finished/       a file for each shard that is whole, by which a run goes on that was ended
    _errors/         every record that was refused
    _doubles.jsonl   every record that was there before, where doubles are asked for
    catalog.jsonl    the catalogue, where one is asked for; `_entries/` are what it was made of

What begins with an underscore is no result to Spark, Hive and Ray.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BufferedReader
from itertools import chain
from typing import Any

import msgspec

import toolglot
from toolglot.converter.files.names import is_inside
from toolglot.converter.files.row_files import PARQUET, load_arrow
from toolglot.converter.files.shared_folders import TEMPORARY, files_in, new_files, no_foreign_errors, open_folder
from toolglot.converter.files.spill import Spill
from toolglot.converter.text.compression import open_unpacked
from toolglot.converter.text.document_reader import LINED
from toolglot.converter.text.pointers import without_keys
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import UsageError
from toolglot.verbs import catalogs
from toolglot.verbs.streams.record_stream import RecordTask
from toolglot.verbs.streams.shards import DIGESTS, ENTRIES, ERRORS, FINISHED, LINES, Piece, Shard, Shards

_MANIFEST, _CATALOG, _DOUBLES = "_manifest.json", f"catalog{LINES}", f"_doubles{LINES}"
_SMALLEST, _LARGEST = 4 << 20, 64 << 20  # bytes of a piece: some seconds of work, and a minute
_SHARE = 4  # pieces for each core, which need not take equally long


class ShardRun:
    """A run.

    Args:
        shards: the folders.
        task: what is done with every record.
        cores: how many there are.

    Raises:
        UsageError: there is no file to read, there is a result already, or an earlier run was asked for something else.
        ReadError: a folder cannot be reached.
    """

    def __init__(self, shards: Shards, task: RecordTask, cores: Callable[[], int]) -> None:
        self._task = task
        self._source, self._output = open_folder(shards.source), open_folder(shards.output)
        endings = (PARQUET,) if task.column else LINED
        files = {name: file for name, file in files_in(self._source).items() if name.lower().endswith(endings)}
        if not files:
            raise UsageError(f"there is no file called {' or '.join(endings)}", "no-sources", source=shards.source)
        if is_inside(shards.output, shards.source):
            message = "the results would lie among the sources; name another folder"
            raise UsageError(message, "same-folder", source=shards.output)
        self._sizes = {name: file.size for name, file in files.items()}
        earlier = self._read_earlier(shards)
        # How large a piece is has to stay as it was, with other machines too.
        size = shards.piece_bytes or earlier.get("piece_bytes")
        size = size or min(max(sum(self._sizes.values()) // (cores() * _SHARE), _SMALLEST), _LARGEST)
        self._shards = shards._replace(piece_bytes=size)
        about_run = without_keys(self._shards._asdict(), "output", "resume", "source")
        about_task = without_keys(msgspec.structs.asdict(task), "asked")
        manifest = {
            "asked": {
                "toolglot": toolglot.__version__,
                "folder": shards.source,
                **about_run,
                **about_task,
                **task.asked,  # whose `source` is no folder
            },
            "files": {name: f"{file.size} bytes of {file.mtime}" for name, file in files.items()},
        }
        # As it is read back; a set has its order in the process alone.
        self._manifest = msgspec.json.decode(msgspec.json.encode(manifest, enc_hook=repr, order="deterministic"))
        self._refuse_shared_names()
        self._finished = self._read_finished(earlier or self._manifest["asked"])
        self._sweep()
        self._write_manifest()

    # -- the manifest -----------------------------------------------------------------------------------------

    def _read_earlier(self, shards: Shards) -> dict[str, Any]:
        """What an earlier run was asked for, empty where there is none.

        Raises:
            UsageError: there is a result, and nobody asks to go on with it.
        """
        earlier: dict[str, Any] = {}
        if self._output.get_file_info(_MANIFEST).is_file:
            earlier = msgspec.json.decode(self._read(_MANIFEST))["asked"]
        if (earlier or files_in(self._output)) and not (earlier and shards.resume):
            message = "there is a result; give resume=True to go on with a run, or another folder"
            raise UsageError(message, "file-exists", source=shards.output)
        return earlier

    def _refuse_shared_names(self) -> None:
        """Refuse files of which one result would take the place of another's: `a.ndjson` and `a.ndjson.jsonl`."""
        owners: dict[str, str] = {}
        for name in self._sizes:
            other = owners.setdefault(self._shard(name).name, name)
            if other != name:
                message = f"{other} and {name} would become one file; rename one, or give another ending"
                raise UsageError(message, "same-folder", source=self._shards.source)

    def _read_finished(self, old: dict[str, Any]) -> list[Shard]:
        """The shards that an earlier run has finished.

        Args:
            old: what that run was asked for.

        Raises:
            UsageError: it was asked for something else, or a file is not as it was.
        """
        names = [f"{FINISHED}/{name}" for name in files_in(self._output, FINISHED)]
        with ThreadPoolExecutor() as pool:  # object storage takes a tenth of a second for each
            finished = [msgspec.json.decode(content, type=Shard) for content in pool.map(self._read, names)]
        states = self._manifest["files"]
        then = old | {shard.file: shard.state for shard in finished}
        now = self._manifest["asked"] | {shard.file: states.get(shard.file) for shard in finished}
        differences = [
            f"{name} was {to_short_json(then.get(name))} and is {to_short_json(now.get(name))}"
            for name in sorted({*then, *now})
            if then.get(name) != now.get(name)
        ]
        if differences:
            message = f"the earlier run was another one: {'; '.join(differences[:10])}; give another folder"
            raise UsageError(message, "other-run", source=self._shards.output)
        return finished

    def _read(self, name: str) -> bytes:
        with no_foreign_errors(name), self._output.open_input_file(name) as stream:
            return bytes(stream.read())

    def _write_manifest(self) -> None:
        with new_files(self._output) as files:
            files.stream(_MANIFEST).write(json.dumps(self._manifest, indent=2).encode())

    def _sweep(self) -> None:
        """Delete what tasks that were killed have left."""
        with suppress(OSError):
            self._output.delete_dir(TEMPORARY)

    # -- pieces -----------------------------------------------------------------------------------------------

    def pieces(self) -> Iterator[Piece]:
        """What is still to be done, as it is found. Of what cannot be read the rest is one piece, which says so."""
        done = {shard.name for shard in self._finished}
        for piece in chain.from_iterable(map(self._cut, self._sizes)):
            if piece.shard.name not in done:
                yield piece

    def _cut(self, name: str) -> Iterator[Piece]:
        """The pieces of a file."""
        piece, number = Piece(self._shard(name)), 0
        size, most = self._sizes[name], self._shards.piece_bytes or 0
        if size > most:
            cuts = _cuts_of_lines if self._task.column is None else _cuts_of_rows
            with suppress(Exception), self._source.open_input_file(name) as stream:
                for end, above in cuts(stream, size, most):
                    yield piece._replace(shard=self._shard(name, number), end=end)
                    number += 1
                    piece = Piece(self._shard(name, number), end, first=above)
        yield piece

    def _shard(self, file: str, number: int | None = None) -> Shard:
        """What a file becomes, as yet without records: a file of its name; its parts, files in a folder of that name.

        Entries of a catalogue are no result, so they are JSON Lines whatever the results are.

        Args:
            number: of the part; `None` where it is the whole file.
        """
        name, ending = file, self._shards.ending
        if self._task.verb == "catalog":
            name, ending = f"{ENTRIES}/{name}", LINES
        if number is not None:
            name, ending = f"{name}/part-{number:05}", ending or (PARQUET if self._task.column else LINES)
        if not name.lower().endswith(ending):
            name += ending
        return Shard(name, file, self._manifest["files"][file])

    # -- the end ----------------------------------------------------------------------------------------------

    def outcomes(self, shards: Iterable[Shard]) -> Iterator[Shard]:
        """All shards, those of an earlier run first; then what all of them come to is written."""
        tally, failed, names = Counter[str](), dict[str, str](), list[str]()
        try:
            for shard in chain(self._finished, shards):
                tally.update(shard.tally)
                if shard.error is None:
                    names.append(shard.name)
                else:
                    failed[shard.name] = str(shard.error)
                yield shard
            names.sort()
            if self._task.verb == "catalog" and not failed:
                yield self._settle(names)
            if self._shards.doubles:
                self._manifest["doubles"] = self._find_doubles(names)
            self._manifest |= {"tally": tally, "failed": failed}
            self._write_manifest()
        finally:
            self._sweep()

    def _rows(self, names: Iterable[str]) -> Iterator[Any]:
        for name in names:
            with self._output.open_input_file(name) as stream:
                yield from map(msgspec.json.decode, BufferedReader(stream))

    def _settle(self, names: Iterable[str]) -> Shard:
        """The catalogue of all entries. They are settled here, as `toolglot catalog` does it: on disk."""
        to = self._task.asked["to"]
        entries = catalogs.spill_for(to)
        entries.extend(
            msgspec.convert(json.loads(row["entry"]), catalogs.Entry)._replace(line=row["index"])
            for row in self._rows(names)
        )
        settled = catalogs.settle(entries, to, locate=lambda entry: (entry.line or 0, 1))
        with new_files(self._output) as files:
            stream = files.stream(_CATALOG)
            for line in catalogs.dump_lines(settled.entries, to):
                stream.write(line.encode("utf-8", "backslashreplace"))
            for one in settled.problems:
                files.write_rows(f"{ERRORS}/{_CATALOG}", [{"error": one.code, "message": str(one)}])
        counts = Counter(f"error {one.code}" for one in settled.problems)
        return Shard(_CATALOG, "", tally={"rows": len(settled.entries), **counts})

    def _find_doubles(self, names: Iterable[str]) -> int:
        """Write which records are as an earlier one, and count them."""
        records = Spill[dict[str, Any]](lambda record: ((record["digest"],),))
        records.extend(self._rows(f"{DIGESTS}/{name}{LINES}" for name in names))
        number = 0
        with new_files(self._output) as files:
            for group in records.groups():
                first, *others = group.items
                number += group.total - 1
                about = {"first_shard": first["shard"], "first_index": first["index"]}
                files.write_rows(_DOUBLES, [{**other, **about} for other in others])
        return number


# -- where a file is cut: the end of each piece but the last, and how many lines or rows stand above it ---------------


def _cuts_of_lines(stream: Any, size: int, piece_bytes: int) -> Iterator[tuple[int, int]]:
    """Bytes of a file of lines at which a line begins; what is compressed is not cut.

    It is read here to its end, as many times faster than records are, because only that tells the lines above. Each
    piece is done as soon as it is found.
    """
    reader = BufferedReader(stream)
    read, above = 0, 0
    if open_unpacked(reader).kind:
        return
    while (block := reader.read(piece_bytes)) and read + len(block) < size:
        cut = block.rfind(b"\n") + 1  # to read on to the end of a line might take all memory
        above += block.count(b"\n")
        if cut:
            yield read + cut, above
        read += len(block)


def _cuts_of_rows(stream: Any, size: int, piece_bytes: int) -> Iterator[tuple[int, int]]:
    """Groups of rows of a file of Parquet, of which a piece has as many as fit into it."""
    about = load_arrow().parquet.ParquetFile(stream).metadata
    number, above = about.num_row_groups, 0
    step = max(1, number * piece_bytes // size)
    for group in range(number):
        if group and group % step == 0:
            yield group, above
        above += about.row_group(group).num_rows
