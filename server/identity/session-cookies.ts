import { stringifySetCookie } from 'cookie';
import { cookiePath } from '../../router/base-path.ts';
import type { SignedIn } from './authentication.ts';
import { CSRF_COOKIE, type Csrf, csrfSubject } from './csrf.ts';
import { SESSION_COOKIE } from './sessions.ts';

/** Returns the values of `Set-Cookie` for a new session, and the token that writes repeat. */
export function sessionCookies(
  { caller, session }: SignedIn,
  { csrf, secure, basePath }: { readonly csrf: Csrf; readonly secure: boolean; readonly basePath: string | undefined },
): readonly string[] {
  const common = { path: cookiePath(basePath), sameSite: 'lax', secure } as const;
  const subject = csrfSubject(caller, session.id);
  return [
    stringifySetCookie({ ...common, name: SESSION_COOKIE, value: session.id, httpOnly: true }),
    ...(subject === undefined
      ? []
      : [stringifySetCookie({ ...common, name: CSRF_COOKIE, value: csrf.issue(subject) })]),
  ];
}
