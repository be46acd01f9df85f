/**
 * Calls every operation of the product that answers data as two viewers. The oracle is another tenant with the same
 * documents, without viewer filters, over a database from which the rows of others were deleted. The list of operations
 * comes from the server's own declaration: a new one fails until it is classed here.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Attributes } from '../../router/capabilities/attributes.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { VIEW_AS_HEADER } from '../../router/view-as.ts';
import { readConfig } from '../config/read-config.ts';
import { type Home, locateHome, makeHome, stateFile } from '../home-directory/home-directory.ts';
import { openPort } from '../http/port.ts';
import { identityMigrations, openIdentity } from '../identity/index.ts';
import { basic, CHEAP } from '../identity/testing/fixture.ts';
import { launch } from '../launcher.ts';
import { standIn } from '../llm/testing/stand-in.ts';
import { openState } from '../state/index.ts';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { placesOf } from './tenant-folders.ts';
import { type DeclaredOperation, declaredOperations, until } from './testing/client.ts';

const PASSWORD = 'Quarry-lantern-77';
const SECRET = randomBytes(48).toString('base64url');

/** The viewers, and the places that each may see. */
const VIEWERS: Readonly<Record<string, readonly string[]>> = { A: ['Rome', 'Oslo'], B: ['Paris'] };
const PLACES = ['Rome', 'Oslo', 'Paris', 'Lima'];
/** Reads the text of a PDF, where the reader is installed. A PDF is made of the same reads as a workbook. */
const READS_PDF = spawnSync('pdftotext', ['-v']).status === 0;
/** The tenant with all rows, and one with the rows of each viewer alone. */
const WHOLE = 'whole';
const cutOf = (viewer: string) => `cut-${viewer.toLowerCase()}`;

/** Operations that viewers may call and that answer no data of a warehouse. All that is not here or in `CALLS` refuses viewers. */
const WITHOUT_DATA: readonly string[] = [
  ...['login', 'logout', 'session', 'signInWays'].map((each) => `identity.${each}`),
  ...['state', 'checkoutSession', 'portalSession', 'webhook'].map((each) => `billing.${each}`),
  ...['list', 'read', 'refresh'].map((each) => `skills.${each}`),
  ...['list', 'read', 'write', 'versions', 'restore', 'move', 'remove'].map((each) => `repository.${each}`),
  ...['describeRequest', 'answerRequest', 'list', 'revoke'].map((each) => `agents.${each}`),
  ...['createToken', 'listTokens', 'revokeToken', 'createGrant', 'listGrants', 'removeGrant'].map(
    (each) => `embed.${each}`,
  ),
  'semanticAsk.health',
  'cubeAsk.health',
  // They answer whether the mark is kept.
  ...['semanticAsk.feedback', 'cubeAsk.feedback', 'view.markAnswer', 'embed.markAnswer'],
  // Files that the caller sends, and drafts of them.
  ...['profileFile', 'propose', 'render'].map((each) => `designer.${each}`),
  // The ids of queries are those of the caller's scope.
  ...['queryStatus', 'cancelQuery'].flatMap((each) => [`semantic.${each}`, `cube.${each}`]),
];

const MODEL = { connection: 'shop', model: 'shop' };
const CUBE = 'cubes/Shops/Shops/Sales';
const field = (dataset: string, name: string, grain?: string) => ({
  dataset,
  field: name,
  ...(grain === undefined ? {} : { grain }),
});
const BY_PLACE = { ...MODEL, rows: [field('places', 'place')], values: [{ metric: 'amount' }] };
const BY_DAY = { ...MODEL, rows: [field('sales', 'day')], values: [{ metric: 'amount' }] };
const TOTAL = { ...MODEL, values: [{ metric: 'amount' }] };
const CUBE_BY_DAY = { cube: CUBE, measures: [{ name: 'Amount' }], rows: [{ dimension: 'Time', level: 'Day' }] };
const CUBE_BY_PLACE = { cube: CUBE, measures: [{ name: 'Amount' }, { name: 'Lines' }], rows: [{ dimension: 'Place' }] };

const OTHER_PLACES = JSON.stringify({ field: 'places.place', except: ['Rome'] });

