"""The one way to the validators of any schema, which fetch nothing; tests of values by a part of a larger schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.keywords import expand_boolean_schema
from toolglot.converter.text.pointers import without_keys

HERE = "toolglot:///"  # the address of a schema in its registry


def make_acceptor(schema: Any, around: Mapping[str, Any]) -> Callable[[Any], bool]:
    """A test of values by `schema`, compiled when it is first used.

    Args:
        around: what `schema` refers to, by the references, read when the test is first used, because it may not be
            complete before; or `schema` itself where it refers to nothing else.

    >>> accepts = make_acceptor({"$ref": "#/$defs/part"}, {"#/$defs/part": {"type": "string"}})
    >>> accepts("a"), accepts(1)
    (True, False)
    """
    validators: list[Any] = []

    def accepts(value: Any) -> bool:
        if not validators:
            validators.append(_compile(schema, around))
        try:
            return validators[0] is None or bool(validators[0].is_valid(value))
        except ValueError:  # deeper than the validator walks, or a pattern that took too many steps
            return True

    return accepts


def _compile(schema: Any, around: Mapping[str, Any]) -> Any:
    try:
        if schema is around:  # nothing in it leads anywhere else
            return validator(schema)
        definitions = {reference.removeprefix("#/$defs/"): definition for reference, definition in around.items()}
        root = expand_boolean_schema(definitions.pop("#", {}))
        name = free_name("part", definitions, Counter())
        place = registry({**root, "$defs": {**definitions, name: schema}})
        return validator({"$ref": f"{HERE}#/$defs/{name}"}, registry=place)
    except (ValueError, TypeError):
        return None


def validator(schema: Any, any_draft: bool = False, **options: Any) -> Any:
    """A compiled validator that fetches nothing: by itself the library would open `http:` and `file:` references.

    Args:
        any_draft: read the schema by the draft that its `$schema` names; otherwise as 2020-12.
        **options: as for the validators of `jsonschema_rs`.

    Raises:
        ValueError: the schema cannot be compiled.
    """
    import jsonschema_rs  # 11 ms that most schemas do not need

    kind: Any = jsonschema_rs.Draft202012Validator
    if any_draft:
        kind = jsonschema_rs.validator_cls_for(schema)
        schema = without_keys(schema, "$schema")
    return kind(schema, retriever=_refuse, **options)


def registry(schema: Any) -> Any:
    """A schema under the address `HERE`, for validators of its parts; as `validator`, it fetches nothing."""
    import jsonschema_rs

    return jsonschema_rs.Registry([(HERE, schema)], draft=jsonschema_rs.Draft202012, retriever=_refuse)


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")
