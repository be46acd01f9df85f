/** Making, listing and revoking what lets other pages embed a resource. */
import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import { attributesFrom } from '../../router/capabilities/attributes.ts';
import { type Accounts, isAdministrator, type Scope, type TenantId } from '../../router/capabilities/identity.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import { ForbiddenError, NotFoundError, ValidationError } from '../../router/errors.ts';
import { operation } from '../../router/operation.ts';
import { DocumentKind, EXTENSION, kindOf } from '../repository/index.ts';
import type { PublicGrants } from './grants.ts';
import {
  Done,
  EmbedTokenListing,
  EmbedTokenRequest,
  EmbedTokenResponse,
  PublicGrantListing,
  PublicGrantRequest,
  PublicGrantResponse,
  type Resource,
} from './schemas.ts';
import { looksSigned, MAX_SIGNED_LENGTH, type SignedTokens } from './signed-tokens.ts';
import { publicPath, type TenantNames } from './tenant-path.ts';
import type { EmbedTokens } from './tokens.ts';

const BASE = '/rest/service/api/embed';
export const HOUR_MS = 3_600_000;
/** The most active tokens of a user. */
export const MAX_TOKENS_OF_USER = 200;

export interface ManagementDependencies {
  readonly tokens: EmbedTokens;
  readonly grants: PublicGrants;
  readonly signed: SignedTokens;
  readonly repository: Repository;
  readonly accounts: Accounts;
  readonly tenants: TenantNames;
  /** Active tokens a user may have. */
  readonly tokensPerUser: number;
}

