/** The operations of agents that users allow: what the consent page asks, its answer, the list, the end. */
import { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import { isAdministrator, type UserCaller } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ConflictError, ForbiddenError, ValidationError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { Users } from '../identity/users.ts';
import { AGENT_SCOPES, AuthorizationRequest, checkRequest, returnTo } from './authorization-request.ts';
import type { Owner } from './grants.ts';
import { OAuthError } from './oauth-error.ts';
import { type AgentAuthorization, issuerOf } from './open-oauth.ts';
import { receiverAt } from './redirect-uris.ts';

const BASE = '/rest/service/api/agents';
const CHOICE = 'The authorization of agents is an addition of this product.';

const Scopes = z.array(z.enum(AGENT_SCOPES));

const AgentRequest = z
  .strictObject({
    agent: z.string().describe('The name that the agent gave itself.'),
    receiver: z
      .strictObject({ kind: z.enum(['site', 'computer', 'app']), name: z.string() })
      .describe("Where the agent receives the permission: a site, a program on the user's computer, or an app."),
    scopes: Scopes,
    refusal: z.string().optional().describe('Why the agent cannot be allowed: its request is wrong.'),
  })
  .meta({ id: 'AgentRequest' });

const ConnectedAgents = z
  .strictObject({
    signIn: z
      .enum(['here', 'provider', 'off'])
      .describe('Where agents of people sign in: at this server, at its identity provider, or only with keys.'),
    agents: z.array(
      z.strictObject({
        id: z.string(),
        agent: z.string(),
        user: z.string(),
        scopes: Scopes,
        createdAt: z.string(),
        lastUsedAt: z.string().describe('Exact to the minute.'),
      }),
    ),
  })
  .meta({ id: 'ConnectedAgents' });

export interface AgentsDependencies {
  /** `undefined` where agents do not sign in at this server. */
  readonly authorization: AgentAuthorization | undefined;
  readonly users: Pick<Users, 'findActive'>;
  readonly hasProvider: boolean;
}

export function agentsPlugin({ authorization, users, hasProvider }: AgentsDependencies) {
  const signIn = authorization === undefined ? (hasProvider ? 'provider' : 'off') : 'here';
  const opened = (): AgentAuthorization => {
    if (authorization !== undefined) return authorization;
    throw new ConflictError(
      hasProvider
        ? 'Agents sign in at the identity provider of this server.'
        : 'Agents sign in here only with API keys. Set service.http.publicUrl to an address with https:// to change that.',
      { code: 'AGENTS_SIGN_IN_ELSEWHERE' },
    );
  };
  return plugin({
    name: 'agents',
    title: 'Agents that users have allowed',
    errorFormat: standardErrorFormat,
    router: operations({
      describeRequest: operation({
        summary: 'Describe what an agent asks its user for',
        access: 'signed-in',
        rest: { method: 'GET', path: `${BASE}/request`, query: Object.keys(AuthorizationRequest.shape) },
        implementationChoice: CHOICE,
      })
        .input(AuthorizationRequest)
        .output(AgentRequest)
        .query(async ({ input }) => {
          const { client, outcome } = await checkedAtItsPlace(input, opened());
          const isWrong = outcome instanceof OAuthError;
          return {
            agent: client.name,
            receiver: receiverAt(input.redirect_uri),
            scopes: isWrong ? [] : [...outcome.scopes],
            ...(isWrong ? { refusal: outcome.message } : {}),
          };
        }),

      answerRequest: operation({
        summary: 'Allow an agent to call as you, or refuse it',
        access: 'signed-in',
        rest: { method: 'POST', path: `${BASE}/request`, body: '*' },
        implementationChoice: `${CHOICE} Only a session may answer, not a key.`,
      })
        .input(AuthorizationRequest.extend({ allow: z.boolean() }))
        .output(z.strictObject({ location: z.string().describe('Where the browser goes next: back to the agent.') }))
        .mutation(async ({ ctx, input: { allow, ...request } }) => {
          const caller = userOf(ctx);
          // A key, or the token of an agent, must not make further ones.
          if (caller.via !== 'session') throw new ForbiddenError('Sign in at the pages to allow an agent.');
          const parts = opened();
          const { outcome } = await checkedAtItsPlace(request, parts);
          const issuer = issuerOf(parts, request.resource);
          if (outcome instanceof OAuthError) return { location: returnTo(request, outcome, issuer) };
          if (!allow)
            return { location: returnTo(request, new OAuthError('access_denied', 'The user refused.'), issuer) };
          const user = await users.findActive(caller.tenant, caller.user);
          if (user === undefined) throw new ForbiddenError('This account cannot allow agents.');
          return { location: returnTo(request, { code: await parts.grants.allow(user, outcome) }, issuer) };
        }),

      list: operation({
        summary: 'List the agents that you have allowed; for administrators, with all=true, those of the tenant',
        access: 'user',
        rest: { method: 'GET', path: BASE, query: ['all'] },
        implementationChoice: CHOICE,
      })
        .input(z.strictObject({ all: z.boolean().default(false) }))
        .output(ConnectedAgents)
        .query(async ({ ctx, input: { all } }) => {
          const grants = (await authorization?.grants.list(ownerFor(userOf(ctx), all))) ?? [];
          return {
            signIn,
            agents: grants.map(({ id, agent, user, scopes, createdAtMillis, lastUsedAtMillis }) => ({
              id,
              agent,
              user,
              scopes: [...scopes],
              createdAt: new Date(createdAtMillis).toISOString(),
              lastUsedAt: new Date(lastUsedAtMillis).toISOString(),
            })),
          };
        }),

      revoke: operation({
        summary: 'Disconnect an agent: its tokens stop at once',
        access: 'user',
        rest: { method: 'DELETE', path: `${BASE}/{id}` },
        implementationChoice: `${CHOICE} Administrators disconnect the agents of all users of their tenant.`,
      })
        .input(z.strictObject({ id: z.string().max(100) }))
        .output(z.strictObject({ status: z.literal('OK') }))
        .mutation(async ({ ctx, input: { id } }) => {
          await opened().grants.revoke(id, ownerFor(userOf(ctx), true));
          return { status: 'OK' } as const;
        }),
    }),
  });
}

/** Returns whose agents a caller asks about: the caller's, or those of the tenant, which administrators may see. */
function ownerFor(caller: UserCaller, isAll: boolean): Owner {
  const { tenant, user } = caller;
  return isAll && isAdministrator(caller) ? { tenant } : { tenant, user };
}

/** Checks a request, and reports a wrong client or address at its place. @throws ValidationError */
async function checkedAtItsPlace(request: AuthorizationRequest, parts: AgentAuthorization) {
  try {
    return await checkRequest(request, parts);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw ValidationError.at([error.code === 'invalid_client' ? 'client_id' : 'redirect_uri'], error.message);
  }
}
