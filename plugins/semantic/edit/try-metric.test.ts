import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { inlineReader } from '../document-reader.ts';
import { statementsFor } from '../testing/tables.ts';
import { applyEdits } from './apply-edits.ts';
import type { Edit } from './edits.ts';
import { type TrialParts, type TriedMetric, tryMetric } from './try-metric.ts';
import { versionOf } from './versions.ts';

/** 10.00 + 20.50 - 0.50 = 30.00 in four rows, one of them without an amount. */
const SALES = statementsFor('duckdb', [
  {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['amount', 'money'],
      ['code', 'text'],
      ['buyer', 'text'],
    ],
    rows: [
      [1, 10, 'a', 'Ann'],
      [2, 20.5, 'a', 'Bob'],
      [3, null, 'b', 'Ann'],
      [4, -0.5, 'b', 'Eve'],
    ],
  },
]);
const DOCUMENT = `semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: amount, expression: { dialects: [{ dialect: ANSI_SQL, expression: amount }] } }
          - name: buyer
            expression: { dialects: [{ dialect: ANSI_SQL, expression: buyer }] }
            custom_extensions: [{ vendor_name: SERVICE, data: '{"pii": true}' }]
    metrics:
      - name: revenue
        expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }
        custom_extensions: [{ vendor_name: SERVICE, data: '{"display": {"format": "#,##0.00"}}' }]
`;
const CALLER: UserCaller = { kind: 'user', via: 'session', tenant: 'default' as TenantId, user: 'ann', roles: [] };

let started: TestWarehouse;
beforeAll(async () => {
  started = await startWarehouse('duckdb', [...SALES]);
});
afterAll(() => started?.stop());

/** Tries the metric of a draft of the document. */
function trial(metric: string, edits: readonly Edit[] = [], { threshold = 0, version = versionOf(DOCUMENT) } = {}) {
  const { warehouse, address } = started;
  const datasource = { id: 'shop', name: 'shop', type: 'SEMANTIC', documentPath: 'shop.yaml', enabled: true } as const;
  const parts: TrialParts = {
    files: {
      find: async () => ({
        datasource: { ...datasource, schema: undefined, warehouse: address },
        status: 'READY',
        problems: [],
        updatedAtMillis: 0,
      }),
      read: async () => DOCUMENT,
    },
    catalogs: { of: () => ({ open: async () => warehouse }) },
    reader: inlineReader,
    edit: applyEdits,
    log: silentLog,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    settings: { maxRows: 100, cacheTtlMs: 0, kAnonymity: { threshold, mask: null }, clock: Date.now },
  };
  return tryMetric({ id: 'shop', version, edits: [...edits], metric }, CALLER, parts, undefined);
}

const formula = (name: string, expression: string): Edit => ({
  op: 'set',
  on: { kind: 'metric', name },
  property: 'expression',
  value: expression,
});
const numberIn = ({ value }: TriedMetric): number => Number(value);

it('computes a metric as the document has it, and shows it in its format', async () => {
  const tried = await trial('revenue');
  expect(numberIn(tried)).toBe(30);
  expect(tried.formatted).toBe('30.00');
});

it('computes a metric as the draft has it: changed, renamed and new', async () => {
  expect(numberIn(await trial('revenue', [formula('revenue', 'SUM(sales.amount) / COUNT(sales.amount)')]))).toBe(10);
  const rename: Edit = { op: 'rename', on: { kind: 'metric', name: 'revenue' }, name: 'turnover' };
  expect(numberIn(await trial('turnover', [rename]))).toBe(30);
  const add: Edit = { op: 'add-metric', name: 'lines', expression: 'COUNT(*)' };
  expect(numberIn(await trial('lines', [add]))).toBe(4);
});

it.each([
  ['an unknown column', 'SUM(sales.amout)', /names sales\.amout/],
  ['a text that is no SQL', 'SUM(sales.amount', /is no SQL expression/],
  ['no aggregate', 'sales.amount', /outside an aggregate/],
  ['personal data', 'MAX(sales.buyer)', /personal data/],
  ['values that the warehouse cannot convert', 'MAX(CAST(sales.code AS INTEGER))', /^The warehouse cannot compute/],
])('answers a formula with %s by the reason, without the name of the metric', async (_, expression, reason) => {
  const tried = await trial('revenue', [formula('revenue', expression)]);
  expect(tried.refused).toMatch(reason);
  expect(tried.refused).not.toContain('metric revenue');
  expect(tried).not.toHaveProperty('value');
});

it('answers for a metric that the draft does not have', async () => {
  expect(await trial('profit')).toEqual({ refused: 'The model has no metric profit.' });
  const remove: Edit = { op: 'remove', on: { kind: 'metric', name: 'revenue' } };
  expect(await trial('revenue', [remove])).toEqual({ refused: 'The model has no metric revenue.' });
});

it('masks the value of few rows as answers do', async () => {
  const add: Edit = { op: 'add-metric', name: 'lines', expression: 'COUNT(*)' };
  expect(await trial('lines', [add], { threshold: 5 })).toMatchObject({ value: null });
  expect(numberIn(await trial('lines', [add], { threshold: 4 }))).toBe(4);
});

it('refuses a draft of an earlier version, and an edit of something unknown at its place', async () => {
  await expect(trial('revenue', [], { version: versionOf('earlier') })).rejects.toMatchObject({
    code: 'STALE_VERSION',
  });
  await expect(trial('revenue', [formula('revenu', 'COUNT(*)')])).rejects.toMatchObject({
    field: 'edits[0].on.name',
    available: ['revenue'],
  });
});
