import { expect, it } from 'vitest';
import { onEveryEngine } from '../state/testing/engines.ts';
import { node } from './testing/fixture.ts';

onEveryEngine((state) => {
  it('makes admin with a generated password of 24 characters, once, and does not log it', async () => {
    const { identity, tenant, log } = await node(state);
    const { created, generatedPassword = '' } = await identity.ensureAdministrator(undefined);
    expect(created).toBe(true);
    expect(generatedPassword).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(await identity.users.verify(tenant, 'admin', generatedPassword)).toMatchObject({
      roles: ['ROLE_ADMIN'],
      hasWeakPassword: false,
    });
    expect(await identity.ensureAdministrator(undefined)).toEqual({ created: false });
    expect(JSON.stringify(log.lines)).not.toContain(generatedPassword);
  });

  it('generates another password each time', async () => {
    const { identity, tenant } = await node(state);
    const first = await identity.ensureAdministrator(undefined);
    await identity.users.add({ tenant, name: 'second', password: 'p', roles: ['ROLE_ADMIN'] });
    await identity.users.remove(tenant, 'admin');
    expect(await identity.ensureAdministrator(undefined)).toEqual({ created: false });
    expect(first.generatedPassword).not.toBe(
      (await (await node(state)).identity.ensureAdministrator('')).generatedPassword,
    );
  });

  it('makes admin with the password from the environment and shows none', async () => {
    const { identity, tenant } = await node(state);
    expect(await identity.ensureAdministrator('from the environment')).toEqual({ created: true });
    expect(await identity.users.verify(tenant, 'admin', 'from the environment')).toBeDefined();
  });

  it('resets a lost password to the one from the environment, ends the sessions, and logs the reset', async () => {
    const { identity, tenant, log } = await node(state);
    await identity.ensureAdministrator('lost');
    const admin = await identity.users.find(tenant, 'admin');
    if (admin === undefined) throw new Error('admin is missing');
    const { id } = await identity.sessions.create(admin);
    expect(await identity.ensureAdministrator('found again')).toEqual({ created: false });
    expect(await identity.users.verify(tenant, 'admin', 'found again')).toBeDefined();
    expect(await identity.sessions.resolve(id)).toBeUndefined();
    expect(log.lines.map(({ message }) => message)).toContain(
      'password reset to the one from the environment; sessions ended',
    );
    expect(JSON.stringify(log.lines)).not.toContain('found again');
  });

  it('changes neither admin nor its sessions when the environment has the current password', async () => {
    const { identity, tenant } = await node(state);
    await identity.ensureAdministrator('the same');
    const admin = await identity.users.find(tenant, 'admin');
    if (admin === undefined) throw new Error('admin is missing');
    const { id } = await identity.sessions.create(admin);
    await identity.ensureAdministrator('the same');
    expect(await identity.sessions.resolve(id)).toBeDefined();
  });

  it('makes a plain user named admin an administrator only when the environment has its password', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'admin', password: 'p' });
    await expect(identity.ensureAdministrator(undefined)).rejects.toThrow(/SERVICE_ADMIN_PASSWORD/);
    expect(await identity.ensureAdministrator('p')).toEqual({ created: false });
    expect(await identity.users.rolesOf(tenant, 'admin')).toEqual(['ROLE_USER', 'ROLE_ADMIN']);
  });

  it('creates no admin when another account is an administrator', async () => {
    const { identity, tenant } = await node(state);
    await identity.users.add({ tenant, name: 'ann', password: 'p', roles: ['ROLE_ADMIN'] });
    expect(await identity.ensureAdministrator(undefined)).toEqual({ created: false });
    expect(await identity.users.list()).toHaveLength(1);
  });

  it('creates one admin when two nodes start at once, and one of them shows its password', async () => {
    const [one, two] = [await node(state), await node(state)];
    const outcomes = await Promise.all([one, two].map(({ identity }) => identity.ensureAdministrator(undefined)));
    expect(outcomes.map(({ created }) => created).sort()).toEqual([false, true]);
    const shown = outcomes.flatMap(({ generatedPassword }) => generatedPassword ?? []);
    expect(shown).toHaveLength(1);
    expect(await one.identity.users.verify(one.tenant, 'admin', shown[0] ?? '')).toBeDefined();
  });
});
