"""Documents for the laws, thousands a second: danger in every place where a field can stand, in every spelling.

Every tool begins its description with a marker of its own (`mk12x`), by which it is found again whatever its name
became. Everything comes from one `random.Random`, so that a seed is a document.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, NamedTuple

import yaml


class Document(NamedTuple):
    """A document of a format, as bytes."""

    format: str
    content: bytes


def opened(document: Document) -> tuple[Any, str | None]:
    """The data of a document, and the Markdown below its front matter, if it has any."""
    text = document.content.decode().replace("\r\n", "\n")
    if document.format in _FRONT_MATTER:
        front, _, body = text.removeprefix("---\n").partition("\n---\n")
        return yaml.load(front, yaml.CSafeLoader), body
    try:
        return json.loads(text), None
    except ValueError:
        return yaml.load(text, yaml.CSafeLoader), None


def closed(format: str, data: Any, body: str | None) -> Document:
    """The document of some data: what `opened` opens."""
    if format in _FRONT_MATTER:
        front = yaml.dump(data, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
        return Document(format, f"---\n{front}---\n{body or ''}".encode())
    return Document(format, json.dumps(data, ensure_ascii=False).encode())


def document(rng: Random, format: str) -> Document:
    """A document of one format with a few tools."""
    writer = _Writer(rng)
    return Document(format, _WRITERS[format](writer).encode())


_FRONT_MATTER = ("aip14", "skill")
_CONSTANTS: dict[str, Any] = {"mutates": ["external:*"], "risk_level": 2, "cost_class": "metered", "version": "0.0.0"}
_WRONG_TRUTHS = ["true", "yes", "no", "false", 1, 0, [], {}, [True], "unknown"]
_WRONG_LISTS = ["all", True, {"a": "b"}, 7]
_PROSE = [
    "Lists what is there.", "Removes what was found, one by one.", "Do not use it on Fridays.", "Lire le fichier.",
    "See [the guide](https://example.invalid/a) first.", "Takes [a | b | c] as it comes.", "A [note] in brackets.",
    "Safety: wear gloves.", "Safety first: read the manual.", "When to use: never on Sunday", "Requires: patience; time",
    "Scopes: wide", "Drivers: never http", "Implements: what was promised", "Status: new", "Permissions: none",
    "Needs first: coffee", "Calls: nobody", "Example: `rm -r x`", "| a | b |\n|---|---|", "日本語の説明です。", "Ünïcödé – naïve “quotes”",
]  # fmt: skip
_FLAGS = ["⚠️ DESTRUCTIVE", "⚠️ NOT REVERSIBLE", "⚠️ NOT IDEMPOTENT", "💰 BILLABLE"]
_STRANGERS = ["CREATES: pull_request", "MODIFIES: repo", "🔒 READ-ONLY", "beta", "⚠️ MAYBE", ""]
_NOTES = [
    "runs other programs", "deletes files", "writes files", "changes data", "uses the network", "needs credentials",
    "asks for input", "asks for a password", "asks for approval every time", "may ask for approval",
    "ask the user for approval before every call", "some calls need approval by the user",
]  # fmt: skip
_CYRILLIC = str.maketrans("AEOCTB", "АЕОСТВ")
_GREEK = str.maketrans("ETIOB", "ΕΤΙΟΒ")
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("A"), ord("Z") + 1)}
_TYPOS = ("double", "drop", "swap", "case", "dash", "camel")


class _Blocks(yaml.SafeDumper):
    """Texts of several lines as block scalars, as people write them."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Blocks.add_representer(str, _represent_text)


