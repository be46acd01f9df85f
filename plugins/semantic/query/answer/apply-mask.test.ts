/** Tests the masking of small cells, and that neither order nor limit reveals a masked value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../../../server/cache/cache.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { SemanticSettings } from '../../index.ts';
import { Fixture } from '../../testing/fixture.ts';

/** Illness a: 6 people, b: 2 of enormous cost, c: 5, d: 1. */
const TABLES = [
  'CREATE TABLE visits (id INTEGER, illness VARCHAR, cost INTEGER, hard BOOLEAN)',
  `INSERT INTO visits VALUES (1,'a',1,true), (2,'a',1,true), (3,'a',1,true), (4,'a',1,true), (5,'a',1,true), (6,'a',1,false),
    (7,'b',1000,true), (8,'b',1000,true), (9,'c',2,true), (10,'c',2,false), (11,'c',2,true), (12,'c',2,true), (13,'c',2,true), (14,'d',500,false)`,
];
const DOCUMENT = `
semantic_model:
  - name: clinic
    datasets:
      - name: visits
        source: visits
        primary_key: [id]
        fields:
          - { name: illness, expression: [{ dialect: ANSI_SQL, expression: illness }] }
          - { name: one, expression: [{ dialect: ANSI_SQL, expression: CASE WHEN id IS NOT NULL THEN 1 ELSE 0 END }] }
    metrics:
      - { name: cost, expression: [{ dialect: ANSI_SQL, expression: SUM(visits.cost) }] }
      - { name: visit_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
      - { name: hard_count, expression: [{ dialect: ANSI_SQL, expression: SUM(CASE WHEN visits.hard THEN 1 ELSE 0 END) }] }
      - { name: by_field, expression: [{ dialect: ANSI_SQL, expression: SUM(visits.one) }] }
`;

const opened: Fixture[] = [];
async function clinic(kAnonymity: SemanticSettings['kAnonymity']): Promise<Fixture> {
  const warehouse = await startWarehouse('duckdb', TABLES);
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT, settings: { kAnonymity } });
  opened.push(fixture);
  return fixture;
}
afterAll(async () => {
  for (const fixture of opened) await fixture.close();
});

const rows = [{ dataset: 'visits', field: 'illness' }];
const values = (...metrics: readonly string[]) => metrics.map((metric) => ({ metric }));

describe('with a threshold of 5', () => {
  let five: Fixture;
  beforeAll(async () => {
    five = await clinic({ threshold: 5, mask: null });
  });

  it('every metric of a row that counts fewer is masked and the row is counted', async () => {
    const { records, meta } = await five.run({ rows, values: values('cost', 'visit_count') });
    expect(records).toEqual([
      { 'visits.illness': 'a', cost: { value: 6, formatted: '6' }, visit_count: { value: 6, formatted: '6' } },
      masked('b', 'cost', 'visit_count'),
      { 'visits.illness': 'c', cost: { value: 10, formatted: '10' }, visit_count: { value: 5, formatted: '5' } },
      masked('d', 'cost', 'visit_count'),
    ]);
    expect(meta).toEqual({
      rowCount: 4,
      truncated: false,
      suppressed: { count: 2, reason: 'Metrics of rows that count fewer than 5 are masked (k-anonymity).' },
    });
  });

  it.each(['hard_count', 'by_field'])('%s counts although it is written as a sum', async (metric) => {
    const { meta } = await five.run({ rows, values: values(metric) });
    expect(meta.suppressed?.count).toBe(metric === 'hard_count' ? 3 : 2);
  });

  it('a metric whose aggregation is replaced by COUNT counts, and a replaced count does not', async () => {
    const counted = await five.run({ rows, values: [{ metric: 'cost', aggregation: 'COUNT' }] });
    expect(counted.meta.suppressed?.count).toBe(2);
    const summed = await five.run({ rows, values: [{ metric: 'hard_count', aggregation: 'MAX' }] });
    expect(summed.meta.suppressed).toBeUndefined();
  });

  it('a masked row is neither ranked first nor let into a top', async () => {
    const sorts = [{ metric: 'cost', direction: 'DESC' }];
    const table = await five.table({ rows, values: values('cost', 'visit_count'), sorts });
    expect(table.map(([illness]) => illness)).toEqual(['c', 'a', 'b', 'd']);
    expect(await five.table({ rows, values: values('cost', 'visit_count'), sorts, limit: 1 })).toEqual([['c', 10, 5]]);
  });

  it('a query that counts nothing is not masked', async () => {
    expect((await five.run({ rows, values: values('cost') })).meta.suppressed).toBeUndefined();
  });
});

