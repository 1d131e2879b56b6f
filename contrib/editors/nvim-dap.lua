-- SPDX-License-Identifier: GPL-2.0-only OR MIT
-- Neovim with nvim-dap: jobs of job files under "vshader debug --dap".
--
--   :luafile contrib/editors/nvim-dap.lua	or require() it from init.lua
--
-- Open an assembler source that a job file names, set breakpoints (:DapToggleBreakpoint) and
-- run :DapContinue. vshader has to be in PATH.
local dap = require("dap")

dap.adapters.vshader = {
	type = "executable",
	command = "vshader",
	args = { "debug", "--dap" },
}

local launch = {
	{
		type = "vshader",
		request = "launch",
		name = "Debug a job file",
		program = function()
			return vim.fn.input("Job file: ", vim.fn.getcwd() .. "/", "file")
		end,
		-- "auto", "local" or a device node
		device = "auto",
		stopOnEntry = false,
	},
}

-- File types of the sources and of job files
for _, filetype in ipairs({ "asm", "json", "pica", "qasm" }) do
	dap.configurations[filetype] = launch
end