/** Parameters of reads: filters of the page, the rest of a chart, subtotals. */
const NARROWINGS: readonly Readonly<Record<string, string>>[] = [
  {},
  { filter: JSON.stringify({ 'places.place': PLACES }) },
  { filter: JSON.stringify([{ field: 'places.place', op: 'NEQ', value: 'Rome' }]) },
  { others: OTHER_PLACES },
  { without: '["places.place"]' },
  { format: 'csv' },
  { format: 'xlsx', filter: JSON.stringify({ 'places.place': PLACES }) },
  ...(READS_PDF ? [{ format: 'pdf' }] : []),
];
/** Files of a dashboard and of its tile. */
const BOARD_FILES = [{}, { format: 'xlsx' }, ...(READS_PDF ? [{ format: 'pdf' }] : [])];
const TILE_FILES = ['', 'csv', 'xlsx'].map((format) => ({ tileId: 'figure', ...(format === '' ? {} : { format }) }));

/** Parameters of the reads of values: of a shown field, of others, with a search for the places of others. */
const OFFERS: readonly Readonly<Record<string, string>>[] = [
  { field: 'places.place' },
  { field: 'places.place', q: 'i' },
  { field: 'sales.day' },
  { field: 'sales.id', q: '1' },
  { field: 'sales.id', filter: JSON.stringify({ 'places.place': PLACES }) },
];

/** Filter tiles of the dashboard, by the field of a model and of a cube. */
const FILTER_TILES: readonly Readonly<Record<string, string>>[] = [
  { tileId: 'by-place' },
  { tileId: 'by-place', q: 'i' },
  { tileId: 'by-day' },
  { tileId: 'of-cube', q: 'o' },
];

/** Steps down from a place, and the rows behind a place and behind one of its days: of the query, and of the tile of the cube. */
const stepFrom = (field: string, place: string) => JSON.stringify([{ field, values: { [field]: place } }]);
const DRILLS = PLACES.map((place) => ({ drill: stepFrom('places.place', place) }));
const TILE_DRILLS = PLACES.map((place) => ({ tileId: 'figure', drill: stepFrom('Place', place) }));
const rowsAt = (field: string, day: string) =>
  PLACES.flatMap((place) => [
    { at: JSON.stringify({ [field]: place }) },
    { drill: stepFrom(field, place), at: JSON.stringify({ [day]: '2026-01-03' }) },
  ]);
const QUERY_ROWS = rowsAt('places.place', 'sales.day');
const TILE_ROWS = rowsAt('Place', 'Time.Day').map((each) => ({ tileId: 'figure', ...each }));

/** Returns the statuses and the rows of answers, without the order of the rows. */
function unordered(answers: readonly (string | readonly string[])[]) {
  const rows = answers.flat().map((text) => {
    const [, records = ''] = /"records":\[\{(.*)\}\],"meta"/.exec(text) ?? [];
    return [text.slice(0, 3), ...records.split('},{').filter(Boolean).toSorted()];
  });
  expect(rows.map(([status]) => status)).toEqual(rows.map(() => '200'));
  expect(rows.flat().length).toBeGreaterThan(2 * rows.length);
  return rows;
}

type Call = (viewer: Viewer) => Promise<unknown>;

