/** Tests filters by metrics on every engine: for groups of the answer, and for groups of other fields. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { casesOn, testsOn } from '../../../server/warehouse/testing/tests-on.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

const CUSTOMERS: Table = {
  name: 'customers',
  columns: [
    ['id', 'integer'],
    ['country', 'text'],
  ],
  rows: [
    [1, 'DE'],
    [2, 'DE'],
    [3, 'FR'],
    [4, null],
  ],
};
/** Amounts are powers of two, so that each sum identifies its rows. */
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['customer_id', 'integer'],
    ['channel', 'text'],
    ['day', 'date'],
    ['amount', 'integer'],
    ['price', 'money'],
  ],
  rows: [
    [1, 1, 'web', '2024-01-05', 1, 0.5],
    [2, 1, 'web', '2024-01-09', 2, 0.25],
    [3, 1, 'shop', '2024-02-01', 4, 1],
    [4, 1, 'web', '2024-02-02', 8, 0.05],
    [5, 2, 'shop', '2024-01-20', 16, 10],
    [6, 2, 'shop', '2024-03-01', 32, 0.1],
    [7, 3, 'web', '2024-03-02', 64, 0.2],
    [8, null, 'web', '2024-03-03', 128, 2],
  ],
};
const RETURNS: Table = {
  name: 'returns',
  columns: [
    ['id', 'integer'],
    ['customer_id', 'integer'],
    ['cost', 'integer'],
  ],
  rows: [
    [1, 1, 5],
    [2, 1, 6],
    [3, 3, 7],
  ],
};

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, data = '') =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${expression} }] }${
    data === '' ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${data}' }]`
  } }`;
const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"row_predicates": {"ROLE_WEB": "channel = ''web''"}}}' }]
        fields:
${['id', 'channel', 'day', 'amount'].map(field).join('\n')}
      - name: customers
        source: customers
        primary_key: [id]
        fields:
${['id', 'country'].map(field).join('\n')}
      - name: returns
        source: returns
        primary_key: [id]
        fields:
${['id', 'cost'].map(field).join('\n')}
    relationships:
      - { name: bought_by, from: sales, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: returned_by, from: returns, to: customers, from_columns: [customer_id], to_columns: [id] }
    metrics:
${metric('total', 'SUM(sales.amount)')}
${metric('sale_count', 'COUNT(*)')}
${metric('revenue', 'SUM(sales.price)')}
${metric('mean', 'AVG(sales.amount)')}
${metric('last_day', 'MAX(sales.day)')}
${metric('channels', 'COUNT(DISTINCT sales.channel)')}
${metric('return_cost', 'SUM(returns.cost)')}
${metric('cost_share', 'SUM(returns.cost) / SUM(sales.amount)')}
${metric('customer_count', 'COUNT(*)', '{"dataset": "customers"}')}
`;

const CUSTOMER = { dataset: 'customers', field: 'id' };
const CHANNEL = { dataset: 'sales', field: 'channel' };
const channel = (value: string) => ({ ...CHANNEL, op: 'EQ', value });
const total = [{ metric: 'total' }];

