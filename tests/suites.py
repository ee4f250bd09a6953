"""Published suites through everything: schemas of five drafts to every target, JSON and YAML into data.

`make suites` runs all of them and holds the table in `docs/internals/corpus.md` to what came of it; `TOOLGLOT_ACCEPT=1
make suites` writes it anew. The suites are other people's and lie beside the project in `../shared/suites`; how each is
judged is in the README there. Where they are absent, the tests run on `fixtures/suites`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import yaml

import toolglot
from golden import same_table
from metaschema import check_schema
from toolglot.converter import formats
from toolglot.converter.conversion import pipeline
from toolglot.converter.fitting.argument_codec import means_the_same
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader
from toolglot.errors import Error, FitError
from toolglot.runtime.bridge import compilation

SHARED = Path(__file__).resolve().parents[2] / "shared" / "suites"
ARE_HERE = SHARED.is_dir()  # the published ones; else a sample of ours, in the same shapes, stands in for them
ROOT = SHARED if ARE_HERE else Path(__file__).resolve().parents[1] / "fixtures" / "suites"
# What the suite takes of foreign documents: each 16th; 1 is all.
STEP = int(os.environ.get("TOOLGLOT_SUITES", "32"))
DRAFTS = {
    "draft4": ("http://json-schema.org/draft-04/schema#", jsonschema.Draft4Validator),
    "draft6": ("http://json-schema.org/draft-06/schema#", jsonschema.Draft6Validator),
    "draft7": ("http://json-schema.org/draft-07/schema#", jsonschema.Draft7Validator),
    "draft2019-09": ("https://json-schema.org/draft/2019-09/schema", jsonschema.Draft201909Validator),
    "draft2020-12": ("https://json-schema.org/draft/2020-12/schema", jsonschema.Draft202012Validator),
}


# Faults that stay: a part of the line that reports one -> why.
DEFENDED = {
    "draft4/zeroTerminatedFloats": "draft-04 tells 1.0 from 1, 2020-12 does not; no provider can be told",
    "validate definition against metaschema": "MCP takes the reference to another document; nobody fetches it",
    "remote ref, containing refs itself": "MCP takes the reference to another document; nobody fetches it",
    "y refused on purpose": "a bare scalar describes no tool; of a key that stands twice nobody knows which one counts",
    **dict.fromkeys(
        (f"invalid accepted: {name}" for name in ("9C9N/0", "9JBA/0", "CVW2/0", "DK95/1", "G5U8/0", "QB6E/0", "S98Z/0",
         "SU5Z/0", "X4QW/0", "Y79Y/3")),
        "libyaml takes these too: an indentation or a comment that the grammar forbids; the data is what was meant",
    ),
    "other data: JEF9/2": "libyaml: a block scalar that ends the text in blanks without a line feed loses that line",
    "other data: L24T/1": "libyaml: a block scalar that ends the text in blanks without a line feed loses that line",
    "other data: Y2GN/0": "libyaml: the colon at the end of an anchor's name begins the value",
}  # fmt: skip


def undefended(figures: Figures) -> list[str]:
    """The faults that nothing in the table explains."""
    return [fault for fault in figures.faults if defence(fault) is None]


def defence(fault: str) -> str | None:
    """Why a fault stays, where that is said."""
    return next((why for part, why in DEFENDED.items() if part in fault), None)


# -- JSON Schema ----------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """One schema of the suite as the property `v` of a tool's arguments, with the values it accepts or refuses."""

    name: str
    inputs: dict[str, Any]
    values: list[tuple[dict[str, Any], bool]]


def schema_cases(draft: str, step: int = 1) -> Iterator[Case]:
    """Every case of a draft, or every `step`-th.

    Where putting a schema inside another changes what it accepts (it refers to the document that it is the root of),
    and where another document would have to be fetched, a value is left out; a case without values too.
    """
    uri, kind = DRAFTS[draft]
    paths = sorted((ROOT / "json-schema" / draft).rglob("*.json"))
    groups = [(path.stem, group) for path in paths for group in json.loads(path.read_bytes())]
    for stem, group in groups[::step]:
        inner = group["schema"]
        declared = inner.pop("$schema", uri) if isinstance(inner, dict) else uri
        inputs = {"$schema": declared, "type": "object", "properties": {"v": rerooted(inner)}, "required": ["v"]}
        judge = kind(inputs)
        kept: list[tuple[dict[str, Any], bool]] = []
        for item in group["tests"]:
            value, valid = {"v": item["data"]}, item["valid"]
            if _verdict(judge, value) == valid:
                kept.append((value, valid))
        if kept and declared == uri:
            yield Case(f"{draft}/{stem}: {group['description']}", inputs, kept)


def _verdict(judge: Any, value: Any) -> bool | None:
    try:
        return bool(judge.is_valid(value))
    except Exception:  # a reference to what is not here
        return None


