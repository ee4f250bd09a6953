"""One loop between a model and tools: offer them, judge the calls of a response, run them, answer.

A host takes part with its functions, `runner` and `approve`, and with its log. What cannot be written down does not
run, and what ran is answered whatever becomes of the log.

The steps of a call are written once, as a coroutine. Where no function of the host may be asynchronous it waits for
nothing, and `finish` has what comes of it.
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
    """What the runner returned, and the message that tells the model of it."""

    result: Any
    message: Any


class _Outputs(NamedTuple):
    """What comes out of a tool, and whether the clients refuse anything else."""

    schema: Schema
    holds_results: bool


class Session:
    """Tools that are offered to a model, and everything between its calls and their results.

    Args:
        tools: as for `toolglot.compile`, or what it returned.
        provider: `FORMAT` or `FORMAT@VERSION`.
        runner: runs one `Invocation` and returns its result: text, JSON data, or the result of an MCP tool. What it
            raises is told to the model as a failure, with AIP-14's codes; `ToolFailure` says which. It is given up
            after the time that the tool states, unless its `keeps_time` is true because it sees to that itself, and
            called again where the tool states `retry` and may be repeated.
        policy: a `Policy`, its JSON, or a `Validator` for rules about trust, paths and delegation too. Nothing runs
            that it refuses. What it allows by name (`allowDestructive: true`) nobody is asked about.
        approve: asked with the `Invocation` and the reasons. Only `True` approves, and `"session"`, which holds for
            later calls of the tool that have the same reasons. Asked about are destruction, irreversibility, deletion,
            execution and high costs that are stated, whatever the author says about approval; what the author wants to
            be asked about; and changes and costs about whose approval nobody says anything. Where nobody states what a
            tool does, that is one question, and a yes holds for the session. `None`: what would be asked about is
            refused.
        context: what the host adds to the calls of tools that have a `contextSchema`, which it has to satisfy.
        log: told of every call of a tool that is offered, by the id that a catalogue gives it; of what is asked and
            answered it is told nothing. A call that it cannot begin to write down does not run, and the model is told
            so. Where it fails afterwards, the answer counts, and the logger `toolglot` of Python is told.
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
        """Carry out what a model asks for, one call after the other.

        Args:
            response: a whole response, as JSON data or as the object of the vendor's client; or its stream, whose
                calls run when it has ended.

        Returns:
            The messages to append, after the model's own turn, which goes into the history as it came. Empty where
            the model called no tool, and so has finished; where its text begins a call, the logger `toolglot` is told.
            Every call that has a name is answered: what cannot run, or may not, with the reason. A function that was
            not declared asynchronous and gives something to wait for has failed.

        Raises:
            CallError: the response is not the provider's, failed, or has only calls without names, so that nothing
                ran.
            UsageError: the runner, `approve` or the stream is asynchronous, so that nothing ran; use `handle_async`.
        """
        self._host.refuse_asynchronous("handle_async")
        if isinstance(response, AsyncIterable):
            raise UsageError("the stream is asynchronous; use handle_async", code="bad-option")
        messages = [finish(self._message(call, may_wait=False)) for call in self._calls(response)]
        return calls_of(self.compiled.provider).merge(messages)

    async def handle_async(self, response: Any) -> list[Any]:
        """The same where the runner or `approve` may be asynchronous, and the stream too."""
        if isinstance(response, AsyncIterable):
            response = [event async for event in response]
        messages = [await self._message(call, may_wait=True) for call in self._calls(response)]
        return calls_of(self.compiled.provider).merge(messages)

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
        self._host.refuse_asynchronous("call_async")
        return finish(self._carry_out(ToolCall(name, name, arguments), may_wait=False)).result

    async def call_async(self, name: str, arguments: Any) -> Any:
        """The same where the runner or `approve` may be asynchronous."""
        answer = await self._carry_out(ToolCall(name, name, arguments), may_wait=True)
        return answer.result

    def questions(self, name: str) -> tuple[str, ...]:
        """Why a person is asked before what is offered under a name first runs; empty where nobody is.

        Raises:
            KeyError: nothing is offered under that name.

        >>> Session(Tool(id="rm", approval="always"), "anthropic", policy={}, runner=print).questions("rm")
        ('it says that it needs approval',)
        """
        reasons: dict[str, None] = {}
        for leaf in self.compiled.offers[name].behind:
            reasons.update(dict.fromkeys(reasons_of(questions_about(leaf.tool, self._validator.policy))))
        return tuple(reasons)

    def without_answers(self) -> Session:
        """The same session before anybody answered a question, for calls of somebody else."""
        other = copy(self)
        other._answers = KeptAnswers()
        return other

    def _calls(self, response: Any) -> list[ToolCall]:
        """The calls that can be answered: no provider takes an answer to what has no name."""
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
        """What the model is sent for a call."""
        try:
            return (await self._carry_out(call, may_wait)).message
        except ToolFailure as failure:
            return self._failure_message(call, failure)

    async def _carry_out(self, call: ToolCall, may_wait: bool) -> _AnsweredCall:
        """Judge a call, ask about it, and run it; `may_wait`: the host's functions may be asynchronous."""
        with self._log_call(call) as begin:
            invocation = self._invocation(call)
            questions = self._open_questions(invocation)
            if questions:
                answer = await self._host.ask(invocation, questions, may_wait)
                self._answers.take(answer, invocation, questions)
            begin()
            return self._answer(invocation, await self._host.run(invocation, may_wait))

    def _log_call(self, call: ToolCall) -> AbstractContextManager[Callable[[], None]]:
        """The context of the log; the name of what is not offered is a model's own words, which no log is to hold."""
        if self._log is None or call.name not in self.compiled.offers:
            return nullcontext(lambda: None)
        return logged_call(self._log, catalog_id(self.compiled.offers[call.name].leaf))

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
        return with_own_arguments(
            Invocation(call, resolved_call.leaf, resolved_call.arguments, context, verdict.advice)
        )

    def _open_questions(self, invocation: Invocation) -> list[ApprovalQuestion]:
        """What a person has to be asked, without what they have answered for the session."""
        questions = questions_about(invocation.tool, self._validator.policy)
        open_questions = self._answers.remaining_questions(invocation, questions)
        if not self._host.can_ask:
            refuse_unasked(open_questions)
        return open_questions

    def _answer(self, invocation: Invocation, result: Any) -> _AnsweredCall:
        """What the runner returned, if it can be sent."""
        try:
            sent = self._hold_to_outputs(invocation, result)
            return _AnsweredCall(result, tool_result(self.compiled.provider, invocation.call, sent, text=True))
        except (CallError, UsageError) as error:  # the first of a vendor's object that cannot say what it is
            raise ToolFailure(error.message, "output_parse_failed") from error

    def _hold_to_outputs(self, invocation: Invocation, result: Any) -> Any:
        """What is sent for a result; the host is told of one that is not what the tool says comes out.

        A model is sent such a result as it is. A client that would refuse it, and tell nobody why, is sent the reason;
        it is sent the data of any other, too.

        Raises:
            ToolFailure: the provider's clients would refuse it.
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
        """The schema of results that the clients were told where they hold results to it, else that of the tool."""
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
