"""Weighs the words of `orders-in-text` (`weights.json`), and judges them by what they were not weighed with.

`make weights` runs it; it needs nothing but the package and ../shared/corpus, and the same documents give the same
weights. Poisoned are `fixtures/poisoned`, harmless the documents of `make corpus`, `fixtures/innocent`, our own
documentation, and docstrings of the standard library. What `tests/held_out.py` names is left out of the weighing: the
threshold and the published rates come from it. Files with lists of tools of public servers may be named on the command
line; they are judged, and never weighed.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import re
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any, NamedTuple

import corpus
import held_out
from golden import FIXTURES, ROOT
from toolglot.converter.conversion import sources
from toolglot.converter.formats import Record
from toolglot.converter.text.pointers import value_at
from toolglot.converter.text.sentences import split_sentences
from toolglot.errors import Error
from toolglot.verbs.diagnostics.manipulation.weighed import Weights, features_of, is_prose, passages_of, worst_of
from toolglot.verbs.diagnostics.rule_engine import engine_for, texts_of
from toolglot.verbs.diagnostics.rule_selection import RuleSelection

WEIGHTS = ROOT / "converters/toolglot/verbs/diagnostics/manipulation/weights.json"
RATES = ROOT / "tests/data/manipulation-rates.json"

QUOTES_ORDERS = ("rules", "manipulation")  # pages that quote what the rules look for

SEED = 20261128
MOST_DOCSTRINGS = 9_000  # sentences of the standard library
MOST_SUSPECTED = 0.002  # of the tools that were held out; of newer servers, which say more, ten times as many are
OFTEN = 3  # passages that have a feature, for it to be weighed
EVERYDAY = 0.002  # of the sentences of documentation: words that more of them have say nothing by themselves
SHORT = re.compile(r"[^\W\d_\u3040-\ud7af]{1,3}")  # words that say nothing by themselves, but of English:
KNOWN = 8  # sentences of documentation that have them
EPOCHS = 3
SMALLEST = 0.05  # weight that is worth a line
SHARE_OF_POISON = 5.0  # what a poisoned passage counts
SHARE_OF_INNOCENT = 2.0  # what a passage of a harmless tool that looks suspicious counts
SHARE_OF_DOCUMENTATION = 1.0  # what a sentence of documentation counts
RATE, L1, L2 = 0.3, 5.0, 1.0  # of FTRL-proximal, which keeps few weights


class Tool(NamedTuple):
    """A tool: where it is from, its record, its passages, and those that are poison, if somebody marked them."""

    source: str
    data: Any
    passages: list[str]
    poison: list[str]


# -- what is read -----------------------------------------------------------------------------------------------------


def passages(texts: Iterable[str]) -> list[str]:
    kept = dict.fromkeys(text for text in texts if is_prose(text))
    return [passage for text in kept for passage, _ in passages_of(text)]


def tools_of_fixtures(folder: str) -> list[Tool]:
    tools = []
    for path in sorted((FIXTURES / folder).glob("*.json")):
        for entry in json.loads(path.read_text("utf-8")):
            poison = entry.get("poison", "")
            marked = [poison, *passages([poison])] if poison else []
            tools.append(Tool(path.stem, entry["tool"], passages(texts_of(entry["tool"])), marked))
    return tools


def tools_of_files(paths: Iterable[Path]) -> list[Tool]:
    tools = []
    for path in paths:
        try:
            reading = sources.read_document(sources.open_document(path))
        except Error:
            continue
        tools += [Tool(path.name, one.data, passages(texts_of(one.data)), []) for one in reading.records]
    return tools


def sentences_of(paragraphs: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for paragraph in paragraphs:
        found.update(dict.fromkeys(sentence for sentence, _ in split_sentences(" ".join(paragraph.split()))))
    return [sentence for sentence in found if 25 < len(sentence) < 600]


def docstrings(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if {"site-packages", "test"} & {*path.relative_to(folder).parts}:
            continue
        try:
            tree = ast.parse(path.read_text("utf-8", "ignore"))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                paragraphs = re.split(r"\n\s*\n", ast.get_docstring(node) or "")
                yield from (paragraph for paragraph in paragraphs if ">>>" not in paragraph)


def own_sentences() -> list[str]:
    """What we write about ourselves: plain words beside the jargon of programmers, and what `check` may not suspect."""
    told = subprocess.run([sys.executable, "-m", "toolglot", "--agent"], capture_output=True, check=True).stdout
    found = [text for text in texts_of(json.loads(told)) if is_prose(text)]
    found += sentences_of(docstrings(ROOT / "converters"))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if path.stem not in QUOTES_ORDERS:
            prose = re.sub(r"(?ms)^```.*?^```|^[|#].*?$", "", path.read_text("utf-8"))
            found += sentences_of(re.split(r"\n\s*\n", prose))
    return passages(found)


def documentation() -> list[str]:
    """Sentences of the standard library of Python, as many as are worth their time."""
    library = Path(sysconfig.get_paths()["stdlib"])
    paragraphs = [*docstrings(library), *(part for topic in topics.values() for part in re.split(r"\n\s*\n", topic))]
    sentences = sorted(sentences_of(paragraphs))
    return random.Random(SEED).sample(sentences, MOST_DOCSTRINGS)


# -- the model --------------------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A passage that is weighed: the numbers of its features, the value of each, whether it is poison, its share."""

    features: list[int]
    value: float
    is_poison: bool
    share: float