def rerooted(node: Any) -> Any:
    """A schema whose references to its root lead to `/properties/v`; inside another document they stay."""
    if isinstance(node, list):
        return [rerooted(item) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$id", node.get("id")), str) and not str(node.get("$id", node.get("id"))).startswith("#"):
        return node
    out = {key: rerooted(value) for key, value in node.items()}
    reference = out.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        out["$ref"] = f"#/properties/v{reference[1:]}"
    return out


class Figures:
    """What became of the cases of a suite."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.cases = 0
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def fault(self, kind: str, where: str) -> None:
        self.counts[kind] += 1
        self.faults.append(f"{kind}: {where}")


def requests() -> list[tuple[str, str | None, bool]]:
    """Every way to offer a tool to a provider: format and version, profile, strict."""
    rows = [row for name in formats.names() for row in formats.get(name).provider.profiles]
    return [(f"{row.format}@{version}", row.profile, row.strict) for row in rows for version in row.versions[-1:]]


def documents() -> list[str]:
    """Every other target that has schemas."""
    targets = map(formats.get, formats.targets())
    return [target.name for target in targets if not target.provider.profiles and "inputs" in target.holds]


def run_schemas(draft: str, step: int = 1) -> Figures:
    """Offer every case of a draft to every provider and write it in every other format."""
    figures = Figures(f"JSON-Schema-Test-Suite, {draft}")
    offers, targets = requests(), documents()
    for case in schema_cases(draft, step):
        figures.cases += 1
        source = {"toolId": "mcp:t", "source": "mcp", "safetyTier": "read", "description": "T.",
                  "inputSchema": case.inputs}  # fmt: skip
        before = json.dumps(source)
        (tool,) = toolglot.read(source)
        for provider, profile, strict in offers:
            where = f"{provider} {profile} {'strict' if strict else 'loose'}: {case.name}"
            try:
                _call(case, tool, provider, profile, strict, where, figures)
            except Exception as error:
                figures.fault("traceback", f"{where}: {error!r}")
        for target in targets:
            try:
                _write(case, source, target, f"{target}: {case.name}", figures)
            except Exception as error:
                figures.fault("traceback", f"{target}: {case.name}: {error!r}")
        if json.dumps(source) != before:
            figures.fault("modified", case.name)
    return figures


def _call(
    case: Case, tool: Tool, provider: str, profile: str | None, strict: bool, where: str, figures: Figures
) -> None:
    """Encode and decode the values of a case: they come home, or the report says that they do not."""
    compiled = compilation.compile(tool, provider, profile=profile, strict=strict)
    figures.counts["offers"] += 1
    (name,) = compiled.offers
    offer = compiled.offers[name]
    if offer.mode == "excluded":
        figures.counts["excluded"] += 1
        return
    actions = {change.action for change in compiled.report.changes if "/inputs" in change.path}
    schema = offer.fitted.schema if offer.fitted else tool.inputs
    if schema is not None:
        check_schema(schema)
    for value, valid in case.values:
        figures.counts["calls"] += 1
        try:
            sent = compiled.encode(name, value)
        except FitError:
            if valid and "narrowed" not in actions:
                figures.fault("unreported", f"{where}: {value} cannot be sent")
            continue
        nulls = offer.fitted.null_defaults if offer.fitted else ()
        found = compiled.decode(name, sent)
        if not any(means_the_same(found, meant, nulls) for meant in (value, _by_digits(value))):
            figures.fault("wrong round trip", f"{where}: {value} is sent as {sent}")
        if not valid and "widened" not in actions:
            figures.fault("unreported", f"{where}: {value} is accepted")


def _by_digits(value: Any) -> Any:
    """Data with whole numbers as they are written: `1e308` is the integer, which no float is."""
    if isinstance(value, dict):
        return {key: _by_digits(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_by_digits(item) for item in value]
    return int(Decimal(repr(value))) if isinstance(value, float) and value.is_integer() else value


def _write(case: Case, source: dict[str, Any], target: str, where: str, figures: Figures) -> None:
    """Judge what a document says, read back, by 2020-12."""
    conversion = pipeline.convert(source, target)
    figures.counts["documents"] += 1
    (tool,) = [leaf.tool for item in toolglot.read(conversion.text, format=target) for leaf in leaves_of(item)]
    schema = tool.inputs or {}
    check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    actions = {change.action for change in conversion.report.changes if "/inputs" in change.path}
    for value, valid in case.values:
        figures.counts["values"] += 1
        found = _verdict(judge, value)
        if valid and found is False and "narrowed" not in actions:
            figures.fault("unreported", f"{where}: {value} is refused")
        if not valid and found and "widened" not in actions:
            figures.fault("unreported", f"{where}: {value} is accepted")


# -- JSON -----------------------------------------------------------------------------------------------------


def run_json() -> Figures:
    """Read every text of JSONTestSuite."""
    figures = Figures("JSONTestSuite")
    for path in sorted((ROOT / "json").glob("*.json")):
        figures.cases += 1
        expected = path.name[0]
        raw = path.read_bytes()
        try:
            found = document_reader.load(raw, path.name).data
        except Error as error:
            if expected == "y":
                kind = "y refused on purpose" if _is_refused_on_purpose(raw) else "y refused"
                figures.fault(kind, f"{path.name}: {error}")
            else:
                figures.counts[f"{expected} refused"] += 1
            continue
        except Exception as error:
            figures.fault("traceback", f"{path.name}: {error!r}")
            continue
        figures.counts[f"{expected} read"] += 1
        if expected == "n":
            figures.fault("accepted", path.name)
        elif json.dumps(found) != json.dumps(json.loads(raw.decode("utf-8-sig"))):
            figures.fault("other data", path.name)
    return figures


def _is_refused_on_purpose(raw: bytes) -> bool:
    """Whether a text is a bare scalar or says a key twice, which no document of ours can."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        twice.extend(key for key, count in counts.items() if count > 1)
        return dict(pairs)

    found = json.loads(raw, object_pairs_hook=once)
    return bool(twice) or not isinstance(found, dict | list)


# -- YAML -----------------------------------------------------------------------------------------------------

_BLANKS = (("␣", " "), ("←", "\r"), ("⇔", "\ufeff"), ("↵", ""))


def yaml_source(field: str) -> str:
    """A text as the suite means it: it spells out the blanks that an editor would not keep.

    >>> yaml_source("a:␣b\\n\\u2014\\u2014»c∎\\n")
    'a: b\\n\\tc'
    """
    field = re.sub("\u2014*»", "\t", field)
    for sign, blank in _BLANKS:
        field = field.replace(sign, blank)
    return field.removesuffix("∎\n")


def yaml_cases() -> Iterator[tuple[str, str, Any, bool]]:
    """Every text with a name, the data that it means (`...`: not said, or several documents), and whether it fails."""
    for path in sorted((ROOT / "yaml").glob("*.yaml")):
        entries = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for index, entry in enumerate(entries):
            meant = entry.get("json", entries[0].get("json"))
            try:
                data = json.loads(meant) if isinstance(meant, str) else ...
            except ValueError:
                data = ...
            yield f"{path.stem}/{index}", yaml_source(entry["yaml"]), data, bool(entry.get("fail"))


def run_yaml() -> Figures:
    """Read every text of yaml-test-suite, as YAML whatever it begins with."""
    figures = Figures("yaml-test-suite")
    for name, source, expected, fails in yaml_cases():
        figures.cases += 1
        try:
            found = document_reader.load(source, f"{name}.yaml").data
        except Error:
            figures.counts["invalid refused" if fails else "valid refused"] += 1
            continue
        except Exception as error:
            figures.fault("traceback", f"{name}: {error!r}")
            continue
        if fails:
            figures.fault("invalid accepted", name)
        elif expected is ...:
            figures.counts["not judged"] += 1
        elif json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True):
            figures.counts["the same"] += 1
        else:
            figures.fault("other data", f"{name}: {found!r} for {expected!r}")
    return figures


