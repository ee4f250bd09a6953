"""The shape of the package: imports run one way, and no format's name is known outside the formats."""

from __future__ import annotations

import ast
import gc
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot import errors
from toolglot.cli import late_modules
from toolglot.cli.late_modules import LateModule
from toolglot.converter import formats
from toolglot.converter.hub import model
from toolglot.converter.schema import canonical
from toolglot.converter.schema.keywords import ANNOTATIONS, ASSERTIONS

PACKAGE = Path(toolglot.__file__).parent
FORMATS = PACKAGE / "converter" / "formats"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))

# A room imports only from layers before its own; `docs/internals/architecture.md` shows them in this order.
GROUPS = {
    "converter": (
        {"hub"}, {"safety"}, {"text"}, {"files", "schema"}, {"file_search", "fitting"}, {"formats"}, {"conversion"},
    ),
    "verbs": ({"tokens"}, {"cards", "diagnostics"}, {"catalogs", "comparison", "migration"}, {"streams"}),
    "runtime": (
        {"agent", "inventory"}, {"programs"}, {"bridge"}, {"functions", "servers"}, {"adapters"}, {"editor", "serving"},
    ),
}  # fmt: skip
PUBLIC = {"adapters", "agent", "bridge", "formats", "functions", "serving", "streams"}  # modules of names for others
LAYERS = (
    {"errors", "regexes", "signals"},
    {"extras", "option_checks"},
    *({f"{group}.{room}" for room in layer} for group, layers in GROUPS.items() for layer in layers),
    PUBLIC,
    {"cli"},
    {"__main__"},
)
LAYER_OF = {name: index for index, layer in enumerate(LAYERS) for name in layer}


