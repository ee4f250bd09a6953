"""Real documents through everything: read, convert to every format, compare. `make corpus` runs it.

The documents are other people's and are not part of the project; they lie beside it in `../shared/corpus`. The suite
does the same with documents of ours (`test_corpus.py`). The tables in `docs/internals/corpus.md` are held to a run;
`TOOLGLOT_ACCEPT=1 make corpus` writes them anew.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from golden import FIXTURES, same_table
from toolglot.cli.reports.terminal_report import text_report
from toolglot.converter import formats
from toolglot.converter.conversion import pipeline, reading, sources
from toolglot.converter.conversion.leaf_comparison import compare_leaves, find_weaker_tools, pair_leaves
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.hub import model, trees
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader
from toolglot.errors import Error

ROOT = Path(__file__).resolve().parents[2] / "shared" / "corpus"
IS_HERE = ROOT.is_dir()
FOLDERS = ("atip", "atdf", "aip14", "openwop", "mcp", "openai")


class Result(NamedTuple):
    """What became of one file."""

    path: Path
    tools: int
    refused: str | None  # the code of the refusal
    message: str
    conversions: int
    collisions: int  # conversions refused because two tools would share an id
    broken: list[str]  # laws that did not hold
    crashes: list[str]


def files(folder: str) -> list[Path]:
    """Every file of a folder, sorted; where the real ones are not at hand, documents of ours that look like them."""
    root = ROOT if IS_HERE else FIXTURES / "corpus"
    return sorted(path for path in (root / folder).rglob("*") if path.is_file())


@cache
def reading_of(path: Path) -> reading.Reading | None:
    """What a document says, read once for every test that looks at it and changes nothing; nothing where refused."""
    try:
        return sources.read_document(sources.open_document(path))
    except Error:
        return None


def at_least(number: int) -> int:
    """How many cases of real documents a test has to see; of ours it has to see one."""
    return number if IS_HERE else 1


def run(path: Path, format_name: str | None = None, targets: Sequence[str] | None = None) -> Result:
    """Read one file and convert it to every format, or to some, holding each conversion to the laws."""
    try:
        found = sources.read_document(sources.open_document(path), format_name)
    except Error as error:
        return Result(path, 0, error.code, error.message, 0, 0, [], [])
    except Exception as error:  # a traceback is what this run looks for
        return Result(path, 0, "traceback", repr(error), 0, 0, [], [repr(error)])
    broken: list[str] = []
    crashes: list[str] = []
    done = collisions = 0
    for target in targets or formats.targets():
        try:
            done += 1
            broken += [f"{target}: {law}" for law in broken_laws(found, target)]
        except Error as error:
            if error.code == "id-collision":  # an answer: letting one of two tools win could hide the dangerous one
                done, collisions = done - 1, collisions + 1
            else:
                broken.append(f"{target}: {error}")
        except Exception as error:
            crashes.append(f"{target}: {error!r}")
    leaves = sum(1 for tool in found.tools for _ in leaves_of(tool))
    return Result(path, leaves, None, "", done, collisions, broken, crashes)


def broken_laws(found: reading.Reading, target: str) -> Iterator[str]:
    """The names of the laws that a conversion of `found` breaks."""
    to = formats.get(target)
    if target == found.format.name:
        for record, tool in zip(found.records, found.tools, strict=False):
            name = f"{target}/{to.version_of(record.data)}"
            back = to.write(tool, None)
            same = (back.data, back.body or "") == (record.data, record.body or "")
            if canonical.is_valid(record.data, name) and not same:
                yield "1 faithful reading"
    conversion = pipeline.convert_readings([found], target)
    read_back = _read_back(conversion, target)
    excluded = [change for change in conversion.report.changes if change.action == "excluded"]
    before = [leaf for tool in found.tools for leaf in leaves_of(tool)]
    if excluded:  # the report says why: a tool that stands twice is offered once, others have no schema there
        before = list({repr(leaf): leaf for leaf in before}.values())
        gone = {change.before for change in excluded if "already" not in change.note}
        before = [leaf for leaf in before if " ".join(leaf.path) not in gone]
    after = [leaf for tool in read_back for leaf in leaves_of(tool)]
    pairs = pair_leaves(before, after)
    changes = compare_leaves(pairs)
    reported = {(change.path, repr(change.before)) for change in conversion.report.changes}
    if any((change.path, repr(change.before)) not in reported for change in changes):
        yield "2 no silent loss"
    if find_weaker_tools(pairs):
        yield "3 safety never weakens"
    if not excluded and not _restores(found, target):
        yield "4 lossless on request"
    for _, content in conversion.files:
        for record in to.records(document_reader.load(content).data):
            if not canonical.is_valid(record.data, f"{target}/{to.version_of(record.data)}"):
                yield "5 valid output"
    if not canonical.is_valid(conversion.report.to_json(), "report/1"):
        yield "the report's own schema"
    if len(list(text_report(conversion.report))) > 12:
        yield "a report of a dozen lines, however many tools there are"


def _read_back(conversion: Conversion, target: str, restore: bool = False) -> list[model.Tool]:
    tools = [tool for _, content in conversion.files for tool in sources.read(content, target, restore=restore)]
    return tools if len(conversion.files) == 1 else trees.merge(tools)


def _restores(found: reading.Reading, target: str) -> bool:
    if target == found.format.name or any(tool.origin == target for tool in found.tools):
        return True  # what came from the target's own format is written as it came, and gets no slot
    if not all(list(leaves_of(tool)) for tool in found.tools):
        return True  # no record could carry it, and the conversion is refused
    return _read_back(pipeline.convert_readings([found], target, lossless=True), target, restore=True) == found.tools


def table(results: dict[str, list[Result]]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| folder | files | read | tools | refused | conversions | refused for equal ids | laws broken | tracebacks |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for folder, items in results.items():
        refused = Counter(item.refused for item in items if item.refused)
        refusals = "0"
        if refused:
            codes = ", ".join(f"{count} {code}" for code, count in sorted(refused.items()))
            refusals = f"{refused.total()}: {codes}"
        read = [item for item in items if not item.refused]
        tools = sum(item.tools for item in read)
        conversions = sum(item.conversions for item in read)
        collisions = sum(item.collisions for item in read)
        broken = sum(len(item.broken) for item in items)
        crashes = sum(len(item.crashes) for item in items)
        numbers = (folder, len(items), len(read), tools, refusals, conversions, collisions, broken, crashes)
        lines.append(f"| {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


class Losses(NamedTuple):
    """For how many tools `--fail-on lost` fails: in all conversions of single tools to every format, and by code."""

    conversions: int
    failing: Counter[str]  # target -> tools
    codes: Counter[str]


def losses() -> Losses:
    """Convert every tool by itself to every format, and count what would be lost."""
    total, failing, codes = 0, Counter[str](), Counter[str]()
    for one in _tool_by_tool():
        for target in formats.targets():
            try:
                lost = pipeline.convert_readings([one], target).report_without_lines.losses
            except Error:
                continue  # counted in the other table
            total += 1
            failing[target] += bool(lost)
            codes.update({change.code for change in lost})
    return Losses(total, failing, codes)


def _tool_by_tool() -> Iterator[reading.Reading]:
    for path in (path for folder in FOLDERS for path in files(folder)):
        try:
            found = sources.read_document(sources.open_document(path))
        except Error:
            continue
        for index, tool in enumerate(found.tools):
            records = found.records[index : index + 1]
            if not found.is_restored:  # without what its container says, which is lost once for all its tools
                records = [msgspec.structs.replace(records[0], container=formats.NO_CONTAINER)]
                tool = found.format.tool_of(records[0])
            yield msgspec.structs.replace(found, tools=[tool], records=records, leftover={})


# Why what some codes name is a loss.
LOSSES = {
    "a key of the source's own format or of its author's (a category, icons, a hint that no reader believes): other "
    "formats have no place for it": "dropped-extensions",
    "a rule that the target's schemas cannot say (a bound, a pattern, a closed object): more is accepted, whatever the "
    "description says": "widened-inputs widened-outputs",
    "the target's schemas want a type, or one object in the place of alternatives: less is accepted": "narrowed-inputs "
    "narrowed-outputs",
    "the target describes no arguments (A2A, SKILL.md); or a description, a default or an example of them as a whole, "
    "or deep inside of one, which a list of parameters has no place for; or what the source contradicts": ""
    "dropped-inputs",
    "no schema of the provider can say what the tool takes": "excluded-tool",
    "a request has more tools than the provider takes": "over-budget",
    "what a caller gets back, and the target describes only what it sends": "dropped-outputs dropped-errors "
    "dropped-success",
    "the target has no field for titles, and the name says less": "dropped-title",
    "texts that the target has no field for: of groups of commands that it does not have, examples, a manual": ""
    "dropped-description dropped-summary dropped-examples dropped-body dropped-localizations",
    "a descriptor of RFC 0078 is a summary of one line, and has no field for the rest": "dropped-when-to-use "
    "dropped-guidance dropped-calls",
    "of an example the target keeps a part, such as its input without its title": "narrowed-examples",
    "a limit of the target cut the text": "narrowed-description narrowed-title",
    "whose the tool is, since when, and how it is filed: the target has no field": "dropped-version dropped-author "
    "dropped-license dropped-homepage dropped-category dropped-tags dropped-created dropped-updated dropped-binary "
    "dropped-trust",
    "a document that is written anew was verified by nobody": "narrowed-trust",
    "a fact for hosts about what the tool does, which the target has no field for; its flags say what is "
    "dangerous": "dropped-safety-tier dropped-risk-level dropped-network dropped-egress dropped-hosts "
    "dropped-destructive dropped-reversible dropped-idempotent dropped-replay dropped-mutates dropped-creates "
    "dropped-modifies dropped-deletes dropped-reads-files dropped-writes-files dropped-paths dropped-billable "
    "dropped-prompts dropped-stdin dropped-approval dropped-source",
    "a statement that nobody can read, about changes or the network, of which definitions for providers have no word "
    "(`--safety-text full` has)": "dropped-unclear",
    "the document leaves commands out, and the target has no field that says so": "dropped-truncated",
    "`policy:<name>` became a word without the name": "narrowed-approval",
    "what a host needs to run the tool, which the target leaves to it": "dropped-timeout-ms dropped-retry "
    "dropped-latency-hint dropped-cost-class dropped-cost-hint dropped-cost-estimate dropped-scopes "
    "dropped-permissions dropped-secrets dropped-auth-required dropped-auth-check dropped-auth-methods "
    "dropped-required-tools dropped-conditions dropped-driver-constraints dropped-default-implementation "
    "dropped-feedback dropped-discovery dropped-patterns",
    "how a command line is typed: flags, positions, options of the whole program": "dropped-command-line "
    "narrowed-command-line dropped-global-command-line dropped-global-options",
}  # fmt: skip


def undefended(found: Losses) -> list[str]:
    """The codes for which no reason is given."""
    return sorted(found.codes.keys() - set(" ".join(LOSSES.values()).split()))


def table_of_losses(found: Losses) -> str:
    """The losses as a Markdown table: each reason with its codes, the commonest first."""
    lines = [
        f"{sum(found.failing.values()):,} of {found.conversions:,} conversions of one tool lose something.",
        "",
        "| why it is a loss | in conversions |",
        "| --- | --- |",
    ]
    for reason, codes in LOSSES.items():
        counts = sorted(((found.codes[code], code) for code in codes.split() if found.codes[code]), reverse=True)
        if counts:
            lines.append(f"| {reason} | {', '.join(f'{count:,} {code}' for count, code in counts)} |")
    return "\n".join(lines)


def run_all() -> dict[str, list[Result]]:
    """Every folder's results."""
    return {folder: list(map(run, files(folder))) for folder in FOLDERS}


if __name__ == "__main__":
    if not IS_HERE:
        sys.exit(f"the corpus is not here: {ROOT.parent.name}/{ROOT.name} has to lie beside the checkout")
    everything, lost = run_all(), losses()
    print(table(everything))
    print(table_of_losses(lost))
    if "-v" in sys.argv:
        for item in (item for items in everything.values() for item in items):
            if item.refused or item.broken or item.crashes:
                print(f"{item.refused or 'BROKEN'} {item.path.relative_to(ROOT)}\n    {item.message[:150]}")
                for line in (*item.broken, *item.crashes):
                    print(f"    {line[:200]}")
    assert not undefended(lost), f"nobody says why these are losses: {undefended(lost)}"
    same_table("corpus", table(everything))
    same_table("losses", table_of_losses(lost))
    sys.exit(any(item.broken or item.crashes for items in everything.values() for item in items))
