import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { cookiePath } from '../../router/base-path.ts';
import type { Caller } from '../../router/capabilities/identity.ts';
import { parseViewAs, VIEW_AS_HEADER, viewedAs } from '../../router/view-as.ts';
import {
  type Audience,
  CSRF_COOKIE,
  CSRF_HEADER,
  csrfSubject,
  type Identity,
  SESSION_COOKIE,
} from '../identity/index.ts';
import { basePathOf } from './base-path.ts';
import { observerOf } from './observer.ts';
import { requestIdOf } from './request-id.ts';

/** The parts of identity that the host uses. */
export type Identification = Pick<Identity, 'authentication' | 'csrf'>;

export interface Identified {
  readonly caller: Caller;
  readonly csrfVerified: boolean;
}

export function cookiesOf(request: Request): Readonly<Record<string, string>> {
  const cookies = parseCookie(request.headers.cookie ?? '');
  return Object.fromEntries(
    Object.entries(cookies).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Identifies the caller, checks the CSRF pair, and returns a new pair to a caller with an invalid CSRF cookie. An
 * administrator may view as somebody else, by a header.
 *
 * @param audience the endpoint, where access tokens may be meant for it alone
 */
export async function identify(
  identity: Identification,
  request: Request,
  response: Response,
  audience?: Audience,
): Promise<Identified> {
  const identified = await identifyByProof(identity, request, response, audience);
  const viewAs = request.get(VIEW_AS_HEADER);
  const { caller } = identified;
  if (viewAs === undefined || caller.kind !== 'user') return identified;
  return { ...identified, caller: viewedAs(caller, parseViewAs(viewAs)) };
}

async function identifyByProof(
  identity: Identification,
  request: Request,
  response: Response,
  audience: Audience | undefined,
): Promise<Identified> {
  const cookies = cookiesOf(request);
  const sessionCookie = cookies[SESSION_COOKIE];
  const { authorization } = request.headers;
  const address = request.ip ?? '';
  const authenticate = () => identity.authentication.authenticate({ sessionCookie, authorization, address, audience });
  const observer = observerOf(request);
  const caller =
    observer === undefined || authorization === undefined
      ? await authenticate()
      : await observer.around(
          { kind: 'authentication', scheme: schemeOf(authorization), address, requestId: requestIdOf(request) },
          authenticate,
        );
  const subject = csrfSubject(caller, sessionCookie);
  if (subject === undefined) return { caller, csrfVerified: false };
  const cookie = cookies[CSRF_COOKIE];
  if (!identity.csrf.isFor(subject, cookie)) {
    response.cookie(CSRF_COOKIE, identity.csrf.issue(subject), {
      sameSite: 'lax',
      secure: request.secure,
      path: cookiePath(basePathOf(request)),
    });
    return { caller, csrfVerified: false };
  }
  return { caller, csrfVerified: identity.csrf.accepts(subject, { cookie, header: request.get(CSRF_HEADER) }) };
}

function schemeOf(authorization: string): 'bearer' | 'basic' | 'other' {
  const scheme = authorization.split(' ', 1)[0]?.toLowerCase();
  return scheme === 'bearer' || scheme === 'basic' ? scheme : 'other';
}
