import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRepository } from '../../server/repository/index.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { embedMigrations } from './index.ts';
import type { EmbedTables } from './tables.ts';
import {
  admin,
  ana,
  bob,
  EMBED,
  HOUR,
  type Installation,
  install,
  query,
  START,
  stranger,
  tenant,
  tokenFor,
} from './testing/fixture.ts';

const request = { resourceKind: 'query', resourcePath: 'shared/q.service' };
const Tokens = z.array(z.object({ id: z.string(), label: z.string().nullable() }).loose());

onEveryEngine((state) => {
  let house: Installation;
  /** Opens one node of the product on the state of this test. */
  const node = async () =>
    install({
      state: await state.open({ embed: embedMigrations }),
      openRepository: (directory) => openRepository({ directory, defaultTenant: tenant }),
      tokensPerUser: 3,
    });
  beforeEach(async () => {
    house = await node();
  });
  afterEach(async () => {
    expect(house.rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
    await house.close();
  });

  const create = (body: object, caller = ana) => house.rest.call(`POST ${EMBED}/tokens`, { caller, body });
  const list = async (caller = ana, search = '') =>
    Tokens.parse((await house.rest.call(`GET ${EMBED}/tokens${search}`, { caller })).body);
  const revoke = (token: string, caller = ana) => house.rest.call(`DELETE ${EMBED}/tokens/${token}`, { caller });

  describe('an embed token', () => {
    it('is 256 random bits after a prefix, and is valid for 72 hours by default', async () => {
      const { status, body } = await create(request);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          status: 'OK',
          token: expect.stringMatching(/^tx-[A-Za-z0-9_-]{43}$/),
          ...request,
          expiresAt: START + 72 * HOUR,
        },
      });
      expect((await create(request)).body).not.toMatchObject({
        token: z.object({ token: z.string() }).parse(body).token,
      });
    });

    it.each([1, 720])('may live %i hours', async (ttlHours) => {
      expect(await create({ ...request, ttlHours })).toMatchObject({ body: { expiresAt: START + ttlHours * HOUR } });
    });

    it.each([
      ['ttlHours', { ...request, ttlHours: 0 }],
      ['ttlHours', { ...request, ttlHours: 721 }],
      ['ttlHours', { ...request, ttlHours: 1.5 }],
      ['ttlHours', { ...request, ttlHours: '72' }],
      ['label', { ...request, label: 'x'.repeat(201) }],
      ['resourceKind', { resourcePath: 'shared/q.service' }],
      ['resourceKind', { ...request, resourceKind: 'cube' }],
      ['resourcePath', { resourceKind: 'query' }],
      ['resourcePath', { ...request, resourceKind: 'dashboard' }],
      ['resourcePath', { ...request, resourcePath: 'shared/d.servicedash' }],
      ['resourcePath', { ...request, resourcePath: '../../etc/passwd' }],
      ['roles', { ...request, roles: ['ROLE_ADMIN'] }],
    ])('is refused for a wrong %s: %j', async (field, body) => {
      expect(await create(body)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', field } });
      expect(await list()).toEqual([]);
    });

    it('is made only for what its maker may read; the rest answers as if it were not there', async () => {
      const answers = await Promise.all(
        ['homes/bob/q.service', 'shared/none.service', 'shared/../homes/bob/q.service'].map((resourcePath) =>
          create({ ...request, resourcePath }),
        ),
      );
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect((await create({ ...request, resourcePath: 'homes/bob/q.service' }, admin)).status).toBe(200);
      expect((await create(request, stranger)).status).toBe(404);
    });

    it('is not kept: only its hash is', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      const store = await state.open({ embed: embedMigrations });
      const rows = await store.tables<EmbedTables>().selectFrom('embed_tokens').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(token.slice(3));
      expect(JSON.stringify(await list())).not.toContain(token.slice(3));
      expect(JSON.stringify(house.log.lines)).not.toContain(token.slice(3));
    });

    it('belongs to a user: what no account could be asked for is refused', async () => {
      const key = { ...ana, via: 'api-key', user: 'api-key:1' } as const;
      expect(await create(request, key)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    });

    it('needs the CSRF pair of a session, and not of basic credentials with a JSON body', async () => {
      const call = (via: 'session' | 'basic') =>
        house.rest.call(`POST ${EMBED}/tokens`, { caller: { ...ana, via }, body: request, csrfVerified: false });
      expect(await call('session')).toMatchObject({ status: 403, body: { error: 'CSRF_REJECTED' } });
      expect((await call('basic')).status).toBe(200);
      expect((await house.rest.call(`POST ${EMBED}/tokens`, { body: request })).status).toBe(401);
    });
  });

  describe('the list of tokens', () => {
    it('has the caller’s own, newest first, each with its state', async () => {
      await create({ ...request, label: '  Portal ', ttlHours: 1 });
      house.time.now += 1;
      await create(request);
      await create(request, bob);
      const [newest, oldest, ...others] = await list();
      expect(others).toEqual([]);
      expect(oldest).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...request,
        label: 'Portal',
        owner: 'ana',
        createdAt: '2026-09-21T14:13:20.000Z',
        expiresAt: '2026-09-21T15:13:20.000Z',
        revoked: false,
        lastUsedAt: null,
      });
      expect(newest).toMatchObject({
        label: null,
        createdAt: '2026-09-21T14:13:20.001Z',
        expiresAt: '2026-09-24T14:13:20.001Z',
      });
    });

    it('of all users is for administrators, and ends at the tenant', async () => {
      await create(request);
      await create(request, bob);
      expect(await house.rest.call(`GET ${EMBED}/tokens?all=true`, { caller: ana })).toMatchObject({
        status: 403,
        body: { error: 'FORBIDDEN' },
      });
      expect((await list(admin, '?all=true')).map((token) => token.owner).sort()).toEqual(['ana', 'bob']);
      expect(await list(admin, '?all=false')).toEqual([]);
      expect(await list(stranger, '?all=true')).toEqual([]);
    });

    it('forgets a token 30 days after it has expired', async () => {
      await create({ ...request, label: 'old', ttlHours: 1 });
      house.time.now += HOUR + 30 * 24 * HOUR;
      await create({ ...request, label: 'new' });
      expect((await list()).map((token) => token.label)).toEqual(['new', 'old']);
      house.time.now += 1;
      await create({ ...request, label: 'newest' });
      expect((await list()).map((token) => token.label)).toEqual(['newest', 'new']);
    });
  });

  describe('revoking', () => {
    it('takes the token or its id, and may be done twice', async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      expect(await revoke(token)).toMatchObject({ status: 200, body: { status: 'OK' } });
      expect((await revoke(token)).status).toBe(200);
      await tokenFor(house, ana, 'shared/q.service', { label: 'second' });
      const id = (await list()).find((each) => each.label === 'second')?.id ?? '';
      expect((await revoke(id)).status).toBe(200);
      expect((await list()).map((each) => each.revoked)).toEqual([true, true]);
    });

    it("of another user's token answers as one that never existed, except to administrators of the tenant", async () => {
      const token = await tokenFor(house, ana, 'shared/q.service');
      const id = (await list())[0]?.id ?? '';
      const none = await revoke('tx-none', bob);
      expect(none).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      for (const [each, caller] of [
        [token, bob],
        [id, bob],
        [token, stranger],
        [id, stranger],
        ['', bob],
      ] as const)
        expect((await revoke(each === '' ? '%20' : each, caller)).body).toEqual(none.body);
      expect((await list()).map((each) => each.revoked)).toEqual([false]);
      expect((await revoke(id, admin)).status).toBe(200);
    });
  });

  describe('the limit of active tokens', () => {
    it('counts neither expired nor revoked ones, and each user alone', async () => {
      await create({ ...request, ttlHours: 1 });
      const revoked = await tokenFor(house, ana, 'shared/q.service');
      await create(request);
      expect(await create(request)).toMatchObject({ status: 409, body: { error: 'TOKEN_LIMIT' } });
      expect((await create(request, bob)).status).toBe(200);
      await revoke(revoked);
      expect((await create(request)).status).toBe(200);
      expect((await create(request)).status).toBe(409);
      house.time.now += HOUR;
      expect((await create(request)).status).toBe(200);
      expect((await create(request)).status).toBe(409);
    });

    it('is exact to the token when two nodes are called at the same time', async () => {
      const other = await node();
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          (i % 2 === 0 ? house : other).rest.call(`POST ${EMBED}/tokens`, { caller: ana, body: request }),
        ),
      );
      await other.close();
      expect(answers.map((answer) => answer.status).sort()).toEqual([
        ...Array<number>(3).fill(200),
        ...Array<number>(21).fill(409),
      ]);
      expect(await list()).toHaveLength(3);
    });
  });

  describe('a public grant', () => {
    const grant = (body: object = request, caller = ana) => house.rest.call(`POST ${EMBED}/public`, { caller, body });
    const grants = async (caller = ana) => (await house.rest.call(`GET ${EMBED}/public`, { caller })).body;
    const end = (search: string, caller = ana) => house.rest.call(`DELETE ${EMBED}/public${search}`, { caller });
    const here = '?kind=query&path=shared/q.service';

    it('is made, listed and ended by its owner', async () => {
      expect(await grant({ ...request, label: 'Site' })).toMatchObject({
        status: 200,
        body: { status: 'OK', ...request },
      });
      expect(await grants()).toEqual([
        { ...request, label: 'Site', owner: 'ana', isOwn: true, createdAt: '2026-09-21T14:13:20.000Z' },
      ]);
      expect(await grants(bob)).toEqual([]);
      // Another user of the tenant who may read the document sees that it is public.
      const seen = async (caller: typeof bob) =>
        (await house.rest.call(`GET ${EMBED}/public?others=true`, { caller })).body;
      expect(await seen(bob)).toMatchObject([{ ...request, owner: 'ana', isOwn: false }]);
      expect(await house.rest.call(`GET ${EMBED}/public?others=maybe`, { caller: bob })).toMatchObject({ status: 400 });
      expect(await end(here)).toMatchObject({ status: 200, body: { status: 'OK' } });
      expect(await end(here)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      expect(await grants()).toEqual([]);
    });

    it('made again takes the label and the roles of now', async () => {
      await grant({ ...request, label: 'first' });
      house.time.now += 5;
      await grant({ ...request, label: 'second' }, { ...ana, roles: ['ROLE_LESS'] });
      expect(await grants()).toEqual([
        { ...request, label: 'second', owner: 'ana', isOwn: true, createdAt: '2026-09-21T14:13:20.000Z' },
      ]);
      const store = await state.open({ embed: embedMigrations });
      const rows = await store.tables<EmbedTables>().selectFrom('public_grants').selectAll().execute();
      expect(rows).toMatchObject([{ tenant_id: tenant, owner: 'ana', owner_roles: '["ROLE_LESS"]' }]);
    });

    it('of one resource has one owner', async () => {
      await grant();
      expect(await grant(request, bob)).toMatchObject({ status: 409, body: { error: 'GRANT_EXISTS' } });
      expect((await end(here, bob)).status).toBe(404);
      expect((await end(here, stranger)).status).toBe(404);
      expect((await end(here, admin)).status).toBe(200);
      expect((await grant(request, bob)).status).toBe(200);
    });

    it('of one path in two tenants is two grants, each read by the path that names its tenant', async () => {
      await house.place('tenants/tenant-2/shared/q.service', query('theirs'));
      await grant();
      const embedPath = 'tenants/tenant-2/shared/q.service';
      expect(await grant(request, stranger)).toMatchObject({
        status: 200,
        body: { status: 'OK', ...request, embedPath },
      });
      expect(await grants(stranger)).toMatchObject([{ ...request, embedPath }]);
      const read = async (path: string) => (await house.rest.call(`GET ${EMBED}/query/${path}`)).body;
      expect(await read('shared/q.service')).toMatchObject({ title: 'Of shared' });
      expect(await read('tenants/tenant-1/shared/q.service')).toMatchObject({ title: 'Of shared' });
      expect(await read(embedPath)).toMatchObject({ title: 'Of theirs' });
      expect((await end(here)).status).toBe(200);
      expect(await read('shared/q.service')).toEqual(await read('tenants/nobody/shared/q.service'));
      expect(await read(embedPath)).toMatchObject({ title: 'Of theirs' });
    });

    it('made by two users at the same time is one user’s', async () => {
      const answers = await Promise.all([grant(), grant(request, bob), grant(), grant(request, bob)]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 409, 409]);
    });

    it('is refused for what the caller may not read, and for a kind that does not fit', async () => {
      expect((await grant({ ...request, resourcePath: 'homes/bob/q.service' })).status).toBe(404);
      expect(await grant({ ...request, resourceKind: 'dashboard' })).toMatchObject({ body: { field: 'resourcePath' } });
      expect(await end('?kind=cube&path=x')).toMatchObject({ status: 400, body: { field: 'kind' } });
      expect(await end('?kind=query')).toMatchObject({ status: 400, body: { field: 'path' } });
    });
  });
});
