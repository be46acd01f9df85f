/**
 * Attacks by viewers of a cube who look for rows of others: through members by name, totals above them, ranges, orders,
 * searches, samples, errors, drill-through, what-ifs, analyses, kept answers, and masks. The oracle is the same cube
 * without viewer filters, over a database from which the rows of others were deleted.
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
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { CUBE } from '../testing/engine-fixture.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';
import { STORE_SCHEMA, STORE_TABLES } from '../testing/store.ts';

const FILTERS = '[{"level": "[Store].[Shop]", "attribute": "shops"}]';
/** Adds what an attacker would like to compute with: members and sets by formulas, in the place of the author's own. */
const FORMULAS = `
  <CalculatedMember name="Of Everybody" dimension="Measures" formula="([Measures].[Units], [Store].[All Stores])"/>
  <CalculatedMember name="Share" dimension="Measures" formula="[Measures].[Units] / ([Measures].[Units], [Store].[All Stores])"/>
  <CalculatedMember name="In The South" dimension="Measures" formula="([Measures].[Units], [Store].[South])"/>
  <CalculatedMember name="Best Of All" dimension="Measures" formula="Max([Store].[Shop].Members, [Measures].[Units])"/>
  <CalculatedMember name="Shops Of All" dimension="Measures" formula="Count([Store].[Shop].Members)"/>
  <CalculatedMember name="Before" dimension="Measures" formula="([Measures].[Units], [Time].CurrentMember.PrevMember)"/>
  <CalculatedMember name="So Far" dimension="Measures" formula="Sum(YTD(), [Measures].[Units])"/>
  <CalculatedMember name="Beside" dimension="Measures" formula="([Measures].[Units], [Store].CurrentMember.NextMember)"/>
  <CalculatedMember name="Above" dimension="Measures" formula="([Measures].[Units], [Store].CurrentMember.Parent)"/>`;

function schemaOf(isFiltered: boolean): string {
  const annotations = `<Annotations><Annotation name="service.viewerFilters"><![CDATA[${FILTERS}]]></Annotation></Annotations>`;
  const begin = /<Cube name="Sales"[^>]*>/;
  const withFormulas = STORE_SCHEMA.replace(
    '<CalculatedMember name="Price"',
    `${FORMULAS}<CalculatedMember name="Price"`,
  ).replace('</Schema>', '<Role name="ROLE_ALL"><SchemaGrant access="all"/></Role></Schema>');
  return isFiltered ? withFormulas.replace(begin, (found) => found + annotations) : withFormulas;
}

/** Deletes the facts of other shops, and the shops themselves. */
function cutTo(shops: readonly string[]): readonly string[] {
  const names = shops.map((name) => `'${name}'`).join(', ') || "''";
  return [
    ...STORE_TABLES,
    `DELETE FROM sales WHERE store_id NOT IN (SELECT store_id FROM store WHERE name IN (${names}))`,
    `DELETE FROM store WHERE name NOT IN (${names})`,
  ];
}

const units = [{ name: 'Units' }];
const ask = (more: object = {}) => ({ cube: CUBE, measures: units, ...more });
const shops = { dimension: 'Store', level: 'Shop' };
const regions = { dimension: 'Store', level: 'Region' };
const months = { dimension: 'Time', level: 'Month' };
const people = { dimension: 'Customer', level: 'Person' };
const formula = (...names: readonly string[]) => names.map((name) => ({ name }));

