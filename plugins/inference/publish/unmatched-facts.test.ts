/**
 * Tests that a published cube and its semantic model have the same figures where facts lead to no row: both have a group of
 * these rows, and its figures are computed by hand.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Published, publishDatabase } from '../testing/engine-fixture.ts';

/** 200 orders of 10 each; every tenth is of no customer, and one of a customer who is not in the table. */
const SET_UP = [
  "CREATE TABLE kunden AS SELECT 100 + range AS kundennr, CASE range % 2 WHEN 0 THEN 'Ulm' ELSE 'Bonn' END AS ort, 'K' || range AS firma FROM range(40)",
  "CREATE TABLE auftraege AS SELECT range + 1 AS auftragsnr, CASE WHEN range % 10 = 0 THEN NULL WHEN range = 1 THEN 999 ELSE 100 + range % 40 END AS kundennr, DATE '2024-01-01' + CAST(range AS INTEGER) AS datum, 10.00::DECIMAL(9,2) AS betrag FROM range(200)",
];
/** Of the 179 others, those with an odd number are in Bonn: 100 less the one that is not in the table. */
const BY_CITY = { Bonn: 990, Ulm: 800, none: 210 };

let published: Published;
beforeAll(async () => {
  published = await publishDatabase(SET_UP);
});
afterAll(() => published?.stop());

it('the cube has a member of them', async () => {
  const byCity = await published.cells(
    'select {[Measures].[Betrag]} on 0, [Kunden Ort].[Ort].Members on 1 from [Auftraege]',
  );
  expect(byCity).toEqual({ Bonn: BY_CITY.Bonn, Ulm: BY_CITY.Ulm, '#null': BY_CITY.none });
});

it('the published chart has the same group, and notes its share', async () => {
  const queries = published.documents
    .filter(({ path }) => path.endsWith('.service'))
    .map(({ text }) => JSON.parse(text))
    .filter(({ source }) => JSON.stringify(source.request.rows ?? []).includes('"ort"'));
  expect(queries).toMatchObject([{ title: 'Betrag nach Ort', chart: { ungrouped: true } }]);
  const records = await published.records(queries[0].source.request);
  const shown = records.map((record) => Object.values(record).map((value) => value ?? 'none'));
  expect(Object.fromEntries(shown)).toEqual(BY_CITY);
});