describe('with a threshold of 5 and a hidden count', () => {
  let shadowed: Fixture;
  beforeAll(async () => {
    shadowed = await clinic({ threshold: 5, mask: null, shadow: true });
  });

  it('groups of few rows are masked even if the query has no count, and the hidden count is not shown', async () => {
    const { columns, records, meta } = await shadowed.run({ rows, values: values('cost') });
    expect(columns.map(({ key }) => key)).toEqual(['visits.illness', 'cost']);
    expect(records).toEqual([
      { 'visits.illness': 'a', cost: { value: 6, formatted: '6' } },
      masked('b', 'cost'),
      { 'visits.illness': 'c', cost: { value: 10, formatted: '10' } },
      masked('d', 'cost'),
    ]);
    expect(meta.suppressed?.count).toBe(2);
  });

  it('a count that hides nothing does not lift the mask of another', async () => {
    const { records } = await shadowed.run({ rows, values: [{ metric: 'cost', aggregation: 'MAX' }] });
    expect(records.map((record) => record.cost)).toMatchObject([
      { value: 1 },
      { suppressed: true },
      { value: 2 },
      { suppressed: true },
    ]);
  });

  it('a masked row is neither ranked first nor let into a top', async () => {
    const sorts = [{ metric: 'cost', direction: 'DESC' }];
    expect(await shadowed.table({ rows, values: values('cost'), sorts, limit: 2 })).toEqual([
      ['c', 10],
      ['a', 6],
    ]);
  });

  it('cells of rows and columns are masked each by its own rows', async () => {
    const columns = [{ dataset: 'visits', field: 'one' }];
    const sorts = [{ field: 'visits.one' }, { metric: 'cost', direction: 'DESC' }];
    expect(await shadowed.table({ rows, columns, values: values('cost'), sorts })).toEqual([
      ['c', 1, 10],
      ['a', 1, 6],
      ['b', 1, null],
      ['d', 1, null],
    ]);
  });

  it('fields alone are not masked, and a total of few rows is', async () => {
    expect((await shadowed.run({ rows })).meta.suppressed).toBeUndefined();
    const filters = [{ dataset: 'visits', field: 'illness', op: 'EQ', value: 'd' }];
    expect(await shadowed.table({ values: values('cost'), filters })).toEqual([[null]]);
  });

  it('the preview names the hidden count', async () => {
    const { plan } = await shadowed.operations().preview({ connection: 'test', rows, values: values('cost') });
    expect(plan.steps.join(' ')).toContain('fewer than 5 rows of visits');
  });
});

it('only masked rows of the answer are counted as suppressed', async () => {
  const warehouse = await startWarehouse('duckdb', TABLES);
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const settings = { kAnonymity: { threshold: 5, mask: null }, maxRows: 3 };
  const fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT, settings });
  opened.push(fixture);
  // The fourth row, d, is masked too, but cut.
  const { meta } = await fixture.run({ rows, values: values('visit_count') });
  expect(meta).toMatchObject({ rowCount: 3, truncated: true, suppressed: { count: 1 } });
});

it('the mask may be a number or a token, and 0 masks nothing', async () => {
  const minusOne = await clinic({ threshold: 5, mask: -1 });
  expect((await minusOne.run({ rows, values: values('visit_count') })).records[1]).toEqual({
    'visits.illness': 'b',
    visit_count: { value: -1, formatted: '-1', suppressed: true },
  });
  const off = await clinic({ threshold: 0, mask: null });
  expect(await off.table({ rows, values: values('visit_count') })).toEqual([
    ['a', 6],
    ['b', 2],
    ['c', 5],
    ['d', 1],
  ]);
});

function masked(illness: string, ...metrics: readonly string[]) {
  const cells = metrics.map((metric) => [metric, { value: null, formatted: null, suppressed: true }]);
  return { 'visits.illness': illness, ...Object.fromEntries(cells) };
}
