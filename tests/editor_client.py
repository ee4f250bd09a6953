"""An editor, as far as the language server can tell: pytest-lsp's client, with its own loop and a folder of files."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.uris import to_fs_path
from pytest_lsp import LanguageClient

from toolglot.runtime.editor.positions import TextPositions

T = TypeVar("T")
PULLS = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
MOST_SECONDS = 60.0  # where a server starts slowly, as on a machine that does much else


def capabilities(encoding: str, pulls: bool) -> types.ClientCapabilities:
    """What a client can do: which encoding it counts in, and whether it asks for findings or is told of them."""
    general = types.GeneralClientCapabilities(position_encodings=[encoding])
    return types.ClientCapabilities(general=general, text_document=PULLS if pulls else None)


class Editor:
    """A client and its server.

    Args:
        folder: where its files are.
        can: what the client can do.
    """

    def __init__(self, folder: Path, can: types.ClientCapabilities) -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client: LanguageClient = LanguageClient(converter_factory=default_converter)
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}

        async def start() -> types.InitializeResult:
            self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.published.put_nowait))
            await self.client.start_io(sys.executable, "-m", "toolglot", "lsp", "--base-url", "https://docs.example")
            return await self.client.initialize_session(types.InitializeParams(can, root_uri=folder.as_uri()))

        self.answer = self.wait(start())
        self.encoding = str(self.answer.capabilities.position_encoding)

    def wait(self, asked: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(asked, MOST_SECONDS))

    def end(self) -> int | None:
        """Leave as the protocol has it; the exit code of the server."""
        self.wait(self.client.shutdown_session())
        server = self.client._server
        stop: Callable[[], Coroutine[Any, Any, None]] = self.client.stop  # which has no types
        self.wait(stop())
        self.loop.close()
        return server.returncode if server else None

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> None:
        item = types.TextDocumentItem(self.uri(name), "plaintext", 1, text)
        self.versions[name], self.texts[name] = 1, text
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def close(self, name: str) -> None:
        del self.versions[name], self.texts[name]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(name)))

    def type(self, name: str, text: str) -> None:
        """The text of a file after an edit."""
        self.versions[name] += 1
        self.texts[name] = text
        document = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def show(self, name: str, text: str) -> list[types.Diagnostic]:
        """What is pushed of a text, be it new or edited."""
        (self.type if name in self.versions else self.open)(name, text)
        return self.next_findings(name)

    def next_findings(self, name: str) -> list[types.Diagnostic]:
        """What is pushed next of the newest version of a file, or of one that was closed."""

        async def look() -> list[types.Diagnostic]:
            while True:
                params = await self.published.get()
                if params.uri == self.uri(name) and params.version == self.versions.get(name):
                    return [*params.diagnostics]

        return self.wait(look())

    def ask_findings(self, name: str) -> list[types.Diagnostic]:
        """What the server answers when it is asked for the findings of an open text."""
        params = types.DocumentDiagnosticParams(self.document(name))
        report = self.wait(self.client.text_document_diagnostic_async(params))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return [*report.items]

    def place(self, name: str, text: str) -> tuple[types.TextDocumentIdentifier, types.Position]:
        """Have an open text say this, and give the place of the mark in it."""
        text, position = marked(text)
        self.show(name, text)
        return self.document(name), position

    def hover(self, name: str, text: str) -> str:
        """What is told of the place of the mark."""
        _, position = self.place(name, text)
        return self.hover_at(name, position)

    def hover_at(self, name: str, position: types.Position) -> str:
        """What is told of a place in an open text."""
        params = types.HoverParams(self.document(name), position)
        hover = self.wait(self.client.text_document_hover_async(params))
        if hover is None:
            return ""
        assert isinstance(hover.contents, types.MarkupContent)
        return hover.contents.value

    def complete(self, name: str, text: str) -> dict[str, str]:
        """What is offered at the place of the mark, each with the line that it would make."""
        params = types.CompletionParams(*self.place(name, text))
        found = self.wait(self.client.text_document_completion_async(params))
        assert isinstance(found, list | tuple)
        places = TextPositions(self.texts[name], self.encoding)
        lines = {}
        for item in found:
            assert isinstance(item.text_edit, types.TextEdit)
            start, end = places.offset(item.text_edit.range.start), places.offset(item.text_edit.range.end)
            head, tail = places.text[:start].rpartition("\n")[2], places.text[end:].partition("\n")[0]
            lines[item.label] = head + item.text_edit.new_text + tail
        return lines

    def define(self, name: str, text: str) -> list[str]:
        """The files that the place of the mark leads to, seen from the folder."""
        params = types.DefinitionParams(*self.place(name, text))
        found = self.wait(self.client.text_document_definition_async(params))
        assert isinstance(found, list | tuple)
        paths = [Path(to_fs_path(place.uri) or "") for place in found if isinstance(place, types.Location)]
        return [path.relative_to(self.folder).as_posix() for path in paths]

    def command(self, name: str, *arguments: str) -> Any:
        """What a command of the server answers."""
        return self.wait(self.client.workspace_execute_command_async(types.ExecuteCommandParams(name, [*arguments])))

    def actions(self, name: str, where: types.Range | None = None) -> dict[str, str]:
        """The corrections that are offered in a part of an open text, each with what the text becomes."""
        where = where or types.Range(types.Position(0, 0), types.Position(10_000, 0))
        params = types.CodeActionParams(self.document(name), where, types.CodeActionContext([]))
        found = {}
        for action in self.wait(self.client.text_document_code_action_async(params)) or ():
            assert isinstance(action, types.CodeAction)
            assert action.edit
            assert action.edit.changes
            ((uri, (edit,)),) = action.edit.changes.items()
            assert uri == self.uri(name)
            places = TextPositions(self.texts[name], self.encoding)
            start, end = places.offset(edit.range.start), places.offset(edit.range.end)
            found[action.title] = places.text[:start] + edit.new_text + places.text[end:]
        return found

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))


def marked(text: str, mark: str = "¦") -> tuple[str, types.Position]:
    """A text without its mark, and where that stood, in UTF-16."""
    before, _, after = text.partition(mark)
    line = before.rpartition("\n")[2]
    return before + after, types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)
