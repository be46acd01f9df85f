/** Runs the documented backends, and verifies the tokens that they sign. */
import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openSignatures } from './index.ts';
import { pyJwtMissing, withPyJwt } from './testing/pyjwt.ts';

const SECRET = 'a shared secret of more than thirty-two bytes';
const EXAMPLES = fileURLToPath(new URL('../../docs/examples/viewers/', import.meta.url));
const VISITOR = { id: 'u-17', regions: ['South'] };

const signatures = openSignatures(
  {
    secret: Buffer.from(SECRET),
    jwks: undefined,
    issuer: 'https://shop.example.com',
    audience: 'analytics',
    owners: new Set(['host']),
    tenant: 'default',
  },
  { guard: { addressOf: async () => undefined }, clock: Date.now, log: silentLog, tenantNamed: async () => undefined },
);
const EXPECTED = {
  sub: 'u-17',
  owner: 'host',
  resource: { kind: 'query', path: 'shared/sales.service' },
  attributes: { regions: ['South'] },
};

describe('the backend in Node.js', () => {
  let before: string | undefined;
  beforeAll(() => {
    before = process.env.EMBED_JWT_SECRET;
    process.env.EMBED_JWT_SECRET = SECRET;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.EMBED_JWT_SECRET;
    else process.env.EMBED_JWT_SECRET = before;
  });

  it('signs tokens that are accepted, for signed-in visitors only', async () => {
    const { tokenServer } = await import(`${EXAMPLES}sign-token.mjs`);
    const server = tokenServer((request: { headers: object }) => ('cookie' in request.headers ? VISITOR : undefined));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/embed-token?kind=query&path=shared/sales.service`, { headers });
    try {
      expect((await ask({})).status).toBe(401);
      const { token } = z.object({ token: z.string() }).parse(await (await ask({ cookie: 'session=1' })).json());
      expect((await signatures.verify(token))?.claims).toMatchObject(EXPECTED);
    } finally {
      server.close();
    }
  });
});

const MISSING = pyJwtMissing();

describe('the backend in Python', () => {
  it.skipIf(MISSING !== undefined)(titleNeeding('signs tokens that are accepted', MISSING), async () => {
    const { stdout } = spawnSync('python3', [`${EXAMPLES}sign_token.py`], {
      encoding: 'utf8',
      env: { ...withPyJwt(), EMBED_JWT_SECRET: SECRET },
    });
    expect((await signatures.verify(stdout.trim()))?.claims).toMatchObject(EXPECTED);
  });
});