/** Operations that answer data, with calls that a viewer makes. */
const CALLS: Readonly<Record<string, Call>> = {
  'semantic.models': (on) => on.ask('semantic.models'),
  'semantic.schema': (on) => on.ask('semantic.schema', { connection: 'shop', model: 'shop' }),
  'semantic.ontology': (on) => on.ask('semantic.ontology', { connection: 'shop', model: 'shop' }),
  'semantic.freshness': (on) => on.ask('semantic.freshness', { connection: 'shop', model: 'shop' }),
  'semantic.searchValues': (on) => on.ask('semantic.searchValues', { ...MODEL, dataset: 'places', field: 'place' }),
  'semantic.query': (on) =>
    on.each('semantic.query', BY_PLACE, TOTAL, BY_DAY, { ...TOTAL, values: [{ metric: 'amuont' }] }),
  // Its SQL is not that of the other model; it has no values of rows.
  'semantic.preview': async (on) => on.namesNoOther(await on.ask('semantic.preview', {}, BY_PLACE)),
  'semantic.combinations': (on) => on.each('semantic.combinations', BY_PLACE, TOTAL),
  'semantic.queryStream': async (on) => [
    ...(await on.each('semantic.queryStream', BY_PLACE, TOTAL, { ...TOTAL, values: [{ metric: 'amuont' }] })),
    await on.ask('semantic.queryStream', { format: 'csv' }, BY_DAY),
  ],
  'semantic.rowDetail': (on) => on.each('semantic.rowDetail', BY_PLACE, { ...BY_PLACE, rows: [field('sales', 'id')] }),
  'semantic.anomaly': (on) => on.ask('semantic.anomaly', {}, { query: BY_DAY, timeAxis: 'sales.day' }),
  'semantic.forecast': (on) => on.ask('semantic.forecast', {}, { query: BY_DAY, timeAxis: 'sales.day' }),
  'semantic.executeAsync': (on) => on.inBackground('semantic', BY_PLACE),
  'semantic.queryResult': (on) => on.inBackground('semantic', TOTAL),
  'cube.cubes': (on) => on.ask('cube.cubes'),
  'cube.schema': (on) => on.ask('cube.schema', { cubeId: CUBE }),
  'cube.piiSuggestions': (on) => on.ask('cube.piiSuggestions', { cubeId: CUBE }),
  'cube.searchMembers': (on) => on.ask('cube.searchMembers', { cubeId: CUBE, dimension: 'Place', level: 'Place' }),
  'cube.query': (on) => on.each('cube.query', CUBE_BY_PLACE, { ...CUBE_BY_PLACE, rows: [] }, CUBE_BY_DAY),
  'cube.preview': (on) => on.ask('cube.preview', {}, CUBE_BY_PLACE),
  'cube.whatIf': (on) =>
    on.ask(
      'cube.whatIf',
      {},
      {
        query: CUBE_BY_PLACE,
        changes: [
          { measure: 'Amount', members: ['[Place].[All Places]'], value: 1_000, allocation: 'weighted_allocation' },
        ],
      },
    ),
  'cube.drillthrough': async (on) => {
    const { queryId } = z
      .object({ queryId: z.string() })
      .parse(await on.raw('cube.query', {}, { ...CUBE_BY_PLACE, rows: [] }));
    const { rows } = z
      .looseObject({ rows: z.array(z.unknown()) })
      .parse(await on.raw('cube.drillthrough', { queryId, maxrows: '1000' }));
    return rows.map((row) => JSON.stringify(row)).toSorted();
  },
  'cube.anomaly': (on) => on.ask('cube.anomaly', {}, { query: CUBE_BY_DAY, timeAxis: '[Time].[Day]' }),
  'cube.forecast': (on) => on.ask('cube.forecast', {}, { query: CUBE_BY_DAY, timeAxis: '[Time].[Day]' }),
  'cube.executeAsync': (on) => on.inBackground('cube', CUBE_BY_PLACE),
  'cube.queryResult': (on) => on.inBackground('cube', CUBE_BY_DAY),
  'semanticAsk.ask': (on) => on.ask('semanticAsk.ask', {}, { question: 'By place?', ...MODEL }),
  'semanticAsk.stream': (on) => on.ask('semanticAsk.stream', {}, { question: 'By place?', ...MODEL }),
  'cubeAsk.ask': (on) => on.ask('cubeAsk.ask', {}, { question: 'By place?', cube: CUBE }),
  'cubeAsk.stream': (on) => on.ask('cubeAsk.stream', {}, { question: 'By place?', cube: CUBE }),
  'view.answer': (on) =>
    on.each(
      'view.answer',
      { source: { surface: 'semantic', request: BY_PLACE } },
      { source: { surface: 'cube', request: CUBE_BY_PLACE } },
      { source: { surface: 'semantic', request: BY_PLACE }, others: OTHER_PLACES },
      { source: { surface: 'semantic', request: BY_PLACE }, without: '["places.place"]' },
    ),
  'view.readQuery': (on) => on.documents('view.readQuery', 'shared/q.service', ...NARROWINGS, ...DRILLS),
  'view.readDashboard': (on) => on.documents('view.readDashboard', 'shared/d.servicedash', ...BOARD_FILES),
  'view.readTile': (on) => on.documents('view.readTile', 'shared/d.servicedash', ...TILE_FILES, ...TILE_DRILLS),
  'view.readAskBox': (on) => on.document('view.readAskBox', 'shared/a.serviceask'),
  'view.askInBox': (on) => on.document('view.askInBox', 'shared/a.serviceask', {}, { question: 'By place?' }),
  'embed.readQuery': (on) => on.embeds('embed.readQuery', 'query', 'shared/q.service', ...NARROWINGS, ...DRILLS),
  'embed.readDashboard': (on) => on.embeds('embed.readDashboard', 'dashboard', 'shared/d.servicedash', ...BOARD_FILES),
  'embed.readTile': (on) =>
    on.embeds('embed.readTile', 'dashboard', 'shared/d.servicedash', ...TILE_FILES, ...TILE_DRILLS),
  'view.readQueryValues': (on) => on.documents('view.readQueryValues', 'shared/q.service', ...OFFERS),
  'view.readTileValues': (on) => on.documents('view.readTileValues', 'shared/d.servicedash', ...FILTER_TILES),
  'embed.readQueryValues': (on) => on.embeds('embed.readQueryValues', 'query', 'shared/q.service', ...OFFERS),
  'embed.readTileValues': (on) =>
    on.embeds('embed.readTileValues', 'dashboard', 'shared/d.servicedash', ...FILTER_TILES),
  'view.readQueryRows': async (on) =>
    unordered(await on.documents('view.readQueryRows', 'shared/q.service', ...QUERY_ROWS)),
  'view.readTileRows': async (on) =>
    unordered(await on.documents('view.readTileRows', 'shared/d.servicedash', ...TILE_ROWS)),
  'embed.readQueryRows': async (on) =>
    unordered(await on.embeds('embed.readQueryRows', 'query', 'shared/q.service', ...QUERY_ROWS)),
  'embed.readTileRows': async (on) =>
    unordered(await on.embeds('embed.readTileRows', 'dashboard', 'shared/d.servicedash', ...TILE_ROWS)),
  'embed.readAskBox': (on) => on.embedded('embed.readAskBox', 'ai', 'shared/a.serviceask'),
  'embed.askInBox': (on) => on.embedded('embed.askInBox', 'ai', 'shared/a.serviceask', {}, { question: 'By place?' }),
};

