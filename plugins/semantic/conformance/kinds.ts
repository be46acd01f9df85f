import type { Question } from './question.ts';

const MONTHS = "SELECT DISTINCT date_trunc('month', day)::DATE AS m FROM sales WHERE day IS NOT NULL";
/** Online sales, each with the latest earlier sale of its product that was not online. */
const CONVERTED = `SELECT c.id, c.amount,
  (SELECT b.id FROM sales b WHERE NOT b.online AND b.product_id = c.product_id AND b.day <= c.day
    AND b.day > c.day - INTERVAL 60 DAY ORDER BY b.day DESC, b.id DESC LIMIT 1) AS base
  FROM sales c WHERE c.online`;

/** Kinds of metrics, and dates by their grains. */
export const KINDS: readonly Question[] = [
  {
    is: 'months, and what has no day',
    rows: 'sales.day.month',
    values: 'amount lines',
    sql: "SELECT date_trunc('month', day)::DATE AS m, sum(amount), count(*) FROM sales GROUP BY 1 ORDER BY 1",
  },
  {
    is: 'parts of dates',
    rows: 'sales.day.day_of_week sales.day.week_of_year',
    values: 'lines',
    sql: 'SELECT isodow(day), weekofyear(day), count(*) FROM sales GROUP BY 1, 2 ORDER BY 1, 2',
  },
  {
    is: 'all until the end of each month, in sums and in distinct things',
    rows: 'sales.day.month',
    values: 'running running_codes',
    sql: `SELECT m, (SELECT sum(amount) FROM sales WHERE day < m + INTERVAL 1 MONTH),
      (SELECT count(DISTINCT code) FROM sales WHERE day < m + INTERVAL 1 MONTH) FROM (${MONTHS}) ORDER BY 1`,
  },
  {
    is: 'the year to date and a window of days, by day',
    rows: 'sales.day.day',
    values: 'to_date two_days',
    sql: `SELECT d, (SELECT sum(amount) FROM sales WHERE day <= d AND year(day) = year(d)),
      (SELECT sum(amount) FROM sales WHERE day <= d AND day > d - INTERVAL 2 DAY)
      FROM (SELECT DISTINCT day AS d FROM sales WHERE day IS NOT NULL) ORDER BY 1`,
  },
  {
    is: 'a window of two months by store, sorted by it',
    rows: 'stores.name',
    values: 'two_months',
    sort: '-two_months',
    sql: `SELECT s.name, sum(f.amount) FILTER (f.day >= '2024-01-01') AS total
      FROM sales f LEFT JOIN stores s ON s.id = f.store_id GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1`,
  },
  {
    is: 'the mean of a running value over the days of a month',
    rows: 'sales.day.month',
    values: 'mean_running',
    where: [['sales.day', 'BETWEEN', '2024-01-01', '2024-01-31']],
    sql: `SELECT DATE '2024-01-01', avg((SELECT sum(amount) FROM sales WHERE day <= d))::DOUBLE
      FROM (SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL 1 DAY))::DATE AS d)`,
  },
  {
    is: 'the month before, of sums and of running values',
    rows: 'sales.day.month',
    values: 'before running_before',
    sql: `SELECT (m + INTERVAL 1 MONTH)::DATE AS shown, (SELECT sum(amount) FROM sales WHERE date_trunc('month', day) = m),
      (SELECT sum(amount) FROM sales WHERE day < m + INTERVAL 1 MONTH) FROM (${MONTHS}) ORDER BY 1`,
  },
  {
    is: 'the day a month before, where a month ends earlier',
    rows: 'sales.day',
    values: 'before',
    where: [['sales.day', 'BETWEEN', '2024-03-28', '2024-03-31']],
    sql: `SELECT d, (SELECT sum(amount) FROM sales WHERE day = (d - INTERVAL 1 MONTH)::DATE)
      FROM (VALUES (DATE '2024-03-29'), (DATE '2024-03-30'), (DATE '2024-03-31')) AS days(d) ORDER BY 1`,
  },
  {
    is: 'the first day of each month',
    rows: 'sales.day.month',
    values: 'at_begin',
    sql: 'SELECT day, sum(amount) FROM sales WHERE day(day) = 1 GROUP BY 1 ORDER BY 1',
  },
  {
    is: 'sales that led to others, in the group of those',
    rows: 'sales.code',
    values: 'led led_rate',
    where: [['sales.online', 'EQ', false]],
    sql: `WITH c AS (${CONVERTED}) SELECT b.code, sum(c.amount), count(c.id)::DOUBLE / count(DISTINCT b.id)
      FROM sales b LEFT JOIN c ON c.base = b.id WHERE NOT b.online GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'a balance at its last day, its first and on average',
    rows: 'sales.day.month',
    values: 'closing opening mean_balance',
    sql: `WITH d AS (SELECT date_trunc('month', day)::DATE AS m, day, sum(amount) AS a FROM sales GROUP BY 1, 2)
      SELECT m, max_by(a, day), min_by(a, day), avg(a)::DOUBLE FROM d WHERE m IS NOT NULL GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'medians and values at a place, of groups',
    rows: 'sales.online',
    values: 'middle third',
    sql: `SELECT online, quantile_cont(amount, 0.5)::DOUBLE, quantile_disc(amount, 0.3)
      FROM sales GROUP BY 1 ORDER BY 1 NULLS LAST`,
  },
  {
    is: 'some rows beside all of them',
    rows: 'sales.code',
    values: 'amount paid share',
    sql: `SELECT code, sum(amount), sum(amount) FILTER (pieces > 1),
      (sum(amount) FILTER (pieces > 1))::DOUBLE / sum(amount)::DOUBLE FROM sales GROUP BY 1 ORDER BY 1`,
  },
  {
    is: 'kinds beside each other, in rows and columns',
    rows: 'sales.day.month',
    columns: 'sales.online',
    values: 'to_date middle closing',
    limit: 1,
    sort: '-sales.day.month',
    sql: `WITH o AS (SELECT DISTINCT online FROM sales WHERE day >= '2024-02-01')
      SELECT DATE '2024-02-01', o.online,
        (SELECT sum(amount) FROM sales f WHERE f.online IS NOT DISTINCT FROM o.online AND year(day) = 2024),
        (SELECT quantile_cont(amount, 0.5)::DOUBLE FROM sales f WHERE f.online IS NOT DISTINCT FROM o.online AND day >= '2024-02-01'),
        (SELECT sum(amount) FROM sales f WHERE f.online IS NOT DISTINCT FROM o.online
          AND day = (SELECT max(day) FROM sales l WHERE l.day >= '2024-02-01'))
      FROM o ORDER BY 2 NULLS LAST`,
  },
];