class Model:
    """A logistic model, made by FTRL-proximal: weights that pay for little stay nothing."""

    def __init__(self, size: int) -> None:
        self.weights = [0.0] * size
        self._gradients = [0.0] * size
        self._squares = [0.0] * size

    def learn(self, example: Example) -> None:
        weights, gradients, squares, value = self.weights, self._gradients, self._squares, example.value
        total = value * sum([weights[feature] for feature in example.features])
        chance = 1 / (1 + math.exp(-max(min(total, 35.0), -35.0)))
        slope = (chance - example.is_poison) * example.share * value
        for feature in example.features:
            before = squares[feature]
            squares[feature] = after = before + slope * slope
            root = math.sqrt(after)
            gradients[feature] += slope - (root - math.sqrt(before)) / RATE * weights[feature]
            excess = abs(gradients[feature]) - L1
            weights[feature] = 0.0
            if excess > 0:
                weights[feature] = -math.copysign(excess, gradients[feature]) / ((1 + root) / RATE + L2)


BIAS = ""  # the name of the feature that every passage has


def _count_features(texts: Iterable[str]) -> Counter[str]:
    return Counter(name for text in texts for name in features_of(text)[0])


class Trainer:
    """The passages that are weighed, and the model of them."""

    def __init__(self, poisoned: Sequence[Tool], harmless: Mapping[str, float], documents: Sequence[str]) -> None:
        self._poisoned = poisoned
        self._harmless = harmless
        self._documents = documents
        of_poison = [passage for tool in poisoned for passage in dict.fromkeys(tool.poison or tool.passages)]
        counts = _count_features((*self._harmless, *self._documents, *of_poison))
        in_documents = _count_features(self._documents)
        most = EVERYDAY * len(self._documents)
        everyday = {name for name, count in in_documents.items() if count > most and " " not in name and name[0] != "^"}
        often = {name for name, count in counts.items() if count >= OFTEN}
        foreign = {name for name in often if SHORT.fullmatch(name) and in_documents[name] < KNOWN}
        kept = sorted(often - everyday - foreign)
        self._numbers = {feature: number for number, feature in enumerate([BIAS, *kept])}

    def train(self) -> dict[str, float]:
        """What each feature weighs. What is poison in an unmarked tool is what the model of the marked ones says."""
        shares = {**dict.fromkeys(self._documents, SHARE_OF_DOCUMENTATION), **self._harmless}
        harmless = [self._example(text, False, share) for text, share in shares.items()]
        marked = [tool.poison[0] for tool in self._poisoned if tool.poison]
        model = self._fit(harmless, marked)
        worst = [
            max(tool.poison or tool.passages, key=lambda text: self._total(model, text)) for tool in self._poisoned
        ]
        model = self._fit(harmless, [*marked, *worst])
        return {name: model.weights[number] for name, number in self._numbers.items() if model.weights[number]}

    def _example(self, passage: str, is_poison: bool, share: float) -> Example:
        features, divisor = features_of(passage)
        numbers = sorted(self._numbers[name] for name in {*features, BIAS} & self._numbers.keys()) if features else []
        return Example(numbers, 1 / divisor, is_poison, share)

    def _fit(self, harmless: Sequence[Example], poison: Iterable[str]) -> Model:
        examples = [*harmless, *(self._example(text, True, SHARE_OF_POISON) for text in poison)]
        model = Model(len(self._numbers))
        order = random.Random(SEED)
        for _ in range(EPOCHS):
            order.shuffle(examples)
            for example in examples:
                if example.features:
                    model.learn(example)
        return model

    def _total(self, model: Model, passage: str) -> float:
        example = self._example(passage, True, 1.0)
        return example.value * sum(model.weights[number] for number in example.features)


