// SPDX-License-Identifier: GPL-2.0
/*
 * The extension for VS Code, with a stand-in for the editor's module. TAP on stdout.
 *
 * usage: node test_vscode.js VSHADER FOLDER
 */
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

const [vshader, folder] = process.argv.slice(2).map((p) => path.resolve(p));
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), "vshader-vscode-"));
let setting = "";
let workspace = [];
let factory;
let number = 0;
let failed = 0;

const vscode = {
	workspace: {
		getConfiguration: () => ({ get: () => setting }),
		get workspaceFolders() { return workspace.map((p) => ({ uri: { fsPath: p } })); },
	},
	debug: { registerDebugAdapterDescriptorFactory: (type, f) => { factory = f; } },
	DebugAdapterExecutable: class {
		constructor(command, args)
		{
			this.command = command;
			this.args = args;
		}
	},
};

const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);

function result(ok, text)
{
	number++;
	failed += !ok;
	console.log(`${ok ? "" : "not "}ok ${number} ${text}`);
}

function program(name)
{
	const dir = path.join(tmp, name);

	fs.mkdirSync(dir);
	fs.symlinkSync(vshader, path.join(dir, "vshader"));
	return dir;
}

console.log("TAP version 13");
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
const extension = require(path.join(folder, manifest.main));
const types = manifest.contributes.debuggers.map((d) => d.type);
const find = () => factory.createDebugAdapterDescriptor().command;

extension.activate({ subscriptions: [] });
result(types.includes("vshader") && factory, "the manifest names the extension's adapter");
result(manifest.contributes.configuration.properties["vshader.path"], "it has the setting");

const inPath = program("path");
const inFolder = program("folder");
process.env.PATH = `${tmp}${path.delimiter}${inPath}`;
result(find() === path.join(inPath, "vshader"), "the command of PATH");
workspace = [tmp, inFolder];
result(find() === path.join(inFolder, "vshader"), "that of a folder of the workspace");
setting = vshader;
result(find() === vshader, "that of the setting");
setting = path.join(tmp, "none");
let message = "";
try {
	find();
} catch (error) {
	message = error.message;
}
result(message === `vshader.path: ${setting} is no program`, "a setting that is wrong");
fs.mkdirSync(path.join(tmp, "vshader"));
result(extension.findCommand("", [tmp], inPath) === path.join(inPath, "vshader"),
       "a folder is no command");

setting = "";
const adapter = factory.createDebugAdapterDescriptor();
const request = JSON.stringify({ seq: 1, type: "request", command: "initialize",
				 arguments: { adapterID: "vshader" } });
const done = childProcess.spawnSync(adapter.command, adapter.args, {
	input: `Content-Length: ${request.length}\r\n\r\n${request}`, encoding: "utf8",
});
result(done.stdout.includes('"command":"initialize"') && done.stdout.includes('"success":true'),
       "what it starts answers");
fs.rmSync(tmp, { recursive: true });
console.log(`1..${number}`);
process.exit(failed ? 1 : 0);
