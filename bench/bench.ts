/**
 * Measures the figures of `docs/internals/benchmarks.md` on the built product: `npm run build && npm run bench`.
 * Absolute times depend on the machine; each has a baseline of the same run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const RUNS = 7;
const PORT = 18_471;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
const row = (name: string, ...cells: readonly string[]) => console.log(`| ${[name, ...cells].join(' | ')} |`);

interface Start {
  readonly firstAnswerMs: number;
  readonly firstQueryMs: number;
  readonly rssBytes: number;
}

/**
 * Times from the spawn of `node dist/service.js start --demo` to the first answers, in a home whose demo is staged.
 */
async function start(home: string): Promise<Start> {
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/service.js', 'start', '--home', home, '--port', String(PORT), '--demo'],
    {
      env: { ...process.env, SERVICE_ADMIN_PASSWORD: 'a password for the benchmark', SERVICE_LOG_LEVEL: 'warn' },
      stdio: 'ignore',
    },
  );
  try {
    await answered(`http://127.0.0.1:${PORT}/healthz`);
    const firstAnswerMs = performance.now() - begun;
    await answered(`http://127.0.0.1:${PORT}/rest/service/api/embed/query/shared/demo/sales-by-region.service`);
    const firstQueryMs = performance.now() - begun;
    return { firstAnswerMs, firstQueryMs, rssBytes: residentBytes(child.pid ?? 0) };
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}

async function answered(url: string): Promise<void> {
  for (const limit = performance.now() + 120_000; performance.now() < limit; ) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) {
      await response.arrayBuffer();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${url} did not answer in two minutes`);
}

function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Times the baseline: Node alone, started and ended. */
async function bareNode(): Promise<number> {
  const begun = performance.now();
  await new Promise((resolve) => spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).once('exit', resolve));
  return performance.now() - begun;
}

const home = mkdtempSync(join(tmpdir(), 'service-bench-'));
try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores, ${RUNS} runs after one that stages the demo; medians.\n`,
  );
  const staged = await start(home);
  const starts: Start[] = [];
  const bare: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    bare.push(await bareNode());
    starts.push(await start(home));
  }
  row('figure', 'value', 'ratio to bare `node -e 0`');
  row('---', '---', '---');
  const base = median(bare);
  const ms = (values: readonly number[]) =>
    [`${median(values).toFixed(0)} ms`, `${(median(values) / base).toFixed(1)}×`] as const;
  row('bare Node, start to end', `${base.toFixed(0)} ms`, '1×');
  row('start to the first answered request (`/healthz`)', ...ms(starts.map((each) => each.firstAnswerMs)));
  row('start to the first answered query of the demo', ...ms(starts.map((each) => each.firstQueryMs)));
  row(
    'the very first start, which stages the demo',
    `${staged.firstQueryMs.toFixed(0)} ms`,
    `${(staged.firstQueryMs / base).toFixed(0)}×`,
  );
  row(
    'memory after that query (resident)',
    `${(median(starts.map((each) => each.rssBytes)) / 1_048_576).toFixed(0)} MiB`,
    '',
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}

console.log('');
row('file', 'gzip', 'plain');
row('---', '---', '---');
const charts = readdirSync('dist/ui').find((name) => /^service-embed-charts-.*\.js$/.test(name)) ?? 'no charts';
const sizes = ['service-embed.js', charts].map((name) => {
  const bytes = readFileSync(join('dist/ui', name));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  row(`\`/ui/${name}\``, kib(gzip), kib(bytes.length));
  return gzip;
});
row('a table-only page loads in all (beside its data)', kib(sizes[0] ?? Number.NaN), '');
row('a page with a chart loads in all (beside its data)', kib(sizes.reduce((sum, size) => sum + size, 0)), '');
