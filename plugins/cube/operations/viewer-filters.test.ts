/**
 * Tests that viewers of a cube see the members of their attributes only. The oracle is the same cube over a database from
 * which all other members and their facts were deleted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attributes } from '../../../router/capabilities/attributes.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { CUBE } from '../testing/engine-fixture.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';
import { STORE_SCHEMA, STORE_TABLES } from '../testing/store.ts';

const FILTERS = '[{"level": "[Store].[Shop]", "attribute": "shops"}]';
const GRANT =
  '<Role name="ROLE_NORTH"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all"><HierarchyGrant hierarchy="[Store]" access="custom" rollupPolicy="partial"><MemberGrant member="[Store].[North]" access="all"/></HierarchyGrant></CubeGrant></SchemaGrant></Role>';

const ALL = '<Role name="ROLE_ALL"><SchemaGrant access="all"/></Role>';

/** Adds annotations to the cube `Sales`. */
function annotated(annotations: Readonly<Record<string, string>>, schema = STORE_SCHEMA): string {
  const texts = Object.entries(annotations).map(
    ([name, value]) => `<Annotation name="${name}"><![CDATA[${value}]]></Annotation>`,
  );
  const cube = /<Cube name="Sales"[^>]*>/;
  return schema.replace(cube, (begin) => `${begin}<Annotations>${texts.join('')}</Annotations>`);
}

const ofViewer = (attributes: Attributes, ...roles: readonly string[]): Scope => ({ ...scope(...roles), attributes });

/** Deletes the facts of other shops, and the shops themselves. */
function cutTo(shops: readonly string[]): readonly string[] {
  const names = shops.map((name) => `'${name}'`).join(', ') || "''";
  return [
    ...STORE_TABLES,
    `DELETE FROM sales WHERE store_id NOT IN (SELECT store_id FROM store WHERE name IN (${names}))`,
    `DELETE FROM store WHERE name NOT IN (${names})`,
  ];
}

const MEASURES = ['Units', 'Amount', 'Lines', 'Customers', 'Price'].map((name) => ({ name }));
const query = (more: object) => ({ cube: CUBE, measures: MEASURES, ...more });

/** Requests that add up, compare, or name what a viewer does not see. */
const REQUESTS: Readonly<Record<string, object>> = {
  'the total': query({}),
  regions: query({ rows: [{ dimension: 'Store', level: 'Region' }] }),
  shops: query({ rows: [{ dimension: 'Store', level: 'Shop' }] }),
  'shops without sales': query({ rows: [{ dimension: 'Store', level: 'Shop' }], nonEmpty: false }),
  'another dimension': query({ rows: [{ dimension: 'Time', level: 'Month' }] }),
  'people, who bought elsewhere too': query({ rows: [{ dimension: 'Customer', level: 'Person' }] }),
  'the best shops': query({
    rows: [{ dimension: 'Store', level: 'Shop' }],
    order: [{ by: 'Units', direction: 'desc' }],
    limit: 2,
  }),
  'shops across': query({
    rows: [{ dimension: 'Time', level: 'Year' }],
    columns: [{ dimension: 'Store', level: 'Region' }],
  }),
  'visual totals': query({ rows: [{ dimension: 'Store', level: 'Region' }], visualTotals: true }),
  'a region': query({ filters: [{ dimension: 'Store', level: 'Region', members: ['[Store].[South]'] }] }),
  'shops of a region': query({
    rows: [{ dimension: 'Store', level: 'Shop' }],
    filters: [{ dimension: 'Store', level: 'Region', op: 'descendants_of', members: ['[Store].[North]'] }],
  }),
  'all but a shop': query({
    filters: [{ dimension: 'Store', level: 'Shop', op: 'not_in', members: ['[Store].[North].[Oslo]'] }],
  }),
};

