import { z } from 'zod';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { DocumentKind } from '../repository/index.ts';

/** The user who made something embeddable. Embedded queries run as this user, with the roles recorded here. */
interface OwnedColumns {
  readonly tenant_id: string;
  readonly owner: string;
  /** JSON list of role names. */
  readonly owner_roles: string;
}

interface ResourceColumns {
  readonly resource_kind: DocumentKind;
  readonly resource_path: string;
}

export interface EmbedTokenRow extends OwnedColumns, ResourceColumns {
  readonly id: string;
  /** SHA-256 of the token, base64url. The token itself is nowhere. */
  readonly token_hash: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export interface PublicGrantRow extends OwnedColumns, ResourceColumns {
  readonly id: string;
  readonly label: string | null;
  readonly created_at: number;
}

export interface EmbedTables {
  readonly embed_tokens: EmbedTokenRow;
  /** One row for each user with a token, which is locked while the user's tokens are counted. */
  readonly embed_owners: { readonly tenant_id: string; readonly owner: string };
  readonly public_grants: PublicGrantRow;
}

const Roles = z.array(z.string());

/** Returns the identity that queries of a token or a grant run under. */
export function scopeOf({ tenant_id, owner, owner_roles }: OwnedColumns): Scope {
  return { tenant: tenant_id as TenantId, user: owner, roles: Roles.parse(JSON.parse(owner_roles)) };
}

export function ownedBy({ tenant, user, roles }: Scope): OwnedColumns {
  return { tenant_id: tenant, owner: user, owner_roles: JSON.stringify(roles) };
}
