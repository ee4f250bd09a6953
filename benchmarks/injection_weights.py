"""Weighs the words of `orders-in-text` (`injection_weights.json`), and tries each set of poisoned tools unseen.

`make weights` runs it, with scikit-learn, which nothing else needs. Poisoned are `fixtures/poisoned`, less the set
that is held back for the tests. Harmless are the documents of `make corpus`, `fixtures/innocent/first.json`, docstrings
of the standard library and of libraries for agents, and our own documentation. One set of poisoned tools and a third of
the sources of harmless ones are left out at a time and judged by what the others teach: that is what the table in
`docs/corpus.md` says of texts that nobody trained on. The threshold is where `MOST` of the harmless tools of servers
that were left out are suspected.
"""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

import corpus
import rule_rates
import toolglot
from golden import FIXTURES, ROOT
from toolglot.conversion import sources
from toolglot.diagnostics.rule_engine import _texts_of
from toolglot.diagnostics.rules import injection_weights, rules
from toolglot.errors import Error
from toolglot.formats.kit.rule import is_prose
from toolglot.text.sentences import split_sentences

WEIGHTS = ROOT / "converters/toolglot/diagnostics/rules/injection_weights.json"
RATES = ROOT / "tests/data/order-rates.json"
MOST = 0.0025
HELD_BACK = "sixth"
FOLDS = 3
SEED = 20261123
LIBRARIES = (
    "anthropic",
    "openai",
    "mcp",
    "google",
    "click",
    "rich",
    "hypothesis",
    "starlette",
    "httpx",
    "pip",
)
QUOTES_ORDERS = ("rules",)  # pages that quote what the rules look for
SAMPLE = 13_000  # sentences of the docstrings of either kind
PAIR = 0.7  # what a pair of words counts beside a word
OFTEN = 3  # poisoned tools that have a feature, for it to be weighed
POISONED_WEIGHT = 5.0
DOCSTRING_WEIGHT = 0.5
PLAIN_WEIGHT = 0.5
GATE = 8.0  # when it was set, 5 of 651 poisoned texts that were found weighed less, and 93 % of the harmless ones
SMALLEST = 0.05  # weight that is worth a line


class Harmless(NamedTuple):
    """A tool of the corpus: where it is from, of which fold, and its passages."""

    group: str
    fold: int
    passages: list[str]


class Poisoned(NamedTuple):
    """A poisoned tool: its set, its passages, the passages of them that are poison, if somebody marked them, and
    whether another rule of the family `text` finds it."""

    name: str
    passages: list[str]
    poison: list[str]
    has_phrase: bool


def passages(texts: Iterable[str]) -> list[str]:
    kept = dict.fromkeys(text for text in texts if is_prose(text))
    return [passage for text in kept for passage, _ in injection_weights.passages_of(text)]


def poisoned_tools() -> list[Poisoned]:
    tools = []
    for path in sorted((FIXTURES / "poisoned").glob("*.json")):
        if path.stem == HELD_BACK:
            continue
        for entry in json.loads(path.read_text("utf-8")):
            poison = entry.get("poison", "")
            marked = [poison, *passages([poison])] if poison else []
            found = toolglot.check(entry["tool"], "mcp", ignore=("orders-in-text",))
            has_phrase = any(rules()[one.code].family == "text" and one.severity != "info" for one in found)
            tools.append(Poisoned(path.stem, passages(_texts_of(entry["tool"])), marked, has_phrase))
    return tools


def harmless_tools() -> list[Harmless]:
    tools = []
    names: list[str] = []
    for folder in corpus.FOLDERS:
        for path in corpus.files(folder):
            try:
                reading = sources.read_document(sources.open_document(path))
            except Error:
                continue
            owner = path.name.split("__")[0]
            source = path.name if owner in ("docker", "pathintegral-institute") else path.name[:40]
            if source not in names:
                names.append(source)
            for record in reading.records:
                texts = passages(_texts_of(record.data))
                tools.append(Harmless(rule_rates.group_of(folder, path), names.index(source) % FOLDS, texts))
    return tools


