"""One loop between a model and tools: offer them, judge the calls of a response, run them, answer.

What happens to a call is written once, as coroutines. `handle_async` awaits them; `handle` runs them to their end,
where they have nothing to wait for, because it lets neither the runner nor `approve` be asynchronous.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterable, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar, Unpack

from toolglot.bridge import (
    Policy,
    ToolCall,
    ToolCallBuilder,
    Validator,
    Violation,
    argv,
    parse_tool_calls,
    tool_results,
)
from toolglot.bridge.compilation import CommandCall, Compiled, compile
from toolglot.bridge.failures import failure_in, failure_of
from toolglot.bridge.permission import approval_reasons, name_place, refuse_violations
from toolglot.conversion.options import CompileOptions
from toolglot.errors import Error, ToolFailure, UsageError
from toolglot.hub.calls import Content
from toolglot.hub.model import Leaf, Tool
from toolglot.schema.arguments import Schema
from toolglot.text.serialization import DEFAULT_LIMITS


class _InvocationFields(NamedTuple):
    call: ToolCall
    leaf: Leaf
    arguments: dict[str, Any]
    context: Any = None
    advice: tuple[Violation, ...] = ()


class Invocation(_InvocationFields, CommandCall):
    """A call that was decoded and judged, as what runs tools gets it.

    Attributes:
        call: as the model sent it.
        leaf: the command, with its program.
        arguments: those that the command accepts.
        context: what the host adds, for a tool that asks for it; no model sees it.
        advice: what does not speak against the call, but whoever runs it should know.
    """

    __slots__ = ()

    def argv(self, host: Mapping[str, Any] | None = None) -> list[str]:
        """The call as a command line; `toolglot.bridge.argv` says how."""
        return argv(self.leaf, self.arguments, host=host)


_Outcome = TypeVar("_Outcome")
Runner = Callable[[Invocation], Any]
Approve = Callable[[Invocation, tuple[str, ...]], bool | Awaitable[bool]]


class CallLog(Protocol):
    """What writes calls down, such as `toolglot.serving.session_log.SessionLog`."""

    def call(self, tool_id: str) -> AbstractContextManager[None]:
        """A context in which a tool is called; what is raised in it is how the call failed."""


class Session:
    """Tools that are offered to a model, and everything between its calls and their results.

    Args:
        tools: as for `toolglot.compile`, or what it returned.
        provider: `FORMAT` or `FORMAT@VERSION`.
        runner: runs one `Invocation` and returns its result: text, JSON data, or the result of an MCP tool. What it
            raises is told to the model as a failure, with AIP-14's codes; `ToolFailure` says which.
        policy: a `Policy`, its JSON, or a `Validator` for rules about trust, paths and delegation too. Nothing runs
            that it refuses. `None`, or a `Validator` without a policy: what is, or is not known not to be,
            destructive, irreversible, deleting, executing or billable needs approval.
        approve: asked with the `Invocation` and the reasons; only `True` approves. Tools that say that they need
            approval are asked about with and without a policy. `None`: whatever would be asked about is refused.
        context: what the host adds to the calls of tools that have a `contextSchema`, which it has to satisfy.
        log: told of every call of a tool that is offered, by the name of that; of what is asked and answered it is
            told nothing.
        options: further arguments of `toolglot.compile`, such as `strict=True`; none for tools that were compiled.

    Attributes:
        definitions: what the vendor's client takes as `tools`.
        compiled: the same with the way back.

    Raises:
        UsageError: as for `compile` and `Validator`; the tools were compiled already and cannot take the options (code
            `bad-option`); the validator was made of others (`other-tools`); or the context does not satisfy a tool
            (`bad-context`).

    >>> ls = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
    >>> session = Session(ls, "anthropic", runner=lambda call: "a.txt")
    >>> response = {"content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}
    >>> session.handle(response)[0]["content"][0]["content"]
    'a.txt'
    """

    def __init__(
        self,
        tools: Tool | Iterable[Tool] | Compiled,
        provider: str,
        *,
        runner: Runner,
        policy: Policy | Mapping[str, Any] | Validator | None = None,
        approve: Approve | None = None,
        context: Mapping[str, Any] | None = None,
        log: CallLog | None = None,
        **options: Unpack[CompileOptions],
    ) -> None:
        if isinstance(tools, Compiled):
            self.compiled = tools
        else:
            self.compiled = compile(tools, provider, **options)
        if self.compiled.provider != provider:
            message = f"the tools were compiled for {self.compiled.provider}, not for {provider}"
            raise UsageError(message, code="bad-option")
        if tools is self.compiled and options:  # left alone, `read_only=True` would look like a promise
            message = f"the tools were compiled already; give {', '.join(options)} to compile"
            raise UsageError(message, code="bad-option")
        if context is not None and not isinstance(context, Mapping):
            raise UsageError(f"expected a context as an object, found {type(context).__name__}", code="bad-context")
        self.definitions = self.compiled.request
        if isinstance(policy, Validator):
            self._validator = policy
        else:
            self._validator = Validator(self.compiled, policy)
        if not self._validator.judges(self.compiled):
            message = (
                "the validator was made of other tools; make it of what compile returned, and give the session that"
            )
            raise UsageError(message, code="other-tools")
        self._asks_about_effects = not self._validator.has_policy
        self._runner = runner
        self._approve = approve
        self._context = context
        self._log = log
        for exposed in self.compiled.offers.values():
            for leaf in exposed.behind:
                self._context_of(leaf)

    def handle(self, response: Any) -> list[Any]:
        """Carry out what a model asks for, one call after the other.

        Args:
            response: a whole response, as JSON data or as the object of the vendor's client; or its stream, whose
                calls run when it has ended.

        Returns:
            The messages to append, after the model's own turn, which goes into the history as it came. Empty where
            the model called no tool, and so has finished. Every call is answered: what cannot run, or may not, with
            the reason.

        Raises:
            CallError: the response is not the provider's, or failed, so that nothing ran.
            UsageError: the runner or `approve` is asynchronous; use `handle_async`.
        """
        return _run_at_once(self._messages(self._calls(response), waits=False))

    async def handle_async(self, response: Any) -> list[Any]:
        """The same where the runner or `approve` may be asynchronous, and the stream too."""
        if isinstance(response, AsyncIterable):
            response = [event async for event in response]
        return await self._messages(self._calls(response), waits=True)

    def call(self, name: str, arguments: Any) -> Any:
        """Carry out one call that something else took from a model, such as an agent framework.

        Args:
            name: as in `definitions`.
            arguments: as the model sent them.

        Returns:
            What the runner returned.

        Raises:
            ToolFailure: the call cannot run, or may not, or the runner failed.
            UsageError: the runner or `approve` is asynchronous; use `call_async`.

        >>> ls = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
        >>> Session(ls, "anthropic", runner=lambda call: "a.txt").call("ls", {})
        'a.txt'
        """
        return _run_at_once(self._result(ToolCall(name, name, arguments), waits=False))

    async def call_async(self, name: str, arguments: Any) -> Any:
        """The same where the runner or `approve` may be asynchronous."""
        return await self._result(ToolCall(name, name, arguments), waits=True)

    def questions(self, name: str) -> tuple[str, ...]:
        """Why a person is asked before what is offered under a name runs; empty where nobody is.

        Raises:
            KeyError: nothing is offered under that name.

        >>> Session(Tool(id="rm", approval="always"), "anthropic", policy={}, runner=print).questions("rm")
        ('it says that it needs approval',)
        """
        questions: dict[str, None] = {}
        for leaf in self.compiled.offers[name].behind:
            questions.update(dict.fromkeys(approval_reasons(leaf.tool, self._asks_about_effects)))
        return tuple(questions)

    def _calls(self, response: Any) -> list[ToolCall]:
        if not _is_stream(response):
            return parse_tool_calls(self.compiled.provider, response, self.compiled)
        builder = ToolCallBuilder(self.compiled.provider, self.compiled)
        calls = [call for event in response for call in builder.feed(event)]
        return [*calls, *builder.finish()]

    # -- what happens to a call ---------------------------------------------------------------------------------

    async def _messages(self, calls: Iterable[ToolCall], waits: bool) -> list[Any]:
        answers = [(call._replace(error=None), await self._answer(call, waits)) for call in calls]
        return tool_results(self.compiled.provider, answers)  # what is wrong with a call is its answer

    async def _answer(self, call: ToolCall, waits: bool) -> Any:
        """The result of a call, or why there is none."""
        try:
            return await self._result(call, waits)
        except ToolFailure as failure:
            envelope = failure.envelope
            text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
            return Content((text,), failed=True, envelope=envelope)

    async def _result(self, call: ToolCall, waits: bool) -> Any:
        # The name of what is not offered is a model's own words, which no log is to hold.
        if self._log is None or call.name not in self.compiled.offers:
            return await self._carry_out(call, waits)
        with self._log.call(call.name):
            return await self._carry_out(call, waits)

    async def _carry_out(self, call: ToolCall, waits: bool) -> Any:
        invocation = self._invocation(call)
        await self._ask(invocation, waits)
        return await self._run(invocation, waits)

    def _invocation(self, call: ToolCall) -> Invocation:
        """The call, if it is one that may be carried out."""
        if call.error is not None:
            raise ToolFailure(str(call.error), "input_invalid")
        try:
            resolved_call = self.compiled.resolve(call.name, call.arguments)
            verdict = self._validator.validate(resolved_call)
            context = self._context_of(resolved_call.leaf)
        except Error as error:
            raise failure_of(error) from error
        refuse_violations(verdict)
        return Invocation(call, resolved_call.leaf, resolved_call.arguments, context, verdict.advice)

    async def _ask(self, invocation: Invocation, waits: bool) -> None:
        """Ask for approval where it is needed; what is not approved fails."""
        reasons = approval_reasons(invocation.tool, self._asks_about_effects)
        if not reasons:
            return
        because = "; ".join(reasons)
        if self._approve is None:
            raise ToolFailure(f"this needs approval, and nobody can be asked: {because}", "policy_violation")
        try:
            answer = await _call_host(waits, self._approve, invocation, reasons)
        except ToolFailure as failure:
            raise ToolFailure(f"approval could not be asked for: {failure.message}", "internal") from failure
        if answer is not True:
            raise ToolFailure(f"this was not approved: {because}", "cancelled")

    async def _run(self, invocation: Invocation, waits: bool) -> Any:
        result = await _call_host(waits, self._runner, invocation)
        failure = failure_in(result)
        if failure is not None:
            raise failure
        try:
            tool_results(self.compiled.provider, [(invocation.call, result)])
        except UsageError as error:
            raise ToolFailure(error.message, "output_parse_failed") from error
        return result

    def _context_of(self, leaf: Leaf) -> Any:
        """What the host adds to a call of this command, which has to be what the command asks for."""
        if leaf.tool.context is None:
            return None
        context = dict(self._context or {})
        for fault in Schema(leaf.tool.context).faults(_to_data(context)):
            command, place = " ".join(leaf.path), name_place(fault.pointer)
            message = f"the context is not what {command!r} asks for: {fault.message}{place}"
            raise UsageError(message, code="bad-context")
        return context


def _to_data(value: Any, depth: int = DEFAULT_LIMITS.max_depth) -> Any:
    """What a schema sees of a context: something of the host's own, such as a database handle, is an object to it.

    Raises:
        UsageError: the context has no end, or is too deep (code `bad-context`).
    """
    if depth < 0:
        most = DEFAULT_LIMITS.max_depth
        raise UsageError(f"the context is nested deeper than {most} levels, or holds itself", code="bad-context")
    if isinstance(value, Mapping):
        return {str(key): _to_data(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_data(item, depth - 1) for item in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return {}


def _is_stream(response: Any) -> bool:
    """Whether something gives events, as opposed to JSON data and to a vendor's object, whose fields are no events."""
    return isinstance(response, Iterable) and not isinstance(response, Mapping) and not hasattr(response, "model_dump")


async def _call_host(waits: bool, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function of the host gives; what it raises is a failure of the call."""
    try:
        outcome = function(*arguments)
        if not inspect.isawaitable(outcome):
            return outcome
        if waits:
            return await outcome
    except Exception as error:
        raise failure_of(error) from error
    if inspect.iscoroutine(outcome):
        outcome.close()
    raise UsageError("the runner or `approve` is asynchronous; use handle_async", code="bad-option")


def _run_at_once(work: Coroutine[Any, Any, _Outcome]) -> _Outcome:
    """The result of a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as done:
        outcome: _Outcome = done.value
        return outcome
    raise AssertionError("it waited")
