/** Examines the state store: whether it opens, and whether an administrator exists. Changes nothing in a state of SQLite. */
import { existsSync } from 'node:fs';
import { ADMINISTRATOR_ROLE } from '../../../router/capabilities/identity.ts';
import { stateFile } from '../../home-directory/home-directory.ts';
import { DEFAULT_TENANT, identityMigrations, openIdentity } from '../../identity/index.ts';
import type { Setup } from '../../installation/setup.ts';
import { openState } from '../../state/index.ts';
import { type Finding, failed, messageOf, ok, warning } from './finding.ts';

/** Describes the tenants in the state. */
export interface StateExamination {
  readonly findings: readonly Finding[];
  /** The names of the tenants; only the default one where the state does not open. */
  readonly tenants: readonly string[];
}

export async function examineState({ home, config, log }: Setup): Promise<StateExamination> {
  const url = config['service.state.url'] || undefined;
  const none = { tenants: [DEFAULT_TENANT] };
  if (url === undefined && !existsSync(stateFile(home)))
    return {
      ...none,
      findings: [
        warning('state', 'No server has run on this home yet.', 'Run `service start`, which makes the state.'),
      ],
    };
  try {
    const state = await openState({ url, sqliteFile: stateFile(home), log });
    try {
      await state.migrate({ identity: identityMigrations });
      const { tenants, users } = await openIdentity({ state, clock: Date.now, log });
      const all = await tenants.list();
      const administrators = (await users.list()).filter(
        ({ roles, isDisabled }) => roles.includes(ADMINISTRATOR_ROLE) && !isDisabled,
      );
      const findings = [
        ok('state', `${state.engine}, ${all.length} ${all.length === 1 ? 'tenant' : 'tenants'}`),
        ...(administrators.length === 0
          ? [failed('state', 'No user is an administrator.', 'Run `service user add NAME --admin`.')]
          : []),
      ];
      return { tenants: all.map(({ name }) => name), findings };
    } finally {
      await state.close();
    }
  } catch (error) {
    const remedy =
      url === undefined
        ? 'Stop other programs that use the file, or restore a backup with `service restore`.'
        : 'Check service.state.url, and that the database runs and admits this machine.';
    return { ...none, findings: [failed('state', messageOf(error), remedy)] };
  }
}
