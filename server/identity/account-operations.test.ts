import { expect, it } from 'vitest';
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
    expect((await rest.call(`GET ${USERS}`, { caller: admin(acme) })).body).toEqual([
      { user: 'ann', roles: ['ROLE_USER'], attributes: { regions: ['North'] } },
    ]);
    expect((await identity.users.find(other.id, 'ann'))?.attributes).toEqual({});
    expect(await put(`${USERS}/bob/attributes`, {})).toMatchObject({ status: 404 });
    expect(await put(`${USERS}/ann/attributes`, { 'no name': ['x'] })).toMatchObject({ status: 400 });

    expect(await put(`${KEYS}/${id}/attributes`, { regions: ['South'] })).toMatchObject({ status: 200 });
    expect(await put(`${KEYS}/${id}/attributes`, { regions: ['East'] }, other)).toMatchObject({ status: 404 });
    expect((await rest.call(`GET ${KEYS}`, { caller: admin(acme) })).body).toEqual([
      { id, label: 'report', roles: ['ROLE_USER'], attributes: { regions: ['South'] } },
    ]);
    const reader: UserCaller = { ...admin(acme), roles: ['ROLE_USER'] };
    expect(await rest.call(`GET ${USERS}`, { caller: reader })).toMatchObject({ status: 403 });
  });
});
