import { expect, test } from 'vitest';
import { Client, RequestFailedError } from '../api-client/client.ts';
import { Session } from './session.ts';

const ANA = { user: 'ana', roles: ['ROLE_USER'], tenant: 'default', administrator: false };

/** Creates a session over prepared answers by method and path; a number is a status without a body. */
function createSession(answers: Readonly<Record<string, object | number>>, cookies = 'XSRF-TOKEN=t') {
  const client = new Client({
    cookies: () => cookies,
    async fetch(path, { method }) {
      const answer = answers[`${method} ${path}`] ?? 404;
      return typeof answer === 'number' ? new Response(null, { status: answer }) : Response.json(answer);
    },
  });
  const session = new Session(client);
  const seen: (string | null | undefined)[] = [];
  session.addEventListener('change', () => seen.push(session.user === null ? null : session.user?.name));
  return { session, seen };
}

test("before the server's answer the state is neither signed in nor signed out", () => {
  expect(createSession({}).session.user).toBeUndefined();
});

test('a 401 means signed out, and is no failure', async () => {
  const { session, seen } = createSession({ 'GET /rest/service/api/session': 401 });
  await session.refresh();
  expect(session.user).toBeNull();
  expect(seen).toEqual([null]);
});

test('without a session cookie no request is sent', async () => {
  const { session } = createSession({ 'GET /rest/service/api/session': 503 }, 'other=1');
  await session.refresh();
  expect(session.user).toBeNull();
});

test('any other failure is thrown, and the state is not signed in', async () => {
  const { session } = createSession({ 'GET /rest/service/api/session': 503 });
  await expect(session.refresh()).rejects.toThrow('status 503');
  expect(session.user).toBeNull();
});

test('signing in reads the user; signing out clears it', async () => {
  const { session, seen } = createSession({
    'POST /login': { status: 'OK' },
    'GET /rest/service/api/session': ANA,
    'POST /logout': 204,
  });
  await session.signIn('ana', 'secret');
  expect(session.user).toEqual({ name: 'ana', roles: ['ROLE_USER'], tenant: 'default', administrator: false });
  await session.signOut();
  expect(seen).toEqual(['ana', null]);
});

test('refused credentials change nothing', async () => {
  const { session, seen } = createSession({ 'POST /login': 401 });
  await expect(session.signIn('ana', 'wrong')).rejects.toMatchObject({ status: 401 });
  expect(seen).toEqual([]);
});

test('a read that fails with 401 ends the session, and any other failure does not', async () => {
  const { session, seen } = createSession({
    'GET /rest/service/api/session': ANA,
    'GET /gone': 401,
    'GET /broken': 500,
  });
  await session.refresh();
  const failing = (path: string) => session.client.get(path, String).catch((error: unknown) => error);
  session.reportFailure(await failing('/broken'));
  expect(session.user?.name).toBe('ana');
  session.reportFailure(await failing('/gone'));
  expect(seen).toEqual(['ana', null]);
});

test('a user who may not view as others ends it, and is signed in as themselves', async () => {
  const { session } = createSession({ 'GET /rest/service/api/session': ANA });
  const { client } = session;
  const get = client.get.bind(client);
  client.viewAs = { role: 'ROLE_SALES' };
  client.get = async (path, parse) => {
    if (client.viewAs !== undefined) throw new RequestFailedError('no', { status: 403 });
    return get(path, parse);
  };
  await session.refresh();
  expect([client.viewAs, session.user?.name]).toEqual([undefined, 'ana']);
});

test('signing out ends it too', async () => {
  const { session } = createSession({ 'POST /logout': 204 });
  session.client.viewAs = { role: 'ROLE_SALES' };
  await session.signOut();
  expect(session.client.viewAs).toBeUndefined();
});
