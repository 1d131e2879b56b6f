// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Starts "vshader debug --dap". The command is that of the setting "vshader.path", of a folder of the
 * workspace (a checkout after "make"), of PATH, or of an installation.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

function isProgram(file)
{
	try {
		fs.accessSync(file, fs.constants.X_OK);
		return fs.statSync(file).isFile();
	} catch (error) {
		return false;
	}
}

/* The first that can be executed, or undefined. */
function findCommand(setting, folders, searchPath)
{
	if (setting)
		return isProgram(setting) ? setting : undefined;
	const places = folders.concat((searchPath || "").split(path.delimiter),
				      ["/usr/local/bin", "/usr/bin"]);
	return places.filter((place) => place)
		     .map((place) => path.join(place, "vshader")).find(isProgram);
}

class Factory {
	createDebugAdapterDescriptor()
	{
		const setting = vscode.workspace.getConfiguration("vshader").get("path");
		const folders = (vscode.workspace.workspaceFolders || []).map((f) => f.uri.fsPath);
		const command = findCommand(setting, folders, process.env.PATH);

		if (!command)
			throw new Error(setting ?
				`vshader.path: ${setting} is no program` :
				"the command vshader is not found: install it, or set vshader.path");
		return new vscode.DebugAdapterExecutable(command, ["debug", "--dap"]);
	}
}

function activate(context)
{
	context.subscriptions.push(
		vscode.debug.registerDebugAdapterDescriptorFactory("vshader", new Factory()));
}

module.exports = { activate, deactivate() {}, findCommand };
