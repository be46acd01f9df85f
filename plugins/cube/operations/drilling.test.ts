/** Going down from a saved query's levels, and the facts behind its rows, with figures by hand; see `testing/store.ts`. */
import { describe, expect, it } from 'vitest';
import type { Drill } from '../../../router/capabilities/drilling.ts';
import type { RowsOptions } from '../../../router/capabilities/query-source.ts';
import { CUBE, describeStore, REGIONS } from '../testing/engine-fixture.ts';
import { scope } from '../testing/fixture.ts';
import { STORE_SCHEMA } from '../testing/store.ts';

const YEARS = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Time', level: 'Year' }] };
const TIME = [{ field: 'Time.Year' }];
const PLACES = [{ field: 'Store.Region', to: ['Time.Quarter', 'Customer.Person'] }];
/** The stores below two lands below the world, as parents and children of one level. */
const PLACES_SCHEMA = STORE_SCHEMA.replace(
  '<Measure ',
  `<Dimension name="Area" foreignKey="store_id">
    <Hierarchy hasAll="true" primaryKey="id">
      <View alias="area"><SQL dialect="generic">SELECT store_id AS id, CASE WHEN region = 'North' THEN 11 ELSE 12 END AS parent_id, name FROM store
        UNION ALL SELECT 10, NULL, 'World' UNION ALL SELECT 11, 10, 'Nordland' UNION ALL SELECT 12, 10, 'Southland'</SQL></View>
      <Level name="Place" column="id" nameColumn="name" type="Numeric" uniqueMembers="true" parentColumn="parent_id"/>
    </Hierarchy>
  </Dimension>
  <Dimension name="Route" foreignKey="store_id">
    <Hierarchy hasAll="true" primaryKey="id">
      <View alias="route"><SQL dialect="generic">SELECT store_id AS id, region AS land, CASE WHEN region = 'North' THEN 'Coast' END AS area, name FROM store</SQL></View>
      <Level name="Land" column="land" uniqueMembers="true"/>
      <Level name="Shore" column="area" hideMemberIf="IfBlankName"/>
      <Level name="Stop" column="name"/>
    </Hierarchy>
  </Dimension>
  <Measure `,
);
const from = (field: string, value: string, more: object = {}) => ({ field, values: { [field]: value, ...more } });

