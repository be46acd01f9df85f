import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Migrations } from '../../router/capabilities/state.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { holdOf } from '../../router/testing/loop-delay.ts';
import { sqlitePackage } from '../sqlite/library.ts';
import { openState, StateUnusableError } from './index.ts';
import { onEveryEngine } from './testing/engines.ts';

interface Tables {
  notes: { id: number; text: string; at: number };
  service_migrations: { owner: string; name: string; applied_at: number };
}

const notes: Migrations = {
  '0002_first_note': {
    up: async (db) => {
      await db.insertInto('notes').values({ id: 1, text: 'one', at: 1_790_000_000_000 }).execute();
    },
  },
  '0001_notes': {
    up: async (db) => {
      await db.schema
        .createTable('notes')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('text', 'text')
        .addColumn('at', 'bigint')
        .execute();
    },
  },
};

onEveryEngine((state) => {
  it('runs the migrations of an owner by name, in whatever order they are written', async () => {
    const store = await state.open({ notes });
    const db = store.tables<Tables>();
    expect(await db.selectFrom('notes').selectAll().execute()).toEqual([{ id: 1, text: 'one', at: 1_790_000_000_000 }]);
  });

  it('runs owners in the given order', async () => {
    const order: string[] = [];
    const noting = (name: string): Migrations => ({ '0001_x': { up: async () => void order.push(name) } });
    await state.open({ zebra: noting('zebra'), ant: noting('ant') });
    expect(order).toEqual(['zebra', 'ant']);
  });

  it('runs a migration once, also when the store is opened again', async () => {
    const first = await state.open({ notes });
    await first.migrate({ notes });
    const second = await state.open({ notes });
    const rows = await second.tables<Tables>().selectFrom('notes').selectAll().execute();
    expect(rows).toHaveLength(1);
  });

  it('runs only new migrations when a later version adds one before another owner’s', async () => {
    await state.open({ notes, late: { '0001_x': { up: async () => undefined } } });
    const addition: Migrations = {
      '0003_second_note': {
        up: async (db) => {
          await db.insertInto('notes').values({ id: 2, text: 'two', at: 0 }).execute();
        },
      },
    };
    const store = await state.open({ notes: { ...notes, ...addition }, late: { '0001_x': { up: fail } } });
    const rows = await store.tables<Tables>().selectFrom('notes').select('text').orderBy('id').execute();
    expect(rows).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('lets several nodes start at once: one migrates, and the others wait', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openState(state.options())));
    try {
      await Promise.all(nodes.map((node) => node.migrate({ notes })));
      const [node] = nodes;
      expect(await node?.tables<Tables>().selectFrom('notes').select('text').execute()).toEqual([{ text: 'one' }]);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  });

  it('leaves the database unchanged when a migration fails, and a later attempt works', async () => {
    const broken: Migrations = { ...notes, '0003_broken': { up: fail } };
    await expect(state.open({ notes: broken })).rejects.toThrow('on purpose');
    const store = await state.open({ notes });
    const db = store.tables<Tables>();
    expect(await db.selectFrom('notes').select('text').execute()).toEqual([{ text: 'one' }]);
    const names = await db.selectFrom('service_migrations').select('name').orderBy('name').execute();
    expect(names).toEqual([{ name: '0001_notes' }, { name: '0002_first_note' }]);
  });

  it('refuses a database of a newer version, and names its unknown migrations', async () => {
    const embed: Migrations = { '0001_tokens': { up: async () => undefined } };
    await state.open({ notes, embed: { ...embed, '0007_from_the_future': { up: async () => undefined } } });
    const older = state.open({ notes, embed });
    await expect(older).rejects.toThrow(StateUnusableError);
    await expect(older).rejects.toThrow(/newer version of service: it contains embed\/0007_from_the_future, which/);
  });

  it("refuses a database with an owner's unknown migration, where it has all migrations, and changes nothing", async () => {
    const applied = async (node: Awaited<ReturnType<typeof state.open>>) =>
      node.tables<Tables>().selectFrom('service_migrations').selectAll().orderBy('name').execute();
    const newer = await state.open({ reports: { '0001_r': { up: async () => undefined } } });
    const before = await applied(newer);
    const older = await state.open();
    const all = older.migrate({ notes }, { isAll: true });
    await expect(all).rejects.toThrow(StateUnusableError);
    await expect(all).rejects.toThrow(/newer version of service: it contains reports\/0001_r, which/);
    expect(await applied(newer)).toEqual(before);
    // The migrations also record the time of a restore.
    await newer
      .tables<Tables>()
      .updateTable('service_migrations')
      .set({ owner: 'restored', name: 'mark' })
      .where('owner', '=', 'reports')
      .execute();
    await older.migrate({ notes }, { isAll: true });
  });

  it('migrates one owner now and another later, whatever a third owner has', async () => {
    const other: Migrations = { '0001_x': { up: async () => undefined } };
    const store = await state.open({ notes, other });
    await store.migrate({ notes });
    await store.migrate({ third: { '0001_y': { up: async () => undefined } } });
    const rows = await store
      .tables<Tables>()
      .selectFrom('service_migrations')
      .select('owner')
      .orderBy('owner')
      .execute();
    expect(rows.map(({ owner }) => owner)).toEqual(['notes', 'notes', 'other', 'third']);
  });

  it('reads bigint and counts as numbers', async () => {
    const store = await state.open({ notes });
    const { rows } = await sql<{ n: number; at: number }>`select count(*) as n, max(at) as at from notes`.execute(
      store.tables<Tables>(),
    );
    expect(rows).toEqual([{ n: 1, at: 1_790_000_000_000 }]);
  });

  it('rolls back the statements of a failed transaction', async () => {
    const store = await state.open({ notes });
    const db = store.tables<Tables>();
    const work = db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('notes').execute();
      await fail();
    });
    await expect(work).rejects.toThrow('on purpose');
    expect(await db.selectFrom('notes').selectAll().execute()).toHaveLength(1);
  });

  it('loses no write when two nodes read and then write the same row in transactions', async () => {
    const [one, two] = [await state.open({ notes }), await state.open({ notes })];
    const increment = (node: typeof one): Promise<void> =>
      node
        .tables<Tables>()
        .transaction()
        .execute(async (transaction) => {
          let read = transaction.selectFrom('notes').select('at').where('id', '=', 1);
          if (state.engine === 'postgresql') read = read.forUpdate();
          const { at } = await read.executeTakeFirstOrThrow();
          await transaction
            .updateTable('notes')
            .set({ at: at + 1 })
            .where('id', '=', 1)
            .execute();
        });
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 === 0 ? one : two)));
    const { at } = await one.tables<Tables>().selectFrom('notes').select('at').executeTakeFirstOrThrow();
    expect(at).toBe(1_790_000_000_020);
  });

  it('is ready while it is open and not after it was closed', async () => {
    const store = await openState(state.options());
    await store.ready();
    await store.close();
    await expect(store.ready()).rejects.toThrow();
  });
});

