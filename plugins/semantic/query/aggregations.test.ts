/** Tests every aggregation of the list: its spellings in expressions, and its values. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { AGGREGATION_NAMES, AGGREGATIONS, type Aggregation } from '../model/aggregations.ts';
import { parseExpression } from '../model/parse-sql-expression.ts';
import { aggregatesOf } from '../model/template.ts';
import { openOn } from '../testing/engine-fixture.ts';
import type { Fixture } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

await loadSqlLibrary();

/**
 * Values 1, 2, 2, 7 and one null: their sum is 12, their mean is 3, and their squared distances from the mean add up to 22.
 */
const READINGS: Table = {
  name: 'readings',
  columns: [
    ['id', 'integer'],
    ['value', 'integer'],
    ['place', 'text'],
  ],
  rows: [
    [1, 1, 'a'],
    [2, 2, 'b'],
    [3, 2, 'b'],
    [4, 7, 'c'],
    [5, null, null],
  ],
};

interface Case {
  readonly expression: string;
  readonly value: unknown;
}

const CASES: Readonly<Record<Aggregation, Case>> = {
  sum: { expression: 'SUM(readings.value)', value: 12 },
  avg: { expression: 'AVG(readings.value)', value: 3 },
  min: { expression: 'MIN(readings.value)', value: 1 },
  max: { expression: 'MAX(readings.value)', value: 7 },
  count: { expression: 'COUNT(readings.value)', value: 4 },
  count_distinct: { expression: 'COUNT(DISTINCT readings.value)', value: 3 },
  median: { expression: 'MEDIAN(readings.value)', value: 2 },
  // A quarter of the way from the first to the fourth value is three quarters of the way from 1 to 2.
  percentile: { expression: 'PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY readings.value)', value: 1.75 },
  stddev: { expression: 'STDDEV(readings.value)', value: expect.closeTo(Math.sqrt(22 / 3), 9) },
  stddev_pop: { expression: 'STDDEV_POP(readings.value)', value: expect.closeTo(Math.sqrt(22 / 4), 9) },
  variance: { expression: 'VARIANCE(readings.value)', value: expect.closeTo(22 / 3, 9) },
  variance_pop: { expression: 'VAR_POP(readings.value)', value: 5.5 },
  mode: { expression: 'MODE(readings.value)', value: 2 },
  first: { expression: 'FIRST(readings.id)', value: 1 },
  last: { expression: 'LAST(readings.id)', value: 5 },
  any_value: { expression: 'ANY_VALUE(readings.value)', value: 1 },
  list: { expression: "STRING_AGG(readings.place, '+')", value: 'a+b+b+c' },
  all: { expression: 'LOGICAL_AND(readings.value > 1)', value: 'false' },
  any: { expression: 'LOGICAL_OR(readings.value > 6)', value: 'true' },
  aggregate: { expression: 'PRODUCT(readings.value)', value: 28 },
};

const metric = (name: Aggregation) =>
  `      - { name: of_${name}, expression: [{ dialect: DUCKDB, expression: "${CASES[name].expression}" }] }`;
const DOCUMENT = `
semantic_model:
  - name: lab
    datasets:
      - name: readings
        source: readings
        primary_key: [id]
        fields: [{ name: place, expression: [{ dialect: ANSI_SQL, expression: place }] }]
    metrics:
${AGGREGATION_NAMES.map(metric).join('\n')}
`;

let lab: Fixture;
beforeAll(async () => {
  lab = await openOn('duckdb', [READINGS], { document: DOCUMENT });
  expect(lab.problems).toEqual([]);
});
afterAll(() => lab.close());

it.each(AGGREGATION_NAMES)('%s is read from its spelling and computed', async (name) => {
  const { columns, records } = await lab.run({ values: [{ metric: `of_${name}` }] });
  expect(columns).toMatchObject([{ aggregationKind: name }]);
  expect(records).toMatchObject([{ [`of_${name}`]: { value: CASES[name].value } }]);
});

const WRITTEN = AGGREGATION_NAMES.flatMap((name) =>
  AGGREGATIONS[name].written.map((sql): [string, Aggregation] => [sql, name]),
);

it.each(WRITTEN)('%s is read as %s', (sql, name) => {
  const { template } = parseExpression(sql, 'ansi_sql', 'duckdb');
  expect(aggregatesOf(template)).toMatchObject([{ aggregation: name }]);
});