def room_of(module: str) -> str:
    """The room of a module of ours, as `LAYERS` names it."""
    first, *rest = module.split(".")[1:]
    return f"{first}.{rest[0]}" if first in GROUPS else first


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Of the whole tree; to walk it takes as long as to parse it, and several rules do."""
    found: list[ast.AST] = [tree_of(path)]
    for node in found:  # `ast.walk` takes twice as long: it asks each node for its fields by their names
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, ast.AST)]
    return found


@pytest.fixture(scope="module", autouse=True)
def forget_trees() -> Iterator[None]:
    """They are a hundred megabytes, which every look for garbage and every later fork would pass through."""
    gc.disable()
    yield
    gc.enable()
    tree_of.cache_clear()
    nodes_of.cache_clear()


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in nodes_of(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "toolglot":
            names = [f"toolglot.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {room_of(name) for name in names if name.startswith("toolglot.")}
    return found


@for_each("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    if path == PACKAGE / "__init__.py" or path.parent.name in GROUPS:
        return  # the public names, imported on first use; and what a group lists
    own = room_of(module_name(path))
    assert own in LAYER_OF, f"{own} is in no layer"
    others = imported(path) - {own}
    upward = {name for name in others if LAYER_OF.get(name, -1) >= LAYER_OF[own]}
    assert not upward, f"{own} imports {sorted(upward)}, which stand beside it or above it"


def test_reading_does_not_know_writing() -> None:
    source = (PACKAGE / "converter" / "conversion" / "reading.py").read_text(encoding="utf-8")
    for name in ("writing", "offers", "slots", "sources", "pipeline"):
        assert f"toolglot.converter.conversion.{name} import" not in source


WRITING = {"_write", "put", "render_body"} | {f"{how}_description" for how in ("join", "limited", "brief", "divide")}


@for_each("path", sorted(FORMATS.glob("*/format.py")), ids=lambda path: path.parent.name)
def test_a_reader_calls_no_writer(path: Path) -> None:
    functions = {node.name: node for node in tree_of(path).body if isinstance(node, ast.FunctionDef)}
    reached, ahead = set[str](), {"_read"}
    while ahead:
        name = ahead.pop()
        reached.add(name)
        nodes = ast.walk(functions[name]) if name in functions else ()
        ahead |= {node.id for node in nodes if isinstance(node, ast.Name)} - reached
    assert "_read" in functions
    assert not reached & WRITING


# -- golden files ------------------------------------------------------------------------------------------------

WRITERS = {"ACCEPT", "same_file", "same_folder", "same_table"}
TESTS = [
    path
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if re.search("^from golden import .*(ACCEPT|same_)", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@for_each("path", TESTS, ids=lambda path: path.name)
def test_what_writes_golden_files_is_marked(path: Path) -> None:
    """`make accept` runs the tests with the mark, and no other."""
    for function in tree_of(path).body:
        if isinstance(function, ast.FunctionDef):
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            is_marked = any("pytest.mark.golden" in ast.unparse(decorator) for decorator in function.decorator_list)
            assert bool(names & WRITERS) == is_marked, function.name


# -- imports inside functions -----------------------------------------------------------------------------------


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


BY_NAME = {module_name(path): path for path in MODULES}
NAMES = frozenset(BY_NAME)  # what a set has in common with one is found faster than with the keys of a dict


def modules_named(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules of ours that a statement imports."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & NAMES
    inner = {f"{node.module}.{alias.name}" for alias in node.names}
    outer = {node.module or ""} if inner - NAMES else set()
    return (inner | outer) & NAMES


@cache
def loaded_with(name: str) -> frozenset[str]:
    """The modules of ours that are imported when one is: the packages around it, and what stands at the top of each."""
    loaded, waiting = set(), [name]
    while waiting:
        module = waiting.pop()
        if module in loaded:
            continue
        loaded.add(module)
        waiting += [module.rpartition(".")[0]] if "." in module else []
        for statement in tree_of(BY_NAME[module]).body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                waiting += modules_named(statement)
    return frozenset(loaded)


@for_each("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_an_import_inside_a_function_puts_something_off(path: Path) -> None:
    name, early = module_name(path), set()
    if not {node for node in nodes_of(path) if isinstance(node, ast.Import | ast.ImportFrom)} - {*tree_of(path).body}:
        return  # all of them stand at the top, and there are many functions to look into
    for function in nodes_of(path):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in ast.walk(function):
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    early |= modules_named(statement) & loaded_with(name)
    assert not {other for other in early if name not in loaded_with(other)}, "loaded already: import it at the top"


def test_what_carries_out_a_command_takes_what_it_is_given() -> None:
    """It is imported by its name, so that no type checker looks at the call."""
    calls: list[ast.Call] = []
    for path in sorted((PACKAGE / "cli").glob("command*/[!_]*.py")):
        nodes = (node for node in nodes_of(path) if isinstance(node, ast.Call))
        calls += [node for node in nodes if ast.unparse(node.func) in ("carry_out", "options.done_by")]
    assert calls
    for node in calls:
        name = ast.literal_eval(node.args[0])
        signature = inspect.signature(getattr(import_module(f"toolglot.cli.commands.{name}"), name))
        keywords = {keyword.arg: None for keyword in node.keywords if keyword.arg}
        signature.bind_partial(*node.args[1:], **keywords)


@for_each("name", sorted(name for name in BY_NAME if name.startswith("toolglot.cli.command_options.")))
def test_what_is_declared_late_is_late(name: str) -> None:
    """A module that commands use as `late_modules` has it is not imported with the declaration of a command."""
    late = {value._name for value in vars(late_modules).values() if isinstance(value, LateModule)}
    assert late <= NAMES
    assert not loaded_with(name) & late


@for_each("name", ("toolglot.converter.conversion.pipeline", "toolglot.cli.commands.convert_sources"))
def test_a_conversion_needs_nothing_of_one_system(name: str) -> None:
    assert "toolglot.converter.files.system" not in loaded_with(name)


READERS_AND_WRITERS = {module_name(path) for path in MODULES if path.name == "format.py"}


@for_each("name", formats.names())
def test_detection_loads_no_format(name: str) -> None:
    assert not loaded_with(f"toolglot.converter.formats.{name.replace('-', '_')}.detection") & READERS_AND_WRITERS


# -- doors ------------------------------------------------------------------------------------------------------

# Packages that list their modules in their docstrings: all but the folders of formats, which `formats` describes once,
# and the two of commands, whose modules are called like these.
DOORS_WITH_LISTS = [
    path.parent
    for path in MODULES
    if path.name == "__init__.py"
    and path.parent not in (PACKAGE, PACKAGE / "cli" / "commands", PACKAGE / "cli" / "command_options")
    and not (path.parent / "format.py").exists()
]
# Rooms of verbs, and of what verbs are made of: their first line says where one enters.
ENTERED = (
    "converter/conversion", "converter/fitting", "converter/text", "runtime/bridge", "runtime/editor",
    "runtime/functions", "runtime/inventory", "runtime/programs", "runtime/servers", "verbs/cards", "verbs/catalogs",
    "verbs/comparison", "verbs/diagnostics", "verbs/migration", "verbs/streams", "verbs/tokens",
)  # fmt: skip
LISTED = re.compile(r"^ *([a-z0-9_]+(?:, [a-z0-9_]+)*)(?:/?  +\S|$)", re.MULTILINE)


def door_of(folder: Path) -> str:
    return ast.get_docstring(tree_of(folder / "__init__.py")) or ""


def modules_of(folder: Path) -> set[str]:
    """The modules and packages directly in a folder, without the folders of formats."""
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    if folder.name == "formats":
        packages -= {path.parent.name for path in folder.glob("*/format.py")}
    return packages | {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


@for_each("folder", DOORS_WITH_LISTS, ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_a_room_lists_its_modules_at_the_door(folder: Path) -> None:
    listed = {name for line in LISTED.findall(door_of(folder)) for name in line.split(", ")}
    there = {path.stem for path in folder.rglob("*.py")} | {path.name for path in folder.rglob("*") if path.is_dir()}
    missing = {name for name in modules_of(folder) - listed if f"`{name}`" not in door_of(folder)}
    assert not missing, "a line each in the docstring of the room"
    assert listed <= there, "the docstring of the room lists what is gone"


@for_each("room", ENTERED)
def test_the_first_line_of_a_room_says_where_one_enters(room: str) -> None:
    entries = re.findall(r"`(\w+)\.(\w+)`", door_of(PACKAGE / room).partition("\n")[0])
    assert entries
    for module, name in entries:
        assert hasattr(import_module(f"toolglot.{room.replace('/', '.')}.{module}"), name)


CAMEL_CASE = re.compile(r"[A-Z]\w*[a-z]\w*")


def types_in(path: Path) -> Iterator[str]:
    """The names of the classes of a module, and of its aliases of types."""
    yield from (node.name for node in nodes_of(path) if isinstance(node, ast.ClassDef))
    for node in tree_of(path).body:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name) and CAMEL_CASE.match(target.id))


def test_no_type_has_the_name_of_another() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for name in types_in(path):
            homes[name.removeprefix("_")].append(path.relative_to(PACKAGE).as_posix())
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


# -- names and words of formats ---------------------------------------------------------------------------------


# Rooms that speak a format's protocol, beside its folder, which only reads and writes.
SPEAKERS = {
    "adapters.py": "mcp",
    "runtime/servers": "mcp",
    "runtime/serving/catalog": "tool-descriptor",
    "runtime/serving/session_log.py": "tool-descriptor",
    "runtime/serving/protocol": "mcp",
}


def owner(path: Path) -> str | None:
    """The format in whose folder a module stands, or whose protocol its room speaks."""
    for room, spoken in SPEAKERS.items():
        if path.is_relative_to(PACKAGE / room):
            return spoken
    if not path.is_relative_to(FORMATS):
        return None
    name = path.relative_to(FORMATS).parts[0].replace("_", "-")
    return name if name in formats.names() else None


# Names of formats that are also words of the language. One is the code of errors about the command line as well.
PLAIN_WORDS = {"hub": r"[\"']hub[\"']", "usage": r"(?:\(|[=!]= |in \(|origin=|format=)[\"']usage[\"']"}


@for_each("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_format_is_named_outside_its_folder(path: Path) -> None:
    if owner(path) is not None:
        return  # formats name each other where they are alike
    code = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)  # docstrings give examples
    code = re.sub(r"load_package\([^()]*\)", "", code)  # packages may be called like a format
    code = re.sub(r"\b\w+\\?\.json\b", "", code)  # and so may files of hosts
    for name in formats.names():
        quoted = PLAIN_WORDS.get(name, rf"\b{name}\b")  # a search for a word takes fifty times as long as `in`
        assert name not in code or not re.search(quoted, code), f"{path.name} knows {name}"


# A word that can only be meant: `inputSchema`, `host-extension`, `tool_use`. A plain one, such as `commands`, is no
# format's own.
COMPOUND = re.compile(r"[a-z0-9]+([A-Z][a-z0-9]+)+|[a-zA-Z0-9]+([-_][a-zA-Z0-9]+)+")
# Which of two formats with records of one shape a document has, a key of the other one tells. Modules that take such
# documents apart, and the keys that they know:
TOLD_APART = {
    "kit/definition_containers.py": {"input_schema", "parametersJsonSchema", "parameters_json_schema"},
    "mcp/containers.py": {"input_schema", "output_schema"},
    "mcp/detection.py": {"input_schema", "parametersJsonSchema", "toolId", "tool_id", "how_to_use"},
    "mcp/inputs.py": {"input_schema"},  # as the protocol's library for Python spells it too
    "mcp/format.py": {"input_schema"},  # as the protocol's library for Python spells it too
    "mcp/rules.py": {"input_schema"},  # as the protocol's library for Python spells it too
    "openai/detection.py": {"input_schema"},
    "anthropic/detection.py": {"output_schema"},
}
# Words that two formats have, of whom one has them where its schemas look at nothing: in calls, in data of vendors.
UNCHECKED = {
    "a2a/format.py": {"securitySchemes"},
    "gemini/calls.py": {"mimeType"},
    "mcp/access.py": {"securitySchemes"},
}


def words_of(schema: Any) -> Iterator[str]:
    """The keys and values that a schema names."""
    if isinstance(schema, list):
        for item in schema:
            yield from words_of(item)
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            yield from value
        elif keyword == "enum" and isinstance(value, list):
            yield from (word for word in value if isinstance(word, str))
        elif keyword == "const" and isinstance(value, str):
            yield value
        yield from words_of(value)


def descriptions_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from (text for key, text in schema.items() if key == "description" and isinstance(text, str))
        schema = list(schema.values())
    if isinstance(schema, list):
        for item in schema:
            yield from descriptions_of(item)


def vocabulary() -> dict[str, str]:
    """The compound words that the schemas of exactly one format have, each with that format.

    Keywords of JSON Schema are no format's, and the hub's words are those of its schema and of its descriptions.
    """
    schemas = {name: [canonical.load(schema) for schema in canonical.names(name)] for name in formats.names()}
    owners: dict[str, set[str]] = defaultdict(set)
    for name, loaded in schemas.items():
        for word in words_of(loaded):
            owners[word].add(name)
    everyones = {*ANNOTATIONS, *ASSERTIONS, *re.findall(r"[\w-]+", " ".join(descriptions_of(schemas["hub"])))}
    return {
        word: min(names)
        for word, names in owners.items()
        if len(names) == 1 and "hub" not in names and COMPOUND.fullmatch(word) and word not in everyones
    }


def quoted_words(path: Path) -> set[str]:
    """What the code of a module quotes, and the parts of what is a JSON Pointer; docstrings give examples."""
    docstrings = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            parts = node.value.split("/") if node.value.startswith("/") else [node.value]
            found.update(parts)
    return found


def test_no_word_of_a_format_is_quoted_outside_its_folder() -> None:
    owners = vocabulary()
    assert {"readOnlyHint", "how_to_use", "input_schema"} <= owners.keys()
    strangers = {}
    for path in MODULES:
        words = {word for word in quoted_words(path) & owners.keys() if owners[word] != owner(path)}
        if words:
            strangers[path.relative_to(FORMATS if path.is_relative_to(FORMATS) else PACKAGE).as_posix()] = words
    assert strangers == TOLD_APART | UNCHECKED


def test_the_parts_of_the_hub_and_their_schemas_have_the_same_fields() -> None:
    parts = {
        "binding": model.Binding,
        "error": model.ErrorCode,
        "example": model.Example,
        "authMethod": model.AuthMethod,
    }
    for name, record in parts.items():
        assert set(canonical.load("hub/1")["$defs"][name]["properties"]) == set(record.__struct_fields__)


def test_every_error_is_drawn_in_the_tree() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, errors.Error)]
    for found in classes:
        assert found.__name__ in (errors.__doc__ or "")


def test_every_public_name_can_be_imported() -> None:
    for name in toolglot.__all__:
        assert getattr(toolglot, name) is not None
    assert set(toolglot.__all__) <= set(dir(toolglot))
    functions = {name for name in toolglot.__all__ if inspect.isfunction(getattr(toolglot, name))}
    assert {name for name in functions if f"`{name}`" not in (toolglot.__doc__ or "")} == set()


def test_a_type_checker_knows_no_name_that_is_not_there() -> None:
    for path in MODULES:
        functions = [node.name for node in tree_of(path).body if isinstance(node, ast.FunctionDef)]
        assert "__getattr__" not in functions, path


@for_each("name", formats.names())
def test_a_format_declares_what_exists(name: str) -> None:
    found = formats.get(name)
    assert found.holds <= set(model.Tool.__struct_fields__)
    for version in (*map(found.described_by, found.versions), canonical.READING):
        assert canonical.load(f"{name}/{version}")["$id"].endswith(f"{version}.schema.json")
    assert set(found.writes) <= set(found.versions)
    assert found.marks is formats.marks_of(name)
    assert found.marks.patterns
    assert found.tree == (found.places.child is not formats.Places().child)
