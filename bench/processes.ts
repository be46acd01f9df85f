/** Starts the processes that the benchmarks measure: the built product, and baselines. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ADMIN_PASSWORD = 'a password for the benchmark';

export interface Running {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `node dist/service.js start` in a home, by default with the demo. Does not wait for an answer. */
export function startService(home: string, port: number, { isDemo = true } = {}): Running {
  const child = spawn(
    process.execPath,
    ['dist/service.js', 'start', '--home', home, '--port', String(port), ...(isDemo ? ['--demo'] : [])],
    {
      env: { ...process.env, SERVICE_ADMIN_PASSWORD: ADMIN_PASSWORD, SERVICE_LOG_LEVEL: 'warn' },
      stdio: 'ignore',
    },
  );
  return running(child, port);
}

/** Starts a file of this folder as a process of its own. */
export function startScript(file: string, port: number, args: readonly string[] = []): Running {
  const path = join(import.meta.dirname, file);
  const child = spawn(process.execPath, ['--import', 'tsx', path, String(port), ...args], { stdio: 'ignore' });
  return running(child, port);
}

function running(child: ChildProcess, port: number): Running {
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Runs `work` with a new, empty home folder, and removes the folder. */
export async function inHome<Result>(work: (home: string) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'service-bench-'));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Waits for the first success of an address, and returns its text.
 *
 * @throws Error after two minutes
 */
export async function answered(url: string): Promise<string> {
  for (const limit = performance.now() + 120_000; performance.now() < limit; ) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return response.text();
    await response?.arrayBuffer();
    // Each question takes processor time of the process that starts.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${url} did not answer in two minutes`);
}

/**
 * Waits until a port takes connections.
 *
 * @throws Error after a minute
 */
export async function listening(port: number): Promise<void> {
  for (const limit = performance.now() + 60_000; performance.now() < limit; ) {
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing listens on port ${port}`);
}

const CLOCK_TICKS_A_SECOND = 100;

/** Returns the processor time that a process has used, in milliseconds. Other load of the machine hardly changes it. */
export function processorMs(pid: number): number {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [, , , , , , , , , , , user, system] = after.split(' ');
  return ((Number(user) + Number(system)) * 1_000) / CLOCK_TICKS_A_SECOND;
}

export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
