/**
 * Tests that a saved connection shows no value that a served model of the same warehouse marks as personal data, for any spelling of its address. The
 * warehouse has one secret address, which no answer of area B may contain.
 */
import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openIdentity } from '../identity/index.ts';
import { CHEAP } from '../identity/testing/fixture.ts';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { placesOf } from './tenant-folders.ts';
import { startWorld, type World } from './testing/world.ts';

const SECRET = 'ann.confidential@mail.example';

const field = (name: string, more = '') =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] }${more} }`;
const PII = `, custom_extensions: [{ vendor_name: SERVICE, data: '{"pii": true}' }]`;
const MODEL = `version: "0.1.1"
semantic_model:
  - name: people
    datasets:
      - name: users
        source: main.users
        primary_key: [id]
        fields:
${field('id')}
${field('c7', PII)}
${field('city')}
      - name: cards
        source: "SELECT id, upper(holder) AS person FROM cards"
        primary_key: [id]
        fields:
${field('id')}
${field('person', PII)}
    metrics:
      - { name: heads, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(users.id) }] } }
`;
const CUBES = `<Schema name="Pets">
  <Cube name="Pets"><Table name="pets"/>
    <Dimension name="Owner"><Hierarchy hasAll="true"><Level name="Owner" column="kept_by" nameColumn="keeper">
      <Annotations><Annotation name="service.semantic.pii">true</Annotation></Annotations></Level></Hierarchy></Dimension>
    <Measure name="Count" column="id" aggregator="count"/>
  </Cube>
