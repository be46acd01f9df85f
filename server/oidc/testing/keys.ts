/** An issuer with tokens that the test composes claim by claim. It publishes keys like a provider, without a provider. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** Claims of a token; an undefined claim is left out. */
export type TokenClaims = Readonly<Record<string, unknown>>;

export interface TestKeys {
  readonly issuer: string;
  /** Id of the current signing key. */
  readonly kid: string;
  readonly publicPem: string;
  isDown: boolean;
  sign(claims: TokenClaims): Promise<string>;
  /** Signs with a new key from now on, and publishes only that key. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

interface Pair {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly publicPem: string;
}

export async function startKeys(): Promise<TestKeys> {
  let pair = await newPair(1);
  const server = createServer((request, response) => {
    const document =
      request.url === '/keys'
        ? { keys: [pair.jwk] }
        : { issuer: keys.issuer, jwks_uri: `${keys.issuer}/keys`, authorization_endpoint: `${keys.issuer}/auth` };
    if (keys.isDown) response.writeHead(503).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const keys: TestKeys = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isDown: false,
    get kid() {
      return pair.kid;
    },
    get publicPem() {
      return pair.publicPem;
    },
    sign: (claims) =>
      new SignJWT(JSON.parse(JSON.stringify(claims)) as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid: pair.kid, typ: 'at+jwt' })
        .sign(pair.privateKey),
    async rotate() {
      pair = await newPair(2);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return keys;
}

async function newPair(number: number): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = `key-${number}`;
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' };
  return { kid, privateKey, jwk, publicPem: await exportSPKI(publicKey) };
}
