/**
 * The caller of an operation. `server/identity` makes callers from cookies, headers and keys; plugins only read them.
 */

export type TenantId = string & { readonly __brand: 'TenantId' };

/** The role that makes a user an administrator. */
export const ADMINISTRATOR_ROLE = 'ROLE_ADMIN';

/** The identity of a query: it decides row predicates and denied fields, and is part of every cache key. */
export interface Scope {
  readonly tenant: TenantId;
  readonly user: string;
  readonly roles: readonly string[];
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

export interface UserCaller extends Scope {
  readonly kind: 'user';
  readonly via: Proof;
}

/** The proof of a caller's identity: `api-key` and `access-token` (of an identity provider) are bearer credentials. */
export type Proof = 'session' | 'basic' | 'api-key' | 'access-token';

/** Returns whether a caller sent a bearer credential, which no browser sends by itself: such a call needs no CSRF pair. */
export function isBearer({ via }: UserCaller): boolean {
  return via === 'api-key' || via === 'access-token';
}

export type Caller = AnonymousCaller | UserCaller;

export function isAdministrator(caller: Caller | Scope): boolean {
  return 'roles' in caller && caller.roles.includes(ADMINISTRATOR_ROLE);
}

export interface Account {
  readonly roles: readonly string[];
  /** Creation time of the account. Earlier actions under its name belong to another person. */
  readonly createdAtMillis: number;
}

/** Look-ups of accounts that plugins need. */
export interface Accounts {
  /** Returns the current user of that name; `undefined` when none exists. */
  find(tenant: TenantId, user: string): Promise<Account | undefined>;
}
