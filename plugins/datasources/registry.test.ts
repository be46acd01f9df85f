import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WarehouseUnreachableError } from '../../router/errors.ts';
import type { DatasourceRegistryOptions } from './datasource-registry.ts';
import { DatasourceBoard, type DatasourceRegistry, openDatasources } from './index.ts';
import { type KeepingLoader, keepingLoader, keptLog } from './testing/loader.ts';

let root: string;
let directory: string;
let documents: string;
let semantic: KeepingLoader;
let log: ReturnType<typeof keptLog>;
let registry: DatasourceRegistry;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-datasources-'));
  directory = join(root, 'datasources');
  documents = join(root, 'models');
  await mkdir(directory);
  await mkdir(documents);
  semantic = keepingLoader('SEMANTIC');
  log = keptLog();
});
afterEach(async () => {
  await registry.close();
  await rm(root, { recursive: true, force: true });
});

async function start(options: Partial<DatasourceRegistryOptions> = {}): Promise<void> {
  registry = await openDatasources({
    directory,
    loaders: [semantic],
    log,
    clock: () => 1_790_000_000_000,
    supportedPrefixes: ['jdbc:duckdb:'],
    ...options,
  });
  await registry.whenLoaded;
}

function descriptor(name: string, more: Record<string, string> = {}): string {
  const members = {
    name,
    type: 'SEMANTIC',
    semanticYaml: `../models/${name}.yaml`,
    location: 'jdbc:duckdb:/w',
    ...more,
  };
  const lines = Object.entries(members).map(([element, text]) => `<${element}>${text}</${element}>`);
  return `<dataSource>${lines.join('\n')}</dataSource>`;
}

const put = (file: string, text: string) => writeFile(join(directory, file), text);
const model = (name: string, text: string) => writeFile(join(documents, `${name}.yaml`), text);
/** Writes a file and its model, both sound. */
async function datasource(name: string, more?: Record<string, string>): Promise<void> {
  await model(name, `model ${name}`);
  await put(`${name}.sds`, descriptor(name, more));
}

const statuses = () => Object.fromEntries(registry.list().map((entry) => [entry.file, entry.status]));
const problems = (file: string) =>
  registry
    .list()
    .find((entry) => entry.file === file)
    ?.problems.map((problem) => problem.message);
const serving = () => Object.fromEntries([...semantic.serving].map(([id, { text }]) => [id, text]));
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 20 });

describe('on start', () => {
  it('every datasource is loaded, whatever the others are', async () => {
    await datasource('a');
    await put('b.sds', '<dataSource');
    await datasource('c', { type: 'CUBES' });
    await put('d.sds', descriptor('d'));
    await datasource('e', { location: 'jdbc:oracle:x' });
    await model('f', 'broken');
    await put('f.sds', descriptor('f'));
    await datasource('g', { enabled: 'false' });
    await put('h.sds', descriptor('h', { type: 'OLAP', cubeSchema: 'h.xml' }));
    await put('notes.txt', 'not a descriptor');
    await mkdir(join(directory, 'i.sds'));
    await datasource('z');
    await start();
    expect(statuses()).toEqual({
      'a.sds': 'READY',
      'b.sds': 'BROKEN',
      'c.sds': 'BROKEN',
      'd.sds': 'BROKEN',
      'e.sds': 'BROKEN',
      'f.sds': 'BROKEN',
      'g.sds': 'DISABLED',
      'h.sds': 'UNSUPPORTED',
      'i.sds': 'BROKEN',
      'z.sds': 'READY',
    });
    expect(serving()).toEqual({ a: 'model a', z: 'model z' });
    expect(problems('d.sds')).toEqual([`The document ${join(documents, 'd.yaml')} does not exist.`]);
    expect(problems('f.sds')).toEqual(['It is broken.']);
    expect(problems('i.sds')).toEqual(['This file is not a file.']);
  });

  it('a loader receives the descriptor with absolute paths', async () => {
    await datasource('shop', { id: 'shop-1', schema: 'shop', username: 'u', password: 'p' });
    await start();
    expect(semantic.serving.get('shop-1')?.datasource).toEqual({
      id: 'shop-1',
      name: 'shop',
      type: 'SEMANTIC',
      documentPath: join(documents, 'shop.yaml'),
      warehouse: { jdbcUrl: 'jdbc:duckdb:/w', username: 'u', password: 'p' },
      schema: 'shop',
      enabled: true,
    });
  });

  it('a missing folder is created, and an empty one is valid', async () => {
    await rm(directory, { recursive: true });
    await start();
    expect(registry.list()).toEqual([]);
    await datasource('a');
    await eventually(() => expect(serving()).toEqual({ a: 'model a' }));
  });

  it('descriptors and documents that are too large, or no text, are refused', async () => {
    await put('large.sds', `<!--${'x'.repeat(64 * 1024)}-->`);
    await datasource('document');
    await model('document', 'x'.repeat(8 * 1024 * 1024 + 1));
    await writeFile(join(directory, 'latin.sds'), Buffer.from([0x3c, 0xe9, 0x3e]));
    await start();
    expect(problems('large.sds')).toEqual(['This file is larger than 64 KiB.']);
    expect(problems('latin.sds')).toEqual(['This file is not UTF-8 text.']);
    expect(problems('document.sds')).toEqual([
      `The document ${join(documents, 'document.yaml')} is larger than 8192 KiB.`,
    ]);
  });

  it('the log has each outcome, and no password', async () => {
    await datasource('a', { password: 'hunter2', username: 'u' });
    await put('b.sds', descriptor('b', { password: 'hunter2', location: 'jdbc:oracle:u/hunter2@h' }));
    await start();
    expect(log.lines.filter((line) => line.startsWith('info datasource ready'))).toHaveLength(1);
    expect(log.lines.filter((line) => line.startsWith('warn datasource broken'))).toHaveLength(1);
    expect(log.lines.join('\n') + JSON.stringify(registry.list())).not.toContain('hunter2');
  });
});

