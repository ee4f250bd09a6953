"""The server: what a client asks, and which texts are open.

Texts come whole with every edit: pygls would cut an edit of a part at lines of its own (see `positions`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
from lsprotocol import types
from lsprotocol.types import (
    SHUTDOWN,
    TEXT_DOCUMENT_CODE_ACTION,
    TEXT_DOCUMENT_COMPLETION,
    TEXT_DOCUMENT_DEFINITION,
    TEXT_DOCUMENT_DIAGNOSTIC,
    TEXT_DOCUMENT_DID_CHANGE,
    TEXT_DOCUMENT_DID_CLOSE,
    TEXT_DOCUMENT_DID_OPEN,
    TEXT_DOCUMENT_DID_SAVE,
    TEXT_DOCUMENT_HOVER,
    WORKSPACE_DID_CHANGE_WATCHED_FILES,
    CodeAction,
    CodeActionOptions,
    CodeActionParams,
    CodeDescription,
    CompletionItem,
    CompletionOptions,
    CompletionParams,
    DefinitionParams,
    DiagnosticOptions,
    DiagnosticSeverity,
    DidChangeTextDocumentParams,
    DidCloseTextDocumentParams,
    DidOpenTextDocumentParams,
    DocumentDiagnosticParams,
    DocumentDiagnosticReport,
    Hover,
    HoverParams,
    Location,
    LogMessageParams,
    MarkupContent,
    MarkupKind,
    MessageType,
    Position,
    PositionEncodingKind,
    PublishDiagnosticsParams,
    Range,
    RelatedFullDocumentDiagnosticReport,
    TextDocumentSyncKind,
)
from msgspec.structs import replace
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import toolglot
from toolglot.errors import Error, escape_unseen
from toolglot.runtime.editor.completion import TRIGGERS, complete
from toolglot.runtime.editor.corrections import KINDS, find_marks, offer_corrections
from toolglot.runtime.editor.described import find_files
from toolglot.runtime.editor.entries import NEW, EntryAtPlace, complete_texts, find_entry
from toolglot.runtime.editor.host import EditorHost
from toolglot.runtime.editor.hover import hover_text
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_pages import rule_address
from toolglot.verbs.diagnostics.rules import rules

CONVERT = "toolglot.convert"
"""The command that shows a document in another format: its address, and `FORMAT[@VERSION]`."""

_Found = TypeVar("_Found")
_AtPlace = HoverParams | DefinitionParams | CompletionParams
_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}
ShownFinding = tuple[Diagnostic, types.Diagnostic]
"""A finding of `check`, and what the editor shows of it."""


class OpenText(msgspec.Struct):
    """A text as it was after an edit, and what is known of it.

    Attributes:
        path: its file; of a text without one its name.
        version: the client's number for it.
        findings: what is wrong in it, as far as `is_checked` says that this is known.
    """

    path: str
    places: TextPositions
    version: int | None
    is_checked: bool = False
    findings: list[ShownFinding] = []


_CLOSED = OpenText("", TextPositions("", PositionEncodingKind.Utf16), None, is_checked=True)


class EditorServer(LanguageServer):
    """A server with what it keeps from question to question; `start_io` lets it answer over stdin and stdout.

    Args:
        host: how texts are checked and read.
        base_url: where the documentation is published; without it, codes link to nothing.
    """

    def __init__(self, host: EditorHost, base_url: str | None = None) -> None:
        super().__init__("toolglot", toolglot.__version__, TextDocumentSyncKind.Full)
        self.host = host
        self.base_url = base_url
        self.was_shut_down = False
        self.texts: dict[str, OpenText] = {}
        self._known: set[str] = set()  # which were tool descriptions when they were checked
        self._waiting: dict[str, None] = {}  # whose findings are to be pushed
        self._pushing: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1)
        answers: dict[str, Callable[[Any], Any]] = {
            SHUTDOWN: self._shut_down,
            TEXT_DOCUMENT_DID_OPEN: self._take,
            TEXT_DOCUMENT_DID_CHANGE: self._take,
            TEXT_DOCUMENT_DID_SAVE: self._check_again,
            TEXT_DOCUMENT_DID_CLOSE: self._drop,
            WORKSPACE_DID_CHANGE_WATCHED_FILES: self._check_again,
            TEXT_DOCUMENT_DIAGNOSTIC: partial(self._beside, self._diagnose),
            TEXT_DOCUMENT_CODE_ACTION: partial(self._beside, self._correct),
            TEXT_DOCUMENT_HOVER: self._hover,
            TEXT_DOCUMENT_DEFINITION: self._define,
            TEXT_DOCUMENT_COMPLETION: self._complete,
        }
        options = {
            TEXT_DOCUMENT_DIAGNOSTIC: DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False),
            TEXT_DOCUMENT_CODE_ACTION: CodeActionOptions(KINDS),
            TEXT_DOCUMENT_COMPLETION: CompletionOptions(trigger_characters=TRIGGERS),
        }
        self.command(CONVERT)(partial(self._convert))
        for name, answer in answers.items():
            self.feature(name, options.get(name))(partial(answer))  # pygls sets attributes, which a method cannot have

    # -- which texts are open -----------------------------------------------------------------------------------------

    def _shut_down(self, params: object) -> None:
        self.was_shut_down = True

    def _take(self, params: DidOpenTextDocumentParams | DidChangeTextDocumentParams) -> None:
        """Take a text as its client has it now."""
        uri = params.text_document.uri
        document = self.workspace.get_text_document(uri)
        places = TextPositions(document.source, self.workspace.position_encoding or PositionEncodingKind.Utf16)
        path = to_fs_path(uri) or uri.rpartition("/")[2].rpartition(":")[2]
        self.texts[uri] = OpenText(path, places, document.version)
        self._push(uri)

    def _drop(self, params: DidCloseTextDocumentParams) -> None:
        """Forget a text that was closed."""
        uri = params.text_document.uri
        self.texts.pop(uri, None)
        self._known.discard(uri)
        self._push(uri)

    def _check_again(self, params: object) -> None:
        """Check every text again, because a file that they refer to, or settings, may have changed."""
        for uri, text in self.texts.items():
            self.texts[uri] = replace(text, is_checked=False)  # that one may be under way
            self._push(uri)
        if self._is_asked and get_capability(self.client_capabilities, "workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)

    # -- findings -----------------------------------------------------------------------------------------------------

    @property
    def _is_asked(self) -> bool:
        """Whether the client asks for findings; pushed as well, it would show each twice."""
        return get_capability(self.client_capabilities, "text_document.diagnostic") is not None

    async def _beside(self, find: Callable[..., _Found], *arguments: Any) -> _Found:
        """What takes long, one at a time in a thread: what is typed or asked about a place does not wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, find, *arguments)

    def _find_text(self, uri: str) -> OpenText:
        """The newest text of a file; an empty one where none is open, because a question may come after the end."""
        return self.texts.get(uri, _CLOSED)

    def _check(self, uri: str) -> OpenText:
        """The newest text of a file, checked once."""
        text = self._find_text(uri)
        if not text.is_checked:
            checked = self.host.check(text.path, text.places.text, uri in self._known)
            if checked.is_known:
                self._known.add(uri)
            text.findings = show_findings(checked.diagnostics, text.places, self.base_url)
            text.is_checked = True
        return text

    def _diagnose(self, params: DocumentDiagnosticParams) -> DocumentDiagnosticReport:
        text = self._check(params.text_document.uri)
        return RelatedFullDocumentDiagnosticReport([shown for _, shown in text.findings])

    def _push(self, uri: str) -> None:
        """Push what is wrong in a text as soon as there is time."""
        if not self._is_asked:
            self._waiting[uri] = None
            if self._pushing is None or self._pushing.done():
                self._pushing = asyncio.create_task(self._push_all())

    async def _push_all(self) -> None:
        """One text after the other; of one that was edited meanwhile, which waits again, nothing."""
        while self._waiting:
            uri = next(iter(self._waiting))
            del self._waiting[uri]
            try:
                text = await self._beside(self._check, uri)
            except Exception as error:  # a fault of ours costs no other text its findings
                self.window_log_message(LogMessageParams(MessageType.Error, f"{uri}: {error!r}"))
                continue
            if uri not in self._waiting:
                shown = [shown for _, shown in text.findings]
                self.text_document_publish_diagnostics(PublishDiagnosticsParams(uri, shown, text.version))

    # -- questions about a place --------------------------------------------------------------------------------------

    def _correct(self, params: CodeActionParams) -> list[CodeAction]:
        """What can be put right, or confirmed, in a part of a text; nothing in one that cannot be read."""
        uri = params.text_document.uri
        with suppress(Error):
            text = self._check(uri)
            document = self.host.parse(text.path, text.places.text)
            findings = _those_in(params.range, text.findings)
            marks = _those_in(params.range, show_findings(find_marks(document), text.places))
            return offer_corrections(document, findings, marks, uri, text.places)
        return []

    def _hover(self, params: HoverParams) -> Hover | None:
        """What the key at a place means, and what is wrong there, as far as that was found already."""
        text = self._find_text(params.text_document.uri)
        findings = _those_in(Range(params.position, params.position), text.findings)
        markdown = hover_text(self._find_entry(params), findings)
        return Hover(MarkupContent(MarkupKind.Markdown, markdown)) if markdown else None

    def _define(self, params: DefinitionParams) -> list[Location]:
        """The files that the key at a place leads to."""
        entry = self._find_entry(params)
        paths = find_files(entry) if entry else []
        top = Range(Position(0, 0), Position(0, 0))
        return [Location(uri, top) for uri in map(from_fs_path, paths) if uri]

    async def _convert(self, uri: str, target: str) -> Any:
        """A text in another format."""
        if uri not in self.texts:
            raise JsonRpcInvalidParams(f"no text is open as {uri}")
        text = self.texts[uri]
        return msgspec.to_builtins(await self._beside(self.host.convert, text.path, text.places.text, target))

    def _complete(self, params: CompletionParams) -> list[CompletionItem]:
        """What may stand at a place."""
        entry = self._find_entry(params, NEW)
        return complete(entry, self._find_text(params.text_document.uri).places) if entry else []

    def _find_entry(self, params: _AtPlace, word: str | None = None) -> EntryAtPlace | None:
        """The entry at a place in the first text that can be read.

        Args:
            word: what is written in its place.
        """
        text = self._find_text(params.text_document.uri)
        for whole in complete_texts(text.places.text, text.places.offset(params.position), word):
            with suppress(Error):
                return find_entry(self.host.parse(text.path, whole.text), whole)
        return None


def show_findings(
    findings: Iterable[Diagnostic], places: TextPositions, base_url: str | None = None
) -> list[ShownFinding]:
    """Findings of `check` for an editor; their codes link to the pages of their rules, where these have an address."""
    shown = []
    for finding in findings:
        page = None
        if base_url is not None and finding.code in rules():
            page = CodeDescription(rule_address(finding.code, base_url))
        squiggle = types.Diagnostic(
            range=places.word_range(places.offset_of(finding.line or 1, finding.column or 1)),
            message=escape_unseen(finding.sentence),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            code_description=page,
            source="toolglot",
        )
        shown.append((finding, squiggle))
    return shown


def _those_in(part: Range, findings: Iterable[ShownFinding]) -> list[Diagnostic]:
    """The findings that overlap with a part of a text."""
    return [found for found, shown in findings if shown.range.start <= part.end and part.start <= shown.range.end]
