/**
 * The shop that the shared suite queries: keys that are null or lead nowhere, a composite key, two facts, two-hop chains,
 * zero divisors, quotes, other scripts and reserved words. Money is in quarters, which doubles represent exactly too.
 */
import type { Table } from '../testing/tables.ts';

export const SHOP: readonly Table[] = [
  {
    name: 'regions',
    columns: [
      ['country', 'text'],
      ['code', 'integer'],
      ['name', 'text'],
      ['population', 'bigint'],
    ],
    // DK 1 has no store.
    rows: [
      ['NO', 1, 'North', 100],
      ['NO', 2, 'Süd', 200],
      ['DK', 1, 'Empty', 400],
      ['DK', 2, null, 9007199254740993n.toString()],
    ],
  },
  {
    name: 'stores',
    columns: [
      ['id', 'integer'],
      ['country', 'text'],
      ['region_code', 'integer'],
      ['name', 'text'],
      ['size', 'integer'],
      ['opened', 'date'],
    ],
    // 12 has half a region key, 13 one that does not exist; 11, 14 and 15 sold nothing.
    rows: [
      [10, 'NO', 1, "O'Hara", 5, '2020-02-29'],
      [11, 'NO', 1, 'B', 7, '2021-01-01'],
      [12, 'NO', null, 'C', 11, null],
      [13, 'SE', 9, 'D', 13, '2019-12-31'],
      [14, 'NO', 2, null, 17, '2020-02-29'],
      [15, 'DK', 2, 'b', null, '2022-06-01'],
    ],
  },
  {
    name: 'products',
    columns: [
      ['id', 'integer'],
      ['order', 'text'],
      ['tag', 'text'],
      ['price', 'money'],
    ],
    rows: [
      [1, 'x', 'q', 2.5],
      [2, 'y', null, 0.25],
      [3, 'x', 'групп', 10],
      [4, 'z', '100%', null],
    ],
  },
  {
    name: 'sales',
    columns: [
      ['id', 'bigint'],
      ['store_id', 'integer'],
      ['product_id', 'integer'],
      ['amount', 'money'],
      ['pieces', 'integer'],
      ['day', 'date'],
      ['code', 'text'],
      ['sold_at', 'timestamp'],
      ['online', 'boolean'],
    ],
    // Without a store: 4. Of an unknown store: 5. Without a product: 5, 9.
    rows: [
      [1, 10, 1, 10.25, 1, '2024-01-01', '007', '2024-01-01 10:00:00', true],
      [2, 10, 2, 20.5, 2, '2024-01-02', '7', '2024-01-02 00:00:00', false],
      [3, 10, 1, null, 4, '2024-01-02', '07', null, true],
      [4, null, 3, 40.75, 0, null, null, null, null],
      [5, 77, null, 80, null, '2024-02-01', 'x', '2024-02-01 23:59:59.5', false],
      [6, 12, 2, 0, 8, '2024-02-01', 'x', null, true],
      [7, 13, 3, -5.5, 1, '2024-02-29', 'X', '2024-02-29 12:00:00', false],
      [8, 13, 1, 10.25, 3, '2023-12-31', '7', '2023-12-31 23:59:59', true],
      [9, 12, null, 1.25, 2, '2024-02-29', '', '2024-02-29 12:00:00', null],
      [10, 10, 3, 30, 3, '2024-01-01', 'групп', '2024-01-01 10:00:00', true],
    ],
  },
  {
    name: 'returns',
    columns: [
      ['id', 'integer'],
      ['product_id', 'integer'],
      ['cost', 'integer'],
      ['reason', 'text'],
    ],
    rows: [
      [1, 1, 3, 'late'],
      [2, 1, 5, 'broken'],
      [3, null, 7, 'late'],
      [4, 2, 0, null],
      [5, 4, 2, 'late'],
    ],
  },
];

const field = (name: string, sql = name) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: '${sql}' }] }`;
const kind = (name: string, sql: string, data: object) =>
  metric(name, sql, `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`);
const metric = (name: string, sql: string, more = '') =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }]${more} }`;

const CONVERSION = {
  base: 'offline_lines',
  entity: { base: 'sales.product_id', conversion: 'sales.product_id' },
  by: { base: 'sales.day', conversion: 'sales.day' },
  window: { count: 60, grain: 'day' },
};

