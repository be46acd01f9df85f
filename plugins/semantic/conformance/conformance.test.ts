/** The shared suite: every question on every engine that can run here, with the records of SQL written by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerRecord } from '../../../router/capabilities/query-source.ts';
import type { ColumnarResult, Scalar } from '../../../router/capabilities/warehouse.ts';
import { openCache } from '../../../server/cache/cache.ts';
import {
  ALL_ENGINES,
  engineMissing,
  startWarehouse,
  type TestWarehouse,
} from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor } from '../testing/tables.ts';
import { QUESTIONS, type Question } from './queries.ts';
import { SHOP, SHOP_MODEL } from './shop.ts';

const field = (path: string) => {
  const [dataset = '', name = ''] = path.split('.');
  return { dataset, field: name };
};
const words = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');

function requestOf({ rows, columns, values, where = [], sort, limit }: Question) {
  return {
    rows: words(rows).map(field),
    columns: words(columns).map(field),
    values: words(values).map((word) => {
      const [metric, aggregation] = word.split(':');
      return { metric, ...(aggregation === undefined ? {} : { aggregation }) };
    }),
    filters: where.map(([path, op, ...given]) => {
      const isList = op === 'IN' || op === 'BETWEEN';
      return { ...field(path), op, ...(isList ? { values: given } : given.length === 0 ? {} : { value: given[0] }) };
    }),
    sorts: words(sort).map((word) => {
      const name = word.replace(/^-/, '');
      return { [name.includes('.') ? 'field' : 'metric']: name, direction: word.startsWith('-') ? 'DESC' : 'ASC' };
    }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** Cells as callers compare them. Doubles of different engines differ in their last bits. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' ? Number(value.toPrecision(12)) + 0 : value;
}

function rowsOf({ rowCount, values }: ColumnarResult): readonly (readonly unknown[])[] {
  return Array.from({ length: rowCount }, (_, row) => values.map((column: readonly Scalar[]) => plain(column[row])));
}

function cellsOf(records: readonly AnswerRecord[], keys: readonly string[]): readonly (readonly unknown[])[] {
  return records.map((record) =>
    keys.map((key) => {
      const cell = record[key];
      return plain(typeof cell === 'object' && cell !== null ? cell.value : cell);
    }),
  );
}

/** The hand-written SQL runs here, whatever the engine under test. */
let judge: TestWarehouse;
/** What the first engine wrote beside the numbers; the others must write the same. */
const written = new Map<string, readonly AnswerRecord[]>();
beforeAll(async () => {
  judge = await startWarehouse('duckdb', statementsFor('duckdb', SHOP), { poolSize: 1 });
});
afterAll(() => judge.stop());

const engines = ALL_ENGINES.map((engine) => ({ engine, missing: engineMissing(engine) }));

it(`the suite has at least 80 questions, each of its own name (${engines
  .map(({ engine, missing }) => (missing === undefined ? engine : `not ${engine}: ${missing}`))
  .join('; ')})`, () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(QUESTIONS.map(({ is }) => is)).size).toBe(QUESTIONS.length);
});

describe.each(engines.filter(({ missing }) => missing === undefined))('on $engine', ({ engine }) => {
  let shop: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, SHOP), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    shop = await Fixture.open({ warehouse, cache, document: SHOP_MODEL });
  });
  afterAll(() => shop.close());

  it('the model loads whole', () => {
    expect(shop.problems).toEqual([]);
  });

  it.each(QUESTIONS)('$is', async (question) => {
    const expected = await judge.warehouse.query({ sql: question.sql, parameters: [] }, { maxRows: 1_000 });
    const roles = question.roles ?? ['ROLE_ADMIN'];
    const { columns, records } = await shop.run(requestOf(question), scope(...roles));
    const keys = columns.map(({ key }) => key);
    expect(cellsOf(records, keys)).toEqual(rowsOf(expected));

    const formatted = records.map((record) =>
      Object.fromEntries(
        Object.entries(record).map(([key, cell]) => [key, typeof cell === 'object' ? (cell?.formatted ?? null) : null]),
      ),
    );
    const first = written.get(question.is);
    if (first === undefined) written.set(question.is, formatted);
    else expect(formatted).toEqual(first);
  });
});
