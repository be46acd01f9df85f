import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { CancelledError } from '../../../../router/errors.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { type Recorded, recorded } from '../testing/recorded.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** Tests what queries share: members and cells that were read, as long as the data stays the same. */

const UNITS_BY_REGION = 'select [Measures].[Units] on 0, [Store].[Region].Members on 1 from Sales where [Time].[2023]';

describe('data that queries share', () => {
  let started: TestWarehouse;
  let record: Recorded;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
  });
  beforeEach(() => {
    record = recorded(started.warehouse);
  });
  afterAll(() => started.stop());

  interface WarehouseState {
    version: string | undefined;
    readonly gate?: Promise<void>;
    /** Number of times that the version was read. */
    versionReads?: number;
    /** Number of statements that reached the gate. */
    statements?: number;
  }

  /** Wraps the warehouse: its data version comes from `state`, and its statements wait for `gate`. */
  const versioned = (state: WarehouseState): Warehouse => {
    const { warehouse } = recorded(record.warehouse, () => {
      state.statements = (state.statements ?? 0) + 1;
      return state.gate ?? Promise.resolve();
    });
    const dataVersion = async () => {
      state.versionReads = (state.versionReads ?? 0) + 1;
      return state.version;
    };
    return { ...warehouse, dataVersion };
  };

  it('is read once for two queries that need it at the same time', async () => {
    const alone = openShop(record.warehouse);
    await alone.query(UNITS_BY_REGION);
    const statements = record.statements.length;
    record.clear();
    const shop = openShop(record.warehouse);
    const [first, second] = await Promise.all([shop.query(UNITS_BY_REGION), shop.query(UNITS_BY_REGION)]);
    expect(record.statements).toHaveLength(statements);
    expect(first.cells.map(({ value }) => value)).toEqual([35, 7]);
    expect(second.cells).toEqual(first.cells);
  });

  it('still reaches a query when another query that waits for the same data is cancelled', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const state: WarehouseState = { version: '1', gate };
    const shop = openShop(versioned(state));
    const cancel = new AbortController();
    const cancelled = shop.query(UNITS_BY_REGION, { signal: cancel.signal });
    const kept = shop.query(UNITS_BY_REGION);
    await vi.waitFor(() => expect(state).toMatchObject({ versionReads: 2, statements: 1 }));
    cancel.abort();
    open();
    await expect(cancelled).rejects.toThrow(CancelledError);
    expect((await kept).cells.map(({ value }) => value)).toEqual([35, 7]);
  });

  it('is read again, members included, when the data has changed', async () => {
    const state = { version: '1' };
    const shop = openShop(versioned(state));
    await shop.query(UNITS_BY_REGION);
    const statements = record.statements.length;
    await shop.query(UNITS_BY_REGION);
    expect(record.statements).toHaveLength(statements);
    state.version = '2';
    await shop.query(UNITS_BY_REGION);
    expect(record.statements).toHaveLength(2 * statements);
  });

  it('has one version within a query: the query starts again when the data changes while it runs', async () => {
    const state = { version: '1' };
    let read = 0;
    const shop = openShop({
      ...record.warehouse,
      dataVersion: async () => {
        read++;
        if (read === 2) state.version = '2';
        return state.version;
      },
    });
    await shop.query(UNITS_BY_REGION);
    const seen = record.statements.length;
    expect(new Set(record.statements).size).toBe(seen / 2); // each statement ran for version 1 and for version 2
  });

  it('is kept for a limited time if the warehouse cannot report that its data changed', async () => {
    const time = { now: 0 };
    const shop = openShop(versioned({ version: undefined }), { clock: () => time.now, maxAgeMs: 1_000 });
    await shop.query(UNITS_BY_REGION);
    const statements = record.statements.length;
    time.now = 999;
    await shop.query(UNITS_BY_REGION);
    expect(record.statements).toHaveLength(statements);
    time.now = 1_000;
    await shop.query(UNITS_BY_REGION);
    expect(record.statements).toHaveLength(2 * statements);
  });

  it('is separate for each role', async () => {
    const shop = openShop(record.warehouse);
    expect((await shop.query(UNITS_BY_REGION)).cells.map(({ value }) => value)).toEqual([35, 7]);
    expect((await shop.query(UNITS_BY_REGION, { roles: ['north'] })).cells.map(({ value }) => value)).toEqual([30]);
    expect((await shop.query(UNITS_BY_REGION)).cells.map(({ value }) => value)).toEqual([35, 7]);
  });

  it('takes no more bytes than its limit, and a query that needs more is still answered', async () => {
    const shop = openShop(record.warehouse, { maxBytes: 4_000 });
    const text =
      'select [Store].Members * [Time].[Quarter].Members on 0, [Measures].Members * [Customer].Members on 1 from Sales';
    const first = await shop.query(text);
    expect(first.cells.length).toBe(6 * 4 * 4 * 4);
    expect(shop.kept.bytes).toBeLessThanOrEqual(4_000);
    expect((await shop.query(text)).cells).toEqual(first.cells);
  });

  it('is dropped when the catalog is closed, and running queries are cancelled', async () => {
    const never = new Promise<void>(() => undefined);
    const state: WarehouseState = { version: '1', gate: never };
    const shop = openShop(versioned(state));
    const running = shop.query(UNITS_BY_REGION);
    await vi.waitFor(() => expect(state.statements).toBe(1));
    await shop.close();
    await expect(running).rejects.toThrow(CancelledError);
    await expect(shop.query(UNITS_BY_REGION)).rejects.toThrow('closed');
    expect(shop.kept).toEqual({ bytes: 0, members: 0 });
  });
});

