/** Binds the sign-in of agents to Express: metadata, registration, tokens and revocation. None of them reads a cookie. */
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { rateLimit } from 'express-rate-limit';
import { z } from 'zod';
import type { Scope } from '../../router/capabilities/identity.ts';
import { ConflictError, UnauthenticatedError } from '../../router/errors.ts';
import {
  AGENT_SCOPES,
  type AgentAuthorization,
  type IssuedTokens,
  MAX_BODY_BYTES,
  MAX_REGISTRATIONS_A_MINUTE,
  MAX_TOKEN_CALLS_A_MINUTE,
  OAuthError,
} from '../oauth/index.ts';
import { PAGES } from '../ui/pages.ts';
import { openToPages } from './cross-origin.ts';
import { observedAs } from './observer.ts';
import { addressOf } from './protected-resource.ts';
import { noteOperation } from './request-log.ts';

const REGISTER = '/oauth/register';
const TOKEN = '/oauth/token';
const REVOKE = '/oauth/revoke';
const KEYS = '/oauth/keys';
const METADATA = '/.well-known/oauth-authorization-server';
const OPENID_METADATA = '/.well-known/openid-configuration';

const MINUTE_MS = 60_000;

const word = z.string().min(1).max(500);
const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: word,
    code: word,
    redirect_uri: word,
    code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/),
    resource: z.string().max(500).optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: word,
    refresh_token: word,
    resource: z.string().max(500).optional(),
  }),
]);
const RevokeRequest = z.object({ client_id: word, token: word });

/** Serves the endpoints with which agents register, and get and end tokens. */
export function agentSignInRoutes(authorization: AgentAuthorization): Router {
  const router = express.Router();
  router.use(metadataRoutes(authorization));
  const endpoints = [REGISTER, TOKEN, REVOKE];
  router.use(endpoints, openToPages({ methods: 'POST', requestHeaders: '*' }));
  router.post(
    REGISTER,
    limited(MAX_REGISTRATIONS_A_MINUTE),
    express.json({ limit: MAX_BODY_BYTES, type: () => true }),
    answering('oauth.register', (request, response) => register(authorization, request, response)),
  );
  const form = express.urlencoded({ extended: false, limit: MAX_BODY_BYTES });
  const readForm = [limited(MAX_TOKEN_CALLS_A_MINUTE), form];
  router.post(
    TOKEN,
    ...readForm,
    answering('oauth.token', (request, response) => answerToken(authorization, request, response)),
  );
  router.post(
    REVOKE,
    ...readForm,
    answering('oauth.revoke', async (request, response) => {
      const { data } = RevokeRequest.safeParse(request.body);
      if (data === undefined) throw new OAuthError('invalid_request', 'Send client_id and token as a form.');
      const { client_id: clientId, token } = data;
      await observed(request, { operation: 'oauth.revoke', writes: true, input: { id: clientId } }, async (actsFor) => {
        const owner = await authorization.tokens.revoke(token, clientId);
        if (owner !== undefined) actsFor(owner);
      });
      response.status(200).end();
    }),
  );
  router.use(endpoints, onlyPost);
  router.use(endpoints, unreadable);
  return router;
}

