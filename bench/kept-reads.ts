/** Reads of answers that were asked before: one embed at many connections, and a dashboard with many viewers at once. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadOptions, type Read, readAll } from './http-load.ts';
import { head, median, row } from './print.ts';
import { ADMIN_PASSWORD, answered, inHome, processorMs, type Running, startScript, startService } from './processes.ts';

const PORT = 28_481;
const BASELINE_PORT = 28_482;
const ROUNDS = 7;
/** Reads on each connection in a round, and before the first: the engine optimises functions that are called often. */
const READS = 100;
const WARM_UP_READS = 500;
const CONNECTIONS = 16;
/** With the tokens of the other reads, an account may have no more. */
const VIEWERS = 190;
const DASHBOARD = 'shared/demo/shop-overview.servicedash';
const EMBEDS = '/rest/service/api/embed';
const DOCUMENTS = ['sales-by-region', 'monthly-sales-by-channel', 'sales-by-city'];

/** Makes an embed token as the administrator. */
async function tokenFor(url: string, resourceKind: string, resourcePath: string, viewer: string): Promise<string> {
  const response = await fetch(`${url}${EMBEDS}/tokens`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({ resourceKind, resourcePath, viewer: { id: viewer } }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { token }: { readonly token: string } = JSON.parse(await response.text());
  return token;
}

async function statementsOf(url: string): Promise<number> {
  const text = await answered(`${url}/metrics`);
  const counts = text.matchAll(/^service_warehouse_statement_duration_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Compares the reads of an embed with bare Express that sends the same bytes. */
async function compareEmbed(service: Running, home: string, name: string, encoding: 'gzip' | undefined): Promise<void> {
  const { url } = service;
  const path = `shared/demo/${name}.service`;
  const token = await tokenFor(url, 'query', path, 'bench');
  const headers = {
    'X-Service-Embed-Token': token,
    ...(encoding === undefined ? {} : { 'Accept-Encoding': encoding }),
  };
  const read: Read = { path: `${EMBEDS}/query/${path}`, headers };
  const connections = Array.from({ length: CONNECTIONS }, () => [read]);
  await readAll({ port: PORT, connections, reads: WARM_UP_READS });
  const body = await rawBody(`${url}${read.path}`, headers);
  const file = join(home, 'answer.bytes');
  writeFileSync(file, body);
  const baseline = startScript('bare-express.ts', BASELINE_PORT, [file, ...(encoding === undefined ? [] : [encoding])]);
  try {
    await rawBody(baseline.url, {}, 200);
    const ours: Measured[] = [];
    const bare: Measured[] = [];
    await readAll({ port: BASELINE_PORT, connections, reads: WARM_UP_READS });
    for (let i = 0; i < ROUNDS; i++) {
      const one = await measured(service, { port: PORT, connections, reads: READS });
      const other = await measured(baseline, { port: BASELINE_PORT, connections, reads: READS });
      ours.push(one);
      bare.push(other);
    }
    const ratioOf = (of: (one: Measured) => number) =>
      median(ours.map((one, i) => of(one) / of(bare[i] ?? one))).toFixed(2);
    row(
      `\`${name}\`${encoding === undefined ? '' : `, ${encoding}`} (${body.length} bytes)`,
      `${median(ours.map((each) => each.perSecond)).toFixed(0)}/s`,
      `${median(bare.map((each) => each.perSecond)).toFixed(0)}/s`,
      ratioOf((one) => one.perSecond),
      `${median(ours.map((each) => each.processorMicros)).toFixed(0)} µs`,
      `${median(bare.map((each) => each.processorMicros)).toFixed(0)} µs`,
      ratioOf((one) => 1 / one.processorMicros),
    );
  } finally {
    await baseline.stop();
    rmSync(file);
  }
}

interface Measured {
  readonly perSecond: number;
  /** Processor time of one read. */
  readonly processorMicros: number;
}

async function measured({ pid }: Running, options: LoadOptions): Promise<Measured> {
  const before = processorMs(pid);
  const { reads, perSecond } = await readAll(options);
  return { perSecond, processorMicros: ((processorMs(pid) - before) * 1_000) / reads };
}

/** Returns the bytes of an answer as they were sent, still compressed. */
async function rawBody(url: string, headers: Readonly<Record<string, string>>, attempts = 1): Promise<Buffer> {
  const { get } = await import('node:http');
  for (let i = 1; ; i++) {
    try {
      return await new Promise((resolve, reject) => {
        get(url, { headers }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () => resolve(Buffer.concat(pieces)));
        }).on('error', reject);
      });
    } catch (error) {
      if (i >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Reads all tiles of a dashboard for many viewers, each with a token, in turns with bare Express that sends the bytes of one tile. */
async function readDashboard(service: Running, home: string): Promise<void> {
  const { url } = service;
  const layout: { readonly tiles: readonly { readonly id: string; readonly kind: string }[] } = JSON.parse(
    await answered(`${url}${EMBEDS}/dashboard/${DASHBOARD}`),
  );
  const withData = layout.tiles.filter(({ kind }) => kind !== 'text' && kind !== 'filter');
  const connections: (readonly Read[])[] = [];
  for (let i = 0; i < VIEWERS; i++) {
    const token = await tokenFor(url, 'dashboard', DASHBOARD, `viewer-${i}`);
    connections.push(
      withData.map(({ id }) => ({
        path: `${EMBEDS}/dashboard/${DASHBOARD}/tiles/${id}`,
        headers: { 'X-Service-Embed-Token': token },
      })),
    );
  }
  const before = await statementsOf(url);
  const options = { port: PORT, connections, reads: withData.length };
  const first = await measured(service, options);
  const statements = (await statementsOf(url)) - before;
  const tiles: Buffer[] = [];
  for (const { path, headers } of connections[0] ?? []) tiles.push(await rawBody(`${url}${path}`, headers ?? {}));
  const body =
    tiles.toSorted((one, other) => one.length - other.length)[Math.floor(tiles.length / 2)] ?? Buffer.alloc(0);
  const file = join(home, 'tile.bytes');
  writeFileSync(file, body);
  const baseline = startScript('bare-express.ts', BASELINE_PORT, [file]);
  const later: Measured[] = [];
  const bare: Measured[] = [];
  try {
    await rawBody(baseline.url, {}, 200);
    await measured(baseline, { ...options, port: BASELINE_PORT });
    for (let i = 0; i < ROUNDS; i++) {
      later.push(await measured(service, options));
      bare.push(await measured(baseline, { ...options, port: BASELINE_PORT }));
    }
  } finally {
    await baseline.stop();
  }
  const rate = (of: readonly Measured[]) => median(of.map(({ perSecond }) => perSecond));
  head(
    'dashboard',
    'reads at first',
    'reads later',
    `bare Express, ${body.length} bytes`,
    'ratio',
    'processor time a read, later',
    'bare Express',
    'statements',
  );
  row(
    `${withData.length} tiles, ${VIEWERS} viewers at once`,
    `${first.perSecond.toFixed(0)}/s`,
    `${rate(later).toFixed(0)}/s`,
    `${rate(bare).toFixed(0)}/s`,
    (rate(later) / rate(bare)).toFixed(2),
    `${median(later.map((each) => each.processorMicros)).toFixed(0)} µs`,
    `${median(bare.map((each) => each.processorMicros)).toFixed(0)} µs`,
    String(statements),
  );
}

export async function keptReadsPart(): Promise<void> {
  await inHome(async (home) => {
    const service = startService(home, PORT);
    try {
      await answered(`${service.url}${EMBEDS}/query/shared/demo/sales-by-region.service`);
      head(
        `kept embed read, ${CONNECTIONS} connections`,
        'service',
        'bare Express, same bytes',
        'ratio',
        'processor time a read',
        'bare Express',
        'ratio of reads in a second of it',
      );
      for (const name of DOCUMENTS) {
        await compareEmbed(service, home, name, undefined);
        await compareEmbed(service, home, name, 'gzip');
      }
      await readDashboard(service, home);
    } finally {
      await service.stop();
    }
  });
}
