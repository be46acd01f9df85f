import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import { InternalError } from '../../router/errors.ts';
import type { Awaitable } from '../../router/steps.ts';
import { ENGINES, engineOfUrl } from '../../router/warehouse-engines.ts';
import type { Home } from '../home-directory/home-directory.ts';
import { isBelow, isFileOutside } from '../home-directory/protected-files.ts';
import type { Tenant, Tenants } from '../identity/index.ts';

/** The folders of a tenant. */
export interface TenantPlaces {
  /** Folder of descriptors and their documents. */
  readonly datasources: string;
  /** Folder of `homes/` and `shared/`. */
  readonly repository: string;
  readonly skills: string;
  /** Folder of warehouses' files. */
  readonly data: string;
}

/** The subfolder of the default tenant's folders for the documents and the skills of other tenants. */
const OTHERS = 'tenants';

/**
 * Returns the folders of a tenant. Files of the default tenant are directly in the folders of the home; files of any other tenant are in a folder of
 * its name: `datasources/acme`, `data/acme`, `repository/tenants/acme` and `skills/tenants/acme`.
 */
export function placesOf({ datasources, repository, skills, data }: Home, name: string | undefined): TenantPlaces {
  if (name === undefined) return { datasources, repository, skills, data };
  return {
    datasources: join(datasources, name),
    repository: join(repository, OTHERS, name),
    skills: join(skills, OTHERS, name),
    data: join(data, name),
  };
}

/** The folders of the tenants of a home. */
export class TenantFolders {
  readonly #home: Home;
  readonly #tenants: Tenants;
  readonly #first: Tenant;
  /** Names by tenant id; a tenant keeps its name. */
  readonly #names = new Map<TenantId, string>();

  constructor(home: Home, tenants: Tenants, first: Tenant) {
    this.#home = home;
    this.#tenants = tenants;
    this.#first = first;
  }

  /**
   * Returns the folders of a tenant, also of a tenant that was removed meanwhile.
   *
   * @throws InternalError when there is no such tenant
   */
  async of(tenant: TenantId): Promise<TenantPlaces> {
    return placesOf(this.#home, tenant === this.#first.id ? undefined : await this.nameOf(tenant));
  }

  /** @throws InternalError when there is no such tenant */
  nameOf(tenant: TenantId): Awaitable<string> {
    return this.#names.get(tenant) ?? this.#findName(tenant);
  }

  async #findName(tenant: TenantId): Promise<string> {
    const account = await this.#tenants.byId(tenant);
    if (account === undefined) throw new InternalError('there is no such tenant');
    this.#names.set(tenant, account.name);
    return account.name;
  }

  /** Renames the folders of documents that earlier versions named after the tenants' ids. */
  async renameThoseById(): Promise<void> {
    for (const { id, name } of await this.#tenants.list()) {
      const byId = placesOf(this.#home, id).repository;
      const byName = placesOf(this.#home, name).repository;
      if (existsSync(byName)) continue;
      try {
        renameSync(byId, byName);
      } catch (error) {
        // There was none, or another node was faster.
        if (existsSync(byId)) throw error;
      }
    }
  }

  /**
   * Returns whether an address names a file that a tenant may not name: one outside its own data folder. The folders of other tenants are not the
   * default tenant's either.
   */
  async refusesLocation(jdbcUrl: string, tenant: TenantId): Promise<boolean> {
    const isOutside = (folder: string) => isFileOutside(jdbcUrl, folder, this.#home.root);
    // Earlier versions named the folder after the tenant's id.
    const byId = join(this.#home.data, tenant);
    if (tenant !== this.#first.id) return isOutside((await this.of(tenant)).data) && isOutside(byId);
    if (isOutside(this.#home.data)) return true;
    const others = (await this.#tenants.list()).filter(({ id }) => id !== this.#first.id);
    const folders = others.flatMap(({ id, name }) => [join(this.#home.data, id), join(this.#home.data, name)]);
    // An address without a file is outside of no folder.
    return isOutside(join(this.#home.data, NO_FOLDER)) && folders.some((folder) => !isOutside(folder));
  }

  /**
   * Returns the database file of an address in which the product may write tables for a tenant: a DuckDB file in the tenant's data
   * folder. `undefined` for every other warehouse.
   */
  async writableFile({ jdbcUrl }: Pick<WarehouseAddress, 'jdbcUrl'>, tenant: TenantId): Promise<string | undefined> {
    if (engineOfUrl(jdbcUrl) !== 'duckdb' || (await this.refusesLocation(jdbcUrl, tenant))) return undefined;
    const file = resolve(this.#home.root, jdbcUrl.slice(ENGINES.duckdb.prefix.length));
    return isBelow(file, this.#home.data) && existsSync(file) ? file : undefined;
  }

  /**
   * Returns whether a tenant may not name a document: the default tenant may name any outside other tenants' folders, another tenant only those in
   * its own folder.
   */
  async refusesDocument(path: string, tenant: TenantId): Promise<boolean> {
    if (tenant !== this.#first.id) return !isBelow(path, (await this.of(tenant)).datasources);
    const others = (await this.#tenants.list()).filter(({ id }) => id !== tenant);
    return others.some(({ name }) => isBelow(path, placesOf(this.#home, name).datasources));
  }
}

/** A name that no tenant and no file has. */
const NO_FOLDER = '~';
