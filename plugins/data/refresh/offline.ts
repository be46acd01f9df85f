/** The scheduled refreshes for commands, which run without a server. */
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { State } from '../../../router/capabilities/state.ts';
import type { Comparison, Refresh } from '../schemas.ts';
import { dataMigrations } from '../tables.ts';
import { refreshView } from './operations.ts';
import { Schedules } from './schedules.ts';

type Rows = Promise<readonly Refresh[]>;

export interface ScheduledRefreshes {
  list(): Rows;
  /** Returns what the files of the last run changed. */
  comparison(id: string): Promise<Comparison>;
  run(id: string): Rows;
  pause(id: string): Rows;
  resume(id: string): Rows;
  remove(id: string): Rows;
}

/** Opens the scheduled refreshes of a tenant. A server that was never started has not created their table. */
export async function scheduledRefreshes(
  state: State & { migrate(migrations: { readonly data: typeof dataMigrations }): Promise<unknown> },
  tenant: TenantId,
): Promise<ScheduledRefreshes> {
  await state.migrate({ data: dataMigrations });
  const schedules = new Schedules(state, Date.now);
  const view = async (row: ReturnType<Schedules['get']>) => [refreshView(await row, Date.now())];
  return {
    list: async () => (await schedules.list(tenant)).map((row) => refreshView(row, Date.now())),
    comparison: (id) => schedules.comparison(tenant, id),
    run: (id) => view(schedules.runSoon(tenant, id)),
    pause: (id) => view(schedules.pause(tenant, id, true)),
    resume: (id) => view(schedules.pause(tenant, id, false)),
    async remove(id) {
      await schedules.remove(tenant, id);
      return [];
    },
  };
}
