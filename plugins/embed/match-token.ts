import type { Accounts, Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { EmbedInvalidError } from '../../router/errors.ts';
import type { PublicGrants } from './grants.ts';
import type { Resource } from './schemas.ts';
import { type EmbedTokenRow, type PublicGrantRow, scopeOf } from './tables.ts';
import { parseTenantPath, type TenantNames } from './tenant-path.ts';
import type { EmbedTokens } from './tokens.ts';

export interface AccessDependencies {
  readonly tokens: EmbedTokens;
  readonly grants: PublicGrants;
  readonly accounts: Accounts;
  readonly tenants: TenantNames;
  readonly log: Log;
}

/** What was opened, and whose eyes it is seen with. */
export interface OpenedEmbed {
  readonly owner: Scope;
  /** With its path in the repository of the owner's tenant. */
  readonly resource: Resource;
}

/**
 * Decides whose identity an embed read runs under. A token that was sent alone decides, also over a resource that is
 * public; without one, only a public grant opens it, of the tenant that the path names (of the first, where it names
 * none).
 *
 * Nothing of the resource itself is touched before access is proved, so that neither the answer nor the time it takes
 * tells whether there is such a document.
 *
 * @throws EmbedInvalidError in every case of no access, whatever the reason; the reason goes to the log alone
 */
export async function openEmbed(
  { tokens, grants, accounts, tenants, log }: AccessDependencies,
  token: string | undefined,
  { kind, path: named }: Resource,
): Promise<OpenedEmbed> {
  const { tenant: name, path } = parseTenantPath(named);
  const resource: Resource = { kind, path };
  const tenant = name === undefined ? tenants.first : await tenants.find(name);
  if (token === undefined) {
    const grant = tenant === undefined ? undefined : await grants.find(tenant, resource);
    if (grant === undefined) throw toEmbedInvalid(log, resource, 'no public grant');
    return { owner: await activeOwner(grant), resource };
  }
  const record = await tokens.open(token, resource);
  if (record === undefined || (name !== undefined && record.tenant_id !== tenant))
    throw toEmbedInvalid(log, resource, 'no token that opens it');
  const owner = await activeOwner(record);
  await tokens.used(record);
  return { owner, resource };

  async function activeOwner(record: EmbedTokenRow | PublicGrantRow): Promise<Scope> {
    const owner = scopeOf(record);
    const account = await accounts.find(owner.tenant, owner.user);
    // A name that was given to somebody new does not inherit what its earlier bearer made embeddable.
    if (account === undefined || account.createdAtMillis > record.created_at)
      throw toEmbedInvalid(log, resource, 'owner is gone');
    return owner;
  }
}

/** Makes the refusal of a read; why goes to the log alone. */
export function toEmbedInvalid(log: Log, { kind, path }: Resource, why: string): EmbedInvalidError {
  log.debug({ kind, path: path.slice(0, 200), why }, 'embed read refused');
  return new EmbedInvalidError();
}
