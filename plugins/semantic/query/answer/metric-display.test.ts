/** Tests the label and the number format of a metric whose aggregation a request replaces. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';
import type { Table } from '../../testing/tables.ts';

/** Quantities 1, 1, 2 and amounts 1.25, 2.50, 1000.00. */
const SALES: Table = {
  name: 'sales',
  columns: [
    ['id', 'integer'],
    ['quantity', 'integer'],
    ['amount', 'money'],
  ],
  rows: [
    [1, 1, 1.25],
    [2, 1, 2.5],
    [3, 2, 1000],
  ],
};
const metric = (name: string, sql: string, display: string) =>
  `{ name: ${name}, label: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }], custom_extensions: [{ vendor_name: SERVICE, data: '{"display": ${display}}' }] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets: [{ name: sales, source: sales, primary_key: [id], fields: [{ name: quantity, expression: [{ dialect: ANSI_SQL, expression: quantity }] }] }]
    metrics:
      - ${metric('net_sales', 'SUM(sales.amount)', '{"format": "#,##0", "unit": "EUR"}')}
      - ${metric('pieces', 'SUM(sales.quantity)', '{"format": "#,##0", "unit": "pcs"}')}
      - ${metric('mean_pieces', 'AVG(sales.quantity)', '{"format": "0.00", "unit": "pcs"}')}
      - ${metric('sale_count', 'COUNT(sales.quantity)', '{"format": "000", "unit": "sales"}')}
      - ${metric('rated', 'SUM(CASE WHEN sales.quantity > 1 THEN 1 ELSE 0 END)', '{"unit": "rated"}')}
`;

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  beforeAll(async () => {
    shop = await openOn(engine, [SALES], { document: DOCUMENT });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop.close());

  it.each([
    ['net_sales', undefined, 'net_sales', '1,004 EUR'],
    ['net_sales', 'SUM', 'net_sales', '1,004 EUR'],
    ['net_sales', 'COUNT', 'net_sales (count)', '3'],
    ['net_sales', 'AVG', 'net_sales (avg)', '334.58 EUR'],
    ['net_sales', 'MIN', 'net_sales (min)', '1.25 EUR'],
    ['net_sales', 'MAX', 'net_sales (max)', '1,000.00 EUR'],
    ['pieces', 'AVG', 'pieces (avg)', '1.33 pcs'],
    ['pieces', 'MAX', 'pieces (max)', '2 pcs'],
    ['pieces', 'COUNT', 'pieces (count)', '3'],
    ['mean_pieces', 'SUM', 'mean_pieces (sum)', '4 pcs'],
    ['mean_pieces', 'COUNT', 'mean_pieces (count)', '3'],
    ['sale_count', 'COUNT', 'sale_count', '003 sales'],
    ['sale_count', 'SUM', 'sale_count (sum)', '4'],
    ['sale_count', 'AVG', 'sale_count (avg)', '1.33'],
    ['rated', 'AVG', 'rated (avg)', '0.33'],
  ])('%s by %s is called %s and shows %s', async (name, aggregation, label, shown) => {
    const { columns, records } = await shop.run({ values: [{ metric: name, aggregation }] });
    expect(columns).toMatchObject([{ key: name, label, aggregationKind: expect.any(String) }]);
    expect(records).toMatchObject([{ [name]: { formatted: shown } }]);
  });
});