export function managementOperations(dependencies: ManagementDependencies) {
  const { tokens, grants, signed, repository, tenants, tokensPerUser } = dependencies;
  /** Adds the path that embeds name a document by; nothing where that is the path itself. */
  const embedded = async (tenant: TenantId, path: string) =>
    tenant === tenants.first ? {} : { embedPath: await publicPath(tenants, tenant, path) };
  return {
    createToken: operation({
      summary: 'Make an embed token for one saved query, dashboard or ask box',
      description:
        'The token reads this one resource with the roles that the caller has now, until it expires or is revoked. With a `viewer` it shows the rows of that person: the viewer filters of models and cubes compare with the viewer’s attributes, and of a caller who is no administrator with the caller’s own too.',
      access: 'user',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/tokens`, body: '*' },
      implementationChoice: 'resourceKind and resourcePath are required; ttlHours is 72 where it is left out.',
    })
      .input(EmbedTokenRequest)
      .output(EmbedTokenResponse)
      .mutation(async ({ ctx, input: { resourceKind, resourcePath, ttlHours, label, viewer } }) => {
        const owner = userOf(ctx);
        const resource = await grantable(dependencies, owner, resourceKind, resourcePath);
        const ttlMs = ttlHours * HOUR_MS;
        const { token, expiresAtMillis } = await tokens.create(owner, resource, {
          label,
          ttlMs,
          limit: tokensPerUser,
          viewer: viewer && { id: viewer.id, attributes: attributesFrom(viewer.attributes) },
        });
        return { status: 'OK', token, resourceKind, resourcePath, expiresAt: expiresAtMillis } as const;
      }),

    listTokens: operation({
      summary: "List the caller's embed tokens, expired and revoked ones too",
      access: 'user',
      rest: { method: 'GET', path: `${BASE}/tokens`, query: ['all'] },
      implementationChoice: 'The shape of the list. Tokens are listed for 30 days after they expire.',
    })
      .input(
        z.strictObject({
          all: z.boolean().default(false).meta({ description: 'Of all users of the tenant; for administrators.' }),
        }),
      )
      .output(z.array(EmbedTokenListing))
      .query(async ({ ctx, input: { all } }) => {
        const caller = userOf(ctx);
        if (all && !isAdministrator(caller))
          throw new ForbiddenError('Only administrators list the tokens of all users.');
        const rows = await tokens.list(caller.tenant, all ? undefined : caller.user);
        return rows.map((row) => ({
          id: row.id,
          resourceKind: row.resource_kind,
          resourcePath: row.resource_path,
          label: row.label,
          owner: row.owner,
          ...(row.viewer_id === null ? {} : { viewer: { id: row.viewer_id } }),
          createdAt: instant(row.created_at),
          expiresAt: instant(row.expires_at),
          revoked: row.revoked_at !== null,
          lastUsedAt: row.last_used_at === null ? null : instant(row.last_used_at),
        }));
      }),

    revokeToken: operation({
      summary: 'Revoke an embed token, from the next request on',
      access: 'user',
      csrf: 'session',
      rest: { method: 'DELETE', path: `${BASE}/tokens/{token}` },
      implementationChoice:
        'Administrators revoke the tokens of all users of their tenant. Revoking again is no error.',
    })
      .input(
        z.strictObject({
          token: z.string().max(MAX_SIGNED_LENGTH).meta({
            description:
              'The token, or its id from the list. Of a token that the host signed: the token, or `jti:` and its `jti`.',
          }),
        }),
      )
      .output(Done)
      .mutation(async ({ ctx, input: { token } }) => {
        const caller = userOf(ctx);
        const isRevoked = looksSigned(token)
          ? await signed.revoke(caller, token)
          : await tokens.revoke(caller.tenant, ownerFilter(caller), token);
        if (!isRevoked) throw new NotFoundError('You have no such embed token.');
        return { status: 'OK' } as const;
      }),

    createGrant: operation({
      summary: 'Make one saved query or dashboard embeddable by anybody, without a token',
      description: 'It is shown with the roles that the caller has now.',
      access: 'user',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}/public`, body: '*' },
      implementationChoice:
        'A kind and a path have one public grant in a tenant; another user’s is a conflict. An ask box has none. `embedPath`, of other tenants than the first: what anybody embeds it by, `tenants/<tenant>/<path>`.',
    })
      .input(PublicGrantRequest)
      .output(PublicGrantResponse)
      .mutation(async ({ ctx, input: { resourceKind, resourcePath, label } }) => {
        const owner = userOf(ctx);
        await grants.create(owner, await grantable(dependencies, owner, resourceKind, resourcePath), label);
        return { status: 'OK', resourceKind, resourcePath, ...(await embedded(owner.tenant, resourcePath)) } as const;
      }),

    listGrants: operation({
      summary: "List the caller's public grants",
      description:
        'With `others=true` also the grants of other users of the tenant, of documents that the caller may read: so that one sees what is public already.',
      access: 'user',
      rest: { method: 'GET', path: `${BASE}/public`, query: ['others'] },
      implementationChoice: 'The shape of the list; `others` and `isOwn`.',
    })
      .input(z.strictObject({ others: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional() }))
      .output(z.array(PublicGrantListing))
      .query(async ({ ctx, input: { others = false } }) => {
        const caller = userOf(ctx);
        const all = await grants.list(caller.tenant, others ? undefined : caller.user);
        const readable = all.some((row) => row.owner !== caller.user)
          ? await readablePaths(repository, caller)
          : undefined;
        const rows = all.filter((row) => row.owner === caller.user || readable?.has(row.resource_path) === true);
        return Promise.all(
          rows.map(async (row) => ({
            resourceKind: row.resource_kind,
            resourcePath: row.resource_path,
            label: row.label,
            owner: row.owner,
            isOwn: row.owner === caller.user,
            createdAt: instant(row.created_at),
            ...(await embedded(caller.tenant, row.resource_path)),
          })),
        );
      }),

    removeGrant: operation({
      summary: 'End a public grant',
      access: 'user',
      csrf: 'session',
      rest: { method: 'DELETE', path: `${BASE}/public`, query: ['kind', 'path'] },
      implementationChoice: 'Administrators end the grants of all users of their tenant.',
    })
      .input(z.strictObject({ kind: DocumentKind, path: PathText.min(1) }))
      .output(Done)
      .mutation(async ({ ctx, input }) => {
        const caller = userOf(ctx);
        if (!(await grants.remove(caller.tenant, ownerFilter(caller), input)))
          throw new NotFoundError('There is no such public grant of yours.');
        return { status: 'OK' } as const;
      }),
  };
}

/** Returns the paths of the documents that a caller may read. */
async function readablePaths(repository: Repository, caller: Scope): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(Object.values(EXTENSION).map((extension) => repository.list(caller, extension)));
  return new Set(lists.flat().map(({ path }) => path));
}

function instant(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}

/** Returns the user whose tokens and grants a caller may end; `undefined` for all users of its tenant. */
function ownerFilter(caller: Scope): string | undefined {
  return isAdministrator(caller) ? undefined : caller.user;
}

/**
 * Returns the resource, if the caller may give it away: of that kind, readable by the caller, the caller an account.
 */
export async function grantable(
  { repository, accounts }: Pick<ManagementDependencies, 'repository' | 'accounts'>,
  owner: Scope,
  kind: DocumentKind,
  path: string,
): Promise<Resource> {
  if (kindOf(path) !== kind)
    throw ValidationError.at(['resourcePath'], `The path of a ${kind} ends in ${EXTENSION[kind]}.`);
  // A resource that an API key embeds would have no reader: an embed ends with its owner's account.
  if ((await accounts.find(owner.tenant, owner.user)) === undefined)
    throw new ForbiddenError('Embeds belong to a user account. Sign in as a user instead of using an API key.');
  const document = await repository.read(owner, path);
  if (document === undefined) throw new NotFoundError('There is no such resource, or you may not read it.');
  return { kind, path: document.info.path };
}
