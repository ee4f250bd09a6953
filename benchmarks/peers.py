"""`make peers`: toolglot beside the converters that agent libraries use, on 48 awkward schemas, in one run.

It holds the counts in `docs/internals/peers.md` to the run; `TOOLGLOT_ACCEPT=1 make peers` writes them anew. With `-v`
it lists what is wrong, schema by schema, instead of counting it. It runs with `tests` on the path.
"""

from __future__ import annotations

import copy
import json
import logging
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from peer_rules import PROVIDERS, SCHEMAS, Provider, Result, Verdict, verdict
from table import markdown

import toolglot
from golden import same_table
from toolglot.converter.fitting.fit import fit, forget_fitted
from toolglot.converter.formats.gemini.openapi_dialect import to_openapi
from toolglot.converter.hub.model import Tool
from toolglot.runtime.bridge.compilation import RECENT

SECONDS = 1.0  # for each function

Schema = dict[str, Any]


class Contender(NamedTuple):
    """One function under comparison."""

    name: str
    provider: Provider
    run: Callable[[Schema], Result]  # raises what the function raises
    bare: Callable[[Schema], Any]  # the function alone, for its speed; may modify what it is given


def fitting(name: str, strict: bool) -> Contender:
    """One mode of ours, without the way to a definition."""
    provider = PROVIDERS[name]
    rules = provider.rules(strict)

    def run(schema: Schema) -> Result:
        fitted = fit(schema, rules)
        wire = to_openapi(fitted.schema) if name == "gemini" and fitted.schema is not None else fitted.schema
        definition = provider.define(wire, strict)
        if wire is None:
            del definition["parameters"]
        said = frozenset(step.action for step in fitted.steps)
        return Result(definition, strict, fitted.encode, fitted.decode, said)

    mode = "strict" if strict else provider.version
    return Contender(f"toolglot {name} {mode}", provider, run, lambda schema: fit(schema, rules))


def compiling(name: str) -> Contender:
    """What our users get: strict where there is a strict schema, else loose with the reason."""
    provider = PROVIDERS[name]

    def bare(schema: Schema) -> Any:
        RECENT.forget()  # a schema that was seen before says nothing about the work that it is
        forget_fitted()
        return toolglot.compile(
            Tool(id="tool", description="Does it.", inputs=schema), f"{name}@{provider.version}", strict=True
        )

    def run(schema: Schema) -> Result:
        compiled = bare(schema)
        exposed = compiled.tools["tool"]
        if exposed.mode == "excluded":
            raise ValueError(exposed.reason)
        said = frozenset(change.action for change in compiled.report.changes)
        encode, decode = partial(compiled.encode, "tool"), partial(compiled.decode, "tool")
        return Result(compiled.definitions[0], exposed.mode == "strict", encode, decode, said)

    return Contender(f"toolglot.compile {name}", provider, run, bare)


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record)


def peer(name: str, target: str, function: Callable[[Schema], Any]) -> Contender:
    """A function that takes a schema and returns one; it is told everything that it warns or logs about."""
    provider = PROVIDERS[target]
    strict = target != "gemini"

    def run(schema: Schema) -> Result:
        listener = _Listener()
        logging.getLogger().addHandler(listener)
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                made = function(copy.deepcopy(schema))
        finally:
            logging.getLogger().removeHandler(listener)
        said: frozenset[str] = frozenset()
        if listener.heard or warned:
            said = frozenset({"narrowed", "widened"})  # to their favour: about whatever it was
        return Result(provider.define(made, strict), strict, said=said)

    return Contender(name, provider, run, function)


def contenders() -> list[Contender]:
    """Ours, then everybody else's; importing those takes seconds."""
    from agents.strict_schema import ensure_strict_json_schema
    from anthropic import transform_schema
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from openai.lib._pydantic import _ensure_strict_json_schema
    from pydantic_ai.profiles.google import GoogleOpenAPISchemaTransformer
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer
    from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer

    def of_langchain(schema: Schema) -> Any:
        tool = {"name": "tool", "description": "Does it.", "parameters": schema}
        return convert_to_openai_tool(tool, strict=True)["function"]["parameters"]

    return [
        fitting("openai", strict=True),
        compiling("openai"),
        peer("openai _ensure_strict_json_schema", "openai", lambda s: _ensure_strict_json_schema(s, path=(), root=s)),
        peer("openai-agents ensure_strict_json_schema", "openai", ensure_strict_json_schema),
        peer("pydantic-ai OpenAI strict", "openai", lambda s: OpenAIJsonSchemaTransformer(s, strict=True).walk()),
        peer("langchain-core convert_to_openai_tool strict", "openai", of_langchain),
        fitting("anthropic", strict=True),
        compiling("anthropic"),
        peer("anthropic transform_schema", "anthropic", transform_schema),
        peer(
            "pydantic-ai Anthropic strict",
            "anthropic",
            lambda s: AnthropicJsonSchemaTransformer(s, strict=True).walk(),
        ),
        fitting("gemini", strict=False),
        compiling("gemini"),
        peer("pydantic-ai Google OpenAPI", "gemini", lambda s: GoogleOpenAPISchemaTransformer(s).walk()),
    ]


# -- quality ----------------------------------------------------------------------------------------------------


