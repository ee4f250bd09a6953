"""Compressed text: gzip and Zstandard, known by their first bytes when they are read, and by a name when written."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import IO, Any, cast

import msgspec

from toolglot.errors import system_reason
from toolglot.extras import load_package

PACKED = (".gz", ".zst")
"""How names of compressed files end."""

_LEVEL = 6  # the default of gzip itself; 9 takes twice the time for a hundredth of the size


class Unpacked(msgspec.Struct, frozen=True):
    """What is read of a stream that may be compressed.

    Attributes:
        stream: what is in it, unpacked piece by piece.
        kind: `gzip`, `zstd`, or empty where nothing is compressed.
        faults: what it raises where the data is damaged or ends too early.
    """

    stream: IO[bytes]
    kind: str = ""
    faults: tuple[type[Exception], ...] = ()

    def describe(self, error: Exception) -> str:
        """What people are told of one of the faults."""
        reason = system_reason(error) if isinstance(error, OSError) else str(error)
        return f"the {self.kind} data is damaged: {reason.lower()}; fetch the file again"


def open_unpacked(stream: io.BufferedReader) -> Unpacked:
    """The stream, or what is compressed in it. The first bytes tell, because stdin has no name that could.

    Raises:
        UsageError: it is Zstandard, and the package that reads it is not installed; code `"missing-extra"`.

    >>> open_unpacked(io.BufferedReader(io.BytesIO(pack(b"[]", "a.jsonl.gz")))).stream.read()
    b'[]'
    """
    start = stream.peek(4)[:4]
    if start[:2] == b"\x1f\x8b":
        import gzip  # 2 ms, with zlib, that few documents need
        import zlib

        return Unpacked(
            cast(IO[bytes], gzip.GzipFile(fileobj=stream)), "gzip", (EOFError, zlib.error, gzip.BadGzipFile)
        )
    if start == b"\x28\xb5\x2f\xfd":
        zstd = _load_zstd()
        return Unpacked(zstd.ZstdFile(stream), "zstd", (EOFError, zstd.ZstdError))
    return Unpacked(stream)


def pack(data: bytes, name: str) -> bytes:
    """Data as a file of this name holds it; pieces that are compressed one by one are a file one after the other.

    Raises:
        UsageError: as in `open_unpacked`.
    """
    ending = name.lower()
    if ending.endswith(".gz"):
        import gzip

        return gzip.compress(data, _LEVEL, mtime=0)
    if ending.endswith(".zst"):
        packed: bytes = _load_zstd().compress(data)
        return packed
    return data


def pack_lines(lines: Iterable[str], name: str) -> bytes:
    """Lines without their ends as a file of this name holds them; pieces and errors are as in `pack`."""
    return pack("".join(f"{line}\n" for line in lines).encode(), name)


def _load_zstd() -> Any:
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return load_package(module, "zstd", "Zstandard needs")
