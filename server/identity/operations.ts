import { stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { cookiePath } from '../../router/base-path.ts';
import { userOf } from '../../router/calling-user.ts';
import { isAdministrator } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { Authentication } from './authentication.ts';
import { CSRF_COOKIE, type Csrf } from './csrf.ts';
import { identityMigrations } from './migrations.ts';
import { parseSignInName } from './names.ts';
import { sessionCookies } from './session-cookies.ts';
import { SESSION_COOKIE, type Sessions } from './sessions.ts';
import { isSignInRefusal, SIGN_IN_REFUSALS } from './sign-in-refusals.ts';
import type { Tenants } from './tenants.ts';

const LoginRequest = z
  .strictObject({
    username: z.string().min(1).max(200).describe('`ann`, or `acme/ann` for a user of the tenant `acme`.'),
    password: z.string().min(1).max(4_096),
  })
  .meta({ id: 'LoginRequest' });

const SessionInfo = z
  .strictObject({
    user: z.string(),
    tenant: z.string().describe('Name of the tenant.'),
    roles: z.array(z.string()),
    administrator: z.boolean(),
  })
  .meta({ id: 'SessionInfo' });

const CHOICE = 'The interface names neither the path nor the bodies of signing in.';

interface Dependencies {
  readonly authentication: Authentication;
  readonly sessions: Sessions;
  readonly tenants: Tenants;
  readonly csrf: Csrf;
  /** Sign-in with an identity provider; `undefined` without one. */
  readonly singleSignOn?: SignInWay | undefined;
}

export interface SignInWay {
  /** The name of the provider. */
  readonly label: string;
  /** The path at which a browser starts. */
  readonly path: string;
}

const SignInWays = z
  .strictObject({
    singleSignOn: z
      .strictObject({ label: z.string(), path: z.string() })
      .nullable()
      .describe('Identity provider that people may sign in with: its name, and the address where a browser begins.'),
    refusal: z.string().optional().describe('The message for the code in the request.'),
  })
  .meta({ id: 'SignInWays' });

/** Makes the plugin for signing in and out, the one surface of the process itself. */
export function identityPlugin({ authentication, sessions, tenants, csrf, singleSignOn }: Dependencies) {
  return plugin({
    name: 'identity',
    title: 'Signing in and out',
    errorFormat: standardErrorFormat,
    migrations: identityMigrations,
    router: operations({
      login: operation({
        summary: 'Sign in with a name and a password; begins a session',
        description: 'Answers with the cookies `SERVICE_SESSION` and `XSRF-TOKEN`. Also takes an HTML form.',
        implementationChoice: CHOICE,
        access: 'public',
        csrf: 'none',
        rest: { method: 'POST', path: '/login', body: '*', form: true },
      })
        .input(LoginRequest)
        .output(z.strictObject({ status: z.literal('OK'), user: z.string(), roles: z.array(z.string()) }))
        .mutation(async ({ input, ctx }) => {
          const replaces = ctx.cookies[SESSION_COOKIE];
          // A success and a failure both belong to the tenant in the user name.
          const name = parseSignInName(input.username);
          const tenant = await tenants.find(name.tenant);
          if (tenant !== undefined) ctx.actsFor?.({ tenant: tenant.id, user: name.user, roles: [] });
          const signedIn = await authentication.signIn({ ...input, address: ctx.address, replaces });
          for (const cookie of sessionCookies(signedIn, { csrf, secure: ctx.secure, basePath: ctx.basePath }))
            ctx.reply.header('Set-Cookie', cookie);
          const { caller } = signedIn;
          return { status: 'OK', user: caller.user, roles: [...caller.roles] };
        }),
      signInWays: operation({
        summary: 'Ways to sign in',
        description: 'After a sign-in with the identity provider that failed, `refusal` is the code that came back.',
        implementationChoice: CHOICE,
        access: 'public',
        rest: { method: 'GET', path: '/login/ways', query: ['refusal'] },
      })
        .input(z.strictObject({ refusal: z.string().max(50).optional() }))
        .output(SignInWays)
        .query(({ input: { refusal } }) => ({
          singleSignOn: singleSignOn === undefined ? null : { label: singleSignOn.label, path: singleSignOn.path },
          ...(refusal !== undefined && isSignInRefusal(refusal) ? { refusal: SIGN_IN_REFUSALS[refusal] } : {}),
        })),
      logout: operation({
        summary: 'Sign out; ends the session',
        implementationChoice: CHOICE,
        access: 'public',
        csrf: 'session-and-basic',
        rest: { method: 'POST', path: '/logout', body: '*', bodyOptional: true, form: true },
      })
        .input(z.strictObject({}))
        .output(z.strictObject({ status: z.literal('OK') }))
        .mutation(async ({ ctx }) => {
          const id = ctx.cookies[SESSION_COOKIE];
          if (id !== undefined && ctx.caller.kind === 'user' && ctx.caller.via === 'session') await sessions.end(id);
          const gone = {
            path: cookiePath(ctx.basePath),
            sameSite: 'lax',
            secure: ctx.secure,
            maxAge: 0,
            value: '',
          } as const;
          ctx.reply.header('Set-Cookie', stringifySetCookie({ ...gone, name: SESSION_COOKIE, httpOnly: true }));
          ctx.reply.header('Set-Cookie', stringifySetCookie({ ...gone, name: CSRF_COOKIE }));
          return { status: 'OK' };
        }),
      session: operation({
        summary: 'Who is calling',
        implementationChoice: CHOICE,
        access: 'user',
        rest: { method: 'GET', path: '/rest/service/api/session' },
      })
        .output(SessionInfo)
        .query(async ({ ctx }) => {
          const caller = userOf(ctx);
          const tenant = await tenants.byId(caller.tenant);
          return {
            user: caller.user,
            tenant: tenant?.name ?? '',
            roles: [...caller.roles],
            administrator: isAdministrator(caller),
          };
        }),
    }),
  });
}
