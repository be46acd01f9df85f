/** Tests every declared operation and page: no cache stores an answer that depends on the caller. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MATRIX } from '../tenants/testing/matrix.ts';
import { answerOf, prepare } from '../tenants/testing/things.ts';
import { startWorld, type World } from '../tenants/testing/world.ts';

const API = '/rest/service/api';
const PASSWORD = 'Quarry-lantern-77';

let world: World;
beforeAll(async () => {
  world = await startWorld(undefined);
});
afterAll(() => world.close());

const send = (path: string, init: RequestInit = {}) => fetch(world.url + path, { redirect: 'manual', ...init });
const keptBy = (headers: Headers) => headers.get('cache-control') ?? 'nothing said';

it('the answers of every operation to its owner, to an anonymous caller and to an invalid body', async () => {
  const { things, holdings } = await prepare(world, 'alpha');
  const cells = Object.entries(MATRIX).flatMap(([plugin, all]) =>
    Object.entries(all).map(([name, cell]) => ({ operation: `${plugin}.${name}`, cell })),
  );
  expect(cells.map(({ operation }) => operation).sort()).toEqual([...world.operations.keys()].sort());
  cells.sort((left, right) => Number(left.cell.isLast ?? 0) - Number(right.cell.isLast ?? 0));
  const statuses = new Set<number>();
  for (const { operation, cell } of cells) {
    for (const call of cell.calls({ ...things, ...holdings })) {
      for (const request of [{ ...call, isAnonymous: true } as const, call]) {
        const { status, headers } = await answerOf(world, 'alpha', operation, request);
        expect.soft(keptBy(headers), `${operation} ${status}`).toMatch(/^no-store(?:, |$)/);
        statuses.add(status);
      }
    }
    const { method, path } = world.operations.get(operation) ?? { method: '', path: '' };
    if (method === 'GET') continue;
    const broken = await send(path, { method, body: '{', headers: { 'content-type': 'application/json' } });
    expect.soft(keptBy(broken.headers), `${operation} with a broken body: ${broken.status}`).toMatch(/^no-store/);
  }
  for (const status of [200, 201, 202, 401, 404]) expect([...statuses], 'answers of many kinds').toContain(status);
}, 240_000);

it('the sign-in form, with right and wrong credentials', async () => {
  for (const password of [PASSWORD, 'a wrong one'])
    for (const [type, body] of [
      ['application/json', JSON.stringify({ username: 'ann', password })],
      ['application/x-www-form-urlencoded', new URLSearchParams({ username: 'ann', password }).toString()],
    ] as const) {
      const { status, headers } = await send('/login', { method: 'POST', body, headers: { 'content-type': type } });
      expect([status, keptBy(headers)]).toEqual([password === PASSWORD ? 200 : 401, 'no-store']);
    }
});

it('the calls of the typed client and of agents', async () => {
  const { key } = await world.identity.apiKeys.create({
    tenant: world.tenants.default.id,
    label: 'agent',
    roles: ['ROLE_USER'],
  });
  for (const authorization of [`Bearer ${key}`, 'Bearer nobody'])
    for (const [path, body] of [
      [`${API}/trpc/semantic.models`, undefined],
      [`${API}/trpc/semantic.models,skills.list?batch=1&input={}`, undefined],
      [`${API}/trpc/nothing.here`, undefined],
      [`${API}/trpc/semantic.query`, '{'],
      [`${API}/mcp`, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
      [`${API}/mcp`, '{'],
    ] as const) {
      const headers = {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      };
      const answer = await send(path, body === undefined ? { headers } : { method: 'POST', body, headers });
      expect.soft(keptBy(answer.headers), `${path} ${answer.status}`).toMatch(/^no-store(?:, |$)/);
    }
});

it.each([
  ['GET', '/'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/ui/none.html'],
  ['GET', '/ui/%zz'],
  ['GET', '/none'],
  ['GET', '/login/oidc'],
  ['PUT', '/login'],
  ['OPTIONS', '/login'],
  ['OPTIONS', `${API}/embed/query/shared/q.service`],
])('%s %s', async (method, path) => {
  const { status, headers } = await send(path, { method });
  expect([status, keptBy(headers)]).toEqual([status, 'no-store']);
});

it('pages may be cached, because they are the same for everybody', async () => {
  const { status, headers } = await send('/ui/');
  expect([status, keptBy(headers)]).toEqual([200, 'public, max-age=0, must-revalidate']);
});
