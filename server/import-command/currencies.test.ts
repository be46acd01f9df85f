/** Tests payments in several currencies: each currency has its own sum, in the cube and in the semantic model. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImportedHome, importedHome, numberOf } from './testing/imported-home.ts';

let home: ImportedHome;
beforeAll(async () => {
  home = await importedHome('pay', [
    "CREATE TABLE payments AS SELECT range + 1 AS payment_id, DATE '2024-01-01' + CAST(range % 90 AS INTEGER) AS paid_on, CASE WHEN range % 3 = 0 THEN 'USD' ELSE 'EUR' END AS currency, CAST(range + 1 AS DECIMAL(12,2)) AS amount FROM range(300)",
  ]);
});
afterAll(() => home.remove());

it('amounts in several currencies are summed separately', async () => {
  // 1, 4, 7, … 298 are dollars: 100 payments with the mean 149.5, together 45,150.
  const [dollars, euros] = [14_950, 30_200];
  const [ofCube] = await home.recordsOf('pay', {
    cube: 'pay/pay/pay/Payments',
    measures: [{ name: 'Amount (EUR)' }, { name: 'Amount (USD)' }],
  });
  expect([ofCube?.['Amount (EUR)'], ofCube?.['Amount (USD)']].map(numberOf)).toEqual([euros, dollars]);
  const [ofModel] = await home.recordsOf('pay-model', {
    connection: 'pay-model',
    model: 'Payments',
    values: [{ metric: 'amount_eur' }, { metric: 'amount_usd' }],
  });
  expect([ofModel?.amount_eur, ofModel?.amount_usd].map(numberOf)).toEqual([euros, dollars]);
});
