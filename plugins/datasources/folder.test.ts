import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { DescriptorFolder } from './folder.ts';

const root = mkdtempSync(join(tmpdir(), 'service-descriptors-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(name: string, owned: readonly boolean[]): DescriptorFolder {
  const answers = [...owned];
  return new DescriptorFolder({
    directory: join(root, name),
    supportedPrefixes: [],
    log: silentLog,
    refusesDocument: () => false,
    isOwned: async () => answers.shift() ?? false,
  });
}

it('a folder whose tenant is removed while it is read does not come back', async () => {
  const removed = folder('removed', [true, false]);
  expect(await removed.readAll()).toEqual([]);
  expect(existsSync(removed.directory)).toBe(false);
  const kept = folder('kept', [true, true]);
  expect(await kept.readAll()).toEqual([]);
  expect(existsSync(kept.directory)).toBe(true);
});

it("the content of a removed tenant's folder is left to the removal", async () => {
  const filled = folder('kept', [true, false]);
  const descriptor = join(filled.directory, 'shop.sds');
  writeFileSync(descriptor, '');
  expect(await filled.readAll()).toEqual([]);
  expect(existsSync(descriptor)).toBe(true);
});
