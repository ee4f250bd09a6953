"""The entries of a document as they are written, with their comments."""

from __future__ import annotations

from typing import Any

from toolglot.converter.text.caches import Same
from toolglot.converter.text.document_reader import Document, load
from toolglot.converter.text.pointers import escape
from toolglot.errors import ParseError
from toolglot.verbs.migration.edit import syntax_tree
from toolglot.verbs.migration.edit.changes import is_same_text
from toolglot.verbs.migration.edit.lines_and_comments import Lines
from toolglot.verbs.migration.edit.moved_entries import Lifted, lift


class EntryTexts:
    """The entries of a document as they are written, with their comments; JSON and data have none.

    Args:
        document: a document that was read from a text.
    """

    def __init__(self, document: Document) -> None:
        self._lines: Lines | None = None
        if document.syntax in ("yaml", "front-matter"):
            self._lines = Lines(document.text, syntax_tree.read_tree(document))
        self._indices: dict[Same[syntax_tree.TreeNode], dict[str, int]] = {}  # the entries of a node by their tokens

    def comments(self, pointer: str) -> list[str]:
        """The comments that belong to an entry: directly above its key, beside it, and inside it.

        These are the comments that go when `edit` removes the entry.

        Args:
            pointer: JSON Pointer in its data; `""` is the whole text, without the body.

        Returns:
            Each comment from its `#` to the end of its line; none where the pointer leads nowhere.

        >>> EntryTexts(load("# one\\n\\n# two\\na: 1 # three\\n")).comments("/a")
        ['# two', '# three']
        """
        if self._lines is not None and not pointer:
            return self._lines.comments(self._lines.tree.start, self._lines.tree.end)
        place = self._place(pointer)
        if place is None:
            return []
        lines, node, index = place
        return lines.comments(*lines.extent(node, index))

    def excerpt(self, pointer: str, value: Any) -> Lifted | None:
        """The text of an entry as it may stand in another document, with its comments.

        Args:
            pointer: JSON Pointer in its data.
            value: what the entry has to say there.

        Returns:
            `None` where it says something else, or cannot be taken out as it is.

        >>> EntryTexts(load("# why\\na: ['x']  # so\\n")).excerpt("/a", ["x"]).lines("b")
        ['# why', "b: ['x']  # so"]
        """
        place = self._place(pointer)
        entry_text = None if place is None else lift(*place)
        if entry_text is None:
            return None
        try:
            data = load("\n".join(entry_text.lines("k"))).data
        except ParseError:
            return None
        return entry_text if is_same_text(data, {"k": value}) else None

    def _place(self, pointer: str) -> tuple[Lines, syntax_tree.TreeNode, int] | None:
        """The lines that an entry is among, the collection that it stands in, and its index there."""
        if self._lines is None:
            return None
        place, node = None, self._lines.tree.root
        for token in pointer.split("/")[1:]:
            key = Same(node)
            if key not in self._indices:
                self._indices[key] = {escape(entry.name): index for index, entry in enumerate(node.entries)}
            index = self._indices[key].get(token)
            if index is None:
                return None
            place = self._lines, node, index
            node = node.entries[index].value
        return place
