-- Drives Neovim with the settings that `docs/pages/start/editor.md` shows, as a person would: opens a template, waits for findings,
-- applies a quick fix, requests a hover and a completion. Ends with an error at the first thing that is not as it should be.
--
--     nvim --headless --clean -u INIT FILE -S .ci/neovim.lua

local function need(what, condition, found)
  if not condition then
    io.stderr:write(('%s: %s\n'):format(what, vim.inspect(found)))
    vim.cmd('cquit 1')
  end
end

local function wait(what, condition)
  need(what, vim.wait(60000, condition, 20), vim.diagnostic.get(0))
end

local function codes()
  local found = vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
  table.sort(found)
  return table.concat(found, ' ')
end

local function client()
  return vim.lsp.get_clients({ bufnr = 0, name = 'eventrie' })[1]
end

--- What the server answers to a request about the place after some words.
local function ask(method, text)
  local line = vim.fn.search('\\V' .. text .. '\\zs', 'cw')
  need('the text is there', line > 0, text)
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  local answer = client():request_sync(method, params, 60000, 0)
  need(method, answer and answer.result, answer)
  return answer.result
end

wait('the server starts', function() return client() ~= nil end)
wait('findings', function() return codes() == 'E0006' end)

-- The quick fix at the finding, applied by the editor itself.
vim.fn.search('\\Vaws.ec2', 'w')
vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
wait('the fix is applied', function() return vim.fn.search('\\V[aws.ec2]', 'nw') > 0 end)
wait('its finding is gone, and the next one seen', function() return codes() == 'W0007' end)

local hover = ask('textDocument/hover', '{wild')
need('hover', hover.contents.value:find('`wildcard`', 1, true), hover)

local proposals = ask('textDocument/completion', '[aws.')
need('completion', #(proposals.items or proposals) > 0, proposals)

print(('neovim %s: findings, a quick fix, a hover and %d proposals'):format(tostring(vim.version()), #(proposals.items or proposals)))
vim.cmd('qall!')