# -- the figures ----------------------------------------------------------------------------------------------


def table(found: list[Figures]) -> str:
    """What became of each suite as a Markdown table, and one of the faults that stay."""
    lines = ["| suite | cases | what became of them | faults | faults that stay |", "| --- | ---: | --- | --- | --- |"]
    for figures in found:
        kinds = Counter(fault.partition(":")[0] for fault in figures.faults)
        open_kinds = Counter(fault.partition(":")[0] for fault in undefended(figures))
        done = Counter({what: count for what, count in figures.counts.items() if what not in kinds})
        cells = (figures.suite, f"{figures.cases:,}", _listed(done), _listed(open_kinds), _listed(kinds - open_kinds))
        lines.append(f"| {' | '.join(cells)} |")
    stay: Counter[str] = Counter()
    for figures in found:
        stay.update(filter(None, map(defence, figures.faults)))
    lines += ["", "| faults that stay | why |", "| ---: | --- |"]
    return "\n".join([*lines, *(f"| {count} | {why} |" for why, count in stay.most_common())])


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items()) or "0"


def run_all(step: int = 1) -> list[Figures]:
    """Every suite."""
    return [*(run_schemas(draft, step) for draft in DRAFTS), run_json(), run_yaml()]


if __name__ == "__main__":
    if not ARE_HERE:
        sys.exit(f"the suites are not here: {SHARED.parent.name}/{SHARED.name} has to lie beside the checkout")
    everything = run_all()
    wrong = [fault for figures in everything for fault in undefended(figures)]
    print(table(everything))
    print("\n".join(fault[:200] for fault in wrong[:200]))
    same_table("suites", table(everything))
    sys.exit(bool(wrong))
