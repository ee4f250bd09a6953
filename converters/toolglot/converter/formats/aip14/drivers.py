"""AIP-30 drivers, and AIP-29 programs: what runs a tool, and how a driver may break the contract of its tool.

A driver may narrow the contract: accept fewer arguments and give up earlier. It may not leave out a required input or
output, or a host that the tool needs, nor take longer than the tool may. Source: AIP-30, implements.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Finding, LinkedDriver
from toolglot.converter.formats.aip14.actions import warned_facts
from toolglot.converter.formats.aip14.format import FORMAT
from toolglot.converter.formats.aip14.keys import DEFAULT_TIMEOUT, KINDS, VARIABLE, with_present_keys
from toolglot.converter.formats.aip14.repository import Surroundings
from toolglot.converter.formats.aip14.version_ranges import allows
from toolglot.converter.formats.kit.auth_of_secrets import method_of_secret
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import join_facts
from toolglot.converter.schema.json_values import has_type
from toolglot.converter.text.credentials import holds_credential
from toolglot.converter.text.pointers import as_mapping, is_texts, list_at, mapping_at, texts_at, value_at, walk_texts
from toolglot.converter.text.similar_names import letters_of
from toolglot.converter.text.wording import join_values
from toolglot.errors import ReadError
from toolglot.regexes import compile_later

_WILD = compile_later(r"[*?\[]")
_MOST_PATTERNS = 256  # of hosts in one driver; every host that a tool needs is held against each of them


def drivers_of(tool: dict[str, Any], files: Surroundings) -> Iterator[tuple[str, dict[str, Any]]]:
    """The drivers that run a tool, each a DRIVER.md or a CLI.md: its file and its front matter.

    Args:
        tool: the front matter of the tool.
        files: the repository around it.
    """
    for folder, name, references in (("drivers", "DRIVER.md", _tools_of_driver), ("cli", "CLI.md", _tools_of_program)):
        for path, data in files.every(folder, name):
            if any(_leads_to_tool(reference, tool.get("id"), path, files) for reference in references(data)):
                yield path, data


def _tools_of_driver(driver: dict[str, Any]) -> Iterator[str]:
    """The tools that a DRIVER.md names."""
    return filter(None, (stated_text(as_mapping(entry), "tool") for entry in list_at(driver, "implements")))


def _tools_of_program(program: dict[str, Any]) -> Iterator[str]:
    """The tools that a CLI.md names: its commands, at any depth."""
    return (text for _, text in walk_texts(program.get("commands")))


def _leads_to_tool(reference: str, identifier: Any, driver_path: str, files: Surroundings) -> bool:
    """Whether a driver's reference leads to the tool: by its id, by the end of a registry's address, or by a path."""
    if reference == identifier or reference.endswith((f"/{identifier}", f"/{identifier}/TOOL.md")):
        return True
    return reference.endswith(".md") and Surroundings(driver_path).resolve(reference) == files.path


def linked_driver(path: str, driver: dict[str, Any]) -> LinkedDriver:
    """The id, the kind and the facts of a driver."""
    kind = driver.get("kind")
    if path.endswith("CLI.md"):
        kind = "cli"  # AIP-29: a CLI.md describes a program
    elif not isinstance(kind, str):
        kind = None
    return LinkedDriver(str(driver.get("id")), kind, {**warned_facts(driver), **_facts_of_driver(driver, kind)})


_SOURCES = {"mcp": "mcp", "http": "connector", "cli": "host-extension"}  # kind of driver -> hub field `source`


def _facts_of_driver(driver: dict[str, Any], kind: str | None) -> dict[str, Any]:
    """The facts that the keys of a driver state about its tools.

    >>> _facts_of_driver({"network": {"egress": []}, "auth": {"state": {"env": ["POST_TOKEN"]}}}, "mcp")
    {'source': 'mcp', 'network': False, 'auth_methods': (AuthMethod(type='token', env='POST_TOKEN'),)}
    """
    facts: dict[str, Any] = {}
    if kind in _SOURCES:
        facts["source"] = _SOURCES[kind]
    egress = _egress_of(driver)
    if egress:
        facts["hosts"] = tuple(egress)
    elif egress is not None and kind != "http":  # a driver of kind http uses the network, whatever its list says
        facts["network"] = False
    names = texts_at(mapping_at(mapping_at(driver, "auth"), "state"), "env")
    variables = [name for name in names if VARIABLE.match(name) and not holds_credential(name)]
    if variables:
        facts["auth_methods"] = tuple(
            replace(method_of_secret(variable), env=variable, description=None) for variable in variables
        )
    return facts


def _egress_of(driver: dict[str, Any]) -> list[str] | None:
    """The hosts that a driver reaches, by itself or in its sandbox (AIP-29); `None` where it states none.

    A value that cannot be read counts as any host.

    >>> _egress_of({"network": {"egress": ["a.example"]}}), _egress_of({"network": True}), _egress_of({})
    (['a.example'], ['*'], None)
    >>> _egress_of({"Network": {"Egress": ["a.example"]}}), _egress_of({"egress": "a.example"})
    (['a.example'], ['*'])
    >>> _egress_of({"sandbox": {"network": {"egress": ["b.example"]}}}), _egress_of({"egress": ["a"], "Egress": []})
    (['b.example'], ['a'])
    """
    stated: list[str] | None = None
    for place in (driver, *_values_under("sandbox", driver)):
        for network in (*_values_under("network", place), *_values_under("egress", place)):
            hosts = _hosts_of_value(network)
            if hosts is not None:
                stated = list(dict.fromkeys([*(stated or ()), *hosts]))
    return stated


def _values_under(letters: str, place: Any) -> list[Any]:
    """The values under a key in any spelling: `Egress` names hosts as well."""
    if not isinstance(place, dict):
        return []
    return [value for key, value in place.items() if letters_of(key) == letters]


def _hosts_of_value(network: Any) -> list[str] | None:
    """The hosts of a value under `network` or `egress`; `None` where it states none."""
    if network is False:
        return []
    lists = _values_under("egress", network) if isinstance(network, dict) else [network]
    if lists in ([], [None]):
        return None
    hosts: list[str] = []
    for egress in lists:
        hosts += egress if is_texts(egress) else ["*"]
    return hosts


_AGREED_FIELDS = ("source", "network")  # they count only if all drivers agree; of others the more dangerous value does


def with_facts_of_drivers(
    facts: Tool | None, data: dict[str, Any], drivers: tuple[LinkedDriver, ...], is_whole: bool
) -> Tool | None:
    """The facts of the action of a tool, joined with those of its drivers.

    Args:
        facts: those of its action.
        data: the front matter of the tool, with present keys.
        drivers: those that were found.
        is_whole: whether every file could be read, so that no driver was missed.
    """
    of_drivers: dict[str, Any] = {}
    for driver in drivers:
        of_drivers = join_facts(Tool(id="", **of_drivers), Tool(id="", **driver.facts))
    are_all_here = is_whole and data.get("default_implementation") in (None, "", *(driver.id for driver in drivers))
    for name in _AGREED_FIELDS:
        if not are_all_here or len({driver.facts.get(name) for driver in drivers}) > 1:
            of_drivers[name] = None
    if all(value is None for value in of_drivers.values()):
        return facts
    names = dict.fromkeys(driver.id for driver in drivers if driver.facts)
    of_all = Tool(id=", ".join(names), **of_drivers)
    if facts is None:
        return replace(of_all, implements=data.get("implements") or None)
    return replace(facts, id=f"{facts.id}, {of_all.id}", **join_facts(facts, of_all))


def find_missing_driver(data: dict[str, Any], files: Surroundings) -> Iterator[Finding]:
    """A finding where a tool names a driver that the repository does not have."""
    driver_id = with_present_keys(data).get("default_implementation")
    if not isinstance(driver_id, str) or not driver_id:
        return
    if any(implementation_files(driver_id, files)):
        return
    message = f"no DRIVER.md, CLI.md or CODE.md of the repository is {driver_id!r}; write one, or leave the key out"
    yield Finding("no-implementation", FORMAT.places.find(data, "default_implementation"), message)


def implementation_files(driver_id: Any, files: Surroundings) -> Iterator[str]:
    """The files of the repository that describe an implementation of tools with this id."""
    for kind, name in (("drivers", "DRIVER.md"), ("cli", "CLI.md"), ("code", "CODE.md")):
        yield from (path for path, driver in files.every(kind, name) if driver.get("id") == driver_id)


# -- a driver against its tools -------------------------------------------------------------------------------------


def find_faults_of_manifest(data: dict[str, Any], path: str | None) -> Iterator[Finding]:
    """The contradictions between a driver and the contracts of the tools that it runs."""
    if path is None:
        return
    files = Surroundings(path)
    for key in ("approval", "mutates"):
        if key in data:
            message = (
                f"`{key}` is a matter of the tool, whose TOOL.md says it; a driver cannot change it, so take it out"
            )
            yield Finding("driver-contract", f"/{key}", message)
    for index, entry in enumerate(list_at(data, "implements")):
        reference = stated_text(as_mapping(entry), "tool")
        if reference is None:
            continue  # the schema reports this
        place = f"/implements/{index}"
        tool = _read_tool(reference, files)
        if tool is not None:
            for finding in _compare_with_tool(data, entry, tool):
                yield replace(finding, pointer=place + finding.pointer)
        elif not reference.startswith("@"):
            is_path = reference.endswith(".md") or reference.startswith((".", "/"))
            if is_path:
                problem = "the repository has no such file"
            else:
                problem = "the repository has no tool of that id"
            yield Finding("no-such-tool", f"{place}/tool", f"{problem}: {reference}", None if is_path else "warning")


def _read_tool(reference: str, files: Surroundings) -> dict[str, Any] | None:
    """The front matter of the tool that a driver names; `None` where it is not found."""
    manifest = next((files.read(path) for path in tool_files(reference, files)), "")
    if not isinstance(manifest, dict):
        return None
    try:
        return with_present_keys(manifest)
    except ReadError:  # two spellings of a key contradict each other; `check` reports it for the tool
        return manifest


def tool_files(reference: str, files: Surroundings) -> Iterator[str]:
    """The files of the tool that a driver names, by a path or its id."""
    if reference.endswith(".md"):
        return filter(None, [files.resolve(reference)])
    return (path for path, tool in files.every("tools", "TOOL.md") if tool.get("id") == reference)


def _compare_with_tool(driver: dict[str, Any], entry: dict[str, Any], tool: dict[str, Any]) -> Iterator[Finding]:
    """The contradictions between a driver and one tool, with pointers into its `entry` for the tool."""
    identifier, range_, version = tool.get("id"), entry.get("version"), tool.get("version")
    if isinstance(range_, str) and isinstance(version, str):
        is_allowed = allows(range_, version)
        if is_allowed is None:
            yield Finding("bad-range", "/version", f"{range_!r} is no range of versions, such as ^1.2.0")
        elif not is_allowed:
            message = f"{identifier} has version {version}, which {range_} does not hold; look at what changed"
            yield Finding("version-range", "/version", message)
    kind = driver.get("kind")
    if kind in KINDS and kind not in allowed_kinds(tool.get("driver_constraints")):
        message = f"{identifier} does not allow a driver of kind {kind}"
        yield Finding("driver-kind", "/tool", message)
    yield from _find_wrong_narrowing(entry.get("schema_narrowing"), tool)
    missing_hosts = _missing_hosts(driver, tool)
    if missing_hosts:
        hosts = join_values(missing_hosts, ", ")
        message = f"{identifier} needs {hosts}, and a driver cannot take that back; add it to the egress"
        yield Finding("driver-network", "/tool", message)
    timeout = entry.get("timeout_override_ms", driver.get("timeout_override_ms"))
    ceiling = tool.get("timeout_ms", DEFAULT_TIMEOUT)
    are_numbers = has_type(timeout, ["number"]) and has_type(ceiling, ["number"])
    if are_numbers and timeout > ceiling:
        message = f"{identifier} is over after {ceiling} ms; a driver may give up earlier, but not after {timeout}"
        place = "/timeout_override_ms" if "timeout_override_ms" in entry else "/tool"
        yield Finding("driver-timeout", place, message)


def _missing_hosts(driver: dict[str, Any], tool: dict[str, Any]) -> list[str]:
    """The hosts that a tool needs and that the egress of its driver, where there is one, leaves out.

    A pattern among the needs is passed over: each driver may reach other hosts of it.
    """
    if not isinstance(value_at(driver, "/network/egress"), list):
        return []
    reached = dict.fromkeys(_egress_of(driver) or ())  # a dict, because a tool may need thousands of hosts
    patterns = list(islice(filter(_WILD.search, reached), _MOST_PATTERNS))
    needed = [host for host in texts_at(mapping_at(tool, "requires"), "network") if "*" not in host]
    return [
        host for host in needed if host not in reached and not any(fnmatchcase(host, pattern) for pattern in patterns)
    ]


def allowed_kinds(constraints: Any) -> list[str]:
    """The kinds of driver that a tool does not rule out.

    >>> allowed_kinds({"forbid": ["cli", "mcp"], "require_kind": ["cli", "http"]})
    ['http']
    """
    required = texts_at(as_mapping(constraints), "require_kind") or KINDS
    forbidden = texts_at(as_mapping(constraints), "forbid")
    return [kind for kind in KINDS if kind in required and kind not in forbidden]


def _find_wrong_narrowing(narrowing: Any, tool: dict[str, Any]) -> Iterator[Finding]:
    """Findings for the inputs and outputs that a driver drops, although the tool lacks them or requires them."""
    if not isinstance(narrowing, dict):
        return
    for side in ("inputs", "outputs"):
        key = f"drop_{side}"
        schema, names = tool.get(side), narrowing.get(key)
        if not isinstance(schema, dict) or not isinstance(names, list):
            continue
        properties, required = schema.get("properties"), schema.get("required")
        for index, name in enumerate(names):
            place = f"/schema_narrowing/{key}/{index}"
            if not isinstance(properties, dict) or name not in properties:
                message = f"{tool.get('id')} has no {name!r} among its {side}"
                yield Finding("narrowing-unknown", place, message)
            elif isinstance(required, list) and name in required:
                message = f"{name!r} is required among the {side} of {tool.get('id')}; a driver cannot leave it out"
                yield Finding("narrowing-required", place, message)
