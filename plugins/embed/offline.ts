/** Embed tokens for commands that run beside the server. */
import type { Attributes } from '../../router/capabilities/attributes.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Accounts, Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import type { State } from '../../router/capabilities/state.ts';
import { ValidationError } from '../../router/errors.ts';
import { kindOf } from '../repository/index.ts';
import { grantable, HOUR_MS, MAX_TOKENS_OF_USER } from './management-operations.ts';
import { EmbedTokens, type NewEmbedToken } from './tokens.ts';

interface OfflineTokensOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly repository: Repository;
  readonly accounts: Accounts;
}

export interface OfflineTokenEntry {
  readonly id: string;
  readonly path: string;
  readonly label: string | null;
  readonly owner: string;
  readonly viewer: string | null;
  readonly expiresAtMillis: number;
  readonly lastUsedAtMillis: number | null;
  readonly isRevoked: boolean;
}

/** Returns the tokens of an installation: made, listed and revoked as the operations of the server do it. */
export function offlineTokens({ state, clock, repository, accounts }: OfflineTokensOptions) {
  const tokens = new EmbedTokens(state, clock);
  return {
    /** @throws ValidationError, NotFoundError, ForbiddenError, ConflictError as the operation */
    async create(
      owner: Scope,
      path: string,
      options: {
        readonly hours: number;
        readonly label: string | undefined;
        readonly viewer: { readonly id: string; readonly attributes: Attributes } | undefined;
      },
    ): Promise<NewEmbedToken> {
      const kind = kindOf(path);
      if (kind === undefined) throw ValidationError.at(['resourcePath'], `${path} is no path of a document.`);
      const { hours, label, viewer } = options;
      return tokens.create(owner, await grantable({ repository, accounts }, owner, kind, path), {
        label,
        ttlMs: hours * HOUR_MS,
        limit: MAX_TOKENS_OF_USER,
        viewer,
      });
    },
    async list(tenant: TenantId, owner: string | undefined): Promise<readonly OfflineTokenEntry[]> {
      return (await tokens.list(tenant, owner)).map((row) => ({
        id: row.id,
        path: row.resource_path,
        label: row.label,
        owner: row.owner,
        viewer: row.viewer_id,
        expiresAtMillis: Number(row.expires_at),
        lastUsedAtMillis: row.last_used_at === null ? null : Number(row.last_used_at),
        isRevoked: row.revoked_at !== null,
      }));
    },
    revoke: (tenant: TenantId, id: string): Promise<boolean> => tokens.revoke(tenant, undefined, id),
  };
}
