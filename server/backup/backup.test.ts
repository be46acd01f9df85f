import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allMigrations } from '../all-migrations.ts';
import { type Home, locateHome, makeHome, stateFile } from '../home-directory/home-directory.ts';
import { openIdentity } from '../identity/index.ts';
import { openLog } from '../log/log.ts';
import { openState, type StateStore } from '../state/index.ts';
import { startPostgres, type TestDatabase } from '../state/testing/postgres.ts';
import { type BackupOptions, backUp } from './backup.ts';
import { watchRestores } from './notice.ts';
import { restore } from './restore.ts';

const log = openLog('silent');
const PASSWORD = 'a password for this test';
const ENGINES = ['sqlite', 'postgresql'] as const;
type Engine = (typeof ENGINES)[number];

let root: string;
let number = 0;
const databases: TestDatabase[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'service-backup-test-'));
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.stop()));
  rmSync(root, { recursive: true, force: true });
});

interface Installation extends BackupOptions {
  readonly state: StateStore;
}

async function installation(engine: Engine): Promise<Installation> {
  const home = locateHome(join(root, `home-${number++}`));
  makeHome(home);
  let stateUrl: string | undefined;
  if (engine === 'postgresql') {
    const database = await startPostgres();
    databases.push(database);
    stateUrl = database.url;
  }
  const state = await openState({ url: stateUrl, sqliteFile: stateFile(home), log });
  await state.migrate(allMigrations);
  return { home, stateUrl, migrations: allMigrations, version: '1.2.3', log, state };
}

const write = ({ root }: Home, path: string, bytes: string | Buffer): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), bytes);
};

/** The last change of one document, which lists of documents show. */
const CHANGED_AT = new Date('2021-03-04T05:06:07.000Z');
const DATABASE_BYTES = randomBytes(2_500_000);

async function fill({ state, home }: Installation): Promise<string> {
  const identity = await openIdentity({
    state,
    clock: Date.now,
    log,
    hashCost: { memoryCost: 1_024, timeCost: 2, parallelism: 1 } as never,
  });
  const acme = await identity.tenants.ensure('acme');
  await identity.users.add({ tenant: acme.id, name: 'zoe', password: PASSWORD, roles: ['ROLE_USER'] });
  const { key } = await identity.apiKeys.create({ tenant: acme.id, label: 'label ü 😀 "x"', roles: ['ROLE_A'] });
  write(home, 'repository/homes/ann/a b ü.service', '{"title":"ä"}');
  write(home, 'repository/tenants/acme/shared/x.service', '{}');
  write(home, 'datasources/shop.sds', '<x/>');
  write(home, 'datasources/acme/shop.sds', '<y/>');
  write(home, 'skills/how.md', '# how');
  write(home, 'data/imports/shop.duckdb', DATABASE_BYTES);
  write(home, 'data/uploads/part.csv', '');
  write(home, 'data/secrets.key', 'the key');
  utimesSync(join(home.root, 'repository/tenants/acme/shared/x.service'), CHANGED_AT, CHANGED_AT);
  return key;
}

/** Reads the rows of all tables, sorted as text. */
async function readAllRows(state: StateStore): Promise<Readonly<Record<string, readonly string[]>>> {
  const database = state.tables<unknown>();
  const tables = (await database.introspection.getTables()).map(({ name }) => name);
  const all: Record<string, readonly string[]> = {};
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database);
    all[table] = rows
      .filter(({ owner }) => table !== 'service_migrations' || owner !== 'restored')
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort();
  }
  return all;
}

function filesOf({ root }: Home): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const folder of ['repository', 'datasources', 'skills', 'data']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !entry.name.startsWith('state.sqlite'))
        hashes[path.slice(root.length + 1)] = createHash('sha256').update(readFileSync(path)).digest('hex');
    }
  }
  return hashes;
}

describe.each(ENGINES.flatMap((from) => ENGINES.map((to) => [from, to] as const)))(
  'saved from %s, restored into %s',
  (from, to) => {
    test('state and files equal the source, and the replaced files are set aside', async () => {
      const source = await installation(from);
      const key = await fill(source);
      const file = join(root, `backup-${number++}`);
      const counts = await backUp(file, source);
      expect(counts.files).toBe(8);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const saved = { rows: await readAllRows(source.state), files: filesOf(source.home) };
      await source.state.close();

      const target = await installation(to);
      const other = await openIdentity({ state: target.state, clock: Date.now, log });
      await other.tenants.ensure('gone-after-the-restore');
      write(target.home, 'repository/shared/old.service', 'old');
      // A server runs on the state meanwhile, so its connection stays open.
      let isTold = false;
      await watchRestores(
        target.state,
        () => {
          isTold = true;
        },
        20,
      );
      const restored = await restore(file, target);
      expect(restored).toMatchObject({ rows: counts.rows, files: 8, madeBy: '1.2.3' });
      expect(await readAllRows(target.state)).toEqual(saved.rows);
      await expect.poll(() => isTold, { timeout: 10_000 }).toBe(true);
      expect(filesOf(target.home)).toEqual(saved.files);
      expect(statSync(join(target.home.root, 'repository/tenants/acme/shared/x.service')).mtime).toEqual(CHANGED_AT);
      expect(readFileSync(join(restored.before, 'repository/shared/old.service'), 'utf8')).toBe('old');
      expect(readdirSync(target.home.root).filter((name) => name.startsWith('.restore'))).toEqual([]);

      const identity = await openIdentity({ state: target.state, clock: Date.now, log });
      expect(await identity.apiKeys.resolve(key)).toMatchObject({ roles: ['ROLE_A'] });
      await target.state.migrate(allMigrations);
      await target.state.close();
    });
  },
);