describe('the statements of a query', () => {
  let started: TestWarehouse;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
  });
  afterAll(() => started.stop());

  const CROSSTAB =
    'select {[Measures].[Units], [Measures].[Amount], [Measures].[Customers]} * [Time].[Year].Members on 0, [Store].[Name].Members on 1 from Sales';

  it.each([
    // Statements: Time (default member and years), Store, and the cells.
    ['a crosstab of two levels and three measures', CROSSTAB, 3],
    // Statements: years, regions, stores; cells of all stores, of regions, of stores.
    ['a level and the one below it', 'select [Measures].[Units] on 0, [Store].Members on 1 from Sales', 6],
    ['a ratio of two measures', 'select [Measures].[Price] on 0, [Store].[Region].Members on 1 from Sales', 3],
    // Statements: years, quarters and their cells. The year to date adds up quarters that are already loaded.
    [
      'a year to date',
      'with member Measures.Y as Sum(Ytd(), [Measures].[Units]) select Measures.Y on 0, [Time].[Quarter].Members on 1 from Sales',
      3,
    ],
    [
      'a distinct count over a set',
      'with member [Store].[Two] as Aggregate([Store].[Name].Members) select [Measures].[Customers] on 0, [Store].[Two] on 1 from Sales',
      3,
    ],
    [
      'the top of a set',
      'select [Measures].[Units] on 0, TopCount([Store].[Name].Members, 2, [Measures].[Units]) on 1 from Sales',
      3,
    ],
    ['a parent-child hierarchy', 'select [Employee].Members on 0 from Staff', 3],
  ])('are few for %s, and none when it runs again', async (_, mdx, most) => {
    const record = recorded(started.warehouse);
    const shop = openShop(record.warehouse);
    const first = await shop.query(mdx);
    expect(record.statements.length, record.statements.join('\n')).toBeLessThanOrEqual(most);
    record.clear();
    expect((await shop.query(mdx)).cells).toEqual(first.cells);
    expect(record.statements).toEqual([]);
  });

  it('are two when a crosstab is drilled down by a level: members and cells', async () => {
    const record = recorded(started.warehouse);
    const shop = openShop(record.warehouse);
    await shop.query('select [Measures].[Units] on 0, [Store].[Region].Members on 1 from Sales');
    record.clear();
    await shop.query('select [Measures].[Units] on 0, {[Store].[North], [Store].[North].Children} on 1 from Sales');
    expect(record.statements).toHaveLength(2);
  });
});
