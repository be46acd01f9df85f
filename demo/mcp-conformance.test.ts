/** Runs the official conformance suite of the Model Context Protocol against the server. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mcp } from '../plugins/mcp/index.ts';
import { callsInMemory, NO_PICTURES } from '../plugins/mcp/testing/client.ts';
import { skills } from '../plugins/skills/index.ts';
import { standardErrorFormat } from '../router/error-body.ts';
import { ValidationError } from '../router/errors.ts';
import { operation, operations } from '../router/operation.ts';
import { plugin, routersOf } from '../router/plugin.ts';
import { collectRoutes } from '../router/rest/routes.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { collectTools } from '../router/tools/tools.ts';
import { provideNode22 } from '../scripts/provision.ts';
import { MCP_PATH, mcpHandler } from '../server/http/mcp.ts';
import { openPort } from '../server/http/port.ts';
import { requestId } from '../server/http/request-id.ts';
import { startIdentity } from '../server/http/testing/serve.ts';
import { startAsking } from './testing/asking.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** Scenarios for the product itself. */
const PRODUCT = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

/** Scenarios for the same endpoint over tools with the suite's own names. */
const TOOLS = ['tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress'];

/** Scenarios that do not apply, with the reason. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'logging-set-level': "The server sends no log to clients: its log is the operator's.",
  'tools-call-with-logging': 'The same.',
  'tools-call-image': 'Tools answer text, no images.',
  'tools-call-audio': 'Tools answer no sound.',
  'tools-call-embedded-resource': 'Tools answer text, no resources.',
  'tools-call-mixed-content': 'Tools answer text alone.',
  'server-sse-polling':
    'Each request is served alone; a stream that broke off is not gone on with. The suite only warns.',
  'tools-call-sampling': "The server never has the client's model write anything.",
  'tools-call-elicitation': 'Tools only read; the server asks the client nothing.',
  'elicitation-sep1034-defaults': 'The same.',
  'elicitation-sep1330-enums': 'The same.',
  'json-schema-2020-12': 'Wants a tool with a fixed schema; ours are made from zod, and are of that dialect.',
  'resources-read-text':
    'Wants the resource test://static-text; ours are service://…, read in the tests of plugins/mcp.',
  'resources-read-binary': 'There are no binary resources.',
  'resources-templates-read': 'Wants a template test://…; ours are completed and read in the tests of plugins/mcp.',
  'resources-subscribe': 'Nothing of a conversation is kept between requests, so that any node answers.',
  'resources-unsubscribe': 'The same.',
  'prompts-get-simple': 'Prompts are skills, whose names have no underscores; read in the tests of plugins/mcp.',
  'prompts-get-with-args': 'The same: a skill has one argument, the question.',
  'prompts-get-embedded-resource': 'Prompts are text.',
  'prompts-get-with-image': 'Prompts are text.',
};

const closing: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

const node = provideNode22();

/** Runs the suite's command, and returns its output and its exit code. */
async function suite(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  if (!node.isFound) throw new Error(node.advice);
  const child = spawn(node.path, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, output };
}

/** Starts a proxy that adds credentials, which the suite cannot send, and changes nothing else. */
async function withCredentials(port: string, authorization: string): Promise<string> {
  const proxy: Server = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const path = MCP_PATH;
    const out = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, authorization } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    out.on('error', () => response.destroy());
    response.on('close', () => out.destroy());
    incoming.pipe(out);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
}

async function passes(url: string, scenario: string): Promise<void> {
  const { output } = await suite('server', '--url', url, '--scenario', scenario);
  expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
}

test('every scenario of the suite is run, or listed with the reason why it does not apply', async () => {
  const { output } = await suite('list', '--server');
  const scenarios = [...output.matchAll(/^ +- ([\w-]+) /gm)].map(([, name]) => name ?? '');
  expect(scenarios.length).toBeGreaterThan(20);
  expect(scenarios.toSorted()).toEqual([...PRODUCT, ...TOOLS, ...Object.keys(NOT_APPLICABLE)].toSorted());
});

describe('the product', () => {
  let url: string;
  beforeAll(async () => {
    const product = await startAsking({ provider: '' });
    closing.push(() => product.stop());
    url = await withCredentials(new URL(product.url).port, product.authorization);
  });
  test.each(PRODUCT)('%s', (scenario) => passes(url, scenario));
});

describe("the endpoint, over the suite's tools", () => {
  let url: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
    const { identity, state } = await startIdentity(folder, 'a password for this test');
    const tenant = await identity.tenants.ensure('default');
    const { key } = await identity.apiKeys.create({ tenant: tenant.id, label: 'suite', roles: [] });
    const { folders: catalogue } = skills({ directoryOf: async () => folder, clock: Date.now });
    const endpoint = await mcp({
      tools: suiteTools(),
      skills: catalogue,
      calls: callsInMemory(),
      ...NO_PICTURES,
      version: '1',
      log: silentLog,
    });
    const app = express();
    app.use(requestId);
    app.all(MCP_PATH, mcpHandler({ endpoint, identity, maxBodyBytes: 100_000, allowedHosts: ['localhost'] }));
    const port = await openPort('127.0.0.1', 0);
    port.serve(app);
    closing.push(async () => {
      await port.stop(0);
      await endpoint.close();
      await state.close();
      rmSync(folder, { recursive: true });
    });
    url = await withCredentials(String(port.port), `Bearer ${key}`);
  });
  test.each(TOOLS)('%s', (scenario) => passes(url, scenario));
});

/** Creates operations with the tool names that the suite calls. */
function suiteTools() {
  const tool = (name: string, run: () => Promise<{ text: string }>) =>
    operation({
      summary: name,
      access: 'user',
      rest: { method: 'POST', path: `/${name}` },
      tool: { name, title: name, description: name },
    })
      .output(z.object({ text: z.string() }))
      .mutation(run);
  const surface = plugin({
    name: 'suite',
    title: 'Suite',
    errorFormat: standardErrorFormat,
    router: operations({
      simple: tool('test_simple_text', async () => ({ text: 'This is a simple text response for testing.' })),
      error: tool('test_error_handling', () => Promise.reject(ValidationError.at(['x'], 'This fails on purpose.'))),
      progress: tool('test_tool_with_progress', async () => {
        await sleep(3_500);
        return { text: 'done' };
      }),
    }),
  });
  return collectTools({
    router: operations(routersOf([surface])),
    routes: collectRoutes([surface]),
    onError: () => {},
  });
}
