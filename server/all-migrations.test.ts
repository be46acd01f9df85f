/** Every command refuses a state that a newer version has migrated; every migration in the tree is listed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { allMigrations, requireListed } from './all-migrations.ts';
import { service } from './cli/testing/command.ts';
import { locateHome, makeHome, stateFile } from './home-directory/home-directory.ts';
import { openLog } from './log/log.ts';
import { openState } from './state/index.ts';
import { onEveryEngine } from './state/testing/engines.ts';

const later = { '0001_reports': { up: async () => undefined } };

// A failed start ends its process a second later, even if other work still runs.
const { exit } = process;
beforeAll(() => {
  process.exit = (() => undefined) as never;
});
afterAll(async () => {
  await wait(1_500);
  process.exit = exit;
});

onEveryEngine((fixture) => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'service-newer-'));
    process.env.SERVICE_LOG_LEVEL = 'silent';
    const { url } = fixture.options();
    if (url !== undefined) process.env.SERVICE_STATE_URL = url;
  });
  afterEach(() => {
    delete process.env.SERVICE_LOG_LEVEL;
    delete process.env.SERVICE_STATE_URL;
    rmSync(root, { recursive: true });
  });

  it.each([
    ['one that this version does not know', { reports: later }, 'reports/0001_reports'],
    [
      'one that this version knows',
      { identity: { ...allMigrations.identity, '9999_x': later['0001_reports'] } },
      'identity/9999_x',
    ],
  ])(
    'a state with a later migration of %s is refused in one line, and is not changed',
    async (_, owners, named) => {
      const home = locateHome(join(root, 'home'));
      makeHome(home);
      const { url } = fixture.options();
      const state = await openState({ url, sqliteFile: stateFile(home), log: openLog('silent') });
      await state.migrate(owners);
      const everything = async () => {
        const database = state.tables<Readonly<Record<string, object>>>();
        const tables = (await database.introspection.getTables()).filter(
          ({ schema }) => schema === undefined || schema === 'public',
        );
        return Promise.all(
          tables.map(async ({ name }) => [name, await database.selectFrom(name).selectAll().execute()]),
        );
      };
      const before = await everything();
      const commands = [
        ['start', '--port', '0'],
        ['backup', join(root, 'backup')],
        // These commands refuse only a newer version of their own tables.
        ...('identity' in owners
          ? [
              ['tenant', 'list'],
              ['api-key', 'create', '--label', 'x'],
            ]
          : []),
      ];
      for (const command of commands) {
        const { code, err, out } = await service([...command, '--home', home.root]);
        expect([code, out], command.join(' ')).toEqual([1, '']);
        expect(err).toMatch(new RegExp(`^service: .*newer version of service: it contains ${named}, which .*\\n$`));
      }
      expect(await everything()).toEqual(before);
      await state.close();
    },
    60_000,
  );
});

it('all migrations in the tree are listed, so that a start runs them and a backup includes their tables', async () => {
  const declaring = /export const (\w+): Migrations =/g;
  const listed = new Set<unknown>(Object.values(allMigrations));
  let count = 0;
  const files = ['server', 'plugins'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing/.test(file))
      .map((file) => join(folder, file)),
  );
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, name = ''] of text.matchAll(declaring)) {
      count += 1;
      const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(resolve(file)).href);
      expect(listed.has(module[name]), `${name} of ${file}`).toBe(true);
    }
  }
  expect(count).toBe(listed.size);
});

it('a plugin with unlisted migrations does not start', () => {
  expect(() => requireListed([{ name: 'reports', migrations: later }])).toThrow(/plugin reports/);
  expect(() => requireListed([{ name: 'embed', migrations: later }])).toThrow(/plugin embed/);
  expect(() => requireListed([{ name: 'embed', migrations: allMigrations.embed }, { name: 'skills' }])).not.toThrow();
});