class _Writer:
    """The parts of which documents of all formats are made."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.number = 0

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def one(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    # -- texts ------------------------------------------------------------------------------------------------

    def marker(self) -> str:
        self.number += 1
        return f"mk{self.number}x"

    def description(self, limit: int = 4000) -> str:
        """A text that begins with a new marker, with warnings anywhere in it."""
        parts = [self.rng.choice(_PROSE) for _ in range(self.rng.choice([0, 1, 1, 2, 3]))]
        if self.often(0.03):
            parts.append("word " * 260)
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            parts.insert(self.rng.randint(0, len(parts)), self.warning())
        glue = self.rng.choice([" ", "\n", "\n\n", " ", "\n\n"])
        text = f"{self.marker()} {glue.join(parts)}".rstrip()[:limit]
        return text + self.rng.choice(["", "", "\n", " ", "\n\n", "\t"])

    def warning(self) -> str:
        if self.often(0.35):
            words = self.rng.sample(_NOTES, self.rng.choice([1, 1, 2, 3]))
            if self.often(0.2):
                words.insert(self.rng.randint(0, len(words)), "sings")
            return f"Safety: {'; '.join(words)}" + self.rng.choice([".", "", ".\n"])
        brackets = []
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            items = [self.spelled(flag) for flag in self.rng.sample(_FLAGS, self.rng.choice([1, 1, 2, 3]))]
            if self.often(0.3):
                items.insert(self.rng.randint(0, len(items)), self.rng.choice(_STRANGERS))
            if self.often(0.1):
                items.append(items[0])
            brackets.append(f"[{self.rng.choice([' | ', ' | ', '|', '  |  ']).join(items)}]")
        return " ".join(brackets)

    def spelled(self, flag: str) -> str:
        how = self.rng.randrange(18)
        if how == 0:
            return flag.replace("\ufe0f", "")
        if how == 1:
            return flag.translate(_CYRILLIC)
        if how == 2:
            return flag.translate(_GREEK)
        if how == 3:
            return flag.lower()
        if how == 4:
            return flag.partition(" ")[2]  # no emoji
        if how == 5:
            return flag.title()
        if how == 6:
            return flag.replace(" ", "\u00a0")
        if how == 7:
            return flag[:5] + "\u200b" + flag[5:]
        if how == 8:
            return flag.translate(_FULL_WIDTH)
        if how == 9:
            return flag.replace(" ", "\n", 1) if "NOT" not in flag else flag.replace("NOT ", "NOT\n")
        return flag

    def title(self) -> str:
        text = self.rng.choice(["Tidy", "Empty the bin", "Fetch", "x", "Löschen"])
        return f"{text} {self.warning()}" if self.often(0.12) else text

    # -- facts --------------------------------------------------------------------------------------------------

    def truth(self) -> Any:
        return self.value([True, False], _WRONG_TRUTHS)

    def texts(self, *words: str) -> Any:
        if self.often(0.05):
            return [*words, self.rng.choice([5, None, {}])]
        return self.value([[], list(words), [words[0]]], _WRONG_LISTS)

    def value(self, good: list[Any], bad: list[Any], share: float = 0.06) -> Any:
        values = bad if self.often(share) else good
        return self.rng.choice(values)

    def fields(self, share: float, **fields: Any) -> dict[str, Any]:
        """Some of the fields, now and then under a key that is nearly theirs."""
        found: dict[str, Any] = {}
        for key, value in fields.items():
            if not self.often(share):
                continue
            made = value() if callable(value) else value
            found[self.misspelt(key) if self.often(0.05) else key] = made
        if self.often(0.05):
            found[self.one("_debug", "comment")] = self.one("a", 1, True, {"destructive": True})
        return found

    def foreign(self, *rooms: str) -> dict[str, Any]:
        """Now and then a key of others, in a place that a format leaves to them."""
        if not self.often(0.08):
            return {}
        name: str = self.one(
            "destructive",
            "dangerous",
            "requiresApproval",
            "com.acme/requires_approval",
            "readOnlyHint",
            "owner",
            "risky",
        )
        value = self.one(True, True, False, "a", "yes", "No", None)
        room = self.one("x-", *rooms)
        if room == "x-":
            key = self.one(f"x-{name}", "x-acme")
            return {key: {name: value} if key == "x-acme" else value}
        return {room: {name: value}}

    def mark(self, *names: str) -> Any:
        """What a conversion writes about what it supposed, or somebody else."""
        strangers = ["effects.destructive", "destructive", "approvel", "when_to_use:1a2b3c4d", "inputs"]
        some = [*names, *self.rng.sample(strangers, self.rng.choice([0, 0, 1, 2]))]
        return {"assumed": self.value([some], [", ".join(some), dict.fromkeys(some, True), [*some, 5], None], 0.1)}

    def misspelt(self, key: str) -> str:
        kind = self.rng.choice(_TYPOS)
        at = self.rng.randint(1, len(key) - 2) if len(key) > 3 else 1
        if kind == "double":
            return key[:at] + key[at] + key[at:]
        if kind == "drop":
            return key[:at] + key[at + 1 :]
        if kind == "swap":
            return key[:at] + key[at + 1] + key[at] + key[at + 2 :] if len(key) > 3 else key.upper()
        if kind == "case":
            return self.rng.choice([key.upper(), key.title(), key.upper() if key.islower() else key.lower()])
        if kind == "dash":
            return key.replace("_", "-") if "_" in key else key + "_"
        first, *others = key.split("_")
        if not others:
            return key + "s"
        return first + "".join(part.title() for part in others)

    # -- formats ------------------------------------------------------------------------------------------------

    def atip(self) -> str:
        share = self.rng.choice([0.0, 0.15, 0.4, 0.9])
        data: dict[str, Any] = {
            "atip": self.one("0.1", "0.3", {"version": "0.6"}, {"version": "0.4"}),
            "name": self.one("gh", "my-tool", "A_1"), "version": "1.2", "description": self.description(180),
        }  # fmt: skip
        data.update(self.node(self.rng.choice([0.0, 0.0, 0.1, 0.3])))
        data.update(self.fields(0.1, title=self.title, **{"x-toolglot": lambda: self.mark("version")}))
        depth = self.rng.choice([0, 1, 1, 2, 3])
        if depth:
            data["commands"] = self.commands(depth, share)
        return json.dumps(data, ensure_ascii=self.often(0.3))

    def commands(self, depth: int, share: float) -> dict[str, Any]:
        found = {}
        for name in self.rng.sample(["list", "delete", "run", "", "a-b", "repo"], self.rng.choice([1, 2, 2, 3])):
            command = {"description": self.description(1200), **self.node(share), **self.foreign("metadata", "_meta")}
            if depth > 1 and name and self.often(0.7):
                command["commands"] = self.commands(depth - 1, share)
                if self.often(0.15):  # a group that is called by itself too
                    command["arguments"] = [{"name": "a", "type": "string", "required": False, "description": "b"}]
            found[name] = command
        return found

    def node(self, share: float) -> dict[str, Any]:
        effects = self.fields(
            share, filesystem=lambda: self.value([self.files(share)], ["none", True, []]), network=self.truth,
            subprocess=self.truth, idempotent=self.truth, reversible=self.truth, destructive=self.truth,
            creates=lambda: self.texts("issue", "file"), modifies=lambda: self.texts("repo"),
            deletes=lambda: self.texts("branch"), cost=lambda: self.value([self.cost()], ["high", True, 5]),
            interactive=lambda: self.value([self.interactive()], [True, "yes"]),
        )  # fmt: skip
        if share and self.often(0.08):  # all that a reader of programs has to say
            effects = {
                "filesystem": {"read": True, "write": False, "delete": False}, "network": False, "destructive": False,
                "reversible": True, "idempotent": True, **effects,
            }  # fmt: skip
        share_of_effects = 0.9 if share else 0.0
        return self.fields(
            share_of_effects, effects=lambda: self.value([effects], ["none", [], True], 0.02),
        ) | self.fields(
            share / 3, authentication=lambda: self.value([self.authentication()], [True, "token", []]),
            interactive=lambda: self.value([self.interactive()], ["yes"]),
        )  # fmt: skip

    def files(self, share: float) -> dict[str, Any]:
        return self.fields(max(share, 0.5), read=self.truth, write=self.truth, delete=self.truth)

    def cost(self) -> dict[str, Any]:
        return self.fields(0.7, estimate=lambda: self.one("free", "low", "medium", "high"), billable=self.truth)

    def interactive(self) -> dict[str, Any]:
        stdin = self.value(["none", "optional", "required", "password"], ["maybe", True, 5])
        return self.fields(0.6, stdin=stdin, prompts=self.truth, tty=self.truth)

    def authentication(self) -> dict[str, Any]:
        methods = [{"type": self.one("token", "password", "oauth"), "envVar": "GH_TOKEN"}]
        return self.fields(0.7, required=self.truth, methods=lambda: self.value([methods, []], ["token", [5]]))

    def aip14(self) -> str:
        share = self.rng.choice([0.0, 0.3, 0.6, 0.95])
        data: dict[str, Any] = {
            "name": self.title(), "id": self.one("notes.append", "a1", "x-y.z"), "description": self.description(1800),
            "version": "1.0.0", "inputs": {"type": "object", "properties": {"a": {"type": "string"}}}, "outputs": {},
        }  # fmt: skip
        facts = self.facts(share)
        if self.often(0.3):
            data.update(self.supposed(facts, data))
        else:
            data.update(facts | self.foreign("metadata"))
        if self.often(0.15):
            inline = {"id": "a:b", "schema": "action/v1", "description": "An action.", **self.facts(0.6)}
            inline = {key: value for key, value in inline.items() if key not in ("idempotent", "cost_class")}
            standard = ["secrets:reveal", "storage:commit", "sandbox:execute", "secrets:rotate"]
            unknown = ["acme:thing", {"ref": "acme:thing"}, {"ref": "@a/b/c"}]
            data["implements"] = self.rng.choice([{"inline": inline}, {"inline": inline}, *standard, *unknown])
        dumper = self.one(yaml.SafeDumper, _Blocks)
        text = yaml.dump(data, Dumper=dumper, allow_unicode=True, sort_keys=False, width=self.one(60, 10_000))
        text = f"---\n{text}---\n{self.body()}"
        return text.replace("\n", "\r\n") if self.often(0.1) else text

    def supposed(self, facts: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        """Facts among which some are constants, with a mark that names some of all: true, edited, and forged ones."""
        known = (*_CONSTANTS, "idempotent", "requires", "approval")
        found = {key: value for key, value in facts.items() if key in known}
        found |= {key: value for key, value in _CONSTANTS.items() if self.often(0.5)}
        if self.often(0.6):
            found["approval"] = self.one("always", "on-mutate", "on-mutate")
        names = [name for name in (*_CONSTANTS, "approval") if name in data | found and self.often(0.8)]
        return {**found, "metadata": {"toolglot": self.mark(*names), **self.foreign("metadata").get("metadata", {})}}

    def facts(self, share: float) -> dict[str, Any]:
        some = [
            [],
            ["workspace:/notes/*"],
            ["external:mail"],
            ["network:*"],
            ["sandbox:*"],
            ["database:rows", "audit:x"],
        ]
        found = self.fields(
            share, idempotent=self.truth, mutates=lambda: self.value(some, ["workspace:*", True, ["external:a", 5], [None]]),
            requires=lambda: self.value([self.requires()], [[], "network", True]),
            risk_level=lambda: self.value([0, 1, 2, 3, 2.0], ["high", 4, -1, True, "3", 1.5]),
            cost_class=lambda: self.value(["trivial", "metered", "expensive"], ["free", 3, "cheap"]),
        )  # fmt: skip
        words = ["always", "on-mutate", "policy:governance/sign"]
        if found.get("mutates") == []:
            words.append("auto")
        if found.get("mutates") or self.often(share):
            key = self.misspelt("approval") if self.often(0.05) else "approval"
            found[key] = self.value(words, ["never", "sometimes", True, "policy:", "Always", "conditional"])
        return found

    def requires(self) -> dict[str, Any]:
        hosts, secrets = self.texts("api.example.invalid", "*"), self.texts("mail-token")
        return self.fields(0.6, network=lambda: hosts, secrets=lambda: secrets)

    def body(self) -> str:
        if self.often(0.5):
            return ""
        text = self.rng.choice(["Long text.", "When to call.\n\n- a\n- b", ""])
        if self.often(0.3):
            text += f"\n\n{self.warning()}\n"
        return f"\n## {self.one('Description', 'Notes')}\n\n{text}\n"

    def descriptor(self) -> str:
        return json.dumps({"tools": [self.one_descriptor() for _ in range(self.rng.choice([1, 1, 2]))]})

    def one_descriptor(self) -> dict[str, Any]:
        tier = self.one("pure", "read", "write", "write", "exec")
        data: dict[str, Any] = {
            "toolId": f"{self.one('mcp', 'acme')}:t{self.number}",
            "source": "host-extension" if tier == "exec" else self.one("mcp", "workflow", "host-extension"),
            "safetyTier": tier,
        }
        if self.often(0.02):
            data["safetyTier"] = self.one("safe", 5, True)
        text = self.description()
        return {**data, "description": text} | self.fields(
            self.rng.choice([0.0, 0.3, 0.8]), title=self.title,
            auth=lambda: self.value([self.fields(0.7, credentialRef=self.truth)], [True, "token"]),
            egress=lambda: self.value(["none", "safe-fetch", "host-mediated", "host-owned"], ["open", True]),
            approval=lambda: self.value(["never", "conditional", "always"], ["auto", "sometimes", True]),
            replayPolicy=lambda: self.value(["deterministic", "idempotent", "non-deterministic"], ["never", 5]),
        )  # fmt: skip

    def mcp(self) -> str:
        return json.dumps({"tools": [self.one_mcp() for _ in range(self.rng.choice([1, 1, 2]))]}, ensure_ascii=False)

    def one_mcp(self) -> dict[str, Any]:
        text = self.description()
        hints = self.fields(
            self.rng.choice([0.0, 0.3, 0.8]), readOnlyHint=self.truth, destructiveHint=self.truth,
            idempotentHint=self.truth, openWorldHint=self.truth, title=self.title,
        )  # fmt: skip
        data = {"name": f"t{self.number}", "description": text, "inputSchema": {"type": "object"}}
        return (
            data
            | self.fields(0.7, annotations=lambda: self.value([hints], [True, "safe"], 0.02))
            | self.fields(0.2, title=self.title)
            | self.fields(0.1, securitySchemes=self.schemes, _meta=lambda: {"securitySchemes": self.schemes()})
            | self.foreign("_meta")
        )

    def schemes(self) -> Any:
        return [{"type": "oauth2", "scopes": ["read"]}, *self.one([], [{"type": "noauth"}])]

    def atdf(self) -> str:
        data: dict[str, Any] = {
            "schema_version": "2.0.0", "tool_id": self.one("t1", "Ä b", "x.y"), "description": self.description(),
            "when_to_use": self.one("To tidy up.", "To tidy up.", self.warning()),
            "how_to_use": {"inputs": [], "outputs": {"success": "Done.", "failure": []}},
        }  # fmt: skip
        data.update(self.foreign("metadata"))
        if self.often(0.2):
            tags = self.rng.sample(["safe", "read-only", "destructive", "not-reversible", "billing"], 2)
            data["metadata"] = {"tags": tags, "toolglot": self.mark("when_to_use", "version")}
        if self.often(0.4):
            return yaml.dump(data, Dumper=self.one(yaml.SafeDumper, _Blocks), allow_unicode=True, sort_keys=False)
        return json.dumps(self.one(data, data, {"tools": [data]}))

    def openai(self) -> str:
        function = {**self.function(), "parameters": {"type": "object", "properties": {}}}
        flat = {"type": "function", **function, "strict": self.one(True, False, None)}
        return json.dumps([self.one({"type": "function", "function": function}, flat)])

    def anthropic(self) -> str:
        tool = {**self.function(), "input_schema": {"type": "object", "properties": {}}}
        return json.dumps([self.one(tool, {"type": "custom", **tool})])

    def gemini(self) -> str:
        return json.dumps(
            [{self.one("functionDeclarations", "function_declarations"): [self.function()]}], ensure_ascii=False
        )

    def function(self) -> dict[str, Any]:
        return {"name": self.one("ls", "repo_delete"), "description": self.description(1000)}

    def a2a(self) -> str:
        skill = {"id": "tidy", "name": self.one("Tidy", self.title()), "description": self.description(), "tags": []}
        needs = [{"schemes": {"post": {"list": ["read"]}}}, *self.one([], [{"schemes": {}}])]
        return json.dumps({"skills": [skill | self.fields(0.2, securityRequirements=lambda: needs)]})

    def skill(self) -> str:
        keys: dict[str, Any] = self.fields(0.2, **{"disable-model-invocation": lambda: self.one(True, False)})
        if self.often(0.2):
            keys["allowed-tools"] = self.one("Read", "Bash(rm:*)", "Read Bash")
        if self.often(0.1):
            keys["hooks"] = {"PreToolUse": [{"command": "./check"}]}
        front = yaml.safe_dump({"name": "tidy", "description": self.description(1000), **keys}, allow_unicode=True)
        return f"---\n{front}---\n{self.one('', self.description())}"

    def hub(self) -> str:
        tool = self.tool(self.rng.choice([0, 0, 1, 2]), self.rng.choice([0.0, 0.1, 0.4]))
        return json.dumps({"toolglot": 1, "tools": [tool]})

    def tool(self, depth: int, share: float) -> dict[str, Any]:
        self.number += 1
        truths = ["writes_files", "deletes_files", "network", "subprocess", "destructive", "reversible", "idempotent",
                  "prompts", "tty", "billable", "auth_required"]  # fmt: skip
        data: dict[str, Any] = {"id": f"t{self.number}", "description": self.description(1500)}
        data.update({name: self.often(0.5) for name in truths if self.often(share)})
        words: dict[str, list[Any]] = {
            "safety_tier": ["pure", "read", "write", "exec"], "egress": ["none", "safe-fetch", "host-owned"],
            "approval": ["never", "auto", "conditional", "on-mutate", "always", "policy:a/b"], "risk_level": [0, 1, 2, 3],
            "mutates": [[], ["external:x"], ["workspace:/a"]], "creates": [[], ["a"]], "deletes": [[], ["a"]],
            "cost_class": ["trivial", "metered"], "replay": ["deterministic", "idempotent", "non-deterministic"],
            "stdin": ["none", "required", "password"], "hosts": [[], ["a.invalid"]], "secrets": [[], ["s"]],
            "flags": [["destructive"], ["deletes-files", "network"], ["billable", "risk-3"]], "title": ["Tidy"],
            "when_to_use": ["Never.", "To tidy."], "modifies": [[], ["b"]],
        }  # fmt: skip
        data.update({name: self.rng.choice(some) for name, some in words.items() if self.often(share / 1.5)})
        if self.often(0.1):
            data["title"] = self.title()
        if depth:
            data["children"] = [self.tool(depth - 1, share) for _ in range(self.rng.choice([1, 2]))]
            if self.often(0.15):  # a group that is called by itself too
                data["inputs"] = {"type": "object", "properties": {"a": {"type": "string"}}}
        return data


_WRITERS = {
    "atip": _Writer.atip, "aip14": _Writer.aip14, "tool-descriptor": _Writer.descriptor, "mcp": _Writer.mcp,
    "atdf": _Writer.atdf, "openai": _Writer.openai, "anthropic": _Writer.anthropic, "gemini": _Writer.gemini,
    "hub": _Writer.hub, "a2a": _Writer.a2a, "skill": _Writer.skill,
}  # fmt: skip
FORMATS = tuple(_WRITERS)
