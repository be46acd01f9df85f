/** Tests that a caller that leaves also stops the reading of periods, which comes before the statement. */
import { expect, it } from 'vitest';
import type { Warehouse, Warehouses } from '../../../../router/capabilities/warehouse.ts';
import { openCache } from '../../../../server/cache/cache.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../../testing/fixture.ts';

const calendars = [{ dataset: 'days', date: 'day', grains: [{ name: 'season', field: 'season' }] }];
const DOCUMENT = `
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ calendars })}' }]
    datasets:
      - name: sales
        source: sales
        fields: [{ name: day, expression: [{ dialect: ANSI_SQL, expression: day }] }]
      - name: days
        source: days
        fields:
          - { name: day, expression: [{ dialect: ANSI_SQL, expression: day }] }
          - { name: season, expression: [{ dialect: ANSI_SQL, expression: season }] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }
`;
const REQUEST = {
  connection: 'test',
  rows: [{ dataset: 'sales', field: 'day', grain: 'season' }],
  values: [{ metric: 'amount' }],
};

/** Opens warehouses that answer no statement for which `asked` returns true, and only end it when its signal is aborted. */
function silent(warehouses: Warehouses, isSilent: (sql: string) => boolean): Warehouses {
  const query =
    (opened: Warehouse): Warehouse['query'] =>
    (statement, options) => {
      if (!isSilent(statement.sql)) return opened.query(statement, options);
      return new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new Error('stopped in the warehouse')), { once: true });
      });
    };
  return {
    supported: warehouses.supported,
    isSame: warehouses.isSame,
    check: warehouses.check,
    release: (address) => warehouses.release(address),
    async open(address) {
      const opened = await warehouses.open(address);
      return new Proxy(opened, {
        get(target, name) {
          if (name === 'query') return query(target);
          const member: unknown = Reflect.get(target, name);
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
    },
  };
}

it.each(['query', 'preview', 'rowDetail', 'executeAsync'] as const)(
  'a caller of %s that leaves while periods are read stops the reading',
  async (operation) => {
    const started = await startWarehouse('duckdb', [
      'CREATE TABLE sales (day DATE, amount INTEGER)',
      'CREATE TABLE days (day DATE, season TEXT)',
    ]);
    const leaving = new AbortController();
    let isLoaded = false;
    const metrics: string[] = [];
    const warehouses = silent(started.warehouses, (sql) => {
      if (!isLoaded) return false;
      metrics.push(sql);
      setImmediate(() => leaving.abort());
      return true;
    });
    const shop = await Fixture.open({
      warehouse: { ...started, warehouses },
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
    });
    isLoaded = true;
    try {
      const caller = shop.operations(undefined, leaving.signal);
      await expect(caller[operation](REQUEST)).rejects.toThrow();
      expect(metrics).toEqual([expect.stringContaining('season')]);
      expect(metrics[0]).not.toContain('sales');
    } finally {
      await shop.close();
    }
  },
  20_000,
);