describeEngines('on $engine', (engine) => {
  const test = testsOn(engine);
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [CUSTOMERS, SALES, RETURNS], { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop?.close());

  const table = async (request: object, role = 'ROLE_ADMIN') => shop.numbers(request, scope(role));
  const customersWith = async (filters: readonly object[]) =>
    (await table({ rows: [CUSTOMER], filters })).map(([id]) => id);

  // By customer: 1 has 4 sales of 15 for 1.80, 2 has 2 of 48 for 10.10, 3 has 1 of 64 for 0.20, nobody 1 of 128 for 2.00.
  it.each(
    casesOn(engine, [
      ['a sum', [{ metric: 'total', op: 'GT', value: 48 }], [3, null]],
      ['a sum at its very value', [{ metric: 'total', op: 'EQ', value: 48 }], [2]],
      ['a number in quotes', [{ metric: 'total', op: 'EQ', value: '48' }], [2]],
      ['a fraction beside whole numbers', [{ metric: 'total', op: 'LT', value: 15.5 }], [1]],
      ['another than', [{ metric: 'total', op: 'NEQ', value: 48 }], [1, 3, null]],
      ['a count', [{ metric: 'sale_count', op: 'GTE', value: 2 }], [1, 2]],
      ['a list', [{ metric: 'total', op: 'IN', values: [15, 64, 63.5] }], [1, 3]],
      ['a list of nothing', [{ metric: 'total', op: 'IN', values: [] }], []],
      ['a range', [{ metric: 'total', op: 'BETWEEN', values: [15, 64] }], [1, 2, 3]],
      ['an exact sum of decimals', [{ metric: 'revenue', op: 'EQ', value: 10.1 }], [2]],
      ['a sum of decimals', [{ metric: 'revenue', op: 'GT', value: '1.8' }], [2, null]],
      ['a mean', [{ metric: 'mean', op: 'EQ', value: 3.75 }], [1]],
      ['the last of dates', [{ metric: 'last_day', op: 'LT', value: '2024-03-01' }], [1]],
      ['a distinct count', [{ metric: 'channels', op: 'EQ', value: 2 }], [1]],
      ['what has none', [{ metric: 'return_cost', op: 'IS_NULL' }], []],
      ['what has some', [{ metric: 'return_cost', op: 'IS_NOT_NULL' }], [1, 3]],
      ['a ratio of two datasets', [{ metric: 'cost_share', op: 'GT', value: 0.2 }], [1]],
      ['another aggregation', [{ metric: 'total', aggregation: 'MAX', op: 'EQ', value: 8 }], [1]],
      [
        'two of them',
        [
          { metric: 'sale_count', op: 'LTE', value: 2 },
          { metric: 'total', op: 'LT', value: 100 },
        ],
        [2, 3],
      ],
      [
        'one or the other',
        [
          {
            any: [
              { metric: 'sale_count', op: 'GT', value: 3 },
              {
                all: [
                  { metric: 'total', op: 'GT', value: 50 },
                  { metric: 'total', op: 'LT', value: 100 },
                ],
              },
            ],
          },
        ],
        [1, 3],
      ],
      ['a field and a metric', [channel('web'), { metric: 'total', op: 'LT', value: 12 }], [1]],
      [
        'a field and a metric in one all',
        [{ all: [channel('web'), { any: [{ metric: 'total', op: 'EQ', value: 11 }] }] }],
        [1],
      ],
    ]),
  )('customers by %s', async (_, filters, expected) => {
    expect(await customersWith(filters)).toEqual(expected);
  });

  test('the tested metric may be missing from the values, and a shown metric is tested with its shown aggregation', async () => {
    const most = [{ metric: 'sale_count', op: 'GT', value: 1 }];
    expect(await table({ rows: [CUSTOMER], values: total, filters: most })).toEqual([
      [1, 15],
      [2, 48],
    ]);
    const values = [{ metric: 'total', aggregation: 'MAX' }];
    const filters = [{ metric: 'total', op: 'EQ', value: 8 }];
    expect(await table({ rows: [CUSTOMER], values, filters })).toEqual([[1, 8]]);
  });

  test('limits and sorts come after', async () => {
    const filters = [{ metric: 'sale_count', op: 'LT', value: 4 }];
    const sorts = [{ metric: 'total', direction: 'ASC' }];
    expect(await table({ rows: [CUSTOMER], values: total, filters, sorts, limit: 2 })).toEqual([
      [2, 48],
      [3, 64],
    ]);
  });

  test('a total that does not pass has no row', async () => {
    expect(await table({ values: total, filters: [{ metric: 'sale_count', op: 'EQ', value: 8 }] })).toEqual([[255]]);
    expect(await table({ values: total, filters: [{ metric: 'sale_count', op: 'EQ', value: 7 }] })).toEqual([]);
  });

  test('with rows and columns each cell is tested, and a limit counts the rows that are left', async () => {
    const request = { rows: [CUSTOMER], columns: [CHANNEL], values: total };
    const filters = [{ metric: 'total', op: 'GT', value: 4 }];
    expect(await table({ ...request, filters })).toEqual([
      [1, 'web', 11],
      [2, 'shop', 48],
      [3, 'web', 64],
      [null, 'web', 128],
    ]);
    expect(await table({ ...request, filters: [{ ...filters[0], value: 11 }], limit: 2 })).toEqual([
      [2, 'shop', 48],
      [3, 'web', 64],
    ]);
  });

  const per = (op: string, value: number, more: object = {}) => ({
    metric: 'sale_count',
    op,
    value,
    per: [CUSTOMER],
    ...more,
  });

  it.each(
    casesOn(engine, [
      ['customers of more than three sales', [per('GT', 3)], 15],
      ['customers of one sale; a sale without a customer has none', [per('EQ', 1)], 64],
      ['in a channel, of customers of more than three sales in any', [channel('web'), per('GT', 3)], 11],
      ['of customers of more than two sales in one', [per('GT', 2, { filters: [channel('web')] })], 15],
      [
        'in shops, by customers of more than two in the web',
        [channel('shop'), per('GT', 2, { filters: [channel('web')] })],
        4,
      ],
      ['either', [{ any: [per('GT', 3), { dataset: 'sales', field: 'amount', op: 'EQ', value: 128 }] }], 143],
      ['per two fields', [{ metric: 'sale_count', op: 'GT', value: 1, per: [CUSTOMER, CHANNEL] }], 59],
      [
        'per month',
        [{ metric: 'sale_count', op: 'EQ', value: 2, per: [{ dataset: 'sales', field: 'day', grain: 'month' }] }],
        12,
      ],
      [
        'per country',
        [{ metric: 'customer_count', op: 'GT', value: 1, per: [{ dataset: 'customers', field: 'country' }] }],
        63,
      ],
      ['by what another dataset has', [{ metric: 'return_cost', op: 'GT', value: 10, per: [CUSTOMER] }], 15],
      ['by what two have', [{ metric: 'cost_share', op: 'LT', value: 0.5, per: [CUSTOMER] }], 64],
    ]),
  )('sales %s', async (_, filters, expected) => {
    expect(await table({ values: total, filters })).toEqual([[expected]]);
  });

  test('customers with a sale in a channel and month of more than one sale', async () => {
    const month = { dataset: 'sales', field: 'day', grain: 'month' };
    const filters = [{ metric: 'sale_count', op: 'GT', value: 1, per: [CHANNEL, month] }];
    // Two in the web in January (of 1) and in March (of 3 and of nobody): no semi-join repeats customer 1.
    expect(await table({ values: [{ metric: 'customer_count' }], filters })).toEqual([[2]]);
  });

  test('customers with a sale in a channel that sells more than a hundred', async () => {
    const filters = [{ metric: 'total', op: 'GT', value: 100, per: [CHANNEL] }];
    expect(await table({ values: [{ metric: 'customer_count' }], filters })).toEqual([[2]]);
  });

  test('rows that a role may not see do not count', async () => {
    expect(await table({ values: total, filters: [per('GT', 3)] }, 'ROLE_WEB')).toEqual([[null]]);
    expect(await table({ values: total, filters: [per('GT', 2)] }, 'ROLE_WEB')).toEqual([[11]]);
  });

  it('random filters keep the groups that a loop over the rows keeps', async () => {
    const operator = fc.constantFrom('EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE');
    const keys = fc.subarray(['customer', 'channel', 'month'] as const, { minLength: 1 });
    const queries = fc.record({
      by: keys,
      per: keys,
      metric: fc.constantFrom('total', 'sale_count'),
      op: operator,
      value: fc.constantFrom(0, 1, 2, 3, 4, 15, 16, 48, 64),
      op2: operator,
      value2: fc.constantFrom(1, 2, 3),
      only: fc.constantFrom(undefined, 'web', 'shop'),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ by, per: keysOfPer, metric: name, op, value, op2, value2, only }) => {
        const rows = SALES.rows.filter((row) => {
          const mine = groupOf(row, keysOfPer);
          const alike = SALES.rows.filter((other) => groupOf(other, keysOfPer) === mine);
          const isKnown = !JSON.parse(mine).includes(null);
          return isKnown && compare(op2, alike.length, value2) && (only === undefined || row[2] === only);
        });
        const groups = new Map<string, number[]>();
        for (const row of rows) {
          const key = groupOf(row, by);
          groups.set(key, [...(groups.get(key) ?? []), Number(row[4])]);
        }
        const expected = [...groups]
          .map(([key, amounts]) => [...JSON.parse(key), amounts.reduce((sum, one) => sum + one, 0), amounts.length])
          .filter((row) => compare(op, row[name === 'total' ? by.length : by.length + 1], value));
        const references = (keys: readonly string[]) => keys.map((key) => REFERENCES[key as Key]);
        const answered = await table({
          rows: references(by),
          values: [{ metric: 'total' }, { metric: 'sale_count' }],
          filters: [
            { metric: name, op, value },
            { metric: 'sale_count', op: op2, value: value2, per: references(keysOfPer) },
            ...(only === undefined ? [] : [channel(only)]),
          ],
        });
        const text = (table: readonly (readonly unknown[])[]) => table.map((row) => JSON.stringify(row)).toSorted();
        expect(text(answered)).toEqual(text(expected));
      }),
      { seed: SEED, numRuns: runsOn(engine, 80) },
    );
  });
});