def innocent_passages() -> list[str]:
    entries = json.loads((FIXTURES / "innocent/first.json").read_text("utf-8"))
    told = json.loads(
        subprocess.run([sys.executable, "-m", "toolglot", "--agent"], capture_output=True, check=True).stdout
    )
    ours = passages(_texts_of(told))  # which `check` suspected three times before they were among the harmless
    return [*ours, *(passage for entry in entries for passage in passages(_texts_of(entry["tool"])))]


def docstrings(folders: Iterable[Path]) -> list[str]:
    found: set[str] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if "site-packages" in path.relative_to(folder).parts or "test" in path.parts:
                continue
            found.update(_docstrings_of(path))
    sentences = sorted(found)
    random.Random(SEED).shuffle(sentences)
    return sentences[:SAMPLE]


def plain_sentences() -> list[str]:
    """Sentences of our own documentation and docstrings: harmless, in words as plain as those of the poisoned tools.

    Without them the model takes plain words for poison: servers describe their tools in the jargon of programmers.
    """
    found = dict.fromkeys(docstrings([ROOT / "converters", ROOT / "benchmarks"]))
    for path in sorted((ROOT / "docs").glob("*.md")):
        if path.stem in QUOTES_ORDERS:
            continue
        prose = re.sub(r"(?ms)^```.*?^```|^[|#].*?$", "", path.read_text("utf-8"))
        for paragraph in re.split(r"\n\s*\n", prose):
            found.update(dict.fromkeys(sentence for sentence, _ in split_sentences(" ".join(paragraph.split()))))
    return [sentence for sentence in found if 25 < len(sentence) < 600]


def _docstrings_of(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_text("utf-8", "ignore"))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for paragraph in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                if ">>>" not in paragraph:
                    for sentence, _ in split_sentences(" ".join(paragraph.split())):
                        if 25 < len(sentence) < 600:
                            yield sentence


class Trainer:
    """All passages as numbers, and models of some of them."""

    def __init__(self) -> None:
        self.poisoned = poisoned_tools()
        self.harmless = harmless_tools()
        self.innocent = innocent_passages()
        library = Path(sysconfig.get_paths()["stdlib"])
        installed = Path(sysconfig.get_paths()["purelib"])
        self.docstrings = docstrings([library]) + docstrings(installed / name for name in LIBRARIES)
        self.plain = plain_sentences()
        self.index: dict[str, int] = {}
        for passage in self._all_passages():
            self.index.setdefault(passage, len(self.index))
        self.features = DictVectorizer()
        self.matrix = self.features.fit_transform(self._rows()).tocsr()

    def _all_passages(self) -> Iterator[str]:
        for poisoned in self.poisoned:
            yield from (*poisoned.passages, *poisoned.poison)
        for harmless in self.harmless:
            yield from harmless.passages
        yield from self.innocent
        yield from self.docstrings
        yield from self.plain

    def _rows(self) -> list[dict[str, float]]:
        """A line of numbers for each passage, of the features that stand in enough tools to say something."""
        rows: list[set[str]] = []
        lengths: list[float] = []
        for passage in self.index:
            words = injection_weights.stems_of(passage)
            features: set[str] = set()
            if len(words) >= injection_weights.FEWEST_WORDS:
                features = injection_weights.features_of_passage(passage, words)
            rows.append(features)
            lengths.append(injection_weights.length_of(words))
        in_poisoned: Counter[str] = Counter()
        poisoned_numbers: set[int] = set()
        for tool in self.poisoned:
            numbers = [self.index[text] for text in tool.poison or tool.passages]
            in_poisoned.update(set().union(*(rows[number] for number in numbers)))
            poisoned_numbers.update(self.index[text] for text in (*tool.passages, *tool.poison))
        in_harmless: Counter[str] = Counter()
        for number, row in enumerate(rows):
            if number not in poisoned_numbers:
                in_harmless.update(row)
        kept = set()
        for feature in in_poisoned.keys() | in_harmless.keys():
            if _is_telling(feature, in_poisoned[feature], in_harmless[feature]):
                kept.add(feature)
        weighed_rows = []
        for row, length in zip(rows, lengths, strict=True):
            weighed_rows.append({one: _worth(one) / length for one in row & kept})
        return weighed_rows

    def train(self, left_out: str, fold: int) -> Any:
        """The model of all but one set of poisoned tools and one fold of harmless ones.

        What is poison in an unmarked tool is the passage that the model of the marked ones finds worst.
        """
        negative = {self.index[text] for tool in self.harmless if tool.fold != fold for text in tool.passages}
        negative |= {self.index[text] for text in self.innocent}
        taught = [tool for tool in self.poisoned if tool.name != left_out]
        positive = [self.index[tool.poison[0]] for tool in taught if tool.poison]
        model = self._fit(sorted(negative), positive)
        weighed = self.matrix @ model.coef_[0]
        for tool in taught:
            choice = [self.index[text] for text in tool.poison or tool.passages]
            positive.append(max(choice, key=lambda number: weighed[number]))
        return self._fit(sorted(negative), positive)

    def _fit(self, negative: list[int], positive: list[int]) -> Any:
        others = [self.index[text] for text in (*self.docstrings, *self.plain)]
        rows = self.matrix[[*negative, *others, *positive]]
        labels = [0] * (len(negative) + len(others)) + [1] * len(positive)
        weights_of_others = [DOCSTRING_WEIGHT] * len(self.docstrings) + [PLAIN_WEIGHT] * len(self.plain)
        sample = [1.0] * len(negative) + weights_of_others + [POISONED_WEIGHT] * len(positive)
        return LogisticRegression(C=10, solver="liblinear", tol=1e-3, random_state=0).fit(rows, labels, sample)

    def scores(self, model: Any, tools: Iterable[Harmless | Poisoned]) -> list[float]:
        """The highest score of each tool."""
        every = self.matrix @ model.coef_[0] + model.intercept_[0]
        highest = []
        for tool in tools:
            scores = [every[self.index[text]] for text in tool.passages]
            highest.append(max(scores, default=-99.0))
        return highest