describeEngines(
  'viewer filters of a cube on $engine',
  (engine) => {
    const opened: { readonly close: () => Promise<unknown> }[] = [];
    let state: StateStore;
    let filtered: Fixture;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
      state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
      await state.migrate({ recent: recentQueryMigrations });
      const schema = annotated({ 'service.viewerFilters': FILTERS });
      filtered = await open(engine, STORE_TABLES, schema.replace('</Schema>', `${GRANT}${ALL}</Schema>`));
      expect(filtered.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
    afterAll(async () => {
      for (const one of opened.toReversed()) await one.close();
      await state.close();
      await rm(folder, { recursive: true });
    });

    async function open(on: AnyEngineName, tables: readonly string[], schema: string): Promise<Fixture> {
      const warehouse: TestWarehouse = await startWarehouse(on, tables);
      const cubes = await Fixture.open({
        warehouses: warehouse.warehouses,
        address: warehouse.address,
        cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
        state,
        schema,
      });
      opened.push({ close: () => warehouse.stop() }, cubes);
      return cubes;
    }

    describe.each([['Oslo', 'Rome'], ['Bergen'], ['Paris'], []])('for shops %s, %s', (...shops) => {
      const names = shops.filter((name) => typeof name === 'string');
      let cut: Fixture;
      const viewer = ofViewer({ shops: names }, 'ROLE_NORTH', 'ROLE_OTHER');
      const allOf = ofViewer({ shops: names }, 'ROLE_ALL');
      beforeAll(async () => {
        cut = await open(engine, cutTo(names), STORE_SCHEMA.replace('</Schema>', `${GRANT}${ALL}</Schema>`));
      });

      it.each(Object.entries(REQUESTS))('answer like a database without the others: %s', async (_, request) => {
        for (const as of [allOf, viewer]) {
          const [{ status, body }, expected] = [
            await filtered.call('POST /query', request, as),
            await cut.call('POST /query', request, as),
          ];
          expect([status, body.data, body.error, body.available]).toEqual([
            expected.status,
            expected.body.data,
            expected.body.error,
            expected.body.available,
          ]);
        }
      });

      it('find, sample and drill like a database without the others', async () => {
        const paths = [
          `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop&q=o`,
          `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop`,
          `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Region`,
        ];
        for (const path of paths)
          expect((await filtered.call(path, undefined, allOf)).body).toEqual(
            (await cut.call(path, undefined, allOf)).body,
          );
        const samples = async (cubes: Fixture) =>
          (await cubes.call(`GET /schema/${CUBE}`, undefined, allOf)).body.dimensions.store;
        expect(await samples(filtered)).toEqual(await samples(cut));
        const rows = async (cubes: Fixture) => {
          const { body } = await cubes.call('POST /query', query({}), allOf);
          const drilled = await cubes.call(`GET /query/${body.queryId}/drillthrough?maxrows=100`, undefined, allOf);
          return drilled.body.rows?.map((row: object) => JSON.stringify(row)).toSorted();
        };
        expect(await rows(filtered)).toEqual(await rows(cut));
      });
    });
  },
  // A viewer sees members as a role does; `mdx/dialects.test.ts` runs the statements of roles on every engine.
  { engines: ['duckdb', 'postgresql'] },
);

describe('the filters of a cube schema', () => {
  let state: StateStore;
  let warehouse: TestWarehouse;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ recent: recentQueryMigrations });
    warehouse = await startWarehouse('duckdb', STORE_TABLES);
  });
  afterAll(async () => {
    await warehouse.stop();
    await state.close();
    await rm(folder, { recursive: true });
  });
  const open = (schema: string) =>
    Fixture.open({
      warehouses: warehouse.warehouses,
      address: warehouse.address,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state,
      schema,
    });
  const UNITS = { cube: CUBE, measures: [{ name: 'Units' }] };

  it('free a session of an exempt role, but no embed with the role', async () => {
    const cubes = await open(annotated({ 'service.viewerFilters': FILTERS, 'service.viewerExempt': '["ROLE_ADMIN"]' }));
    expect(await cubes.table(UNITS, { ...scope('ROLE_ADMIN'), isAccount: true })).toEqual([[47]]);
    const embed = ofViewer({ shops: ['Rome'] }, 'ROLE_ADMIN');
    expect(await cubes.table(UNITS, embed)).toEqual([[8]]);
    const viewAs: Scope = { ...embed, viewedBy: { ...scope('ROLE_ADMIN'), isAccount: true } };
    expect(await cubes.table(UNITS, viewAs)).toEqual([[8]]);
    const narrower: Scope = { ...embed, viewedBy: ofViewer({ shops: ['Oslo'] }, 'ROLE_ADMIN') };
    const nothing = await cubes.table(UNITS, ofViewer({ shops: [] }, 'ROLE_ADMIN'));
    expect(await cubes.table(UNITS, narrower)).toEqual(nothing);
    await cubes.close();
  });

  it.each([
    [
      'an unknown level',
      { 'service.viewerFilters': '[{"level": "[Store].[Shpo]", "attribute": "shops"}]' },
      /Shpo.*Shop/,
    ],
    ['no JSON', { 'service.viewerFilters': 'shops' }, /no JSON list/],
    ['an unknown annotation', { 'service.viewerFilter': FILTERS }, /not one of service.viewerFilters/],
    ['exempt roles without a list', { 'service.viewerExempt': 'ROLE_ADMIN' }, /no JSON list of roles/],
  ])('are refused with %s', async (_, annotations, message) => {
    const cubes = await open(annotated(annotations));
    expect(cubes.problems.filter(({ severity }) => severity === 'error').map((one) => one.message)).toContainEqual(
      expect.stringMatching(message),
    );
    expect((await cubes.call('POST /query', UNITS)).status).toBe(404);
    await cubes.close();
  });
});
