import { afterAll, describe, expect, it } from 'vitest';
import { longestHold } from '../../../router/testing/loop-delay.ts';
import { entryPoint } from '../../../server/entry-points.ts';
import { ThreadPool } from '../../../server/workers/thread-pool.ts';
import { proposeByRules } from '../rules/propose-by-rules.ts';
import type { Table } from '../schemas.ts';
import { type InferenceResult, type InferenceTask, workOn } from '../work/tasks.ts';
import { InferenceWork } from '../work/work.ts';
import { viewTables } from './column-views.ts';
import { detectAll } from './findings.ts';
import { candidates, compositeCandidates } from './foreign-keys/column-pairs.ts';

/** Makes a schema of names that begin alike, so that every key may be meant by every column. */
function largeSchema(tables: number, columns: number): Table[] {
  return Array.from({ length: tables }, (_, table) => ({
    schema: 's',
    name: `entity_${table}_detail`,
    rowCount: 1_000,
    keys: [[`entity_${table}_id`], ['field_1_id', 'field_2_id']],
    columns: Array.from({ length: columns }, (_, column) => ({
      name: column === 0 ? `entity_${table}_id` : `field_${column}_id`,
      type: 'BIGINT',
      nullable: true,
      distinctApprox: column === 0 ? 1_000 : 300,
      sampleValues: [1],
      min: 1,
      max: 1_000,
    })),
  }));
}

/** Times the whole look for keys in milliseconds, the least of two. */
function timeOf(tables: readonly Table[]): number {
  const times = [1, 2].map(() => {
    const started = performance.now();
    const views = viewTables({ tables });
    candidates(views, true);
    compositeCandidates(views);
    detectAll({ tables: [...tables], references: [] });
    proposeByRules({ tables: [...tables] }, { schemaName: 's' });
    return performance.now() - started;
  });
  return Math.min(...times);
}

it('the work grows with the columns of a schema, not with their pairs', () => {
  const [few, many] = [timeOf(largeSchema(50, 10)), timeOf(largeSchema(400, 10))];
  // Eight times as many columns: all pairs would be sixty-four times the work.
  expect(many / few).toBeLessThan(30);
});

it('of 500 tables of 40 columns each has its share of the pairs', () => {
  const views = viewTables({ tables: largeSchema(500, 40) });
  const pairs = candidates(views, true);
  expect(pairs.length).toBeLessThan(600_000);
  // The last table is looked at like the first.
  expect(new Set(pairs.map(({ from }) => from.table.name)).size).toBe(500);
});

it('a column whose count is scaled up from a sample is looked up in a table of fewer rows', () => {
  const table = (
    name: string,
    rowCount: number,
    sampledRows: number | undefined,
    columns: [string, number][],
  ): Table => ({
    schema: 's',
    name,
    rowCount,
    ...(sampledRows === undefined ? {} : { sampledRows }),
    keys: columns.filter(([, distinct]) => distinct === rowCount).map(([column]) => [column]),
    columns: columns.map(([column, distinctApprox]) => ({
      name: column,
      type: 'BIGINT',
      nullable: false,
      distinctApprox,
      sampleValues: [1],
    })),
  });
  // 100,000 rows of a million customers hardly repeat one, so that 95 million are estimated.
  const facts = table('facts', 100_000_000, 100_000, [
    ['fact_id', 100_000_000],
    ['customer_id', 95_000_000],
  ]);
  const customers = table('customers', 1_000_000, undefined, [['customer_id', 1_000_000]]);
  const pairs = candidates(viewTables({ tables: [facts, customers] }), true).map(({ from, to }) => [
    from.name,
    to.name,
  ]);
  expect(pairs).toContainEqual(['customer_id', 'customer_id']);
});

describe('a thread', () => {
  const pool = new ThreadPool<InferenceTask, InferenceResult>({
    module: entryPoint('inference-worker').module,
    size: 1,
  });
  afterAll(() => pool.close());

  it('looks through a hostile profile, and the event loop turns meanwhile', async () => {
    const profile = {
      databaseProductName: 'DuckDB',
      databaseProductVersion: '1',
      tables: largeSchema(300, 20),
      sampledAt: '',
      sampleDurationMillis: 0,
      sampleCostUsd: 0,
    };
    const work = new InferenceWork(pool);
    await work.rules({ ...profile, tables: largeSchema(40, 10) }, { schemaName: 's' });
    const started = performance.now();
    const alone = workOn({ kind: 'rules', profile, options: { schemaName: 's' } });
    const took = performance.now() - started;
    const hold = await longestHold(async () => {
      const { proposal } = await work.rules(profile, { schemaName: 's' });
      expect(alone).toMatchObject({ value: { proposal } });
    });
    // Handing a profile over takes a part of what looking through it does.
    expect(hold.heldMillis).toBeLessThan(took / 3);
  });

  it('that takes too long or is called off ends', async () => {
    const work = new InferenceWork(pool);
    const stop = AbortSignal.timeout(100);
    await expect(work.pairs(largeSchema(500, 40), stop)).rejects.toThrow('cancelled');
  });
});
