-- Neovim as a client of `toolglot lsp`: `nvim --headless --clean -l client.lua PROGRAM`, for `make editors`.
local folder = vim.fn.tempname()
vim.fn.mkdir(folder .. "/.git", "p")
local text = [[
---
name: Archive a message
id: mail.archive
description: Moves a message 📮 to the archive.
versoin: 1.0.0
inputs: { type: object }
outputs: { type: object }
---
# Archive
]]
vim.fn.writefile(vim.split(text, "\n"), folder .. "/TOOL.md")
vim.cmd.edit(folder .. "/TOOL.md")

local function equal(found, expected)
  if not vim.deep_equal(found, expected) then
    print(vim.inspect({ found = found, expected = expected }))
    os.exit(1)
  end
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    print("nothing came: " .. what)
    os.exit(1)
  end
end

local client = vim.lsp.get_client_by_id(assert(vim.lsp.start({ name = "toolglot", cmd = { arg[1], "lsp" }, root_dir = folder })))
wait("findings", function() return #vim.diagnostic.get(0) > 0 end)
vim.wait(300)
local found = vim.diagnostic.get(0)
table.sort(found, function(one, other) return one.lnum < other.lnum end)
equal(#found, 2) -- each once, though this client can be told and can ask
equal({ found[2].code, found[2].lnum, found[2].col, found[2].end_col }, { "schema-additional-properties", 4, 9, 14 })
equal(client.offset_encoding, "utf-8")

vim.api.nvim_buf_set_lines(0, 4, 5, false, { "version: 1.0.0" })
wait("no findings", function() return #vim.diagnostic.get(0) == 0 end)
local place = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 4, character = 2 } }
local hover = client:request_sync("textDocument/hover", place, 20000, 0)
equal(hover.result.contents.value:match("The version of this contract") ~= nil, true)
local shown = client:request_sync("workspace/executeCommand", {
  command = "toolglot.convert",
  arguments = { vim.uri_from_bufnr(0), "mcp" },
}, 20000, 0)
equal(vim.json.decode(shown.result.files[1][2]).tools[1].name, "mail.archive")
client:stop()
wait("the end", function() return client:is_stopped() end)
print("neovim: findings once, an edit, hover and conversion\n")
