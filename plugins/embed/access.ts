import type { Accounts, Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { EmbedInvalidError } from '../../router/errors.ts';
import type { PublicGrants } from './grants.ts';
import type { Resource } from './schemas.ts';
import { type EmbedTokenRow, type PublicGrantRow, scopeOf } from './tables.ts';
import type { EmbedTokens } from './tokens.ts';

export interface AccessDependencies {
  readonly tokens: EmbedTokens;
  readonly grants: PublicGrants;
  readonly accounts: Accounts;
  readonly log: Log;
}

/**
 * Whose eyes an embed read sees with. A token that was sent alone decides, also over a resource that is public; without
 * one, only a public grant opens it.
 *
 * Nothing of the resource itself is touched before access is proved, so that neither the answer nor the time it takes
 * tells whether there is such a document.
 *
 * @throws EmbedInvalidError in every case of no access, whatever the reason; the reason goes to the log alone
 */
export async function openEmbed(
  { tokens, grants, accounts, log }: AccessDependencies,
  token: string | undefined,
  resource: Resource,
): Promise<Scope> {
  if (token === undefined) {
    const grant = await grants.find(resource);
    if (grant === undefined) throw toEmbedInvalid(log, resource, 'no public grant');
    return activeOwner(grant);
  }
  const record = await tokens.open(token, resource);
  if (record === undefined) throw toEmbedInvalid(log, resource, 'no token that opens it');
  const owner = await activeOwner(record);
  await tokens.used(record);
  return owner;

  async function activeOwner(record: EmbedTokenRow | PublicGrantRow): Promise<Scope> {
    const owner = scopeOf(record);
    const account = await accounts.find(owner.tenant, owner.user);
    // A name that was given to somebody new does not inherit what its earlier bearer made embeddable.
    if (account === undefined || account.createdAtMillis > record.created_at)
      throw toEmbedInvalid(log, resource, 'owner is gone');
    return owner;
  }
}

/** The refusal of a read; why goes to the log alone. */
export function toEmbedInvalid(log: Log, { kind, path }: Resource, why: string): EmbedInvalidError {
  log.debug({ kind, path: path.slice(0, 200), why }, 'embed read refused');
  return new EmbedInvalidError();
}