</Schema>`;

let world: World;
let key: string;
let file: string;

beforeAll(async () => {
  world = await startWorld(undefined);
  const places = placesOf(world.home, undefined);
  file = join(places.data, 'people.duckdb');
  await writeDuckdb(file, [
    'CREATE TABLE users (id INTEGER, c7 VARCHAR, city VARCHAR)',
    `INSERT INTO users VALUES (1, '${SECRET}', 'Rome'), (2, '${SECRET}', 'Oslo')`,
    'CREATE TABLE cards (id INTEGER, holder VARCHAR, kind VARCHAR)',
    `INSERT INTO cards VALUES (1, '${SECRET}', 'gold')`,
    'CREATE TABLE pets (id INTEGER, kept_by VARCHAR, keeper VARCHAR, race VARCHAR)',
    `INSERT INTO pets VALUES (1, '${SECRET}', '${SECRET}', 'cat')`,
    'CREATE TABLE visits (user_id INTEGER, day DATE)',
    "INSERT INTO visits VALUES (1, DATE '2026-01-01'), (2, DATE '2026-01-02')",
    'CREATE VIEW letters AS SELECT c7 AS recipient, city FROM users',
  ]);
  const put = (name: string, text: string) => writeFileSync(join(places.datasources, name), text);
  const descriptor = (name: string, type: string, document: string) =>
    `<dataSource><id>${name}</id><name>${name}</name><type>${type}</type>${document}<location>jdbc:duckdb:${file}</location></dataSource>`;
  put('people.yaml', MODEL);
  put('pets.xml', CUBES);
  put('people.sds', descriptor('people', 'SEMANTIC', '<semanticYaml>people.yaml</semanticYaml>'));
  put('pets.sds', descriptor('pets', 'OLAP', '<cubeSchema>pets.xml</cubeSchema>'));
  const identity = await openIdentity({ state: world.state, clock: Date.now, log: silentLog, hashCost: CHEAP });
  const made = { tenant: world.tenants.default.id, label: 'x', roles: ['ROLE_ADMIN'] };
  key = (await identity.apiKeys.create(made)).key;
  await served();
});
afterAll(() => world?.close());

const Answer = z.looseObject({});
interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: z.infer<typeof Answer>;
}

async function call(request: string, body?: unknown): Promise<Answered> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = JSON.parse(text);
  return { status: response.status, text, body: Answer.parse(Array.isArray(parsed) ? { list: parsed } : parsed) };
}

/** Waits until the server serves the two datasources from the folder. */
async function served(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const { text } = await call('POST /rest/service/api/admin/datasources/refresh');
    const parsed = z.array(z.object({ name: z.string(), status: z.string() })).safeParse(JSON.parse(text));
    const ready = parsed.data?.filter(({ name, status }) => ['people', 'pets'].includes(name) && status === 'READY');
    if (ready?.length === 2) return;
    await wait(100);
  }
  throw new Error('the datasources were never served');
}

async function connect(name: string, url: string): Promise<string> {
  const { status, text, body } = await call('POST /me/connections', { name, url });
  expect(status, text).toBe(201);
  return z.object({ id: z.string() }).parse(body).id;
}

const cubeOver = (table: string, levels: readonly string[], measure = 'id') => ({
  schemaName: 'Trial',
  cubes: [
    {
      name: 'Trial',
      factTableSchema: 'main',
      factTableName: table,
      measures: [{ name: 'M', column: measure, aggregator: 'max' }],
      dimensions: levels.map((column) => ({
        name: `By ${column}`,
        foreignKey: '',
        tableSchema: 'main',
        tableName: table,
        primaryKey: '',
        levels: [{ name: column, column, type: 'String', uniqueMembers: true }],
      })),
    },
  ],
});

describe('personal data of a served model, read through a saved connection', () => {
  /** Other spellings of the same file. */
  const WAYS: Readonly<Record<string, () => string>> = {
    'its path': () => file,
    'a path with detours': () => join(dirname(file), '..', basename(dirname(file)), '.', basename(file)),
    'a path relative to the home': () => relative(world.home.root, file),
    'a link to its folder': () => {
      const link = join(dirname(file), 'folder');
      symlinkSync(dirname(file), link);
      return join(link, basename(file));
    },
    'another name of the file': () => {
      const link = join(dirname(file), 'hard.duckdb');
      linkSync(file, link);
      return link;
    },
  };

  it.each(Object.keys(WAYS))('is in no profile and no sample of a connection by %s', async (way) => {
    const path = WAYS[way]?.() ?? '';
    const id = await connect(way, `jdbc:duckdb:${path}`);
    const profile = await call(`POST /me/inference/profile/connection/${id}?tableTypes=TABLE,VIEW`);
    expect(profile.status).toBe(200);
    expect(profile.text).not.toContain(SECRET);
    expect(profile.text).toContain('Rome');
    expect(profile.text).toContain('gold');
    for (const table of ['users', 'USERS', 'cards', 'pets', 'letters']) {
      const sample = await call(`GET /me/inference/profile/connection/${id}/sample?table=${table}&rows=50`);
      expect(sample.status, table).toBe(200);
      expect(sample.text.toLowerCase(), table).not.toContain(SECRET);
    }
    expect((await call(`GET /me/inference/profile/connection/${id}/sample?table=users`)).body).toEqual({
      schema: 'main',
      table: 'users',
      columns: ['id', 'city'],
      rows: [
        [1, 'Rome'],
        [2, 'Oslo'],
      ],
      personal: ['c7'],
    });
    await call(`DELETE /me/connections/${id}`);
  });

  it('is marked in a profile, so that a proposal leaves it out', async () => {
    const id = await connect('proposing', `jdbc:duckdb:${file}`);
    const { body: profile } = await call(`POST /me/inference/profile/connection/${id}`);
    const proposed = await call('POST /me/inference/propose', { profile });
    expect(proposed.status, proposed.text).toBe(200);
    const { proposal } = z.object({ proposal: z.looseObject({}) }).parse(proposed.body);
    expect(JSON.stringify(proposal)).not.toMatch(/"levels":[^\]]*"column":"(c7|kept_by|keeper|holder)"/);
    expect(proposed.text).toContain('A served model of the warehouse marks it.');
  });

  it.each([
    ['a level', 'users', ['city', 'C7'], 'id', 'proposal.cubes[0].dimensions[1].levels[0].column'],
    ['a measure', 'users', ['city'], 'c7', 'proposal.cubes[0].measures[0].column'],
    ['a column behind a query', 'cards', ['holder'], 'id', 'proposal.cubes[0].dimensions[0].levels[0].column'],
    ['a name column of a cube', 'pets', ['keeper'], 'id', 'proposal.cubes[0].dimensions[0].levels[0].column'],
    ['a view under another name', 'letters', ['recipient'], 'city', 'proposal.cubes[0].measures[0].column'],
  ])('is refused in trial and publication as %s', async (name, table, levels, measure, place) => {
    const id = await connect(name, `jdbc:duckdb:${file}`);
    const proposal = cubeOver(table, levels, measure);
    const mdx = 'SELECT {[Measures].[M]} ON COLUMNS FROM [Trial]';
    for (const [request, body] of [
      ['POST /me/inference/try-query', { proposal, connectionId: id, mdx }],
      ['POST /me/inference/publish', { proposal, connectionId: id, name: 'trial' }],
    ] as const) {
      const { status, body: refusal, text } = await call(request, body);
      expect(status, `${request} ${text}`).toBe(400);
      expect(refusal).toMatchObject({ error: 'validation_error', field: place });
      expect(text).not.toContain(SECRET);
    }
  });

  it('does not keep other columns from a trial', async () => {
    const id = await connect('others', `jdbc:duckdb:${file}`);
    const mdx = 'SELECT {[Measures].[M]} ON COLUMNS, [By city].[city].Members ON ROWS FROM [Trial]';
    const { status, text } = await call('POST /me/inference/try-query', {
      proposal: cubeOver('users', ['city']),
      connectionId: id,
      mdx,
    });
    expect(status, text).toBe(200);
    expect(text).toContain('Oslo');
  });
});
