import { expect, it } from 'vitest';
import { z } from 'zod';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import { restClient } from '../../router/testing/rest-client.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { accountsPlugin } from './account-operations.ts';
import { node } from './testing/fixture.ts';

const USERS = '/rest/service/api/admin/users';
const KEYS = '/rest/service/api/admin/api-keys';

onEveryEngine((state) => {
  it('administrators set the attributes of their own tenant’s users and keys', async () => {
    const { identity } = await node(state);
    const [acme, other] = [await identity.tenants.ensure('acme'), await identity.tenants.ensure('other')];
    for (const { id: tenant } of [acme, other])
      await identity.users.add({ tenant, name: 'ann', password: 'a long password' });
    const { id } = await identity.apiKeys.create({ tenant: acme.id, label: 'report' });
    const rest = restClient(accountsPlugin(identity));
    const admin = (tenant: typeof acme): UserCaller => ({
      kind: 'user',
      via: 'session',
      tenant: tenant.id,
      user: 'root',
      roles: ['ROLE_ADMIN'],
    });
    const put = (path: string, body: object, tenant = acme) =>
      rest.call(`PUT ${path}`, { caller: admin(tenant), body });

    expect(await put(`${USERS}/ann/attributes`, { regions: 'South', level: [1, 2] })).toMatchObject({
      status: 200,
      body: { user: 'ann', attributes: { regions: ['South'], level: [1, 2] } },
    });
    expect(await put(`${USERS}/ann/attributes`, { regions: ['North'] })).toMatchObject({ status: 200 });
    expect((await rest.call(`GET ${USERS}`, { caller: admin(acme) })).body).toMatchObject([
      { user: 'ann', roles: ['ROLE_USER'], attributes: { regions: ['North'] } },
    ]);
    expect((await identity.users.find(other.id, 'ann'))?.attributes).toEqual({});
    expect(await put(`${USERS}/bob/attributes`, {})).toMatchObject({ status: 404 });
    expect(await put(`${USERS}/ann/attributes`, { 'no name': ['x'] })).toMatchObject({ status: 400 });

    expect(await put(`${KEYS}/${id}/attributes`, { regions: ['South'] })).toMatchObject({ status: 200 });
    expect(await put(`${KEYS}/${id}/attributes`, { regions: ['East'] }, other)).toMatchObject({ status: 404 });
    expect((await rest.call(`GET ${KEYS}`, { caller: admin(acme) })).body).toMatchObject([
      { id, label: 'report', roles: ['ROLE_USER'], attributes: { regions: ['South'] } },
    ]);
    const reader: UserCaller = { ...admin(acme), roles: ['ROLE_USER'] };
    expect(await rest.call(`GET ${USERS}`, { caller: reader })).toMatchObject({ status: 403 });
  });

  it('administrators add, change, disable and reset users of their own tenant', async () => {
    const { identity } = await node(state);
    const [acme, other] = [await identity.tenants.ensure('acme'), await identity.tenants.ensure('other')];
    const rest = restClient(accountsPlugin(identity));
    const as = (tenant: typeof acme): UserCaller => ({
      kind: 'user',
      via: 'session',
      tenant: tenant.id,
      user: 'root',
      roles: ['ROLE_ADMIN'],
    });
    const send = (line: string, body: object, tenant = acme) => rest.call(line, { caller: as(tenant), body });
    const signIn = (password: string) =>
      identity.authentication.signIn({ username: 'acme/ann', password, address: '192.0.2.1' }).then(
        ({ session }) => session.id,
        () => 'refused',
      );

    expect(await send(`POST ${USERS}`, { name: 'ann', password: 'short' })).toMatchObject({
      status: 400,
      body: { field: 'password' },
    });
    expect(
      await send(`POST ${USERS}`, {
        name: 'ann',
        password: 'Quarry-lantern-77',
        roles: ['ROLE_ADMIN'],
        attributes: { region: 'South' },
      }),
    ).toMatchObject({
      status: 201,
      body: {
        user: 'ann',
        roles: ['ROLE_ADMIN'],
        attributes: { region: ['South'] },
        disabled: false,
        hasPassword: true,
      },
    });
    expect(await send(`POST ${USERS}`, { name: 'ANN', password: 'Quarry-lantern-77' })).toMatchObject({ status: 409 });

    // The only administrator keeps the role and stays enabled; with a second one, both may change.
    expect(await send(`PUT ${USERS}/ann/roles`, { roles: ['ROLE_USER'] })).toMatchObject({ status: 409 });
    expect(await send(`PUT ${USERS}/ann/disabled`, { disabled: true })).toMatchObject({ status: 409 });
    await send(`POST ${USERS}`, { name: 'bea', password: 'Quarry-lantern-78', roles: ['ROLE_ADMIN'] });
    expect(await send(`PUT ${USERS}/ann/roles`, { roles: ['ROLE_USER', 'sales'] })).toMatchObject({
      status: 200,
      body: { roles: ['ROLE_USER', 'sales'] },
    });
    await identity.users.add({ tenant: acme.id, name: 'cal', password: 'weak' });
    expect(await send(`PUT ${USERS}/cal/roles`, { roles: ['ROLE_ADMIN'] })).toMatchObject({ status: 409 });

    const session = await signIn('Quarry-lantern-77');
    expect(await identity.sessions.resolve(session)).toMatchObject({ user: 'ann' });
    expect(await send(`PUT ${USERS}/ann/disabled`, { disabled: true }, other)).toMatchObject({ status: 404 });
    expect(await send(`PUT ${USERS}/ann/disabled`, { disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: true },
    });
    expect(await identity.sessions.resolve(session)).toBeUndefined();
    expect(await signIn('Quarry-lantern-77')).toBe('refused');
    expect(await identity.users.findActive(acme.id, 'ann')).toBeUndefined();
    expect(await send(`PUT ${USERS}/ann/disabled`, { disabled: false })).toMatchObject({
      status: 200,
      body: { disabled: false },
    });
    expect(await identity.sessions.resolve(session)).toBeUndefined();

    expect(await send(`PUT ${USERS}/ann/password`, { password: 'Copper-meadow-31' }, other)).toMatchObject({
      status: 404,
    });
    expect(await send(`PUT ${USERS}/ann/password`, { password: 'Copper-meadow-31' })).toMatchObject({ status: 200 });
    expect(await signIn('Quarry-lantern-77')).toBe('refused');
    expect(await signIn('Copper-meadow-31')).not.toBe('refused');
  });

  it('administrators make keys with an end and with scopes, and revoke those of their own tenant', async () => {
    const clock = { now: Date.parse('2026-11-26T00:00:00Z') };
    const { identity } = await node(state, { clock });
    const [acme, other] = [await identity.tenants.ensure('acme'), await identity.tenants.ensure('other')];
    const accounts = accountsPlugin(identity);
    const rest = restClient(accounts);
    const as = (tenant: typeof acme): UserCaller => ({
      kind: 'user',
      via: 'session',
      tenant: tenant.id,
      user: 'root',
      roles: ['ROLE_ADMIN'],
    });
    const make = (body: object) => rest.call(`POST ${KEYS}`, { caller: as(acme), body });
    const made = (answer: { readonly body: unknown }) =>
      z.object({ id: z.string(), key: z.string() }).parse(answer.body);
    const callerOf = async (key: string) =>
      identity.authentication
        .authenticate({ authorization: `Bearer ${key}`, address: '192.0.2.1' })
        .catch(() => undefined);

    expect(await make({ label: 'late', expiresAt: '2026-11-25T23:59:59Z' })).toMatchObject({
      status: 400,
      body: { field: 'expiresAt' },
    });
    expect(await make({ label: 'odd', scopes: ['everything'] })).toMatchObject({ status: 400 });
    const ends = made(await make({ label: 'ends', expiresAt: '2026-11-26T01:00:00Z' }));
    const narrow = made(await make({ label: 'narrow', roles: ['ROLE_ADMIN'], scopes: ['query'] }));

    expect(await callerOf(ends.key)).toMatchObject({ tenant: acme.id });
    clock.now += 3_600_000;
    expect(await callerOf(ends.key)).toBeUndefined();

    const caller = await callerOf(narrow.key);
    expect(caller).toMatchObject({ scopes: ['query'] });
    if (caller?.kind !== 'user') throw new Error('the key is unknown');
    expect(await rest.call(`GET ${USERS}`, { caller })).toMatchObject({
      status: 403,
      body: { message: 'This API key may call query. The operation needs a key with the scope administration.' },
    });

    // Both were made in the same millisecond.
    const listed = (await rest.call(`GET ${KEYS}`, { caller: as(acme) })).body as readonly { label: string }[];
    expect(listed.toSorted((left, right) => left.label.localeCompare(right.label))).toMatchObject([
      { label: 'ends', scopes: null, expiresAt: '2026-11-26T01:00:00.000Z' },
      { label: 'narrow', scopes: ['query'], expiresAt: null },
    ]);
    expect(await rest.call(`DELETE ${KEYS}/${narrow.id}`, { caller: as(other) })).toMatchObject({ status: 404 });
    expect(await callerOf(narrow.key)).toBeDefined();
    expect(await rest.call(`DELETE ${KEYS}/${narrow.id}`, { caller: as(acme) })).toMatchObject({ status: 200 });
    expect(await callerOf(narrow.key)).toBeUndefined();
  });
});