# -- judging ----------------------------------------------------------------------------------------------------------


def score_of(weights: Weights, tool: Tool) -> float:
    """What the worst text of a tool scores."""
    texts = dict.fromkeys(text for text in texts_of(tool.data) if is_prose(text))
    return max((worst.score for text in texts if (worst := worst_of(text, weights))), default=-math.inf)


def judge(tools: Sequence[Tool]) -> dict[str, Any]:
    """Of how many tools the rules say something about a text, with a warning or more, and with information or more.

    A text that stands in several tools of one source is said once, as `check` says it once.
    """
    engine = engine_for(RuleSelection(select=("text",)))
    said: set[tuple[str, str, str]] = set()
    warned = named = 0
    for tool in tools:
        found = {
            (tool.source, finding.code, str(value_at(tool.data, finding.pointer))): finding.severity
            for finding in engine.check_texts(Record(tool.data))
        }
        severities = {severity for what, severity in found.items() if what not in said}
        said.update(found)
        warned += bool(severities - {"info"})
        named += bool(severities)
    return {"tools": len(tools), "warning": warned, "info": named}


def main(servers: Mapping[str, Sequence[str]]) -> None:
    poisoned, innocent = tools_of_fixtures("poisoned"), tools_of_fixtures("innocent")
    harmless = tools_of_files(path for folder in corpus.FOLDERS for path in corpus.files(folder))
    shares = dict.fromkeys(own_sentences(), 1.0)
    shares |= {text: 1.0 for tool in harmless if not held_out.HARMLESS.match(tool.source) for text in tool.passages}
    taught = [tool for tool in (*poisoned, *innocent) if tool.source not in held_out.FIXTURES]
    shares |= {text: SHARE_OF_INNOCENT for tool in taught if tool in innocent for text in tool.passages}
    trainer = Trainer([tool for tool in taught if tool not in innocent], shares, documentation())
    features = {name: round(weight, 1) for name, weight in trainer.train().items() if abs(weight) >= SMALLEST}
    weights = Weights(features.pop(BIAS), 0.0, features)
    kept_out = [tool for tool in harmless if held_out.HARMLESS.match(tool.source)]
    scores = sorted((score_of(weights, tool) for tool in kept_out), reverse=True)
    threshold = round(scores[int(MOST_SUSPECTED * len(scores))], 2)
    by_weight: dict[str, list[str]] = {}
    for name, weight in sorted(weights.features.items(), key=lambda item: (item[1], item[0])):
        by_weight.setdefault(str(weight), []).append(name)
    content = {"bias": weights.bias, "threshold": threshold, "features": by_weight}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("],", "],\n")
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    print(len(features), "weights,", WEIGHTS.stat().st_size, "bytes")
    judged = {"harmless, held out": kept_out}
    for source in held_out.FIXTURES:
        judged[source] = [tool for tool in (*poisoned, *innocent) if tool.source == source]
    for group, names in servers.items():
        judged[group] = tools_of_files(map(Path, names))
    rates = {name: judge(tools) for name, tools in judged.items()}
    for name, rate in rates.items():
        print(f"{name:24} {rate}")
    if all(servers.values()):
        RATES.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if not corpus.IS_HERE:
        sys.exit("the corpus is not here")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", nargs="*", default=[], help="files with the tools of held_out.SEEN")
    parser.add_argument("--unseen", nargs="*", default=[], help="files with the tools of held_out.UNSEEN")
    arguments = parser.parse_args()
    main({"public servers, seen": arguments.seen, "public servers, unseen": arguments.unseen})
