/**
 * The caller of an operation. `server/identity` makes callers from cookies, headers and keys; plugins only read them.
 */

import type { KeyScope } from '../key-scopes.ts';
import type { Awaitable } from '../steps.ts';
import { type Attributes, attributesKey } from './attributes.ts';

export type TenantId = string & { readonly __brand: 'TenantId' };

/** The role that makes a user an administrator. */
export const ADMINISTRATOR_ROLE = 'ROLE_ADMIN';

/** The identity of a query: it decides row predicates and denied fields, and is part of every cache key. */
export interface Scope {
  readonly tenant: TenantId;
  readonly user: string;
  readonly roles: readonly string[];
  /**
   * Values that viewer filters compare with. Without the attribute of a filter, the caller sees no row of the filtered
   * data.
   */
  readonly attributes?: Attributes | undefined;
  /** The person whom an embed is shown to, as the host page's server names them. */
  readonly viewer?: Viewer | undefined;
  /**
   * True for a caller that proved to be this user. `viewer_exempt` frees only such a caller: an embed that its owner's
   * roles read for somebody else is never exempt.
   */
  readonly isAccount?: true | undefined;
  /** The caller who views as this one. Whatever this caller may not see stays hidden. */
  readonly viewedBy?: Scope | undefined;
}

/** The reader of an embed. */
export interface Viewer {
  readonly id: string;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

export interface UserCaller extends Scope {
  readonly kind: 'user';
  readonly via: Proof;
  /** The parts of the API that an API key or the token of an agent may call; undefined for all. */
  readonly scopes?: readonly KeyScope[] | undefined;
}

/**
 * The proof of a caller's identity: `api-key` and `access-token` (of an identity provider, or of this server for an agent) are bearer credentials; `embed`
 * is a token or a grant, which an embedded ask box asks by.
 */
export type Proof = 'session' | 'basic' | 'api-key' | 'access-token' | 'embed';

/** Returns whether a caller sent a bearer credential, which no browser sends by itself: such a call needs no CSRF pair. */
export function isBearer({ via }: UserCaller): boolean {
  return via === 'api-key' || via === 'access-token' || via === 'embed';
}

export type Caller = AnonymousCaller | UserCaller;

export function isAdministrator(caller: Caller | Pick<Scope, 'roles'>): boolean {
  return 'roles' in caller && caller.roles.includes(ADMINISTRATOR_ROLE);
}

/** Returns the scope of a caller alone, without the proof of its identity. */
export function scopeOf({ tenant, user, roles, attributes, viewer, isAccount, viewedBy }: Scope): Scope {
  return { tenant, user, roles, attributes, viewer, isAccount, viewedBy };
}

/**
 * Returns a text that is equal for scopes that see the same: roles and attributes in any order. It is part of the identity
 * of jobs and remembered requests.
 */
export function visibilityKey({ roles, attributes, isAccount, viewedBy }: Scope): string {
  const names = [...new Set(roles)].toSorted();
  const values = attributesKey(attributes);
  if (values === '' && isAccount !== undefined && viewedBy === undefined) return JSON.stringify(names);
  return JSON.stringify([names, values, isAccount ?? false, viewedBy === undefined ? '' : visibilityKey(viewedBy)]);
}

export interface Account {
  readonly roles: readonly string[];
  /** Creation time of the account. Earlier actions under its name belong to another person. */
  readonly createdAtMillis: number;
}

/** Look-ups of accounts that plugins need. */
export interface Accounts {
  /** Returns the current user of that name; `undefined` when none exists. */
  find(tenant: TenantId, user: string): Awaitable<Account | undefined>;
}
