import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

/** Looks up names of random cubes in every operation, and compares the answers with loops over the rows. */

/** Names that are similar, or that must be quoted. Null is the name of a member without one. */
const NAMES = [
  ...['abc', 'ABC', 'Abc', 'aBC', 'é', 'É', 'e', 'E', 'ß', 'ss', 'SS', 'x', 'x ', ' x', ' ', ''],
  ...['a.b', 'A.B', 'a]b', '[a]', 'a"b', "a'b", 'a,b', '&[1]', '%', '_', '\\', '{x}', '数', '1', '01', 'area', 'SPOT'],
  null,
];
const MAX_REQUESTS = 80;

/** The types of columns that treat names of different letter case as equal, if the engine has such types. */
const TEXT: Partial<Readonly<Record<AnyEngineName, string>>> = {
  duckdb: 'VARCHAR(20)',
  sqlite: 'VARCHAR(20) COLLATE NOCASE',
  trino: 'VARCHAR(20)',
  mariadb: 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
};

interface Row {
  readonly region: string | null;
  readonly town: string | null;
  readonly units: number;
}

const nameIn = fc.constantFrom(...NAMES);
const [ROWS = []] = fc.sample(
  fc.array(fc.record({ region: nameIn, town: nameIn, units: fc.integer({ min: 1, max: 1_000 }) }), {
    minLength: 120,
    maxLength: 120,
  }),
  { seed: SEED, numRuns: 1 },
);

const literal = (name: string | null, engine: AnyEngineName) =>
  name === null ? 'NULL' : `'${(engine === 'mariadb' ? name.replaceAll('\\', '\\\\') : name).replaceAll("'", "''")}'`;
const quoted = (name: string | null) => `[${(name ?? '#null').replaceAll(']', ']]')}]`;
const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;');
const unique = <Each>(items: readonly Each[]) => [...new Set(items)];
const total = (rows: readonly Row[]) => rows.reduce((sum, { units }) => sum + units, 0);

const REGIONS = unique(ROWS.map(({ region }) => region));
const roleOf = (index: number) => `region ${index}`;
const ROLES = REGIONS.map(
  (region, index) => `<Role name="${roleOf(index)}"><SchemaGrant access="none"><CubeGrant cube="Names" access="all">
    <HierarchyGrant hierarchy="[Place]" access="custom" rollupPolicy="partial"><MemberGrant member="${xml(`[Place].${quoted(region)}`)}" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>`,
);
const SCHEMA = `<Schema name="Names"><Cube name="Names"><Table name="fact"/>
  <Dimension name="Place"><Hierarchy hasAll="true" allMemberName="Everything"><Level name="Area" column="region" uniqueMembers="true"/><Level name="Spot" column="town" uniqueMembers="false"/></Hierarchy></Dimension>
  <Dimension name="Spots"><Hierarchy hasAll="true" allMemberName="Everything"><Level name="Only" column="town" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/>
</Cube>${ROLES.join('')}</Schema>`;
const CUBE = 'test/Names/Names/Names';

describeEngines('random names on $engine', suite, { engines: Object.keys(TEXT) as readonly AnyEngineName[] });

