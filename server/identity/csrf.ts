import { createHmac } from 'node:crypto';
import { type Caller, isBearer } from '../../router/capabilities/identity.ts';
import type { State } from '../../router/capabilities/state.ts';
import { InternalError } from '../../router/errors.ts';
import { equalInConstantTime, isRandomSecret, randomSecret, sharedSecret } from './secrets.ts';

/** The cookie that scripts of the product's pages read: SameSite=Lax, Path=/, not HttpOnly, Secure behind TLS. */
export const CSRF_COOKIE = 'XSRF-TOKEN';
/** The header that repeats the cookie's value. */
export const CSRF_HEADER = 'X-XSRF-TOKEN';

/**
 * The subject of a token. A token is `<random>.<HMAC-SHA-256 of subject and random>`. It is valid for its subject
 * only, so a cookie that an attacker planted with a token of their own does not fit. Nothing is stored.
 */
export type CsrfSubject = string & { readonly __brand: 'CsrfSubject' };

/**
 * Returns the subject of a caller; `undefined` for callers that need no pair, because browsers do not send bearer credentials by themselves.
 *
 * @param sessionCookie the value that authenticated a caller via `session`
 */
export function csrfSubject(caller: Caller, sessionCookie: string | undefined): CsrfSubject | undefined {
  if (caller.kind === 'anonymous' || isBearer(caller)) return undefined;
  if (caller.via === 'basic') return subject(['basic', caller.tenant, caller.user]);
  if (sessionCookie === undefined) throw new InternalError('A caller via session has no session cookie.');
  return subject(['session', sessionCookie]);
}

function subject(parts: readonly string[]): CsrfSubject {
  return JSON.stringify(parts) as CsrfSubject;
}

/** Double-submit tokens signed with a secret that all nodes share. */
export class Csrf {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  static async open(state: State): Promise<Csrf> {
    return new Csrf(await sharedSecret(state, 'csrf'));
  }

  /** Issues a new token, for the cookie. */
  issue(owner: CsrfSubject): string {
    const random = randomSecret();
    return `${random}.${this.#sign(owner, random)}`;
  }

  /** Returns whether a token was issued for this subject. A response to a caller with an invalid cookie sets a new one. */
  isFor(owner: CsrfSubject, token: string | undefined): boolean {
    const [random, signature, ...rest] = token?.split('.') ?? [];
    if (random === undefined || signature === undefined || rest.length > 0 || !isRandomSecret(random)) return false;
    return equalInConstantTime(signature, this.#sign(owner, random));
  }

  /** Returns whether cookie and header have the same token and it was issued for this subject. */
  accepts(
    owner: CsrfSubject,
    pair: { readonly cookie: string | undefined; readonly header: string | undefined },
  ): boolean {
    const { cookie, header } = pair;
    if (cookie === undefined || header === undefined) return false;
    return equalInConstantTime(cookie, header) && this.isFor(owner, cookie);
  }

  #sign(owner: CsrfSubject, random: string): string {
    return createHmac('sha256', this.#secret).update(`${random}.${owner}`, 'utf8').digest('base64url');
  }
}
