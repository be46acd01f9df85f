import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Caller } from '../../router/capabilities/identity.ts';

/** Credentials as plain values, free of HTTP. */
export interface Credentials {
  readonly sessionCookie: string | undefined;
  readonly authorization: string | undefined;
  readonly address: string;
}

/** What the host needs of identity. */
export interface Identification {
  /** Throws `UnauthenticatedError` for credentials that are wrong, `RateLimitedError` after too many. */
  authenticate(credentials: Credentials): Promise<Caller>;
  /** A CSRF token for this caller. */
  issueCsrf(credentials: Credentials): Promise<string>;
  verifyCsrf(pair: { readonly cookie: string | undefined; readonly header: string | undefined }, credentials: Credentials): Promise<boolean>;
}

export const SESSION_COOKIE = 'SERVICE_SESSION';
export const CSRF_COOKIE = 'XSRF-TOKEN';
export const CSRF_HEADER = 'x-xsrf-token';

export interface Identified {
  readonly caller: Caller;
  readonly csrfVerified: boolean;
}

export function cookiesOf(request: Request): Readonly<Record<string, string>> {
  const cookies = parseCookie(request.headers.cookie ?? '');
  return Object.fromEntries(Object.entries(cookies).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Says who calls, checks the CSRF pair, and hands a caller that has no CSRF cookie yet its cookie. */
export async function identify(identity: Identification, request: Request, response: Response): Promise<Identified> {
  const cookies = cookiesOf(request);
  const credentials: Credentials = {
    sessionCookie: cookies[SESSION_COOKIE],
    authorization: request.headers.authorization,
    address: request.ip ?? '',
  };
  const caller = await identity.authenticate(credentials);
  if (caller.kind === 'anonymous' || caller.via === 'api-key') return { caller, csrfVerified: false };
  const cookie = cookies[CSRF_COOKIE];
  const csrfVerified = await identity.verifyCsrf({ cookie, header: request.get(CSRF_HEADER) }, credentials);
  if (cookie === undefined || !(await identity.verifyCsrf({ cookie, header: cookie }, credentials))) {
    response.cookie(CSRF_COOKIE, await identity.issueCsrf(credentials), {
      sameSite: 'lax',
      secure: request.secure,
      path: '/',
    });
  }
  return { caller, csrfVerified };
}
