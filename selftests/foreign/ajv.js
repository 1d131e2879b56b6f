// SPDX-License-Identifier: GPL-2.0
// The verdicts of ajv on a list of job_files.py: node ajv.js NODE_MODULES SCHEMA < LIST
"use strict";
const fs = require("fs");
const [modules, schemaName] = process.argv.slice(2);
const Ajv = require(modules + "/ajv/dist/2020").default;

const schema = JSON.parse(fs.readFileSync(schemaName, "utf8"));
const said = [];
const logger = { log() {}, warn: text => said.push(text), error: text => said.push(text) };
// of the default, unknown keywords and those that have no effect where they stand are errors
const ajv = new Ajv({ logger });

if (schema.$schema !== ajv.defaultMeta())
	throw new Error(`the draft ${schema.$schema} is not ${ajv.defaultMeta()}`);
if (!ajv.validateSchema(schema))
	throw new Error(ajv.errorsText());
const validate = ajv.compile(schema);

if (said.length)
	throw new Error(said.join("\n"));
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(([, text]) => {
	try {
		return validate(JSON.parse(text));
	} catch (error) {
		return null;
	}
})));
process.stderr.write(`ajv ${require(modules + "/ajv/package.json").version}, the draft ${schema.$schema}\n`);
