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

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import toolglot
from toolglot.errors import Error
from toolglot.runtime.editor.completion import TRIGGERS, complete
from toolglot.runtime.editor.corrections import KINDS, correctable, offer_corrections
from toolglot.runtime.editor.cursor import TextCursor, find_cursor
from toolglot.runtime.editor.described import DescribedText, describe_document, describe_name
from toolglot.runtime.editor.findings import show_finding
from toolglot.runtime.editor.host import CheckedText, EditorHost
from toolglot.runtime.editor.hover import hover_text
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

_LONGEST_PAUSE = 0.5  # seconds
_WATCHED = ("**/toolglot.toml", "**/pyproject.toml")


class OpenText:
    """A text as it was after an edit, and what is known of it.

    Attributes:
        uri, path, text: whose it is and what it says; the path is that of a file, or only a name.
        version: the client's number for it.
        is_known: whether it is, or was before its last edit, a document of one of the formats.
        places: its positions.
        seconds: how long its last check took.
    """

    def __init__(self, uri: str, text: str, version: int | None, encoding: str, before: OpenText | None) -> None:
        self.uri = uri
        self.path = to_fs_path(uri) or uri.rpartition("/")[2].rpartition(":")[2]  # of a text without a file its name
        self.text = text
        self.version = version
        self.is_known: bool = before is not None and before.is_known
        self.seconds: float = before.seconds if before else 0.0
        self.places = TextPositions(text, encoding)
        self._checked: CheckedText | None = None
        self._readable: str | None = before._readable if before else None  # the last text that could be read
        self._described: DescribedText | None = before._described if before else None

    def check(self, host: EditorHost) -> CheckedText:
        """What is wrong in it, found once."""
        if self._checked is None:
            start = time.perf_counter()
            self._checked = host.check(self.path, self.text, self.is_known)
            self.is_known = self.is_known or self._checked.is_known
            self.seconds = time.perf_counter() - start
            if self._checked.is_known:
                self._readable, self._described = self.text, None
        return self._checked

    def describe(self, host: EditorHost) -> DescribedText | None:
        """What kind of document it is, or was when it could be read last, or is by its name."""
        self.check(host)
        if self._described is None and self._readable is not None:
            with suppress(Error):
                self._described = describe_document(host.parse(self.path, self._readable))
        return self._described or describe_name(self.path)

    def forget(self) -> None:
        """Forget what was found, because files around it have changed."""
        self._checked = None


class EditorServer(LanguageServer):
    """A server with what it keeps from question to question.

    Args:
        host: how texts are checked and read.
        base_url: where the documentation is published; without it, codes link to nothing.
    """

    def __init__(self, host: EditorHost, base_url: str | None) -> None:
        super().__init__("toolglot", toolglot.__version__, types.TextDocumentSyncKind.Full)
        self.host = host
        self.base_url = base_url
        self.was_shut_down = False
        self.texts: dict[str, OpenText] = {}
        self._waiting: dict[str, None] = {}  # whose findings are to be pushed
        self._pushing: asyncio.Task[None] | None = None

    def take(self, uri: str) -> None:
        """Take a text as its client has it now."""
        document = self.workspace.get_text_document(uri)
        encoding = self.workspace.position_encoding or types.PositionEncodingKind.Utf16
        self.texts[uri] = OpenText(uri, document.source, document.version, encoding, self.texts.get(uri))
        self.push(uri)

    def drop(self, uri: str) -> None:
        """Forget a text that was closed."""
        if self.texts.pop(uri, None) is not None and not self.is_asked:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def renew(self, saved: str | None = None) -> None:
        """Check every text again but the one that was saved, because files that they refer to have changed."""
        for uri, text in self.texts.items():
            if uri != saved and text.is_known:
                text.forget()
                self.push(uri)
        workspace = self.client_capabilities.workspace
        if self.is_asked and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    @property
    def is_asked(self) -> bool:
        """Whether the client asks for findings; pushed as well, it would show each twice."""
        capabilities = self.client_capabilities.text_document
        return capabilities is not None and capabilities.diagnostic is not None

    def show(self, finding: Diagnostic, text: OpenText) -> types.Diagnostic:
        """A finding in a text, as the client takes it."""
        return show_finding(finding, text.places, self.base_url)

    def findings(self, text: OpenText) -> list[types.Diagnostic]:
        """What is wrong in a text."""
        return [self.show(finding, text) for finding in text.check(self.host).diagnostics]

    def push(self, uri: str) -> None:
        """Push what is wrong in a text as soon as there is time."""
        if self.is_asked:
            return
        self._waiting[uri] = None
        if self._pushing is None or self._pushing.done():
            self._pushing = asyncio.get_running_loop().create_task(self._push_all())

    async def _push_all(self) -> None:
        """One text after the other, so that questions are answered in between.

        A text that takes long waits as long as its last check took: edits that come meanwhile are checked together.
        """
        while self._waiting:
            uri = next(iter(self._waiting))
            text = self.texts.get(uri)
            await asyncio.sleep(min(text.seconds, _LONGEST_PAUSE) if text else 0)
            self._waiting.pop(uri, None)
            text = self.texts.get(uri)
            if text is None:
                continue
            try:
                params = types.PublishDiagnosticsParams(uri, self.findings(text), text.version)
            except Exception as error:  # a fault of ours costs no other text its findings
                message = f"{uri}: internal error: {error!r}"
                self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))
                continue
            self.text_document_publish_diagnostics(params)