describe('while it runs', () => {
  it('is found by a scan if the file system reports no changes, as on a network folder', async () => {
    await datasource('a');
    await start({ pollMs: 50 });
    await datasource('b');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY', 'b.sds': 'READY' }));
    await model('a', 'a later and longer version');
    await eventually(() => expect(serving().a).toBe('a later and longer version'));
    await unlink(join(directory, 'b.sds'));
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
  });

  it('a new descriptor is picked up, and one that is removed is unloaded', async () => {
    await start();
    await datasource('a');
    await eventually(() => expect(serving()).toEqual({ a: 'model a' }));
    await unlink(join(directory, 'a.sds'));
    await eventually(() => expect(registry.list()).toEqual([]));
    expect(serving()).toEqual({});
  });

  it('only a changed document is loaded again', async () => {
    await datasource('a');
    await datasource('b');
    await start();
    await model('a', 'second');
    await eventually(() => expect(serving()).toEqual({ a: 'second', b: 'model b' }));
    expect(semantic.calls.filter((call) => call === 'load b')).toHaveLength(1);
    expect(semantic.calls.filter((call) => call.startsWith('unload'))).toEqual([]);
  });

  it('an editor that saves by renaming a new file into place is seen, again and again', async () => {
    await datasource('a');
    await start();
    for (const text of ['second', 'third', 'fourth']) {
      await writeFile(join(documents, '.a.yaml.swp'), text);
      await rename(join(documents, '.a.yaml.swp'), join(documents, 'a.yaml'));
      await eventually(() => expect(serving()).toEqual({ a: text }));
    }
    await writeFile(join(directory, '.a.swp'), descriptor('a', { schema: 's' }));
    await rename(join(directory, '.a.swp'), join(directory, 'a.sds'));
    await eventually(() => expect(semantic.serving.get('a')?.datasource.schema).toBe('s'));
  });

  it('a document that comes after its descriptor is picked up', async () => {
    await put('a.sds', descriptor('a'));
    await start();
    expect(statuses()).toEqual({ 'a.sds': 'BROKEN' });
    await model('a', 'late');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
    expect(problems('a.sds')).toEqual([]);
  });

  it('an earlier version is served while the present one is broken', async () => {
    await datasource('a');
    await start();
    await model('a', 'broken now');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'STALE' }));
    expect(problems('a.sds')).toEqual(['It is broken.']);
    expect(serving()).toEqual({ a: 'model a' });

    await put('a.sds', '<dataSource');
    await eventually(() => expect(problems('a.sds')?.[0]).toMatch(/well-formed/));
    expect(statuses()).toEqual({ 'a.sds': 'STALE' });
    expect(serving()).toEqual({ a: 'model a' });

    await model('a', 'mended');
    await put('a.sds', descriptor('a'));
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
    expect(serving()).toEqual({ a: 'mended' });
  });

  it('a mistake that is taken back is READY again without being loaded again', async () => {
    await datasource('a');
    await start();
    await put('a.sds', '<dataSource');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'STALE' }));
    await put('a.sds', descriptor('a'));
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
    expect(semantic.calls).toEqual(['load a']);
  });

  it('a broken version is no longer served when its file is removed', async () => {
    await datasource('a');
    await start();
    await put('a.sds', '<');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'STALE' }));
    await unlink(join(directory, 'a.sds'));
    await eventually(() => expect(registry.list()).toEqual([]));
    expect(semantic.calls).toEqual(['load a', 'unload a']);
  });

  it('disabling unloads, enabling loads', async () => {
    await datasource('a');
    await start();
    await put('a.sds', descriptor('a', { enabled: 'false' }));
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'DISABLED' }));
    expect(serving()).toEqual({});
    await put('a.sds', descriptor('a'));
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
    expect(serving()).toEqual({ a: 'model a' });
  });

  it('a descriptor with a changed id leaves nothing under the old one', async () => {
    await datasource('a', { id: 'one' });
    await start();
    await put('a.sds', descriptor('a', { id: 'two' }));
    await eventually(() => expect(serving()).toEqual({ two: 'model a' }));
    expect(semantic.calls).toEqual(['load one', 'unload one', 'load two']);
  });

  it('a renamed descriptor file is served without interruption', async () => {
    await datasource('a', { id: 'shop' });
    await start();
    await rename(join(directory, 'a.sds'), join(directory, 'b.sds'));
    await eventually(() => expect(statuses()).toEqual({ 'b.sds': 'READY' }));
    expect(semantic.calls).toEqual(['load shop']);
  });

  it('documents that are links are followed, as operators mount them', async () => {
    await model('real', 'linked');
    await symlink(join(documents, 'real.yaml'), join(documents, 'a.yaml'));
    await put('a.sds', descriptor('a'));
    await start();
    expect(serving()).toEqual({ a: 'linked' });
  });

  it('a change within the settling time after the start is not missed', async () => {
    await datasource('a');
    registry = await openDatasources({
      directory,
      loaders: [semantic],
      log,
      clock: Date.now,
      supportedPrefixes: ['jdbc:duckdb:'],
    });
    await model('a', 'at once');
    await eventually(() => expect(serving()).toEqual({ a: 'at once' }));
  });
});

