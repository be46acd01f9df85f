import { join } from 'node:path';
import { z } from 'zod';
import { placesOf } from '../tenant-folders.ts';
import { type Answer, type Call, until } from './client.ts';
import { SECRET, type TenantName, type World } from './world.ts';

/** A tenant's things, by their names in requests. */
export interface Things {
  readonly tenant: string;
  readonly tenantId: string;
  readonly connection: string;
  readonly model: string;
  readonly cube: string;
  readonly skill: string;
  readonly query: string;
  readonly publicQuery: string;
  readonly ownDocument: string;
  readonly dashboard: string;
  readonly askBox: string;
  readonly tokenId: string;
  readonly token: string;
  readonly connectionName: string;
  readonly savedConnection: string;
  readonly otherConnection: string;
  /** JDBC URL of a file. */
  readonly warehouse: string;
  /** Path of a semantic document on the server. */
  readonly modelFile: string;
  readonly trace: string;
  readonly semanticJob: string;
  readonly cubeJob: string;
  /** A query with drill-through. */
  readonly cubeAnswer: string;
  readonly webhook: string;
  readonly delivery: string;
}

/** The caller's own credentials and references, for any name in the request. */
export interface Holdings {
  readonly tokens: Readonly<Record<'query' | 'dashboard' | 'ai', string>>;
  readonly profile: unknown;
  readonly proposal: unknown;
}

export interface Prepared {
  readonly things: Things;
  readonly holdings: Holdings;
}

/** Creates one thing of each kind for a tenant. */
export async function prepare(world: World, name: TenantName): Promise<Prepared> {
  const ask = async (operation: string, call: Call = {}): Promise<unknown> =>
    parsed(await answerOf(world, name, operation, call));
  const member = (value: unknown, key: string): string =>
    z
      .object({ [key]: z.string() })
      .loose()
      .parse(value)[key] ?? '';
  const connection = `${name}-shop`;
  const model = `${name}_model`;
  const cube = `${name}-cubes/Shops/Shops/Sales`;
  const semantic = { connection, model, rows: [{ dataset: 'sales', field: 'place' }], values: [{ metric: 'amount' }] };
  const cubeQuery = { cube, measures: [{ name: 'Amount' }], rows: [{ dimension: 'Place' }] };
  // The datasources of a tenant are read on first use.
  await until(
    () => answerOf(world, name, 'semantic.query', { body: semantic }),
    ({ status }) => status === 200,
  );
  await until(
    () => answerOf(world, name, 'cube.query', { body: cubeQuery }),
    ({ status }) => status === 200,
  );

  const query = `shared/${name}.service`;
  const publicQuery = `shared/${name}-public.service`;
  const ownDocument = `homes/ann/${name}.service`;
  const dashboard = `shared/${name}.servicedash`;
  const askBox = `shared/${name}.serviceask`;
  const title = name === 'alpha' ? SECRET : 'Mine';
  const saved = { version: 1, title, source: { surface: 'semantic', request: semantic }, drill: { rows: true } };
  const documents: Readonly<Record<string, object>> = {
    [query]: saved,
    [publicQuery]: saved,
    [ownDocument]: saved,
    [dashboard]: {
      version: 1,
      title,
      layout: { columns: 12 },
      tiles: [
        { id: 'figure', kind: 'chart', query: { path: query }, drill: { rows: true }, x: 0, y: 0, w: 6, h: 4 },
        { id: 'narrow', kind: 'filter', field: 'sales.place', x: 6, y: 0, w: 3, h: 1 },
      ],
    },
    [askBox]: { version: 1, title, source: { surface: 'semantic', target: { connection, model } } },
  };
  for (const [path, body] of Object.entries(documents)) await ask('repository.write', { parameters: { path }, body });
  const tokenFor = async (resourceKind: string, resourcePath: string) =>
    member(await ask('embed.createToken', { body: { resourceKind, resourcePath, label: title } }), 'token');
  const tokens = {
    query: await tokenFor('query', query),
    dashboard: await tokenFor('dashboard', dashboard),
    ai: await tokenFor('ai', askBox),
  };
  const token = await tokenFor('query', ownDocument);
  const listed = z.array(z.object({ id: z.string(), resourcePath: z.string() })).parse(await ask('embed.listTokens'));
  await ask('embed.createGrant', { body: { resourceKind: 'query', resourcePath: publicQuery, label: title } });

  const places = placesOf(world.home, name === 'default' ? undefined : name);
  const warehouse = `jdbc:duckdb:${join(places.data, 'shop.duckdb')}`;
  const connectionName = `${name} warehouse ${title}`;
  const added = await ask('inference.addConnection', { body: { name: connectionName, url: warehouse } });
  const savedConnection = member(added, 'id');
  const another = { body: { name: `${connectionName} again`, url: warehouse } };
  const otherConnection = member(await ask('inference.addConnection', another), 'id');
  const profile = await ask('inference.profileConnection', { parameters: { id: savedConnection }, body: {} });
  const proposed = await ask('inference.propose', { body: { profile } });
  const { proposal } = z.object({ proposal: z.unknown() }).parse(proposed);

  const hook = { url: 'https://192.0.2.1/hook', label: title, events: ['refresh.failed'] };
  const webhook = member(await ask('webhooks.add', { body: hook }), 'id');
  // Nothing is sent to it.
  await ask('webhooks.change', { parameters: { id: webhook }, body: { isPaused: true } });
  const delivery = member(await ask('webhooks.test', { parameters: { id: webhook } }), 'id');
  const cubeAnswer = member(await ask('cube.query', { body: cubeQuery }), 'queryId');
  const semanticJob = member(await ask('semantic.executeAsync', { body: semantic }), 'queryId');
  const cubeJob = member(await ask('cube.executeAsync', { body: cubeQuery }), 'queryId');
  for (const [surface, queryId] of [['semantic', semanticJob] as const, ['cube', cubeJob] as const]) {
    await until(
      () => answerOf(world, name, `${surface}.queryStatus`, { parameters: { queryId } }),
      ({ text }) => text.includes('DONE'),
    );
  }
  return {
    things: {
      tenant: name,
      tenantId: world.tenants[name].id,
      connection,
      model,
      cube,
      skill: `${name}-skill`,
      query,
      publicQuery,
      ownDocument,
      dashboard,
      askBox,
      tokenId: listed.find(({ resourcePath }) => resourcePath === ownDocument)?.id ?? '',
      token,
      connectionName,
      savedConnection,
      otherConnection,
      warehouse,
      modelFile: join(places.datasources, 'shop.yaml'),
      trace: member(proposed, 'traceId'),
      semanticJob,
      cubeJob,
      cubeAnswer,
      webhook,
      delivery,
    },
    holdings: { tokens, profile, proposal },
  };
}

