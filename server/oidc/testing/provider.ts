/** A real identity provider in this process, with the users of the test. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import { z } from 'zod';

export const CLIENT_ID = 'service';
export const CLIENT_SECRET = 'a-secret-that-only-this-test-knows';

const TokenAnswer = z.looseObject({ id_token: z.string() });

/** Makes the ID token of an answer from the token that the provider has signed. */
const ID_TOKENS = {
  right: (token: string) => token,
  /** A token with the same header and claims; its key has the name of the provider's key, but is another one. */
  'of another key': async (token: string) => {
    const { privateKey } = await generateKeyPair('RS256');
    const { kid = '' } = decodeProtectedHeader(token);
    return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  },
  changed: (token: string) => {
    const [header = '', , signature = ''] = token.split('.');
    return [header, encoded({ ...decodeJwt(token), preferred_username: 'admin' }), signature].join('.');
  },
  unsigned: (token: string) => `${encoded({ alg: 'none' })}.${encoded(decodeJwt(token))}.`,
};

function encoded(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

/** Claims of a user besides `sub`. */
export type Person = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** Users by `sub`. */
  readonly people: Map<string, Person>;
  /** The user at the browser; `undefined` cancels the sign-in. */
  person: string | undefined;
  /** While true, every answer is a 503. */
  isDown: boolean;
  /** Replaces the signed ID token in answers of the token endpoint. */
  idTokens: keyof typeof ID_TOKENS;
  /** Answered requests, by path. */
  readonly requests: string[];
  /** Changes the signing key. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the provider on a free port.
 *
 * @param redirectUri where the client `CLIENT_ID` may be sent back to
 * @param audiences of the resources that it issues access tokens for
 */
export async function startProvider(redirectUri: string, audiences: readonly string[]): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (made.isDown) response.writeHead(503).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: TestProvider = {
    issuer,
    people: new Map(),
    person: undefined,
    isDown: false,
    idTokens: 'right',
    requests,
    async rotateKey() {
      answer = await provider();
    },
    stop: () => stopped(server),
  };
  let keys = 0;
  const provider = async () => {
    keys++;
    const settings = configuration(made, redirectUri, audiences, await signingKey(`key-${keys}`));
    const { warn } = console;
    try {
      // It warns that it keeps everything in memory, which a test wants.
      console.warn = () => {};
      const provider = new Provider(issuer, settings);
      provider.use(async (context, next) => {
        await next();
        const body = TokenAnswer.safeParse(context.body).data;
        if (body !== undefined) context.body = { ...body, id_token: await ID_TOKENS[made.idTokens](body.id_token) };
      });
      return serving(provider, made);
    } finally {
      console.warn = warn;
    }
  };
  answer = await provider();
  return made;
}

async function signingKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
}

function configuration(
  { people }: TestProvider,
  redirectUri: string,
  audiences: readonly string[],
  key: JWK,
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'client_credentials'],
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: ['of-a-test'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles', 'org'], email: ['email'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, ClientCredentials: 600, Session: 600, Grant: 600, IdToken: 600, Interaction: 600 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) =>
      people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
    // Like a provider with trusted clients, which asks no user for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email offline_access');
      for (const audience of audiences) grant.addResourceScope(audience, 'openid profile email');
      await grant.save();
      return grant;
    },
    extraTokenClaims: (_context, token) => ('accountId' in token ? people.get(String(token.accountId)) : undefined),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          audience,
          scope: 'openid profile email',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

/** Serves the provider, and its sign-in page, which signs in the test's user. */
function serving(provider: Provider, made: TestProvider): RequestListener {
  const callback = provider.callback();
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      void callback(request, response);
      return;
    }
    const result =
      made.person === undefined
        ? { error: 'access_denied', error_description: 'nobody is there' }
        : { login: { accountId: made.person }, consent: {} };
    provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end());
  };
}

function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
