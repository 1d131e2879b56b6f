// SPDX-License-Identifier: GPL-2.0
/*
 * "vshader debug --dap" with the client library of VS Code's own debug adapters, npm's
 * @vscode/debugadapter-testsupport. TAP on stdout; skipped without the library (NODE_PATH).
 *
 * usage: node test_dap_client.js VSHADER JOBS [DEVICE]
 */
"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");

const NAME = "@vscode/debugadapter-testsupport";
const [vshader, jobs, device = "local"] = process.argv.slice(2);
let number = 0;
let failed = 0;

console.log("TAP version 13");

function library()
{
	try {
		return require(NAME);
	} catch (error) {
		console.log(`1..0 # SKIP there is no ${NAME}`);
		process.exit(0);
	}
}

const { DebugClient } = library();

/* The client starts a program with one argument. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vshader-dap-"));
const script = path.join(folder, "adapter.sh");
fs.writeFileSync(script, `exec '${vshader}' debug --dap --device '${device}'\n`);

async function check(text, fn)
{
	const client = new DebugClient("sh", script, "vshader");

	number++;
	try {
		await client.start();
		await fn(client);
		await client.stop();
		console.log(`ok ${number} ${text}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${number} ${text}\n# ${String(error.message).replace(/\n/g, "\n# ")}`);
		await client.stop().catch(() => {});
	}
}

function equal(got, want)
{
	if (JSON.stringify(got) !== JSON.stringify(want))
		throw new Error(`got ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
}

async function main()
{
	const program = fs.realpathSync(path.join(jobs, "demo", "08-qpu.json"));
	const source = path.join(path.dirname(program), "saxpy.qasm");

	await check("a breakpoint in a source file", (c) =>
		c.hitBreakpoint({ program }, { path: source, line: 20 }));
	await check("stopOnEntry", (c) => Promise.all([
		c.configurationSequence(),
		c.launch({ program, stopOnEntry: true }),
		c.assertStoppedLocation("entry", { path: source, line: 5 }),
	]));
	await check("steps, variables, a watched register", async (c) => {
		await c.hitBreakpoint({ program }, { path: source, line: 20 });
		const threadId = (await c.threadsRequest()).body.threads[0].id;
		await Promise.all([
			c.nextRequest({ threadId }),
			c.assertStoppedLocation("step", { path: source, line: 21 }),
		]);
		const frame = (await c.stackTraceRequest({ threadId })).body.stackFrames[0];
		const scopes = (await c.scopesRequest({ frameId: frame.id })).body.scopes;
		equal(scopes[0].name, "ra");
		const reply = await c.variablesRequest({
			variablesReference: scopes[0].variablesReference,
		});
		equal(reply.body.variables[3].name, "ra3");
		const info = await c.customRequest("dataBreakpointInfo", {
			variablesReference: scopes[0].variablesReference, name: "ra3",
		});
		const set = await c.customRequest("setDataBreakpoints", {
			breakpoints: [{ dataId: info.body.dataId, accessType: "write" }],
		});
		equal(set.body.breakpoints[0].verified, true);
		await Promise.all([
			c.continueRequest({ threadId }),
			c.assertStoppedLocation("data breakpoint", { path: source, line: 34 }),
		]);
	});
	await check("a client that counts from 0", async (c) => {
		await Promise.all([
			c.waitForEvent("initialized"),
			c.initializeRequest({
				adapterID: "vshader", linesStartAt1: false, columnsStartAt1: false,
				pathFormat: "path",
			}).then(() => c.launchRequest({ program, stopOnEntry: true })),
		]);
		const set = await c.setBreakpointsRequest({
			source: { path: source }, breakpoints: [{ line: 19 }],
		});
		equal(set.body.breakpoints[0].line, 19);
		await Promise.all([
			c.configurationDoneRequest(),
			c.assertStoppedLocation("entry", { path: source, line: 4 }),
		]);
	});
	await check("the disassembly view finds the row of the pc", async (c) => {
		await Promise.all([
			c.configurationSequence(),
			c.launch({ program, stopOnEntry: true }),
			c.waitForEvent("stopped"),
		]);
		const threadId = (await c.threadsRequest()).body.threads[0].id;
		const frame = (await c.stackTraceRequest({ threadId })).body.stackFrames[0];
		const reply = await c.customRequest("disassemble", {
			memoryReference: frame.instructionPointerReference, offset: 0,
			instructionOffset: -200, instructionCount: 400,
		});
		const rows = reply.body.instructions.map((i) => BigInt(i.address));
		equal(rows.length, 400);
		equal(rows.every((a, i) => !i || a > rows[i - 1]), true);
		equal(rows.indexOf(BigInt(frame.instructionPointerReference)), 200);
	});
	await check("to the end", (c) => Promise.all([
		c.configurationSequence(),
		c.launch({ program: path.join(jobs, "demo", "01-lit-mesh.json") }),
		c.assertOutput("console", "[Job 0 \"cube-f24\" has ended: 36 invocations]\n"),
		c.waitForEvent("terminated"),
	]));
	console.log(`1..${number}`);
	fs.rmSync(folder, { recursive: true });
	process.exit(failed ? 1 : 0);
}

main();