describe.each(ENGINES)('on %s', (engine) => {
  let here: Installation;
  let file: string;

  beforeEach(async () => {
    here = await installation(engine);
    await fill(here);
    file = join(root, `backup-${number++}`);
    await backUp(file, here);
  });
  afterEach(() => here.state.close());

  const unchanged = async (work: () => Promise<unknown>, message: RegExp): Promise<void> => {
    const before = {
      rows: await readAllRows(here.state),
      files: filesOf(here.home),
      home: readdirSync(here.home.root).sort(),
    };
    await expect(work()).rejects.toThrow(message);
    expect({
      rows: await readAllRows(here.state),
      files: filesOf(here.home),
      home: readdirSync(here.home.root).sort(),
    }).toEqual(before);
  };
  const altered = (change: (bytes: Buffer) => Buffer): string => {
    const other = join(root, `altered-${number++}`);
    writeFileSync(other, gzipSync(change(gunzipSync(readFileSync(file)))));
    return other;
  };
  const text = (change: (lines: string) => string) =>
    altered((bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'));

  test('files that are no backup, damaged, truncated or of a newer version change nothing', async () => {
    const foreign = join(root, `foreign-${number++}`);
    writeFileSync(foreign, 'select 1;');
    await unchanged(() => restore(foreign, here), /not a backup of service/);
    writeFileSync(foreign, gzipSync('{"a":1}\n'));
    await unchanged(() => restore(foreign, here), /not a backup of service/);
    writeFileSync(foreign, readFileSync(file).subarray(0, 3_000));
    await unchanged(() => restore(foreign, here), /cut off/);
    await unchanged(
      () =>
        restore(
          text((lines) => lines.replace('{"title"', '{"titel"')),
          here,
        ),
      /checksum does not fit/,
    );
    await unchanged(
      () =>
        restore(
          text((lines) => lines.slice(0, lines.lastIndexOf('{"sha256"'))),
          here,
        ),
      /cut off/,
    );
    await unchanged(
      () =>
        restore(
          text((lines) => lines.replace('"serviceBackup":1', '"serviceBackup":2')),
          here,
        ),
      /format 2, made by service 1\.2\.3; this version reads format 1/,
    );
    await unchanged(
      () =>
        restore(
          text((lines) => lines.replace('"name":"0001_jobs"', '"name":"9999_jobs"')),
          here,
        ),
      /newer version of service: it contains jobs\/9999_jobs/,
    );
  });

  test('over a state of a newer version, SQLite is downgraded to the backup, and PostgreSQL is refused', async () => {
    for (const engine of ENGINES) {
      const newer = await installation(engine);
      const later = { up: (db: Kysely<unknown>) => db.schema.createTable('reports').addColumn('id', 'text').execute() };
      await newer.state.migrate({ reports: { '0001_reports': later } });
      const tables = async () =>
        (await newer.state.tables<unknown>().introspection.getTables()).map(({ name }) => name);
      const before = await tables();
      if (engine === 'postgresql') {
        await expect(restore(file, newer)).rejects.toThrow(/newer version .* Name an empty database/);
        expect(await tables()).toEqual(before);
      } else {
        await restore(file, newer);
        expect(await tables()).not.toContain('reports');
        // The upgrade runs again.
        await newer.state.migrate({ reports: { '0001_reports': later } });
      }
      await newer.state.close();
    }
  });

  test.each([
    '../evil',
    'repository/../../evil',
    '/etc/evil',
    'elsewhere/evil',
    'data/state.sqlite',
    'data/state.sqlite-wal',
    'data/compiled-code/code',
    'data/Compiled-Code/code',
    'repository',
  ])('a file at %s is refused', async (path) => {
    await unchanged(
      () =>
        restore(
          text((lines) => lines.replace('"file":"skills/how.md"', `"file":${JSON.stringify(path)}`)),
          here,
        ),
      /not a backup of service/,
    );
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  test('a backup without the key omits the key, compiled code, links and files outside of the home', async () => {
    symlinkSync('/etc/passwd', join(here.home.root, 'data/link'));
    mkdirSync(join(here.home.root, 'data/compiled-code'));
    writeFileSync(join(here.home.root, 'data/compiled-code/code'), 'compiled');
    const other = join(root, `backup-${number++}`);
    expect((await backUp(other, { ...here, withoutKey: true })).files).toBe(7);
    const lines = gunzipSync(readFileSync(other)).toString('latin1');
    expect(lines).not.toContain('secrets.key');
    expect(lines).not.toContain('data/link');
    expect(lines).not.toContain('compiled');
  });

  test('a failed backup leaves no file', async () => {
    const other = join(root, 'no-such-folder', 'backup');
    await expect(backUp(other, here)).rejects.toThrow();
    expect(existsSync(other)).toBe(false);
  });

  test('while others write, all rows of the backup are from one instant', async () => {
    const identity = await openIdentity({ state: here.state, clock: Date.now, log });
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; isWriting; n++) {
        // Tenants are added one by one: a backup with a later tenant but without an earlier one would be inconsistent.
        await identity.tenants.ensure(`t${n}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const other = join(root, `backup-${number++}`);
    await backUp(other, here);
    isWriting = false;
    await writing;
    await restore(other, here);
    const names = (await identity.tenants.list()).map(({ name }) => name).filter((name) => /^t\d+$/.test(name));
    expect(names.sort()).toEqual(Array.from({ length: names.length }, (_, n) => `t${n}`).sort());
  });
});
