import { afterAll, expect, test } from 'vitest';
import { type AskableWarehouse, checksum, generated } from '../testing/warehouse.ts';

const open: AskableWarehouse[] = [];
afterAll(async () => {
  for (const warehouse of open) await warehouse.close();
});

async function computeChecksum(options: { readonly seed: number; readonly threads: number }): Promise<string> {
  const warehouse = await generated({ ...options, factRows: 20_000 });
  open.push(warehouse);
  expect(await warehouse.number('SELECT count(*) FROM sales')).toBe(20_000);
  return checksum(warehouse);
}

test('the same seed gives the same data on one thread and on several; another seed gives other data', {
  timeout: 240_000,
}, async () => {
  const first = await computeChecksum({ seed: 7, threads: 1 });
  const second = await computeChecksum({ seed: 7, threads: 4 });
  const other = await computeChecksum({ seed: 8, threads: 4 });
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});
