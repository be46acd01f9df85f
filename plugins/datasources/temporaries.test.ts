/** Tests that the next start deletes the temporary file of a process that was killed while it wrote a descriptor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownMark } from '../../router/process-mark.ts';
import { clearTemporaries } from './files.ts';

const ID = '7d444840-9dc0-11d1-b245-5ffdce74fad2';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-descriptors-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string): string {
  writeFileSync(join(folder, name), 'text');
  return name;
}

it('a write that is killed before it replaces the descriptor leaves nothing after the next start', async () => {
  put('shop.sds');
  const files = new URL('files.ts', import.meta.url).href;
  const script = `
    import promises from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    promises.rename = () => process.kill(process.pid, 'SIGKILL');
    syncBuiltinESMExports();
    const { writePrivately } = await import(${JSON.stringify(files)});
    await writePrivately(${JSON.stringify(join(folder, 'shop.sds'))}, 'new text');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(readdirSync(folder).sort()).toEqual([expect.stringMatching(/^\.shop\.sds\.by-.*\.tmp$/), 'shop.sds']);
  await clearTemporaries(folder);
  expect(readdirSync(folder)).toEqual(['shop.sds']);
}, 30_000);

it('temporary files of a running process stay, and so do other files', async () => {
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    const kept = [
      put(`.shop.sds.${ownMark().replace(/\d+$/, String(living.pid))}-${ID}.tmp`),
      put(`.shop.sds.by-othermachine-1-${ID}.tmp`),
      put(`.shop.sds.${ID}.tmp`),
      put('.notes.tmp'),
      put(`${ID}.tmp`),
      put('shop.sds'),
    ];
    await clearTemporaries(folder);
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
  } finally {
    living.kill('SIGKILL');
  }
});

it('a temporary file without a process mark, or of another machine, is deleted after an hour', async () => {
  for (const name of [put(`.shop.sds.${ID}.tmp`), put(`.shop.sds.by-othermachine-1-${ID}.tmp`)])
    utimesSync(join(folder, name), 1, 1);
  await clearTemporaries(folder);
  expect(readdirSync(folder)).toEqual([]);
});

it('a tenant without a folder has nothing to delete', async () => {
  await clearTemporaries(join(folder, 'nowhere'));
});
