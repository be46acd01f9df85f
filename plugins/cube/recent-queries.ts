/** Keeps recent queries in the state, so that callers can drill through their cells on any node of the service. */
import type { Kysely } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import { type Scope, type TenantId, visibilityKey } from '../../router/capabilities/identity.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { CubeQueryRequest } from './api/schemas.ts';

interface RecentQueryTables {
  readonly cube_queries: {
    readonly id: string;
    readonly tenant_id: string;
    readonly owner: string;
    /** JSON list of role names. */
    readonly owner_roles: string;
    /** JSON. */
    readonly request: string;
    readonly asked_at: number;
  };
}

export const recentQueryMigrations: Migrations = {
  '0001_cube_queries': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('cube_queries')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('request', 'text', (column) => column.notNull())
        .addColumn('asked_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('cube_queries_asked_at').on('cube_queries').column('asked_at').execute();
    },
  },
};

/** Deletes the queries of a removed user. */
export async function deleteRecentQueriesOf(state: State, tenant: TenantId, user: string): Promise<void> {
  await state
    .tables<RecentQueryTables>()
    .deleteFrom('cube_queries')
    .where('tenant_id', '=', tenant)
    .where('owner', '=', user)
    .execute();
}

/** The number of new queries after which old ones are deleted. */
const SWEEP_EVERY = 200;

export class RecentQueries {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #keepMs: number;
  #since = 0;

  /** @param keepMs milliseconds to keep a query, as long as answers of asynchronous queries */
  constructor(state: State, clock: Clock, keepMs: number) {
    this.#state = state;
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  async remember(id: string, request: CubeQueryRequest, scope: Scope): Promise<void> {
    const tables = this.#state.tables<RecentQueryTables>();
    const now = this.#clock();
    await tables
      .insertInto('cube_queries')
      .values({
        id,
        tenant_id: scope.tenant,
        owner: scope.user,
        owner_roles: visibilityKey(scope),
        request: JSON.stringify(request),
        asked_at: now,
      })
      .execute();
    if (this.#since++ % SWEEP_EVERY !== 0) return;
    await tables
      .deleteFrom('cube_queries')
      .where('asked_at', '<', now - this.#keepMs)
      .execute();
  }

  /**
   * Finds a recent request; `undefined` if the id is unknown or too old, or belongs to another user, other roles or other
   * attributes.
   */
  async find(id: string, scope: Scope): Promise<CubeQueryRequest | undefined> {
    const row = await this.#state
      .tables<RecentQueryTables>()
      .selectFrom('cube_queries')
      .select('request')
      .where('id', '=', id)
      .where('tenant_id', '=', scope.tenant)
      .where('owner', '=', scope.user)
      .where('owner_roles', '=', visibilityKey(scope))
      .where('asked_at', '>=', this.#clock() - this.#keepMs)
      .executeTakeFirst();
    return row === undefined ? undefined : CubeQueryRequest.parse(JSON.parse(row.request));
  }
}
