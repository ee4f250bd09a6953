"""All tools of the corpus as definitions of every provider: how each is offered, and that nothing is wrong with any.

`make corpus` runs it and holds the table in `docs/internals/corpus.md` to it. A tool counts as offered strict, loose or
excluded; rule violations are found by `fitting.provider_violations`, vendor failures by the providers' own types, and
an unreported change is a keyword of the source schema that the definition does not have and that no step names.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import corpus
from golden import same_table
from toolglot.converter import formats
from toolglot.converter.conversion.offers import find_modes
from toolglot.converter.fitting.argument_codec import Fitted
from toolglot.converter.fitting.provider_violations import description_violations, name_violations, violations
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import older_dialects, references
from toolglot.converter.schema.keywords import walk
from toolglot.runtime.bridge import compilation
from toolglot.runtime.bridge.compilation import Compiled
from vendor import vendor_problems

FOLDERS = ("mcp", "openai")


class Request(NamedTuple):
    """One way of offering the tools of a file."""

    provider: str
    profile: str | None
    strict: bool


REQUESTS = (
    Request("openai@chat", None, True),
    Request("openai@chat", None, False),
    Request("openai@responses", None, True),
    Request("openai@chat", "azure", True),
    Request("anthropic", None, True),
    Request("anthropic", None, False),
    Request("gemini@json-schema", None, False),
    Request("gemini@parameters", None, False),
    Request("gemini@parameters", "vertex", False),
)


class Tally(NamedTuple):
    """What became of all tools under one request."""

    modes: Counter[str]
    rules: list[str]
    vendor: list[str]
    unreported: list[str]
    crashes: list[str]


def programs(paths: Iterable[Path]) -> Iterator[tuple[str, list[Tool]]]:
    """Every readable file, with its tools."""
    for path in paths:
        found = corpus.reading_of(path)
        if found is not None:  # what is refused is counted, with its reason, in the table of all documents
            yield f"{path.parent.name}/{path.name}", found.tools


def offer_all(request: Request, paths: Iterable[Path]) -> Tally:
    """Offer every file's tools as one request, and hold the definitions to everything that is known."""
    tally = Tally(Counter(), [], [], [], [])
    for name, tools in programs(paths):
        try:
            compiled = compilation.compile(tools, request.provider, strict=request.strict, profile=request.profile)
            check(name, compiled, request, tally)
        except Exception as error:  # a traceback is what this run looks for
            tally.crashes.append(f"{name}: {error!r}")
    return tally


def check(name: str, compiled: Compiled, request: Request, tally: Tally) -> None:
    target, version = formats.parse_target(request.provider)
    rules = find_modes(target, version, request.profile)
    tally.modes["excluded"] += sum(change.action == "excluded" for change in compiled.report.changes)
    definitions = iter(compiled.definitions)
    for exposed, offer in compiled.offers.items():
        where = f"{name}: {exposed}"
        if offer.mode == "excluded":
            continue
        if target.provider.is_hosted(offer.leaf.tool):
            next(definitions)  # it has no schema of ours to hold to the rules
            continue
        tally.modes[offer.mode] += 1
        definition = next(definitions)
        row = rules.strict if offer.mode == "strict" and rules.strict else rules.loose
        (seen,) = leaves_of(target.read(formats.Record(definition)))
        schema = offer.fitted.schema if offer.fitted else seen.tool.inputs
        found = [*violations(schema, row), *name_violations(exposed, row)]
        found += description_violations(description_of(definition), row)
        tally.rules.extend(f"{where}: {item}" for item in found)
        problems = vendor_problems(target.name, version or target.writes[-1], definition)
        tally.vendor.extend(f"{where}: {item}" for item in problems)
        if offer.fitted is not None:
            tally.unreported.extend(f"{where}: {item}" for item in unreported(offer.leaf.tool.inputs, offer.fitted))


def description_of(definition: dict[str, Any]) -> str | None:
    found = definition.get("function", definition)
    return found.get("description") if isinstance(found, dict) else None


def unreported(inputs: Any, fitted: Fitted) -> Iterator[str]:
    """Keywords of the source that are not in the fitted schema where they were, and that no step speaks of."""
    if inputs is None:
        return
    plain, _ = older_dialects.normalise(inputs)
    source, _ = references.resolve(plain)
    kept = {pointer: node for pointer, node in walk(fitted.schema or {}) if isinstance(node, dict)}
    spoken = {(step.pointer, step.keyword) for step in fitted.steps}
    for pointer, node in walk(source):
        for keyword, value in node.items() if isinstance(node, dict) else ():
            same = keyword in kept.get(pointer, {}) and (
                isinstance(value, dict | list) or kept[pointer][keyword] == value
            )
            if not same and not (
                keyword in ("required", "description", "$defs") or is_spoken(pointer, keyword, spoken)
            ):
                yield f"{pointer}/{keyword}"


def is_spoken(pointer: str, keyword: str, spoken: set[tuple[str, str]]) -> bool:
    """Whether a step names the keyword, its node, or a node or keyword that it stands in."""
    if (pointer, keyword) in spoken:
        return True
    while True:
        if (pointer, "") in spoken:
            return True
        if not pointer:
            return False
        pointer, _, last = pointer.rpartition("/")
        if (pointer, last) in spoken or any(at == pointer and f"/{word}" == f"/{last}" for at, word in spoken):
            return True


def table(results: dict[Request, Tally]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| provider | profile | asked for | tools | strict | loose | excluded | rule violations | vendor-type failures "
        "| unreported changes | tracebacks |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for request, tally in results.items():
        cells = (
            request.provider, request.profile or "", "strict" if request.strict else "loose", tally.modes.total(),
            tally.modes["strict"], tally.modes["loose"], tally.modes["excluded"], len(tally.rules), len(tally.vendor),
            len(tally.unreported), len(tally.crashes),
        )  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def run_all(paths: Sequence[Path]) -> dict[Request, Tally]:
    """Every request."""
    return {request: offer_all(request, paths) for request in REQUESTS}


def faults(results: dict[Request, Tally]) -> list[str]:
    """Everything that is wrong, in words."""
    return [
        f"{request.provider} {request.profile or ''}: {item}"
        for request, tally in results.items()
        for item in (*tally.rules, *tally.vendor, *tally.unreported, *tally.crashes)
    ]


if __name__ == "__main__":
    if not corpus.IS_HERE:
        sys.exit(f"the corpus is not here: {corpus.ROOT.parent.name}/{corpus.ROOT.name} has to lie beside the checkout")
    everything = run_all([path for folder in FOLDERS for path in corpus.files(folder)])
    print(table(everything))
    wrong = faults(everything)
    if "-v" in sys.argv:
        print("\n".join(wrong[:40]))
    same_table("providers", table(everything))
    sys.exit(bool(wrong))
