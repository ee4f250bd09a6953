"""A catalogue to look at: the tools of many files as a folder of static pages, or as one Markdown document.

    entries -> cards.py (one `ToolCard` a tool: what is shown of it, as plain values)
                 badges.py (danger in words), parameters.py (rows of a schema), other_formats.py (the same tool)
            -> site.py (HTML by the templates beside it) or markdown.py

Every text of a tool is somebody else's: `prose.py` makes visible what hides in it, `markup.py` makes Markdown harmless.
"""

from __future__ import annotations

from toolglot.catalogs.pages.renderings import RENDERINGS, OutputFile, Rendering

__all__ = ["RENDERINGS", "OutputFile", "Rendering"]
