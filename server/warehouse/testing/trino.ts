import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sharedServer } from '../../state/testing/shared-servers.ts';

/** A new catalog in the memory of a Trino server. Its tables are in the schema `default`. */
export interface TestTrino {
  /** `host:port/catalog/default` */
  readonly place: string;
  administer(statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

/** The release for tests, from `trino-server/pom.xml`. */
const TRINO_VERSION = '476';
/** The oldest Java release that Trino 476 accepts. */
const MIN_JAVA = 24;
const START_WITHIN_MS = 180_000;
const POLL_MS = 20;

const PROJECT = fileURLToPath(new URL('./trino-server/', import.meta.url));
const LIBRARIES = join(process.cwd(), '.cache/trino/lib');
/** Copies the server's libraries, 193 MB, from Maven Central. */
export const TRINO_INSTALL = [
  'mvn',
  '--quiet',
  '--batch-mode',
  '--file',
  join(PROJECT, 'pom.xml'),
  'dependency:copy-dependencies',
  `-DoutputDirectory=${LIBRARIES}`,
  '-DincludeScope=runtime',
] as const;

function givenUrl(): string | undefined {
  const url = process.env.SERVICE_TEST_TRINO_URL;
  return url === '' ? undefined : url;
}

function hasLibraries(): boolean {
  return existsSync(join(LIBRARIES, `trino-testing-${TRINO_VERSION}.jar`));
}

let java: string | null | undefined;

/** Returns the path of a Java that runs the server, from JAVA_HOME, the path, or the usual folders; `undefined` where none is recent enough. */
export function javaForTrino(): string | undefined {
  if (java === undefined) java = javaPrograms().find(isRecent) ?? null;
  return java ?? undefined;
}

function javaPrograms(): readonly string[] {
  const homes = [process.env.SERVICE_TEST_JAVA_HOME, process.env.JAVA_HOME].filter(
    (home) => home !== undefined && home !== '',
  );
  const folder = '/usr/lib/jvm';
  const installed = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [
    ...homes.map((home) => join(home ?? '', 'bin/java')),
    'java',
    ...installed.map((home) => join(home, 'bin/java')),
  ];
}

function isRecent(program: string): boolean {
  const { status, stderr } = spawnSync(program, ['-version'], { encoding: 'utf8', timeout: 10_000 });
  const [, release] = /version "(\d+)/.exec(stderr ?? '') ?? [];
  return status === 0 && Number(release) >= MIN_JAVA;
}

/** Explains in one line why Trino is missing; `undefined` where it is available. */
export function trinoMissing(): string | undefined {
  if (givenUrl() !== undefined) return undefined;
  if (javaForTrino() === undefined)
    return `no Java ${MIN_JAVA} or later here for a Trino server: name its folder in SERVICE_TEST_JAVA_HOME, or a server in SERVICE_TEST_TRINO_URL`;
  if (!hasLibraries())
    return 'no Trino server here: with Maven, `npm test` copies one; or name one in SERVICE_TEST_TRINO_URL';
  return undefined;
}

/**
 * Creates a catalog on the server of `SERVICE_TEST_TRINO_URL` (`http://host:8080`, with dynamic catalogs), else on the server that the test run
 * shares, else on a new one.
 */
export async function startTrino(setUp: readonly string[]): Promise<TestTrino> {
  const shared = givenUrl() ?? (await sharedServer('trino'));
  const server = shared === undefined ? await startTrinoServer() : { url: shared, stop: async () => undefined };
  const catalog = `test_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const administer = async (statements: readonly string[]) => {
    let rows: readonly Readonly<Record<string, unknown>>[] = [];
    for (const statement of statements) rows = await runOnTrino(server.url, statement, catalog);
    return rows;
  };
  try {
    // Tables of tests are small: each split more is a driver more in every scan.
    const settings = `"memory.max-data-per-node" = '512MB', "memory.splits-per-node" = '1'`;
    await runOnTrino(server.url, `CREATE CATALOG ${catalog} USING memory WITH (${settings})`);
    await administer(setUp);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    place: `${new URL(server.url).host}/${catalog}/default`,
    administer,
    async stop() {
      await runOnTrino(server.url, `DROP CATALOG ${catalog}`);
      await server.stop();
    },
  };
}

const Answer = z.object({
  nextUri: z.string().optional(),
  columns: z.array(z.object({ name: z.string() })).optional(),
  data: z.array(z.array(z.unknown())).optional(),
  error: z.object({ message: z.string(), errorName: z.string() }).optional(),
});

/**
 * Runs a statement as an administrator by Trino's client protocol and returns its rows.
 *
 * @throws Error with the server's own words
 */
async function runOnTrino(
  server: string,
  statement: string,
  catalog?: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const headers = {
    'x-trino-user': 'admin',
    'x-trino-time-zone': 'UTC',
    ...(catalog === undefined ? {} : { 'x-trino-catalog': catalog, 'x-trino-schema': 'default' }),
  };
  const rows: Record<string, unknown>[] = [];
  let response = await fetch(new URL('/v1/statement', server), { method: 'POST', headers, body: statement });
  for (;;) {
    const text = await response.text();
    if (!response.ok) throw new Error(`Trino answered ${response.status}: ${text.slice(0, 500)}`);
    const { nextUri, columns = [], data = [], error } = Answer.parse(JSON.parse(text));
    if (error !== undefined) throw new Error(`${error.errorName}: ${error.message}\n${statement}`);
    rows.push(...data.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))));
    if (nextUri === undefined) return rows;
    if (data.length === 0) await delay(POLL_MS);
    response = await fetch(nextUri, { headers });
  }
}

/** A running server of one process, with its tables in memory. */
export interface TestTrinoServer {
  readonly url: string;
  /** The process, for tests that kill it. */
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1, with the connectors `memory` and `tpch`. It ends with this process. */
export async function startTrinoServer(): Promise<TestTrinoServer> {
  const program = javaForTrino();
  if (program === undefined || !hasLibraries()) throw new Error(trinoMissing());
  const child = spawn(
    program,
    [
      // With 2 GiB, the memory was full after half of the unit tests, and a tenth of the processor time went to collecting garbage.
      '-Xmx3g',
      '-Xmn1g',
      // The first compiler alone: the second one costs more than it saves, because few statements are sent (`docs/internals/warehouse-tests.md`).
      '-XX:TieredStopAtLevel=1',
      // With that compiler alone the code cache has 48 MB, and its threshold caused a collection of the whole memory about every 20 s.
      '-XX:ReservedCodeCacheSize=240m',
      // Loading classes caused three more at the start.
      '-XX:MetaspaceSize=256m',
      '-XX:+UseSerialGC',
      '--add-modules=jdk.incubator.vector',
      '--sun-misc-unsafe-memory-access=allow',
      '-cp',
      join(LIBRARIES, '*'),
      join(PROJECT, 'TrinoForTests.java'),
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let complaints = '';
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL'); // Its tables are in memory: nothing is lost.
    await end;
  };
  process.once('exit', () => child.kill('SIGKILL'));
  const address = new Promise<string>((resolve, reject) => {
    // The server redirects standard output to its log, which is standard error. Both are read completely, so that the server never blocks.
    createInterface({ input: child.stderr }).on('line', (line) => {
      complaints = `${complaints}${line}\n`.slice(-4_000);
      const [, url] = /\bready (http:\/\/\S+)$/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('close', (code) =>
      reject(new Error(`The Trino server ended with ${code}: ${complaints.slice(-1_000)}`)),
    );
  });
  const giveUp = new AbortController();
  try {
    const tooLate = delay(START_WITHIN_MS, undefined, { signal: giveUp.signal }).then(() => {
      throw new Error(`The Trino server was not ready within ${START_WITHIN_MS / 1000} s: ${complaints.slice(-1_000)}`);
    });
    return { url: await Promise.race([address, tooLate]), child, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    giveUp.abort();
  }
}
