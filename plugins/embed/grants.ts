import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { compiledOnce, type RowFinder, type TextPlace } from '../../router/compiled-query.ts';
import { ConflictError } from '../../router/errors.ts';
import type { Awaitable } from '../../router/steps.ts';
import type { DocumentKind } from '../repository/index.ts';
import type { Resource } from './schemas.ts';
import { type EmbedTables, ownedBy, type PublicGrantRow } from './tables.ts';

/** Resources that anybody may embed without a token. A resource has one grant in its tenant, and so one owner. */
export class PublicGrants {
  readonly #tables: Kysely<EmbedTables>;
  readonly #clock: Clock;
  readonly #finders: Readonly<Record<DocumentKind, RowFinder<PublicGrantRow, 'tenant' | 'path'>>>;

  constructor(state: State, clock: Clock) {
    this.#tables = state.tables<EmbedTables>();
    this.#clock = clock;
    this.#finders = { query: finder(state, 'query'), dashboard: finder(state, 'dashboard'), ai: finder(state, 'ai') };
  }

  /**
   * Makes a resource public. Its owner may do so again, which takes over the label and the roles of now.
   *
   * @throws ConflictError GRANT_EXISTS when another user has made it public
   */
  async create(owner: Scope, { kind, path }: Resource, label: string | undefined): Promise<void> {
    const owned = ownedBy(owner);
    const made = await this.#tables
      .insertInto('public_grants')
      .values({
        ...owned,
        id: randomUUID(),
        resource_kind: kind,
        resource_path: path,
        label: label ?? null,
        created_at: this.#clock(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'resource_kind', 'resource_path'])
          .doUpdateSet({
            label: label ?? null,
            owner_roles: owned.owner_roles,
            owner_attributes: owned.owner_attributes,
          })
          .where('public_grants.owner', '=', owned.owner),
      )
      .returning('id')
      .executeTakeFirst();
    if (made === undefined)
      throw new ConflictError('Another user has already made this resource public.', { code: 'GRANT_EXISTS' });
  }

  /** Lists the grants of an owner; without one, of all users of the tenant. */
  async list(tenant: TenantId, owner: string | undefined): Promise<readonly PublicGrantRow[]> {
    const ofTenant = this.#tables.selectFrom('public_grants').selectAll().where('tenant_id', '=', tenant);
    return (owner === undefined ? ofTenant : ofTenant.where('owner', '=', owner))
      .orderBy('resource_path')
      .orderBy('resource_kind')
      .execute();
  }

  /** Ends a grant. Returns false when that owner has none; without an owner, when the tenant has none. */
  async remove(tenant: TenantId, owner: string | undefined, { kind, path }: Resource): Promise<boolean> {
    const ofTenant = this.#tables
      .deleteFrom('public_grants')
      .where('resource_kind', '=', kind)
      .where('resource_path', '=', path)
      .where('tenant_id', '=', tenant);
    const removed = await (owner === undefined ? ofTenant : ofTenant.where('owner', '=', owner)).executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }

  find(tenant: TenantId, { kind, path }: Resource): Awaitable<PublicGrantRow | undefined> {
    return this.#finders[kind]({ tenant, path });
  }
}

function finder(state: State, kind: DocumentKind): RowFinder<PublicGrantRow, 'tenant' | 'path'> {
  return compiledOnce(state, (tables: Kysely<EmbedTables>, text: TextPlace<'tenant' | 'path'>) =>
    tables
      .selectFrom('public_grants')
      .selectAll()
      .where('tenant_id', '=', text('tenant'))
      .where('resource_kind', '=', kind)
      .where('resource_path', '=', text('path')),
  );
}
