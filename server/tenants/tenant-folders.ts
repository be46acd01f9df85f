import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { InternalError } from '../../router/errors.ts';
import type { Home } from '../home-directory/home-directory.ts';
import { isBelow, isFileOutside } from '../home-directory/protected-files.ts';
import type { Tenant, Tenants } from '../identity/index.ts';

/** Where a tenant's files are. */
export interface TenantPlaces {
  /** Descriptors, and the documents that they name. */
  readonly datasources: string;
  /** `homes/` and `shared/`. */
  readonly repository: string;
  readonly skills: string;
  /** Files of warehouses. */
  readonly data: string;
}

/** The subfolder of the first tenant's folders for the documents and the skills of other tenants. */
const OTHERS = 'tenants';

/**
 * Locates the files of a tenant. Files of the first tenant are directly in the folders of the home; files of any other
 * are in a folder of its name: `datasources/acme`, `data/acme`, `repository/tenants/acme` and `skills/tenants/acme`.
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
  /** A tenant keeps its name. */
  readonly #names = new Map<TenantId, string>();

  constructor(home: Home, tenants: Tenants, first: Tenant) {
    this.#home = home;
    this.#tenants = tenants;
    this.#first = first;
  }

  /**
   * Returns where the files of a tenant are, also of one that was removed meanwhile.
   *
   * @throws InternalError when there is no such tenant
   */
  async of(tenant: TenantId): Promise<TenantPlaces> {
    return placesOf(this.#home, tenant === this.#first.id ? undefined : await this.nameOf(tenant));
  }

  /** @throws InternalError when there is no such tenant */
  async nameOf(tenant: TenantId): Promise<string> {
    const cachedName = this.#names.get(tenant);
    if (cachedName !== undefined) return cachedName;
    const account = await this.#tenants.byId(tenant);
    if (account === undefined) throw new InternalError('there is no such tenant');
    this.#names.set(tenant, account.name);
    return account.name;
  }

  /** Renames the folders of documents that earlier versions called by the tenants' ids. */
  async renameThoseById(): Promise<void> {
    for (const { id, name } of await this.#tenants.list()) {
      const byId = placesOf(this.#home, id).repository;
      const byName = placesOf(this.#home, name).repository;
      if (existsSync(byName)) continue;
      try {
        renameSync(byId, byName);
      } catch (error) {
        // There was none, or another node was quicker.
        if (existsSync(byId)) throw error;
      }
    }
  }

  /**
   * Tells whether an address names a file that a tenant may not name: one outside its own data folder. What lies in
   * the folder of another tenant is not the first's either.
   */
  async refusesLocation(jdbcUrl: string, tenant: TenantId): Promise<boolean> {
    const isOutside = (folder: string) => isFileOutside(jdbcUrl, folder, this.#home.root);
    // Earlier versions called the folder by the tenant's id.
    const byId = join(this.#home.data, tenant);
    if (tenant !== this.#first.id) return isOutside((await this.of(tenant)).data) && isOutside(byId);
    if (isOutside(this.#home.data)) return true;
    const others = (await this.#tenants.list()).filter(({ id }) => id !== this.#first.id);
    const folders = others.flatMap(({ id, name }) => [join(this.#home.data, id), join(this.#home.data, name)]);
    // An address of no file is outside of none.
    return isOutside(join(this.#home.data, NO_FOLDER)) && folders.some((folder) => !isOutside(folder));
  }

  /**
   * Tells whether a tenant may not name a document: the first may name any outside other tenants' folders, another
   * only those in its own folder.
   */
  async refusesDocument(path: string, tenant: TenantId): Promise<boolean> {
    if (tenant !== this.#first.id) return !isBelow(path, (await this.of(tenant)).datasources);
    const others = (await this.#tenants.list()).filter(({ id }) => id !== tenant);
    return others.some(({ name }) => isBelow(path, placesOf(this.#home, name).datasources));
  }
}

/** No tenant has this name, and no file. */
const NO_FOLDER = '~';