/** Typed requests, by what the attacker hopes for. */
const QUERIES: Readonly<Record<string, object>> = {
  'another shop by name': ask({ filters: [{ ...shops, members: ['[Store].[North].[Bergen]'] }] }),
  'another shop by caption': ask({ filters: [{ ...shops, members: ['Bergen'] }] }),
  'another shop on an axis': ask({ rows: [{ ...shops, members: ['[Store].[South].[Rome]'] }] }),
  'own and other shops on an axis': ask({ rows: [{ ...shops, members: ['Oslo', 'Rome', 'Bergen'] }] }),
  'the total member by name': ask({ rows: [{ dimension: 'Store', members: ['[Store].[All Stores]'] }] }),
  'totals of several levels': ask({
    rows: [{ dimension: 'Store', members: ['[Store].[All Stores]', '[Store].[North]', '[Store].[North].[Oslo]'] }],
  }),
  'visible totals of several levels': ask({
    rows: [{ dimension: 'Store', members: ['[Store].[All Stores]', '[Store].[North]', '[Store].[North].[Oslo]'] }],
    visualTotals: true,
  }),
  'a range of shops': ask({
    filters: [{ ...shops, op: 'between', members: ['[Store].[North].[Bergen]', '[Store].[South].[Rome]'] }],
  }),
  'shops below a region': ask({
    rows: [shops],
    filters: [{ ...regions, op: 'descendants_of', members: ['[Store].[South]'] }],
  }),
  'all but the own shop': ask({ filters: [{ ...shops, op: 'not_in', members: ['Oslo'] }] }),
  'a misspelt shop in an error': ask({ filters: [{ ...shops, members: ['Bergne'] }] }),
  'a misspelt unique name in an error': ask({ rows: [{ ...shops, members: ['[Store].[North].[Bergne]'] }] }),
  'a misspelt region in an error': ask({ rows: [{ ...regions, members: ['Nroth'] }] }),
  'the largest of all': ask({ measures: formula('Best Of All') }),
  'a formula over the total': ask({ measures: formula('Of Everybody') }),
  'a share of the total': ask({ rows: [shops], measures: formula('Share') }),
  'a formula with another region': ask({ measures: formula('In The South') }),
  'a count of members': ask({ measures: formula('Shops Of All') }),
  'the member beside': ask({ rows: [shops], measures: formula('Beside') }),
  'the member above': ask({ rows: [shops], measures: formula('Above') }),
  'the period before': ask({ rows: [months], measures: formula('Before') }),
  'a running total': ask({ rows: [months], measures: formula('So Far') }),
  'a distinct count': ask({ measures: formula('Customers') }),
  'a distinct count per month': ask({ rows: [months], measures: formula('Customers', 'Lines') }),
  'a ratio': ask({ rows: [regions], measures: formula('Price', 'Amount') }),
  'people and shops': ask({ rows: [people, shops] }),
  'months of others': ask({ rows: [months], nonEmpty: false }),
  'shops without values': ask({ rows: [shops], nonEmpty: false }),
  'an order by a formula': ask({ rows: [shops], order: [{ by: 'Share', direction: 'desc' }], limit: 1 }),
  'the first by an order': ask({ rows: [people], order: [{ by: 'Units', direction: 'desc' }], limit: 1 }),
  'the last by an order': ask({ rows: [people], order: [{ by: 'Units' }], limit: 1 }),
  'shops in columns': ask({ rows: [people], columns: [shops] }),
  'regions across months': ask({ rows: [months], columns: [regions] }),
  'a required filter': ask({
    measures: formula('Yearly'),
    filters: [{ dimension: 'Time', level: 'Year', members: ['2025'] }],
  }),
  'a person': ask({ rows: [shops], filters: [{ ...people, members: ['ann'] }] }),
  'a person who buys elsewhere only': ask({ rows: [shops], filters: [{ ...people, members: ['cat'] }] }),
  'people without values': ask({ rows: [people], nonEmpty: false }),
};

/** Attacks that are refused for everybody: their errors must name nothing of others. */
const REFUSED: ReadonlySet<string> = new Set([
  'own and other shops on an axis',
  'a range of shops',
  'a misspelt shop in an error',
  'a misspelt unique name in an error',
  'a misspelt region in an error',
]);

type Call = (cubes: Fixture, as: Scope) => Promise<unknown>;

const post =
  (path: string, body: object): Call =>
  async (cubes, as) =>
    outcomeOf(await cubes.call(`POST ${path}`, body, as));
const get =
  (path: string): Call =>
  async (cubes, as) =>
    outcomeOf(await cubes.call(`GET ${path}`, undefined, as));
const search = (more: string) => get(`/members/search?cubeId=${CUBE}&dimension=Store&${more}`);
const drill =
  (request: object, options: string): Call =>
  async (cubes, as) => {
    const { status, body } = await cubes.call('POST /query', request, as);
    if (status !== 200) return { status };
    const drilled = await cubes.call(`GET /query/${body.queryId}/drillthrough?${options}`, undefined, as);
    const rows = drilled.body.rows?.map((row: object) => JSON.stringify(row)).toSorted();
    return { status: drilled.status, rows, field: drilled.body.field, available: drilled.body.available };
  };

