/** A real identity provider in this process, with people whom the test names. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';

export const CLIENT_ID = 'service';
export const CLIENT_SECRET = 'a-secret-that-only-this-test-knows';

/** Claims of a person beside `sub`. */
export type Person = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** By `sub`. */
  readonly people: Map<string, Person>;
  /** Who is at the browser; `undefined` refuses. */
  person: string | undefined;
  /** Answers nothing but 503 while set. */
  isDown: boolean;
  /** Requests that it has answered, by path. */
  readonly asked: string[];
  /** Changes the key that signs. */
  rotateKey(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the provider on a port of its own.
 *
 * @param redirectUri where the client `CLIENT_ID` may be sent back to
 * @param audiences of the resources that it issues access tokens for
 */
export async function startProvider(redirectUri: string, audiences: readonly string[]): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
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
    asked,
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
      // It warns that it keeps everything in memory, which is what a test wants.
      console.warn = () => {};
      return serving(new Provider(issuer, settings), made);
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
    // As of a provider whose people trust its clients: nobody is asked for consent.
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

/** Serves the provider, and the page where people say who they are: the account that the test has put there. */
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