describeStore('a saved cube query that goes down', (store) => {
  const run = (request: object, drill: Drill, more: object = {}, role = 'ROLE_ADMIN') =>
    store.cubes.surface.source.prepare(request).run(scope(role), { drill, ...more });
  const pairs = async (...asked: Parameters<typeof run>) => {
    const { columns, records } = await run(...asked);
    return records.map((record) => {
      const { Units: units } = record;
      const shown = columns.filter(({ type }) => type === 'dimension').map(({ key }) => record[key]);
      return [...shown, typeof units === 'object' ? units?.value : units];
    });
  };
  const rows = (request: object, options: Partial<RowsOptions>, role = 'ROLE_ADMIN') =>
    store.cubes.surface.source.prepare(request).rows(scope(role), { at: {}, limit: 10, ...options });

  describe('along a hierarchy', () => {
    it('shows the levels below the clicked members', async () => {
      const steps = [from('Time.Year', '2025')];
      expect(await pairs(YEARS, { down: TIME, steps })).toEqual([
        ['Q3', 22],
        ['Q4', 21],
      ]);
      const twice = { down: TIME, steps: [...steps, from('Time.Quarter', 'Q4')] };
      expect(await pairs(YEARS, twice)).toEqual([
        ['October', 20],
        ['November', 1],
      ]);
      expect((await run(YEARS, twice)).drilling).toEqual({
        down: [],
        trail: [
          { label: 'Year', text: '2025' },
          { label: 'Quarter', text: 'Q4' },
        ],
        rows: true,
      });
      expect((await run(YEARS, { down: TIME, steps: [] })).drilling?.down).toEqual([
        { field: 'Time.Year', label: 'Quarter', by: ['Time.Year'] },
      ]);
    });

    it('names a member by the shown levels above it, and keeps other levels', async () => {
      const shown = {
        ...YEARS,
        rows: [...YEARS.rows, { dimension: 'Time', level: 'Quarter' }],
        columns: [{ dimension: 'Store', level: 'Region' }],
      };
      const down = [{ field: 'Time.Quarter' }];
      expect((await run(shown, { down, steps: [] })).drilling?.down).toEqual([
        { field: 'Time.Quarter', label: 'Month', by: ['Time.Year', 'Time.Quarter'] },
      ]);
      const steps = [from('Time.Quarter', 'Q4', { 'Time.Year': '2025' })];
      expect(await pairs(shown, { down, steps })).toEqual([
        ['2025', 'October', 'North', 20],
        ['2025', 'November', 'South', 1],
      ]);
    });

    it('shows what its reader sees, and what a page leaves', async () => {
      const drill = { down: [{ field: 'Store.Region' }], steps: [from('Store.Region', 'North')] };
      expect(await pairs(REGIONS, drill, {}, 'north')).toEqual([
        ['Bergen', 9],
        ['Oslo', 30],
      ]);
      expect(await pairs(REGIONS, { ...drill, steps: [from('Store.Region', 'South')] }, {}, 'north')).toEqual([]);
      const runtimeFilters = [{ field: 'Time.Year', op: 'IN', values: ['2026'] }];
      expect(await pairs(REGIONS, drill, { runtimeFilters })).toEqual([['Bergen', 4]]);
    });
  });

  it('along parents and children of one level', async () => {
    const places = await store.open({}, PLACES_SCHEMA);
    const request = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Area', level: 'Place' }] };
    const down = [{ field: 'Area.Place' }];
    const below = async (
      steps: readonly string[],
      { leaves, ...more }: Readonly<Record<string, unknown>> = {},
      asked: object = request,
    ) => {
      const drill = { down, steps: steps.map((each) => from('Area.Place', each)) };
      const { records, drilling } = await places.surface.source
        .prepare(asked)
        .run(scope('ROLE_ADMIN'), { drill, ...more });
      expect(drilling).toEqual({
        down:
          leaves === 'all'
            ? []
            : [
                {
                  field: 'Area.Place',
                  label: 'Place',
                  by: ['Area.Place'],
                  ...(leaves === undefined ? {} : { leaves }),
                },
              ],
        trail: steps.map((text) => ({ label: 'Place', text })),
        rows: true,
      });
      return records
        .map((record) => {
          const { Units: units } = record;
          return `${record['Area.Place']} ${typeof units === 'object' ? units?.value : units}`;
        })
        .toSorted();
    };
    expect(await below(['World'])).toEqual(['Nordland 39', 'Southland 8']);
    // A step from members without children would lead to nothing.
    expect(await below(['World', 'Nordland'], { leaves: 'all' })).toEqual(['Bergen 9', 'Oslo 30']);
    expect(await below(['World', 'Southland'], { leaves: 'all' })).toEqual(['Rome 8']);
    const some = { ...request, rows: [{ dimension: 'Area', level: 'Place', members: ['World', 'Nordland', 'Oslo'] }] };
    expect(await below([], { leaves: ['Oslo'] }, some)).toEqual(['Nordland 39', 'Oslo 30', 'World 47']);
    // Oslo is no child of the world, and has none.
    expect(await below(['World', 'Oslo'])).toEqual([]);
    expect(await below(['Oslo'])).toEqual([]);
    // What the author or the page leaves out has no children either.
    const top = { ...request, rows: [{ dimension: 'Area', level: 'Place', members: ['World'] }] };
    expect(await below(['World'], {}, top)).toEqual(['Nordland 39', 'Southland 8']);
    expect(await below(['Nordland'], {}, top)).toEqual([]);
    const runtimeFilters = [{ field: 'Area.Place', op: 'IN', values: ['Nordland'] }];
    expect(await below(['World'], { runtimeFilters })).toEqual([]);
    expect(await below(['Nordland'], { runtimeFilters, leaves: 'all' })).toEqual(['Bergen 9', 'Oslo 30']);
    await places.close();
  });

  it('to a level with hidden members', async () => {
    const routes = await store.open({}, PLACES_SCHEMA);
    const request = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Route', level: 'Land' }] };
    const drill = { down: [{ field: 'Route.Land' }], steps: [] };
    const { drilling } = await routes.surface.source.prepare(request).run(scope('ROLE_ADMIN'), { drill });
    // The stops of the south have no shore.
    expect(drilling?.down).toEqual([{ field: 'Route.Land', label: 'Shore', by: ['Route.Land'], leaves: ['South'] }]);
    await routes.close();
  });

  describe('along a list', () => {
    it('shows levels of other dimensions', async () => {
      const steps = [from('Store.Region', 'South')];
      expect(await pairs(REGIONS, { down: PLACES, steps })).toEqual([
        ['Q3', 7],
        ['Q4', 1],
      ]);
      const twice = [...steps, from('Time.Quarter', 'Q3')];
      expect(await pairs(REGIONS, { down: PLACES, steps: twice })).toEqual([['cat', 7]]);
    });

    it('takes no other step', async () => {
      for (const [down, step] of [
        [TIME, from('Store.Region', 'North')],
        [PLACES, from('Time.Quarter', 'Q3')],
        [PLACES, { field: 'Store.Region', values: {} }],
        [PLACES, from('Store.Region', 'North', { 'Time.Year': '2025' })],
      ] as const)
        await expect(run(REGIONS, { down, steps: [step] })).rejects.toMatchObject({ field: 'drill' });
      // Personal data is no level.
      const hidden = [{ field: 'Store.Region', to: ['Buyer.Secret Name'] }];
      expect((await run(REGIONS, { down: hidden, steps: [] })).drilling?.down).toEqual([]);
    });

    it('lists the levels below, by which other tiles are filtered', async () => {
      const below = (down: Drill['down']) =>
        store.cubes.surface.source.prepare(REGIONS).keysBelow(scope('ROLE_ADMIN'), down);
      expect(await below(TIME)).toEqual(['Time.Quarter', 'Time.Month']);
      expect(await below(PLACES)).toEqual(['Time.Quarter', 'Customer.Person']);
    });
  });

  describe('shows the facts behind a row', () => {
    it('in the levels that the author lists, or that the model allows', async () => {
      const at = { 'Store.Region': 'South' };
      const listed = await rows(REGIONS, { at, fields: ['Store.Shop', 'Units'] });
      expect(listed.columns.map(({ key }) => key)).toEqual(['Name', 'Units sold']);
      expect(listed.records.map((record) => Number(record['Units sold'])).toSorted()).toEqual([1, 7]);
      const whole = await rows(REGIONS, { at });
      expect(whole.columns.map(({ key }) => key)).toContain('Month');
      expect(JSON.stringify(whole.columns)).not.toContain('Secret');
      const cut = await rows(REGIONS, { at, limit: 1 });
      expect([cut.records.length, cut.meta.truncated]).toEqual([1, true]);
    });

    it('after steps, and only those of its reader', async () => {
      const drill = { down: TIME, steps: [from('Time.Year', '2025')] };
      const fields = ['Customer.Person', 'Units'];
      const units = async (role: string) =>
        (await rows(YEARS, { drill, at: { 'Time.Quarter': 'Q3' }, fields }, role)).records
          .map((record) => Number(record['Units sold']))
          .toSorted((a, b) => a - b);
      expect(await units('ROLE_ADMIN')).toEqual([5, 7, 10]);
      await expect(rows(YEARS, { drill, at: {} })).rejects.toMatchObject({ field: 'at' });
    });

    it('of no calculated measure, and of no masked figure', async () => {
      const price = { ...REGIONS, measures: [{ name: 'Price' }] };
      expect((await run(price, { down: [], steps: [] })).drilling?.rows).toBe(false);
      await expect(rows(price, { at: { 'Store.Region': 'North' } })).rejects.toMatchObject({ field: 'at' });
      const masking = await store.open({ kAnonymity: { threshold: 3, mask: null } });
      const lines = { ...REGIONS, measures: [{ name: 'Lines' }] };
      const behind = (region: string) =>
        masking.surface.source.prepare(lines).rows(scope('ROLE_ADMIN'), { at: { 'Store.Region': region }, limit: 10 });
      // The south has two facts, the north four.
      expect(await behind('South')).toMatchObject({ records: [], meta: { suppressed: { count: 1 } } });
      expect((await behind('North')).records).toHaveLength(4);
      expect((await rows(REGIONS, { at: { 'Store.Region': 'nowhere' } })).records).toEqual([]);
      await masking.close();
    });
  });
});
