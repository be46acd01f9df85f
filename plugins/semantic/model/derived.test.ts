/** Tests metrics that use other metrics, on every engine. Figures by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { type Fixture, scope } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

const PRODUCTS: Table = {
  name: 'products',
  columns: [
    ['id', 'integer'],
    ['kind', 'text'],
  ],
  rows: [
    [1, 'x'],
    [2, 'x'],
    [3, 'y'],
  ],
};
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['product_id', 'integer'],
    ['amount', 'integer'],
  ],
  rows: [
    [1, 1, 10],
    [2, 1, 20],
    [3, 2, 30],
    [4, 3, 5],
  ],
};
const RETURNS: Table = {
  name: 'returns',
  columns: [
    ['id', 'integer'],
    ['product_id', 'integer'],
    ['cost', 'integer'],
  ],
  rows: [
    [1, 1, 4],
    [2, 1, 6],
    [3, 1, 0],
  ],
};

const metric = (name: string, expression: string, data?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    data === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`
  } }`;
const fields = (...names: readonly string[]) =>
  names
    .map(
      (name) => `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`,
    )
    .join('\n');
const DOCUMENT = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - { name: sales, source: sales, primary_key: [id] }
      - { name: returns, source: returns, primary_key: [id] }
      - name: products
        source: products
        primary_key: [id]
        fields:
${fields('id', 'kind')}
    relationships:
      - { name: sold, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
      - { name: returned, from: returns, to: products, from_columns: [product_id], to_columns: [id] }
    metrics:
${metric('margin', 'revenue - costs')}
${metric('revenue', 'SUM(sales.amount)')}
${metric('costs', 'SUM(returns.cost)')}
${metric('sale_count', 'COUNT(*)', { dataset: 'sales' })}
${metric('return_count', 'COUNT(*)', { dataset: 'returns' })}
${metric('return_rate', 'return_count / sale_count')}
${metric('mean_sale', 'revenue / sale_count')}
${metric('twice', '2 * (margin + costs) - MAX(sales.amount)')}
${metric('guarded', 'COALESCE(costs, 0) * -1')}
${metric('secret', 'SUM(sales.amount) + 1', { roles: { deny: ['ROLE_GUEST'] } })}
${metric('half_secret', 'secret / 2')}
${metric('quarter_secret', 'half_secret / 2')}
${metric('allowed', 'secret - 1', { roles: { allow: ['ROLE_GUEST'] } })}
${metric('circle_a', 'circle_b + 1')}
${metric('circle_b', 'circle_a + revenue')}
${metric('of_nothing', 'revenues + 1')}
`;
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));
const KIND = { dataset: 'products', field: 'kind' };

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [PRODUCTS, SALES, RETURNS], { document: DOCUMENT });
  });
  afterAll(() => shop?.close());
  const table = (request: object, role = 'ROLE_USER') => shop.numbers(request, scope(role));

  it('each part is aggregated by itself, at the grain of the answer', async () => {
    const request = { rows: [KIND], values: values('margin', 'return_rate', 'mean_sale', 'twice', 'guarded') };
    // x: sales of 60 in three, returns of 10 in three. y: a sale of 5, no return.
    expect(await table(request)).toEqual([
      ['x', 50, 1, 20, 90, -10],
      ['y', null, null, 5, null, 0],
    ]);
    expect(await table({ ...request, rows: [] })).toEqual([[55, 0.75, 16.25, 100, -10]]);
  });

  it('one metric alone reads only its own datasets, and filters test it', async () => {
    expect(await table({ values: values('return_rate') })).toEqual([[0.75]]);
    const filters = [{ metric: 'mean_sale', op: 'GT', value: 10 }];
    expect(await table({ rows: [KIND], filters })).toEqual([['x']]);
  });

  it('a caller that may not use a part does not see the whole, unless the whole allows it', async () => {
    expect(await table({ values: values('quarter_secret') })).toEqual([[16.5]]);
    for (const name of ['secret', 'half_secret', 'quarter_secret']) {
      await expect(table({ values: values(name) }, 'ROLE_GUEST')).rejects.toThrow(`There is no metric "${name}"`);
    }
    expect(await table({ values: values('allowed') }, 'ROLE_GUEST')).toEqual([[65]]);
  });

  it('a circle and an unknown metric are left out and reported', async () => {
    const messages = shop.problems.map(({ message }) => message).join('\n');
    expect(messages).toContain('is made of itself: circle_a → circle_b → circle_a');
    expect(messages).toContain('is made of circle_b, which is left out');
    expect(messages).toContain('reads revenues, which is not a metric, outside an aggregate');
    const { metrics } = await shop.operations().schema({ connection: 'test', model: 'shop' });
    expect(Object.keys(metrics)).not.toEqual(expect.arrayContaining(['circle_a']));
    expect(metrics.margin).toMatchObject({
      expression: 'revenue - costs',
      aggregationKind: 'derived',
      supportedOverrides: [],
    });
    expect(metrics.mean_sale?.aggregationKind).toBe('ratio');
  });

  it('the plan names the parts of each', async () => {
    const { plan } = await shop.operations().preview({ connection: 'test', values: values('margin') } as never);
    expect(plan.metrics[0]?.parts.map(({ dataset }) => dataset)).toEqual(['sales', 'returns']);
    expect(plan.steps[0]).toBe('margin: derived over everything of the rows of sales; and of the rows of returns.');
  });
});
