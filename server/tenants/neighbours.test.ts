/** Tests tenants of one server side by side: with the same names, with agents, and created and removed while the server runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentsOf, removeTenant } from './tenant-contents.ts';
import { placesOf } from './tenant-folders.ts';
import { until } from './testing/client.ts';
import { answerOf, prepare } from './testing/things.ts';
import { enter, SECRET, startWorld, type TenantName, type World } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld(undefined);
});
afterAll(() => world.close());

/** The values of `alpha` in the place of the other tenants' values. */
const OWN: Readonly<Record<TenantName, string>> = { alpha: SECRET, beta: 'Rome', default: 'Rome' };
const NAMES = ['alpha', 'beta', 'default'] as const;

const SAME = { connection: 'same', rows: [{ dataset: 'sales', field: 'place' }], values: [{ metric: 'amount' }] };
/** How a removal can be undone. */
const UNDO = { undo: expect.any(String), undoUntil: expect.any(String) };

it.each(NAMES)('%s queries its own datasource of a shared name, and sees its own skill', async (name) => {
  const answer = await until(
    () => answerOf(world, name, 'semantic.query', { body: SAME }),
    ({ status }) => status === 200,
  );
  expect(answer.text.match(/Zanzibar|Rome/g)).toEqual([OWN[name]]);
  const { text } = await answerOf(world, name, 'skills.read', { parameters: { name: 'same' } });
  expect(text).toContain(name);
  const listed = JSON.parse((await answerOf(world, name, 'skills.list', {})).text).skills;
  const names = listed
    .map((skill: { name: string }) => skill.name)
    .filter((each: string) => /alpha|beta|default/.test(each));
  expect(names).toEqual([`${name}-skill`]);
});

it('each tenant has its own document of a shared path, and the path of a public read names the tenant', async () => {
  const path = 'shared/same.service';
  for (const name of NAMES) {
    const body = { version: 1, title: `Of ${name}`, source: { surface: 'semantic', request: SAME } };
    expect((await answerOf(world, name, 'repository.write', { parameters: { path }, body })).status).toBe(200);
    const grant = { body: { resourceKind: 'query', resourcePath: path } };
    expect((await answerOf(world, name, 'embed.createGrant', grant)).status).toBe(200);
  }
  const titleAt = async (at: string) => {
    const { text } = await answerOf(world, 'beta', 'embed.readQuery', { parameters: { path: at }, isAnonymous: true });
    return JSON.parse(text).title;
  };
  expect(await titleAt(path)).toBe('Of default');
  expect(await titleAt(`tenants/alpha/${path}`)).toBe('Of alpha');
  expect(await titleAt(`tenants/beta/${path}`)).toBe('Of beta');
});

it.each(['beta', 'default'] as const)(
  'an agent of %s lists and reads only the resources and prompts of its tenant',
  async (name) => {
    const listed = await world.clients[name].agent('resources/list');
    expect(listed).toContain(`${name}-shop`);
    expect(listed).toContain(`${name}-cubes`);
    expect(listed).toContain(`${name}-skill`);
    const prompts = await world.clients[name].agent('prompts/list');
    expect(prompts).toContain(`${name}-skill`);
    for (const text of [listed, prompts]) expect(text).not.toMatch(new RegExp(`alpha|${SECRET}`));
    const read = (of: string) => world.clients[name].agent('resources/read', { uri: `service://skill/${of}-skill` });
    expect(await read(name)).toContain('text/markdown');
    expect((await read('alpha')).replaceAll('alpha', 'never')).toBe(await read('never'));
    const prompt = (of: string) => world.clients[name].agent('prompts/get', { name: `${of}-skill` });
    expect((await prompt('alpha')).replaceAll('alpha', 'never')).toBe(await prompt('never'));
  },
);

it("a tenant's published documents are removed with its datasource, and another tenant's of the same name stay", async () => {
  const path = 'shared/sold/overview.servicedash';
  for (const name of ['alpha', 'beta'] as const) {
    const { things, holdings } = await prepare(world, name);
    const body = { proposal: holdings.proposal, connectionId: things.savedConnection, name: 'sold' };
    expect(await answerOf(world, name, 'inference.publish', { body })).toMatchObject({ status: 201 });
    const grant = { body: { resourceKind: 'dashboard', resourcePath: path } };
    expect(await answerOf(world, name, 'embed.createGrant', grant)).toMatchObject({ status: 200 });
  }
  const read = async (name: TenantName) =>
    (await answerOf(world, name, 'repository.read', { parameters: { path } })).status;
  const shown = async (name: TenantName) =>
    (
      await answerOf(world, 'default', 'embed.readDashboard', {
        parameters: { path: `tenants/${name}/${path}` },
        isAnonymous: true,
      })
    ).status;
  expect([await read('beta'), await shown('beta')]).toEqual([200, 200]);
  const removed = await answerOf(world, 'beta', 'datasources.remove', { parameters: { id: 'sold' } });
  expect(JSON.parse(removed.text)).toEqual({ status: 'OK', removed: ['sold.xml'], ...UNDO });
  // The saved queries use the model, and are removed with it.
  const model = await answerOf(world, 'beta', 'datasources.remove', { parameters: { id: 'sold-model' } });
  expect(JSON.parse(model.text)).toEqual({
    status: 'OK',
    removed: expect.arrayContaining(['sold-model.yaml', path, 'shared/sold/key-figures.service']),
    ...UNDO,
  });
  expect(await read('beta')).toBe(404);
  expect(await shown('beta')).toBeGreaterThanOrEqual(400);
  expect([await read('alpha'), await shown('alpha')]).toEqual([200, 200]);
  // With an edited document only the descriptor is removed, and the answer names nothing else.
  const removal = await answerOf(world, 'beta', 'datasources.remove', { parameters: { id: 'beta-cubes' } });
  expect(removal.status).toBe(200);
  expect(JSON.parse(removal.text)).toEqual({ status: 'OK', ...UNDO });
  expect(existsSync(join(placesOf(world.home, 'beta').datasources, 'shop.xml'))).toBe(true);
});

it('a tenant created while the server runs is served, and a removed one has nothing left', async () => {
  const made = await enter(world, 'gamma');
  // The first query waits for the tenant's datasources instead of a 404.
  const listed = JSON.parse((await made.call(operation('datasources.list'), {})).text);
  expect(listed.map(({ file }: { file: string }) => file).sort()).toEqual(['cubes.sds', 'same.sds', 'shop.sds']);
  const ask = () => made.call(operation('semantic.query'), { body: { ...SAME, connection: 'gamma-shop' } });
  await until(ask, ({ status }) => status === 200);
  expect(await contentsOf(world.state, world.home, made.tenant)).toMatchObject({
    rows: { api_keys: 1, users: 2 },
    files: { 'datasources/gamma': 5, 'data/gamma': 1, 'skills/tenants/gamma': 2 },
  });

  const { tenants, clients } = world;
  await removeTenant(world.state, world.home, made.tenant);
  expect((await ask()).status).toBe(401);
  expect(await contentsOf(world.state, world.home, made.tenant)).toEqual({ rows: {}, files: {} });
  // A folder that a read has just created is removed again.
  for (const folder of Object.values(placesOf(world.home, 'gamma')))
    await expect.poll(() => existsSync(folder)).toBe(false);
  const others = await contentsOf(world.state, world.home, tenants.beta);
  expect(others.rows).toMatchObject({ users: 2, api_keys: 1 });
  expect((await clients.beta.call(operation('semantic.query'), { body: SAME })).status).toBe(200);
});

function operation(id: string) {
  const operation = world.operations.get(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation;
}
