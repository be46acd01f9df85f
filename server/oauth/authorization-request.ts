/** Checks the request with which an agent sends a browser here (OAuth 2.1, section 4.1.1; PKCE, RFC 7636; RFC 8707). */
import { z } from 'zod';
import type { KeyScope } from '../../router/key-scopes.ts';
import type { Clients, OAuthClient } from './clients.ts';
import { MAX_REDIRECT_URI_LENGTH, MAX_STATE_LENGTH } from './limits.ts';
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts';
import { isRegistered } from './redirect-uris.ts';

/** The scopes that agents may have: parts of the API, as of API keys. */
export const AGENT_SCOPES = ['query', 'documents'] as const satisfies readonly KeyScope[];
export type AgentScope = (typeof AGENT_SCOPES)[number];

const text = (most: number) => z.string().max(most).optional();

/** The parameters of the request, as the browser has them in its address. */
export const AuthorizationRequest = z.strictObject({
  client_id: z.string().max(100).default(''),
  redirect_uri: z.string().max(MAX_REDIRECT_URI_LENGTH).default(''),
  response_type: text(100),
  code_challenge: text(200),
  code_challenge_method: text(100),
  scope: text(1_000),
  state: text(MAX_STATE_LENGTH),
  resource: text(MAX_REDIRECT_URI_LENGTH),
});
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>;

/** A checked request of an agent. */
export interface Permission {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly AgentScope[];
  readonly resource: string;
}

export interface CheckedRequest {
  readonly client: OAuthClient;
  /** The request where it is right, or the refusal that goes back to the agent. */
  readonly outcome: Permission | OAuthError;
}

/**
 * Checks a request. A wrong client or address is thrown: nothing may be sent to an address that was not registered.
 *
 * @param resources the addresses that tokens are issued for, the usual one first
 * @throws OAuthError
 */
export async function checkRequest(
  request: AuthorizationRequest,
  { clients, resources }: { readonly clients: Clients; readonly resources: readonly [string, ...string[]] },
): Promise<CheckedRequest> {
  const client = await clients.find(request.client_id);
  if (client === undefined)
    throw new OAuthError(
      'invalid_client',
      'This agent is not registered here any more. Remove this server in the agent, and add it again.',
    );
  if (!isRegistered(request.redirect_uri, client.redirectUris))
    throw new OAuthError('invalid_redirect_uri', 'The agent asks to return to an address that it has not registered.');
  return { client, outcome: permissionOf(request, client, resources) };
}

function permissionOf(
  request: AuthorizationRequest,
  client: OAuthClient,
  resources: readonly [string, ...string[]],
): Permission | OAuthError {
  const { response_type, code_challenge = '', code_challenge_method, scope = '', resource = resources[0] } = request;
  const refused = (code: OAuthErrorCode, message: string) => new OAuthError(code, message);
  if (response_type !== 'code') return refused('unsupported_response_type', 'response_type must be code.');
  if (code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge))
    return refused('invalid_request', 'PKCE is needed: code_challenge with code_challenge_method=S256.');
  if (!resources.includes(resource)) return refused('invalid_target', `The resource must be ${resources[0]}.`);
  const asked = scope.split(' ').filter((name) => name !== '');
  const scopes = AGENT_SCOPES.filter((name) => asked.length === 0 || asked.includes(name));
  if (scopes.length === 0) return refused('invalid_scope', `The scopes are ${AGENT_SCOPES.join(' and ')}.`);
  return { clientId: client.id, redirectUri: request.redirect_uri, challenge: code_challenge, scopes, resource };
}

/** Returns the address with which the browser goes back to the agent. `iss` names this server (RFC 9207). */
export function returnTo(
  { redirect_uri, state }: AuthorizationRequest,
  answer: { readonly code: string } | OAuthError,
  issuer: string,
): string {
  const answers: readonly (readonly [string, string | undefined])[] = [
    ...(answer instanceof OAuthError
      ? ([
          ['error', answer.code],
          ['error_description', answer.message],
        ] as const)
      : ([['code', answer.code]] as const)),
    ['state', state],
    ['iss', issuer],
  ];
  const url = new URL(redirect_uri);
  for (const [name, value] of answers) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
