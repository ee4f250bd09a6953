"""The loop between a model and tools: offer tools, validate the calls of a response, run them, and answer.

The host gives two functions, `runner` and `approve`, and a log. A call that cannot be logged does not run; a call that
ran is answered, even if the log fails afterwards.

The steps of a call are written once, as a coroutine. Where no function of the host may be asynchronous, the coroutine
never waits, and `finish` gives its result.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from typing import Any, NamedTuple, Unpack

from toolglot.converter.conversion.options import CompileOptions
from toolglot.converter.formats import parse_target
from toolglot.converter.hub.calls import Content
from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.text.document_reader import DEFAULT_LIMITS
from toolglot.converter.text.wording import join_first
from toolglot.errors import CallError, Error, ToolFailure, UsageError, wrong_type
from toolglot.option_checks import refuse, require_function
from toolglot.runtime.bridge.answers_of_session import KeptAnswers
from toolglot.runtime.bridge.approval import questions_about, reasons_of, refuse_unasked
from toolglot.runtime.bridge.call_log import CallLog, logged_call
from toolglot.runtime.bridge.calls import (
    ToolCall,
    ToolCallBuilder,
    calls_in_response,
    calls_of,
    tool_result,
)
from toolglot.runtime.bridge.calls_in_text import warn_of_calls_in_text
from toolglot.runtime.bridge.compilation import Compiled, compile
from toolglot.runtime.bridge.invocations import CommandIdentity, Invocation, with_own_arguments
from toolglot.runtime.bridge.judged_results import judge_result
from toolglot.runtime.bridge.naming import catalog_id
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.runner_and_approve import Approve, HostFunctions, Runner, finish
from toolglot.runtime.bridge.runner_failures import failure_of
from toolglot.runtime.bridge.validator import Validator
from toolglot.runtime.bridge.violations import name_place, refuse_violations

_LOGGER = logging.getLogger("toolglot")


class _AnsweredCall(NamedTuple):
    """The result of the runner, and the message for the model."""

    result: Any
    message: Any


class _Outputs(NamedTuple):
    """The output schema of a tool, and whether clients refuse a result that breaks it."""

    schema: Schema
    holds_results: bool


class Session:
    """Tools that are offered to a model, and everything between its calls and their results.

    Args:
        tools: as in `toolglot.compile`, or a `Compiled`.
        provider: `FORMAT` or `FORMAT@VERSION`.
        runner: runs one `Invocation` and returns its result: text, JSON data, or the result of an MCP tool. An
            exception is told to the model as a failure with a code of AIP-14; `ToolFailure` says which. The runner is
            abandoned after the timeout of the tool, unless its attribute `keeps_time` is true because it handles that
            itself. It is called again where the tool states `retry` and may be repeated.
        policy: a `Policy`, its JSON, or a `Validator`, which also has rules about trust, paths and delegation. A call
            that it refuses does not run. Nobody is asked about an effect that it allows by name
            (`allowDestructive: true`).
        approve: called with the `Invocation` and the reasons. It approves by `True`, or by `"session"`, which also
            holds for later calls of the tool with the same reasons; any other value refuses. It is asked about
            destruction, irreversibility, deletion, execution and high costs that are stated, whatever the author says
            about approval; about whatever the author wants to be asked; and about changes and costs without a stated
            approval. For a tool whose effects nobody states there is one question, and a yes holds for the session.
            `None`: such calls are refused.
        context: data that the host adds to the calls of tools with a `contextSchema`, which the data have to obey.
        log: the log of the calls of offered tools, by their ids in a catalogue. Arguments and results are not logged.
            A call that cannot be logged does not run, and the model is told so. If the log fails afterwards, the answer
            still counts, and the logger `toolglot` of Python is told.
        options: further arguments of `toolglot.compile`, such as `strict=True`; none with a `Compiled`.

    Attributes:
        definitions: the value of `tools` for the vendor's client.
        compiled: the same with the way of calls back to the tools.

    Raises:
        UsageError: as in `compile` and `Validator`; or there are options for a `Compiled` (code `bad-option`), the
            validator was made of other tools (`other-tools`), or the context does not obey the schema of a tool
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
        refuse(
            (
                self.compiled.provider != provider,
                f"the tools were compiled for {self.compiled.provider}, not for {provider}",
            ),
            (  # left alone, `read_only=True` would look like a promise
                tools is self.compiled and options,
                f"the tools were compiled already; give {', '.join(options)} to compile",
            ),
        )
        if context is not None and not isinstance(context, Mapping):
            raise wrong_type("a context as an object", context, "bad-context")
        if log is not None:
            require_function("log.call", getattr(log, "call", None))
        self.definitions = self.compiled.request
        if not isinstance(policy, Validator):
            policy = Validator(self.compiled, policy)
        elif not policy.judges(self.compiled):
            message = (
                "the validator was made of other tools; make it of what compile returned, and give the session that"
            )
            raise UsageError(message, code="other-tools")
        self._validator = policy
        self._answers = KeptAnswers()
        self._outputs: dict[CommandIdentity, _Outputs | None] = {}
        self._host = HostFunctions(runner, approve)
        self._context = context
        self._log = log
        for offer in self.compiled.offers.values():
            for leaf in offer.behind:
                self._context_of(leaf)

    def __repr__(self) -> str:
        """
        >>> Session([Tool(id="ls"), Tool(id="rm")], "openai", runner=print)
        <Session for openai: ls, rm>
        """
        return f"<Session for {self.compiled.provider}: {join_first(list(self.compiled.offers))}>"

    def handle(self, response: Any) -> list[Any]:
        """Carry out the calls of a response, one after the other.

        Args:
            response: a whole response, as JSON data or as an object of the vendor's client; or a stream, whose calls
                run when it has ended.

        Returns:
            The messages to append after the model's own turn, which goes into the history as it came. They are empty
            where the model called no tool, and so has finished; if its text begins a call, the logger `toolglot` is
            told. Every call with a name is answered; for one that cannot or may not run, with the reason. A function
            that returns an awaitable and was not declared asynchronous has failed.

        Raises:
            CallError: the response is not the provider's, failed, or has only calls without names; nothing ran.
            UsageError: the runner, `approve` or the stream is asynchronous; nothing ran. Use `handle_async`.
        """
        self._host.refuse_asynchronous("handle_async")
        if isinstance(response, AsyncIterable):
            raise UsageError("the stream is asynchronous; use handle_async", code="bad-option")
        messages = [finish(self._message(call, may_wait=False)) for call in self._calls(response)]
        return calls_of(self.compiled.provider).merge(messages)

    async def handle_async(self, response: Any) -> list[Any]:
        """The same as `handle`; runner, `approve` and stream may be asynchronous."""
        if isinstance(response, AsyncIterable):
            response = [event async for event in response]
        messages = [await self._message(call, may_wait=True) for call in self._calls(response)]
        return calls_of(self.compiled.provider).merge(messages)

    def call(self, name: str, arguments: Any) -> Any:
        """Carry out one call that other code, such as an agent framework, took from a response.

        Args:
            name: the name in `definitions`.
            arguments: the arguments as the model sent them.

        Returns:
            The result of the runner.

        Raises:
            ToolFailure: the call cannot run, or may not, or the runner failed.
            UsageError: the runner or `approve` is asynchronous; use `call_async`.

        >>> ls = Tool(id="ls", safety_tier="pure", reversible=True, subprocess=False, billable=False)
        >>> Session(ls, "anthropic", runner=lambda call: "a.txt").call("ls", {})
        'a.txt'
        """
        self._host.refuse_asynchronous("call_async")
        return finish(self._carry_out(ToolCall(name, name, arguments), may_wait=False)).result

    async def call_async(self, name: str, arguments: Any) -> Any:
        """The same as `call`; runner and `approve` may be asynchronous."""
        answer = await self._carry_out(ToolCall(name, name, arguments), may_wait=True)
        return answer.result

    def questions(self, name: str) -> tuple[str, ...]:
        """The reasons for which a person is asked before the first call of a tool; empty where nobody is asked.

        Raises:
            KeyError: no tool is offered under that name.

        >>> Session(Tool(id="rm", approval="always"), "anthropic", policy={}, runner=print).questions("rm")
        ('it says that it needs approval',)
        """
        reasons: dict[str, None] = {}
        for leaf in self.compiled.offers[name].behind:
            reasons.update(dict.fromkeys(reasons_of(questions_about(leaf.tool, self._validator.policy))))
        return tuple(reasons)

    def without_answers(self) -> Session:
        """The same session without any answers so far, for the calls of another user."""
        other = copy(self)
        other._answers = KeptAnswers()
        return other

    def _calls(self, response: Any) -> list[ToolCall]:
        """The calls that can be answered. No provider accepts an answer to a call without a name."""
        provider = self.compiled.provider
        if _is_stream(response):
            events = []
            calls = []
            builder = ToolCallBuilder(provider)
            for event in response:
                events.append(event)
                calls += builder.feed(event)
            calls += builder.finish()
        else:
            events = [response]
            calls = calls_in_response(provider, response)
        if not calls:
            warn_of_calls_in_text(events, calls_of(provider).text_keys, self.compiled.offers)
        named_calls = [call for call in calls if call.name]
        if calls and not named_calls and calls[0].error is not None:  # no messages would mean that nothing was called
            raise calls[0].error
        return named_calls

    # -- what happens to a call ---------------------------------------------------------------------------------

    async def _message(self, call: ToolCall, may_wait: bool) -> Any:
        """The message that answers a call."""
        try:
            return (await self._carry_out(call, may_wait)).message
        except ToolFailure as failure:
            return self._failure_message(call, failure)

    async def _carry_out(self, call: ToolCall, may_wait: bool) -> _AnsweredCall:
        """Validate a call, ask about it, and run it; `may_wait`: the functions of the host may be asynchronous."""
        with self._log_call(call) as begin:
            invocation = self._invocation(call)
            questions = self._open_questions(invocation)
            if questions:
                answer = await self._host.ask(invocation, questions, may_wait)
                self._answers.take(answer, invocation, questions)
            begin()
            return self._answer(invocation, await self._host.run(invocation, may_wait))

    def _log_call(self, call: ToolCall) -> AbstractContextManager[Callable[[], None]]:
        """The context of the log. A name that is not offered is text of the model, and is not logged."""
        if self._log is None or call.name not in self.compiled.offers:
            return nullcontext(lambda: None)
        return logged_call(self._log, catalog_id(self.compiled.offers[call.name].leaf))

    def _invocation(self, call: ToolCall) -> Invocation:
        """The call, after a check that it may be carried out."""
        if call.error is not None:
            raise ToolFailure(str(call.error), "input_invalid")
        try:
            resolved_call = self.compiled.resolve(call.name, call.arguments)
            verdict = self._validator.validate(resolved_call)
            context = self._context_of(resolved_call.leaf)
        except Error as error:
            raise failure_of(error) from error
        refuse_violations(verdict)
        return with_own_arguments(
            Invocation(call, resolved_call.leaf, resolved_call.arguments, context, verdict.advice)
        )

    def _open_questions(self, invocation: Invocation) -> list[ApprovalQuestion]:
        """The questions for a person, without those that were answered for the session."""
        questions = questions_about(invocation.tool, self._validator.policy)
        open_questions = self._answers.remaining_questions(invocation, questions)
        if not self._host.can_ask:
            refuse_unasked(open_questions)
        return open_questions

    def _answer(self, invocation: Invocation, result: Any) -> _AnsweredCall:
        """The result of the runner, after a check that it can be sent."""
        try:
            sent = self._hold_to_outputs(invocation, result)
            return _AnsweredCall(result, tool_result(self.compiled.provider, invocation.call, sent, text=True))
        except (CallError, UsageError) as error:  # the first of a vendor's object that cannot say what it is
            raise ToolFailure(error.message, "output_parse_failed") from error

    def _hold_to_outputs(self, invocation: Invocation, result: Any) -> Any:
        """The result to send. One that breaks the output schema of the tool is reported to the host.

        A model gets such a result as it is. A client that would refuse it without a word gets the reason instead. With
        a good result such a client also gets the data.

        Raises:
            ToolFailure: the clients of the provider would refuse the result.
        """
        identity = invocation.identity
        if identity not in self._outputs:
            self._outputs[identity] = self._find_outputs(invocation.call.name, invocation.tool)
        outputs = self._outputs[identity]
        if outputs is None:
            return result
        content, fault = judge_result(outputs.schema, result)
        if fault is not None:
            _LOGGER.warning("the result of %r is not what its outputs say: %s", " ".join(invocation.path), fault)
        if not outputs.holds_results:
            return result
        if fault is not None:
            raise ToolFailure(f"the result is not what the tool says comes out: {fault}", "output_parse_failed")
        return content

    def _find_outputs(self, name: str, tool: Tool) -> _Outputs | None:
        """The output schema: the one in the definition, if clients validate results by it, else that of the tool."""
        provider = self.compiled.provider
        if calls_of(provider).holds_results:
            places = parse_target(provider)[0].places
            for definition in self.compiled.definitions:
                listed = places.value_of("outputs", definition)
                if listed is not None and places.value_of("id", definition) == name:
                    return _Outputs(Schema(listed), True)
        return None if tool.outputs is None else _Outputs(Schema(tool.outputs), False)

    def _failure_message(self, call: ToolCall, failure: ToolFailure) -> Any:
        envelope = failure.envelope
        text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
        content = Content((text,), failed=True, envelope=envelope)
        call = call._replace(error=None)  # what is wrong with a call is its answer
        return tool_result(self.compiled.provider, call, content, text=True)

    def _context_of(self, leaf: Leaf) -> Any:
        """The data of the host for a call of this command, after a check by its schema."""
        if leaf.tool.context is None:
            return None
        context = dict(self._context or {})
        for fault in Schema(leaf.tool.context).faults(_to_data(context)):
            command, place = " ".join(leaf.path), name_place(fault.pointer)
            message = f"the context is not what {command!r} asks for: {fault.message}{place}"
            raise UsageError(message, code="bad-context")
        return context


def _to_data(value: Any, depth: int = DEFAULT_LIMITS.max_depth) -> Any:
    """A context as JSON data for validation; an object of the host, such as a database handle, becomes `{}`.

    Raises:
        UsageError: the context contains itself, or is too deep (code `bad-context`).
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
    """Whether a response is a stream of events, and neither JSON data nor an object of the vendor's client."""
    return isinstance(response, Iterable) and not isinstance(response, Mapping) and not hasattr(response, "model_dump")