/** Calls of other operations. */
const CALLS: Readonly<Record<string, Call>> = {
  'a search for all shops': search('level=Shop'),
  'a search for another shop': search('level=Shop&q=berg'),
  'a search among regions': search('level=Region'),
  'a search below a region': search(`level=Shop&parent=${encodeURIComponent('[Store].[North]')}`),
  'a search below another region': search(`level=Shop&parent=${encodeURIComponent('[Store].[South]')}`),
  'a search for all people': get(`/members/search?cubeId=${CUBE}&dimension=Customer&level=Person`),
  'a search for a person who buys elsewhere only': get(
    `/members/search?cubeId=${CUBE}&dimension=Customer&level=Person&q=cat`,
  ),
  'the samples of people': async (cubes, as) =>
    (await cubes.call(`GET /schema/${CUBE}`, undefined, as)).body.dimensions?.customer,
  'the samples of the schema': async (cubes, as) =>
    (await cubes.call(`GET /schema/${CUBE}`, undefined, as)).body.dimensions?.store,
  'a matrix': post('/query?format=matrix', ask({ rows: [regions], columns: [months] })),
  'the rows behind a total': drill(ask(), 'maxrows=100'),
  'the rows behind a region': drill(ask({ rows: [regions] }), 'maxrows=100&position=0:0'),
  'the rows behind an order': drill(
    ask({ rows: [people], order: [{ by: 'Units', direction: 'desc' }], limit: 1 }),
    'maxrows=100&position=0:0',
  ),
  'one row and the note that there are more': async (cubes, as) => {
    const { body } = await cubes.call('POST /query', ask(), as);
    const { body: drilled } = await cubes.call(`GET /query/${body.queryId}/drillthrough?maxrows=1`, undefined, as);
    return drilled.truncated;
  },
  'a what-if at the total': post('/scenario/whatif', {
    query: ask({ rows: [shops] }),
    changes: [{ measure: 'Units', value: 1_000, allocation: 'weighted_allocation' }],
  }),
  'a what-if at another shop': post('/scenario/whatif', {
    query: ask({ rows: [shops] }),
    changes: [{ measure: 'Units', members: ['[Store].[North].[Bergen]'], value: 1_000 }],
  }),
  'a forecast of others': post('/forecast', { query: ask({ rows: [months] }), timeAxis: 'Time/Month', horizon: 2 }),
  'an anomaly of others': post('/anomaly', { query: ask({ rows: [months] }), timeAxis: 'Time/Month' }),
};

/** Returns what a caller sees of an answer, without what differs between two runs. */
function outcomeOf({ status, body }: { readonly status: number; readonly body: unknown }): unknown {
  const seen: unknown = JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value)),
  );
  return { status, body: seen };
}
const VOLATILE: ReadonlySet<string> = new Set(['queryId', 'runtimeMs', 'freshness']);

const VIEWERS: Readonly<Record<string, readonly string[]>> = { A: ['Oslo', 'Rome'], B: ['Bergen'] };
/** What an answer contains that has anything of a shop. */
const OF_A_SHOP = /"(value|formatted)":"?[1-9]|"(caption|uniqueName)":"[^"]*(Oslo|Bergen|Rome|Paris)/;
const ofViewer = (attributes: Attributes): Scope => ({ ...scope('ROLE_ALL'), attributes });

describeEngines(
  'attacks of viewers of a cube on $engine',
  (engine) => {
    let state: StateStore;
    let folder: string;
    const opened: { readonly close: () => Promise<unknown> }[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
      state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
      await state.migrate({ recent: recentQueryMigrations });
    });
    afterAll(async () => {
      for (const one of opened.toReversed()) await one.close();
      await state.close();
      await rm(folder, { recursive: true });
    });

    /** Opens the cube with filters over all rows, or without filters over the rows of some shops. */
    async function open(visible: readonly string[] | undefined, threshold: number): Promise<Fixture> {
      const warehouse = await startWarehouse(engine, visible === undefined ? STORE_TABLES : cutTo(visible));
      const cubes = await Fixture.open({
        warehouses: warehouse.warehouses,
        address: warehouse.address,
        // Kept answers of one viewer must not reach another.
        cache: openCache({ maxBytes: 10_000_000, clock: Date.now }),
        state,
        schema: schemaOf(visible === undefined),
        settings: { cacheTtlMs: 600_000, kAnonymity: { threshold, mask: null } },
      });
      expect(cubes.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      opened.push({ close: () => warehouse.stop() }, cubes);
      return cubes;
    }

    describe.each([
      ['without masks', 0],
      ['with masks of groups below 2', 2],
    ])('%s', (_, threshold) => {
      let whole: Fixture;
      const cut = new Map<string, Fixture>();
      beforeAll(async () => {
        whole = await open(undefined, threshold);
        for (const [name, visible] of Object.entries(VIEWERS)) cut.set(name, await open(visible, threshold));
      });

      const attacks = [
        ...Object.entries(QUERIES).map(([title, request]): [string, Call] => [title, post('/query', request)]),
        ...Object.entries(CALLS),
      ];
      it.each(attacks)('%s', async (title, call) => {
        const answered: string[] = [];
        for (const [name, visible] of Object.entries(VIEWERS)) {
          const oracle = cut.get(name);
          if (oracle === undefined) throw new Error('each viewer has a database');
          const seen = await call(whole, ofViewer({ shops: visible }));
          expect(seen, name).toEqual(await call(oracle, ofViewer({})));
          if (!JSON.stringify(seen).includes('"status":4')) answered.push(name);
        }
        // To a viewer without a shop, the dimension is unknown; an empty database still has its totals.
        expect(JSON.stringify(await call(whole, ofViewer({ shops: [] })))).not.toMatch(OF_A_SHOP);
        // An attack that everybody is refused would show only that the errors are equal.
        expect(answered.length > 0).toBe(!REFUSED.has(title));
      });
    });
  },
  // A viewer sees members as a role does; `mdx/dialects.test.ts` runs the statements of roles on every engine.
  { engines: ['duckdb', 'postgresql'] },
);