describe('SQLite', () => {
  it('is opened with a write-ahead log, with enforced foreign keys, and readable only by its owner', async () => {
    await inTemporaryFolder(async (folder) => {
      const sqliteFile = join(folder, 'data', 'deep', 'state.sqlite');
      const store = await openState({ url: undefined, sqliteFile, log: keptLog() });
      try {
        const db = store.tables<Tables>();
        expect((await sql`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }]);
        expect((await sql`pragma foreign_keys`.execute(db)).rows).toEqual([{ foreign_keys: 1 }]);
        expect((await sql`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 1 }]);
        if (process.platform !== 'win32') expect((await stat(sqliteFile)).mode & 0o777).toBe(0o600);
      } finally {
        await store.close();
      }
    });
  });

  it('waits without blocking the event loop while another process holds the write lock', async () => {
    await inTemporaryFolder(async (folder) => {
      const sqliteFile = join(folder, 'state.sqlite');
      const store = await openState({ url: undefined, sqliteFile, log: keptLog() });
      try {
        await store.migrate({ notes });
        const script = join(folder, 'holder.cjs');
        await writeFile(
          script,
          `const db = require(${JSON.stringify(createRequire(import.meta.url).resolve(sqlitePackage()))})(${JSON.stringify(sqliteFile)});
           db.exec('begin immediate; update notes set at = 5');
           require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'held'))}, '');
           setTimeout(() => { db.exec('commit'); db.close(); }, 600);`,
        );
        const holder = promisify(execFile)(process.execPath, [script]);
        await until(() => stat(join(folder, 'held')).then(Boolean, () => false));
        const { heldMillis } = await holdOf(() => sql`update notes set at = at + 1`.execute(store.tables<Tables>()));
        await holder;
        const rows = await store.tables<Tables>().selectFrom('notes').select('at').execute();
        expect(rows).toEqual([{ at: 6 }]);
        expect(heldMillis).toBeLessThan(300);
      } finally {
        await store.close();
      }
    });
  });

  it('reports which file cannot be opened', async () => {
    await inTemporaryFolder(async (folder) => {
      const sqliteFile = join(folder, 'state.sqlite');
      await writeFile(
        sqliteFile,
        'This is a letter, not a database, and it is long enough to be read as one. '.repeat(20),
      );
      const opening = openState({ url: undefined, sqliteFile, log: keptLog() });
      await expect(opening).rejects.toThrow(StateUnusableError);
      await expect(opening).rejects.toThrow(/state\.sqlite cannot be opened: file is not a database/);
    });
  });
});

describe('PostgreSQL', () => {
  it('reports the address that does not answer, without the password', async () => {
    const url = 'postgres://clerk:s3cret-word@127.0.0.1:1/ledger';
    const error: unknown = await openState({ url, sqliteFile: '', log: keptLog() }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StateUnusableError);
    expect(String(error)).toContain('127.0.0.1:1/ledger does not answer');
    expect(String(error)).not.toContain('s3cret-word');
  });

  it.each(['mysql://127.0.0.1/x', 'a file', '', '/tmp/state.sqlite'])('refuses %j as an address', async (url) => {
    const opening = openState({ url, sqliteFile: '', log: keptLog() });
    await expect(opening).rejects.toThrow(/service\.state\.url must look like postgres:/);
  });
});

async function fail(): Promise<void> {
  throw new Error('on purpose');
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'service-state-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It did not happen in five seconds.');
}

it('a state in memory creates no file', async () => {
  const store = await openState({ url: undefined, sqliteFile: ':memory:', log: keptLog() });
  await store.migrate({ notes });
  await store.close();
  await expect(stat(':memory:')).rejects.toMatchObject({ code: 'ENOENT' });
});
