/** Tests saved queries, through REST, on a cube with figures computed by hand; see `testing/store.ts`. */
import { describe, expect, it } from 'vitest';
import { checkOf } from '../../../router/answer-checks.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError } from '../../../router/errors.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeStore, REGIONS } from '../testing/engine-fixture.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { STORE_SCHEMA } from '../testing/store.ts';

describeStore('a saved cube query', (store) => {
  describe('as a source of saved queries', () => {
    const crosstab = { ...REGIONS, columns: [{ dimension: 'Time', level: 'Year' }] };

    it('accepts null for optional fields, as the query operation does', async () => {
      const { rows, ...others } = crosstab;
      const saved = {
        ...others,
        rows: rows.map((item) => ({ ...item, hierarchy: null, members: null })),
        filters: null,
        order: null,
        limit: null,
        nonEmpty: null,
      };
      const answered = await store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {});
      const { records } = await store.cubes.surface.source.prepare(saved).run(scope('ROLE_ADMIN'), {});
      expect(records).toEqual(answered.records);
      const { status, body } = await store.cubes.call('POST /query', saved);
      expect([status, body.totalRows]).toEqual([200, 2]);
    });

    it('answers a table with one record for each combination', async () => {
      const answer = await store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {});
      expect(answer.columns).toEqual([
        { key: 'Store.Region', label: 'Region', type: 'dimension', dataType: 'text' },
        { key: 'Time.Year', label: 'Year', type: 'dimension', dataType: 'text', axis: 'columns' },
        { key: 'Units', label: 'Units sold', type: 'metric', dataType: 'integer', aggregationKind: 'sum' },
      ]);
      expect(answer.records).toEqual([
        { 'Store.Region': 'North', 'Time.Year': '2025', Units: { value: 35, formatted: '35' } },
        { 'Store.Region': 'North', 'Time.Year': '2026', Units: { value: 4, formatted: '4' } },
        { 'Store.Region': 'South', 'Time.Year': '2025', Units: { value: 8, formatted: '8' } },
      ]);
    });

    it('may be kept until the schema or the data change', async () => {
      const versions = await store.open({ cacheTtlMs: 60_000 });
      const run = () => versions.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {});
      const checkOfRun = async () => checkOf(await run()) ?? (() => undefined);
      const [first, second] = [await checkOfRun(), await checkOfRun()];
      expect([await first(), await second()]).toEqual([true, true]);
      await versions.reload(STORE_SCHEMA);
      expect([await first(), await second()]).toEqual([false, false]);
      const third = await checkOfRun();
      expect(await third()).toBe(true);
      if ((await store.warehouse.warehouse.dataVersion()) !== undefined) {
        await store.warehouse.administer(['CREATE TABLE another (id INTEGER)', 'DROP TABLE another']);
        expect(await third()).toBe(false);
      }
      await versions.close();
      // Without a lifetime, nothing is cached.
      expect(
        await (await checkOf(await store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {})))?.(),
      ).toBe(false);
    });

    it('answers the other members of a level as one', async () => {
      const run = (field: string, ...except: string[]) =>
        store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), { others: { field, except } });
      const { columns, records } = await run('Store.Region', 'South');
      expect(columns.map(({ key }) => key)).toEqual(['Time.Year', 'Units']);
      expect(records).toEqual([
        { 'Time.Year': '2025', Units: { value: 35, formatted: '35' } },
        { 'Time.Year': '2026', Units: { value: 4, formatted: '4' } },
      ]);
      expect((await run('Store.Region', 'North')).records).toEqual([
        { 'Time.Year': '2025', Units: { value: 8, formatted: '8' } },
      ]);
      // Both years of the north, and the one of the south.
      expect((await run('Time.Year', 'never')).records).toEqual([
        { 'Store.Region': 'North', Units: { value: 39, formatted: '39' } },
        { 'Store.Region': 'South', Units: { value: 8, formatted: '8' } },
      ]);
      const limited = store.cubes.surface.source.prepare({ ...crosstab, limit: 1 });
      await expect(
        limited.run(scope('ROLE_ADMIN'), { others: { field: 'Store.Region', except: ['North'] } }),
      ).rejects.toMatchObject({ field: 'others' });
    });

    it('answers subtotals without a level, and without all', async () => {
      const run = (...without: string[]) =>
        store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), { without });
      expect((await run('Time.Year')).records).toEqual([
        { 'Store.Region': 'North', Units: { value: 39, formatted: '39' } },
        { 'Store.Region': 'South', Units: { value: 8, formatted: '8' } },
      ]);
      expect((await run('Store.Region', 'Time.Year')).records).toEqual([{ Units: { value: 47, formatted: '47' } }]);
    });

    it('answers subtotals of the upper levels of one hierarchy', async () => {
      const shops = { ...REGIONS, rows: [...REGIONS.rows, { dimension: 'Store', level: 'Shop' }] };
      const run = (request: object, ...without: string[]) =>
        store.cubes.surface.source.prepare(request).run(scope('ROLE_ADMIN'), { without });
      const whole = await run(shops);
      expect(whole.columns.map(({ key }) => key)).toEqual(['Store.Region', 'Store.Shop', 'Units']);
      const { columns, records } = await run(shops, 'Store.Shop');
      expect(columns.map(({ key }) => key)).toEqual(['Store.Region', 'Units']);
      expect(records).toEqual([
        { 'Store.Region': 'North', Units: { value: 39, formatted: '39' } },
        { 'Store.Region': 'South', Units: { value: 8, formatted: '8' } },
      ]);
      await expect(run(shops, 'Store.Region')).rejects.toMatchObject({ field: 'without' });
      await expect(run({ ...shops, limit: 1 }, 'Store.Shop')).rejects.toMatchObject({ field: 'without' });
      const [shop] = whole.records.map((record) => String(record['Store.Shop']));
      const filters = [{ dimension: 'Store', level: 'Shop', op: 'in', members: [shop] }];
      await expect(run({ ...shops, filters }, 'Store.Shop')).rejects.toMatchObject({ field: 'without' });
    });

    it('shows what its owner sees', async () => {
      const { records } = await store.cubes.surface.source.prepare(REGIONS).run(scope('north'), {});
      expect(records).toHaveLength(1);
    });

    it('can be filtered by the shown levels', async () => {
      expect(store.cubes.surface.source.prepare(crosstab).dimensions).toEqual(['Store.Region', 'Time.Year']);
      const run = (op: 'IN' | 'NEQ' | 'GT', ...values: string[]) =>
        store.cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {
          runtimeFilters: [{ field: 'Time.Year', op, values }],
        });
      expect((await run('IN', '2026')).records).toHaveLength(1);
      expect((await run('NEQ', '2026')).records).toHaveLength(2);
      expect((await run('IN', 'never')).records).toHaveLength(0);
      await expect(run('GT', '2025')).rejects.toMatchObject({ field: 'filter' });
    });

    it('can be filtered by a level that they do not show, and by no level that the cube lacks', async () => {
      const total = (field: string) =>
        store.cubes.surface.source
          .prepare({ ...REGIONS, rows: [{ dimension: 'Time', level: 'Year' }] })
          .run(scope('ROLE_ADMIN'), { runtimeFilters: [{ field, op: 'IN', values: ['North'] }] });
      const units = (await total('Store.Region')).records.map((record) => record.Units);
      expect(units.map((cell) => (typeof cell === 'object' ? Number(cell?.value) : 0)).reduce((a, b) => a + b)).toBe(
        39,
      );
      await expect(total('Store.Country')).rejects.toMatchObject({ field: 'filter' });
    });

    it('offer the members that they show', async () => {
      const offered = await store.cubes.surface.source
        .prepare(crosstab)
        .offer(scope('ROLE_ADMIN'), { field: 'Store.Region', text: 'nor', limit: 5 });
      expect(offered).toMatchObject({
        dataType: 'text',
        values: [{ value: 'North', label: 'North' }],
        truncated: false,
      });
    });
  });

  it('stops the warehouse’s work when the caller goes away', async () => {
    const started = moment();
    const stopped = moment();
    const plain = boundTo(store.warehouse.warehouse);
    let isStalling = false;
    const stalling: Warehouse = {
      ...plain,
      query(statement, options) {
        if (!isStalling) return plain.query(statement, options);
        const { signal } = options;
        started.reached();
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            stopped.reached();
            reject(new CancelledError('The statement was cancelled.'));
          });
        });
      },
    };
    const slow = await Fixture.open({
      warehouses: {
        ...store.warehouse.warehouses,
        open: async () => stalling,
        supported: [],
        release: async () => undefined,
      },
      address: store.warehouse.address,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state: store.state,
      schema: STORE_SCHEMA,
    });
    // Loading also runs statements, to check the formulas.
    isStalling = true;
    const caller = new AbortController();
    const answer = slow.surface.source.prepare(REGIONS).run(scope('ROLE_ADMIN'), { signal: caller.signal });
    const refused = expect(answer).rejects.toMatchObject({ kind: 'CANCELLED' });
    await started.promise;
    caller.abort();
    await refused;
    await stopped.promise;
    await slow.close();
  });
});

/** Returns a promise with its resolver. */
function moment() {
  let reached = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return { promise, reached: () => reached() };
}

/** Copies the warehouse's methods as own properties, so that some can be replaced. */
function boundTo(warehouse: Warehouse): Warehouse {
  return {
    dialect: warehouse.dialect,
    ping: (signal) => warehouse.ping(signal),
    query: (statement, options) => warehouse.query(statement, options),
    stream: (statement, options) => warehouse.stream(statement, options),
    tables: (options) => warehouse.tables(options),
    columns: (table, signal) => warehouse.columns(table, signal),
    missingPlace: (schema, signal) => warehouse.missingPlace(schema, signal),
    columnsByName: (tables, signal) => warehouse.columnsByName(tables, signal),
    columnsOf: (tables, signal) => warehouse.columnsOf(tables, signal),
    catalogStatistics: (tables, signal) => warehouse.catalogStatistics(tables, signal),
    declaredKeys: (tables, signal) => warehouse.declaredKeys(tables, signal),
    rowEstimates: (options) => warehouse.rowEstimates(options),
    dataVersion: () => warehouse.dataVersion(),
    close: () => warehouse.close(),
  };
}

/** Waits for the answer of an asynchronous query. */
