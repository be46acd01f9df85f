/** Tests every declared operation and page: no cache stores an answer that depends on the caller, besides the browser of that caller. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MATRIX } from '../tenants/testing/matrix.ts';
import { answerOf, type Holdings, prepare, type Things } from '../tenants/testing/things.ts';
import { startWorld, type World } from '../tenants/testing/world.ts';

const API = '/rest/service/api';
const PASSWORD = 'Quarry-lantern-77';

/** Reads of documents and metadata, whose answers the caller's browser keeps. */
const KEPT_BY_BROWSERS: ReadonlySet<string> = new Set([
  'cube.cubes',
  'repository.list',
  'repository.read',
  'semantic.models',
  'semantic.ontology',
  'skills.list',
]);

let world: World;
let alpha: Things & Holdings;
beforeAll(async () => {
  world = await startWorld(undefined);
  const { things, holdings } = await prepare(world, 'alpha');
  alpha = { ...things, ...holdings };
});
afterAll(() => world.close());

const send = (path: string, init: RequestInit = {}) => fetch(world.url + path, { redirect: 'manual', ...init });
const keptBy = (headers: Headers) => headers.get('cache-control') ?? 'nothing said';

const cells = Object.entries(MATRIX).flatMap(([plugin, all]) =>
  Object.entries(all).map(([name, cell]) => ({ operation: `${plugin}.${name}`, cell })),
);

it.each([...KEPT_BY_BROWSERS])('the browser of the caller keeps the answer of %s', async (operation) => {
  const [call = {}] = cells.find((each) => each.operation === operation)?.cell.calls(alpha) ?? [];
  const { status, headers, text } = await answerOf(world, 'alpha', operation, call);
  const tag = headers.get('etag') ?? '';
  const vary = headers.get('vary');
  expect([status, keptBy(headers), tag]).toEqual([200, 'private, no-cache', expect.stringMatching(/^(W\/)?"[^"]+"$/)]);
  expect(vary).toBe('Accept-Encoding, Authorization, Cookie, X-Service-View-As');

  const named = { ...call, headers: { 'if-none-match': tag } };
  const again = await answerOf(world, 'alpha', operation, named);
  expect([
    again.status,
    again.text,
    keptBy(again.headers),
    again.headers.get('etag'),
    again.headers.get('vary'),
  ]).toEqual([304, '', 'private, no-cache', tag, vary]);
  const other = await answerOf(world, 'alpha', operation, { ...call, headers: { 'if-none-match': '"another"' } });
  expect([other.status, other.text]).toEqual([200, text]);

  // The tag opens nothing: every check comes first.
  const anonymous = await answerOf(world, 'alpha', operation, { ...named, isAnonymous: true });
  expect([anonymous.status, keptBy(anonymous.headers), anonymous.headers.get('etag')]).toEqual([401, 'no-store', null]);
  const stranger = await answerOf(world, 'beta', operation, named);
  expect([stranger.status, stranger.text === text]).toEqual([expect.toBeOneOf([200, 404]), false]);
});

it('a changed document has another tag', async () => {
  const call = { parameters: { path: alpha.query } };
  const before = await answerOf(world, 'alpha', 'repository.read', call);
  const { document } = JSON.parse(before.text);
  const write = (title: string) =>
    answerOf(world, 'alpha', 'repository.write', { ...call, body: { ...document, title } });
  expect((await write('Another title')).status).toBe(200);
  const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
  const after = await answerOf(world, 'alpha', 'repository.read', { ...call, headers });
  expect([after.status, JSON.parse(after.text).document.title]).toEqual([200, 'Another title']);
  await write(document.title);
});

it('the answers of every operation to its owner, to an anonymous caller and to an invalid body', async () => {
  expect(cells.map(({ operation }) => operation).sort()).toEqual([...world.operations.keys()].sort());
  cells.sort((left, right) => Number(left.cell.isLast ?? 0) - Number(right.cell.isLast ?? 0));
  const statuses = new Set<number>();
  for (const { operation, cell } of cells) {
    for (const call of cell.calls(alpha)) {
      for (const request of [{ ...call, isAnonymous: true } as const, call]) {
        const { status, headers } = await answerOf(world, 'alpha', operation, request);
        const isKept = status === 200 && KEPT_BY_BROWSERS.has(operation);
        const rule = isKept ? /^private, no-cache$/ : /^no-store(?:, |$)/;
        expect.soft(keptBy(headers), `${operation} ${status}`).toMatch(rule);
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