const VOLATILE =
  /"(queryId|runtime|runtimeMs|computedAtMillis|computedAt|durationMs|updatedAt)":("[^"]*"|\d+)|"cached":(true|false)|"usage":\{[^}]*\}/g;

/** A caller of one tenant: a person with attributes, an administrator who views as one, or the visitor of an embed. */
class Viewer {
  readonly world: World;
  readonly tenant: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly embedTokens: (kind: string, path: string) => Promise<readonly string[]>;

  constructor(
    world: World,
    {
      tenant,
      name,
      user,
      headers = {},
    }: {
      readonly tenant: string;
      readonly name: string;
      readonly user: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
    embedTokens: (kind: string, path: string) => Promise<readonly string[]>,
  ) {
    this.world = world;
    this.tenant = tenant;
    this.name = name;
    this.headers = { authorization: basic(`${tenant}/${user}`, PASSWORD), ...headers };
    this.embedTokens = embedTokens;
  }

  /** Calls an operation, and returns the answer without what differs each time. */
  async ask(
    operation: string,
    parameters: Readonly<Record<string, string>> = {},
    body?: unknown,
    headers = this.headers,
  ): Promise<string> {
    const { status, text } = await this.world.call(operation, { parameters, body, headers });
    return `${status} ${text.replaceAll(VOLATILE, '"-"')}`;
  }

  async each(operation: string, ...bodies: readonly object[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const body of bodies) answers.push(await this.ask(operation, {}, body));
    return answers;
  }

  async raw(operation: string, parameters: Readonly<Record<string, string>>, body?: unknown): Promise<unknown> {
    const { status, text } = await this.world.call(operation, { parameters, body, headers: this.headers });
    if (status >= 300) throw new Error(`${operation}: ${status} ${text}`);
    return JSON.parse(text);
  }

  async inBackground(surface: string, body: object): Promise<string> {
    const { queryId } = z.object({ queryId: z.string() }).parse(await this.raw(`${surface}.executeAsync`, {}, body));
    const { status, text } = await until(
      () => this.world.call(`${surface}.queryResult`, { parameters: { queryId }, headers: this.headers }),
      (answer) => answer.status !== 202,
    );
    return `${status} ${text.replaceAll(VOLATILE, '"-"')}`;
  }

  document(
    operation: string,
    path: string,
    more: Readonly<Record<string, string>> = {},
    body?: unknown,
  ): Promise<string> {
    return this.ask(operation, { path, ...more }, body);
  }

  async documents(operation: string, path: string, ...each: readonly Readonly<Record<string, string>>[]) {
    const answers: string[] = [];
    for (const more of each) answers.push(await this.document(operation, path, more));
    return answers;
  }

  async embeds(operation: string, kind: string, path: string, ...each: readonly Readonly<Record<string, string>>[]) {
    const answers: (readonly string[])[] = [];
    for (const more of each) answers.push(await this.embedded(operation, kind, path, more));
    return answers;
  }

  /** Reads as an embed: by a stored token, and by one that the host has signed. */
  async embedded(
    operation: string,
    kind: string,
    path: string,
    more: Readonly<Record<string, string>> = {},
    body?: unknown,
  ) {
    const answers = new Set<string>();
    for (const token of await this.embedTokens(kind, path))
      answers.add(await this.ask(operation, { path, ...more }, body, { 'x-service-embed-token': token }));
    return [...answers];
  }

  namesNoOther(answer: string): string {
    for (const place of PLACES.filter((each) => !VIEWERS[this.name]?.includes(each)))
      expect(answer).not.toContain(place);
    return answer.slice(0, 3);
  }
}

interface Sent {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface World {
  readonly operations: ReadonlyMap<string, DeclaredOperation>;
  call(operation: string, sent: Sent): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}

describe('every operation', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  }, 240_000);
  afterAll(() => world.close());

