import { ADMINISTRATOR_ROLE, type TenantId } from '../../router/capabilities/identity.ts';
import { DEFAULT_TENANT, FIRST_ADMINISTRATOR, type Identity } from '../identity/index.ts';
import type { Setup } from '../installation/setup.ts';
import { endJobsOf, jobMigrations } from '../jobs/index.ts';
import {
  agentCallMigrations,
  deleteAgentCallsOf,
  deleteDocumentVersionsOf,
  deleteRecentQueriesOf,
  embedMigrations,
  endEmbedsOfUser,
  recentQueryMigrations,
  repositoryMigrations,
} from '../launcher-offline.ts';
import { handOver } from '../repository/hand-over.ts';
import type { StateStore } from '../state/index.ts';
import { TenantFolders } from '../tenants/tenant-folders.ts';

/** The owner of documents in a tenant without an administrator. No account can have this name. */
const NOBODY = '~removed';

/**
 * Ends everything of a removed user, so that a later user of the same name inherits nothing: embeds, queries and jobs end, and documents move to an
 * administrator. Returns the new place of the documents, if there are any.
 */
export async function endAllOf(
  tenant: TenantId,
  user: string,
  { state, identity, setup }: { readonly state: StateStore; readonly identity: Identity; readonly setup: Setup },
): Promise<string | undefined> {
  // The owners' names from the launcher: a server that was never started has not created these tables.
  await state.migrate({
    agents: agentCallMigrations,
    jobs: jobMigrations,
    embed: embedMigrations,
    cube: recentQueryMigrations,
    repository: repositoryMigrations,
  });
  await endEmbedsOfUser(state, tenant, user);
  await endJobsOf(state, Date.now, tenant, user);
  await deleteRecentQueriesOf(state, tenant, user);
  await deleteAgentCallsOf(state, tenant, user);
  await deleteDocumentVersionsOf(state, tenant, user);
  const first = await identity.tenants.ensure(DEFAULT_TENANT);
  const to = await heirOf(identity, tenant);
  const folders = new TenantFolders(setup.home, identity.tenants, first);
  return handOver({ directory: (await folders.of(tenant)).repository, from: user, to });
}

async function heirOf(identity: Identity, tenant: TenantId): Promise<string> {
  const administrators = (await identity.users.list(tenant)).filter(({ roles }) => roles.includes(ADMINISTRATOR_ROLE));
  const first = administrators.find(({ name }) => name === FIRST_ADMINISTRATOR) ?? administrators[0];
  return first?.name ?? NOBODY;
}
