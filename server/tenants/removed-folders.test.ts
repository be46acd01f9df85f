import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteQueryNode, type KyselyPlugin, TableNode } from 'kysely';
import { expect, it } from 'vitest';
import type { State } from '../../router/capabilities/state.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { locateHome, makeHome } from '../home-directory/home-directory.ts';
import { identityMigrations, openIdentity } from '../identity/index.ts';
import { openState } from '../state/index.ts';
import { removeTenant } from './tenant-contents.ts';
import { placesOf } from './tenant-folders.ts';

it('a folder that a reader makes anew before the tenant is deleted is removed, too', async () => {
  const root = await mkdtemp(join(tmpdir(), 'service-removed-folders-'));
  const home = locateHome(root);
  makeHome(home);
  const state = await openState({ url: undefined, sqliteFile: join(root, 'state.sqlite'), log: silentLog });
  try {
    await state.migrate({ identity: identityMigrations });
    const { tenants } = await openIdentity({ state, clock: Date.now, log: silentLog });
    const tenant = await tenants.ensure('gamma');
    const folder = placesOf(home, 'gamma').datasources;
    mkdirSync(folder, { recursive: true });
    // A reader that finds the tenant still there makes its folder.
    const reading = beforeDeletingFrom('tenants', () => mkdirSync(folder, { recursive: true }));
    const watched: State = { ...state, tables: <T>() => state.tables<T>().withPlugin(reading) };
    await removeTenant(watched, home, tenant);
    expect(await tenants.find('gamma')).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  } finally {
    await state.close();
    await rm(root, { recursive: true, force: true });
  }
});

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
