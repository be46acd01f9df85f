/** Embed tokens in the state, from none to a million: what a token costs to make, to read with and to list. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readAll } from '../http-load.ts';
import { head, median, mib, row } from '../print.ts';
import {
  ADMIN_PASSWORD,
  answered,
  inHome,
  processorMs,
  type Running,
  residentBytes,
  startService,
} from '../processes.ts';

const PORT = 28_521;
const SIZES = [0, 10_000, 100_000, 1_000_000] as const;
const TOKENS_OF_AN_OWNER = 100;
const RUNS = 9;
const READS = 300;
const EMBEDS = '/rest/service/api/embed';
const DOCUMENT = 'shared/demo/sales-by-region.service';
const HEADERS = {
  'Content-Type': 'application/json',
  Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
};

export async function scaleTokensPart(): Promise<void> {
  await inHome(async (home) => {
    head('tokens in the state', 'making one', 'listing an owner’s', 'reading with one', 'memory', 'file of the state');
    for (const size of SIZES) {
      if (size > 0) addTokens(home, size);
      const service = startService(home, PORT);
      try {
        await answered(`${service.url}${EMBEDS}/query/${DOCUMENT}`);
        row(size.toLocaleString('en'), ...(await measured(service)), mib(stateBytes(home)));
      } finally {
        await service.stop();
      }
    }
  });
}

async function measured(service: Running): Promise<readonly string[]> {
  const made: number[] = [];
  const listed: number[] = [];
  let token = '';
  for (let run = 0; run < RUNS; run++) {
    const body = JSON.stringify({ resourceKind: 'query', resourcePath: DOCUMENT });
    made.push(
      await processorOf(service, async () => {
        ({ token } = await sent(`${service.url}${EMBEDS}/tokens`, { method: 'POST', headers: HEADERS, body }));
      }),
    );
    listed.push(await processorOf(service, () => sent(`${service.url}${EMBEDS}/tokens`, { headers: HEADERS })));
  }
  const read = { path: `${EMBEDS}/query/${DOCUMENT}`, headers: { 'X-Service-Embed-Token': token } };
  const connections = Array.from({ length: 4 }, () => [read]);
  await readAll({ port: PORT, connections, reads: READS });
  const reading = await processorOf(service, () => readAll({ port: PORT, connections, reads: READS }));
  return [
    `${median(made).toFixed(0)} ms`,
    `${median(listed).toFixed(0)} ms`,
    `${((reading * 1_000) / (READS * connections.length)).toFixed(0)} µs`,
    mib(residentBytes(service.pid)),
  ];
}

async function processorOf({ pid }: Running, work: () => Promise<unknown>): Promise<number> {
  const before = processorMs(pid);
  await work();
  return processorMs(pid) - before;
}

async function sent(url: string, request: RequestInit): Promise<{ readonly token: string }> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(await response.text());
  return JSON.parse(await response.text());
}

/** Adds tokens of other owners to the state, so that there are as many. */
function addTokens(home: string, size: number): void {
  const state = new Database(join(home, 'data/state.sqlite'));
  const given = state.prepare<[string], { readonly name: string }>('SELECT name FROM pragma_table_info(?)');
  const own = new Map([
    ['id', 'lower(hex(randomblob(16)))'],
    ['token_hash', 'lower(hex(randomblob(32)))'],
    ['owner', `'owner ' || (n / ${TOKENS_OF_AN_OWNER})`],
  ]);
  const columns = given.all('embed_tokens').map(({ name }) => name);
  const present = state.prepare<[], { readonly n: number }>('SELECT count(*) AS n FROM embed_tokens').get()?.n ?? 0;
  state.exec(`WITH RECURSIVE counted(n) AS (SELECT ${present} UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < ${size})
    INSERT INTO embed_tokens (${columns.join(', ')})
    SELECT ${columns.map((name) => own.get(name) ?? `one.${name}`).join(', ')} FROM counted, (SELECT * FROM embed_tokens LIMIT 1) AS one`);
  state.close();
}

function stateBytes(home: string): number {
  const state = new Database(join(home, 'data/state.sqlite'), { readonly: true });
  const { bytes } = state
    .prepare<[], { readonly bytes: number }>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    )
    .get() ?? { bytes: Number.NaN };
  state.close();
  return bytes;
}
