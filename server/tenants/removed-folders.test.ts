import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteQueryNode, type KyselyPlugin, TableNode } from 'kysely';
import { expect, it } from 'vitest';
import type { State } from '../../router/capabilities/state.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { keptResultsDirectory, locateHome, makeHome } from '../home-directory/home-directory.ts';
import { identityMigrations, openIdentity } from '../identity/index.ts';
import { openState } from '../state/index.ts';
import { clearLeftovers } from './leftovers.ts';
import { removeTenant } from './tenant-contents.ts';
import { placesOf } from './tenant-folders.ts';

it('a folder that a reader creates again before the tenant is deleted is removed, too', () =>
  inHome(async ({ state, home, tenants }) => {
    const tenant = await tenants.ensure('gamma');
    const folder = placesOf(home, 'gamma').datasources;
    mkdirSync(folder, { recursive: true });
    // A reader still finds the tenant and creates its folder.
    const reading = beforeDeletingFrom('tenants', () => mkdirSync(folder, { recursive: true }));
    const watched: State = { ...state, tables: <T>() => state.tables<T>().withPlugin(reading) };
    await removeTenant(watched, home, tenant);
    expect(await tenants.find('gamma')).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  }));

it('results that a server keeps while the tenant is removed are removed, too', () =>
  inHome(async ({ state, home, tenants }) => {
    const tenant = await tenants.ensure('gamma');
    const kept = keptResultsDirectory(home);
    const keep = async (name: string) => {
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, name), 'x');
    };
    await Promise.all(Array.from({ length: 500 }, (_, index) => keep(`earlier-${index}`)));
    let isRemoved = false;
    const removing = removeTenant(state, home, tenant).finally(() => {
      isRemoved = true;
    });
    // The server writes a little, and longer than the first removal takes.
    for (let index = 0; index < 200 && !isRemoved; index++) await keep(`later-${index}`).catch(() => undefined);
    await removing;
    expect(await tenants.find('gamma')).toBeUndefined();
    expect(existsSync(join(kept, 'earlier-0'))).toBe(false);
  }));

it('a tenant created during a look for leftovers of an earlier one of its name keeps its folders', () =>
  inHome(async ({ state, home, tenants }) => {
    const earlier = await tenants.ensure('gamma');
    let listed = 0;
    const list = async () => {
      listed += 1;
      if (listed !== 2) return tenants.list();
      await removeTenant(state, home, earlier);
      const withoutName = await tenants.list();
      await tenants.ensure('gamma');
      mkdirSync(placesOf(home, 'gamma').repository, { recursive: true });
      return withoutName;
    };
    const stop = clearLeftovers({ state, home, tenants: { list }, log: silentLog, everyMs: 5 });
    try {
      // The second look has ended when the third begins.
      await expect.poll(() => listed).toBeGreaterThanOrEqual(3);
    } finally {
      await stop();
    }
    expect(existsSync(placesOf(home, 'gamma').repository)).toBe(true);
  }));

interface Parts {
  readonly state: State;
  readonly home: ReturnType<typeof locateHome>;
  readonly tenants: Awaited<ReturnType<typeof openIdentity>>['tenants'];
}

async function inHome(work: (parts: Parts) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'service-removed-folders-'));
  const home = locateHome(root);
  makeHome(home);
  const state = await openState({ url: undefined, sqliteFile: join(root, 'state.sqlite'), log: silentLog });
  try {
    await state.migrate({ identity: identityMigrations });
    const { tenants } = await openIdentity({ state, clock: Date.now, log: silentLog });
    await work({ state, home, tenants });
  } finally {
    await state.close();
    await rm(root, { recursive: true, force: true });
  }
}

function beforeDeletingFrom(table: string, act: () => void): KyselyPlugin {
  return {
    transformQuery({ node }) {
      const from = DeleteQueryNode.is(node) ? node.from.froms[0] : undefined;
      if (from !== undefined && TableNode.is(from) && from.table.identifier.name === table) act();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
