"""The formats: one folder each, found by walking this one.

To add a format, put one folder here with a module `format.py` that ends in a value `FORMAT = Format(...)`, and a module
`detection.py` with its `MARKS = Marks(...)`, which is loaded to detect documents of any format. The name of the folder,
with `-` for `_`, is the format's name. Add its canonical schemas in `schemas/<name>/` and its fixtures (`make accept`
says which); the tests, the tables in `docs/`, `--help` and the file patterns follow by themselves. Other packages add
formats by an entry point in the group `toolglot.formats` whose value is a `Format`, with `schemas` as the folder of its
schemas; `fixtures/examples/tool-card/` is one.

    contract    what a format declares: `Format`, and the records for its optional parts
    records     the values that the functions of a format take and return
    registry    the formats by their names
    detection   which format a document has, and documents that only look like tool descriptions
    editor_schemas
                schemas for editors: their published addresses, and which files have which schema
    kit         what several formats share

In the folder of a format, as far as it needs them:

    detection   how its documents are recognised
    format      its reader and its writer, and `FORMAT`
    versions    its versions, and which of them a record is written in
    migration   how a record is brought to another version
    provider_limits
                what a provider accepts: its names, keywords and sizes, a row for each profile
    calls       how a provider's models call tools, and how results go back to them
    rules       its own checks, and what their findings mean
    definitions how programs state its tools in code

>>> get("atdf").title
'Agent Tool Description Format'
"""

from __future__ import annotations

from toolglot.converter.formats.contract import (
    CLAIMS_IN_TEXTS,
    Checks,
    Claim,
    Definitions,
    DocumentTest,
    ExtensionSlot,
    Format,
    LookAlike,
    Manifest,
    Marks,
    MigrationRules,
    Provider,
    ScopedIds,
    Spelling,
    has_keys,
)
from toolglot.converter.formats.kit.places import Places
from toolglot.converter.formats.records import (
    NO_CONTAINER,
    CompanionFile,
    Container,
    Finding,
    LinkedDriver,
    LinkedFacts,
    MigratedRecord,
    MigrationRequest,
    Omission,
    Record,
    in_namespace,
    is_short_text,
)
from toolglot.converter.formats.registry import (
    every,
    file_stem,
    find,
    find_similar,
    get,
    marks_of,
    names,
    parse_provider,
    parse_source,
    parse_target,
    request_of,
    target_of,
    targets,
)

__all__ = [
    "CLAIMS_IN_TEXTS",
    "NO_CONTAINER",
    "Checks",
    "Claim",
    "CompanionFile",
    "Container",
    "Definitions",
    "DocumentTest",
    "ExtensionSlot",
    "Finding",
    "Format",
    "LinkedDriver",
    "LinkedFacts",
    "LookAlike",
    "Manifest",
    "Marks",
    "MigratedRecord",
    "MigrationRequest",
    "MigrationRules",
    "Omission",
    "Places",
    "Provider",
    "Record",
    "ScopedIds",
    "Spelling",
    "every",
    "file_stem",
    "find",
    "find_similar",
    "get",
    "has_keys",
    "in_namespace",
    "is_short_text",
    "marks_of",
    "names",
    "parse_provider",
    "parse_source",
    "parse_target",
    "request_of",
    "target_of",
    "targets",
]