  it('is called here, answers no data, or refuses viewers', async () => {
    const classed = new Set([...Object.keys(CALLS), ...WITHOUT_DATA]);
    expect([...classed].filter((operation) => !world.operations.has(operation))).toEqual([]);
    const { headers } = personOf(world, 'A');
    for (const [operation, { parameters }] of world.operations) {
      if (classed.has(operation)) continue;
      const names = parameters.filter((each) => each.in === 'path').map(({ name }) => [name, 'x']);
      const { status } = await world.call(operation, { parameters: Object.fromEntries(names), body: {}, headers });
      // A new operation that viewers may call has to be classed.
      expect.soft([401, 403], `${operation} answers ${status}`).toContain(status);
    }
  });

  const ways: Readonly<Record<string, (world: World, name: string) => Viewer>> = {
    'by their own attributes': (on, name) => personOf(on, name),
    'viewed as by an administrator': (on, name) =>
      new Viewer(
        on,
        {
          tenant: WHOLE,
          name,
          user: 'ann',
          headers: { [VIEW_AS_HEADER]: JSON.stringify({ role: 'ROLE_USER', attributes: attributesOf(name) }) },
        },
        tokensOf(on, name),
      ),
  };
  describe.each(Object.entries(ways))(
    'answers viewers %s like a database without the rows of others:',
    (_, viewerOf) => {
      it.each(Object.keys(CALLS))('%s', async (operation) => {
        const call = CALLS[operation];
        if (call === undefined) throw new Error('unknown');
        for (const name of Object.keys(VIEWERS)) {
          const seen = await call(viewerOf(world, name));
          const oracle = new Viewer(
            world,
            { tenant: cutOf(name), name, user: 'reader' },
            tokensWithoutViewer(world, name),
          );
          expect(seen, name).toEqual(await call(oracle));
          expect(JSON.stringify(seen), `${operation} fails`).not.toMatch(/^\[?"(5\d\d|401|403|404) /);
        }
      });
    },
  );

  it('tools of agents answer the same', async () => {
    const tools = {
      run_semantic_query: BY_PLACE,
      search_field_values: { ...MODEL, dataset: 'places', field: 'place' },
      run_query: CUBE_BY_PLACE,
    };
    for (const name of Object.keys(VIEWERS)) {
      for (const [tool, input] of Object.entries(tools)) {
        const seen = await agentAnswer(world, personOf(world, name).headers, tool, input);
        const oracle = await agentAnswer(
          world,
          { authorization: basic(`${cutOf(name)}/reader`, PASSWORD) },
          tool,
          input,
        );
        expect(seen).toBe(oracle);
        expect(seen).toMatch(new RegExp(VIEWERS[name]?.[0] ?? 'never'));
      }
    }
  });

  it('a viewer changes nothing while an administrator views as somebody, and is recorded', async () => {
    const { headers } = new Viewer(
      world,
      { tenant: WHOLE, name: 'A', user: 'ann', headers: { [VIEW_AS_HEADER]: '{"attributes":{"places":["Rome"]}}' } },
      async () => [],
    );
    const body = { resourceKind: 'query', resourcePath: 'shared/q.service' };
    expect(await world.call('embed.createToken', { body, headers })).toMatchObject({ status: 403 });
    const reader = { ...personOf(world, 'A').headers, [VIEW_AS_HEADER]: '{"attributes":{"places":["Lima"]}}' };
    expect(await world.call('semantic.query', { body: TOTAL, headers: reader })).toMatchObject({ status: 403 });
    for (const wrong of ['{}', 'x', '{"roles":["A"]}'])
      expect(
        await world.call('semantic.query', { body: TOTAL, headers: { ...headers, [VIEW_AS_HEADER]: wrong } }),
      ).toMatchObject({ status: 400 });
    expect(await world.call('semantic.query', { body: TOTAL, headers })).toMatchObject({ status: 200 });
    const token = (await tokensOf(world, 'A')('query', 'shared/q.service'))[1] ?? '';
    await world.call('embed.readQuery', {
      parameters: { path: 'shared/q.service' },
      headers: { 'x-service-embed-token': token },
    });
    const own = { authorization: basic(`${WHOLE}/ann`, PASSWORD) };
    const { text } = await world.call('audit.list', { parameters: { kind: 'QUERY', limit: '100' }, headers: own });
    expect(text).toContain('"viewer":"visitor A"');
    expect(text).toContain('attribute places');
    expect(text).not.toContain('Rome');
  });
});

function attributesOf(name: string): Attributes {
  return { places: VIEWERS[name] ?? [] };
}

function personOf(world: World, name: string): Viewer {
  return new Viewer(world, { tenant: WHOLE, name, user: name.toLowerCase() }, tokensOf(world, name));
}

/** Makes the tokens of a viewer: a stored one and a signed one. */
function tokensOf(world: World, name: string) {
  return async (kind: string, path: string): Promise<readonly string[]> => {
    const viewer = { id: `visitor ${name}`, attributes: attributesOf(name) };
    const signed = await new SignJWT({ owner: 'ann', resource: { kind, path }, attributes: attributesOf(name) })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('host')
      .setAudience('analytics')
      .setSubject(`visitor ${name}`)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(Buffer.from(SECRET));
    return [await mint(world, WHOLE, kind, path, { viewer }), signed];
  };
}

function tokensWithoutViewer(world: World, name: string) {
  return async (kind: string, path: string) => [await mint(world, cutOf(name), kind, path, {})];
}

async function mint(
  world: World,
  tenant: string,
  resourceKind: string,
  resourcePath: string,
  more: object,
): Promise<string> {
  const headers = { authorization: basic(`${tenant}/ann`, PASSWORD) };
  const { text } = await world.call('embed.createToken', { body: { resourceKind, resourcePath, ...more }, headers });
  return z.object({ token: z.string() }).parse(JSON.parse(text)).token;
}

async function agentAnswer(
  world: World,
  headers: Readonly<Record<string, string>>,
  tool: string,
  input: object,
): Promise<string> {
  const { text } = await world.call('mcp', {
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: input } },
  });
  return text.replaceAll('\\"', '"').replaceAll(VOLATILE, '"-"');
}

