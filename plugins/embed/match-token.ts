import type { Accounts, Scope } from '../../router/capabilities/identity.ts';
import type { Log } from '../../router/capabilities/log.ts';
import { EmbedInvalidError } from '../../router/errors.ts';
import { type Steps, settled } from '../../router/steps.ts';
import type { PublicGrants } from './grants.ts';
import type { Resource } from './schemas.ts';
import { looksSigned, type SignedTokens } from './signed-tokens.ts';
import { type EmbedTokenRow, type PublicGrantRow, scopeOf, scopeOfToken } from './tables.ts';
import { parseTenantPath, type TenantNames } from './tenant-path.ts';
import type { EmbedTokens } from './tokens.ts';

export interface AccessDependencies {
  readonly tokens: EmbedTokens;
  readonly grants: PublicGrants;
  readonly signed: SignedTokens;
  readonly accounts: Accounts;
  readonly tenants: TenantNames;
  readonly log: Log;
}

/** An opened resource, and the identity that reads it. */
export interface OpenedEmbed {
  readonly owner: Scope;
  /** With its path in the repository of the owner's tenant. */
  readonly resource: Resource;
}

/**
 * Matches a token with the document of a read, and returns the identity that the read runs under. A token alone
 * decides, also for a public resource. Without a token, only a public grant opens the resource, in the tenant of the
 * path (the first tenant, where the path names none).
 *
 * Access is checked before the resource is touched, so that neither the answer nor its duration reveals whether the
 * document exists.
 *
 * @throws EmbedInvalidError in every case of no access; only the log has the reason
 */
export function* openEmbed(
  { tokens, grants, signed, accounts, tenants, log }: AccessDependencies,
  token: string | undefined,
  { kind, path: named }: Resource,
): Steps<OpenedEmbed> {
  const { tenant: name, path } = parseTenantPath(named);
  const resource: Resource = { kind, path };
  const tenant = name === undefined ? tenants.first : yield* settled(tenants.find(name));
  if (token === undefined) {
    const grant = tenant === undefined ? undefined : yield* settled(grants.find(tenant, resource));
    if (grant === undefined) throw toEmbedInvalid(log, resource, 'no public grant');
    return { owner: yield* activeOwner(grant, scopeOf(grant)), resource };
  }
  if (looksSigned(token)) {
    // A path that names an unknown tenant is no path of the token's tenant either.
    if (name !== undefined && tenant === undefined) throw toEmbedInvalid(log, resource, 'no such tenant');
    const owner = yield* settled(signed.open(token, resource, name === undefined ? undefined : tenant));
    if (owner === undefined) throw toEmbedInvalid(log, resource, 'no signed token that opens it');
    return { owner, resource };
  }
  const record = yield* tokens.open(token, resource);
  if (record === undefined || (name !== undefined && record.tenant_id !== tenant))
    throw toEmbedInvalid(log, resource, 'no token that opens it');
  const owner = yield* activeOwner(record, scopeOfToken(record));
  yield* settled(tokens.used(record));
  return { owner, resource };

  function* activeOwner(record: EmbedTokenRow | PublicGrantRow, owner: Scope): Steps<Scope> {
    const account = yield* settled(accounts.find(owner.tenant, owner.user));
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
