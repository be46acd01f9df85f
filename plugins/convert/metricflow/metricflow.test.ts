/** Converts dbt projects, and compares the warehouse's answers with figures by hand from the rows below. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { writeOsi } from '../../semantic/index.ts';
import { openOn } from '../../semantic/testing/engine-fixture.ts';
import type { Fixture } from '../../semantic/testing/fixture.ts';
import { convertMetricflow, readManifest } from './convert-metricflow.ts';

await loadSqlLibrary();

const PROJECT = `
semantic_models:
  - name: bookings
    description: One row per booking.
    model: ref('fct_bookings')
    defaults: { agg_time_dimension: booked_at }
    entities:
      - { name: booking, type: primary, expr: booking_id }
      - { name: listing, type: foreign, expr: listing_id }
    dimensions:
      - { name: booked_at, type: time, type_params: { time_granularity: day } }
      - { name: status, type: categorical, label: State }
    measures:
      - { name: booking_value, agg: sum, expr: amount, description: Money., label: Value }
      - { name: booking_count, agg: count, expr: "1" }
      - { name: guests, agg: count_distinct, expr: guest, create_metric: true }
      - { name: is_big, agg: sum_boolean, expr: amount > 15 }
      - { name: amount, agg: max, expr: amount * 2 }
      - { name: balance, agg: sum, expr: amount, non_additive_dimension: { name: booked_at } }
  - name: listings
    label: Places to stay
    model: "{{ ref('dim_listings') }}"
    entities:
      - { name: listing, type: primary, expr: listing_id }
    dimensions:
      - { name: city, type: categorical, expr: UPPER(city) }
      - { name: host_email, type: categorical, config: { meta: { pii: true } } }
  - name: views
    model: ref('fct_views')
    primary_entity: view
    entities:
      - { name: listing, type: foreign, expr: listing_id }
    dimensions:
      - { name: channel, type: categorical }
    measures:
      - { name: seconds, agg: sum }
metrics:
  - { name: booking_value, label: Booked, type: simple, type_params: { measure: booking_value } }
  - { name: booking_count, type: simple, type_params: { measure: booking_count } }
  - { name: big_bookings, type: simple, type_params: { measure: is_big } }
  - { name: dearest_doubled, type: simple, type_params: { measure: amount } }
  - { name: view_seconds, type: simple, type_params: { measure: { name: seconds, fill_nulls_with: 0 } } }
  - name: average_value
    type: ratio
    type_params: { numerator: booking_value, denominator: booking_count }
  - name: confirmed_value
    type: simple
    type_params: { measure: booking_value }
    filter: "{{ Dimension('booking__status') }} = 'confirmed'"
  - name: rome_share
    type: ratio
    type_params:
      numerator: { name: booking_value, filter: "{{ Dimension('listing__city') }} = 'ROME'" }
      denominator: booking_value
    filter: ["{{ TimeDimension('metric_time', 'year') }} = DATE '2024-01-01'"]
  - { name: running, type: cumulative, type_params: { measure: booking_value } }
  - { name: growth, type: derived, type_params: { expr: a - b, metrics: [] } }
  - { name: funnel, type: conversion, type_params: {} }
  - { name: open_balance, type: simple, type_params: { measure: balance } }
  - { name: growth_share, type: ratio, type_params: { numerator: growth, denominator: booking_value } }
  - { name: by_ghost, type: simple, type_params: { measure: booking_value }, filter: "{{ Dimension('guest__age') }} > 3" }
`;

const TABLES = [
  'CREATE TABLE dim_listings (listing_id INTEGER, city VARCHAR, host_email VARCHAR)',
  "INSERT INTO dim_listings VALUES (1, 'Rome', 'a@x'), (2, 'Oslo', 'b@x')",
  'CREATE TABLE fct_bookings (booking_id INTEGER, listing_id INTEGER, booked_at DATE, status VARCHAR, amount INTEGER, guest VARCHAR)',
  `INSERT INTO fct_bookings VALUES
    (1, 1, '2024-01-05', 'confirmed', 10, 'ann'),
    (2, 1, '2024-02-05', 'cancelled', 30, 'bob'),
    (3, 2, '2024-02-06', 'confirmed', 20, 'ann'),
    (4, 1, '2023-12-31', 'confirmed', 40, 'cyd')`,
  'CREATE TABLE fct_views (listing_id INTEGER, channel VARCHAR, seconds INTEGER)',
  "INSERT INTO fct_views VALUES (1, 'web', 5), (1, 'app', 7), (1, 'app', 1)",
];

const converted = convertMetricflow([{ name: 'metrics.yml', text: PROJECT }]);

describe('a dbt project of 1.10 or 1.11', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    if (converted.model === undefined) throw new Error(JSON.stringify(converted.problems));
    fixture = await openOn('duckdb', TABLES, { document: writeOsi(converted.model) });
  });
  afterAll(() => fixture.close());

  const values = (...metrics: string[]) => ({ values: metrics.map((metric) => ({ metric })) });

  it('becomes a document that loads completely', () => {
    expect(fixture.problems).toEqual([]);
  });

  it('answers its simple metrics over the relationship of a shared entity', async () => {
    const request = {
      rows: [{ dataset: 'listings', field: 'city' }],
      ...values('booking_value', 'booking_count', 'guests', 'big_bookings', 'dearest_doubled', 'view_seconds'),
    };
    expect(await fixture.table(request)).toEqual([
      ['OSLO', 20, 1, 1, 1, 40, 0],
      ['ROME', 80, 3, 3, 2, 80, 13],
    ]);
  });

  it('answers ratios and filters on own and on joined dimensions', async () => {
    // 100 / 4; 10 + 20 + 40; of 2024: Rome 10 + 30 of 60.
    expect(await fixture.table(values('average_value', 'confirmed_value', 'rome_share'))).toEqual([
      [25, 70, expect.closeTo(40 / 60, 10)],
    ]);
  });

  it('keeps labels', async () => {
    const { columns } = await fixture.run({
      rows: [{ dataset: 'bookings', field: 'status' }],
      ...values('booking_value'),
    });
    expect(columns.map(({ label }) => label)).toEqual(['State', 'Booked']);
    expect(converted.model?.datasets[1]?.ai_context?.synonyms).toEqual(['Places to stay']);
  });

  it('hides what meta marks as personal data', async () => {
    const refusal = await fixture.refusal({ rows: [{ dataset: 'listings', field: 'host_email' }] });
    expect(refusal.available?.toSorted()).toEqual(['city', 'listing']);
  });
});

it('each element that the document cannot contain is one warning at its line', () => {
  const line = (text: string) => PROJECT.split('\n').findIndex((one) => one.includes(text)) + 1;
  expect(converted.problems.map((problem) => [problem.file, problem.severity, problem.line, problem.message])).toEqual(
    [
      ['name: confirmed_value', /^metric confirmed_value: a group without rows that its filter keeps is answered here/],
      ['name: rome_share', /^metric rome_share: a group without rows that its filter keeps is answered here/],
      ['name: running', /^metric running: without period_agg a period longer than a day has the value of its end/],
      ['name: growth,', /^metric growth: left out: its expr names a, which is not one of its metrics/],
      ['name: funnel', /^metric funnel: left out: it has no conversion_type_params/],
      ['name: growth_share', /^metric growth_share: left out: growth, which it needs, is left out: its expr names a/],
      ['name: by_ghost', /^metric by_ghost: left out: its filter names guest__age, which no semantic model has\.$/],
    ].map(([text, message]) => ['metrics.yml', 'warning', line(String(text)), expect.stringMatching(message ?? '')]),
  );
});

it('two foreign sides never become a relationship', () => {
  expect(converted.model?.relationships?.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
    'bookings -> listings',
    'views -> listings',
  ]);
});

it('tables are named by the manifest, else by the schema given', () => {
  const manifest = readManifest(
    JSON.stringify({
      nodes: {
        'model.shop.fct_bookings': {
          resource_type: 'model',
          name: 'fct_bookings',
          relation_name: '"db"."prod"."bookings_v2"',
        },
      },
    }),
  );
  const { model } = convertMetricflow([{ name: 'm.yml', text: PROJECT }], { manifest, schema: 'db.prod' });
  expect(model?.datasets.map(({ source }) => source)).toEqual([
    '"db"."prod"."bookings_v2"',
    'db.prod.dim_listings',
    'db.prod.fct_views',
  ]);
});

it('expressions of another dialect are translated', () => {
  const text = `
semantic_models:
  - name: order
    model: ref('orders')
    entities: [{ name: o, type: primary, expr: id }]
    measures: [{ name: net, agg: sum, expr: "IFF(paid, gross, 0)" }]
metrics: [{ name: net, type: simple, type_params: { measure: net } }]`;
  const { model } = convertMetricflow([{ name: 'm.yml', text }], { dialect: 'snowflake' });
  expect(model?.metrics?.[0]?.expression.dialects[0]?.expression).toBe(
    'SUM(CASE WHEN "order".paid THEN "order".gross ELSE 0 END)',
  );
});

it('a mistake is an error with its line, and no document is made', () => {
  const text = 'semantic_models:\n  - name: a\n    model: ref("a")\n    measures:\n      - { name: m, agg: total }\n';
  expect(convertMetricflow([{ name: 'm.yml', text }])).toEqual({
    model: undefined,
    problems: [
      expect.objectContaining({
        severity: 'error',
        file: 'm.yml',
        line: 5,
        message: expect.stringContaining('semantic model a: measures.0.agg'),
      }),
    ],
  });
});

it('the error for the form of dbt 1.12 names the document that dbt writes itself', () => {
  const text = 'models:\n  - name: orders\n    semantic_model: { enabled: true }\n';
  const { problems } = convertMetricflow([{ name: 'm.yml', text }]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('target/osi_document.json'),
    'There is no semantic model in the files, so nothing says where the data is.',
  ]);
});
