"""Untrusted Markdown as HTML."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

from toolglot.verbs.cards.hidden_characters import visible


def markdown_to_html(markdown: str) -> str:
    """Markdown as HTML without scripts, images, styles and ids. Links lead to the web, and send no referrer.

    >>> markdown_to_html("Reads **all**. ![](https://a.example/x.png) <b>[no](javascript:alert(1))</b>")
    '<p>Reads <strong>all</strong>.  &lt;b&gt;[no](javascript:alert(1))&lt;/b&gt;</p>\\n'
    """
    tokens = _PARSER.parse(visible(markdown))
    for token in tokens:
        if token.type.startswith("heading_"):  # a description is a part of a page that has headings of its own
            token.tag = "p"
    return _CLEANER.clean(_PARSER.renderer.render(tokens, _PARSER.options, {}))


def is_web_address(address: str) -> bool:
    """Whether a link is an address of the web, and leads neither into the folder of the pages nor to a script.

    >>> [is_web_address(address) for address in ("HTTPS://a.example", " javascript:alert(1)", "../a", "//a.example")]
    [True, False, False, False]
    """
    return address.lower().startswith(("https://", "http://", "mailto:"))


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        return is_web_address(url)


# `html: False` keeps tags as text, but lets images through, which would tell their server who reads the page. So the
# result is cleaned by a second package that knows nothing of the first.
_PARSER = _Parser("commonmark", {"html": False}).enable("table")

_CLEANER = nh3.Cleaner(
    tags={"a", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "strong", "ul"}
    | {"table", "thead", "tbody", "tr", "th", "td"},
    attributes={"a": {"href"}, "ol": {"start"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
)
