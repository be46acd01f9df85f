/** Tests that the next start removes the hidden temporary file of a process that was killed while it wrote a document. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownMark } from '../../router/process-mark.ts';
import { clearTemporaries } from './files.ts';

const ID = '7d444840-9dc0-11d1-b245-5ffdce74fad2';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-temporaries-'));
  root = join(folder, 'repository');
  mkdirSync(join(root, 'shared/shop'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const inShop = () => readdirSync(join(root, 'shared/shop'));
function put(path: string): string {
  writeFileSync(join(root, path), 'text');
  return path;
}

it('a write that is killed before it replaces the document leaves nothing after the next start', async () => {
  put('shared/shop/sales.service');
  const files = new URL('files.ts', import.meta.url).href;
  const script = `
    import promises from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    promises.rename = () => process.kill(process.pid, 'SIGKILL');
    syncBuiltinESMExports();
    const { writeText } = await import(${JSON.stringify(files)});
    await writeText(${JSON.stringify(root)}, ['shared', 'shop', 'sales.service'], 'new text');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(inShop()).toEqual([expect.stringMatching(/^\.by-.*\.tmp$/), 'sales.service']);
  await clearTemporaries(root);
  expect(inShop()).toEqual(['sales.service']);
}, 30_000);

it('temporary files of a running process stay, and so do documents and the targets of links', async () => {
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    const kept = [
      put(`shared/shop/.${ownMark().replace(/\d+$/, String(living.pid))}-${ID}.tmp`),
      put(`shared/shop/.by-othermachine-1-${ID}.tmp`),
      put(`shared/shop/.${ID}.tmp`),
      put('shared/shop/.notes.tmp'),
      put('shared/shop/sales.service'),
    ];
    mkdirSync(join(folder, 'elsewhere'));
    const outside = `.${ownMark()}-${ID}.tmp`;
    writeFileSync(join(folder, 'elsewhere', outside), 'text');
    symlinkSync(join(folder, 'elsewhere'), join(root, 'shared/link'));
    await clearTemporaries(root);
    expect(inShop().sort()).toEqual(kept.map((path) => path.slice('shared/shop/'.length)).sort());
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([outside]);
  } finally {
    living.kill('SIGKILL');
  }
});

it('a temporary file without a process mark, or of another machine, is removed after an hour', async () => {
  for (const path of [put(`shared/.${ID}.tmp`), put(`shared/shop/.by-othermachine-1-${ID}.tmp`)])
    utimesSync(join(root, path), 1, 1);
  await clearTemporaries(root);
  expect(inShop()).toEqual([]);
  expect(readdirSync(join(root, 'shared'))).toEqual(['shop']);
});

it('a home without a repository has nothing to remove', async () => {
  await clearTemporaries(join(folder, 'nowhere'));
});
