import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { NotFoundError } from '../../router/errors.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import type { IdentityTables } from './tables.ts';
import { MINUTE, node } from './testing/fixture.ts';

onEveryEngine((state) => {
  it('returns a key once, and the key resolves to a caller of its tenant with ROLE_USER', async () => {
    const { identity } = await node(state);
    const acme = await identity.tenants.ensure('acme');
    const made = await identity.apiKeys.create({ tenant: acme.id, label: 'nightly report' });
    expect(made.tenantId).toBe(acme.id);
    expect(made.key).toMatch(/^service_[A-Za-z0-9_-]{43}$/);
    expect(await identity.apiKeys.resolve(made.key)).toEqual({
      kind: 'user',
      via: 'api-key',
      tenant: acme.id,
      user: `api-key:${made.id}`,
      roles: ['ROLE_USER'],
      attributes: {},
      isAccount: true,
    });
  });

  it('stores the SHA-256 of a key and never the key', async () => {
    const { identity, store, tenant } = await node(state);
    const { key } = await identity.apiKeys.create({ tenant, label: 'x' });
    const row = await store.tables<IdentityTables>().selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(row.key_hash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(key.slice('service_'.length));
    expect(JSON.stringify(await identity.apiKeys.list())).not.toContain(key.slice('service_'.length));
  });

  it('lists keys in the order of their creation, of one tenant or of all', async () => {
    const { identity, tenant, clock } = await node(state);
    const acme = await identity.tenants.ensure('acme');
    await identity.apiKeys.create({ tenant, label: 'first' });
    clock.now++;
    await identity.apiKeys.create({ tenant: acme.id, label: 'second', roles: ['analyst'] });
    const labels = async (of?: typeof tenant) => (await identity.apiKeys.list(of)).map(({ label }) => label);
    expect(await labels()).toEqual(['first', 'second']);
    expect(await labels(acme.id)).toEqual(['second']);
    expect((await identity.apiKeys.list(acme.id))[0]).toMatchObject({
      roles: ['analyst'],
      createdAtMillis: clock.now,
      lastUsedAtMillis: undefined,
      revokedAtMillis: undefined,
    });
  });

  it('is refused on every node after it was revoked, and has the time of the revocation', async () => {
    const { identity, tenant, clock } = await node(state);
    const { id, key } = await identity.apiKeys.create({ tenant, label: 'x' });
    const other = await node(state, { clock });
    expect(await other.identity.apiKeys.resolve(key)).toBeDefined();
    await identity.apiKeys.revoke(id);
    const revokedAt = clock.now;
    clock.now += MINUTE;
    await identity.apiKeys.revoke(id);
    expect(await other.identity.apiKeys.resolve(key)).toBeUndefined();
    expect((await identity.apiKeys.list())[0]?.revokedAtMillis).toBe(revokedAt);
  });

  it('a made-up id revokes no key', async () => {
    const { identity, tenant } = await node(state);
    const { key } = await identity.apiKeys.create({ tenant, label: 'x' });
    for (const id of ['', '..', "' or 1=1 --", 'a\u0000b', '00000000-0000-4000-8000-000000000000']) {
      await expect(identity.apiKeys.revoke(id), JSON.stringify(id)).rejects.toThrow(NotFoundError);
    }
    expect(await identity.apiKeys.resolve(key)).toBeDefined();
  });

  it('resolves only the whole key with its prefix', async () => {
    const { identity, tenant } = await node(state);
    const { key } = await identity.apiKeys.create({ tenant, label: 'x' });
    const bare = key.slice('service_'.length);
    const others = [
      '',
      'service_',
      'a\u0000b',
      bare,
      `other_${bare}`,
      key.slice(0, -1),
      `${key} `,
      `${key.slice(0, -1)}'`,
    ];
    for (const other of others) {
      expect(await identity.apiKeys.resolve(other), JSON.stringify(other)).toBeUndefined();
    }
  });

  it('records the last use at most once a minute', async () => {
    const { identity, tenant, clock } = await node(state);
    const { key } = await identity.apiKeys.create({ tenant, label: 'x' });
    const used = async () => (await identity.apiKeys.list())[0]?.lastUsedAtMillis;
    const first = clock.now;
    await identity.apiKeys.resolve(key);
    clock.now = first + MINUTE - 1;
    await identity.apiKeys.resolve(key);
    expect(await used()).toBe(first);
    clock.now = first + MINUTE;
    await identity.apiKeys.resolve(key);
    expect(await used()).toBe(first + MINUTE);
  });

  it('refuses a label that is empty, unprintable or too long', async () => {
    const { identity, tenant } = await node(state);
    for (const label of ['', '  ', 'two\nlines', 'a\u0000b', '\ud800', 'x'.repeat(201)]) {
      const creating = identity.apiKeys.create({ tenant, label });
      await expect(creating, JSON.stringify(label)).rejects.toMatchObject({ kind: 'VALIDATION', field: 'label' });
    }
  });

  it('keeps a label unchanged, in any script and with any quotes', async () => {
    const { identity, tenant } = await node(state);
    const label = `Årsrapport “Q4” 'x'; drop table api_keys; -- 数据 📊`;
    await identity.apiKeys.create({ tenant, label });
    expect((await identity.apiKeys.list())[0]?.label).toBe(label);
  });
});