/** Serves the metadata of RFC 8414, at the address that it derives from the issuer and, for a server below a path, below that path. */
function metadataRoutes({ addresses }: AgentAuthorization): Router {
  const router = express.Router();
  const metadata = (issuer: string) => ({
    issuer,
    authorization_endpoint: issuer + PAGES.authorize.path,
    token_endpoint: issuer + TOKEN,
    registration_endpoint: issuer + REGISTER,
    revocation_endpoint: issuer + REVOKE,
    scopes_supported: AGENT_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  const basePath = new URL(addresses[0]).pathname.replace(/\/$/, '');
  const open = openToPages({ methods: 'GET', requestHeaders: '*' });
  const publicly = { 'Cache-Control': 'public, max-age=3600', Vary: 'Host' };
  router.all([...new Set([METADATA, METADATA + basePath])], open, (request, response) => {
    response.set(publicly).json(metadata(addressOf(request, addresses)));
  });
  // A proxy that gives this server one path of a site does not pass on the address above. Agents look here, too, for the metadata
  // of OpenID Connect; this server issues no ID tokens, so it has no keys and no algorithms for them.
  router.all(OPENID_METADATA, open, (request, response) => {
    const issuer = addressOf(request, addresses);
    response.set(publicly).json({
      ...metadata(issuer),
      jwks_uri: issuer + KEYS,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [],
    });
  });
  router.all(KEYS, open, (_request, response) => {
    response.json({ keys: [] });
  });
  return router;
}

async function register({ clients }: AgentAuthorization, request: Request, response: Response): Promise<void> {
  const what = { operation: 'oauth.register', writes: true, input: {} as { name?: string; id?: string } };
  const client = await observed(request, what, async () => {
    const made = await clients.register(request.body);
    what.input.name = made.name;
    what.input.id = made.id;
    return made;
  });
  response.status(201).json({
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAtMillis / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

async function answerToken(
  { clients, tokens }: AgentAuthorization,
  request: Request,
  response: Response,
): Promise<void> {
  const sent = readTokenRequest(request.body);
  const { client_id: clientId, resource } = sent;
  const input = { id: clientId };
  if ((await clients.find(clientId)) === undefined)
    throw new OAuthError('invalid_client', 'This client is not registered here. Register again.');
  let issued: IssuedTokens;
  if (sent.grant_type === 'authorization_code') {
    const { code, redirect_uri: redirectUri, code_verifier: verifier } = sent;
    issued = await observed(request, { operation: 'oauth.exchange', writes: true, input }, async (actsFor) => {
      const made = await tokens.exchange({ code, clientId, redirectUri, verifier, resource });
      actsFor(made.owner);
      return made;
    });
  } else {
    // Every quarter of an hour for each agent, so only refusals are noteworthy.
    issued = await observed(request, { operation: 'oauth.refresh', writes: false, input }, async (actsFor) => {
      const made = await tokens.refresh(sent.refresh_token, clientId, resource);
      actsFor(made.owner);
      return made;
    });
  }
  response.json({
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    refresh_token: issued.refreshToken,
    scope: issued.scopes.join(' '),
  });
}

function readTokenRequest(body: unknown): z.output<typeof TokenRequest> {
  const { data } = TokenRequest.safeParse(body);
  if (data !== undefined) return data;
  const { grant_type: type } = Object(body) as { readonly grant_type?: unknown };
  if (typeof type === 'string' && type !== 'authorization_code' && type !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  throw new OAuthError(
    'invalid_request',
    'Send a form with grant_type, client_id, and code, redirect_uri and code_verifier, or refresh_token.',
  );
}

/** Observes a call of an endpoint like an operation. A refusal is observed with the code of the error. */
async function observed<Result>(
  request: Request,
  what: { readonly operation: string; readonly writes: boolean; readonly input: object },
  work: (actsFor: (owner: Scope) => void) => Promise<Result>,
): Promise<Result> {
  try {
    return await observedAs(request, { ...what, access: 'public', caller: { kind: 'anonymous' } }, async (actsFor) => {
      try {
        return await work(actsFor);
      } catch (error) {
        throw error instanceof OAuthError ? observableRefusal(error) : error;
      }
    });
  } catch (error) {
    throw error instanceof Error && error.cause instanceof OAuthError ? error.cause : error;
  }
}

function observableRefusal(error: OAuthError): Error {
  const code = error.isReuse ? 'REUSED_TOKEN' : error.code.toUpperCase();
  if (error.code === 'invalid_grant') return new UnauthenticatedError(error.message, { code, cause: error });
  return new ConflictError(error.message, { code, cause: error });
}

function answering(operation: string, answer: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return async (request, response) => {
    noteOperation(request, operation);
    try {
      await answer(request, response);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      refuse(response, error);
    }
  };
}

function refuse(response: Response, { code, message }: OAuthError): void {
  response.status(code === 'invalid_client' ? 401 : 400).json({ error: code, error_description: message });
}

const onlyPost: RequestHandler = (request, response, next) => {
  if (request.method === 'POST') return next();
  response.set('Allow', 'POST, OPTIONS').status(405).json({ error: 'invalid_request', error_description: 'Use POST.' });
};

/** Answers a body that cannot be read. */
const unreadable: ErrorRequestHandler = (thrown, _request, response, next) => {
  const { status } = Object(thrown) as { readonly status?: unknown };
  if (typeof status !== 'number' || status >= 500 || response.headersSent) return next(thrown);
  refuse(response, new OAuthError('invalid_request', 'The body of this request cannot be read.'));
};

function limited(limit: number): RequestHandler {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, response) => {
      response
        .set('Retry-After', '60')
        .status(429)
        .json({ error: 'temporarily_unavailable', error_description: 'Too many calls from this address in a minute.' });
    },
  });
}
