"""A catalogue to look at: `html_site.render` makes a folder of static pages, `markdown_document.render` one document.

The renderings stand here by name. Every text of a tool is untrusted.

page_cards          the card of each tool (`verbs/cards`), with its address and the facets that it is found by
    page_addresses      the addresses of pages
html_site           HTML by the templates beside it
    markdown_to_html    untrusted Markdown as HTML
    other_formats       the same tool as every format writes it
markdown_document   one document for a repository
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from toolglot.errors import UsageError
from toolglot.extras import how_to_install
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry

__all__ = ["RENDERINGS", "OutputFile", "Rendering"]


class OutputFile(NamedTuple):
    """A file of a rendered catalogue: its path below the output folder, empty where it is the output; its content."""

    path: str
    text: str


Render = Callable[[Sequence[Entry], CatalogOptions], list[OutputFile]]


class Rendering(NamedTuple):
    """One way to show a catalogue.

    Attributes:
        name: the name for `--to`.
        module: the module of this package whose `render` makes files of settled entries.
        is_folder: whether the output is a folder of files.
        packages: the packages that it needs, by their import names.
    """

    name: str
    module: str
    is_folder: bool
    packages: tuple[str, ...] = ()

    def require_packages(self) -> None:
        """Check that all packages are installed, before any other work.

        Raises:
            UsageError: a package is missing; code `"missing-extra"`.
        """
        for package in self.packages:
            if find_spec(package) is None:
                message = f"{self.name} needs the package {package}; {how_to_install('pages')}"
                raise UsageError(message, "missing-extra")

    def render(self, entries: Sequence[Entry], options: CatalogOptions) -> list[OutputFile]:
        """The files of a catalogue, in the order of writing: a file stands before those that link to it.

        Args:
            entries: the entries from `identities.settle`, gathered for `catalog_entries.any_tool_format()`.
        """
        render: Render = import_module(f"{__package__}.{self.module}").render
        return render(entries, options)


RENDERINGS = {
    "html": Rendering("html", "html_site", is_folder=True, packages=("jinja2", "markdown_it", "nh3")),
    "markdown": Rendering("markdown", "markdown_document", is_folder=False),
}