const REFERENCES = { customer: CUSTOMER, channel: CHANNEL, month: { dataset: 'sales', field: 'day', grain: 'month' } };
type Key = keyof typeof REFERENCES;

function groupOf(row: Table['rows'][number], keys: readonly Key[]): string {
  const values = { customer: row[1], channel: row[2], month: `${String(row[3]).slice(0, 7)}-01` };
  return JSON.stringify(keys.map((key) => values[key]));
}

function compare(op: string, left: number, right: number): boolean {
  switch (op) {
    case 'EQ':
      return left === right;
    case 'NEQ':
      return left !== right;
    case 'LT':
      return left < right;
    case 'LTE':
      return left <= right;
    case 'GT':
      return left > right;
    default:
      return left >= right;
  }
}

describe('on duckdb alone', () => {
  const opened: Fixture[] = [];
  const open = async (kAnonymity: { threshold: number; mask: null; shadow?: boolean }) => {
    const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [CUSTOMERS, SALES, RETURNS]));
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT, settings: { kAnonymity } });
    opened.push(fixture);
    return fixture;
  };
  let masking: Fixture;
  beforeAll(async () => {
    masking = await open({ threshold: 2, mask: null });
  });
  afterAll(async () => {
    for (const fixture of opened) await fixture.close();
  });
  const as = scope('ROLE_ADMIN');

  it('no filter finds a masked group', async () => {
    const counts = [{ metric: 'total' }, { metric: 'sale_count' }];
    for (const [op, given] of [
      ['EQ', { value: 1 }],
      ['LT', { value: 2 }],
      ['NEQ', { value: 7 }],
      ['IS_NULL', {}],
      ['BETWEEN', { values: [0, 1] }],
    ] as const) {
      for (const values of [counts, [{ metric: 'total' }], []]) {
        const filters = [
          {
            any: [
              { metric: 'sale_count', op, ...given },
              { metric: 'total', op: 'GT', value: 1000 },
            ],
          },
        ];
        const rows = await masking.table({ rows: [CUSTOMER], values, filters }, as);
        expect(rows.map(([id]) => id)).toEqual(op === 'NEQ' ? [1, 2] : []);
      }
    }
    // A sum beside a count is masked with it.
    const filters = [{ metric: 'total', op: 'GT', value: 0 }];
    const rows = await masking.table({ rows: [CUSTOMER], values: counts, filters }, as);
    expect(rows.map(([id]) => id)).toEqual([1, 2]);
  });

  it('no filter at another grain finds a masked group', async () => {
    const lonely = [{ metric: 'sale_count', op: 'LT', value: 2, per: [CUSTOMER] }];
    expect(await masking.table({ values: total, filters: lonely }, as)).toEqual([[null]]);
  });

  it('a hidden count of rows hides groups from filters too', async () => {
    const shadowed = await open({ threshold: 2, mask: null, shadow: true });
    const filters = [{ metric: 'total', op: 'GT', value: 0 }];
    expect(await shadowed.table({ rows: [CUSTOMER], filters }, as)).toEqual([[1], [2]]);
    const each = [{ ...filters[0], per: [CUSTOMER] }];
    expect(await shadowed.table({ values: total, filters: each }, as)).toEqual([[63]]);
  });

  it.each([
    ['an unknown metric', { metric: 'totl', op: 'GT', value: 1 }, 'filters[0].metric'],
    ['an operator of dates', { metric: 'total', op: 'RELATIVE', value: 'ytd' }, 'filters[0].op'],
    ['no value', { metric: 'total', op: 'GT' }, 'filters[0].value'],
    ['a text beside numbers', { metric: 'total', op: 'GT', value: 'many' }, 'filters[0].value'],
    ['no date beside dates', { metric: 'last_day', op: 'GT', value: 5 }, 'filters[0].value'],
    [
      'an aggregation that it has not',
      { metric: 'channels', aggregation: 'SUM', op: 'GT', value: 1 },
      'filters[0].aggregation',
    ],
    ['a grain of its own', { metric: 'total', op: 'GT', value: 1, grain: 'month' }, 'filters[0].grain'],
    ['per nothing', { metric: 'total', op: 'GT', value: 1, per: [] }, 'filters[0].per'],
    [
      'per an unknown field',
      { metric: 'total', op: 'GT', value: 1, per: [{ ...CUSTOMER, field: 'x' }] },
      'filters[0].per[0].field',
    ],
    ['per one field twice', { metric: 'total', op: 'GT', value: 1, per: [CUSTOMER, CUSTOMER] }, 'filters[0].per[1]'],
    ['filters without per', { metric: 'total', op: 'GT', value: 1, filters: [channel('web')] }, 'filters[0].filters'],
    [
      'a wrong filter of per',
      { metric: 'total', op: 'GT', value: 1, per: [CUSTOMER], filters: [{ ...channel('web'), field: 'x' }] },
      'filters[0].filters[0].field',
    ],
    ['rows and groups in one any', { any: [channel('web'), { metric: 'total', op: 'GT', value: 1 }] }, 'filters[0]'],
    [
      'a metric that belongs to no such field',
      { metric: 'return_cost', op: 'GT', value: 1, per: [{ dataset: 'returns', field: 'id' }] },
      'filters[0].per[0].dataset',
    ],
  ])('%s is refused at its place', async (_, filter, place) => {
    const refusal = await masking.refusal({ rows: [CHANNEL], values: total, filters: [filter] }, as);
    expect(refusal.problems.map((problem) => toProblemBody(problem).field)).toContain(place);
  });

  it('a metric that sorts rows of columns and one that filters cells are refused together', async () => {
    const refusal = await masking.refusal({
      rows: [CUSTOMER],
      columns: [CHANNEL],
      values: total,
      filters: [{ metric: 'total', op: 'GT', value: 1 }],
      sorts: [{ metric: 'total' }],
    });
    expect(refusal.field).toBe('filters');
    expect(refusal.message).toContain('per');
  });

  it('row detail has the rows of the groups that pass', async () => {
    const { records } = await masking.operations(as).rowDetail({
      connection: 'test',
      rows: [CUSTOMER],
      values: total,
      filters: [{ metric: 'sale_count', op: 'GT', value: 2 }],
    } as never);
    expect(records).toEqual([{ 'customers.id': 1 }]);
  });

  it('the plan names the tested metrics and groups', async () => {
    const { plan } = await masking.operations(as).preview({
      connection: 'test',
      rows: [CHANNEL],
      values: total,
      filters: [
        { metric: 'sale_count', op: 'GT', value: 2 },
        { metric: 'return_cost', op: 'GT', value: 2, per: [CUSTOMER] },
      ],
    } as never);
    expect(plan.steps).toContain('Groups are answered where sale_count passes its filter, unless they are masked.');
    expect(plan.steps).toContain(
      'Rows pass whose customers.id has a return_cost that passes its filter, computed by customers.id of the rows of returns, joined along returns → customers (returned_by); other filters of the query do not apply there.',
    );
    expect(plan.metrics.map(({ metric: name }) => name)).toEqual(['total']);
  });
});
