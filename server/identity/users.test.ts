import { hash } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { ConflictError, NotFoundError, ValidationError } from '../../router/errors.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import type { IdentityTables } from './tables.ts';
import { CHEAP, HOSTILE_NAMES, node } from './testing/fixture.ts';

onEveryEngine((state) => {
  it('adds a user whose password verifies, and no other password', async () => {
    const { identity, tenant, clock } = await node(state);
    const ann = await identity.users.add({ tenant, name: 'ann', password: 'a good password' });
    expect(ann).toMatchObject({ tenant, name: 'ann', roles: ['ROLE_USER'], createdAtMillis: clock.now });
    expect(await identity.users.verify(tenant, 'ann', 'a good password')).toEqual(ann);
    for (const wrong of ['A good password', 'a good password ', '', 'x'.repeat(5_000)]) {
      expect(await identity.users.verify(tenant, 'ann', wrong)).toBeUndefined();
    }
  });

  it('stores an argon2id hash and nothing else of the password', async () => {
    const { identity, store, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'a good password' });
    const row = await store.tables<IdentityTables>().selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=16,t=1,p=1\$/);
    expect(JSON.stringify(row)).not.toContain('a good password');
  });

  it('treats two spellings of one text as one password (Unicode NFKC)', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'caf\u00e9 \ufb01ne' });
    expect(await identity.users.verify(tenant, 'ann', 'cafe\u0301 fine')).toBeDefined();
  });

  it('lists users by name with their roles, of one tenant or of all', async () => {
    const { identity, tenant } = await node(state);
    const acme = await identity.tenants.ensure('acme');
    await identity.users.add({ tenant, name: 'zoe', password: 'p', roles: ['California manager', 'ROLE_USER'] });
    await identity.users.add({ tenant, name: 'bob', password: 'p' });
    await identity.users.add({ tenant: acme.id, name: 'carl', password: 'p' });
    const names = async (of?: typeof tenant) => (await identity.users.list(of)).map(({ name }) => name);
    expect(await names(tenant)).toEqual(['bob', 'zoe']);
    expect(await names()).toEqual(['bob', 'carl', 'zoe']);
    expect(await identity.users.rolesOf(tenant, 'zoe')).toEqual(['California manager', 'ROLE_USER']);
    expect(await identity.users.rolesOf(acme.id, 'zoe')).toBeUndefined();
  });

  it('two tenants may have a user of the same name, each with a separate password', async () => {
    const { identity, tenant } = await node(state);
    const acme = await identity.tenants.ensure('acme');
    await identity.users.add({ tenant, name: 'ann', password: 'first' });
    await identity.users.add({ tenant: acme.id, name: 'ann', password: 'second' });
    expect(await identity.users.verify(acme.id, 'ann', 'first')).toBeUndefined();
    expect((await identity.users.verify(acme.id, 'ann', 'second'))?.tenant).toBe(acme.id);
  });

  it('refuses a taken name, also in another letter case', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'p' });
    await expect(identity.users.add({ tenant, name: 'ann', password: 'p' })).rejects.toThrow(ConflictError);
    await expect(identity.users.add({ tenant, name: 'ANN', password: 'p' })).rejects.toThrow(ConflictError);
  });

  it('creates one of two users of the same name added at once on two nodes', async () => {
    const [one, two] = [await node(state), await node(state)];
    const made = await Promise.allSettled(
      [one, two].map(({ identity, tenant }) => identity.users.add({ tenant, name: 'ann', password: 'p' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = made.find((result) => result.status === 'rejected');
    expect(refusal?.reason).toBeInstanceOf(ConflictError);
    expect(await one.identity.users.list()).toHaveLength(1);
  });

  it('refuses to add, and never finds, a user with a hostile name', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'admin', password: 'p', roles: ['ROLE_ADMIN'] });
    for (const name of HOSTILE_NAMES) {
      const shown = JSON.stringify(name);
      await expect(identity.users.add({ tenant, name, password: 'p' }), shown).rejects.toThrow(ValidationError);
      expect(await identity.users.verify(tenant, name, 'p'), shown).toBeUndefined();
      expect(await identity.users.rolesOf(tenant, name), shown).toBeUndefined();
      await expect(identity.users.passwd(tenant, name, 'q'), shown).rejects.toThrow(NotFoundError);
      await expect(identity.users.remove(tenant, name), shown).rejects.toThrow(NotFoundError);
    }
    expect(await identity.users.list()).toHaveLength(1);
  });

  it('refuses a role that is empty, unprintable, too long or contains a comma', async () => {
    const { identity, tenant } = await node(state);
    for (const role of ['', ' ', 'a,b', 'a\u0000b', 'a\nb', ' x', 'x'.repeat(101), '\ud800']) {
      const adding = identity.users.add({ tenant, name: 'ann', password: 'p', roles: ['ROLE_USER', role] });
      await expect(adding, JSON.stringify(role)).rejects.toMatchObject({ kind: 'VALIDATION', field: 'roles[1]' });
    }
  });

  it('refuses a password that is empty or too long', async () => {
    const { identity, tenant } = await node(state);
    for (const password of ['', 'x'.repeat(1_025)]) {
      const adding = identity.users.add({ tenant, name: 'ann', password });
      await expect(adding).rejects.toMatchObject({ kind: 'VALIDATION', field: 'password' });
    }
  });

  it('changes a password: the new one verifies, and the old one does not', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'old' });
    await identity.users.passwd(tenant, 'ann', 'new');
    expect(await identity.users.verify(tenant, 'ann', 'old')).toBeUndefined();
    expect(await identity.users.verify(tenant, 'ann', 'new')).toMatchObject({ name: 'ann', passwordVersion: 2 });
  });

  it('stores whether a password was weak when it was set', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'short' });
    expect(await identity.users.find(tenant, 'ann')).toMatchObject({ hasWeakPassword: true });
    await identity.users.passwd(tenant, 'ann', 'seven red herrings swim');
    expect(await identity.users.find(tenant, 'ann')).toMatchObject({ hasWeakPassword: false });
  });

  it('replaces a hash of a lower cost when the password is next verified, and keeps the sessions', async () => {
    const cheap = await node(state);
    const ann = await cheap.identity.users.add({ tenant: cheap.tenant, name: 'ann', password: 'p' });
    const { id } = await cheap.identity.sessions.create(ann);
    const dearer = await node(state, { hashCost: { ...CHEAP, memoryCost: 32, timeCost: 2 } });
    expect(await dearer.identity.users.verify(dearer.tenant, 'ann', 'wrong')).toBeUndefined();
    expect(await storedHash(cheap.store)).toContain('m=16,t=1,p=1');
    expect(await dearer.identity.users.verify(dearer.tenant, 'ann', 'p')).toBeDefined();
    expect(await storedHash(cheap.store)).toContain('m=32,t=2,p=1');
    expect(await dearer.identity.users.verify(dearer.tenant, 'ann', 'p')).toBeDefined();
    expect(await dearer.identity.sessions.resolve(id)).toBeDefined();
  });

  it('keeps a hash of a higher cost', async () => {
    const { identity, store, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'p' });
    const dearer = await hash('p', { memoryCost: 64, timeCost: 3, parallelism: 1 });
    await store.tables<IdentityTables>().updateTable('users').set({ password_hash: dearer }).execute();
    expect(await identity.users.verify(tenant, 'ann', 'p')).toBeDefined();
    expect(await storedHash(store)).toBe(dearer);
  });

  it('removes a user but never the last administrator of its tenant', async () => {
    const { identity, tenant } = await node(state);
    const { users } = identity;
    await users.add({ tenant, name: 'root', password: 'p', roles: ['ROLE_ADMIN'] });
    await users.add({ tenant, name: 'ann', password: 'p' });
    await users.remove(tenant, 'ann');
    await expect(users.remove(tenant, 'ann')).rejects.toThrow(NotFoundError);
    await expect(users.remove(tenant, 'root')).rejects.toThrow(ConflictError);
    await users.add({ tenant, name: 'second', password: 'p', roles: ['ROLE_ADMIN'] });
    await users.remove(tenant, 'root');
    expect((await users.list()).map(({ name }) => name)).toEqual(['second']);
  });

  it('keeps one administrator when the last two are removed at once on two nodes', async () => {
    const [one, two] = [await node(state), await node(state)];
    const { tenant } = one;
    for (const name of ['first', 'second']) {
      await one.identity.users.add({ tenant, name, password: 'p', roles: ['ROLE_ADMIN'] });
    }
    const removed = await Promise.allSettled([
      one.identity.users.remove(tenant, 'first'),
      two.identity.users.remove(tenant, 'second'),
    ]);
    expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await one.identity.users.list()).toHaveLength(1);
  });

  it('creates tenants once, each with a UUID and the tier starter', async () => {
    const [one, two] = [await node(state), await node(state)];
    const both = await Promise.all([one, two].map(({ identity }) => identity.tenants.ensure('acme')));
    expect(both[0]).toEqual(both[1]);
    expect(both[0]).toMatchObject({ name: 'acme', tier: 'starter' });
    expect(both[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((await one.identity.tenants.list()).map(({ name }) => name)).toEqual(['acme', 'default']);
    expect(await one.identity.tenants.find('nobody')).toBeUndefined();
    expect(await one.identity.tenants.find('a\u0000b')).toBeUndefined();
    await expect(one.identity.tenants.ensure('a/b')).rejects.toMatchObject({ kind: 'VALIDATION', field: 'tenant' });
  });
});

async function storedHash(store: Awaited<ReturnType<typeof node>>['store']): Promise<string> {
  const row = await store
    .tables<IdentityTables>()
    .selectFrom('users')
    .select('password_hash')
    .executeTakeFirstOrThrow();
  return row.password_hash;
}
