/** A cube query that never began, because other statements used the warehouse, says what it waited for. */
import { expect, it } from 'vitest';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { within } from '../../query/execute/cached-mdx.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

const ENDLESS = 'SELECT sum(hash(a.range + b.range)) FROM range(3000000) a, range(100000) b';
const WAITED = 'It waited for a connection: all 1 connections to this warehouse were in use';

it('a query says what it waited for when its time is up, by the limit of the engine and of the surface', async () => {
  const { warehouse, stop } = await startWarehouse('duckdb', SHOP_TABLES, { poolSize: 1 });
  await openShop(warehouse).query('select [Measures].[Units] on 0 from Sales');
  const leave = new AbortController();
  const endless = warehouse
    .query({ sql: ENDLESS, parameters: [] }, { maxRows: 1, signal: leave.signal })
    .catch(() => undefined);
  try {
    // A member that the first query has not read.
    const mdx = 'select [Store].[Name].Members on 0 from Sales';
    const catalog = openShop(warehouse, { limits: { timeMs: 100 } });
    await expect(catalog.query(mdx)).rejects.toMatchObject({
      kind: 'TIMEOUT',
      message: expect.stringContaining(`The query took longer than its time limit. ${WAITED}`),
    });
    const patient = openShop(warehouse);
    await expect(within(100, undefined, (signal) => patient.query(mdx, { signal }))).rejects.toMatchObject({
      kind: 'TIMEOUT',
      message: expect.stringContaining(`The query took longer than 0.1 seconds. ${WAITED}`),
    });
  } finally {
    leave.abort();
    await endless;
    await stop();
  }
});
