"""The server: what a client asks, and which texts are open.

Texts come whole with every edit: pygls would cut an edit of a part at lines of its own (see `positions`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

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
    CompletionItem,
    CompletionOptions,
    CompletionParams,
    DefinitionParams,
    DiagnosticOptions,
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
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import toolglot
from toolglot.converter import formats
from toolglot.errors import Error
from toolglot.runtime.editor.completion import TRIGGERS, complete
from toolglot.runtime.editor.corrections import KINDS, find_marks, offer_corrections
from toolglot.runtime.editor.described import find_files
from toolglot.runtime.editor.entries import NEW, EntryAtPlace, complete_texts, find_entry
from toolglot.runtime.editor.findings import ShownFinding, show_finding
from toolglot.runtime.editor.host import EditorHost
from toolglot.runtime.editor.hover import hover_text
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.fixes import is_fixable

CONVERT = "toolglot.convert"
"""The command that shows a document in another format: its address, and `FORMAT[@VERSION]`."""

_SHORT = 0.05  # seconds of a check that nobody notices
_LONGEST_PAUSE = 0.5

_AtPlace = HoverParams | DefinitionParams | CompletionParams


class OpenText(msgspec.Struct):
    """A text as it was after an edit, and what is known of it.

    Attributes:
        path: its file; of a text without one its name.
        version: the client's number for it.
        is_known: whether it is, or was before its last edit, a document of one of the formats.
        seconds: how long its last check took.
        findings: what is wrong in it; `None` until it is checked.
    """

    path: str
    places: TextPositions
    version: int | None
    is_known: bool = False
    seconds: float = 0.0
    findings: list[ShownFinding] | None = None


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
        self._waiting: dict[str, None] = {}  # whose findings are to be pushed
        self._pushing: asyncio.Task[None] | None = None
        pulls = DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False)
        answers: tuple[tuple[str, Callable[[Any], Any], Any], ...] = (
            (SHUTDOWN, self._shut_down, None),
            (TEXT_DOCUMENT_DID_OPEN, self._take, None),
            (TEXT_DOCUMENT_DID_CHANGE, self._take, None),
            (TEXT_DOCUMENT_DID_SAVE, self._check_again, None),
            (TEXT_DOCUMENT_DID_CLOSE, self._drop, None),
            (WORKSPACE_DID_CHANGE_WATCHED_FILES, self._check_again, None),
            (TEXT_DOCUMENT_DIAGNOSTIC, self._diagnose, pulls),
            (TEXT_DOCUMENT_CODE_ACTION, self._correct, CodeActionOptions(KINDS)),
            (TEXT_DOCUMENT_HOVER, self._hover, None),
            (TEXT_DOCUMENT_DEFINITION, self._define, None),
            (TEXT_DOCUMENT_COMPLETION, self._complete, CompletionOptions(trigger_characters=TRIGGERS)),
        )
        self.command(CONVERT)(partial(self._convert))
        for name, answer, options in answers:
            self.feature(name, options)(partial(answer))  # pygls sets attributes, which a method cannot have

    # -- which texts are open -----------------------------------------------------------------------------------------

    def _shut_down(self, params: object) -> None:
        self.was_shut_down = True

    def _take(self, params: DidOpenTextDocumentParams | DidChangeTextDocumentParams) -> None:
        """Take a text as its client has it now."""
        uri = params.text_document.uri
        document = self.workspace.get_text_document(uri)
        places = TextPositions(document.source, self.workspace.position_encoding or PositionEncodingKind.Utf16)
        path = to_fs_path(uri) or uri.rpartition("/")[2].rpartition(":")[2]
        before = self.texts.get(uri) or OpenText(path, places, None)
        self.texts[uri] = OpenText(path, places, document.version, before.is_known, before.seconds)
        self._push(uri)

    def _drop(self, params: DidCloseTextDocumentParams) -> None:
        """Forget a text that was closed."""
        self.texts.pop(params.text_document.uri, None)
        self._push(params.text_document.uri)

    def _check_again(self, params: object) -> None:
        """Check every text again, because a file that they refer to, or settings, may have changed."""
        for uri, text in self.texts.items():
            text.findings = None
            self._push(uri)
        workspace = self.client_capabilities.workspace
        if self._is_asked and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    # -- findings -----------------------------------------------------------------------------------------------------

    @property
    def _is_asked(self) -> bool:
        """Whether the client asks for findings; pushed as well, it would show each twice."""
        capabilities = self.client_capabilities.text_document
        return capabilities is not None and capabilities.diagnostic is not None

    def _findings(self, uri: str) -> list[ShownFinding]:
        """What is wrong in a text, found once; nothing in one that is not open."""
        text = self.texts.get(uri)
        if text is None:
            return []
        if text.findings is None:
            start = time.perf_counter()
            checked = self.host.check(text.path, text.places.text, text.is_known)
            text.is_known = text.is_known or checked.is_known
            text.findings = [(found, self._show(found, text)) for found in checked.diagnostics]
            text.seconds = time.perf_counter() - start
        return text.findings

    def _show(self, finding: Diagnostic, text: OpenText) -> types.Diagnostic:
        return show_finding(finding, text.places, self.base_url)

    def _diagnose(self, params: DocumentDiagnosticParams) -> DocumentDiagnosticReport:
        return RelatedFullDocumentDiagnosticReport([shown for _, shown in self._findings(params.text_document.uri)])

    def _push(self, uri: str) -> None:
        """Push what is wrong in a text as soon as there is time."""
        if not self._is_asked:
            self._waiting[uri] = None
            if self._pushing is None or self._pushing.done():
                self._pushing = asyncio.get_running_loop().create_task(self._push_all())

    async def _push_all(self) -> None:
        """One text after the other, so that questions are answered in between.

        A text that takes long waits as long as its last check took: edits that come meanwhile are checked together.
        """
        while self._waiting:
            uri = next(iter(self._waiting))
            seconds = self.texts[uri].seconds if uri in self.texts else 0
            await asyncio.sleep(min(max(seconds - _SHORT, 0), _LONGEST_PAUSE))
            del self._waiting[uri]
            try:
                shown = [shown for _, shown in self._findings(uri)]
            except Exception as error:  # a fault of ours costs no other text its findings
                self.window_log_message(LogMessageParams(MessageType.Error, f"{uri}: {error!r}"))
                continue
            version = self.texts[uri].version if uri in self.texts else None
            self.text_document_publish_diagnostics(PublishDiagnosticsParams(uri, shown, version))

    # -- questions about a place --------------------------------------------------------------------------------------

    def _correct(self, params: CodeActionParams) -> list[CodeAction]:
        """What can be put right, or confirmed, in a part of a text; nothing in one that cannot be read."""
        uri = params.text_document.uri
        with suppress(Error):
            text = self.texts[uri]
            document = self.host.parse(text.path, text.places.text)
            found = [finding for finding, _ in self._findings(uri) if is_fixable(finding)] + find_marks(document)
            here = [one for one in found if _overlap(self._show(one, text).range, params.range)]
            return offer_corrections(document, here, uri, text.places)
        return []

    def _hover(self, params: HoverParams) -> Hover | None:
        """What the key at a place means, and what is wrong there."""
        here = Range(params.position, params.position)
        findings = [found for found, shown in self._findings(params.text_document.uri) if _overlap(shown.range, here)]
        markdown = hover_text(self._find_entry(params), findings)
        return Hover(MarkupContent(MarkupKind.Markdown, markdown)) if markdown else None

    def _define(self, params: DefinitionParams) -> list[Location]:
        """The files that the key at a place leads to."""
        entry = self._find_entry(params)
        paths = find_files(entry) if entry else []
        top = Range(Position(0, 0), Position(0, 0))
        return [Location(uri, top) for uri in map(from_fs_path, paths) if uri]

    def _convert(self, uri: str, target: str) -> dict[str, Any]:
        """A text in another format, with its report, and the formats that there are for who names none."""
        text = self.texts[uri]
        try:
            converted = self.host.convert(self.host.parse(text.path, text.places.text), target)
        except Error as error:
            return {"files": [], "report": str(error), "formats": formats.targets()}
        return {"files": converted.files, "report": converted.report, "formats": formats.targets()}

    def _complete(self, params: CompletionParams) -> list[CompletionItem]:
        """What may stand at a place."""
        entry = self._find_entry(params, NEW)
        return complete(entry, self.texts[params.text_document.uri].places) if entry else []

    def _find_entry(self, params: _AtPlace, word: str | None = None) -> EntryAtPlace | None:
        """The entry at a place in the first text that can be read.

        Args:
            word: what is written in its place.
        """
        text = self.texts[params.text_document.uri]
        for whole in complete_texts(text.places.text, text.places.offset(params.position), word):
            with suppress(Error):
                return find_entry(self.host.parse(text.path, whole.text), whole)
        return None


def _overlap(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end
