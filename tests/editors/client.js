// The protocol's own library for Node as a client of `toolglot lsp`: `node client.js PROGRAM`, for `make editors`.
"use strict";
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const lsp = require("vscode-languageserver-protocol/node");

const uri = pathToFileURL(path.resolve("TOOL.md")).href;
const tool = (line) => `---
name: Archive a message
id: mail.archive
description: Moves a message \u{1f4ee}\u2028 to the archive.
${line}
inputs: { type: object }
outputs: { type: object }
---
# Archive
`;

async function main() {
  const server = spawn(process.argv[2], ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const client = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout),
    new lsp.StreamMessageWriter(server.stdin),
  );
  const pushed = [];
  client.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => pushed.push(params));
  client.listen();
  const answer = await client.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
  });
  assert.equal(answer.capabilities.positionEncoding, "utf-16");
  await client.sendNotification(lsp.InitializedNotification.type, {});
  const textDocument = { uri };
  const show = async (version, text) => {
    const change = { textDocument: { uri, version }, contentChanges: [{ text }] };
    await client.sendNotification(lsp.DidChangeTextDocumentNotification.type, change);
    return (await client.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument })).items;
  };
  const item = { uri, languageId: "markdown", version: 1, text: tool("version: 1.0.0") };
  await client.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: item });

  assert.deepEqual(await show(2, tool("version: 1.0.0")), []);
  const found = await show(3, tool("versoin: 1.0.0"));
  assert.deepEqual(found.map((one) => one.code), ["schema-required", "schema-additional-properties"]);
  assert.deepEqual(found[1].range, { start: { line: 4, character: 9 }, end: { line: 4, character: 14 } });
  assert.equal((await show(4, tool("version"))).length, 1);

  const position = { line: 4, character: 3 };
  const hover = await client.sendRequest(lsp.HoverRequest.type, { textDocument, position });
  assert.match(hover.contents.value, /The version of this contract/);
  await show(5, tool("ver"));
  const offered = await client.sendRequest(lsp.CompletionRequest.type, { textDocument, position });
  assert.equal(offered.find((one) => one.label === "version").textEdit.newText, "version: ");
  await show(6, tool("version: 1.0.0").replace("Moves", "Moves\u200b"));
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const actions = await client.sendRequest(lsp.CodeActionRequest.type, { textDocument, range, context: { diagnostics: [] } });
  assert.deepEqual(actions[0].edit.changes[uri][0].newText, "");
  const shown = await client.sendRequest(lsp.ExecuteCommandRequest.type, {
    command: "toolglot.convert",
    arguments: [uri, "mcp"],
  });
  assert.equal(JSON.parse(shown.files[0][1]).tools[0].name, "mail.archive");
  assert.deepEqual(pushed, []); // it asks for findings, and would show each twice

  await client.sendRequest(lsp.ShutdownRequest.type);
  const ended = once(server, "exit");
  await client.sendNotification(lsp.ExitNotification.type);
  assert.equal((await ended)[0], 0);
  console.log("node: findings, hover, completion, corrections and conversion");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
