"""Items that may not fit in memory: the first in a list, and all of them in a file of SQLite once there are many.

The file has no name, so that nobody else can open it, and it goes with the process however that ends.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

SpillKeys = tuple[tuple[str, ...], ...]
"""By what an item is found; the first is what it is sorted by."""

MOST_HELD = 10_000
"""Items that are held in memory; a tool with its record is some 10 kB there, and 3 in the file."""

MOST_TOGETHER = 10_000
"""Items of one key that are looked at together."""

_CACHE = 32_000  # kB of the file that are held in memory
_PIECE = 500  # items that are put into the file at a time


class KeyGroup(NamedTuple):
    """Items that have the same key.

    Attributes:
        items: at most `MOST_TOGETHER` of them, the first.
        total: how many there are.
        places: where they all are: in the list, or in the file.
    """

    items: list[Any]
    total: int
    places: list[int]


class Spill(Generic[T]):
    """Items with keys, in memory or on disk. An item that goes to disk is pickled, and comes back as another object.

    Args:
        keys_of: the keys of an item, as many for each; without any, items stay in the order in which they came.
        most: how many are held in memory.

    >>> words = Spill(lambda word: ((word[0],), (word[-1],)), most=2)
    >>> words.extend(["by", "as", "at", "bat"])
    >>> words.settle(1, lambda group: group.items[:1])
    >>> list(words), len(words)
    (['as', 'at', 'by'], 3)
    """

    def __init__(self, keys_of: Callable[[T], SpillKeys], most: int = MOST_HELD) -> None:
        self._keys_of = keys_of
        self._most = most
        self._held: list[T] = []
        self._count = 0  # of what is in the file
        self._file: sqlite3.Connection | None = None
        self._order = ""

    def __len__(self) -> int:
        return self._count + len(self._held)

    def __iter__(self) -> Iterator[T]:
        """The items by their first key; those with the same, or without any, in the order in which they came."""
        if self._file is None:
            return iter(sorted(self._held, key=lambda item: [_encode(key) for key in self._keys_of(item)[:1]]))
        return self._read(f"ORDER BY {self._order}id")

    def as_added(self) -> Iterator[T]:
        """The items in the order in which they came."""
        return iter(self._held) if self._file is None else self._read("ORDER BY id")

    @property
    def is_on_disk(self) -> bool:
        """Whether there are too many items to hold them."""
        return self._file is not None

    def _read(self, which: str) -> Iterator[T]:
        assert self._file is not None
        self._move()
        for (data,) in self._file.execute(f"SELECT data FROM item {which}"):
            yield pickle.loads(data)

    def extend(self, items: Iterable[T]) -> None:
        """Put in more items."""
        for item in items:
            self._held.append(item)
            if len(self._held) > (self._most if self._file is None else _PIECE):
                self._move()

    def groups(self, number: int = 0) -> Iterator[KeyGroup]:
        """The groups of several items, in the order of their key; meanwhile nothing may be put in.

        Args:
            number: of the key, counted from 0.
        """
        if self._file is None:
            places: dict[bytes, list[int]] = defaultdict(list)
            for index, item in enumerate(self._held):
                places[_encode(self._keys_of(item)[number])].append(index)
            for _, same in sorted(places.items()):
                if len(same) > 1:
                    yield KeyGroup([self._held[index] for index in same[:MOST_TOGETHER]], len(same), same)
            return
        self._move()
        key = f"key{number}"
        # An index is made when somebody asks, because items are put in faster without.
        self._file.execute(f"CREATE INDEX IF NOT EXISTS by_key{number} ON item ({key})")
        self._file.executescript(
            f"DROP TABLE IF EXISTS several; CREATE TABLE several AS"
            f" SELECT {key} FROM item GROUP BY {key} HAVING count(*) > 1 ORDER BY {key}"
        )
        for row in self._file.execute(f"SELECT {key} FROM several ORDER BY rowid"):
            same = [place for (place,) in self._file.execute(f"SELECT id FROM item WHERE {key} = ? ORDER BY id", row)]
            first = self._file.execute(f"SELECT data FROM item WHERE {key} = ? ORDER BY id LIMIT {MOST_TOGETHER}", row)
            yield KeyGroup([pickle.loads(data) for (data,) in first.fetchall()], len(same), same)

    def settle(self, number: int, choose: Callable[[KeyGroup], Sequence[T]]) -> None:
        """Put what is chosen in the place of every group of several items.

        Args:
            number: of the key, counted from 0.
            choose: what is left of a group; it may be other items.
        """
        gone: set[int] = set()
        chosen: list[T] = []
        for group in self.groups(number):
            if self._file is None:
                gone.update(group.places)
                chosen += choose(group)
            else:
                self._file.executemany("DELETE FROM item WHERE id = ?", ((place,) for place in group.places))
                self._count -= group.total
                self.extend(choose(group))
        if self._file is None:
            self._held = [item for index, item in enumerate(self._held) if index not in gone]
            self.extend(chosen)

    def _move(self) -> None:
        """Put what is held into the file."""
        if self._file is None:
            import sqlite3  # 5 ms that few runs need

            self._file = sqlite3.connect("", isolation_level=None)  # a file without a name, as SQLite makes it
            keys = len(self._keys_of(self._held[0]))
            self._order = "key0, " if keys else ""
            columns = "".join(f"key{number} BLOB, " for number in range(keys))
            self._file.executescript(
                f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{_CACHE};"
                f" CREATE TABLE item (id INTEGER PRIMARY KEY, {columns}data BLOB)"
            )
        rows = [
            (*map(_encode, self._keys_of(item)), pickle.dumps(item, pickle.HIGHEST_PROTOCOL)) for item in self._held
        ]
        if rows:
            self._file.execute("BEGIN")
            marks = ", ".join("?" * len(rows[0]))
            self._file.executemany(f"INSERT INTO item VALUES (NULL, {marks})", rows)
            self._file.execute("COMMIT")
            self._count += len(rows)
            self._held = []


def _encode(key: tuple[str, ...]) -> bytes:
    """A key as bytes that are sorted as it is.

    >>> sorted([_encode(("a", "b")), _encode(("a\\0",)), _encode(("a",))])
    [b'a', b'a\\x00\\x00b', b'a\\x00\\x01']
    """
    return b"\0\0".join(part.encode("utf-8", "surrogatepass").replace(b"\0", b"\0\1") for part in key)