def verdicts(contender: Contender) -> dict[str, Verdict | Exception]:
    """Schema -> what it became, or what the function raised."""
    found: dict[str, Verdict | Exception] = {}
    for name, schema in SCHEMAS.items():
        try:
            result = contender.run(copy.deepcopy(schema))
        except Exception as error:  # what a peer raises is its answer, whatever it is
            found[name] = error
        else:
            found[name] = verdict(name, contender.provider, result)
    return found


HEAD = {
    "valid": "obeys every rule of our table and passes the vendor's own types",
    "at best": "the same without the rules on which sources disagree",
    "invalid": "breaks a rule of our table",
    "raises": "an exception, or no definition",
    "kept": "valid at best, and neither narrowed nor widened",
    "same": "means exactly what the source means",
    "closed": "refuses keys that the source does not name",
    "narrowed": "refuses other values that the source accepts",
    "widened": "accepts values that the source refuses",
    "unreported": "narrowed or widened, and neither a step, a warning nor a log entry says anything",
    "refused": "accepts values that the way back refuses with an error",
}


_KINDS = ("closed", "narrowed", "widened", "refused")  # fields of a verdict that hold a witness


def row(name: str, found: dict[str, Verdict | Exception]) -> list[str]:
    judged = [item for item in found.values() if isinstance(item, Verdict)]
    counts = {
        "valid": sum(not item.faults for item in judged),
        "at best": sum(not item.faults_at_best for item in judged),
        "invalid": sum(bool(item.faults) for item in judged),
        "raises": len(found) - len(judged),
        "kept": sum(item.kept for item in judged),
        "same": sum(item.judged and (item.narrowed, item.closed, item.widened) == (None,) * 3 for item in judged),
        "unreported": sum(bool(item.unsaid - {"closed"}) for item in judged),
    }
    for kind in _KINDS:
        counts[kind] = sum(getattr(item, kind) is not None for item in judged)
    return [name, *(str(counts[column]) for column in HEAD)]


def remarks(found: dict[str, Verdict | Exception]) -> list[str]:
    """What is wrong with each schema, a line each."""
    lines = []
    for name, item in found.items():
        if isinstance(item, Exception):
            lines.append(f"{name}: raises {type(item).__name__}: {str(item)[:200]}")
            continue
        lines += [f"{name}: invalid: {fault[:200]}" for fault in item.faults[:3]]
        for kind in _KINDS:
            witness = getattr(item, kind)
            if witness is not None:
                lines.append(f"{name}: {kind}: {json.dumps(witness)[:200]}")
        if item.unsaid:
            lines.append(f"{name}: unreported: {', '.join(sorted(item.unsaid))}")
    return lines


# -- speed ------------------------------------------------------------------------------------------------------


def speeds(listed: list[Contender]) -> list[list[str]]:
    """Schemas a second, on those schemas that no function refuses; the functions take turns."""
    some = common(listed)
    runs: dict[str, Callable[[Schema], Any]] = {"json.loads + json.dumps": lambda s: json.loads(json.dumps(s))}
    runs.update({item.name: item.bare for item in listed})
    taken: dict[str, list[float]] = {name: [] for name in runs}
    until = perf_counter() + SECONDS * len(runs)
    while perf_counter() < until:
        for name, run in runs.items():
            copies = copy.deepcopy(some)  # some modify what they are given
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                started = perf_counter()
                for schema in copies:
                    run(schema)
                taken[name].append((perf_counter() - started) / len(some))
    medians = {name: median(times) for name, times in taken.items()}
    floor = medians["json.loads + json.dumps"]
    bases = {item.name: medians[f"toolglot {item.provider.format} {_mode(item)}"] for item in listed}
    table = [[f"function, on {len(some)} schemas", "schemas/s", "beside json", "beside toolglot's fit"]]
    for name, seconds in medians.items():
        ratio = f"{seconds / bases[name]:.2f}x" if name in bases else ""
        table.append([name, f"{1 / seconds:,.0f}", f"{seconds / floor:.1f}x", ratio])
    return table


def common(listed: list[Contender]) -> list[Schema]:
    """The schemas that no function refuses."""
    schemas = list(SCHEMAS.values())
    for item in listed:
        schemas = [schema for schema in schemas if _runs(item, schema)]
    return schemas


def _mode(contender: Contender) -> str:
    return contender.provider.version if contender.provider.format == "gemini" else "strict"


def _runs(contender: Contender, schema: Schema) -> bool:
    try:
        contender.run(copy.deepcopy(schema))
    except Exception:  # as in `verdicts`
        return False
    return True


def main(verbose: bool) -> None:
    listed = contenders()
    packages = ("openai", "openai-agents", "pydantic-ai-slim", "langchain-core", "anthropic")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    print(versions, end="\n\n")
    results = {item.name: verdicts(item) for item in listed}
    if verbose:
        for name, found in results.items():
            print(f"## {name}", *remarks(found), "", sep="\n")
        return
    table = markdown([["function", *HEAD], *(row(name, found) for name, found in results.items())])
    print(table, end="\n\n")
    print(*(f"- {column}: {meaning}" for column, meaning in HEAD.items()), sep="\n", end="\n\n")
    print(markdown(speeds(listed)))
    same_table("peers", f"With {versions}:\n\n{table}")


if __name__ == "__main__":
    main("-v" in sys.argv[1:])