export async function answerOf(world: World, name: TenantName, operation: string, call: Call): Promise<Answer> {
  const declared = world.operations.get(operation);
  if (declared === undefined) throw new Error(`there is no operation ${operation}`);
  return world.clients[name].call(declared, call);
}

function parsed({ status, text }: Answer): unknown {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TOKEN = /\btx-[A-Za-z0-9_-]{43}/g;

/** Makes names of the same form that no thing has: `never-shop` for `alpha-shop`. */
export function absentOf(things: Things): Things {
  const entries = Object.entries(things).map(([key, value]: [string, string]) => [
    key,
    value
      .replaceAll('alpha', 'never')
      .replaceAll(UUID, () => '00000000-0000-4000-8000-000000000000')
      .replaceAll(TOKEN, () => `tx-${'A'.repeat(43)}`),
  ]);
  return Object.fromEntries(entries) as Things;
}

/** Removes the parts of an answer that differ each time, and replaces existing and missing names alike. */
export function comparable({ status, text }: Answer): string {
  const same = text
    .replaceAll('never', 'alpha')
    .replaceAll(UUID, '<id>')
    // The version of a document is the hash of a content that has the names.
    .replaceAll(/"version":"[0-9a-f]{32}"/g, '"version":"<version>"')
    .replaceAll(TOKEN, '<token>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b1[789]\d{11}\b/g, '<millis>')
    .replaceAll(/"(runtime|executionMillis|durationMs)":\d+/g, '"$1":<millis>');
  return `${status} ${same}`;
}
