import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { ConflictError } from '../../router/errors.ts';
import { type Awaitable, run, type Steps, settled } from '../../router/steps.ts';
import type { IdentityDependencies } from './dependencies.ts';
import { checkTenantName, DEFAULT_TENANT, isAccountName, tenantIdFromColumn } from './names.ts';
import type { IdentityTables } from './tables.ts';

export interface Tenant {
  /** A UUID. */
  readonly id: TenantId;
  readonly name: string;
  /** `starter` without a subscription. */
  readonly tier: string;
  readonly createdAtMillis: number;
}

/** The customers of the installation. Each user, key and document belongs to one. */
export class Tenants {
  readonly #deps: IdentityDependencies;
  readonly #byName: RowFinder<IdentityTables['tenants'], 'name'>;

  constructor(deps: IdentityDependencies) {
    this.#deps = deps;
    this.#byName = compiledOnce(deps.state, (tables: Kysely<IdentityTables>, text: TextPlace<'name'>) =>
      tables.selectFrom('tenants').selectAll().where('name', '=', text('name')),
    );
  }

  /**
   * Returns the tenant of that name; makes it where it does not exist.
   *
   * @throws ValidationError at `tenant` for an illegal name
   * @throws ConflictError for a name that differs from a tenant's in case only
   */
  async ensure(name: string): Promise<Tenant> {
    const present = await this.find(name);
    if (present !== undefined) return present;
    if (name !== DEFAULT_TENANT) checkTenantName(name);
    const folded = name.toLowerCase();
    const near = (await this.list()).find((each) => each.name !== name && each.name.toLowerCase() === folded);
    if (near !== undefined)
      throw new ConflictError(
        `There is a tenant ${near.name} already (names that differ only in case count as the same).`,
      );
    const { state, clock } = this.#deps;
    await state
      .tables<IdentityTables>()
      .insertInto('tenants')
      .values({ id: randomUUID(), name, tier: 'starter', created_at: clock() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return tenantFromRow(await this.#select().where('name', '=', name).executeTakeFirstOrThrow());
  }

  find(name: string): Awaitable<Tenant | undefined> {
    return run(this.#finding(name));
  }

  *#finding(name: string): Steps<Tenant | undefined> {
    if (!isAccountName(name)) return undefined;
    const row = yield* settled(this.#byName({ name }));
    return row === undefined ? undefined : tenantFromRow(row);
  }

  async byId(id: TenantId): Promise<Tenant | undefined> {
    const row = await this.#select().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : tenantFromRow(row);
  }

  /** Lists all tenants, by name. */
  async list(): Promise<readonly Tenant[]> {
    return (await this.#select().orderBy('name').execute()).map(tenantFromRow);
  }

  /** Returns the ids of existing tenants. */
  async among(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#deps.state
      .tables<IdentityTables>()
      .selectFrom('tenants')
      .select('id')
      .where('id', 'in', ids)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }

  #select() {
    return this.#deps.state.tables<IdentityTables>().selectFrom('tenants').selectAll();
  }
}

function tenantFromRow(row: IdentityTables['tenants']): Tenant {
  return { id: tenantIdFromColumn(row.id), name: row.name, tier: row.tier, createdAtMillis: row.created_at };
}