describe('two descriptors that claim the same', () => {
  it('id or name: the second is broken and names the first; it takes over when the first goes', async () => {
    await datasource('a', { id: 'shop' });
    await datasource('b', { id: 'shop' });
    await model('c', 'model c');
    await put('c.sds', descriptor('c', { name: 'a' }));
    await start();
    expect(statuses()).toEqual({ 'a.sds': 'READY', 'b.sds': 'BROKEN', 'c.sds': 'BROKEN' });
    expect(problems('b.sds')).toEqual(['The id "shop" is already that of a.sds.']);
    expect(problems('c.sds')).toEqual(['The name "a" is already that of a.sds.']);
    await unlink(join(directory, 'a.sds'));
    await eventually(() => expect(statuses()).toEqual({ 'b.sds': 'READY', 'c.sds': 'READY' }));
    expect(serving().shop).toBe('model b');
  });

  it('the one that serves keeps its place, even while it is broken', async () => {
    await datasource('m', { id: 'shop' });
    await start();
    await datasource('a', { id: 'shop' });
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'BROKEN', 'm.sds': 'READY' }));
    await put('m.sds', '<');
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'BROKEN', 'm.sds': 'STALE' }));
    expect(serving()).toEqual({ shop: 'model m' });
  });
});

describe('a loader that fails', () => {
  it('with a bug harms only its own datasource, and shows nothing of itself', async () => {
    await datasource('a');
    await datasource('b');
    semantic.answer = async ({ id }) => {
      if (id === 'a') throw new TypeError('secret detail');
      return [];
    };
    await start();
    expect(statuses()).toEqual({ 'a.sds': 'BROKEN', 'b.sds': 'READY' });
    expect(problems('a.sds')?.join()).not.toContain('secret');
    expect(log.lines.some((line) => line.startsWith('error a datasource loader failed'))).toBe(true);
  });

  it('because its warehouse is down is tried again until it is up', async () => {
    await datasource('a');
    let down = true;
    semantic.answer = async () => {
      if (down) throw new WarehouseUnreachableError('The warehouse cannot be reached.');
      return [];
    };
    await start({ retryMs: 50 });
    expect(problems('a.sds')).toEqual(['The warehouse cannot be reached.']);
    await eventually(() => expect(semantic.calls.length).toBeGreaterThan(3));
    // One line of log for the one piece of news.
    expect(log.lines.filter((line) => line.startsWith('warn datasource broken'))).toHaveLength(1);
    down = false;
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
  });

  it('by hanging delays no other, and is accepted when it returns', async () => {
    await datasource('a');
    await datasource('b');
    let finish: (() => void) | undefined;
    semantic.answer = ({ id }) =>
      id === 'a' && finish === undefined
        ? new Promise((resolve) => {
            finish = () => resolve([]);
          })
        : Promise.resolve([]);
    await start({ loadTimeoutMs: 50 });
    expect(statuses()).toEqual({ 'a.sds': 'BROKEN', 'b.sds': 'READY' });
    finish?.();
    await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY', 'b.sds': 'READY' }));
  });

  it('by hanging until its file is gone leaves nothing behind', async () => {
    await datasource('a');
    let finish: (() => void) | undefined;
    semantic.answer = () =>
      new Promise((resolve) => {
        finish = () => resolve([]);
      });
    await start({ loadTimeoutMs: 50 });
    await unlink(join(directory, 'a.sds'));
    await eventually(() => expect(registry.list()).toEqual([]));
    finish?.();
    await eventually(() => expect(semantic.calls.at(-1)).toBe('unload a'));
    expect(serving()).toEqual({});
  });
});

