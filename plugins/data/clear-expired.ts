/** Removes prepared data that nobody confirmed, and what can no longer be undone. */
import { rm } from 'node:fs/promises';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { DataChanges } from './changes.ts';
import type { DataFiles } from './data-files.ts';
import { ORPHAN_AGE_MS } from './limits.ts';
import type { Removals } from './remove/removals.ts';

export interface ClearingDependencies {
  readonly changes: DataChanges;
  readonly files: DataFiles;
  readonly removals: Removals;
  readonly tenants: () => Promise<readonly TenantId[]>;
  readonly clock: Clock;
  readonly log: Log;
}

export async function clearExpired({
  changes,
  files,
  removals,
  tenants,
  clock,
  log,
}: ClearingDependencies): Promise<void> {
  const present = new Set(await tenants());
  for (const row of await changes.expired()) {
    const tenant = [...present].find((each) => each === row.tenant_id);
    // Of several nodes, one removes the row and then the files.
    if (!(await changes.remove(row)) || tenant === undefined) continue;
    try {
      if (row.state === 'removed') await removals.forget(tenant, row.content);
      else {
        await rm(await files.nextFile(tenant, row.id), { force: true });
        await rm(await files.keptFile(tenant, row.id), { force: true });
      }
    } catch (error) {
      log.warn({ err: error, tenant: row.tenant_id }, 'data that is no longer needed could not be removed');
    }
  }
  for (const tenant of present) {
    const ids = new Set((await changes.list(tenant)).map(({ id }) => id));
    await files.clear(tenant, ids, clock() - ORPHAN_AGE_MS);
  }
}
