import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Migrations, State } from '../../../router/capabilities/state.ts';
import { keptLog } from '../../../router/testing/kept-log.ts';
import { openState, type StateOptions, type StateStore } from '../index.ts';
import { startPostgres, type TestDatabase } from './postgres.ts';

/** The state of one test: an empty database on one engine, emptied before each test, closed after it. */
export interface StateFixture {
  readonly engine: State['engine'];
  /** Opens a new store on this test's database; a second call is a second node on the same database. */
  open(migrationsByOwner?: Readonly<Record<string, Migrations>>): Promise<StateStore>;
  /** Returns the options with which `openState` opens this test's database. */
  options(): StateOptions;
}

/** Declares the same tests once for SQLite and once for a real PostgreSQL server. */
export function onEveryEngine(tests: (state: StateFixture) => void): void {
  describe.each(['sqlite', 'postgresql'] as const)('on %s', (engine) => {
    const log = keptLog();
    const opened: StateStore[] = [];
    let folder = '';
    let file = 0;
    let database: TestDatabase | undefined;

    beforeAll(async () => {
      if (engine === 'postgresql') database = await startPostgres();
      else folder = await mkdtemp(join(tmpdir(), 'service-state-'));
    });
    afterAll(async () => {
      await database?.stop();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    });
    beforeEach(async () => {
      file++;
      if (database !== undefined) await wipe(database.url);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });

    const options = (): StateOptions => ({ url: database?.url, sqliteFile: join(folder, `${file}.sqlite`), log });
    tests({
      engine,
      options,
      async open(migrationsByOwner = {}) {
        const store = await openState(options());
        opened.push(store);
        await store.migrate(migrationsByOwner);
        return store;
      },
    });
  });
}

async function wipe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
}
