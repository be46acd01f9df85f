import { z } from 'zod';
import { type Attributes, AttributesSchema, attributesFrom } from '../../router/capabilities/attributes.ts';
import { isAdministrator, type Scope, type TenantId, type Viewer } from '../../router/capabilities/identity.ts';
import { readOnce } from '../../router/read-once.ts';
import type { DocumentKind } from '../repository/index.ts';

/** The user who made something embeddable. Embedded queries run as this user, with the roles and attributes recorded here. */
interface OwnedColumns {
  readonly tenant_id: string;
  readonly owner: string;
  /** JSON list of role names. */
  readonly owner_roles: string;
  /** JSON; null in rows of a version without attributes. */
  readonly owner_attributes: string | null;
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
  /** The host's name of the person whom the token is for; null for a token for anybody. */
  readonly viewer_id: string | null;
  /** JSON; null without a viewer. */
  readonly viewer_attributes: string | null;
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
  /** Signed tokens that were revoked before they expired. */
  readonly revoked_signed_tokens: RevokedSignedTokenRow;
}

export interface RevokedSignedTokenRow {
  readonly tenant_id: string;
  /** SHA-256 of the token's `jti`, base64url. */
  readonly jti_hash: string;
  readonly revoked_at: number;
}

const Roles = z.array(z.string());
const rolesIn = readOnce((json) => Roles.parse(JSON.parse(json)));
const attributesIn = readOnce((json): Attributes => attributesFrom(AttributesSchema.parse(JSON.parse(json))));

/** Makes a function of a row that gives the same object for the same row. */
function madeOnce<Row extends object>(make: (row: Row) => Scope): (row: Row) => Scope {
  const made = new WeakMap<Row, Scope>();
  return (row) => {
    const before = made.get(row);
    if (before !== undefined) return before;
    const scope = make(row);
    made.set(row, scope);
    return scope;
  };
}

/** Returns the identity that queries of a token without a viewer, or of a grant, run under. */
export const scopeOf = madeOnce(({ tenant_id, owner, owner_roles, owner_attributes }: OwnedColumns): Scope => {
  return {
    tenant: tenant_id as TenantId,
    user: owner,
    roles: rolesIn(owner_roles),
    attributes: attributesOf(owner_attributes),
  };
});

/** Returns the identity that queries of a token run under. */
export const scopeOfToken = madeOnce((row: EmbedTokenRow): Scope => {
  const owner = scopeOf(row);
  const { viewer_id, viewer_attributes } = row;
  return viewer_id === null ? owner : asViewer(owner, { id: viewer_id }, attributesOf(viewer_attributes), true);
});

/**
 * Returns the scope of a viewer who reads with an owner's roles.
 *
 * @param isMadeByOwner true where the owner chose the attributes. An owner who is not an administrator then gives away only
 *   rows that are visible to the owner, because a viewer's attributes must not widen what their maker may read
 */
export function asViewer(owner: Scope, viewer: Viewer, attributes: Attributes, isMadeByOwner: boolean): Scope {
  const { tenant, user, roles } = owner;
  const scope: Scope = { tenant, user, roles, attributes, viewer };
  return isMadeByOwner && !isAdministrator(owner) ? { ...scope, viewedBy: { ...owner, isAccount: true } } : scope;
}

function attributesOf(json: string | null): Attributes {
  return json === null ? {} : attributesIn(json);
}

export function ownedBy({ tenant, user, roles, attributes = {} }: Scope): OwnedColumns {
  return {
    tenant_id: tenant,
    owner: user,
    owner_roles: JSON.stringify(roles),
    owner_attributes: JSON.stringify(attributes),
  };
}
