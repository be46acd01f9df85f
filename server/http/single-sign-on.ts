/** Binds sign-in with an identity provider to Express: two addresses for browsers, and the metadata for agents. */
import { stringifySetCookie } from 'cookie';
import express, { type Request, type Response, type Router } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Scope } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { RateLimitedError, UnauthenticatedError } from '../../router/errors.ts';
import { callerOf, type Identity, SESSION_COOKIE, SignInRefusedError, sessionCookies } from '../identity/index.ts';
import { ATTEMPT_SECONDS, CALLBACK_PATH, SIGN_ON_PATH, type SingleSignOn } from '../oidc/single-sign-on.ts';
import { basePathOf } from './base-path.ts';
import { cookiesOf } from './identify-caller.ts';
import { observedAs } from './observer.ts';
import { noteOperation } from './request-log.ts';

/** Limit per address: each request leads to a call of the provider, and anonymous callers may send it. */
const MAX_CALLS_A_MINUTE = 60;

/** Serves the redirect to the identity provider and the callback. */
export function signOnRoutes(singleSignOn: SingleSignOn, identity: Pick<Identity, 'authentication' | 'csrf'>): Router {
  const router = express.Router();
  router.use(
    [SIGN_ON_PATH, CALLBACK_PATH],
    rateLimit({
      windowMs: 60_000,
      limit: MAX_CALLS_A_MINUTE,
      standardHeaders: false,
      legacyHeaders: false,
      handler: (_request, response) => {
        const error = new RateLimitedError('Too many sign-ins from this address. Try again in a minute.', {
          retryAfterSeconds: 60,
        });
        response.set('Retry-After', '60').status(error.status).json(standardErrorFormat(error));
      },
    }),
  );
  router.get(SIGN_ON_PATH, async (request, response) => {
    noteOperation(request, 'single-sign-on');
    const { next } = request.query;
    await orRefusal(request, response, async () => {
      const { location, cookie } = await singleSignOn.begin(
        typeof next === 'string' ? next : `${basePathOf(request)}/ui/`,
      );
      response.append('Set-Cookie', attemptCookie(request, cookie, ATTEMPT_SECONDS));
      response.redirect(303, location);
    });
  });
  router.get(CALLBACK_PATH, async (request, response) => {
    noteOperation(request, 'single-sign-on');
    const start = request.originalUrl.indexOf('?');
    const answer = new URLSearchParams(start < 0 ? '' : request.originalUrl.slice(start));
    const name = singleSignOn.cookieFor(answer);
    const cookies = cookiesOf(request);
    // The cookie is used once, whatever the outcome.
    response.append('Set-Cookie', attemptCookie(request, { name, value: '' }, 0));
    await orRefusal(request, response, async () => {
      const { signedIn, returnTo } = await observed(request, async (actsFor) => {
        const { user, returnTo } = await singleSignOn.finish(answer, cookies[name]);
        actsFor(callerOf(user, 'session'));
        return { signedIn: await identity.authentication.signInAs(user, cookies[SESSION_COOKIE]), returnTo };
      });
      for (const cookie of sessionCookies(signedIn, {
        csrf: identity.csrf,
        secure: request.secure,
        basePath: basePathOf(request),
      }))
        response.append('Set-Cookie', cookie);
      response.redirect(303, returnTo);
    });
  });
  return router;
}

/** Observes a sign-in. A refusal is observed like a refused operation. */
async function observed<Result>(
  request: Request,
  work: (actsFor: (owner: Scope) => void) => Promise<Result>,
): Promise<Result> {
  const observation = { operation: 'identity.singleSignOn', access: 'public', writes: true } as const;
  try {
    return await observedAs(request, { ...observation, caller: { kind: 'anonymous' } }, async (actsFor) => {
      try {
        return await work(actsFor);
      } catch (error) {
        if (!(error instanceof SignInRefusedError)) throw error;
        throw new UnauthenticatedError(error.message, { code: `SIGN_ON_${error.refusal.toUpperCase()}`, cause: error });
      }
    });
  } catch (error) {
    throw error instanceof UnauthenticatedError && error.cause instanceof SignInRefusedError ? error.cause : error;
  }
}

/** Redirects the browser to the home page; its sign-in dialog explains the refusal. */
async function orRefusal(request: Request, response: Response, work: () => Promise<void>): Promise<void> {
  response.set('Referrer-Policy', 'no-referrer');
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SignInRefusedError)) throw error;
    response.redirect(303, `${basePathOf(request)}/ui/?sign-in=${error.refusal}`);
  }
}

function attemptCookie(
  request: Request,
  cookie: { readonly name: string; readonly value: string },
  maxAge: number,
): string {
  const path = basePathOf(request) + SIGN_ON_PATH;
  // Lax: the provider's page leads back by a link of another site.
  return stringifySetCookie({ ...cookie, path, httpOnly: true, sameSite: 'lax', secure: request.secure, maxAge });
}