function suite(engine: AnyEngineName): void {
  let on: TestWarehouse;
  let state: StateStore;
  let folder: string;
  let cubes: Fixture;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-names-'));
    const rows = ROWS.map(
      ({ region, town, units }) => `(${literal(region, engine)}, ${literal(town, engine)}, ${units})`,
    );
    on = await startWarehouse(engine, [
      `CREATE TABLE fact (region ${TEXT[engine]}, town ${TEXT[engine]}, units INTEGER)`,
      `INSERT INTO fact VALUES ${rows.join(', ')}`,
    ]);
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ cube: recentQueryMigrations });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    cubes = await Fixture.open({ warehouses: on.warehouses, address: on.address, cache, state, schema: SCHEMA });
  });
  afterAll(async () => {
    await cubes.close();
    await state.close();
    await on.stop();
    await rm(folder, { recursive: true });
  });

  const base = { cube: CUBE, measures: [{ name: 'Units' }] };
  const ask = async (request: object, role = 'ROLE_ADMIN') => {
    const { records } = await cubes.surface.source.prepare({ ...base, ...request }).run(scope(role), {});
    return records.map((record) =>
      Object.values(record).map((cell) => (typeof cell === 'object' && cell !== null ? cell.value : cell)),
    );
  };
  const sums = (rows: readonly Row[], keys: (row: Row) => readonly (string | null)[]) => {
    const rowsByKey = new Map<string, Row[]>();
    for (const row of rows) {
      const key = JSON.stringify(keys(row).map((name) => name ?? '#null'));
      rowsByKey.set(key, [...(rowsByKey.get(key) ?? []), row]);
    }
    return [...rowsByKey].map(([key, rows]) => [...JSON.parse(key), total(rows)]);
  };
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted();

  it('are separate members', async () => {
    expect(sorted(await ask({ rows: [{ dimension: 'Place', level: 'Area' }] }))).toEqual(
      sorted(sums(ROWS, (row) => [row.region])),
    );
    expect(sorted(await ask({ rows: [{ dimension: 'Spots', level: 'Only' }] }))).toEqual(
      sorted(sums(ROWS, (row) => [row.town])),
    );
    const both = await ask({
      rows: [
        { dimension: 'Place', level: 'Area' },
        { dimension: 'Place', level: 'Spot' },
      ],
    });
    expect(sorted(both)).toEqual(sorted(sums(ROWS, (row) => [row.region, row.town])));
  });

  it('are found by every operation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ROWS), fc.constantFrom(...ROWS), async (drawn, other) => {
        const { region, town } = drawn;
        const area = `[Place].${quoted(region)}`;
        const spot = `${area}.${quoted(town)}`;
        const ofRegion = ROWS.filter((row) => row.region === region);
        const ofSpot = ofRegion.filter((row) => row.town === town);
        const filtered = (op: string, members: readonly string[], more = {}) =>
          ask({ filters: [{ dimension: 'Place', op, members, ...more }] });
        // by unique names
        expect(await filtered('in', [area])).toEqual([[total(ofRegion)]]);
        expect(await filtered('in', [spot])).toEqual([[total(ofSpot)]]);
        const two = unique([area, `[Place].${quoted(other.region)}`]);
        const ofTwo = ROWS.filter((row) => [region, other.region].includes(row.region));
        expect(await filtered('in', two)).toEqual([[total(ofTwo)]]);
        const rest = ROWS.filter((row) => row.region !== region);
        expect(await filtered('not_in', [area])).toEqual([[total(rest)]]);
        const below = await ask({
          rows: [{ dimension: 'Place', level: 'Spot' }],
          filters: [{ dimension: 'Place', level: 'Spot', op: 'descendants_of', members: [area] }],
        });
        expect(sorted(below)).toEqual(sorted(sums(ofRegion, (row) => [row.town])));
        // by its caption
        const named = { dimension: 'Spots', level: 'Only', members: [town ?? '#null'] };
        if (town !== '' && !(town ?? '').trimStart().startsWith('['))
          expect(await ask({ filters: [named] })).toEqual([[total(ROWS.filter((row) => row.town === town))]]);
        // by the filter of an embed
        const { records } = await cubes.surface.source
          .prepare({ ...base, rows: [{ dimension: 'Place', level: 'Area' }] })
          .run(scope('ROLE_ADMIN'), { runtimeFilters: [{ field: 'Place.Area', op: 'IN', values: [area] }] });
        expect(records.map((record) => record.Units)).toMatchObject([{ value: total(ofRegion) }]);
        // by a search
        const search = new URLSearchParams({
          cubeId: CUBE,
          dimension: 'Place',
          level: 'Area',
          q: region ?? '#null',
          limit: '100',
        });
        const { body } = await cubes.call(`GET /members/search?${search}`);
        expect(JSON.stringify(body)).toContain(JSON.stringify(area));
        // by the facts behind the figure
        const response = await cubes.call('POST /query', {
          ...base,
          filters: [{ dimension: 'Place', members: [spot] }],
        });
        const drilled = await cubes.call(
          `GET /query/${response.body.queryId}/drillthrough?position=0:0&returns=${encodeURIComponent('[Measures].[Units]')}`,
        );
        expect(drilled.body.rows.map((row: object) => Number(Object.values(row)[0])).toSorted()).toEqual(
          ofSpot.map(({ units }) => units).toSorted(),
        );
        // by a change of what if
        const changes = [{ measure: 'Units', members: [area], value: 7, allocation: 'equal_allocation' }];
        const whatIf = await cubes.call('POST /scenario/whatif', { query: base, changes });
        expect(whatIf.body.data[0].Units.value).toBeCloseTo(total(ROWS) - total(ofRegion) + 7, 6);
        // by a role
        expect(await ask({ rows: [{ dimension: 'Place', level: 'Area' }] }, roleOf(REGIONS.indexOf(region)))).toEqual([
          [region ?? '#null', total(ofRegion)],
        ]);
      }),
      { seed: SEED, numRuns: runsOn(engine, MAX_REQUESTS), endOnFailure: true },
    );
  }, 120_000);
}
