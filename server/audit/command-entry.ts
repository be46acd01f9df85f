import { userInfo } from 'node:os';
import type { Log } from '../../router/capabilities/log.ts';
import type { StateStore } from '../state/index.ts';
import { AuditLog } from './audit-log.ts';
import type { AuditEntry } from './operation-entry.ts';
import { auditMigrations } from './tables.ts';

/** Records a change by a command of `service` in the audit log; the actor is the system account that ran it. */
export async function recordCommand(
  state: StateStore,
  log: Log,
  { tenant, ...entry }: Pick<AuditEntry, 'kind' | 'action' | 'target'> & { readonly tenant: string | null },
): Promise<void> {
  await state.migrate({ audit: auditMigrations });
  const audit = new AuditLog({ state, clock: Date.now, log, keepMs: 0 });
  audit.record({
    ...entry,
    tenant_id: tenant,
    actor: systemUser(),
    via: 'command',
    address: '',
    outcome: 'OK',
    viewer: null,
    row_count: null,
    duration_ms: null,
    request_id: '',
  });
  await audit.close();
}

/** Returns the user of the process; null in a container with a user number without an account. */
function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
