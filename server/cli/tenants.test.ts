/** Tests the commands on tenants through their command lines, in this process. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { locateHome, makeHome } from '../home-directory/home-directory.ts';
import { commandsOf } from './program.ts';
import { service } from './testing/command.ts';

let root: string;
let home: string;
let homes = 0;
beforeAll(() => {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  root = mkdtempSync(join(tmpdir(), 'service-tenants-'));
});
afterAll(() => {
  delete process.env.SERVICE_LOG_LEVEL;
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  home = join(root, `home-${homes++}`);
  makeHome(locateHome(home));
});

const tenant = (...args: readonly string[]) => service(['tenant', ...args, '--home', home]);
const names = async () =>
  z
    .array(z.object({ name: z.string() }))
    .parse(JSON.parse((await tenant('list', '--json')).out))
    .map(({ name }) => name);

describe('service tenant', () => {
  it('creates a tenant with its folders, lists it, and removes it while it is empty', async () => {
    const { out, code } = await tenant('create', 'acme', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'acme',
      folders: ['datasources/acme', 'repository/tenants/acme', 'skills/tenants/acme', 'data/acme'],
    });
    expect(existsSync(join(home, 'repository/tenants/acme'))).toBe(true);
    expect(await names()).toEqual(['acme', 'default']);
    expect(await tenant('create', 'acme')).toMatchObject({ code: 1, err: expect.stringContaining('already') });

    expect(await tenant('remove', 'acme')).toMatchObject({ code: 0, out: 'Removed acme.\n' });
    expect(await names()).toEqual(['default']);
    expect(existsSync(join(home, 'datasources/acme'))).toBe(false);
    expect((await tenant('remove', 'acme')).err).toContain('There is no tenant acme; there are: default.');
  });

  it('keeps a tenant with contents, lists its contents, and removes all of it with --force', async () => {
    await tenant('create', 'acme');
    const key = await service(['api-key', 'create', '--home', home, '--tenant', 'acme', '--label', 'x', '--json']);
    const keptKey = await service(['api-key', 'create', '--home', home, '--label', 'kept', '--json']);
    await service(['user', 'add', 'ann', '--home', home, '--tenant', 'acme', '--admin'], 'a long enough password\n');
    mkdirSync(join(home, 'skills/tenants/acme/deep'));
    writeFileSync(join(home, 'skills/tenants/acme/deep/one.md'), 'x');
    writeFileSync(join(home, 'datasources/shop.yaml'), 'of the first tenant');
    expect(key.code).toBe(0);

    const refused = await tenant('remove', 'acme');
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(
      'service: The tenant acme has 1 row of api_keys, 2 rows of audit_log, 1 row of users, 1 file in skills/tenants/acme. Give --force to remove all of it.\n',
    );
    expect(await names()).toEqual(['acme', 'default']);

    const removed = await tenant('remove', 'acme', '--force', '--json');
    expect(JSON.parse(removed.out)).toEqual({
      name: 'acme',
      removed: { rows: { api_keys: 1, audit_log: 2, users: 1 }, files: { 'skills/tenants/acme': 1 } },
    });
    expect(await names()).toEqual(['default']);
    expect(existsSync(join(home, 'skills/tenants/acme'))).toBe(false);
    expect(existsSync(join(home, 'datasources/shop.yaml'))).toBe(true);
    const keys = await service(['api-key', 'list', '--home', home, '--json']);
    expect(JSON.parse(keys.out).map(({ id }: { id: string }) => id)).toEqual([JSON.parse(keptKey.out).id]);
  });

  it('never removes the default tenant', async () => {
    expect(await tenant('remove', 'default', '--force')).toMatchObject({ code: 1 });
    expect(await names()).toEqual(['default']);
  });

  it.each(['imports', 'Default', 'tenants', '.hidden', 'state.sqlite', 'a/b', '5f1d7c7e-1111-4222-8333-444455556666'])(
    'refuses the name %s, because its folders would have another meaning',
    async (name) => {
      expect(await tenant('create', name)).toMatchObject({ code: 1 });
      expect(await names()).toEqual(['default']);
    },
  );

  it('refuses a name that differs from another only in letter case', async () => {
    await tenant('create', 'acme');
    expect(await tenant('create', 'Acme')).toMatchObject({ code: 1, err: expect.stringContaining('acme already') });
  });
});

describe('service connection list --tenant', () => {
  it('lists only the datasources of that tenant', async () => {
    await tenant('create', 'acme');
    const sds = (name: string) =>
      `<dataSource><name>${name}</name><type>SEMANTIC</type><semanticYaml>m.yaml</semanticYaml><location>jdbc:duckdb:w</location></dataSource>`;
    writeFileSync(join(home, 'datasources/shop.sds'), sds('shop'));
    writeFileSync(join(home, 'datasources/acme/shop.sds'), sds('theirs'));
    const listed = async (...args: readonly string[]) => {
      const { out } = await service(['connection', 'list', '--home', home, '--json', ...args]);
      return JSON.parse(out).map(({ name }: { name: string }) => name);
    };
    expect(await listed()).toEqual(['shop']);
    expect(await listed('--tenant', 'acme')).toEqual(['theirs']);
    const unknown = await service(['connection', 'list', '--home', home, '--tenant', '../datasources']);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('no datasources of a tenant') });
  });
});

describe('--tenant', () => {
  it("is an option of every command on a tenant's things", () => {
    const leaves = (command: Command, name = command.name()): readonly (readonly [string, Command])[] =>
      command.commands.length === 0
        ? [[name, command]]
        : command.commands.flatMap((child) => leaves(child, `${name} ${child.name()}`));
    const without = commandsOf()
      .flatMap((command) => leaves(command))
      .filter(([, { options }]) => options.some(({ long }) => long === '--home'))
      .filter(([, { options }]) => !options.some(({ long }) => long === '--tenant'))
      .map(([name]) => name);
    // These commands work on the whole installation, and an API key is named by its id.
    expect(without).toEqual([
      'start',
      'doctor',
      'tenant create',
      'tenant list',
      'tenant remove',
      'api-key set-attribute',
      'api-key revoke',
      'backup',
      'restore',
    ]);
  });

  it('of an import puts data, models and documents into the folders of that tenant only', async () => {
    const file = join(root, `places-${homes}.csv`);
    writeFileSync(file, 'place;amount\nRome;1,5\nOslo;2,5\n');
    const load = (...more: readonly string[]) =>
      service(['import', file, '--name', 'shop', '--home', home, '--json', ...more]);
    const unknown = await load('--tenant', 'acme');
    expect(unknown).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no tenant acme; there are: default'),
    });
    await tenant('create', 'acme');
    rmSync(join(home, 'datasources/acme'), { recursive: true });

    expect(JSON.parse((await load('--tenant', 'acme')).out)).toMatchObject({ name: 'shop', isNew: true });
    for (const made of [
      'data/acme/imports/shop.duckdb',
      'datasources/acme/shop.sds',
      'datasources/acme/shop.xml',
      'repository/tenants/acme/shared/shop/overview.servicedash',
    ])
      expect(existsSync(join(home, made)), made).toBe(true);
    expect(existsSync(join(home, 'datasources/shop.sds'))).toBe(false);
    expect(existsSync(join(home, 'repository/shared/shop'))).toBe(false);
    // The default tenant may have a datasource of the same name; each import updates only its own.
    expect(JSON.parse((await load()).out)).toMatchObject({ isNew: true });
    writeFileSync(file, 'place;amount\nRome;1,5\n');
    const again = JSON.parse((await load('--tenant', 'acme')).out);
    expect(again).toMatchObject({ isNew: false, tables: [{ rows: 1 }] });
    expect(again.lines.at(-1)).toContain('signed in as acme/<user>');
    const tested = async (...more: readonly string[]) =>
      JSON.parse((await service(['connection', 'test', '--home', home, '--json', ...more])).out).map(
        ({ name, answers }: { name: string; answers: boolean }) => [name, answers],
      );
    expect(await tested('--tenant', 'acme')).toEqual(await tested());
    expect(await tested()).toContainEqual(['shop', true]);
  });
});
