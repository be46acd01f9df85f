/** Tests every closed list in every request: a wrong value is answered with its place and the legal values. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config/read-config.ts';
import { locateHome, makeHome } from './home-directory/home-directory.ts';
import { openPort } from './http/port.ts';
import { identityMigrations, openIdentity } from './identity/index.ts';
import { type Launched, launch } from './launcher.ts';
import { openLog } from './log/log.ts';
import { openState } from './state/index.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly format?: string;
}
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const MAX_DEPTH = 12;
let root: string;
let launched: Launched;
let url: string;
let document: Document;
/** An API key, which needs no CSRF pair; that check would come before the input. */
let key: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'service-closed-lists-'));
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  const log = openLog('silent');
  const state = await openState({ url: undefined, sqliteFile: join(home.data, 'state.sqlite'), log });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log });
  const { id: tenant } = await identity.tenants.ensure('default');
  ({ key } = await identity.apiKeys.create({ tenant, label: 'test', roles: ['ROLE_ADMIN'] }));
  await state.close();
  mkdirSync(join(root, 'ui'));
  writeFileSync(join(root, 'ui/index.html'), '<!doctype html><title>home</title>');
  const { config } = readConfig({ properties: '', environment: {}, overrides: { 'service.http.port': '0' } });
  const port = await openPort('127.0.0.1', 0);
  url = `http://127.0.0.1:${port.port}`;
  launched = await launch({
    home,
    config,
    log,
    port,
    environment: {},
    adminPassword: 'a password for this test',
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
  document = (await (await fetch(`${url}/rest/service/api/openapi.json`)).json()) as Document;
});

afterAll(async () => {
  await launched?.stop(0);
  rmSync(root, { recursive: true, force: true });
});

function followed(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

/** Makes the smallest value of a schema, as far as its shape determines one. */
function sample(raw: Schema, depth = 0): unknown {
  const schema = followed(raw);
  if (depth > MAX_DEPTH) return undefined;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [branch] = branchesOf(schema);
  if (branch !== undefined) return sample(branch, depth + 1);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {}, depth + 1)]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, depth + 1));
    case 'number':
    case 'integer':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return schema.format === 'date-time' ? '2024-01-01T00:00:00Z' : 'a';
  }
}

function branchesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

interface Place {
  readonly field: string;
  readonly legal: readonly string[];
  /** The body with a wrong value at this place. */
  readonly body: unknown;
  /** True for a constant that selects a branch: the values of the other branches are legal, too. */
  readonly isTag: boolean;
}

/** Merges places of one tag into one. */
function merged(places: readonly Place[]): readonly Place[] {
  const byField = new Map<string, Place>();
  for (const place of places.filter(({ isTag }) => isTag)) {
    const legal = [...(byField.get(place.field)?.legal ?? []), ...place.legal];
    byField.set(place.field, { ...place, legal: [...new Set(legal)] });
  }
  return [...byField.values(), ...places.filter(({ isTag }) => !isTag)];
}

const WRONG = 'no such value';

/** Finds the places of closed lists in a schema, each with a body that is wrong only there. */
function closedLists(raw: Schema, field = '', depth = 0): readonly Place[] {
  const schema = followed(raw);
  if (depth > MAX_DEPTH) return [];
  // Optional members accept null, too, which refusals do not list.
  const legal =
    schema.enum?.filter((value) => value !== null) ?? (schema.const === undefined ? undefined : [schema.const]);
  if (legal !== undefined) return [{ field, legal: legal.map(String), body: WRONG, isTag: schema.enum === undefined }];
  const branches = branchesOf(schema);
  // A union with plain text is no closed list.
  if (
    branches.some(
      (branch) =>
        followed(branch).type === 'string' &&
        followed(branch).enum === undefined &&
        followed(branch).const === undefined,
    )
  )
    return [];
  if (branches.length > 0) return merged(branches.flatMap((branch) => closedLists(branch, field, depth + 1)));
  if (schema.type === 'array' && schema.items !== undefined)
    return closedLists(schema.items, `${field}[0]`, depth + 1).map((place) => ({ ...place, body: [place.body] }));
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    closedLists(member, field === '' ? name : `${field}.${name}`, depth + 1).map((place) => ({
      ...place,
      body: { ...Object(sample(schema)), [name]: place.body },
    })),
  );
}

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: Object(await response.json()) };
}

/** Texts that operations accept, by parameter: the schema says only that they are texts. */
const RIGHT_TEXTS: Readonly<Record<string, string>> = { path: 'a.service', locale: 'en', timeZone: 'UTC' };

test('a wrong value is a 400 at its place, with the legal values', async () => {
  const wrong: unknown[] = [];
  let places = 0;
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
      const path = template.replace(/\{[^}]+\}/g, 'a.service');
      const check = async (place: Place, answered: Awaited<ReturnType<typeof send>>) => {
        places++;
        const { status, answer } = answered;
        const isTold = status === 400 && answer.field === place.field;
        const available = (answer.available ?? []) as readonly string[];
        if (!isTold || [...available].sort().join() !== [...place.legal].sort().join())
          wrong.push([operationId, place.field, place.legal, status, answer]);
      };
      const required = parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => [name, RIGHT_TEXTS[name] ?? String(sample(schema))] as const);
      for (const { name, in: where, schema } of parameters) {
        if (where !== 'query') continue;
        for (const place of closedLists(schema, name)) {
          const query = new URLSearchParams({ ...Object.fromEntries(required), [name]: WRONG });
          const json = requestBody?.content['application/json']?.schema;
          await check(place, await send(method.toUpperCase(), `${path}?${query}`, json && sample(json)));
        }
      }
      const json = requestBody?.content['application/json']?.schema;
      for (const place of json === undefined ? [] : closedLists(json)) {
        // The extension of a document's path decides what its body is.
        const isDashboard = place.field.includes('tiles[');
        const document = isDashboard ? path.replace('a.service', 'a.servicedash') : path;
        const body = isDashboard ? { ...Object(place.body), kind: 'dashboard' } : place.body;
        await check(place, await send(method.toUpperCase(), document, body));
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(places).toBeGreaterThan(20);
});
