// A client of TypeScript's SDK: lists the tools of a server, calls each, and prints what came as JSON.
// node client.mjs FOLDER PACKAGE ASKS WAY TARGET...: the folder has the packages; the target is a command, or an address
// and the token that it wants.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, name, asks, way, ...target] = process.argv.slice(2);
const packages = createRequire(`${folder}/package.json`);
const load = (path) => import(pathToFileURL(packages.resolve(path)));

const isOlder = name === "@modelcontextprotocol/sdk";
const { Client } = await load(isOlder ? `${name}/client/index.js` : name);
const { StdioClientTransport } = await load(isOlder ? `${name}/client/stdio.js` : `${name}/stdio`);
const { StreamableHTTPClientTransport } = await load(isOlder ? `${name}/client/streamableHttp.js` : name);
const question = isOlder ? (await load(`${name}/types.js`)).ElicitRequestSchema : "elicitation/create";

const capabilities = asks === "yes" ? { elicitation: isOlder ? {} : { form: {} } } : {};
const client = new Client({ name: "tests", version: "1" }, { capabilities, versionNegotiation: { mode: "auto" } });
const questions = [];
if (asks === "yes") {
  client.setRequestHandler(question, async (request) => {
    questions.push(request.params.message);
    return { action: "accept", content: { carry_out: true } };
  });
}
const headers = target[1] ? { Authorization: `Bearer ${target[1]}` } : {};
const transport =
  way === "stdio"
    ? new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env })
    : new StreamableHTTPClientTransport(new URL(target[0]), { requestInit: { headers } });
await client.connect(transport);
const { tools } = await client.listTools();
const results = {};
for (const tool of tools) {
  try {
    results[tool.name] = await client.callTool({ name: tool.name, arguments: {} });
  } catch (error) {
    results[tool.name] = { thrown: error.message };
  }
}
await client.close();
console.log(JSON.stringify({ tools, results, questions }));
