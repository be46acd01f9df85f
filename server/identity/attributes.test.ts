import { expect, it } from 'vitest';
import { NotFoundError, ValidationError } from '../../router/errors.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { node } from './testing/fixture.ts';

onEveryEngine((state) => {
  it('gives a user attributes, which the next request of every session and proof has', async () => {
    const { identity } = await node(state);
    const { id: tenant } = await identity.tenants.ensure('default');
    const user = await identity.users.add({ tenant, name: 'ann', password: 'a long password' });
    const session = await identity.sessions.create(user);
    await identity.users.setAttribute(tenant, 'ann', 'regions', ['South', 'South', "O'Hara"]);
    await identity.users.setAttribute(tenant, 'ann', 'level', [7]);
    const attributes = { regions: ['South', "O'Hara"], level: [7] };
    expect(await identity.sessions.resolve(session.id)).toMatchObject({ attributes, isAccount: true });
    expect(await identity.users.find(tenant, 'ann')).toMatchObject({ attributes });
    await identity.users.setAttribute(tenant, 'ann', 'level', undefined);
    await identity.users.setAttribute(tenant, 'ann', 'regions', []);
    expect((await identity.sessions.resolve(session.id))?.attributes).toEqual({ regions: [] });
    await expect(identity.users.setAttribute(tenant, 'bob', 'level', [1])).rejects.toThrow(NotFoundError);
  });

  it('gives an API key attributes, of its own tenant only', async () => {
    const { identity } = await node(state);
    const acme = await identity.tenants.ensure('acme');
    const other = await identity.tenants.ensure('other');
    const { id, key } = await identity.apiKeys.create({ tenant: acme.id, label: 'x', attributes: { a: [true] } });
    await identity.apiKeys.setAttribute(id, 'regions', ['South']);
    expect(await identity.apiKeys.resolve(key)).toMatchObject({ attributes: { a: [true], regions: ['South'] } });
    const change = () => identity.apiKeys.changeAttributes(id, other.id, () => ({}));
    await expect(change()).rejects.toThrow(NotFoundError);
    expect((await identity.apiKeys.list(acme.id))[0]?.attributes).toEqual({ a: [true], regions: ['South'] });
  });

  it.each([
    ['a name', { 'not a name': ['x'] }],
    ['a name of JavaScript', { __proto__x: ['x'] }],
    ['too many values', { a: Array.from({ length: 1_001 }, (_, index) => index) }],
    [
      'too many values in all',
      Object.fromEntries(['a', 'b', 'c'].map((name) => [name, Array.from({ length: 700 }, (_, at) => at)])),
    ],
    ['too many attributes', Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, []]))],
    ['a long text', { a: ['x'.repeat(257)] }],
  ])('refuses %s that cannot be kept', async (_, attributes) => {
    const { identity } = await node(state);
    const { id: tenant } = await identity.tenants.ensure('default');
    await identity.users.add({ tenant, name: 'ann', password: 'a long password' });
    await expect(identity.users.setAttributes(tenant, 'ann', attributes)).rejects.toThrow(ValidationError);
  });
});