describe('refreshing', () => {
  it('loads everything again and returns the list afterwards', async () => {
    await datasource('a');
    await model('b', 'broken');
    await put('b.sds', descriptor('b'));
    await start();
    const list = await registry.refresh();
    expect(list.map((entry) => [entry.file, entry.status])).toEqual([
      ['a.sds', 'READY'],
      ['b.sds', 'BROKEN'],
    ]);
    expect(semantic.calls.filter((call) => call === 'load a')).toHaveLength(2);
    expect(semantic.calls.filter((call) => call === 'load b')).toHaveLength(2);
  });

  it('keeps the earlier version if the same one is refused now', async () => {
    await datasource('a');
    await start();
    semantic.answer = async () => [{ severity: 'error', message: 'The warehouse is down.' }];
    expect((await registry.refresh()).map((entry) => entry.status)).toEqual(['STALE']);
    expect(serving()).toEqual({ a: 'model a' });
    semantic.answer = undefined;
    expect((await registry.refresh()).map((entry) => entry.status)).toEqual(['READY']);
  });

  it('shows the warnings of a datasource that serves', async () => {
    await datasource('a');
    semantic.answer = async () => [{ severity: 'warning', message: 'A metric was dropped.', line: 7 }];
    await start();
    expect(registry.list()[0]).toMatchObject({
      status: 'READY',
      problems: [{ severity: 'warning', message: 'A metric was dropped.', line: 7 }],
      updatedAtMillis: 1_790_000_000_000,
    });
  });
});

describe('the health of the datasources', () => {
  it('lists what is being loaded, broken or without its warehouse, and nothing else', async () => {
    await datasource('a');
    await datasource('b', { location: 'jdbc:duckdb:/gone' });
    await datasource('slow');
    await model('bad', 'broken');
    await put('bad.sds', descriptor('bad'));
    let loaded = (): void => undefined;
    semantic.answer = async ({ id }, text) => {
      if (id === 'slow') await new Promise<void>((resolve) => (loaded = resolve));
      return text.startsWith('broken') ? [{ severity: 'error', message: 'It is broken.' }] : [];
    };
    const gone = new Set(['jdbc:duckdb:/gone']);
    const starting = start({ probe: async ({ jdbcUrl }) => !gone.has(jdbcUrl) });
    await eventually(() => expect(registry.list().map(({ name }) => name)).toEqual(['a', 'b', 'bad']));
    expect(await registry.health(1_000)).toEqual({
      missing: ['datasource slow'],
      degraded: [
        { datasource: 'b', status: 'UNREACHABLE' },
        { datasource: 'bad', status: 'BROKEN' },
      ],
    });
    loaded();
    await starting;
    expect((await registry.health(1_000)).missing).toEqual([]);
  });

  it('is reported at once even if a warehouse does not report its availability', async () => {
    await datasource('a');
    await start({ probe: () => new Promise(() => undefined) });
    // The probe never ends: an answer that waited for it would not come.
    expect(await registry.health(100)).toEqual({ missing: [], degraded: [] });
  });
});

it('a datasource that waits for its warehouse is loaded as soon as that answers', async () => {
  await datasource('a');
  let isUp = false;
  semantic.answer = async () => {
    if (!isUp) throw new WarehouseUnreachableError('It does not answer.');
    return [];
  };
  const board = new DatasourceBoard(1);
  await start({ probe: async () => isUp, probeMs: 20, board });
  expect(statuses()).toEqual({ 'a.sds': 'BROKEN' });
  await expect(board.settled('a')).rejects.toMatchObject({ status: 503, code: 'DATASOURCE_UNAVAILABLE' });
  isUp = true;
  await eventually(() => expect(statuses()).toEqual({ 'a.sds': 'READY' }));
  await board.settled('a');
});
