import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OpenWarehouses } from '../open-warehouses.ts';
import { sql, startWarehouse, type TestWarehouse } from './engines.ts';
import { RememberedAnswers } from './remembered-answers.ts';

let sqlite: TestWarehouse;
beforeAll(async () => {
  sqlite = await startWarehouse('sqlite', ['CREATE TABLE t (x INTEGER)', 'INSERT INTO t VALUES (1), (2)']);
});
afterAll(() => sqlite?.stop());

const NUMBER = { type: 'integer' } as const;
const above = (value: number) => sql('SELECT x FROM t WHERE x > ?', [{ ...NUMBER, value }]);

it('the same question is sent once, until the tables change', async () => {
  const query = vi.fn(sqlite.warehouse.query.bind(sqlite.warehouse));
  const warehouses: OpenWarehouses = {
    ...sqlite.warehouses,
    open: async () => ({ ...sqlite.warehouse, dialect: sqlite.warehouse.dialect, query }),
  };
  const answers = new RememberedAnswers();
  const warehouse = await answers.ofAll(warehouses).open(sqlite.address);
  const rows = async (value: number, maxRows = 10) => (await warehouse.query(above(value), { maxRows })).values;

  expect([await rows(0), await rows(0)]).toEqual([[[1, 2]], [[1, 2]]]);
  expect(query).toHaveBeenCalledTimes(1);
  // Other values, and another number of rows, are other questions.
  expect([await rows(1), await rows(0, 1)]).toEqual([[[2]], [[1]]]);
  expect(query).toHaveBeenCalledTimes(3);

  await sqlite.administer(['INSERT INTO t VALUES (3)']);
  answers.forget();
  expect(await rows(0)).toEqual([[1, 2, 3]]);
});

it('failures are not remembered, and an aborted question fails', async () => {
  const warehouse = new RememberedAnswers().of(sqlite.warehouse);
  const missing = sql('SELECT y FROM later');
  await expect(warehouse.query(missing, { maxRows: 1 })).rejects.toThrow();
  await sqlite.administer(['CREATE TABLE later (y INTEGER)', 'INSERT INTO later VALUES (7)']);
  expect((await warehouse.query(missing, { maxRows: 1 })).values).toEqual([[7]]);
  await expect(warehouse.query(missing, { maxRows: 1, signal: AbortSignal.abort() })).rejects.toThrow();
});