def make_server(host: EditorHost, base_url: str | None = None) -> EditorServer:
    """A server that waits for a client; `start_io` lets it answer over stdin and stdout."""
    server = EditorServer(host, base_url)
    for name, answer, options in _ANSWERS:
        server.feature(name, options)(partial(answer, server))
    return server


def _open(server: EditorServer, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
    server.take(params.text_document.uri)


def _save(server: EditorServer, params: types.DidSaveTextDocumentParams) -> None:
    server.renew(saved=params.text_document.uri)


def _close(server: EditorServer, params: types.DidCloseTextDocumentParams) -> None:
    server.drop(params.text_document.uri)


def _watch(server: EditorServer, params: types.InitializedParams) -> None:
    """Have the client tell when settings change, if it can."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("settings", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([registration]))


def _look_again(server: EditorServer, params: types.DidChangeWatchedFilesParams) -> None:
    server.renew()


def _diagnose(server: EditorServer, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    text = server.texts.get(params.text_document.uri)
    return types.RelatedFullDocumentDiagnosticReport(server.findings(text) if text else [])


def _correct(server: EditorServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be put right, or confirmed, in a part of a text."""
    text = server.texts.get(params.text_document.uri)
    if text is None:
        return []
    try:
        document = server.host.parse(text.path, text.text)
    except Error:
        return []  # what cannot be read is a finding, which nobody can put right but its author
    here = []
    for finding in correctable(document, text.check(server.host).diagnostics):
        shown = server.show(finding, text)
        if shown.range.start <= params.range.end and params.range.start <= shown.range.end:
            here.append((finding, shown))
    return offer_corrections(document, here, text.uri, text.places)


_AtPlace = types.HoverParams | types.CompletionParams | types.DefinitionParams


def _find(server: EditorServer, params: _AtPlace) -> tuple[OpenText, TextCursor] | None:
    """The entry at a place of a text."""
    text = server.texts.get(params.text_document.uri)
    cursor = find_cursor(text.text, text.places.offset(params.position), text.path) if text else None
    return (text, cursor) if text and cursor else None


def _hover(server: EditorServer, params: types.HoverParams) -> types.Hover | None:
    """What the key at a place means, and what is wrong there."""
    found = _find(server, params)
    if found is None:
        return None
    text, cursor = found
    known = text.describe(server.host)
    here = [
        finding
        for finding in text.check(server.host).diagnostics
        if _is_in(params.position, server.show(finding, text).range)
    ]
    markdown = hover_text(known, cursor.path, here)
    if not markdown:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, markdown)
    return types.Hover(content, text.places.range(cursor.start, cursor.end))


def _is_in(position: types.Position, part: types.Range) -> bool:
    return part.start <= position <= part.end


def _complete(server: EditorServer, params: types.CompletionParams) -> list[types.CompletionItem]:
    """What may stand at a place."""
    found = _find(server, params)
    known = found[0].describe(server.host) if found else None
    return complete(known, found[1], found[0].places) if found and known else []


def _end(server: EditorServer, params: None) -> None:
    server.was_shut_down = True


_ANSWERS: tuple[tuple[str, Callable[[EditorServer, Any], Any], Any], ...] = (
    (types.INITIALIZED, _watch, None),
    (types.SHUTDOWN, _end, None),
    (types.TEXT_DOCUMENT_DID_OPEN, _open, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, _open, None),
    (types.TEXT_DOCUMENT_DID_SAVE, _save, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, _close, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _look_again, None),
    (types.TEXT_DOCUMENT_HOVER, _hover, None),
    (types.TEXT_DOCUMENT_COMPLETION, _complete, types.CompletionOptions(trigger_characters=TRIGGERS)),
    (types.TEXT_DOCUMENT_CODE_ACTION, _correct, types.CodeActionOptions(KINDS)),
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        _diagnose,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="toolglot"),
    ),
)
