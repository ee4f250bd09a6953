"""Secrets of Kubernetes in a text, as YAML writes them."""

from __future__ import annotations

import re

from toolglot.runtime.bridge.redaction.names_in_text import TextSpans
from toolglot.runtime.bridge.redaction.secret_or_prose import stands_elsewhere

_SECRET = r"kind:[ \t]{1,8}[\"']?Secret[\"']?[ \t\r]*$"
# Nobody nests a manifest further, and every depth costs a look at the text.
_KIND = re.compile(rf"^((?:[ ]{{2}}){{0,20}}(?:- )?){_SECRET}", re.MULTILINE)
_ENTRY = re.compile(
    r"""^([ ]+)[^\s:\#-][^\n:]*:[ \t]+
        (?: [|>][+-]?[ \t]*\n (\1[ ]+[^\n]*+ (?: \n\1[ ]+[^\n]*+ )*+ )
          | ["']?( [^\s"'|>][^\n"']*+ ) )""",
    re.VERBOSE | re.MULTILINE,
)


def manifest_spans(text: str) -> TextSpans:
    """The values below `data` and `stringData` of each object of the kind Secret, wherever `kind` stands in it.

    >>> text = "kind: Secret\\ndata:\\n  password: aHVudGVyMg==\\n"
    >>> [text[start:end] for start, end in manifest_spans(text)]
    ['aHVudGVyMg==']
    """
    for column in {len(kind[1]) for kind in _KIND.finditer(text)}:
        is_secret = re.compile(rf"^[ -]{{{column}}}{_SECRET}", re.MULTILINE)
        data = re.compile(
            rf"^[ -]{{{column}}}(?:data|stringData):[ \t\r]*\n((?:[ ]{{{column + 1},}}[^\n]*+(?:\n|\Z))*+)",
            re.MULTILINE,
        )
        # The lines of an object whose keys stand there, from its first key or the dash before it.
        own = rf"[ ]{{{column}}}(?!---|\.\.\.)"
        first = rf"(?:{own}|[ ]{{{column - 2}}}- )" if column else own
        manifests = re.compile(rf"^{first}[^\n]*+(?:\n{own}[^\n]*+)*+(?:\n|\Z)", re.MULTILINE)
        for manifest in manifests.finditer(text):
            blocks = data.finditer(text, *manifest.span()) if is_secret.search(manifest[0]) else ()
            for block in blocks:
                for entry in _ENTRY.finditer(text, *block.span(1)):
                    group = entry.lastindex or 0
                    if not stands_elsewhere(entry[group]):
                        yield entry.span(group)
