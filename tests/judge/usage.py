"""usage specifications (usage 6, its reference and lib/src/spec/effect.rs): effects, and which commands there are.

KDL is parsed here a second time, as far as documents of tests go: quoted and raw texts, words, properties, children,
comments. The worst effect of a command, its arguments, its flags and those of the commands above it counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from judge.statements import Statement
from judge.words import hear

_TOKEN = re.compile(
    r'(?P<blank>[ \t]+|//[^\n]*|/\*.*?\*/|\\\n)|(?P<end>[\n;])|(?P<raw>#"(?P<inside>.*?)"#)|(?P<text>"(?:\\.|[^"\\])*")'
    r'|(?P<sign>/-|[{}=])|(?P<word>[^\s{}=;"/\\]+)',
    re.S,
)
_WORST = {"read": 1, "write": 2, "destructive": 3}
_UNCLEAR = 4


@dataclass
class _Node:
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    children: list[_Node] = field(default_factory=list)

    def all(self, name: str) -> list[_Node]:
        return [child for child in self.children if child.name == name]

    def said(self, name: str) -> list[str]:
        own = [self.properties[name]] if name in self.properties else []
        return own + [child.arguments[0] for child in self.all(name) if child.arguments]


def read(text: str) -> list[Statement]:
    root = _Node(children=_parse(text))
    program = next((node.arguments[0] for name in ("bin", "name") for node in root.all(name)), "")
    return _walk(root, program, 0, set())


def _walk(node: _Node, name: str, above: int, doubtful: set[str]) -> list[Statement]:
    flags = node.all("flag")
    raised = max([above, *(_level(one) for flag in flags for one in [flag, *flag.all("arg")])])
    of_call = max([_level(node), *(_level(argument) for argument in node.all("arg"))])
    commands = node.all("cmd")
    own = _state(node, name, max(raised, of_call))
    own.doubtful |= doubtful  # what a target may say of the command too
    below = doubtful | own.alarms()
    found = [one for command in commands for one in _walk(command, f"{name} {command.arguments[0]}", raised, below)]
    parameters = flags + node.all("arg")
    if node.all("arg") or (commands and of_call) or not (commands or (node.all("mount") and not parameters)):
        found.append(own)
    return found


def _level(node: _Node) -> int:
    return max([0, *(_WORST.get(word, _UNCLEAR) for word in node.said("effect"))])


def _state(node: _Node, name: str, level: int) -> Statement:
    texts = [words for key in ("long_about", "long_help", "help_md", "about", "help") for words in node.said(key)]
    tool = Statement(name, texts)
    hear(tool, *texts)
    if level == _WORST["read"]:
        tool.deny("unrepeatable")
    if level == _WORST["write"]:
        tool.dangers.add("changes")
    if level == _WORST["destructive"]:
        tool.dangers |= {"destructive", "irreversible"}
    if level == _UNCLEAR:
        tool.unclear |= {"destructive", "irreversible"}
        tool.doubtful |= {"executes", "unrepeatable"}  # a word that this reader is too old for
    return tool


# -- KDL ----------------------------------------------------------------------------------------------------


def _parse(text: str) -> list[_Node]:
    top: list[_Node] = []
    levels, node, key, skips = [top], _Node(), "", False
    offset, fresh = 0, True
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise ValueError(f"no KDL that this reader knows, at {offset}")
        offset = match.end()
        kind, token = match.lastgroup, match[0]
        if kind in ("raw", "inside", "text", "word"):
            value = token
            if match["inside"] is not None:
                value = match["inside"]
            elif kind == "text":
                value = json.loads(token)
            following = re.match(r"[ \t]*=", text[offset:])
            if fresh:
                node, fresh = _Node(value), False
                if not skips:
                    levels[-1].append(node)
                skips = False
            elif following:
                key = value
            elif key:
                if not skips:
                    node.properties[key] = value
                key, skips = "", False
            else:
                if not skips:
                    node.arguments.append(value)
                skips = False
        elif token == "/-":
            skips = True
        elif token == "{":
            children = [] if skips else node.children
            levels.append(children)
            fresh, skips = True, False
        elif token == "}":
            levels.pop()
            fresh = False
        elif kind == "end":
            fresh = True
    return top