const sql = (expression: string) => `expression: [{ dialect: ANSI_SQL, expression: ${expression} }]`;
const service = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
const model = (hasFilters: boolean) => `semantic_model:
  - name: shop
    ${hasFilters ? service({ viewer_attributes: [{ name: 'places', many: true }] }) : ''}
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields: [{ name: id, ${sql('id')} }, { name: day, ${sql('day')}, dimension: { is_time: true } }]
      - name: places
        source: places
        primary_key: [id]
        ${hasFilters ? service({ viewer_filters: [{ field: 'place', attribute: 'places' }] }) : ''}
        fields: [{ name: place, ${sql('place')} }]
    relationships: [{ name: at, from: sales, to: places, from_columns: [place_id], to_columns: [id] }]
    metrics: [{ name: amount, ${sql('SUM(sales.amount)')} }]
`;
const cubes = (hasFilters: boolean) => `<Schema name="Shops">
  <Cube name="Sales">${hasFilters ? '<Annotations><Annotation name="service.viewerFilters"><![CDATA[[{"level": "[Place].[Place]", "attribute": "places"}]]]></Annotation></Annotations>' : ''}
    <Table name="sales"/>
    <Dimension name="Place" foreignKey="place_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="places"/><Level name="Place" column="place" uniqueMembers="true"/></Hierarchy></Dimension>
    <Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="true"><Level name="Day" column="day" type="Date" levelType="TimeDays"/></Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/><Measure name="Lines" column="amount" aggregator="count"/>
  </Cube>
</Schema>`;
const descriptor = (name: string, type: string, document: string, location: string) =>
  `<dataSource><id>${name}</id><name>${name}</name><type>${type}</type>${document}<location>${location}</location></dataSource>`;

