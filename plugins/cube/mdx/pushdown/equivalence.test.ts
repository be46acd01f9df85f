import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { resultText } from '../query/cell-set-text.ts';
import { facts, openRandom, queries, tablesOf } from '../testing/random-cube.ts';
import { recorded } from '../testing/recorded.ts';

async function answer(catalog: MdxCatalog, mdx: string, role: string | undefined): Promise<string> {
  try {
    return resultText(await catalog.query(mdx, { roles: role === undefined ? undefined : [role] }));
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

it(`gives the same result whether the warehouse or the engine chooses the tuples (seed ${SEED})`, async () => {
  const seen = { ranks: 0, arithmetic: 0, conditions: 0, combinations: 0, failed: 0 };
  const draws = fc.sample(fc.tuple(facts, fc.array(queries, { minLength: 40, maxLength: 40 })), {
    numRuns: 6,
    seed: SEED,
  });
  for (const [rows, texts] of draws) {
    const started = await startWarehouse('duckdb', tablesOf(rows));
    try {
      const record = recorded(started.warehouse);
      // Every level counts as large, so the warehouse computes every set that it can.
      const pushing = openRandom(record.warehouse, { largeLevel: 0 });
      const plain = openRandom(started.warehouse, { pushdown: false, largeLevel: 1_000 });
      for (const mdx of texts) {
        for (const role of [undefined, 'some']) {
          const [got, expected] = [await answer(pushing, mdx, role), await answer(plain, mdx, role)];
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
