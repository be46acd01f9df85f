import { LRUCache } from 'lru-cache';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Caller, Proof, UserCaller } from '../../router/capabilities/identity.ts';
import { UnauthenticatedError } from '../../router/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import type { LoginGuard } from './login-guard.ts';
import { parseSignInName } from './names.ts';
import { sha256 } from './secrets.ts';
import type { NewSession, Sessions } from './sessions.ts';
import type { Tenants } from './tenants.ts';
import type { User, Users } from './users.ts';

/** The credentials of a request, as plain text. */
export interface Credentials {
  /** The value of the cookie `SERVICE_SESSION`. */
  readonly sessionCookie?: string | undefined;
  /** The header `Authorization`. */
  readonly authorization?: string | undefined;
  /** The address of the request; behind a trusted proxy, the client address that the proxy reports. */
  readonly address: string;
  readonly audience?: Audience | undefined;
}

/** An endpoint that access tokens may be meant for alone (RFC 8707). */
export type Audience = 'mcp';

export interface SignIn {
  /** `ann`, or `acme/ann` for a user of the tenant `acme`. */
  readonly username: string;
  readonly password: string;
  readonly address: string;
  /** The browser's previous session, which ends. */
  readonly replaces?: string | undefined;
}

export interface SignedIn {
  readonly caller: UserCaller;
  readonly session: NewSession;
}

/** Callers by access token: of an identity provider, or of this server for agents. */
export interface AccessTokenCallers {
  /** Returns whether a credential has the form of an access token. */
  recognises(credential: string): boolean;
  /** @throws UnauthenticatedError, UnavailableError */
  resolve(token: string, audience?: Audience): Promise<UserCaller>;
}

interface Dependencies {
  readonly tenants: Tenants;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly loginGuard: LoginGuard;
  readonly clock: Clock;
  readonly accessTokens: AccessTokenCallers | undefined;
}

/** Time for which a verified password is not hashed again for the same header from the same address, in milliseconds. */
const REMEMBERED_MS = 60_000;

/** Turns credentials into callers. */
export class Authentication {
  readonly #parts: Dependencies;
  /**
   * Verified passwords by the hash of address and header. Only the verification is cached: whether it is still valid, and the roles, are read each
   * time.
   */
  readonly #proved = new LRUCache<
    string,
    { readonly userId: string; readonly passwordVersion: number; readonly until: number }
  >({ max: 10_000 });
  /** Simultaneous attempts with the same name and password share one hash, and count as one. */
  readonly #proving = new Map<string, Promise<User | undefined>>();

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /**
   * Identifies the caller by API key or access token, else by basic credentials, else by session. A caller without credentials, or with an ended
   * session, is anonymous.
   *
   * @throws UnauthenticatedError for an invalid `Authorization` header, because its sender expects an identity
   * @throws RateLimitedError after too many wrong passwords
   */
  async authenticate({ sessionCookie, authorization, address, audience }: Credentials): Promise<Caller> {
    if (authorization !== undefined && authorization !== '') return this.#byHeader(authorization, address, audience);
    const caller = sessionCookie === undefined ? undefined : await this.#parts.sessions.resolve(sessionCookie);
    return caller ?? { kind: 'anonymous' };
  }

  /**
   * Checks a name and a password and starts a session, with a new id.
   *
   * @throws UnauthenticatedError, the same for a wrong name and a wrong password
   * @throws RateLimitedError after too many wrong passwords
   */
  async signIn({ username, password, address, replaces }: SignIn): Promise<SignedIn> {
    const user = await this.#verify(username, password, address);
    if (user === undefined) throw new UnauthenticatedError('The user name or the password is wrong.');
    return this.signInAs(user, replaces);
  }

  /** Starts a session for a user of an identity provider. */
  async signInAs(user: User, replaces: string | undefined): Promise<SignedIn> {
    if (replaces !== undefined) await this.#parts.sessions.end(replaces);
    return { caller: callerOf(user, 'session'), session: await this.#parts.sessions.create(user) };
  }

  async #byHeader(authorization: string, address: string, audience: Audience | undefined): Promise<UserCaller> {
    const [, scheme = '', value = ''] = /^([^ ]+) +([^ ]+) *$/.exec(authorization) ?? [];
    switch (scheme.toLowerCase()) {
      case 'bearer': {
        const { accessTokens, apiKeys } = this.#parts;
        if (accessTokens?.recognises(value) === true) return accessTokens.resolve(value, audience);
        const caller = await apiKeys.resolve(value);
        if (caller === undefined)
          throw new UnauthenticatedError('This API key is unknown, has expired or was revoked.');
        return caller;
      }
      case 'basic': {
        const user = await this.#byBasic(value, address);
        if (user === undefined) throw new UnauthenticatedError('The user name or the password is wrong.');
        return callerOf(user, 'basic');
      }
      default:
        throw new UnauthenticatedError(
          'This Authorization header is not understood: send `Bearer` with an API key, or `Basic` with user and password.',
        );
    }
  }

  async #byBasic(encoded: string, address: string): Promise<User | undefined> {
    const pair = decodeBasic(encoded);
    if (pair === undefined) return undefined;
    const key = sha256(JSON.stringify([address, encoded]));
    const proof = this.#proved.get(key);
    if (proof !== undefined && proof.until > this.#parts.clock()) {
      const user = await this.#parts.users.byId(proof.userId);
      if (user?.passwordVersion === proof.passwordVersion && !user.isDisabled) return user;
    }
    this.#proved.delete(key);
    const user = await this.#verify(pair.username, pair.password, address);
    if (user !== undefined) {
      const until = this.#parts.clock() + REMEMBERED_MS;
      this.#proved.set(key, { userId: user.id, passwordVersion: user.passwordVersion, until });
    }
    return user;
  }

  /** Verifies credentials, one verification at a time for equal ones from one address: simultaneous calls share its outcome. */
  #verify(username: string, password: string, address: string): Promise<User | undefined> {
    const key = sha256(JSON.stringify([address, username, password]));
    const running = this.#proving.get(key);
    if (running !== undefined) return running;
    const proving = this.#prove(username, password, address).finally(() => this.#proving.delete(key));
    this.#proving.set(key, proving);
    return proving;
  }

  #prove(username: string, password: string, address: string): Promise<User | undefined> {
    const { tenants, users, loginGuard } = this.#parts;
    const name = parseSignInName(username);
    return loginGuard.attempt(`${name.tenant}/${name.user}`, address, async () => {
      const tenant = await tenants.find(name.tenant);
      return users.verify(tenant?.id, name.user, password);
    });
  }
}

/** Returns the caller that an account is. */
export function callerOf({ tenant, name, roles, attributes }: User, via: Proof): UserCaller {
  return { kind: 'user', via, tenant, user: name, roles, attributes, isAccount: true };
}

/** Decodes Base64 of `user:password` in UTF-8 (RFC 7617); the first colon separates. */
function decodeBasic(encoded: string): { readonly username: string; readonly password: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