const DOCUMENTS: Readonly<Record<string, object>> = {
  'shared/q.service': {
    version: 1,
    title: 'By place',
    source: { surface: 'semantic', request: BY_PLACE },
    filterable: ['sales.day', 'sales.id'],
    drill: { down: [{ field: 'places.place', to: ['sales.day'] }], rows: true },
  },
  'shared/d.servicedash': {
    version: 1,
    title: 'Shop',
    layout: { columns: 12 },
    tiles: [
      {
        id: 'figure',
        kind: 'chart',
        query: { source: { surface: 'cube', request: CUBE_BY_PLACE } },
        drill: { down: [{ field: 'Place', to: ['Time.Day'] }], rows: true },
        x: 0,
        y: 0,
        w: 6,
        h: 4,
      },
      {
        id: 'total',
        kind: 'kpi',
        measure: 'amount',
        query: { source: { surface: 'semantic', request: TOTAL } },
        x: 6,
        y: 0,
        w: 3,
        h: 2,
      },
      { id: 'by-place', kind: 'filter', field: 'places.place', drives: ['total'], x: 0, y: 4, w: 3, h: 1 },
      { id: 'by-day', kind: 'filter', field: 'sales.day', drives: ['total'], x: 3, y: 4, w: 3, h: 1 },
      { id: 'of-cube', kind: 'filter', field: 'Place', drives: ['figure'], x: 6, y: 4, w: 3, h: 1 },
    ],
  },
  'shared/a.serviceask': { version: 1, title: 'Ask', source: { surface: 'semantic', target: MODEL } },
};

async function startWorld(): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'service-viewers-'));
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  const state = await openState({ url: undefined, sqliteFile: stateFile(home), log: silentLog });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log: silentLog, hashCost: CHEAP });
  for (const name of [WHOLE, ...Object.keys(VIEWERS).map(cutOf)]) {
    const { id: tenant } = await identity.tenants.ensure(name);
    const add = (user: string, roles: readonly string[]) =>
      identity.users.add({ tenant, name: user, password: PASSWORD, roles });
    await add('ann', ['ROLE_USER', 'ROLE_ADMIN']);
    await add('reader', ['ROLE_USER']);
    if (name === WHOLE) {
      // The administrator sees every place, so that viewing as somebody has rows.
      await identity.users.setAttributes(tenant, 'ann', { places: PLACES });
      for (const viewer of Object.keys(VIEWERS)) {
        await add(viewer.toLowerCase(), ['ROLE_USER']);
        await identity.users.setAttributes(tenant, viewer.toLowerCase(), attributesOf(viewer));
      }
    }
    await placeFiles(home, name);
  }
  mkdirSync(join(root, 'ui'));
  writeFileSync(join(root, 'ui/index.html'), '<!doctype html><title>home</title>');
  const provider = await standIn('anthropic', ({ body }) => {
    const isCube = JSON.stringify(body.tools).includes('measures');
    return isCube
      ? { tool: 'CubeAiQueryRequest', input: CUBE_BY_PLACE }
      : { tool: 'SemanticAiQueryRequest', input: BY_PLACE };
  });
  const port = await openPort('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port.port}`;
  const { config } = readConfig({
    properties: '',
    environment: {},
    overrides: {
      'service.http.port': '0',
      'service.ai.ask.provider': 'anthropic',
      'service.ai.ask.endpoint': provider.endpoint,
      'service.ai.propose.provider': 'rules',
      'service.rateLimit.starter': '0/0',
      'service.login.maxFailures': '0',
      'service.embed.jwt.secret': SECRET,
      'service.embed.jwt.issuer': 'host',
      'service.embed.jwt.audience': 'analytics',
      'service.embed.jwt.owners': 'ann',
      'service.embed.jwt.tenant': WHOLE,
    },
  });
  const launched = await launch({
    home,
    config,
    log: silentLog,
    port,
    environment: { ANTHROPIC_API_KEY: 'sk-test' },
    adminPassword: PASSWORD,
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
  const declared = await declaredOperations(url, basic(`${WHOLE}/ann`, PASSWORD));
  const operations = new Map(declared.map((each) => [each.operationId, each]));
  const csrf = new Map<string, string>();
  const call: World['call'] = async (operation, { parameters = {}, body, headers }) => {
    const { authorization } = headers;
    const found = operations.get(operation);
    const { method, path } =
      operation === 'mcp'
        ? { method: 'POST', path: '/rest/service/api/mcp' }
        : (found ?? { method: 'GET', path: '/none' });
    const sent = new Headers({ accept: 'application/json, text/event-stream', ...headers });
    if (method !== 'GET' && authorization !== undefined) {
      const token = csrf.get(authorization) ?? (await csrfOf(url, authorization));
      csrf.set(authorization, token);
      sent.set('cookie', `XSRF-TOKEN=${token}`);
      sent.set('x-xsrf-token', token);
    }
    const query = new URLSearchParams();
    let target = path;
    for (const [name, value] of Object.entries(parameters)) {
      if (target.includes(`{${name}}`))
        target = target.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
      else query.set(name, value);
    }
    const isGet = method === 'GET' || body === undefined;
    if (!isGet) sent.set('content-type', 'application/json');
    const response = await fetch(new URL(`${target}?${query}`, url), {
      method,
      headers: sent,
      ...(isGet ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await textOf(response) };
  };
  const world: World = {
    operations,
    call,
    async close() {
      await launched.stop(0);
      await provider.close();
      await state.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  for (const tenant of [WHOLE, ...Object.keys(VIEWERS).map(cutOf)]) {
    const headers = { authorization: basic(`${tenant}/ann`, PASSWORD) };
    // The datasources of a tenant are read on first use.
    await until(
      () => call('semantic.query', { body: TOTAL, headers }),
      ({ status }) => status === 200,
    );
    await until(
      () => call('cube.query', { body: CUBE_BY_DAY, headers }),
      ({ status }) => status === 200,
    );
    for (const [path, body] of Object.entries(DOCUMENTS))
      await call('repository.write', { parameters: { path }, body, headers });
  }
  return world;
}

/** Returns the text of an answer; of a file, what a reader sees in it, without its age. */
async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('spreadsheet')) {
    const files = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())));
    const partsOf = (name: RegExp) => files.filter(([path]) => name.test(path)).map(([, bytes]) => strFromU8(bytes));
    const texts = [
      ...partsOf(/sharedStrings/)
        .join('')
        .matchAll(/<si><t[^>]*>([^<]*)<\/t><\/si>/g),
    ];
    // A text in its place: two times that differ by a minute are two shared texts.
    const sheets = partsOf(/sheet\d/).map((xml) =>
      xml.replaceAll(/ t="s"><v>(\d+)<\/v>/g, (_, index) => `><v>${texts[Number(index)]?.[1]}</v>`),
    );
    return sheets.join('\n').replaceAll(/As of [^<]*/g, '');
  }
  if (type !== 'application/pdf') return response.text();
  const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], {
    input: Buffer.from(await response.arrayBuffer()),
    encoding: 'utf8',
  });
  return stdout.replaceAll(/As of .*/g, '');
}

