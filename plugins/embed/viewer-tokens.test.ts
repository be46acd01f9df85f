/** Tests tokens for single viewers: stored ones, and tokens that the host page's server signs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openSignatures } from '../../server/embed-signatures/index.ts';
import { openRepository } from '../../server/repository/index.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './index.ts';
import { admin, ana, bob, EMBED, type Installation, install, START, tenant, tokenFor } from './testing/fixture.ts';

const SECRET = Buffer.from('a shared secret of more than thirty-two bytes');
const ISSUER = 'https://host.example';
const AUDIENCE = 'analytics';
const SECONDS = START / 1_000;
const SOUTH = { regions: ['South'] };

const claims = (more: JWTPayload = {}): JWTPayload => ({
  sub: 'u-17',
  iss: ISSUER,
  aud: AUDIENCE,
  iat: SECONDS,
  exp: SECONDS + 3_600,
  owner: 'ana',
  resource: { kind: 'query', path: 'shared/q.service' },
  attributes: SOUTH,
  ...more,
});
const signed = (payload: JWTPayload, secret: Uint8Array = SECRET, alg = 'HS256') =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(secret);

/** Leaves members out of claims. */
function without(payload: JWTPayload, ...names: readonly string[]): JWTPayload {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
}

onEveryEngine((state) => {
  let house: Installation;
  let jwks: URL | { readonly file: string } | undefined;
  const open = async () =>
    install({
      state: await state.open({ embed: embedMigrations }),
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
      signatures: (clock) =>
        openSignatures(
          {
            secret: SECRET,
            jwks,
            issuer: ISSUER,
            audience: AUDIENCE,
            owners: new Set(['ana', 'gone']),
            tenant: 'first',
          },
          { guard: { addressOf: async () => undefined }, clock, log: silentLog, tenantNamed: async () => tenant },
        ),
    });
  beforeEach(async () => {
    jwks = undefined;
    house = await open();
  });
  afterEach(async () => {
    expect(house.rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
    await house.close();
  });

  const read = (token: string, path = 'query/shared/q.service') =>
    house.rest.call(`GET ${EMBED}/${path}`, { embedToken: token });
  const refusal = async () => JSON.stringify(await read('tx-nothing'));
  const lastScope = () => house.source.runs.at(-1)?.scope;

  describe('a stored token for a viewer', () => {
    const viewer = { id: 'u-17', attributes: { regions: ['South'], tier: 'gold' } };

    it('reads with the roles of its owner and the attributes of the viewer', async () => {
      const token = await tokenFor(house, admin, 'shared/q.service', { viewer });
      expect(await read(token)).toMatchObject({ status: 200 });
      expect(lastScope()).toEqual({
        tenant,
        user: 'admin',
        roles: ['ROLE_ADMIN'],
        attributes: { regions: ['South'], tier: ['gold'] },
        viewer: { id: 'u-17' },
      });
    });

    it('of an owner who is no administrator shows at most what the owner may see', async () => {
      const owner = { ...ana, attributes: { regions: ['North'] }, isAccount: true } as const;
      const token = await tokenFor(house, owner, 'shared/q.service', { viewer });
      await read(token);
      expect(lastScope()).toMatchObject({
        roles: ana.roles,
        viewer: { id: 'u-17' },
        viewedBy: { user: 'ana', roles: ana.roles, attributes: { regions: ['North'] }, isAccount: true },
      });
      expect(lastScope()?.isAccount).toBeUndefined();
    });

    it('is listed with the id of the viewer, and without attributes', async () => {
      await tokenFor(house, ana, 'shared/q.service', { viewer });
      await tokenFor(house, ana, 'shared/q.service');
      const { body } = await house.rest.call(`GET ${EMBED}/tokens`, { caller: ana });
      expect(JSON.stringify(body)).not.toContain('South');
      expect(body).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ viewer: { id: 'u-17' } }),
          expect.not.objectContaining({ viewer: expect.anything() }),
        ]),
      );
    });

    it.each([
      { id: '', attributes: {} },
      { id: 'u', attributes: { '1x': ['a'] } },
      { id: 'u', attributes: { __proto__x: ['a'] } },
      { id: 'u', attributes: { a: ['x'.repeat(257)] } },
      { id: 'u', attributes: { a: Array.from({ length: 1_001 }, (_, index) => index) } },
      { id: 'u', attributes: { a: [null] } },
      { id: 'u', attributes: { a: { b: 1 } } },
    ])('is refused with wrong attributes: %o', async (wrong) => {
      const { status } = await house.rest.call(`POST ${EMBED}/tokens`, {
        caller: ana,
        body: { resourceKind: 'query', resourcePath: 'shared/q.service', viewer: wrong },
      });
      expect(status).toBe(400);
    });

    it('of an owner without a viewer has the attributes that the owner had', async () => {
      const token = await tokenFor(house, { ...ana, attributes: SOUTH, isAccount: true }, 'shared/q.service');
      await read(token);
      expect(lastScope()).toEqual({ tenant, user: 'ana', roles: ana.roles, attributes: SOUTH });
    });
  });

  describe('a signed token', () => {
    it('reads with the current roles of its owner and the attributes of the viewer', async () => {
      expect(await read(await signed(claims()))).toMatchObject({ status: 200 });
      expect(lastScope()).toEqual({
        tenant,
        user: 'ana',
        roles: ['ROLE_NOW'],
        attributes: SOUTH,
        viewer: { id: 'u-17' },
      });
    });

    it('may name several resources', async () => {
      const resources = [
        { kind: 'query', path: 'shared/q.service' },
        { kind: 'dashboard', path: 'shared/d.servicedash' },
      ];
      const token = await signed(without(claims({ resources }), 'resource'));
      expect(await read(token)).toMatchObject({ status: 200 });
      expect(await read(token, 'dashboard/shared/d.servicedash')).toMatchObject({ status: 200 });
    });

    it('that is wrong in any way is refused like an unknown token, byte for byte', async () => {
      const valid = claims();
      const other = Buffer.from('another secret of more than thirty-two bytes');
      const { privateKey } = await generateKeyPair('RS256');
      const good = await signed(valid);
      const wrong: Readonly<Record<string, string>> = {
        'another key': await signed(valid, other),
        'no signature': new UnsecuredJWT(valid).encode(),
        'a longer hash': await signed(valid, Buffer.concat([SECRET, SECRET]), 'HS512'),
        'a key pair without keys': await new SignJWT(valid).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
        'a cut signature': good.slice(0, -2),
        'changed claims': good.replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify(claims({ sub: 'x' }))).toString('base64url')}.`,
        ),
        'another issuer': await signed(claims({ iss: 'https://else.example' })),
        'another audience': await signed(claims({ aud: 'else' })),
        expired: await signed(claims({ iat: SECONDS - 7_200, exp: SECONDS - 1 })),
        'of the future': await signed(claims({ iat: SECONDS + 600, exp: SECONDS + 700 })),
        'not before': await signed(claims({ nbf: SECONDS + 600 })),
        'longer than a day': await signed(claims({ exp: SECONDS + 86_401 })),
        'without sub': await signed(without(valid, 'sub')),
        'without exp': await signed(without(valid, 'exp')),
        'without iat': await signed(without(valid, 'iat')),
        'without owner': await signed(without(valid, 'owner')),
        'without resource': await signed(without(valid, 'resource')),
        'another owner': await signed(claims({ owner: 'bob' })),
        'an owner who is gone': await signed(claims({ owner: 'gone' })),
        'another path': await signed(claims({ resource: { kind: 'query', path: 'shared/x.service' } })),
        'another kind': await signed(claims({ resource: { kind: 'dashboard', path: 'shared/q.service' } })),
        'wrong attributes': await signed(claims({ attributes: { regions: [{}] } })),
        'a too long one': await signed(claims({ attributes: { a: 'x'.repeat(200) }, more: 'y'.repeat(20_000) })),
        'no JWT': 'a.b.c',
        'no claims': `${Buffer.from('{"alg":"HS256"}').toString('base64url')}..`,
      };
      const expected = await refusal();
      for (const [what, token] of Object.entries(wrong)) expect(JSON.stringify(await read(token)), what).toBe(expected);
      // An owner who may not read the document.
      const foreign = claims({ resource: { kind: 'query', path: 'homes/bob/q.service' } });
      expect(JSON.stringify(await read(await signed(foreign), 'query/homes/bob/q.service'))).toBe(expected);
      expect(await read(good)).toMatchObject({ status: 200 });
    });

    it('of 24 hours is accepted until it ends', async () => {
      const token = await signed(claims({ exp: SECONDS + 86_400 }));
      house.time.now = START + 86_399_000;
      expect(await read(token)).toMatchObject({ status: 200 });
      house.time.now = START + 86_400_000;
      expect(JSON.stringify(await read(token))).toBe(await refusal());
    });

    it('with a jti is revoked by its owner or by an administrator', async () => {
      const first = await signed(claims({ jti: 'one' }));
      const second = await signed(claims({ jti: 'two' }));
      const revoke = (caller: typeof ana, token: string) =>
        house.rest.call(`DELETE ${EMBED}/tokens/${encodeURIComponent(token)}`, { caller });
      expect(await revoke(bob, first)).toMatchObject({ status: 404 });
      expect(await revoke(bob, 'jti:one')).toMatchObject({ status: 404 });
      expect(await read(first)).toMatchObject({ status: 200 });
      expect(await revoke(ana, first)).toMatchObject({ status: 200 });
      expect(await revoke(ana, first)).toMatchObject({ status: 200 });
      expect(JSON.stringify(await read(first))).toBe(await refusal());
      expect(await read(second)).toMatchObject({ status: 200 });
      expect(await revoke(admin, 'jti:two')).toMatchObject({ status: 200 });
      expect(JSON.stringify(await read(second))).toBe(await refusal());
      // A token without a jti ends when it expires.
      expect(await revoke(admin, await signed(claims()))).toMatchObject({ status: 404 });
    });

    it('ends with the account of its owner, also where the name is given to somebody new', async () => {
      const token = await signed(claims());
      house.accounts.set(`${tenant} ana`, START + 5_000);
      expect(JSON.stringify(await read(token))).toBe(await refusal());
    });
  });

  describe.each(['RS256', 'ES256', 'EdDSA'])('keys in a set, by %s', (alg) => {
    it('are read from a file, and read again when the host has a new key', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'service-keys-'));
      const file = join(folder, 'keys.json');
      const [one, two] = [await keyOf(alg, 'one'), await keyOf(alg, 'two')];
      try {
        writeFileSync(file, JSON.stringify({ keys: [one.published] }));
        jwks = { file };
        await house.close();
        house = await open();
        expect(await read(await one.sign(claims()))).toMatchObject({ status: 200 });
        expect(JSON.stringify(await read(await two.sign(claims())))).toBe(await refusal());
        writeFileSync(file, JSON.stringify({ keys: [one.published, two.published] }));
        house.time.now += 31_000;
        expect(await read(await two.sign(claims()))).toMatchObject({ status: 200 });
        expect(await read(await one.sign(claims()))).toMatchObject({ status: 200 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });

  it('keys at an address are fetched once, and again at most twice a minute for unknown keys', async () => {
    const [one, two] = [await keyOf('ES256', 'one'), await keyOf('ES256', 'two')];
    let asked = 0;
    let answer = JSON.stringify({ keys: [one.published] });
    const server = createServer((_, response) => {
      asked += 1;
      response.end(answer);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      jwks = new URL(`http://127.0.0.1:${port}/keys`);
      await house.close();
      house = await open();
      const token = await one.sign(claims());
      for (let times = 0; times < 3; times += 1) expect(await read(token)).toMatchObject({ status: 200 });
      for (let times = 0; times < 3; times += 1)
        expect(JSON.stringify(await read(await two.sign(claims())))).toBe(await refusal());
      expect(asked).toBe(1);
      house.time.now += 31_000;
      answer = 'no keys';
      // The keys of before stay when the address fails.
      expect(JSON.stringify(await read(await two.sign(claims())))).toBe(await refusal());
      expect(await read(token)).toMatchObject({ status: 200 });
      answer = JSON.stringify({ keys: [two.published] });
      house.time.now += 31_000;
      expect(await read(await two.sign(claims()))).toMatchObject({ status: 200 });
      expect(JSON.stringify(await read(token))).toBe(await refusal());
    } finally {
      server.close();
    }
  });
});

async function keyOf(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    published: { ...(await exportJWK(publicKey)), kid, alg },
    sign: (payload: JWTPayload) => new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(privateKey),
  };
}
