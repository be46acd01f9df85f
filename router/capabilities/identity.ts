/** Who is calling. `server/identity` makes these from cookies, headers and keys; plugins only read them. */

export type TenantId = string & { readonly __brand: 'TenantId' };

/** The role that makes a user an administrator. */
export const ADMINISTRATOR_ROLE = 'ROLE_ADMIN';

/** The identity a query runs under: it decides row predicates and denied fields, and is part of every cache key. */
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
  /** How the caller proved who it is. Only `session` and `basic` can be sent by a browser unasked, so only they need the CSRF pair. */
  readonly via: 'session' | 'basic' | 'api-key';
}

export type Caller = AnonymousCaller | UserCaller;

export function isAdministrator(caller: Caller | Scope): boolean {
  return 'roles' in caller && caller.roles.includes(ADMINISTRATOR_ROLE);
}

export interface Account {
  readonly roles: readonly string[];
  /** When the account was made. What its name did earlier was somebody else's doing. */
  readonly createdAtMillis: number;
}

/** Look-ups of accounts that plugins need. */
export interface Accounts {
  /** The user of that name as it is now, or `undefined` when there is none (any more). */
  find(tenant: TenantId, user: string): Promise<Account | undefined>;
}
