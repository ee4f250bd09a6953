"""How often each rule of `check` speaks on real documents. `make corpus` runs it.

The documents are other people's and presumed harmless, so that nearly every finding about hidden instructions is a
false alarm. The numbers lie in `tests/data/rule-rates.json`, from which `docs/reference/rules.md` has them;
`TOOLGLOT_ACCEPT=1 make corpus` writes them anew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import corpus
from golden import ROOT, same_file
from toolglot.converter.conversion import sources
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import Error
from toolglot.verbs.diagnostics.document_checks import check_document
from toolglot.verbs.diagnostics.rule_selection import RuleSelection
from toolglot.verbs.diagnostics.rules import rules

PATH = ROOT / "tests" / "data" / "rule-rates.json"
GROUPS = {
    "mcp": "MCP servers",
    "agents": "agents",
    "data": "data sets",
    "others": "ATIP, ATDF, AIP-14, openwop",
}
AGENTS = ("x1xhlol", "AlibabaResearch__DAMO-ConvAI__EvoTrainer")  # whose files hold the tools of shipped products
MOST = 0.003  # of the tools of servers: as many may be suspected of hidden instructions, by all rules together


def group_of(folder: str, path: Path) -> str:
    if folder == "openai":
        return "agents" if path.name.startswith(AGENTS) else "data"
    return "mcp" if folder == "mcp" else "others"


def measure() -> dict[str, Any]:
    """The tools of each group, and of them those about which a rule speaks: as it is set, and as information."""
    families = tuple(sorted({rule.family for rule in rules().values() if rule.is_on_request}))
    everything = RuleSelection(select=("ALL",), require=families)
    tools: Counter[str] = Counter()
    places: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    suspected: dict[str, set[str]] = defaultdict(set)
    for folder in corpus.FOLDERS:
        for path in corpus.files(folder):
            try:
                document = sources.open_document(path)
                reading = sources.read_document(document)
            except Error:
                continue
            group = group_of(folder, path)
            tools[group] += sum(1 for tool in reading.tools for _ in leaves_of(tool))
            for found in check_document(document, None, selection=everything).diagnostics:
                place = f"{path.name} {found.command or found.pointer[: _end_of_record(reading, found.pointer)]}"
                places[found.code, found.severity, group].add(place)
                if rules()[found.code].family == "text" and found.severity != "info":
                    suspected[group].add(place)
    hits: dict[str, dict[str, dict[str, int]]] = {}
    for (code, severity, group), tools_of_rule in sorted(places.items()):
        hits.setdefault(code, {}).setdefault(severity, {})[group] = len(tools_of_rule)
    return {
        "tools": dict(sorted(tools.items())),
        "suspected": {group: len(suspected[group]) for group in sorted(tools)},
        "hits": hits,
    }


def _end_of_record(reading: Any, pointer: str) -> int:
    """How much of a JSON Pointer leads to the record."""
    return max((len(one.pointer) for one in reading.records if f"{pointer}/".startswith(f"{one.pointer}/")), default=0)


if __name__ == "__main__":
    if not corpus.IS_HERE:
        sys.exit("the corpus is not here")
    rates = measure()
    for code, severities in rates["hits"].items():
        for severity, counts in severities.items():
            print(f"{code:32} {severity:8} " + "  ".join(f"{group} {count}" for group, count in counts.items()))
    share = rates["suspected"]["mcp"] / rates["tools"]["mcp"]
    print(f"suspected of hidden instructions: {rates['suspected']}, {share:.2%} of the tools of servers")
    same_file(PATH, json.dumps(rates, indent=1) + "\n")
    sys.exit(share > MOST)