export const SHOP_MODEL = `
version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"time": {"main": "day"}}' }]
        fields:
          - ${field('id')}
          - ${field('day')}
          - ${field('code')}
          - ${field('pieces')}
          - ${field('amount')}
          - ${field('sold_at')}
          - ${field('online')}
          - ${field('bulk', "CASE WHEN pieces > 2 THEN ''many'' ELSE ''few'' END")}
          - ${field('half', 'pieces / 2')}
          - ${field('known_code', "COALESCE(code, ''none'')")}
      - name: stores
        source: stores
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"row_predicates":{"ROLE_SMALL":"size < 12"}}}' }]
        fields: [${field('name')}, ${field('size')}, ${field('opened')}]
      - name: regions
        source: regions
        primary_key: [country, code]
        fields: [${field('name')}, ${field('country')}, ${field('population')}]
      - name: products
        source: products
        primary_key: [id]
        fields: [${field('order', '"order"')}, ${field('tag')}, ${field('price')}]
      - name: returns
        source: returns
        primary_key: [id]
        fields: [${field('reason')}, ${field('cost')}]
    relationships:
      - { name: sales_store, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }
      - { name: store_region, from: stores, to: regions, from_columns: [country, region_code], to_columns: [country, code] }
      - { name: sales_product, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
      - { name: returns_product, from: returns, to: products, from_columns: [product_id], to_columns: [id] }
    metrics:
      - ${metric('amount', 'SUM(sales.amount)', ', custom_extensions: [{ vendor_name: SERVICE, data: \'{"display":{"format":"#,##0.00","unit":"EUR"}}\' }]')}
      - ${metric('lines', 'COUNT(*)')}
      - ${metric('pieces', 'SUM(sales.pieces)')}
      - ${metric('priced_lines', 'COUNT(sales.amount)')}
      - ${metric('codes', 'COUNT(DISTINCT sales.code)')}
      - ${metric('average_pieces', 'AVG(sales.pieces)')}
      - ${metric('first_day', 'MIN(sales.day)')}
      - ${metric('last_code', 'MAX(sales.code)')}
      - ${metric('price_per_piece', 'SUM(sales.amount) / SUM(sales.pieces)')}
      - ${metric('pieces_per_line', 'SUM(sales.pieces) / COUNT(*)')}
      - ${metric('online_lines', 'SUM(CASE WHEN sales.online THEN 1 ELSE 0 END)')}
      - ${metric('bulk_amount', 'SUM(CASE WHEN sales.pieces > 2 THEN sales.amount END)')}
      - ${metric('list_value', 'SUM(sales.pieces * products.price)')}
      - ${metric('known_amount', 'COALESCE(SUM(sales.amount), 0)')}
      - ${metric('cost', 'SUM(returns.cost)')}
      - ${metric('returned', 'COUNT(returns.id)')}
      - ${metric('net', 'SUM(sales.amount) - SUM(returns.cost)')}
      - ${metric('amount_per_cost', 'SUM(sales.amount) / SUM(returns.cost)')}
      - ${metric('size', 'SUM(stores.size)')}
      - ${metric('store_count', 'COUNT(stores.id)')}
      - ${metric('population', 'SUM(regions.population)')}
      - ${metric('highest_price', 'MAX(products.price)')}
      - ${metric('amount_per_size', 'SUM(sales.amount) / SUM(stores.size)')}
      - ${kind('running', 'amount', { cumulative: {} })}
      - ${kind('running_codes', 'codes', { cumulative: { by: 'sales.day' } })}
      - ${kind('to_date', 'amount', { cumulative: { to_date: 'year' } })}
      - ${kind('two_days', 'amount', { cumulative: { window: { count: 2, grain: 'day' } } })}
      - ${kind('two_months', 'amount', { cumulative: { window: { count: 2, grain: 'month' } } })}
      - ${kind('mean_running', 'amount', { cumulative: { take: 'average' } })}
      - ${kind('before', 'amount', { offset: { by: 'sales.day', count: 1, grain: 'month' } })}
      - ${kind('running_before', 'running', { offset: { count: 1, grain: 'month' } })}
      - ${kind('at_begin', 'amount', { offset: { by: 'sales.day', to: 'month' } })}
      - ${kind('offline_lines', 'COUNT(sales.id)', { filter: 'NOT sales.online' })}
      - ${kind('led', 'SUM(sales.amount)', { filter: 'sales.online', conversion: { ...CONVERSION, take: 'count' } })}
      - ${kind('led_rate', 'COUNT(sales.id)', { filter: 'sales.online', conversion: CONVERSION })}
      - ${kind('closing', 'amount', { semi_additive: { by: 'sales.day' } })}
      - ${kind('opening', 'amount', { semi_additive: { by: 'sales.day', take: 'first' } })}
      - ${kind('mean_balance', 'amount', { semi_additive: { by: 'sales.day', take: 'average' } })}
      - ${metric('middle', 'MEDIAN(sales.amount)')}
      - ${metric('third', 'PERCENTILE_DISC(0.3) WITHIN GROUP (ORDER BY sales.amount)')}
      - ${kind('paid', 'amount', { filter: 'sales.pieces > 1' })}
      - ${metric('share', 'paid / amount')}
`;
