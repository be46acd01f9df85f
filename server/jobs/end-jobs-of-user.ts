import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { JobTables } from './tables.ts';

/** The owner of a removed user's jobs: no caller has this name. */
const NOBODY = '';

/** Cancels a removed user's running jobs on all nodes, and deletes the ended ones. */
export async function endJobsOf(state: State, clock: Clock, tenant: TenantId, user: string): Promise<void> {
  await state
    .tables<JobTables>()
    .transaction()
    .execute(async (transaction) => {
      // The row stays, so that the running node sees the cancel at its next heartbeat.
      await transaction
        .updateTable('jobs')
        .set({ owner: NOBODY, state: 'CANCELLED', finished_at: clock(), request: null })
        .where('tenant_id', '=', tenant)
        .where('owner', '=', user)
        .where('state', 'in', ['PENDING', 'RUNNING'])
        .execute();
      await transaction.deleteFrom('jobs').where('tenant_id', '=', tenant).where('owner', '=', user).execute();
    });
}
