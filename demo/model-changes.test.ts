/**
 * Changes the demo's model in fifty seeded ways. What a change is reported to break is compared with what breaks: the changed
 * document is served beside the demo's, and every saved query and tile is asked of both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type AskingProduct, startAsking } from './testing/asking.ts';

const FOLDER = new URL('content/repository/shared/demo/', import.meta.url);
const MODEL_TEXT = readFileSync(new URL('content/models/shop.yaml', import.meta.url), 'utf8');
const READER = 'ROLE_READER';
const EDITS = 50;
const MODELS = '/admin/models';

const descriptor = `<dataSource><id>changed</id><name>changed</name><type>SEMANTIC</type><semanticYaml>changed.yaml</semanticYaml><location>jdbc:duckdb:data/demo-shop.duckdb</location></dataSource>`;

interface Asked {
  readonly key: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** The settings in which names of columns are. */
  readonly settings: unknown;
}

let product: AskingProduct;
let requests: readonly Asked[];

beforeAll(async () => {
  requests = storedRequests();
  product = await startAsking({
    datasources: { 'changed.sds': descriptor, 'changed.yaml': MODEL_TEXT },
    roles: [READER],
  });
  while ((await product.call(`GET ${MODELS}/changed`)).body.status !== 'READY')
    await new Promise((resolve) => setTimeout(resolve, 100));
}, 180_000);
afterAll(() => product.stop());

const Saved = z.looseObject({ source: z.object({ surface: z.string(), request: z.record(z.string(), z.unknown()) }) });
const Tiles = z.object({ tiles: z.array(z.looseObject({ id: z.string(), query: z.unknown().optional() })) });

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** Reads the saved queries and tiles of the demo from their files. */
function storedRequests(): readonly Asked[] {
  const asked: Asked[] = [];
  for (const name of readdirSync(FOLDER)) {
    const path = `shared/demo/${name}`;
    if (name.endsWith('.service')) {
      const { source, chart, analytics } = Saved.parse(readJson(name));
      if (source.surface === 'semantic')
        asked.push({ key: path, request: source.request, settings: [chart, analytics] });
    }
    if (!name.endsWith('.servicedash')) continue;
    for (const { id, query, chart, measure } of Tiles.parse(readJson(name)).tiles) {
      const of = z.object({ path: z.string() }).safeParse(query);
      const saved = of.success ? readJson(of.data.path.replace('shared/demo/', '')) : query;
      const read = Saved.safeParse(saved);
      if (read.success && read.data.source.surface === 'semantic')
        asked.push({ key: `${path}#${id}`, request: read.data.source.request, settings: [chart, measure] });
    }
  }
  return asked;
}

const Certified = z.object({
  semantic_model: z.tuple([z.looseObject({ custom_extensions: z.array(z.object({ data: z.string() })) })]),
});
const Answers = z.object({ certified: z.array(z.object({ request: z.record(z.string(), z.unknown()) })) });

