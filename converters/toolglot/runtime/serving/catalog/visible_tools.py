"""One version of a catalogue, and the view of each principal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

from toolglot.runtime.serving import responses
from toolglot.runtime.serving.catalog.descriptors import SOURCES, Descriptor
from toolglot.runtime.serving.principals import Principal
from toolglot.verbs.catalogs import CatalogOptions
from toolglot.verbs.catalogs.catalog_entries import AS_USUAL
from toolglot.verbs.catalogs.pages import RENDERINGS

if TYPE_CHECKING:
    from toolglot.verbs.catalogs.pages.html_site import Site

_MOST_VIEWS = 64  # that are kept; each may hold the bytes of all tools
_MOST_PAGES = 200  # of a view, likewise


class View:
    """The view of one principal, or of several that may see the same tools.

    Args:
        is_enveloped: whether the list is `{"tools": [...]}`, as in the text of the RFC, instead of an array, as in its
            deployments. The compact list always has the envelope.
    """

    def __init__(self, descriptors: Sequence[Descriptor], is_enveloped: bool, options: CatalogOptions) -> None:
        self._descriptors = descriptors
        self._is_enveloped = is_enveloped
        self._options = options
        self._by_id = {descriptor.tool_id: descriptor for descriptor in descriptors}
        self._lists: dict[tuple[str | None, bool], Response] = {}
        self._pages: dict[str, Response] = {}

    def tools(self, source: str | None, is_compact: bool) -> Response:
        """The list.

        Args:
            source: only tools of this source; an unknown source has none.
        """
        if source is not None and source not in SOURCES:
            source = ""  # so that strangers' words do not fill what is kept
        key = source, is_compact
        if key not in self._lists:
            listed = [descriptor for descriptor in self._descriptors if source in (None, descriptor.source)]
            records = [descriptor.json(is_compact) for descriptor in listed]
            body = b"[" + b",".join(records) + b"]"
            if is_compact or self._is_enveloped:
                body = b'{"tools":' + body + b"}"
            self._lists[key] = responses.content(body)
        return self._lists[key]

    def tool(self, tool_id: str, is_compact: bool) -> Response | None:
        """One tool; `None` where there is none, or the principal may not see it."""
        descriptor = self._by_id.get(tool_id)
        return None if descriptor is None else responses.content(descriptor.json(is_compact))

    def page(self, path: str) -> Response | None:
        """A page; `None` where there is none. It may take seconds to make."""
        if path in self._pages:
            return self._pages[path]
        file = self._site.find(path)
        if file is None:
            return None
        media_type = "text/html" if path.endswith(".html") else "text/plain"
        if len(self._pages) >= _MOST_PAGES:
            self._pages.clear()
        self._pages[path] = responses.content(file.text.encode("utf-8", "backslashreplace"), media_type)
        return self._pages[path]

    @cached_property
    def _site(self) -> Site:
        # Only where pages are asked for, and the extra is there.
        from toolglot.verbs.catalogs.pages.html_site import Site

        return Site([descriptor.entry for descriptor in self._descriptors], self._options)


class CatalogVersion(msgspec.Struct):
    """One version of a catalogue. Nothing in it changes.

    Attributes:
        descriptors: its tools.
        principals: who may ask.
    """

    descriptors: Sequence[Descriptor]
    principals: Sequence[Principal]
    _is_enveloped: bool = False
    _options: CatalogOptions = AS_USUAL
    _views: dict[frozenset[str], View] = {}
    _views_by_name: dict[str, View] = {}

    def has_token(self, name: str, digest: str) -> bool:
        """Whether the principal with this name has the token with this digest."""
        return any((one.name, one.digest) == (name, digest) for one in self.principals)

    def visible(self, name: str) -> list[Descriptor]:
        """The tools that the principal with this name sees; empty where there is no such principal any more."""
        principals = [principal for principal in self.principals if principal.name == name]
        return [one for own in principals for one in self.descriptors if own.may_see(one.tool_id, one.scopes)]

    def warnings(self) -> Iterator[str]:
        """Warnings about tokens that see no tool. Their holders are given no reason."""
        for principal in self.principals:
            if not any(principal.may_see(one.tool_id, one.scopes) for one in self.descriptors):
                yield f"the token {principal.name!r} sees no tool: its patterns match no whole id, or it lacks scopes"

    def view(self, principal: Principal) -> View:
        """The view of a principal."""
        cached_view = self._views_by_name.get(principal.name)
        if cached_view is not None:
            return cached_view
        visible = self.visible(principal.name)
        ids = frozenset(one.tool_id for one in visible)
        if len(self._views) >= _MOST_VIEWS:
            self._views.clear()
            self._views_by_name.clear()
        view = self._views.setdefault(ids, View(visible, self._is_enveloped, self._options))
        self._views_by_name[principal.name] = view
        return view


def has_pages() -> bool:
    """Whether the packages for pages are installed."""
    return all(find_spec(package) for package in RENDERINGS["html"].packages)
