import { expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { answerText, drawCubes, openRandom, tablesOf } from '../testing/random-cube.ts';
import { recorded } from '../testing/recorded.ts';

it(`gives the same result whether the warehouse or the engine chooses the tuples (seed ${SEED})`, async () => {
  const seen = { ranks: 0, arithmetic: 0, conditions: 0, combinations: 0, failed: 0 };
  for (const [rows, texts] of drawCubes(6)) {
    const started = await startWarehouse('duckdb', tablesOf(rows));
    try {
      const record = recorded(started.warehouse);
      // Every level counts as large, so the warehouse computes every set that it can.
      const pushing = openRandom(record.warehouse, { largeLevel: 0 });
      const plain = openRandom(started.warehouse, { pushdown: false, largeLevel: 1_000 });
      for (const mdx of texts) {
        for (const role of [undefined, 'some']) {
          const [got, expected] = [await answerText(pushing, mdx, role), await answerText(plain, mdx, role)];
          if (role === undefined && expected.includes('Error')) seen.failed++;
          expect(got, `${mdx}\nrole ${role}\n${JSON.stringify(rows)}`).toBe(expected);
        }
      }
      for (const sql of record.statements) {
        if (sql.includes('RANK()')) seen.ranks++;
        else if (sql.includes('ROW_NUMBER()')) seen.arithmetic++;
        else if (/HAVING (SUM|COUNT|MIN)\(/.test(sql)) seen.conditions++;
        else if (sql.includes('GROUP BY') && !sql.includes(' IN (')) seen.combinations++;
      }
      await Promise.all([pushing.close(), plain.close()]);
    } finally {
      await started.stop();
    }
  }
  expect(seen.ranks).toBeGreaterThan(2);
  expect(seen.arithmetic).toBeGreaterThan(2);
  expect(seen.conditions).toBeGreaterThan(5);
  expect(seen.combinations).toBeGreaterThan(5);
  expect(seen.failed).toBe(0);
});
