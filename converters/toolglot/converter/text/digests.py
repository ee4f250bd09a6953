"""Digests of texts and bytes: whole, or the few digits in which two long names differ."""

from __future__ import annotations


def sha256_of(raw: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal.

    >>> sha256_of(b"a")[:8]
    'ca978112'
    """
    import hashlib  # 3 ms that most names do not need

    return hashlib.sha256(raw).hexdigest()


def policy_hash(text: str) -> str:
    """How the policy of a page names a style or a script of it that may be used.

    >>> policy_hash("a")[:20]
    "'sha256-ypeBEsobvcr6"
    """
    from base64 import b64encode  # what only pages need

    return f"'sha256-{b64encode(bytes.fromhex(hex_digest(text))).decode()}'"


def hex_digest(text: str, length: int = 64) -> str:
    """The first hexadecimal digits of the SHA-256 of a text.

    >>> hex_digest("a", 8)
    'ca978112'
    """
    return sha256_of(text.encode("utf-8", "surrogatepass"))[:length]
