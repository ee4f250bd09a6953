"""A catalogue to look at: `html_site.render` makes a folder of static pages, `markdown_document.render` one document.

What there is, by name, stands here. Every text of a tool is somebody else's.

page_cards          the card of each tool (`verbs/cards`), with its address and what it is found by
    page_addresses      what a page is called
html_site           HTML by the templates beside it
    markdown_to_html    texts of other people
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
        name: as `--to` has it.
        module: of this package; its `render` takes settled entries and gives files.
        is_folder: whether it is a folder of files.
        packages: that it needs beside ours, by the names that they are imported by.
    """

    name: str
    module: str
    is_folder: bool
    packages: tuple[str, ...] = ()

    def require_packages(self) -> None:
        """Make sure that nothing is missing, before all the work.

        Raises:
            UsageError: a package is; code `"missing-extra"`.
        """
        for package in self.packages:
            if find_spec(package) is None:
                message = f"{self.name} needs the package {package}; {how_to_install('pages')}"
                raise UsageError(message, "missing-extra")

    def render(self, entries: Sequence[Entry], options: CatalogOptions) -> list[OutputFile]:
        """The files of a catalogue, in the order in which they are written: no link leads to what is not there yet.

        Args:
            entries: as `identities.settle` gives them, gathered for `catalog_entries.any_tool_format()`.
        """
        render: Render = import_module(f"{__package__}.{self.module}").render
        return render(entries, options)


RENDERINGS = {
    "html": Rendering("html", "html_site", is_folder=True, packages=("jinja2", "markdown_it", "nh3")),
    "markdown": Rendering("markdown", "markdown_document", is_folder=False),
}
