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
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BufferedReader
from itertools import chain
from typing import Any

import msgspec

import toolglot
from toolglot.converter.files.row_files import PARQUET
from toolglot.converter.files.shared_folders import TEMPORARY, NewFiles, files_in, no_foreign_errors, open_folder
from toolglot.converter.files.spill import Spill
from toolglot.converter.text.compression import open_unpacked
from toolglot.converter.text.serialization import LINED
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import ReadError, UsageError
from toolglot.extras import load_package
from toolglot.verbs import catalogs
from toolglot.verbs.streams.json_lines import numbered_lines
from toolglot.verbs.streams.shards import DIGESTS, ERRORS, FINISHED, LINES, Piece, Shard, Shards, shard_of
from toolglot.verbs.streams.tasks import ERROR_COLUMNS, RecordTask

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
        self._shards, self._task = shards, task
        self._source, self._output = open_folder(shards.source), open_folder(shards.output)
        endings = (PARQUET,) if task.column else LINED
        found = {name: file for name, file in files_in(self._source).items() if name.lower().endswith(endings)}
        if not found:
            raise UsageError(f"there is no file called {' or '.join(endings)}", "no-sources", source=shards.source)
        self._sizes = {name: file.size for name, file in found.items()}
        self._states = {name: f"{file.size} bytes of {file.mtime}" for name, file in found.items()}
        earlier = self._read_manifest()
        if not shards.resume and (earlier or files_in(self._output)):
            message = "there is a result; give resume=True to go on with it, or another folder"
            raise UsageError(message, "file-exists", source=shards.output)
        # How large a piece is has to stay as it was, with other machines too.
        size = shards.piece_bytes or earlier.get("asked", {}).get("piece_bytes")
        self._piece_bytes = size or min(max(sum(self._sizes.values()) // (cores() * _SHARE), _SMALLEST), _LARGEST)
        self._manifest = self._describe()
        self._refuse_other(earlier)
        self._finished = self._read_finished()
        self._sweep()
        self._write_manifest()

    # -- the manifest -----------------------------------------------------------------------------------------

    def _describe(self) -> dict[str, Any]:
        """What is asked for, and of which files, as it is read back."""
        task = msgspec.structs.asdict(self._task)
        asked = {**self._shards._asdict(), **task, **task["asked"], "piece_bytes": self._piece_bytes}
        for name in ("asked", "resume", "output"):
            del asked[name]
        manifest = {"asked": {"toolglot": toolglot.__version__, **asked}, "files": self._states}
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(manifest, enc_hook=repr))
        return data

    def _refuse_other(self, earlier: dict[str, Any]) -> None:
        """Refuse to go on with a run that was asked for something else."""
        new: dict[str, Any] = self._manifest["asked"]
        old = earlier.get("asked", new)
        differences = [
            f"{name} was {to_short_json(old.get(name))} and is {to_short_json(new.get(name))}"
            for name in sorted({*old, *new})
            if old.get(name) != new.get(name)
        ]
        if differences:
            message = f"the earlier run was another one: {'; '.join(differences)}; give another folder"
            raise UsageError(message, "other-run", source=self._shards.output)

    def _read_finished(self) -> list[Shard]:
        """The shards that an earlier run has finished.

        Raises:
            UsageError: a file is not as it was.
        """
        names = [f"{FINISHED}/{name}" for name in files_in(self._output, FINISHED)]
        with ThreadPoolExecutor() as pool:  # object storage takes a tenth of a second for each
            finished = [msgspec.json.decode(content, type=Shard) for content in pool.map(self._read, names)]
        for shard in finished:
            now = self._states.get(shard.file, "gone")
            if now != shard.state:
                message = f"it was {shard.state} when it was read, and is {now}; give another folder for the results"
                raise UsageError(message, "other-run", source=shard.file)
        return finished

    def _read(self, name: str) -> bytes:
        with self._output.open_input_file(name) as stream:
            return bytes(stream.read())

    def _read_manifest(self) -> dict[str, Any]:
        try:
            return dict(msgspec.json.decode(self._read(_MANIFEST)))
        except FileNotFoundError:
            return {}

    def _write_manifest(self) -> None:
        with no_foreign_errors(_MANIFEST), NewFiles(self._output) as files:
            files.stream(_MANIFEST).write(json.dumps(self._manifest, indent=2).encode())
            files.appear()

    def _sweep(self) -> None:
        """Delete what tasks that were killed have left."""
        with suppress(OSError):
            self._output.delete_dir(TEMPORARY)

    # -- pieces -----------------------------------------------------------------------------------------------

    def pieces(self) -> Iterator[Piece]:
        """What is still to be done, as it is found."""
        done = {shard.name for shard in self._finished}
        cut = self._cut_lines if self._task.column is None else self._cut_rows
        for name, size in self._sizes.items():
            whole = Piece(name, self._states[name], end=size)
            for piece in cut(whole) if size > self._piece_bytes else [whole]:
                if shard_of(piece, self._shards, self._task).name not in done:
                    yield piece

    def _cut_lines(self, whole: Piece) -> Iterator[Piece]:
        """The pieces of a file of lines, which begin where a line does; what is compressed is one.

        It is read here to its end, as many times faster than records are, because only that tells the lines before a
        piece. Each piece is done as soon as it is found. What cannot be read is one, which says so.
        """
        rest = whole
        with suppress(OSError), self._source.open_input_file(whole.file) as stream:
            reader = BufferedReader(stream)
            if not open_unpacked(reader).kind:
                rest = whole._replace(number=0)
                while block := reader.read(self._piece_bytes) + reader.readline():
                    end = rest.start + len(block)
                    yield rest._replace(end=end)
                    rest = rest._replace(
                        number=(rest.number or 0) + 1, start=end, first=rest.first + block.count(b"\n")
                    )
                return
        yield rest

    def _cut_rows(self, whole: Piece) -> Iterator[Piece]:
        """The pieces of a file of Parquet, of some groups of rows each; a damaged one stays whole."""
        try:
            with no_foreign_errors(whole.file), self._source.open_input_file(whole.file) as stream:
                about = load_package("pyarrow.parquet", "parquet", "Parquet needs").ParquetFile(stream).metadata
        except ReadError:
            yield whole
            return
        piece, size, rows = whole._replace(number=0), 0, 0
        for index in range(about.num_row_groups):
            group = about.row_group(index)
            size, rows = size + group.total_byte_size, rows + group.num_rows
            if size >= self._piece_bytes or index + 1 == about.num_row_groups:
                yield piece._replace(end=index + 1)
                piece, size = piece._replace(number=(piece.number or 0) + 1, start=index + 1, first=rows), 0

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
            self._manifest |= {"tally": dict(tally), "failed": failed}
            self._write_manifest()
        finally:
            self._sweep()

    def _rows(self, name: str) -> Iterator[Any]:
        with self._output.open_input_file(name) as stream:
            for _, line in numbered_lines(stream, sys.maxsize):
                yield msgspec.json.decode(line)

    def _settle(self, names: Iterable[str]) -> Shard:
        """The catalogue of all entries. They are settled here, as `toolglot catalog` does it: on disk."""
        asked = self._task.asked
        entries = catalogs.spill_for(asked["to"])
        for name in names:
            for row in self._rows(name):
                entry = msgspec.json.decode(row["entry"], type=catalogs.Entry)
                entries.extend([entry._replace(line=row["index"])])
        settled = catalogs.settle(entries, asked["to"], locate=lambda entry: (entry.line or 0, 1))
        errors = [dict(zip(ERROR_COLUMNS, (one.code, one.pointer, str(one)), strict=False)) for one in settled.problems]
        with no_foreign_errors(_CATALOG), NewFiles(self._output) as files:
            stream = files.stream(_CATALOG)
            for line in catalogs.dump_lines(settled.entries, asked["to"]):
                stream.write(line.encode("utf-8", "backslashreplace"))
            if errors:
                files.write_rows(f"{ERRORS}/{_CATALOG}", {}, errors)
            files.appear()
        counts = Counter(f"error {row['error']}" for row in errors)
        return Shard(_CATALOG, "", tally={"rows": len(settled.entries), **counts})

    def _find_doubles(self, names: Iterable[str]) -> int:
        """Write which records are as an earlier one, and count them."""
        records = Spill[tuple[str, str, int]](lambda record: ((record[0],),))
        for name in names:
            records.extend((row["digest"], name, row["index"]) for row in self._rows(f"{DIGESTS}/{name}{LINES}"))
        number = 0
        with no_foreign_errors(_DOUBLES), NewFiles(self._output) as files:
            files.write_rows(_DOUBLES, {}, [])
            for group in records.groups():
                number += group.total - 1
                (digest, shard, index), *others = group.items
                about = {"digest": digest, "first_shard": shard, "first_index": index}
                files.write_rows(_DOUBLES, {}, [{"shard": one[1], "index": one[2], **about} for one in others])
            files.appear()
        return number
