/** Lists, creates and removes tenants, for the command line and for the interface. */
import { mkdir } from 'node:fs/promises';
import { relative } from 'node:path';
import type { State } from '../../router/capabilities/state.ts';
import { ConflictError, NotFoundError } from '../../router/errors.ts';
import { nearestFirst } from '../../router/nearest-names.ts';
import { plural } from '../../router/plural.ts';
import type { Home } from '../home-directory/home-directory.ts';
import { DEFAULT_TENANT, type Tenant, type Tenants } from '../identity/index.ts';
import { contentsOf, removeTenant, type TenantContents } from './tenant-contents.ts';
import { placesOf } from './tenant-folders.ts';

export interface TenantAdministrationParts {
  readonly state: State;
  readonly home: Home;
  readonly tenants: Tenants;
  /** Ends the subscriptions of a tenant at the payment processor, and returns them. Throws where that fails. */
  readonly endSubscriptions: (tenant: Tenant) => Promise<readonly string[]>;
}

export interface RemovalOptions {
  /** Also removes a tenant with contents, with all of them. */
  readonly force: boolean;
  /** Keeps the tenant's subscriptions. */
  readonly keepSubscription?: boolean;
}

/** A created tenant, with its folders from the home. */
export interface MadeTenant extends Tenant {
  readonly folders: readonly string[];
}

/** The outcome of a removal: without `force`, a tenant with any contents stays. */
export type Removal =
  | { readonly removed: TenantContents; readonly endedSubscriptions: readonly string[] }
  | { readonly kept: TenantContents };

export class TenantAdministration {
  readonly #parts: TenantAdministrationParts;

  constructor(parts: TenantAdministrationParts) {
    this.#parts = parts;
  }

  /** Lists all tenants, by name. */
  list(): Promise<readonly Tenant[]> {
    return this.#parts.tenants.list();
  }

  /**
   * Creates a tenant and its folders.
   *
   * @throws ValidationError at `tenant` for an illegal name
   * @throws ConflictError for the name of a tenant, in any letter case
   */
  async create(name: string): Promise<MadeTenant> {
    const { tenants, home } = this.#parts;
    if ((await tenants.find(name)) !== undefined)
      throw new ConflictError(`There is a tenant ${name} already.`, { code: 'TENANT_EXISTS' });
    const tenant = await tenants.ensure(name);
    const folders = Object.values(placesOf(home, name));
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o750 });
    return { ...tenant, folders: folders.map((folder) => relative(home.root, folder)) };
  }

  /**
   * Removes a tenant: an empty one, or with `force` one with all its contents.
   *
   * @throws NotFoundError
   * @throws ConflictError for the default tenant, and for one with a subscription that cannot be ended
   * @throws UpstreamError where the payment processor does not end it; the tenant stays
   */
  async remove(name: string, { force, keepSubscription = false }: RemovalOptions): Promise<Removal> {
    const { state, home, endSubscriptions } = this.#parts;
    if (name === DEFAULT_TENANT)
      throw new ConflictError(`The tenant ${DEFAULT_TENANT} is in every installation.`, { code: 'TENANT_PERMANENT' });
    const tenant = await this.#named(name);
    const contents = await contentsOf(state, home, tenant);
    if (!isEmpty(contents) && !force) return { kept: contents };
    // Subscriptions end first: once the tenant is gone, its customer is unknown.
    const endedSubscriptions = keepSubscription ? [] : await endSubscriptions(tenant);
    await removeTenant(state, home, tenant);
    return { removed: contents, endedSubscriptions };
  }

  async #named(name: string): Promise<Tenant> {
    const { tenants } = this.#parts;
    const tenant = await tenants.find(name);
    if (tenant !== undefined) return tenant;
    const names = (await tenants.list()).map((each) => each.name);
    throw new NotFoundError(`There is no tenant ${name}; there are: ${names.join(', ')}.`, {
      available: nearestFirst(name, names),
    });
  }
}

export function isEmpty({ rows, files }: TenantContents): boolean {
  return Object.keys(rows).length === 0 && Object.keys(files).length === 0;
}

/** Lists the counts: `2 rows of api_keys, 1 row of users, 3 files in datasources/acme`. */
export function formatContents({ rows, files }: TenantContents): string {
  const count = (number: number, noun: string) => `${number} ${plural(number, noun)}`;
  return [
    ...Object.entries(rows).map(([table, number]) => `${count(number, 'row')} of ${table}`),
    ...Object.entries(files).map(([folder, number]) => `${count(number, 'file')} in ${folder}`),
  ].join(', ');
}
