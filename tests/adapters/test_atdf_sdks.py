"""Our ATDF, held to the two libraries that its own repository has: no package index has either.

`TOOLGLOT_ATDF_SDK` names a checkout of MauricioPerera/agent-tool-description-format: 0f1dbd6 has both as they are read
here. `make adapters` then runs this, over real documents where they are there.
"""

from __future__ import annotations

import json
import os
import subprocess
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import corpus
import toolglot
from golden import FIXTURES
from toolglot.errors import Error

SDK = os.environ.get("TOOLGLOT_ATDF_SDK", "")
pytestmark = [
    pytest.mark.vendors,
    pytest.mark.skipif(not SDK, reason="the libraries of ATDF are in no index; name a checkout in TOOLGLOT_ATDF_SDK"),
]
OURS = [*FIXTURES.glob("cases/*/hub.json"), *FIXTURES.glob("demo/*.json")]
SOURCES = sorted([*OURS, *(corpus.ROOT.rglob("*.json") if corpus.IS_HERE else ())])
LOAD = """
const Toolbox = require(process.argv[1] + '/js/src/ATDFToolbox');
const toolbox = new Toolbox();
const loaded = toolbox.loadToolsFromDirectory(process.argv[2]);
console.log(JSON.stringify([loaded, toolbox.tools.map((tool) => tool.getInputSchema().type)]));
"""


def write_all(folder: Path, **options: Any) -> int:
    """Write every source as ATDF below a folder; how many records there are."""
    count = 0
    for number, source in enumerate(SOURCES):
        try:
            conversion = toolglot.convert(source, "atdf", skip_bad=True, **options)
        except Error:
            continue
        for name, text in conversion.files:
            (folder / f"{number}-{name.replace('/', '-')}").write_text(text, encoding="utf-8")
        count += len(conversion.output.records)
    return count


@pytest.fixture
def sdk(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(SDK)
    return import_module("sdk.atdf_sdk")


@pytest.mark.filterwarnings("ignore")
def test_the_library_for_python_loads_every_record(tmp_path: Path, sdk: Any) -> None:
    count = write_all(tmp_path)
    assert count
    toolbox = sdk.ATDFToolbox()
    loaded = 0
    for file in tmp_path.iterdir():
        assert toolbox.load_tool_from_file(file)
        loaded += len([sdk.create_tool_instance(record) for record in sdk.load_tools_from_file(file)])
    assert (loaded, len(toolbox.tools)) == (count, count)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(which("node") is None, reason="there is no Node")
def test_the_library_for_javascript_loads_a_file_a_record(tmp_path: Path) -> None:
    count = write_all(tmp_path, one_per_tool=True)
    command = ["node", "-e", LOAD, SDK, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    assert not done.stderr, done.stderr[:500]
    loaded, types = json.loads(done.stdout)
    assert (loaded, {*types}) == (count, {"object"})
