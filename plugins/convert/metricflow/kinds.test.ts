/** Converts every kind of dbt metric, and compares the answers with figures by hand from the rows below. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { writeOsi } from '../../semantic/index.ts';
import { openOn } from '../../semantic/testing/engine-fixture.ts';
import type { Fixture } from '../../semantic/testing/fixture.ts';
import { convertMetricflow } from './convert-metricflow.ts';

await loadSqlLibrary();

const MODELS = `# One document for each semantic model.
semantic_models:
  - name: orders
    model: ref('fct_orders')
    defaults: { agg_time_dimension: ordered_on }
    entities:
      - { name: order, type: primary, expr: order_id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: ordered_on, type: time, type_params: { time_granularity: day } }
      - { name: shipped_on, type: time, type_params: { time_granularity: day } }
      - { name: status, type: categorical }
    measures:
      - { name: revenue, agg: sum, expr: amount, create_metric: true }
      - { name: order_count, agg: count, expr: order_id }
      - { name: buyers, agg: count_distinct, expr: customer_id }
      - { name: ones, agg: sum, expr: 1 }
      - { name: middle, agg: median, expr: amount }
      - { name: upper, agg: percentile, expr: amount, agg_params: { percentile: 0.75, use_discrete_percentile: true } }
      - { name: shipped, agg: sum, expr: amount, agg_time_dimension: shipped_on }
---
semantic_models:
  - name: visits
    model: ref('fct_visits')
    defaults: { agg_time_dimension: visited_on }
    entities:
      - { name: visit, type: primary, expr: visit_id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: visited_on, type: time, type_params: { time_granularity: day } }
      - { name: status, type: categorical, expr: "'seen'" }
    measures:
      - { name: visits, agg: count, expr: visit_id }
--- # people, and what is known of them elsewhere
semantic_models:
  - name: customers
    model: ref('dim_customers')
    entities: [{ name: customer, type: primary, expr: customer_id }]
    dimensions: [{ name: region, type: categorical }]
  - name: profiles
    model: ref('dim_profiles')
    entities: [{ name: customer, type: primary, expr: customer_id }]
    dimensions: [{ name: tier, type: categorical }]
---
semantic_models:
  - name: accounts
    model: ref('fct_accounts')
    defaults: { agg_time_dimension: day }
    entities:
      - { name: row, type: primary, expr: row_id }
      - { name: account, type: foreign, expr: account_id }
    dimensions:
      - { name: day, type: time, type_params: { time_granularity: day } }
      - { name: kind, type: categorical }
    measures:
      - name: balance
        agg: sum
        non_additive_dimension: { name: day, window_choice: max, window_groupings: [account] }
      - { name: opening, agg: sum, expr: balance, non_additive_dimension: { name: day } }
`;

const METRICS = `
metrics:
  - { name: order_count, type: simple, type_params: { measure: order_count } }
  - { name: visits, type: simple, type_params: { measure: visits } }
  - { name: middle, type: simple, type_params: { measure: middle } }
  - { name: upper, type: simple, type_params: { measure: upper } }
  - { name: balance, type: simple, type_params: { measure: balance } }
  - { name: opening, type: simple, type_params: { measure: opening } }
  - name: current_balance
    type: simple
    type_params: { measure: balance }
    filter: "{{ Dimension('row__kind') }} = 'current'"
  - name: average_order
    label: Average order
    type: derived
    type_params: { expr: revenue / order_count, metrics: [revenue, { name: order_count }] }
  - name: paid_less_open
    type: derived
    filter: "{{ Dimension('customer__region') }} = 'EU'"
    type_params:
      expr: paid - still_open
      metrics:
        - { name: revenue, alias: paid, filter: "{{ Dimension('order__status') }} = 'paid'" }
        - { name: revenue, alias: still_open, filter: ["{{ Dimension('order__status') }} = 'open'"] }
  - name: growth
    type: derived
    type_params:
      expr: revenue - before
      metrics: [{ name: revenue }, { name: revenue, alias: before, offset_window: 1 month }]
  - name: retail_growth
    type: derived
    type_params:
      expr: revenue - earlier
      metrics: [{ name: revenue }, { name: revenue, alias: earlier, offset_window: 1 retail_month }]
  - name: running_growth
    type: derived
    type_params:
      expr: running - before
      metrics: [{ name: running }, { name: running, alias: before, offset_window: 1 month }]
  - name: over_paid_before
    type: derived
    type_params:
      expr: revenue - paid_before
      metrics:
        - { name: revenue }
        - { name: revenue, alias: paid_before, offset_window: 1 month, filter: "{{ Dimension('order__status') }} = 'paid'" }
  - name: since_first
    type: derived
    type_params:
      expr: revenue - first
      metrics: [{ name: revenue }, { name: revenue, alias: first, offset_to_grain: month }]
  - name: orders_per_visit
    type: ratio
    type_params: { numerator: order_count, denominator: visits }
  - name: running
    type: cumulative
    type_params: { measure: revenue, cumulative_type_params: { period_agg: last } }
  - name: month_to_date
    type: cumulative
    type_params: { measure: { name: revenue }, cumulative_type_params: { grain_to_date: month, period_agg: last } }
  - name: buyers_of_three_days
    type: cumulative
    type_params: { measure: buyers, window: 3 days }
  - name: paid_in_three_days
    type: cumulative
    filter: "{{ Dimension('order__status') }} = 'paid'"
    type_params: { measure: revenue, cumulative_type_params: { window: 3 days, period_agg: first } }
  - name: visit_to_order
    type: conversion
    type_params:
      conversion_type_params:
        entity: customer
        calculation: conversion_rate
        base_measure: { name: visits }
        conversion_measure: { name: order_count }
        window: 7 days
  - name: conversions
    type: conversion
    type_params:
      conversion_type_params:
        entity: customer
        calculation: conversions
        base_measure: { name: visits, filter: "{{ Dimension('visit__status') }} = 'seen'" }
        conversion_measure: { name: order_count, fill_nulls_with: 0 }
        window: 1 day
        constant_properties: [{ base_property: status, conversion_property: order__status }]
  - { name: ones, type: simple, type_params: { measure: ones } }
  - { name: shipped, type: simple, type_params: { measure: { name: shipped, join_to_timespine: true, fill_nulls_with: 0 } } }
  - name: ghost
    type: simple
    type_params: { measure: revenue }
    filter: "{{ Metric('order_count', ['customer']) }} > 3"
  - { name: by_fiscal_year, type: cumulative, type_params: { measure: revenue, window: 2 fiscal_years } }
  - { name: by_shift, type: cumulative, type_params: { measure: revenue, window: 2 shifts } }
  - { name: odd, type: derived, type_params: { expr: revenue - nothing, metrics: [revenue] } }
  - { name: needs_odd, type: derived, type_params: { expr: odd * 2, metrics: [odd] } }
  - { name: itself, type: derived, type_params: { expr: itself, metrics: [itself] } }
saved_queries:
  - name: weekly
    query_params: { metrics: [revenue], group_by: ["TimeDimension('metric_time', 'week')"] }
  - name: of_some
    query_params:
      metrics: [revenue, order_count]
      group_by: [order__status, "Dimension('customer__region')", order__ordered_on__month]
      where: ["{{ Dimension('customer__region') }} = 'EU'", "{{ Dimension('order__status') }} LIKE 'p%'"]
      order_by: [-revenue, order__status]
      limit: 2
  - name: by_customer
    query_params:
      metrics: [revenue]
      group_by: ["Entity('customer')"]
      where: ["{{ Entity('order') }} != 3"]
models:
  - name: all_days
    time_spine:
      standard_granularity_column: date_day
      custom_granularities:
        - { name: fiscal_year }
        - { name: retail_month, column_name: retail_month_id }
    columns: [{ name: date_day, granularity: day }]
  - name: all_hours
    time_spine: { standard_granularity_column: date_hour, custom_granularities: [{ name: shift }] }
    columns: [{ name: date_hour, granularity: hour }]
`;

const TABLES = [
  'CREATE TABLE fct_orders (order_id INTEGER, customer_id INTEGER, ordered_on DATE, shipped_on DATE, status VARCHAR, amount INTEGER)',
  `INSERT INTO fct_orders VALUES
    (1, 1, '2024-01-01', '2024-01-03', 'paid', 10),
    (2, 1, '2024-01-03', '2024-02-01', 'open', 20),
    (3, 2, '2024-01-31', '2024-02-01', 'paid', 30),
    (4, 2, '2024-02-01', '2024-02-02', 'paid', 40),
    (5, 1, '2024-02-10', '2024-02-11', 'open', 100)`,
  'CREATE TABLE fct_visits (visit_id INTEGER, customer_id INTEGER, visited_on DATE)',
  `INSERT INTO fct_visits VALUES (1, 1, '2024-01-01'), (2, 1, '2024-01-02'), (3, 2, '2024-01-20'), (4, 2, '2024-02-01')`,
  'CREATE TABLE dim_customers (customer_id INTEGER, region VARCHAR)',
  "INSERT INTO dim_customers VALUES (1, 'EU'), (2, 'US')",
  'CREATE TABLE dim_profiles (customer_id INTEGER, tier VARCHAR)',
  "INSERT INTO dim_profiles VALUES (1, 'gold'), (2, 'silver')",
  'CREATE TABLE fct_accounts (row_id INTEGER, account_id INTEGER, day DATE, kind VARCHAR, balance INTEGER)',
  `INSERT INTO fct_accounts VALUES
    (1, 1, '2024-01-01', 'current', 5), (2, 1, '2024-01-31', 'current', 7), (3, 2, '2024-01-01', 'savings', 100),
    (4, 2, '2024-01-20', 'savings', 90), (5, 1, '2024-02-29', 'current', 8)`,
  'CREATE TABLE all_days (date_day DATE, fiscal_year DATE, retail_month_id INTEGER)',
  `INSERT INTO all_days SELECT d::DATE, '2023-04-01', CASE WHEN d < DATE '2024-01-29' THEN 1 ELSE 2 END
    FROM generate_series(DATE '2024-01-01', DATE '2024-03-31', INTERVAL 1 DAY) AS days(d)`,
];

const converted = convertMetricflow([
  { name: 'models.yml', text: MODELS },
  { name: 'metrics.yml', text: METRICS },
]);
const dataOf = (name: string): unknown => {
  const metric = converted.model?.metrics?.find((one) => one.name === name);
  const serviceBlock = metric?.custom_extensions?.find((one) => one.vendor_name === 'SERVICE');
  return serviceBlock === undefined ? undefined : JSON.parse(serviceBlock.data);
};

describe('a dbt project with metrics of all kinds', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    if (converted.model === undefined) throw new Error(JSON.stringify(converted.problems));
    fixture = await openOn('duckdb', TABLES, { document: writeOsi(converted.model) });
  });
  afterAll(() => fixture.close());

  const values = (...metrics: string[]) => ({ values: metrics.map((metric) => ({ metric })) });
  const by = (dataset: string, field: string, grain?: string) => ({
    rows: [{ dataset, field, ...(grain === undefined ? {} : { grain }) }],
  });

  const month = by('orders', 'ordered_on', 'month');
  const only = (from: string, to: string) => ({
    filters: [{ dataset: 'orders', field: 'ordered_on', op: 'BETWEEN', values: [from, to] }],
  });

  it('becomes a document that loads completely', () => {
    expect(fixture.problems).toEqual([]);
  });

  it('answers derived metrics and ratios over several facts, with the filters of their inputs', async () => {
    // 200 of 5 orders; 5 orders of 4 visits. In the EU 10 are paid and 120 open.
    expect(await fixture.table(values('average_order', 'orders_per_visit', 'paid_less_open'))).toEqual([
      [40, 1.25, -110],
    ]);
  });

  it('answers by the periods of its own time spine', async () => {
    // 10 and 20 before 29 January; 30 on the 31st, and 140 in February.
    expect(await fixture.table({ ...by('orders', 'ordered_on', 'retail_month'), ...values('revenue') })).toEqual([
      [1, 30],
      [2, 170],
    ]);
    expect(await fixture.table({ ...by('orders', 'ordered_on', 'retail_month'), ...values('retail_growth') })).toEqual([
      [1, null],
      [2, 140],
    ]);
  });

  it('answers metrics with inputs of another time', async () => {
    // 60 in January, of which 40 are paid, and 140 in February.
    const months = { ...month, ...only('2024-01-01', '2024-02-29') };
    expect(await fixture.table({ ...months, ...values('growth', 'over_paid_before') })).toEqual([
      ['2024-01-01', null, null],
      ['2024-02-01', 80, 100],
    ]);
    // Until January 60, until February 200.
    expect(await fixture.table({ ...months, ...values('running', 'running_growth') })).toEqual([
      ['2024-01-01', 60, null],
      ['2024-02-01', 200, 140],
    ]);
    // 100 on 10 February, after 40 on the first.
    const day = { ...by('orders', 'ordered_on', 'day'), ...only('2024-02-10', '2024-02-10') };
    expect(await fixture.table({ ...day, ...values('since_first') })).toEqual([['2024-02-10', 60]]);
  });

  it('counts rows by a sum of ones, which is reported as a count: small groups are masked', async () => {
    expect(await fixture.table({ ...by('orders', 'status'), ...values('ones') })).toEqual([
      ['open', 2],
      ['paid', 3],
    ]);
    if (converted.model === undefined) throw new Error('nothing was converted');
    const document = writeOsi(converted.model);
    const masked = await openOn('duckdb', TABLES, { document, settings: { kAnonymity: { threshold: 3, mask: -1 } } });
    try {
      expect(await masked.table({ ...by('orders', 'status'), ...values('ones') })).toEqual([
        ['open', -1],
        ['paid', 3],
      ]);
    } finally {
      await masked.close();
    }
  });

  it('answers the requests in the warnings about saved queries', async () => {
    const requestOf = (name: string): object => {
      const messages =
        converted.problems.find(({ message }) => message.startsWith(`saved query ${name}:`))?.message ?? '';
      return z.looseObject({}).parse(JSON.parse(messages.slice(messages.indexOf('{"'))));
    };
    expect(await fixture.table(requestOf('weekly'))).toEqual([
      ['2024-01-01', 30],
      ['2024-01-29', 70],
      ['2024-02-05', 100],
    ]);
    // In the EU: 10 paid in January, 20 open, 100 open in February.
    expect(await fixture.table(requestOf('of_some'))).toEqual([
      ['open', 'EU', '2024-02-01', 100, 1],
      ['open', 'EU', '2024-01-01', 20, 1],
    ]);
    // Without order 3, the 30 of customer 2: entities are kept.
    expect(await fixture.table(requestOf('by_customer'))).toEqual([
      [1, 130],
      [2, 40],
    ]);
  });

  it('answers medians and percentiles', async () => {
    // 10, 20, 30, 40, 100: the middle one; the least that three quarters do not exceed is the fourth.
    expect(await fixture.table(values('middle', 'upper'))).toEqual([[30, 40]]);
  });

  it('answers stocks at the end of each account, and at the beginning of all', async () => {
    // 8 of account 1 and 90 of account 2; on the first day 5 + 100.
    expect(await fixture.table(values('balance', 'opening', 'current_balance'))).toEqual([[98, 105, 8]]);
    expect(await fixture.table({ ...by('accounts', 'day', 'month'), ...values('balance') })).toEqual([
      ['2024-01-01', 97],
      ['2024-02-01', 8],
    ]);
  });

  it('answers running totals, of all time, within a month and within three days', async () => {
    expect(await fixture.table({ ...month, ...values('running', 'month_to_date') })).toEqual([
      ['2024-01-01', 60, 60],
      ['2024-02-01', 200, 140],
    ]);
    const days = { ...by('orders', 'ordered_on', 'day'), ...only('2024-01-31', '2024-02-01') };
    // On 1 February customer 2 alone bought within three days, and paid 30 and 40.
    expect(await fixture.table({ ...days, ...values('buyers_of_three_days', 'paid_in_three_days') })).toEqual([
      ['2024-01-31', 1, 30],
      ['2024-02-01', 1, 70],
    ]);
  });

  it('answers which visits led to orders', async () => {
    // Orders 1 and 2 follow visits 1 and 2 of customer 1, order 4 visit 4; order 3 is eleven days after visit 3.
    expect(await fixture.table(values('visit_to_order'))).toEqual([[0.75]]);
    expect(await fixture.table({ ...by('customers', 'region'), ...values('visit_to_order') })).toEqual([
      ['EU', 1],
      ['US', 0.5],
    ]);
  });

  it('reaches fields of customers directly, although customers and profiles share their key', async () => {
    expect(await fixture.table({ ...by('profiles', 'tier'), ...values('revenue', 'visits') })).toEqual([
      ['gold', 130, 2],
      ['silver', 70, 2],
    ]);
  });
});

it('kinds are in the vendor block, and inputs that are not metrics of the project are hidden metrics', () => {
  expect(dataOf('running')).toEqual({ cumulative: { by: 'orders.ordered_on' } });
  expect(dataOf('month_to_date')).toEqual({ cumulative: { by: 'orders.ordered_on', to_date: 'month' } });
  expect(dataOf('paid_in_three_days')).toEqual({
    cumulative: { by: 'orders.ordered_on', window: { count: 3, grain: 'day' }, take: 'first' },
  });
  expect(dataOf('balance')).toEqual({ semi_additive: { by: 'accounts.day', take: 'last', per: ['accounts.account'] } });
  expect(dataOf('current_balance')).toMatchObject({ filter: "(accounts.kind = 'current')" });
  expect(dataOf('conversions')).toEqual({
    conversion: {
      base: 'conversions__visits',
      entity: { base: 'visits.customer', conversion: 'orders.customer' },
      by: { base: 'visits.visited_on', conversion: 'orders.ordered_on' },
      window: { count: 1, grain: 'day' },
      take: 'count',
      constant: [{ base: 'visits.status', conversion: 'orders.status' }],
    },
  });
  expect(dataOf('growth__before')).toEqual({
    offset: { by: 'orders.ordered_on', count: 1, grain: 'month' },
    display: { hidden: true },
  });
  expect(dataOf('since_first__first')).toMatchObject({ offset: { by: 'orders.ordered_on', to: 'month' } });
  expect(dataOf('visit_to_order')).toMatchObject({ conversion: { base: 'visits', take: 'rate' } });
});

it('datasets have their main dates, and the model has its calendar', () => {
  const main = converted.model?.datasets.map(({ name, custom_extensions: [own] = [] }) => [name, own?.data]);
  expect(main).toEqual([
    ['orders', '{"time":{"main":"ordered_on"}}'],
    ['visits', '{"time":{"main":"visited_on"}}'],
    ['customers', undefined],
    ['profiles', undefined],
    ['accounts', '{"time":{"main":"day"}}'],
    ['all_days', undefined],
  ]);
  expect(converted.model?.custom_extensions?.map(({ data }) => JSON.parse(data))).toEqual([
    {
      calendars: [
        {
          dataset: 'all_days',
          date: 'date_day',
          grains: [
            { name: 'fiscal_year', field: 'fiscal_year' },
            { name: 'retail_month', field: 'retail_month_id' },
          ],
        },
      ],
    },
  ]);
});

it('elements that are left out or changed are reported with the reason and the line', () => {
  const line = (text: string) => METRICS.split('\n').findIndex((one) => one.includes(text)) + 1;
  const messages = converted.problems.map((problem) => [problem.file, problem.line, problem.message]);
  expect(messages).toEqual(
    [
      ['name: paid_less_open', /^metric paid_less_open: a group without rows that its filter keeps is answered here/],
      ['name: buyers_of_three_days', /^metric buyers_of_three_days: without period_agg a period longer than a day/],
      ['name: paid_in_three_days', /^metric paid_in_three_days: a group without rows that its filter keeps/],
      ['name: conversions', /^metric conversions: the fill_nulls_with of its measures is left out/],
      ['name: ones,', /^metric ones: its measure ones adds up 1 for every row, which is a count here/],
      ['name: shipped,', /^metric shipped: join_to_timespine becomes the fill of a request: "fill": "zero"/],
      ['name: shipped,', /^metric shipped: its measure is by shipped_on; the main date of orders/],
      ['name: ghost', /^metric ghost: left out: its filter tests another metric/],
      ['name: by_fiscal_year', /^metric by_fiscal_year: without period_agg a period longer than a day/],
      ['name: by_shift', /^metric by_shift: left out: its window counts in shifts, which is not a grain/],
      ['name: odd', /^metric odd: left out: its expr names nothing, which is not one of its metrics\.$/],
      ['name: needs_odd', /^metric needs_odd: left out: odd, which it needs, is left out: its expr names nothing/],
      ['name: itself', /^metric itself: left out: itself, which it needs, is left out: it is computed from itself/],
      ['name: weekly', /^saved query weekly: left out: a document has no requests; save this one: \{/],
      ['name: of_some', /^saved query of_some: .* save this one without its where .* LIKE 'p%': \{/],
      ['name: by_customer', /^saved query by_customer: left out: a document has no requests; save this one: \{/],
      ['column: date_hour', /^time spine all_hours: left out: shift: it has a row for each hour/],
    ].map(([text, message]) => ['metrics.yml', line(String(text)), expect.stringMatching(message ?? '')]),
  );
});

it('tables that are partitioned by dates are joined day by day', () => {
  const dataset = (name: string, type: string) => `
  - name: ${name}
    model: ref('${name}')
    entities: [{ name: listing, type: ${type}, expr: id }]
    dimensions: [{ name: ds, type: time, is_partition: true, type_params: { time_granularity: day } }]`;
  const text = `semantic_models:${dataset('views', 'foreign')}${dataset('listings', 'primary')}`;
  const { model } = convertMetricflow([{ name: 'm.yml', text }]);
  expect(model?.relationships).toEqual([
    expect.objectContaining({ from: 'views', to: 'listings', from_columns: ['id', 'ds'], to_columns: ['id', 'ds'] }),
  ]);
  expect(model?.datasets[1]?.primary_key).toEqual(['id', 'ds']);
});

it('filters take parts and grains of dates, with dashes in their braces, and refuse unknown grains', () => {
  const of = (filter: string) =>
    convertMetricflow([
      {
        name: 'm.yml',
        text: `semantic_models:
  - name: a
    model: ref('a')
    entities: [{ name: a, type: primary, expr: id }]
    dimensions: [{ name: day, type: time, type_params: { time_granularity: day } }]
    measures: [{ name: m, agg: sum, expr: x, agg_time_dimension: day }]
metrics: [{ name: m, type: simple, type_params: { measure: m }, filter: "${filter}" }]`,
      },
    ]);
  const sql = (filter: string) => of(filter).model?.metrics?.[0]?.expression.dialects[0]?.expression;
  expect(sql("{{- TimeDimension('metric_time').date_part('month') -}} = 3")).toBe(
    'SUM(CASE WHEN EXTRACT(MONTH FROM a.day) = 3 THEN a.x END)',
  );
  expect(sql("{{ Dimension('a__day').grain('month') }} = DATE '2024-03-01'")).toBe(
    "SUM(CASE WHEN DATE_TRUNC('month', a.day) = DATE '2024-03-01' THEN a.x END)",
  );
  expect(of("{{ TimeDimension('metric_time', 'fortnight') }} > 3").problems[0]?.message).toContain(
    'the granularity fortnight, which is not a grain of dates here',
  );
});