def _is_telling(feature: str, poisoned: int, harmless: int) -> bool:
    """Whether a feature stands in enough tools; a pair of words of harmless ones also in two that are poisoned."""
    if poisoned >= OFTEN:
        return True
    return harmless >= OFTEN and (poisoned >= 2 or " " not in feature)


def _worth(feature: str) -> float:
    """What a feature counts in a passage."""
    return PAIR if " " in feature and feature not in injection_weights.MARKS else 1.0


def main() -> None:
    trainer = Trainer()
    names = sorted({tool.name for tool in trainer.poisoned})
    rates: dict[str, Any] = {}
    thresholds = []
    for name in names:
        of_harmless: list[float] = []
        of_poisoned = []
        for fold in range(FOLDS):
            model = trainer.train(name, fold)
            servers = [tool for tool in trainer.harmless if tool.fold == fold and tool.group == "mcp"]
            of_harmless += trainer.scores(model, servers)
            unseen = [tool for tool in trainer.poisoned if tool.name == name]
            of_poisoned.append(trainer.scores(model, unseen))
        threshold = sorted(of_harmless, reverse=True)[int(MOST * len(of_harmless))]
        thresholds.append(threshold)
        is_caught = numpy.array(of_poisoned) > threshold
        has_phrase = numpy.array([tool.has_phrase for tool in trainer.poisoned if tool.name == name])
        rates[name] = {
            "tools": len(has_phrase),
            "phrases": round(float(has_phrase.mean()), 3),
            "words": round(float(is_caught.mean()), 3),
            "together": round(float((is_caught | has_phrase).mean()), 3),
        }
        print(name, rates[name], round(float(threshold), 2), flush=True)
    model = trainer.train("", -1)
    features = {}
    for feature, column in trainer.features.vocabulary_.items():
        weight = float(model.coef_[0][column]) * _worth(feature)
        if abs(weight) >= SMALLEST:
            features[feature] = round(weight, 2)
    content = {
        "bias": round(float(model.intercept_[0]), 3),
        "threshold": round(float(numpy.mean(thresholds)), 2),
        "gate": GATE,
        "features": dict(sorted(features.items())),
    }
    WEIGHTS.write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    RATES.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")
    print(len(features), "weights")


if __name__ == "__main__":
    if not corpus.IS_HERE:
        sys.exit("the corpus is not here")
    main()
