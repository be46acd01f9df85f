import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { type RestClient, restClient } from '../../router/testing/rest-client.ts';
import { type DatasourceRegistry, datasources, openDatasources } from './index.ts';
import { type KeepingLoader, keepingLoader, keptLog } from './testing/loader.ts';

const tenant = 'tenant-1' as TenantId;
const admin: UserCaller = { kind: 'user', via: 'session', tenant, user: 'admin', roles: ['ROLE_ADMIN'] };
const ana: UserCaller = { ...admin, user: 'ana', roles: ['ROLE_USER'] };
const BASE = '/rest/service/api/admin/datasources';

let directory: string;
let semantic: KeepingLoader;
let registry: DatasourceRegistry;
let rest: RestClient;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-datasources-'));
  semantic = keepingLoader('SEMANTIC');
  registry = await openDatasources({
    directory,
    loaders: [semantic],
    log: keptLog(),
    clock: () => 1_790_000_000_000,
    supportedPrefixes: ['jdbc:duckdb:', 'jdbc:postgresql:'],
  });
  await registry.whenLoaded;
  rest = restClient(datasources({ registryOf: async () => registry }));
  await writeFile(join(directory, 'shop.yaml'), 'model');
});
afterEach(async () => {
  expect(rest.errors.filter((error) => error.kind === 'INTERNAL')).toEqual([]);
  await registry.close();
  await rm(directory, { recursive: true, force: true });
});

const shop = {
  id: 'shop',
  name: 'Shop',
  type: 'SEMANTIC',
  semanticYaml: 'shop.yaml',
  location: 'jdbc:postgresql://db/shop?user=u&password=hunter2',
  username: 'reader',
  password: ' hunter2 <&> ',
};
const post = (body: unknown) => rest.call(`POST ${BASE}`, { caller: admin, body });

describe('the administration of datasources', () => {
  it('writes a descriptor that is loaded at once, and that only this process may read', async () => {
    const listed = {
      id: 'shop',
      name: 'Shop',
      file: 'shop.sds',
      type: 'SEMANTIC',
      enabled: true,
      status: 'READY',
      problems: [],
      updatedAt: '2026-09-21T14:13:20.000Z',
    };
    expect(await post(shop)).toMatchObject({ status: 201, body: listed });
    expect((await rest.call(`GET ${BASE}`, { caller: admin })).body).toEqual([listed]);
    expect(semantic.serving.get('shop')?.datasource.warehouse).toEqual({
      jdbcUrl: shop.location,
      username: 'reader',
      password: shop.password,
    });
    expect((await stat(join(directory, 'shop.sds'))).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['shop.sds', 'shop.yaml']);
  });

  it('never shows a password or a location', async () => {
    const answers = [await post(shop), await rest.call(`GET ${BASE}`, { caller: admin })];
    answers.push(await post({ ...shop, id: 'b', location: 'jdbc:oracle:u/hunter2@h' }), await post(shop));
    expect(JSON.stringify(answers)).not.toContain('hunter2');
  });

  it('creates an id if none is given', async () => {
    const { id: _, ...withoutId } = shop;
    const { status, body } = await post(withoutId);
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'READY' });
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'a/b' }],
    ['type', { type: 'CUBE' }],
    ['id', { id: '../evil' }],
    ['id', { id: '.hidden' }],
    ['location', { location: 'jdbc:oracle:thin:@h' }],
    ['location', { location: 'jdbc:mondrian:Jdbc=jdbc:postgresql:x;Catalog=y' }],
    ['semanticYaml', { semanticYaml: undefined }],
    ['semanticYaml', { semanticYaml: 'none.yaml' }],
    ['semanticYaml', { semanticYaml: '.' }],
    ['password', { password: 'a\u0000b' }],
    ['passwort', { passwort: 'x' }],
  ])('refuses a wrong %s before anything is written: %j', async (field, wrong) => {
    expect(await post({ ...shop, ...wrong })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', field },
    });
    expect(await readdir(directory)).toEqual(['shop.yaml']);
  });

  it('refuses an id, a name or a file that is taken, also by a file it has not seen yet', async () => {
    await post(shop);
    const conflict = { status: 409, body: { error: 'DATASOURCE_EXISTS' } };
    expect(await post({ ...shop, name: 'Other' })).toMatchObject(conflict);
    expect(await post({ ...shop, id: 'other' })).toMatchObject(conflict);
    await writeFile(join(directory, 'byhand.sds'), 'not XML');
    expect(await post({ ...shop, id: 'byhand', name: 'By hand' })).toMatchObject(conflict);
    expect(await readFile(join(directory, 'byhand.sds'), 'utf8')).toBe('not XML');
  });

  it('lets one of two requests at the same time win', async () => {
    const answers = await Promise.all([post(shop), post({ ...shop, schema: 'other' })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  it('reports a document that its surface refuses', async () => {
    await writeFile(join(directory, 'shop.yaml'), 'broken');
    expect(await post(shop)).toMatchObject({
      status: 201,
      body: { status: 'BROKEN', problems: [{ severity: 'error', message: 'It is broken.', line: 1 }] },
    });
  });

  it('removes a datasource by its id, or by its file where two have one id', async () => {
    await post(shop);
    await writeFile(join(directory, 'twin.sds'), await readFile(join(directory, 'shop.sds')));
    await rest.call(`POST ${BASE}/refresh`, { caller: admin });
    const remove = (id: string) => rest.call(`DELETE ${BASE}/${id}`, { caller: admin });
    expect(await remove('shop')).toMatchObject({ status: 409, body: { available: ['shop.sds', 'twin.sds'] } });
    expect(await remove('shop.sds')).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(registry.list().map((entry) => [entry.file, entry.status])).toEqual([['twin.sds', 'READY']]);
    expect(await remove('shop')).toMatchObject({ status: 200 });
    expect(semantic.serving.size).toBe(0);
    expect(await remove('shop')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', available: [] } });
    expect(await remove('..%2fshop.yaml')).toMatchObject({ status: 404 });
    expect(await readdir(directory)).toEqual(['shop.yaml']);
  });

  it('notifies plugins with dependent documents of the removal', async () => {
    const removed: string[] = [];
    const onRemoved = async ({ name, warehouse }: Datasource) => void removed.push(`${name} ${warehouse.jdbcUrl}`);
    const telling = restClient(datasources({ registryOf: async () => registry, onRemoved }));
    await post(shop);
    await telling.call(`DELETE ${BASE}/shop`, { caller: admin });
    await telling.call(`DELETE ${BASE}/shop`, { caller: admin });
    expect(removed).toEqual([`${shop.name} ${shop.location}`]);
  });

  it('reads everything again on demand', async () => {
    await post(shop);
    expect(await rest.call(`POST ${BASE}/refresh`, { caller: admin })).toMatchObject({
      status: 200,
      body: [{ id: 'shop', status: 'READY' }],
    });
    expect(semantic.calls).toEqual(['load shop', 'load shop']);
  });

  it('is for administrators', async () => {
    for (const request of [`GET ${BASE}`, `POST ${BASE}`, `POST ${BASE}/refresh`, `DELETE ${BASE}/shop`]) {
      expect((await rest.call(request, { caller: ana, body: shop })).status).toBe(403);
      expect((await rest.call(request, { body: shop })).status).toBe(401);
      if (!request.startsWith('GET'))
        expect((await rest.call(request, { caller: admin, body: shop, csrfVerified: false })).status).toBe(403);
    }
    expect(await readdir(directory)).toEqual(['shop.yaml']);
  });
});
