"""What fitting a schema gives: the schema, what was done to it, and the way of arguments there and back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from toolglot.fitting.argument_codec import Codec, inexpressible, means_the_same
from toolglot.schema.fitting_steps import Step
from toolglot.schema.validity import make_acceptor


class Fitted:
    """A schema that a provider accepts.

    Attributes:
        schema: plain JSON Schema 2020-12; `None` where the provider wants no schema for a tool without parameters.
        steps: what was changed on the way.
        codec: the way of arguments there and back.
        null_defaults: keys under which null says the same as nothing.
    """

    def __init__(
        self,
        schema: dict[str, Any] | None,
        steps: tuple[Step, ...],
        codec: Codec,
        null_defaults: Collection[str] = (),
    ) -> None:
        self.schema = schema
        self.steps = steps
        self.codec = codec
        self.null_defaults = frozenset(null_defaults)
        self._accepts = make_acceptor(schema or {}, schema or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it is made from: what accepts is a compiled function."""
        return Fitted, (self.schema, self.steps, self.codec, self.null_defaults)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same schema, made in the same steps; the codec follows from them."""
        if not isinstance(other, Fitted):
            return NotImplemented
        mine = self.schema, self.steps, self.null_defaults
        return mine == (other.schema, other.steps, other.null_defaults)

    def __hash__(self) -> int:
        return hash((len(self.steps), self.null_defaults))

    def encode(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """What a model would send for arguments that the source schema accepts.

        Raises:
            FitError: they cannot be said (code `not-expressible`); a `narrowed` step says so too.
        """
        try:
            encoded_arguments: dict[str, Any] = self.codec.encode(arguments, {})
            if not self._accepts(encoded_arguments) or not means_the_same(
                self.codec.decode(encoded_arguments), arguments, self.null_defaults
            ):
                raise inexpressible("", "the arguments go beyond what the provider accepts")
        except RecursionError:
            raise inexpressible("", "the arguments are nested too deeply") from None
        return encoded_arguments

    def decode(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """What the tool accepts for the arguments that a model sent.

        Raises:
            FitError: they have no one meaning (code `ambiguous-arguments`).
        """
        decoded_arguments: dict[str, Any] = self.codec.decode(arguments)
        return decoded_arguments
