"""Digests of texts: whole, or the few digits in which two long names differ."""

from __future__ import annotations


def hex_digest(text: str, length: int = 64) -> str:
    """The first hexadecimal digits of the SHA-256 of a text.

    >>> hex_digest("a", 8)
    'ca978112'
    """
    import hashlib  # 3 ms that most names do not need

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
