/** From the claims of an identity provider to an account here. */
import {
  DEFAULT_TENANT,
  type ExternalIdentity,
  isAccountName,
  SignInRefusedError,
  USER_ROLE,
} from '../identity/index.ts';

/** The claims that are read, and the meaning of their values here. */
export interface ClaimRules {
  /** The claim that holds the user's name; without it, the first of `NAME_CLAIMS` that can be one. */
  readonly user: string | undefined;
  /** The claim that holds roles or groups; dots lead into objects (`realm_access.roles`). */
  readonly roles: string;
  /** Value of that claim -> role here. Any other value gives no role. */
  readonly roleOf: ReadonlyMap<string, string>;
  /** The claim that names the tenant; without it everybody belongs to the default tenant. */
  readonly tenant: string | undefined;
  /** Value of that claim -> name of a tenant; empty where the values are the names. */
  readonly tenantOf: ReadonlyMap<string, string>;
}

export type Claims = Readonly<Record<string, unknown>>;

/** `client_id` is the name of a program that calls for itself (RFC 9068, section 2.2). */
const NAME_CLAIMS = ['preferred_username', 'email', 'client_id', 'sub'] as const;

/**
 * Returns the person of claims. `sub` is the id that the provider never gives to another person (OpenID Connect Core
 * 1.0, section 2).
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
  return { subject, name, tenant: tenantOf(claims, rules), roles: [...new Set([USER_ROLE, ...granted])] };
}

function tenantOf(claims: Claims, { tenant, tenantOf }: ClaimRules): string {
  if (tenant === undefined) return DEFAULT_TENANT;
  const value = claimAt(claims, tenant);
  const named = typeof value !== 'string' ? undefined : tenantOf.size === 0 ? value : tenantOf.get(value);
  if (named === undefined) throw new SignInRefusedError('no_tenant');
  return named;
}

/** Returns the claim of that name, which may hold dots (`https://example.com/roles`), else what its dots lead to. */
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
