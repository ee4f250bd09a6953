"""A catalogue to look at: `site.render` makes a folder of static pages, `markdown.render` one Markdown document.

renderings      what there is, by name
cards           one `ToolCard` a tool: what is shown of it, as plain values
    badges          danger in words
    parameters      rows of a schema
    other_formats   the same tool as every format writes it
site            HTML by the templates beside it
markdown        one document for a repository

Every text of a tool is somebody else's:

prose           what hides in it is made visible
markup          its Markdown is made harmless
"""

from __future__ import annotations

from toolglot.catalogs.pages.renderings import RENDERINGS, OutputFile, Rendering

__all__ = ["RENDERINGS", "OutputFile", "Rendering"]
