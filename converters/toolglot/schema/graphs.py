"""Directed graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)


def components(edges: Mapping[Vertex, Iterable[Vertex]]) -> dict[Vertex, int]:
    """The strongly connected component of each vertex (Tarjan's algorithm, without recursion).

    An edge is part of a cycle where both its ends are in the same component.

    >>> part = components({"a": ["b"], "b": ["a", "c"], "c": []})
    >>> part["a"] == part["b"], part["b"] == part["c"]
    (True, False)
    """
    order: dict[Vertex, int] = {}
    low: dict[Vertex, int] = {}
    part: dict[Vertex, int] = {}
    stack: list[Vertex] = []
    for start in edges:
        if start in order:
            continue
        order[start] = low[start] = len(order)
        stack.append(start)
        work = [(start, iter(edges[start]))]
        while work:
            here, ends = work[-1]
            for end in ends:
                if end not in order:
                    order[end] = low[end] = len(order)
                    stack.append(end)
                    work.append((end, iter(edges[end])))
                    break
                if end not in part:
                    low[here] = min(low[here], order[end])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == order[here]:
                    while here not in part:
                        part[stack.pop()] = order[here]
    return part
