import { stringifySetCookie } from 'cookie';
import { z } from 'zod';
import { cookiePath } from '../../router/base-path.ts';
import { userOf } from '../../router/caller.ts';
import { isAdministrator } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-format.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { Authentication } from './authentication.ts';
import { CSRF_COOKIE, type Csrf, csrfSubject } from './csrf.ts';
import { identityMigrations } from './migrations.ts';
import { SESSION_COOKIE, type Sessions } from './sessions.ts';
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
}

/** Signing in and out. The one surface that the process itself brings. */
export function identityPlugin({ authentication, sessions, tenants, csrf }: Dependencies) {
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
          const { caller, session } = await authentication.signIn({ ...input, address: ctx.address, replaces });
          const subject = csrfSubject(caller, session.id);
          const common = { path: cookiePath(ctx.basePath), sameSite: 'lax', secure: ctx.secure } as const;
          ctx.reply.header(
            'Set-Cookie',
            stringifySetCookie({ ...common, name: SESSION_COOKIE, value: session.id, httpOnly: true }),
          );
          if (subject !== undefined) {
            ctx.reply.header(
              'Set-Cookie',
              stringifySetCookie({ ...common, name: CSRF_COOKIE, value: csrf.issue(subject) }),
            );
          }
          return { status: 'OK', user: caller.user, roles: [...caller.roles] };
        }),
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
