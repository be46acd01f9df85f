import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { resultText } from '../query/cell-set-text.ts';
import { facts, openRandom, queries, tablesOf } from '../testing/random-cube.ts';
import { CellRows } from './cell-rows.ts';

// A list of two rows counts as long, so that each set that the warehouse finds is one of combinations with their cells in columns.
vi.mock('../limits.ts', async (original) => ({ ...(await original<object>()), RESULT_ROWS_BATCH: 1 }));

const answer = (catalog: MdxCatalog, mdx: string, role: string | undefined): Promise<string> =>
  catalog.query(mdx, { roles: role === undefined ? undefined : [role] }).then(resultText, String);

it(`has the same answers from columns of cells as from cells one by one (seed ${SEED})`, async () => {
  const read = { columns: 0, cells: 0 };
  const { column, get } = CellRows.prototype;
  vi.spyOn(CellRows.prototype, 'column').mockImplementation(function (this: CellRows, ...at) {
    const found = column.apply(this, at);
    if (found !== undefined) read.columns++;
    return found;
  });
  vi.spyOn(CellRows.prototype, 'get').mockImplementation(function (this: CellRows, ...at) {
    const found = get.apply(this, at);
    if (found !== undefined) read.cells++;
    return found;
  });
  const draws = fc.sample(fc.tuple(facts, fc.array(queries, { minLength: 40, maxLength: 40 })), {
    numRuns: 4,
    seed: SEED,
  });
  for (const [rows, texts] of draws) {
    const started = await startWarehouse('duckdb', tablesOf(rows));
    try {
      const pushing = openRandom(started.warehouse, { largeLevel: 0 });
      const plain = openRandom(started.warehouse, { pushdown: false, largeLevel: 1_000 });
      for (const mdx of texts) {
        for (const role of [undefined, 'some'])
          expect(await answer(pushing, mdx, role), `${mdx}\nrole ${role}`).toBe(await answer(plain, mdx, role));
      }
      await Promise.all([pushing.close(), plain.close()]);
    } finally {
      await started.stop();
    }
  }
  expect(read.columns).toBeGreaterThan(20);
  expect(read.cells).toBeGreaterThan(20);
});
