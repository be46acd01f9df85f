/** The datasources over the database of a connection: which they are, and their address after the connection's has changed. */
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Vault } from '../../../router/capabilities/vault.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { withoutUrlCredentials, withSealedPassword } from '../../../router/sealed-password.ts';
import {
  type DatasourceRegistry,
  hashOf,
  type TextPlace,
  withAddress,
  writeTogether,
} from '../../datasources/index.ts';

/** Descriptors change without documents of the repository. */
const NO_DOCUMENTS: TextPlace = {
  read: async () => undefined,
  write: async () => undefined,
  remove: async () => undefined,
};

export interface MovingDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly warehouses: Pick<Warehouses, 'isSame'>;
  readonly vault: Vault;
}

/** Returns the tenant's datasources over the database of an address. */
export async function usesOf(
  tenant: TenantId,
  address: WarehouseAddress,
  { registryOf, warehouses }: Pick<MovingDependencies, 'registryOf' | 'warehouses'>,
): Promise<readonly Datasource[]> {
  const uses: Datasource[] = [];
  for (const { datasource } of await (await registryOf(tenant)).described())
    if (await warehouses.isSame(datasource.warehouse, address)) uses.push(datasource);
  return uses;
}

/** Writes a changed address into the descriptors that have the address before, all or none. Returns their names. */
export async function moveModels(
  tenant: TenantId,
  before: WarehouseAddress,
  after: WarehouseAddress,
  { registryOf, vault }: MovingDependencies,
): Promise<readonly string[]> {
  const registry = await registryOf(tenant);
  const old = withoutUrlCredentials(before);
  const sealed = withSealedPassword(vault, after);
  const moved: string[] = [];
  await registry.addTogether([], async () => {
    const files = (await registry.described()).flatMap(({ entry, datasource, source }) => {
      const { jdbcUrl, username } = withoutUrlCredentials(datasource.warehouse);
      if (jdbcUrl !== old.jdbcUrl || (username ?? '') !== (old.username ?? '')) return [];
      moved.push(datasource.name);
      return [{ path: entry.file, text: withAddress(source, sealed) }];
    });
    if (files.length === 0) return;
    const name = `address-${hashOf(old.jdbcUrl).slice(0, 16)}`;
    await writeTogether({ directory: registry.directory, repository: NO_DOCUMENTS }, { name, files, documents: [] });
  });
  return moved;
}