/** Reads the certified answers of the demo's model. A break of one has the name of the model as its path. */
function certifiedRequests(): readonly Asked[] {
  const [{ custom_extensions: blocks }] = Certified.parse(parse(MODEL_TEXT)).semantic_model;
  const answers = blocks.flatMap(({ data }) => Answers.safeParse(JSON.parse(data)).data?.certified ?? []);
  return answers.map(({ request }) => ({ key: 'shop', request: { ...request, model: 'shop' }, settings: undefined }));
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** Runs a request. Returns the keys of the answer's columns; `undefined` where it is refused. */
async function columnsOf(
  { request }: Asked,
  connection: string,
  role: string,
): Promise<ReadonlySet<string> | undefined> {
  const { status, body } = await product.call('POST /ai/semantic/query', { ...request, connection }, { roles: [role] });
  if (status === 400 || status === 404) return undefined;
  expect(status, JSON.stringify(body)).toBe(200);
  return new Set(body.columns.map(({ key }: { key: string }) => key));
}

/** The columns of answers by request and role. Most tiles have the request of a saved query. */
class Columns {
  readonly #connection: string;
  readonly #known = new Map<string, ReturnType<typeof columnsOf>>();

  constructor(connection: string) {
    this.#connection = connection;
  }

  of(asked: Asked, role: string): ReturnType<typeof columnsOf> {
    const key = JSON.stringify([asked.request, role]);
    const asking = this.#known.get(key) ?? columnsOf(asked, this.#connection, role);
    this.#known.set(key, asking);
    return asking;
  }
}

/** No edit changes the answers of the demo's own model. */
const unchanged = new Columns('demo');

/** Asks a request of both models. */
async function breaks(asked: Asked, role: string, changed: Columns): Promise<boolean> {
  const before = await unchanged.of(asked, role);
  if (before === undefined) return false;
  const after = await changed.of(asked, role);
  if (after === undefined) return true;
  return texts(asked.settings).some((text) => before.has(text) && !after.has(text));
}

/** Returns numbers from 0 to 1, the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const Named = z.array(z.object({ name: z.string() }));
const Shop = z.object({
  semantic_model: z.tuple([
    z.object({
      datasets: z.array(z.object({ name: z.string(), fields: Named })),
      relationships: Named,
      metrics: Named,
    }),
  ]),
});

/** Chooses an edit of any kind but a renaming, which no request notices. */
function randomEdit(random: () => number): object {
  const [{ datasets, relationships, metrics }] = Shop.parse(parse(MODEL_TEXT)).semantic_model;
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const dataset = one(datasets);
  const field = { kind: 'field', dataset: dataset.name, name: one(dataset.fields).name };
  const metric = { kind: 'metric', name: one(metrics).name };
  const relationship = { kind: 'relationship', name: one(relationships).name };
  const set = (on: object, property: string, value: unknown) => ({ op: 'set', on, property, value });
  return one([
    () => ({ op: 'remove', on: field }),
    () => ({ op: 'remove', on: metric }),
    () => ({ op: 'remove', on: relationship }),
    () => set(field, 'personal', true),
    () => set(field, 'label', 'Another: label, "quoted"'),
    () => set(field, 'synonyms', ['one', 'two, three']),
    () => set(field, 'deny', [READER]),
    () => set(field, 'deny', ['ROLE_ADMIN']),
    () => set(field, 'expression', 'no_such_column + 1'),
    () => set(metric, 'allow', [READER]),
    () => set(metric, 'expression', 'SUM(sales.no_such_column)'),
    () => set(metric, 'expression', 'MAX(sales.net_amount)'),
    () => set(metric, 'expression', 'SUM(inventory.units_on_hand)'),
    () => set(metric, 'description', 'x'.repeat(90)),
    () => set(metric, 'filter', "sales.channel = 'Online'"),
    () => set(dataset.name === 'sales' ? metric : { kind: 'dataset', name: dataset.name }, 'description', 'Other.'),
    () => set({ kind: 'dataset', name: dataset.name }, 'personal', true),
  ])();
}

test('fifty seeded edits: each break is reported, and none falsely', async () => {
  const random = seeded(23);
  let reported = 0;
  let unsavable = 0;
  for (let index = 0; index < EDITS; index += 1) {
    const edit = randomEdit(random);
    const { version } = (await product.call(`GET ${MODELS}/demo`)).body;
    const proposal = await product.call(`POST ${MODELS}/demo/propose`, { version, edits: [edit] });
    expect(proposal.status, JSON.stringify([edit, proposal.body])).toBe(200);
    const { breaks: named, text, isSavable } = proposal.body;
    if (!isSavable) {
      unsavable += 1;
      continue;
    }
    const changed = (await product.call(`GET ${MODELS}/changed`)).body.version;
    const saved = await product.call(`POST ${MODELS}/changed/save`, { version: changed, text });
    expect(saved.status, JSON.stringify([edit, saved.body])).toBe(200);
    const told = named
      .map(({ path, tile, roles }: { path: string; tile?: string; roles?: readonly string[] }) =>
        [tile === undefined ? path : `${path}#${tile}`, roles?.join() ?? 'all'].join(' '),
      )
      .sort();
    const real: string[] = [];
    const now = new Columns('changed');
    for (const asked of [...requests, ...certifiedRequests()]) {
      if (await breaks(asked, 'ROLE_ADMIN', now)) real.push(`${asked.key} all`);
      else if (/"ROLE_READER"/.test(JSON.stringify(edit)) && (await breaks(asked, READER, now)))
        real.push(`${asked.key} ${READER}`);
    }
    expect(told, JSON.stringify(edit)).toEqual(real.sort());
    reported += told.length;
  }
  expect(reported).toBeGreaterThan(100);
  expect(unsavable).toBeLessThan(10);
}, 1_200_000);

test('a renaming is carried through, and going back restores every document byte for byte', async () => {
  const { version, text } = (await product.call(`GET ${MODELS}/demo`)).body;
  const documents = async () => {
    const listed = (await product.call('GET /repository')).body as readonly { path: string }[];
    const read = listed.map(async ({ path }) => (await product.call(`GET /repository/${path}`)).body.document);
    return JSON.stringify(await Promise.all(read));
  };
  const before = await documents();
  const edits = [
    { op: 'rename', on: { kind: 'metric', name: 'net_sales' }, name: 'sales_net' },
    { op: 'rename', on: { kind: 'field', dataset: 'products', name: 'category' }, name: 'family' },
    { op: 'rename', on: { kind: 'field', dataset: 'sales', name: 'date' }, name: 'sold_on' },
    { op: 'rename', on: { kind: 'dataset', name: 'stores' }, name: 'branches' },
  ];
  const proposed = (await product.call(`POST ${MODELS}/demo/propose`, { version, edits })).body;
  expect(proposed.breaks).toEqual([]);
  expect(proposed.carried.length).toBeGreaterThan(10);
  const saved = await product.call(`POST ${MODELS}/demo/save`, { version, edits });
  expect(saved).toMatchObject({ status: 200, body: { status: 'READY' } });
  const overview = await product.call('GET /view/dashboard/shared/demo/shop-overview.servicedash');
  expect(overview.status, JSON.stringify(overview.body)).toBe(200);
  for (const { key } of requests) {
    const [path, tile] = key.split('#');
    const address = tile === undefined ? `/view/query/${path}` : `/view/dashboard/${path}/tiles/${tile}`;
    const answer = await product.call(`GET ${address}`);
    expect(answer.status, `${address} ${JSON.stringify(answer.body)}`).toBe(200);
  }
  const asked = { connection: 'demo', model: 'shop', question: 'Which regions sold most in 2025?' };
  expect((await product.call('POST /ai/semantic/ask', asked)).body).toMatchObject({
    queryUsed: { rows: [{ dataset: 'branches', field: 'region' }], values: [{ metric: 'sales_net' }] },
    certified: { by: 'Shop analysts' },
  });
  expect(await documents()).not.toBe(before);

  const stale = await product.call(`POST ${MODELS}/demo/save`, { version, edits });
  expect(stale).toMatchObject({ status: 409, body: { error: 'STALE_VERSION' } });

  const back = await product.call(`POST ${MODELS}/demo/save`, { version: saved.body.version, restore: version });
  expect(back.status, JSON.stringify(back.body)).toBe(200);
  expect((await product.call(`GET ${MODELS}/demo`)).body.text).toBe(text);
  expect(await documents()).toBe(before);
  const history = (await product.call(`GET ${MODELS}/demo/history`)).body;
  expect(history.map(({ summary }: { summary: string }) => summary.split(' ').slice(0, 2).join(' '))).toEqual([
    'Went back',
    'Renamed metric',
    'The document',
  ]);
}, 120_000);
