"""Documents of ours through everything that `make corpus` does with real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import corpus
import provider_corpus
from golden import FIXTURES
from rows import for_each, sample
from toolglot.converter import formats

DOCUMENTS = sorted(
    path
    for folder in ("identity", "tolerated")
    for path in (FIXTURES / folder).glob("*/*")
    if path.suffix != ".diagnostics"
)
OF_TOOLS = [path for path in DOCUMENTS if path.parent.name in provider_corpus.FOLDERS]


@for_each(("number", "path"), enumerate(DOCUMENTS), ids=[f"{path.parent.name}/{path.name}" for path in DOCUMENTS])
def test_every_conversion_keeps_the_laws(number: int, path: Path) -> None:
    result = corpus.run(path, path.parent.name, sample(formats.targets(), 14, number))
    assert (result.refused, result.broken, result.crashes) == (None, [], [])
    assert result.conversions + result.collisions > 0


REFUSED = {
    "cut-off.json": "json-syntax",
    "old-crop.TOOL.md": "legacy-tool-md",
    "old-resize.TOOL.md": "legacy-tool-md",
    "registry.json": "foreign-format",
    "prose.TOOL.md": "no-front-matter",
    "WORKFLOW.md": "foreign-format",
    "client.json": "foreign-format",
}
LIKE_REAL_ONES = sorted(path for path in (FIXTURES / "corpus").rglob("*") if path.is_file())


@for_each(("number", "path"), enumerate(LIKE_REAL_ONES), ids=[path.name for path in LIKE_REAL_ONES])
def test_documents_like_real_ones(number: int, path: Path) -> None:
    result = corpus.run(path, targets=sample(formats.targets(), 6, number))
    assert (result.refused, result.broken, result.crashes) == (REFUSED.get(path.name), [], [])


@pytest.mark.vendors
@for_each(("number", "way"), enumerate(provider_corpus.REQUESTS))
def test_every_definition_is_what_its_provider_takes(number: int, way: provider_corpus.Request) -> None:
    paths = sample(OF_TOOLS, 2, number)
    results = {way: provider_corpus.offer_all(way, paths)}
    assert provider_corpus.faults(results) == []
    assert results[way].modes.total() > len(paths)
