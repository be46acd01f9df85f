import { type Question, RETURNED, SOLD, STORE } from './question.ts';

/** Lists questions by their counts and groups: totals, groups, several facts, dimensions alone. */
export const GROUPED: readonly Question[] = [
  // Totals
  { is: 'a sum', values: 'amount', sql: 'SELECT sum(amount) FROM sales' },
  { is: 'rows of the fact', values: 'lines', sql: 'SELECT count(*) FROM sales' },
  { is: 'rows with a value', values: 'priced_lines', sql: 'SELECT count(amount) FROM sales' },
  { is: 'distinct values, null not among them', values: 'codes', sql: 'SELECT count(DISTINCT code) FROM sales' },
  { is: 'a mean of integers', values: 'average_pieces', sql: 'SELECT sum(pieces)::DOUBLE / count(pieces) FROM sales' },
  { is: 'the first day', values: 'first_day', sql: 'SELECT min(day) FROM sales' },
  { is: 'the last text', values: 'last_code', sql: 'SELECT max(code) FROM sales' },
  {
    is: 'a ratio of sums',
    values: 'price_per_piece',
    sql: 'SELECT sum(amount)::DOUBLE / sum(pieces)::DOUBLE FROM sales',
  },
  {
    is: 'integers divided exactly',
    values: 'pieces_per_line',
    sql: 'SELECT sum(pieces)::DOUBLE / count(*) FROM sales',
  },
  { is: 'a count of a condition', values: 'online_lines', sql: 'SELECT count(*) FROM sales WHERE online' },
  { is: 'a conditional sum', values: 'bulk_amount', sql: 'SELECT sum(amount) FROM sales WHERE pieces > 2' },
  {
    is: 'a product of two tables',
    values: 'list_value',
    sql: 'SELECT sum(pieces * price) FROM sales f JOIN products p ON p.id = f.product_id',
  },
  { is: 'exact sums beyond doubles', values: 'population', sql: 'SELECT sum(population)::BIGINT FROM regions' },
  {
    is: 'several metrics of several tables',
    values: 'amount cost size population lines',
    sql: 'SELECT (SELECT sum(amount) FROM sales), (SELECT sum(cost) FROM returns), (SELECT sum(size) FROM stores), (SELECT sum(population)::BIGINT FROM regions), (SELECT count(*) FROM sales)',
  },
  {
    is: 'a difference of two facts',
    values: 'net',
    sql: 'SELECT (SELECT sum(amount) FROM sales) - (SELECT sum(cost) FROM returns)',
  },

  // Groups
  {
    is: 'groups of the fact itself',
    rows: 'sales.code',
    values: 'amount',
    sql: 'SELECT code, sum(amount) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'groups over one hop, orphans under null',
    rows: 'stores.name',
    values: 'amount lines',
    sql: `SELECT s.name, sum(amount), count(*) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'groups over two hops and a composite key',
    rows: 'regions.name',
    values: 'amount',
    sql: `SELECT r.name, sum(amount) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'groups of a reserved word',
    rows: 'products.order',
    values: 'amount',
    sql: `SELECT p."order", sum(amount) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'groups of two tables',
    rows: 'stores.name products.order',
    values: 'lines',
    sql: `SELECT s.name, p."order", count(*) FROM ${SOLD} GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    is: 'groups by day',
    rows: 'sales.day',
    values: 'pieces',
    sql: 'SELECT day, sum(pieces) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'groups by instant',
    rows: 'sales.sold_at',
    values: 'lines',
    sql: 'SELECT sold_at, count(*) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'groups by number',
    rows: 'sales.pieces',
    values: 'lines',
    sql: 'SELECT pieces, count(*) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'groups by money',
    rows: 'products.price',
    values: 'lines',
    sql: `SELECT p.price, count(*) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'groups of a condition',
    rows: 'sales.bulk',
    values: 'lines amount',
    sql: "SELECT CASE WHEN pieces > 2 THEN 'many' ELSE 'few' END, count(*), sum(amount) FROM sales GROUP BY 1 ORDER BY 1",
  },
  {
    is: 'groups of a divided integer',
    rows: 'sales.half',
    values: 'lines',
    sql: 'SELECT pieces::DOUBLE / 2, count(*) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'groups of a replaced null',
    rows: 'sales.known_code',
    values: 'lines',
    sql: "SELECT coalesce(code, 'none'), count(*) FROM sales GROUP BY 1 ORDER BY 1",
  },
  {
    is: 'an empty text is not null',
    rows: 'sales.code',
    values: 'lines',
    where: [['sales.code', 'EQ', '']],
    sql: "SELECT code, count(*) FROM sales WHERE code = '' GROUP BY 1",
  },
  {
    is: 'text differs by letter case',
    rows: 'stores.name',
    values: 'store_count',
    sql: 'SELECT name, count(*) FROM stores GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'dates of the far table',
    rows: 'stores.opened',
    values: 'amount',
    sql: `SELECT s.opened, sum(amount) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'a ratio by group, null where the divisor is zero or null',
    rows: 'sales.code',
    values: 'price_per_piece',
    sql: 'SELECT code, sum(amount)::DOUBLE / nullif(sum(pieces), 0)::DOUBLE FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'a replaced null of a metric',
    rows: 'sales.code',
    values: 'known_amount',
    sql: 'SELECT code, coalesce(sum(amount), 0) FROM sales GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'distinct counts by group',
    rows: 'stores.name',
    values: 'codes',
    sql: `SELECT s.name, count(DISTINCT f.code) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'first and last by group',
    rows: 'products.order',
    values: 'first_day last_code',
    sql: `SELECT p."order", min(day), max(f.code) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'a mean by group',
    rows: 'products.order',
    values: 'average_pieces',
    sql: `SELECT p."order", avg(pieces) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'conditional metrics by group',
    rows: 'stores.name',
    values: 'online_lines bulk_amount',
    sql: `SELECT s.name, sum(CASE WHEN online THEN 1 ELSE 0 END), sum(CASE WHEN pieces > 2 THEN amount END) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'a product of two tables by a third',
    rows: 'stores.name',
    values: 'list_value',
    sql: `SELECT s.name, sum(f.pieces * p.price) FROM ${SOLD} GROUP BY 1 ORDER BY 1`,
  },

  // Several facts
  {
    is: 'two facts by what both lead to',
    rows: 'products.order',
    values: 'amount cost',
    sql: `SELECT coalesce(a.o, b.o), a.v, b.v FROM (SELECT p."order" o, sum(amount) v FROM ${SOLD} GROUP BY 1) a
      FULL JOIN (SELECT p."order" o, sum(cost) v FROM ${RETURNED} GROUP BY 1) b ON a.o IS NOT DISTINCT FROM b.o ORDER BY 1`,
  },
  {
    is: 'a ratio of two facts',
    rows: 'products.order',
    values: 'amount_per_cost',
    sql: `SELECT coalesce(a.o, b.o), a.v::DOUBLE / nullif(b.v, 0)::DOUBLE FROM (SELECT p."order" o, sum(amount) v FROM ${SOLD} GROUP BY 1) a
      FULL JOIN (SELECT p."order" o, sum(cost) v FROM ${RETURNED} GROUP BY 1) b ON a.o IS NOT DISTINCT FROM b.o ORDER BY 1`,
  },
  {
    is: 'counts of two facts, null where a group does not occur',
    rows: 'products.tag',
    values: 'lines returned',
    sql: `SELECT coalesce(a.o, b.o), a.v, b.v FROM (SELECT p.tag o, count(*) v FROM ${SOLD} GROUP BY 1) a
      FULL JOIN (SELECT p.tag o, count(*) v FROM ${RETURNED} GROUP BY 1) b ON a.o IS NOT DISTINCT FROM b.o ORDER BY 1`,
  },
  {
    is: 'a ratio of a fact and its one side',
    rows: 'regions.name',
    values: 'amount_per_size',
    sql: `SELECT coalesce(a.o, b.o), a.v::DOUBLE / nullif(b.v, 0)::DOUBLE FROM (SELECT r.name o, sum(amount) v FROM ${SOLD} GROUP BY 1) a
      FULL JOIN (SELECT r.name o, sum(s.size) v FROM ${STORE} GROUP BY 1) b ON a.o IS NOT DISTINCT FROM b.o ORDER BY 1`,
  },
  {
    is: 'two facts under a filter on what both lead to',
    values: 'amount cost',
    where: [['products.order', 'EQ', 'x']],
    sql: `SELECT (SELECT sum(amount) FROM ${SOLD} WHERE p."order" = 'x'), (SELECT sum(cost) FROM ${RETURNED} WHERE p."order" = 'x')`,
  },

  // The one side
  { is: 'a metric of the one side', values: 'size store_count', sql: 'SELECT sum(size), count(*) FROM stores' },
  {
    is: 'the one side by itself',
    rows: 'regions.name',
    values: 'size',
    sql: `SELECT r.name, sum(size) FROM ${STORE} GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'the one side by the many side, each store once',
    rows: 'sales.code',
    values: 'size',
    sql: `SELECT code, sum(size) FROM (SELECT DISTINCT f.code, s.id, s.size FROM stores s LEFT JOIN sales f ON f.store_id = s.id) GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'two hops up by the many side',
    rows: 'sales.bulk',
    values: 'population',
    sql: `SELECT b, sum(population)::BIGINT FROM (SELECT DISTINCT CASE WHEN f.pieces > 2 THEN 'many' ELSE 'few' END b, r.country, r.code, r.population
      FROM regions r JOIN stores s ON s.country = r.country AND s.region_code = r.code JOIN sales f ON f.store_id = s.id
      UNION SELECT CASE WHEN NULL > 2 THEN 'many' ELSE 'few' END, country, code, population FROM regions r
      WHERE NOT EXISTS (SELECT 1 FROM stores s JOIN sales f ON f.store_id = s.id WHERE s.country = r.country AND s.region_code = r.code)) GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'products by their seller',
    rows: 'stores.name',
    values: 'highest_price',
    sql: `SELECT n, max(price) FROM (SELECT DISTINCT s.name n, p.id, p.price FROM products p LEFT JOIN sales f ON f.product_id = p.id LEFT JOIN stores s ON s.id = f.store_id) GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'the one side filtered by the many side',
    values: 'size',
    where: [['sales.pieces', 'GTE', 3]],
    sql: 'SELECT sum(size) FROM stores s WHERE EXISTS (SELECT 1 FROM sales f WHERE f.store_id = s.id AND f.pieces >= 3)',
  },
  {
    is: 'the one side filtered by one row that passes both filters',
    values: 'size',
    where: [
      ['sales.code', 'EQ', '7'],
      ['sales.pieces', 'EQ', 3],
    ],
    sql: "SELECT sum(size) FROM stores s WHERE EXISTS (SELECT 1 FROM sales f WHERE f.store_id = s.id AND f.code = '7' AND f.pieces = 3)",
  },
  {
    is: 'the one side by itself, filtered by the many side',
    rows: 'stores.name',
    values: 'size',
    where: [['sales.online', 'EQ', true]],
    sql: 'SELECT name, sum(size) FROM stores s WHERE EXISTS (SELECT 1 FROM sales f WHERE f.store_id = s.id AND f.online) GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'stores that sold a product, over the sales between',
    values: 'store_count',
    where: [['products.order', 'EQ', 'x']],
    sql: `SELECT count(*) FROM stores s WHERE EXISTS (SELECT 1 FROM sales f JOIN products p ON p.id = f.product_id WHERE f.store_id = s.id AND p."order" = 'x')`,
  },

  // Dimensions alone
  { is: 'distinct values', rows: 'sales.code', sql: 'SELECT DISTINCT code FROM sales ORDER BY 1' },
  {
    is: 'values of the one side are all of them',
    rows: 'stores.name',
    sql: 'SELECT DISTINCT name FROM stores ORDER BY 1',
  },
  {
    is: 'combinations of a chain',
    rows: 'stores.name regions.name',
    sql: `SELECT DISTINCT s.name, r.name FROM ${STORE} ORDER BY 1, 2`,
  },
  {
    is: 'combinations that meet in a fact',
    rows: 'stores.name products.order',
    sql: `SELECT DISTINCT s.name, p."order" FROM ${SOLD} ORDER BY 1, 2`,
  },
  {
    is: 'distinct values under a filter beyond',
    rows: 'regions.country',
    where: [['sales.amount', 'GT', '10']],
    sql: 'SELECT DISTINCT country FROM regions r WHERE EXISTS (SELECT 1 FROM stores s JOIN sales f ON f.store_id = s.id WHERE s.country = r.country AND s.region_code = r.code AND f.amount > 10) ORDER BY 1',
  },
];
