/** Keeps the calls behind long answers in the state, so that any node of the service can send further rows. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../../router/capabilities/clock.ts';
import { type Scope, type TenantId, visibilityKey } from '../../router/capabilities/identity.ts';
import type { Migrations, State } from '../../router/capabilities/state.ts';
import { KEEP_CALLS_MS } from './limits.ts';

interface KeptCallTables {
  readonly agent_calls: {
    readonly id: string;
    readonly tenant_id: string;
    readonly owner: string;
    /** See `visibilityKey`. */
    readonly owner_roles: string;
    readonly tool: string;
    /** JSON. */
    readonly input: string;
    /** Of the rows of the answer, so that pages of two answers are never mixed; empty where the answer is shown and has no pages. */
    readonly digest: string;
    readonly called_at: number;
  };
}

export const agentCallMigrations: Migrations = {
  '0001_agent_calls': {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('agent_calls')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('tenant_id', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('owner_roles', 'text', (column) => column.notNull())
        .addColumn('tool', 'text', (column) => column.notNull())
        .addColumn('input', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('called_at', 'bigint', (column) => column.notNull())
        .execute();
      await database.schema.createIndex('agent_calls_called_at').on('agent_calls').column('called_at').execute();
    },
  },
};

/** A call with a long answer. */
export interface KeptCall {
  readonly tool: string;
  readonly input: unknown;
  readonly digest: string;
}

/** Keeps calls for a while. */
export interface KeptCalls {
  /** Returns the handle of a call. */
  keep(call: KeptCall, scope: Scope): Promise<string>;
  /** Finds a call; `undefined` if the handle is unknown or too old, or belongs to another user, other roles or other attributes. */
  find(handle: string, scope: Scope): Promise<KeptCall | undefined>;
}

/** The number of new calls after which old ones are deleted. */
const SWEEP_EVERY = 200;

export function keptCalls(state: State, clock: Clock): KeptCalls {
  const tables = state.tables<KeptCallTables>();
  let since = 0;
  return {
    async keep({ tool, input, digest }, scope) {
      const id = randomUUID();
      const now = clock();
      await tables
        .insertInto('agent_calls')
        .values({
          id,
          tenant_id: scope.tenant,
          owner: scope.user,
          owner_roles: visibilityKey(scope),
          tool,
          input: JSON.stringify(input),
          digest,
          called_at: now,
        })
        .execute();
      if (since++ % SWEEP_EVERY === 0)
        await tables
          .deleteFrom('agent_calls')
          .where('called_at', '<', now - KEEP_CALLS_MS)
          .execute();
      return id;
    },
    async find(handle, scope) {
      const row = await tables
        .selectFrom('agent_calls')
        .select(['tool', 'input', 'digest'])
        .where('id', '=', handle)
        .where('tenant_id', '=', scope.tenant)
        .where('owner', '=', scope.user)
        .where('owner_roles', '=', visibilityKey(scope))
        .where('called_at', '>=', clock() - KEEP_CALLS_MS)
        .executeTakeFirst();
      return row && { ...row, input: JSON.parse(row.input) as unknown };
    },
  };
}

/** Deletes the calls of a removed user. */
export async function deleteAgentCallsOf(state: State, tenant: TenantId, user: string): Promise<void> {
  await state
    .tables<KeptCallTables>()
    .deleteFrom('agent_calls')
    .where('tenant_id', '=', tenant)
    .where('owner', '=', user)
    .execute();
}
