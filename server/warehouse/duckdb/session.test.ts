import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Parameter } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { oneRow, sql, startWarehouse, type TestWarehouse } from '../testing/engines.ts';

describe('a statement that DuckDB is asked again', () => {
  let on: TestWarehouse;
  beforeAll(async () => {
    on = await startWarehouse('duckdb', ['CREATE TABLE t AS SELECT x, x / 2.0 AS half FROM range(10) AS r (x)']);
  });
  afterAll(() => on?.stop());
  afterEach(() => vi.restoreAllMocks());

  const asked = async (text: string, ...parameters: readonly Parameter[]) =>
    (await on.warehouse.query({ sql: text, parameters }, { maxRows: 10 })).values[0];

  it('is prepared once a connection, and answers for its values', async () => {
    const prepare = vi.spyOn(DuckDBConnection.prototype, 'prepare');
    const text = 'SELECT x FROM t WHERE x = $1::BIGINT';
    for (let value = 0; value < 10; value++) expect(await asked(text, { type: 'integer', value })).toEqual([value]);
    expect(prepare.mock.calls.filter(([prepared]) => prepared === text)).toHaveLength(1);
  });

  it('takes values of other types, and null', async () => {
    const text = 'SELECT x FROM t WHERE half = $1 OR ($1 IS NULL AND x = 9)';
    expect(await asked(text, { type: 'decimal', value: '1.50' })).toEqual([3]);
    expect(await asked(text, { type: 'decimal', value: '2.5000000000' })).toEqual([5]);
    expect(await asked(text, { type: 'integer', value: null })).toEqual([9]);
    expect(await asked(text, { type: 'float', value: 0.5 })).toEqual([1]);
    expect(await asked(text, { type: 'integer', value: 2 })).toEqual([4]);
  });

  it('reads the clock and random numbers anew', async () => {
    const texts = new Set<unknown>();
    for (let turn = 0; turn < 3; turn++) {
      texts.add((await asked('SELECT now()::VARCHAR || random()'))?.[0]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(texts.size).toBe(3);
  });

  it('is answered after it failed', async () => {
    const text = 'SELECT CAST($1::VARCHAR AS INTEGER)';
    expect(await asked(text, { type: 'text', value: '1' })).toEqual([1]);
    await expect(asked(text, { type: 'text', value: 'one' })).rejects.toThrow(WarehouseError);
    expect(await asked(text, { type: 'text', value: '2' })).toEqual([2]);
  });

  it('is answered after its rows were not read to the end', async () => {
    const text = 'SELECT x FROM range($1::BIGINT) AS r (x)';
    const { chunks } = await on.warehouse.stream(
      { sql: text, parameters: [{ type: 'integer', value: 1_000_000 }] },
      { maxRows: 1e9 },
    );
    for await (const _ of chunks) break;
    expect(await asked(text, { type: 'integer', value: 2 })).toEqual([0, 1]);
  });

  it('is answered also where it is too long to be kept, or one of many', async () => {
    const long = `SELECT x FROM t WHERE x IN (${Array.from({ length: 40_000 }, (_, i) => i + 5).join(', ')}) ORDER BY 1`;
    for (let turn = 0; turn < 2; turn++) expect(await asked(long)).toEqual([5, 6, 7, 8, 9]);
    for (let turn = 0; turn < 2; turn++)
      for (let value = 0; value < 150; value++)
        expect(await oneRow(on.warehouse, sql(`SELECT ${value}`))).toEqual([value]);
  });

  it('shows its plan again', async () => {
    const plans = [await asked('EXPLAIN SELECT sum(x) FROM t'), await asked('EXPLAIN SELECT sum(x) FROM t')];
    expect(plans[1]).toEqual(plans[0]);
  });
});
