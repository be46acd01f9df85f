/** Maps the claims of an identity provider to an account. */
import { type Attributes, MAX_ATTRIBUTE_VALUES } from '../../router/capabilities/attributes.ts';
import {
  DEFAULT_TENANT,
  type ExternalIdentity,
  isAccountName,
  SignInRefusedError,
  USER_ROLE,
} from '../identity/index.ts';

/** The used claims, and the mapping of their values. */
export interface ClaimRules {
  /** The claim with the user's name; without it, the first valid one of `NAME_CLAIMS`. */
  readonly user: string | undefined;
  /** The claim with roles or groups; dots separate members of objects (`realm_access.roles`). */
  readonly roles: string;
  /** Maps a value of that claim to a role. Any other value gives no role. */
  readonly roleOf: ReadonlyMap<string, string>;
  /** The claim with the tenant; without it every user belongs to the default tenant. */
  readonly tenant: string | undefined;
  /** Maps a value of that claim to a tenant's name; empty where the values are the names. */
  readonly tenantOf: ReadonlyMap<string, string>;
  /** Maps an attribute to the claim with its values. */
  readonly attributes: ReadonlyMap<string, string>;
}

export type Claims = Readonly<Record<string, unknown>>;

/** `client_id` is the name of a client that acts for itself (RFC 9068, section 2.2). */
const NAME_CLAIMS = ['preferred_username', 'email', 'client_id', 'sub'] as const;

/**
 * Returns the user of claims. `sub` is the id that the provider never assigns to another person (OpenID Connect Core 1.0, section 2).
 *
 * @throws SignInRefusedError
 */
export function externalIdentity(claims: Claims, rules: ClaimRules): ExternalIdentity {
  const { sub: subject } = claims;
  if (typeof subject !== 'string' || subject === '') throw new SignInRefusedError('rejected');
  const names = rules.user === undefined ? NAME_CLAIMS.map((name) => claims[name]) : [claimAt(claims, rules.user)];
  const name = names.find((value): value is string => typeof value === 'string' && isAccountName(value));
  if (name === undefined) throw new SignInRefusedError('no_name');
  const granted = textsOf(claimAt(claims, rules.roles)).flatMap((value) => rules.roleOf.get(value) ?? []);
  const attributes = Object.fromEntries(
    [...rules.attributes].map(([attribute, claim]) => [attribute, attributeValues(claimAt(claims, claim))]),
  );
  return { subject, name, tenant: tenantOf(claims, rules), roles: [...new Set([USER_ROLE, ...granted])], attributes };
}

function tenantOf(claims: Claims, { tenant, tenantOf }: ClaimRules): string {
  if (tenant === undefined) return DEFAULT_TENANT;
  const value = claimAt(claims, tenant);
  const named = typeof value !== 'string' ? undefined : tenantOf.size === 0 ? value : tenantOf.get(value);
  if (named === undefined) throw new SignInRefusedError('no_tenant');
  return named;
}

/** Returns the claim of that name, which may contain dots (`https://example.com/roles`); otherwise the nested member. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[part];
  }
  return at;
}

/** Reads the texts of a claim; providers write several values as a list, or as words of one text (`scope`). */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...value.split(/[\s,]+/)];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

const MAX_CLAIM_TEXT = 256;

/**
 * Reads the values of an attribute: a text, a number, a boolean, or a list of them. A claim of another form, or with too
 * many values, gives none, so that its user sees no row.
 */
function attributeValues(claim: unknown): Attributes[string] | undefined {
  if (claim === undefined || claim === null) return undefined;
  const values = [claim].flat();
  if (values.length > MAX_ATTRIBUTE_VALUES) return [];
  const scalars = values.filter((value) => isScalar(value));
  return scalars.length === values.length ? [...new Set(scalars)] : [];
}

function isScalar(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_CLAIM_TEXT;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}
