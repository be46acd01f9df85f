/**
 * Tests every question of the shared suite on every engine that can run here, against the records of SQL written by hand.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnswerRecord } from '../../../router/capabilities/query-source.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';
import { statementsFor } from '../testing/tables.ts';
import { answerRows, cellsOf, requestOf } from './asking.ts';
import { QUESTIONS } from './queries.ts';
import { SHOP, SHOP_MODEL } from './shop.ts';

/** The DuckDB warehouse that runs the hand-written SQL. */
let judge: TestWarehouse;
/** The formatted texts of the first engine; the others must have the same. */
const written = new Map<string, readonly AnswerRecord[]>();
beforeAll(async () => {
  judge = await startWarehouse('duckdb', statementsFor('duckdb', SHOP), { poolSize: 1 });
});
afterAll(() => judge.stop());

it('the suite has at least 80 questions with different names', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(QUESTIONS.map(({ is }) => is)).size).toBe(QUESTIONS.length);
});

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, SHOP, { document: SHOP_MODEL });
  });
  afterAll(() => shop.close());

  it('the model loads completely', () => {
    expect(shop.problems).toEqual([]);
  });

  it.each(QUESTIONS)('$is', async (question) => {
    const expected = await judge.warehouse.query({ sql: question.sql, parameters: [] }, { maxRows: 1_000 });
    const roles = question.roles ?? ['ROLE_ADMIN'];
    const { columns, records } = await shop.run(requestOf(question), scope(...roles));
    const keys = columns.map(({ key }) => key);
    expect(cellsOf(records, keys)).toEqual(answerRows(expected));

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