async function csrfOf(url: string, authorization: string): Promise<string> {
  const answer = await fetch(`${url}/rest/service/api/session`, { headers: { authorization } });
  return /XSRF-TOKEN=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? '';
}

async function placeFiles(home: Home, name: string): Promise<void> {
  const places = placesOf(home, name);
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  const viewer = Object.keys(VIEWERS).find((each) => cutOf(each) === name);
  const visible = viewer === undefined ? PLACES : (VIEWERS[viewer] ?? []);
  await writeDuckdb(join(places.data, 'shop.duckdb'), [
    'CREATE TABLE places (id INTEGER, place VARCHAR)',
    ...PLACES.map((place, index) => `INSERT INTO places VALUES (${index + 1}, '${place}')`),
    'CREATE TABLE sales (id INTEGER, place_id INTEGER, amount INTEGER, day DATE)',
    `INSERT INTO sales SELECT range, 1 + range % 4, 1 + (range * 7) % 23, DATE '2026-01-01' + CAST(range / 8 AS INTEGER) FROM range(1, 401)`,
    `DELETE FROM sales WHERE place_id IN (SELECT id FROM places WHERE place NOT IN (${visible.map((each) => `'${each}'`).join(', ')}))`,
    `DELETE FROM places WHERE place NOT IN (${visible.map((each) => `'${each}'`).join(', ')})`,
  ]);
  const location = `jdbc:duckdb:${places.data}/shop.duckdb`;
  const put = (file: string, text: string) => writeFileSync(join(places.datasources, file), text);
  put('shop.yaml', model(viewer === undefined));
  put('shop.xml', cubes(viewer === undefined));
  put('shop.sds', descriptor('shop', 'SEMANTIC', '<semanticYaml>shop.yaml</semanticYaml>', location));
  put('cubes.sds', descriptor('cubes', 'OLAP', '<cubeSchema>shop.xml</cubeSchema>', location));
}
