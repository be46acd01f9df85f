import { expect, it, vi } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { answerText, drawCubes, openRandom, tablesOf } from '../testing/random-cube.ts';
import { CellRows } from './cell-rows.ts';

// A list of two rows counts as long, so that each set that the warehouse finds is one of combinations with their cells in columns.
vi.mock('../limits.ts', async (original) => ({ ...(await original<object>()), RESULT_ROWS_BATCH: 1 }));

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
  for (const [rows, texts] of drawCubes(4)) {
    const started = await startWarehouse('duckdb', tablesOf(rows));
    try {
      const pushing = openRandom(started.warehouse, { largeLevel: 0 });
      const plain = openRandom(started.warehouse, { pushdown: false, largeLevel: 1_000 });
      for (const mdx of texts) {
        for (const role of [undefined, 'some'])
          expect(await answerText(pushing, mdx, role), `${mdx}\nrole ${role}`).toBe(await answerText(plain, mdx, role));
      }
      await Promise.all([pushing.close(), plain.close()]);
    } finally {
      await started.stop();
    }
  }
  expect(read.columns).toBeGreaterThan(20);
  expect(read.cells).toBeGreaterThan(20);
});
