/** A publication is all or nothing, at whichever step its process is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownMark } from '../../../router/process-mark.ts';
import { descriptorFiles, takeBackLeft } from '../../datasources/index.ts';
import { publishShop, SHOP_FILES, shopPlaces } from '../testing/publish-shop.ts';
import { acceptingRegistry } from '../testing/registry.ts';

/** A dashboard of that path, and a document that no descriptor names, are there before: they are somebody's. */
const THERE = {
  'repository/shared/shop/overview.servicedash': '{"version":1,"title":"Of an earlier shop"}\n',
  'datasources/shop.xml': '<Schema name="earlier"/>\n',
  'datasources/notes.txt': 'mine\n',
};
/** The journal, the database, two saved documents, two documents, two descriptors, and the end of the journal. */
const STEPS = 9;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'service-killed-'));
  for (const folder of ['datasources', 'data/imports', 'repository/shared/shop'])
    mkdirSync(join(home, folder), { recursive: true });
  for (const [path, text] of Object.entries(THERE)) writeFileSync(join(home, path), text);
});
afterEach(() => rmSync(home, { recursive: true }));

/** Returns the files of the home; those that a running publication writes on the way are left aside. */
const filesOf = () =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'fresh')
      .map((each) => join(each.parentPath, each.name))
      .filter((path) => !(path.startsWith(join(home, 'repository')) && path.endsWith('.tmp')))
      .map((path) => [path.slice(home.length + 1), readFileSync(path, 'utf8')]),
  );

async function publishAndDie(step: number): Promise<NodeJS.Signals | null> {
  const script = new URL('../testing/publish-and-die.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script, home, String(step)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}

it.each(Array.from({ length: STEPS }, (_, index) => index + 1))(
  'a publication that is killed before step %i leaves nothing, and the same one again completes it',
  async (step) => {
    expect(await publishAndDie(step)).toBe('SIGKILL');
    // Neither another node nor a server that watches the folder serves a part of it.
    const { registry, served } = await acceptingRegistry(join(home, 'datasources'));
    await registry.whenLoaded;
    expect([...served.keys()]).toEqual([]);
    await registry.close();

    // A start takes it back, down to what stood in its places.
    await takeBackLeft(shopPlaces(home));
    expect(filesOf()).toEqual(THERE);

    await publishShop(home);
    expect(filesOf()).toEqual({ ...THERE, ...SHOP_FILES });
  },
  30_000,
);

it('the same publication again completes a killed one without a start between', async () => {
  expect(await publishAndDie(STEPS)).toBe('SIGKILL');
  await publishShop(home);
  expect(filesOf()).toEqual({ ...THERE, ...SHOP_FILES });
});

it('a publication that ends takes as many steps as are tried here', async () => {
  expect(await publishAndDie(STEPS + 1)).toBeNull();
  expect(filesOf()).toEqual({ ...THERE, ...SHOP_FILES });
});

it('what a killed publication wrote and somebody has changed since stays', async () => {
  expect(await publishAndDie(STEPS)).toBe('SIGKILL');
  writeFileSync(join(home, 'datasources/shop-model.yaml'), 'version: 2\n');
  await takeBackLeft(shopPlaces(home));
  expect(filesOf()).toEqual({ ...THERE, 'datasources/shop-model.yaml': 'version: 2\n' });
});

it('what a living process publishes is not taken back, not read and not published over', async () => {
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    await publishShop(home);
    const journal = join(home, 'datasources/.publish-shop.json');
    const changes = ['shop.sds', 'shop-model.sds'].map((path) => ({ area: 'files', path, sha256: '', before: null }));
    for (const mark of [ownMark().replace(/\d+$/, String(living.pid)), 'by-othermachine-1']) {
      writeFileSync(journal, JSON.stringify({ process: mark, changes, database: null }));
      await takeBackLeft(shopPlaces(home));
      expect(await descriptorFiles(join(home, 'datasources'))).toEqual([]);
      await expect(publishShop(home)).rejects.toMatchObject({ code: 'publishing' });
      rmSync(journal);
    }
    expect(filesOf()).toEqual({ ...THERE, ...SHOP_FILES });
  } finally {
    living.kill('SIGKILL');
  }
});

it('a server that watches serves a publication of another process once it is whole, and all of it', async () => {
  const { registry, served } = await acceptingRegistry(join(home, 'datasources'));
  await registry.whenLoaded;
  try {
    expect(await publishAndDie(STEPS + 1)).toBeNull();
    await expect.poll(() => [...served.keys()].sort(), { timeout: 5_000 }).toEqual(['shop', 'shop-model']);
  } finally {
    await registry.close();
  }
});
