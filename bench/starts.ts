/** Times of a start, memory after it, and sizes of the delivered files. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { head, kib, median, mib, row } from './print.ts';
import { answered, inHome, processorMs, residentBytes, startService } from './processes.ts';

const RUNS = 7;
const PORT = 28_471;

interface Start {
  readonly firstAnswerMs: number;
  readonly firstQueryMs: number;
  readonly rssBytes: number;
  /** Processor time of the process until then. */
  readonly processorMs: number;
}

/** Times from the spawn of the service to the first answers, in a home whose demo is staged. */
async function start(home: string): Promise<Start> {
  const begun = performance.now();
  const service = startService(home, PORT);
  try {
    await answered(`${service.url}/healthz`);
    const firstAnswerMs = performance.now() - begun;
    await answered(`${service.url}/rest/service/api/embed/query/shared/demo/sales-by-region.service`);
    const firstQueryMs = performance.now() - begun;
    const { pid } = service;
    return { firstAnswerMs, firstQueryMs, rssBytes: residentBytes(pid), processorMs: processorMs(pid) };
  } finally {
    await service.stop();
  }
}

/** Times a process of Node, from its start to its end. */
async function bareNode(args: readonly string[]): Promise<number> {
  const begun = performance.now();
  await new Promise((resolve) => spawn(process.execPath, args, { stdio: 'ignore' }).once('exit', resolve));
  return performance.now() - begun;
}

/** Loads the libraries of the service that any such service needs, opens a database and answers one request. */
const BARE_SCRIPT = `
  const express = require('express');
  const Database = require('better-sqlite3');
  const { DuckDBInstance } = require('@duckdb/node-api');
  require('helmet'); require('compression'); require('pino'); require('zod');
  const app = express();
  new Database(':memory:').prepare('select 1').get();
  app.get('/', async (_request, response) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    response.json((await connection.runAndReadAll('select 42 as answer')).getRowsJson());
  });
  const server = app.listen(0, '127.0.0.1', async () => {
    await (await fetch('http://127.0.0.1:' + server.address().port)).text();
    process.exit(0);
  });
`;

export async function startsPart(): Promise<void> {
  await inHome(async (home) => {
    const staged = await start(home);
    const starts: Start[] = [];
    const bare: number[] = [];
    const scripts: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      bare.push(await bareNode(['-e', '0']));
      scripts.push(await bareNode(['-e', BARE_SCRIPT]));
      starts.push(await start(home));
    }
    head('figure', 'value', 'ratio to bare `node -e 0`', 'ratio to a bare script with the same libraries');
    const base = median(bare);
    const script = median(scripts);
    const times = (values: readonly number[]) => [
      `${median(values).toFixed(0)} ms`,
      `${(median(values) / base).toFixed(1)}×`,
      `${(median(values) / script).toFixed(1)}×`,
    ];
    row('bare Node, start to end', ...times(bare));
    row('bare script: Express, SQLite and DuckDB, to its first answered query', ...times(scripts));
    row('start to the first answered request (`/healthz`)', ...times(starts.map((each) => each.firstAnswerMs)));
    row('start to the first answered query of the demo', ...times(starts.map((each) => each.firstQueryMs)));
    row('the very first start, which stages the demo', ...times([staged.firstQueryMs]));
    row('processor time until that query', `${median(starts.map((each) => each.processorMs)).toFixed(0)} ms`, '', '');
    row('memory after that query (resident)', mib(median(starts.map((each) => each.rssBytes))), '', '');
  });
}

export async function sizesPart(): Promise<void> {
  head('file', 'gzip', 'plain');
  const charts = readdirSync('dist/ui').find((name) => /^service-embed-charts-.*\.js$/.test(name)) ?? 'no charts';
  const sizes = ['service-embed.js', charts].map((name) => {
    const bytes = readFileSync(join('dist/ui', name));
    const gzip = gzipSync(bytes, { level: 9 }).length;
    row(`\`/ui/${name}\``, kib(gzip), kib(bytes.length));
    return gzip;
  });
  row('a table-only page loads in all (beside its data)', kib(sizes[0] ?? Number.NaN), '');
  row('a page with a chart loads in all (beside its data)', kib(sizes.reduce((sum, size) => sum + size, 0)), '');
}
