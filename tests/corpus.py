"""Real documents through everything: read, convert to every format, compare. `make corpus` runs it.

The documents are other people's and are not part of the project; they lie beside it in `../shared/corpus`. The suite
does the same with documents of ours (`test_corpus.py`). The README's table is held to a run; `TOOLGLOT_ACCEPT=1 make
corpus` writes it anew.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from golden import FIXTURES, same_table
from toolglot import formats, model, pipeline, reading, schemas, text
from toolglot.errors import Error
from toolglot.report import diff

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


def at_least(number: int) -> int:
    """How many cases of real documents a test has to see; of ours it has to see one."""
    return number if IS_HERE else 1


def run(path: Path, format_name: str | None = None) -> Result:
    """Read one file and convert it to every format, holding each conversion to the laws."""
    try:
        found = reading.read_document(reading.open_document(path), format_name)
    except Error as error:
        return Result(path, 0, error.code, error.message, 0, 0, [], [])
    except Exception as error:  # a traceback is what this run looks for
        return Result(path, 0, "traceback", repr(error), 0, 0, [], [repr(error)])
    broken: list[str] = []
    crashes: list[str] = []
    done = collisions = 0
    for target in formats.names():
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
    leaves = sum(1 for tool in found.tools for _ in tool.leaves())
    return Result(path, leaves, None, "", done, collisions, broken, crashes)


def broken_laws(found: reading.Reading, target: str) -> Iterator[str]:
    """The names of the laws that a conversion of `found` breaks."""
    to = formats.get(target)
    if target == found.format.name:
        for record, tool in zip(found.records, found.tools, strict=False):
            name = f"{target}/{to.version_of(record.data)}"
            back = to.write(tool, None)
            same = (back.data, back.body or "") == (record.data, record.body or "")
            if schemas.is_valid(record.data, name) and not same:
                yield "1 faithful reading"
    conversion = pipeline.convert_readings([found], target)
    back = _read_back(conversion, target)
    excluded = [change for change in conversion.report.changes if change.action == "excluded"]
    before = [leaf for tool in found.tools for leaf in tool.leaves()]
    if excluded:  # the report says why: a tool that stands twice is offered once, others have no schema there
        before = list({repr(leaf): leaf for leaf in before}.values())
        gone = {change.before for change in excluded if "already" not in change.note}
        before = [leaf for leaf in before if " ".join(leaf.path) not in gone]
    after = [leaf for tool in back for leaf in tool.leaves()]
    changes, weaker = diff(before, after)
    reported = {(change.path, repr(change.before)) for change in conversion.report.changes}
    if any((change.path, repr(change.before)) not in reported for change in changes):
        yield "2 no silent loss"
    if weaker:
        yield "3 safety never weakens"
    if not excluded and not _restores(found, target):
        yield "4 lossless on request"
    for _, content in conversion.files:
        for record in to.records(text.load(content).data):
            if not schemas.is_valid(record.data, f"{target}/{to.version_of(record.data)}"):
                yield "5 valid output"
    if not schemas.is_valid(conversion.report.to_json(), "report/1"):
        yield "the report's own schema"


def _read_back(conversion: pipeline.Conversion, target: str) -> list[model.Tool]:
    documents = [text.load(content) for _, content in conversion.files]
    tools = [tool for item in documents for tool in reading.read_document(item, target).tools]
    return tools if len(documents) == 1 else model.merge(tools)


def _restores(found: reading.Reading, target: str) -> bool:
    if target == found.format.name or any(tool.origin == target for tool in found.tools):
        return True  # what came from the target's own format is written as it came, and gets no remainder
    return _read_back(pipeline.convert_readings([found], target, lossless=True), target) == found.tools


def table(results: dict[str, list[Result]]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| folder | files | read | tools | refused | conversions | refused for equal ids | laws broken | tracebacks |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for folder, items in results.items():
        refused = Counter(item.refused for item in items if item.refused)
        codes = ", ".join(f"{count} {code}" for code, count in sorted(refused.items()))
        read = [item for item in items if not item.refused]
        numbers = (
            len(items), len(read), sum(item.tools for item in read),
            f"{sum(refused.values())}: {codes}" if codes else "0",
            sum(item.conversions for item in read), sum(item.collisions for item in read),
            sum(len(item.broken) for item in items),
            sum(len(item.crashes) for item in items),
        )  # fmt: skip
        lines.append(f"| {folder} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


class Losses(NamedTuple):
    """For how many tools `--on-loss fail` fails: in all conversions of single tools to every format, and by code."""

    conversions: int
    failing: Counter[str]  # target -> tools
    codes: Counter[str]


def losses() -> Losses:
    """Convert every tool by itself to every format, and count what would be lost."""
    total, failing, codes = 0, Counter[str](), Counter[str]()
    for one in _tool_by_tool():
        for target in formats.names():
            try:
                lost = pipeline.convert_readings([one], target).unlocated.losses
            except Error:
                continue  # counted in the other table
            total += 1
            failing[target] += bool(lost)
            codes.update({change.code for change in lost})
    return Losses(total, failing, codes)


def _tool_by_tool() -> Iterator[reading.Reading]:
    for path in (path for folder in FOLDERS for path in files(folder)):
        try:
            found = reading.read_document(reading.open_document(path))
        except Error:
            continue
        for index, tool in enumerate(found.tools):
            yield found._replace(tools=[tool], records=found.records[index : index + 1], beside={})


# Why what a code names is a loss. For other codes see `NO_PLACE` and `CUT`.
DEFENDED = {
    "dropped-extensions": "keys of the source's own format, such as a category, icons, or a hint that no reader "
    "believes; no other format has a place for them",
    "widened-inputs": "a rule that the target's schemas cannot say (a bound, a pattern, a closed object): the target "
    "accepts more, whatever its description says",
    "narrowed-inputs": "the target accepts less than the source",
    "dropped-inputs": "annotations of the schema, most of them titles, which a list of parameters has no place for",
    "widened-outputs": "as for inputs",
    "narrowed-outputs": "as for inputs",
    "narrowed-description": "a provider's limit cut the text",
    "narrowed-examples": "of an example only a part is kept, such as its input without its title",
    "narrowed-bindings": "flags and positions of a command line, which the target has no place for",
    "narrowed-approval": "`policy:<name>` became a word without the name",
    "excluded-tool": "no schema of the provider can say what the tool takes",
}
NO_PLACE = "the target has no field for it and its text does not say it"
CUT = "the target's limit, or its pattern, does not take the whole value"


def table_of_losses(found: Losses) -> str:
    """The losses as a Markdown table, the commonest first, each code with the reason that it is one."""
    failing = sum(found.failing.values())
    lines = [f"{failing} of {found.conversions} conversions of one tool lose something.", ""]
    lines += ["| code | tools | why it is a loss |", "| --- | ---: | --- |"]
    for code, count in found.codes.most_common():
        reason = DEFENDED.get(code) or (NO_PLACE if code.startswith("dropped-") else CUT)
        lines.append(f"| {code} | {count} | {reason} |")
    return "\n".join(lines)


def run_all() -> dict[str, list[Result]]:
    """Every folder's results."""
    return {folder: [run(path) for path in files(folder)] for folder in FOLDERS}


if __name__ == "__main__":
    if not IS_HERE:
        sys.exit(f"the corpus is not here: {ROOT.parent.name}/{ROOT.name} has to lie beside the checkout")
    everything = run_all()
    print(table(everything))
    print(table_of_losses(losses()))
    if "-v" in sys.argv:
        for item in (item for items in everything.values() for item in items):
            if item.refused or item.broken or item.crashes:
                print(f"{item.refused or 'BROKEN'} {item.path.relative_to(ROOT)}\n    {item.message[:150]}")
                for line in (*item.broken, *item.crashes):
                    print(f"    {line[:200]}")
    same_table("corpus", table(everything))
    sys.exit(any(item.broken or item.crashes for items in everything.values() for item in items))
