import { expect, test } from 'vitest';
import { Client } from '../api-client/client.ts';
import { TOKEN_PLACEHOLDER } from '../code/snippet.ts';
import type { DocumentEntry } from '../documents/document-entries.ts';
import { choosePreviewAccess, chooseSnippetToken, determineTokenStatus, filterTokens, Sharing } from './sharing.ts';

const DOCUMENT: DocumentEntry = {
  path: 'shared/a.service',
  kind: 'query',
  title: 'A',
  updatedAt: new Date('2026-11-20T08:00:00Z'),
};
const EXPIRES = Date.UTC(2026, 10, 24);
const entry = (id: string, changes: object = {}) => ({
  id,
  resourceKind: 'query',
  resourcePath: 'shared/a.service',
  label: null,
  owner: 'ana',
  createdAt: '2026-11-21T00:00:00.000Z',
  expiresAt: '2026-11-24T00:00:00.000Z',
  revoked: false,
  lastUsedAt: null,
  ...changes,
});
const GRANT = {
  resourceKind: 'query',
  resourcePath: 'shared/a.service',
  label: null,
  owner: 'ana',
  isOwn: true,
  createdAt: '2026-11-24T00:00:00.000Z',
};
const MINTED = {
  status: 'OK',
  token: 'tx-1',
  resourceKind: 'query',
  resourcePath: 'shared/a.service',
  expiresAt: EXPIRES,
};

const TOKENS = '/rest/service/api/embed/tokens';
const PUBLIC = '/rest/service/api/embed/public';

type Answer = readonly [status: number, body: unknown];

/** Creates a sharing over a server of prepared answers, which a test can change. `undefined` means no answer. */
function createSharing(changes: Record<string, Answer | undefined> = {}) {
  const answers: Record<string, Answer | undefined> = {
    [`GET ${TOKENS}`]: [200, []],
    [`GET ${PUBLIC}?others=true`]: [200, []],
    ...changes,
  };
  const sent: { readonly line: string; readonly body: unknown }[] = [];
  const failures: unknown[] = [];
  const client = new Client({
    cookies: () => 'XSRF-TOKEN=t',
    async fetch(path, { method, body }) {
      const line = `${method} ${path}`;
      sent.push({ line, body: typeof body === 'string' ? JSON.parse(body) : undefined });
      const answer = answers[line];
      if (answer === undefined) throw new TypeError('fetch failed');
      return Response.json(answer[1], { status: answer[0] });
    },
  });
  const sharing = new Sharing(client, DOCUMENT, (error) => failures.push(error));
  const doing: string[] = [];
  sharing.addEventListener('change', () => {
    if (doing.at(-1) !== sharing.state.pendingAction) doing.push(sharing.state.pendingAction);
  });
  return { sharing, answers, sent, failures, doing };
}

/** Creates a sharing with a token that is created and listed. */
async function createSharingWithToken() {
  const over = createSharing({ [`POST ${TOKENS}`]: [200, MINTED] });
  over.answers[`GET ${TOKENS}`] = [200, [entry('t1')]];
  await over.sharing.mint({ label: 'Portal', ttlHours: 72 });
  return over;
}

test('at first the state is unknown, and the preview is disabled', () => {
  const { state } = createSharing().sharing;
  expect(state.listing).toBe('reading');
  expect([choosePreviewAccess(state, 'token'), choosePreviewAccess(state, 'public')]).toEqual([undefined, undefined]);
});

test("reading separates this document's tokens from other documents' tokens", async () => {
  const { sharing } = createSharing({
    [`GET ${TOKENS}`]: [
      200,
      [entry('t1'), entry('t2', { resourcePath: 'b.service' }), entry('t3', { label: 'Portal' })],
    ],
  });
  await sharing.read();
  expect(sharing.state.listing).toBe('read');
  expect(filterTokens(sharing.state.tokens, DOCUMENT).map(({ id, label }) => [id, label])).toEqual([
    ['t1', ''],
    ['t3', 'Portal'],
  ]);
});

test('a list that cannot be read shows the reason, and another read repairs it', async () => {
  const { sharing, answers, failures } = createSharing({ [`GET ${TOKENS}`]: undefined });
  await sharing.read();
  expect(sharing.state.listing).toMatchObject({ kind: 'unreachable' });
  expect(failures).toHaveLength(1);
  answers[`GET ${TOKENS}`] = [200, []];
  await sharing.read();
  expect(sharing.state.listing).toBe('read');
});

test('a new token opens the preview, appears in the code and is in the list', async () => {
  const { sharing, sent, doing } = await createSharingWithToken();
  expect(sent[0]).toEqual({
    line: `POST ${TOKENS}`,
    body: { resourceKind: 'query', resourcePath: 'shared/a.service', ttlHours: 72, label: 'Portal' },
  });
  expect(doing).toEqual(['minting', 'nothing']);
  expect(choosePreviewAccess(sharing.state, 'token')).toEqual({ token: 'tx-1' });
  expect(chooseSnippetToken(sharing.state, 'token')).toBe('tx-1');
  expect(chooseSnippetToken(sharing.state, 'public')).toBeUndefined();
  expect(sharing.mintedEntry?.id).toBe('t1');
});

test('without a label the request has none', async () => {
  const { sharing, sent } = createSharing({ [`POST ${TOKENS}`]: [200, MINTED] });
  await sharing.mint({ label: '', ttlHours: 1 });
  expect(sent[0]?.body).not.toHaveProperty('label');
});

test('a second click during a request sends no other', async () => {
  const { sharing, sent } = createSharing({ [`POST ${TOKENS}`]: [200, MINTED] });
  const wish = { label: '', ttlHours: 1 };
  expect(await Promise.all([sharing.mint(wish), sharing.mint(wish)])).toEqual([true, false]);
  expect(sent.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1);
});

test('after its token is revoked the preview reads again with it, and the code has a placeholder for a token', async () => {
  const { sharing, answers } = await createSharingWithToken();
  const before = sharing.state.revision;
  answers[`DELETE ${TOKENS}/t1`] = [200, { status: 'OK' }];
  answers[`GET ${TOKENS}`] = [200, [entry('t1', { revoked: true })]];
  const [token] = sharing.state.tokens;
  expect(token && (await sharing.revoke(token))).toBe(true);
  expect(sharing.state.revision).toBe(before + 1);
  expect(choosePreviewAccess(sharing.state, 'token')).toEqual({ token: 'tx-1' });
  expect(chooseSnippetToken(sharing.state, 'token')).toBe(TOKEN_PLACEHOLDER);
});

test('revoking another token keeps the current one', async () => {
  const { sharing, answers } = await createSharingWithToken();
  answers[`GET ${TOKENS}`] = [200, [entry('t1'), entry('old', { expiresAt: '2026-11-23T23:59:59.999Z' })]];
  answers[`DELETE ${TOKENS}/old`] = [200, { status: 'OK' }];
  await sharing.read();
  const old = sharing.state.tokens.find(({ id }) => id === 'old');
  expect(old && (await sharing.revoke(old))).toBe(true);
  expect(chooseSnippetToken(sharing.state, 'token')).toBe('tx-1');
});

test("the token limit shows the server's message and creates nothing", async () => {
  const { sharing, doing } = createSharing({
    [`POST ${TOKENS}`]: [409, { error: 'TOKEN_LIMIT', message: 'Revoke one first.' }],
  });
  expect(await sharing.mint({ label: '', ttlHours: 72 })).toBe(false);
  expect(sharing.state.error).toMatchObject({ kind: 'limit', message: 'Revoke one first.' });
  expect(sharing.state.minted).toBeUndefined();
  expect(doing.at(-1)).toBe('nothing');
});

test('an ended session is reported to the page', async () => {
  const { sharing, failures } = createSharing({
    [`POST ${TOKENS}`]: [401, { error: 'UNAUTHENTICATED', message: 'Sign in.' }],
  });
  await sharing.mint({ label: '', ttlHours: 72 });
  expect(failures).toMatchObject([{ status: 401 }]);
  expect(sharing.state.error?.kind).toBe('signed-out');
});

test('a token that is already gone causes a new read of the list', async () => {
  const { sharing, answers, sent } = await createSharingWithToken();
  answers[`DELETE ${TOKENS}/t1`] = [404, { error: 'NOT_FOUND', message: 'You have no such embed token.' }];
  answers[`GET ${TOKENS}`] = [200, []];
  const [token] = sharing.state.tokens;
  if (token !== undefined) await sharing.revoke(token);
  expect(sent.at(-2)?.line).toBe(`GET ${TOKENS}`);
  expect(sharing.state.tokens).toEqual([]);
  expect(sharing.state.error?.kind).toBe('gone');
});

test('a new token is kept when the list cannot be read afterwards', async () => {
  const { sharing, answers } = createSharing({ [`POST ${TOKENS}`]: [200, MINTED] });
  answers[`GET ${TOKENS}`] = undefined;
  expect(await sharing.mint({ label: '', ttlHours: 72 })).toBe(true);
  expect(chooseSnippetToken(sharing.state, 'token')).toBe('tx-1');
});

test('a public document needs no token, and the preview of an ended grant shows what visitors see', async () => {
  const { sharing, answers, sent } = createSharing({ [`POST ${PUBLIC}`]: [200, { status: 'OK' }] });
  answers[`GET ${PUBLIC}?others=true`] = [200, [GRANT]];
  await sharing.publish();
  expect(sharing.state.publicAccess).toEqual({ of: 'user', since: new Date(EXPIRES) });
  expect(choosePreviewAccess(sharing.state, 'public')).toEqual({ token: undefined });

  const end = `DELETE ${PUBLIC}?kind=query&path=shared%2Fa.service`;
  answers[end] = [200, { status: 'OK' }];
  answers[`GET ${PUBLIC}?others=true`] = [200, []];
  await sharing.endPublic();
  expect(sent.map(({ line }) => line)).toContain(end);
  expect(sharing.state.publicAccess).toEqual({ of: 'ended' });
  expect(choosePreviewAccess(sharing.state, 'public')).toEqual({ token: undefined });
});

test('a document that another user made public is public', async () => {
  const { sharing } = createSharing({
    [`POST ${PUBLIC}`]: [409, { error: 'GRANT_EXISTS', message: 'Another user has.' }],
  });
  expect(await sharing.publish()).toBe(false);
  expect(sharing.state.publicAccess).toEqual({ of: 'another' });
  await sharing.read();
  expect(sharing.state.publicAccess).toEqual({ of: 'another' });
  expect(choosePreviewAccess(sharing.state, 'public')).toEqual({ token: undefined });
});

test('a grant that ended elsewhere is not shown', async () => {
  const { sharing, answers } = createSharing({ [`GET ${PUBLIC}?others=true`]: [200, [GRANT]] });
  await sharing.read();
  answers[`GET ${PUBLIC}?others=true`] = [200, []];
  await sharing.read();
  expect(sharing.state.publicAccess).toEqual({ of: 'nobody' });
});

test('the state of one user is cleared for the next', async () => {
  const { sharing } = await createSharingWithToken();
  sharing.forget();
  expect(sharing.state.tokens).toEqual([]);
  expect(chooseSnippetToken(sharing.state, 'token')).toBe(TOKEN_PLACEHOLDER);
});

test.each([
  ['active', { expiresAt: EXPIRES + 1 }],
  ['expired', { expiresAt: EXPIRES }],
  ['revoked', { revoked: true }],
  ['revoked', { revoked: true, expiresAt: EXPIRES + 1 }],
])('a token is %s with %j', async (status, changes) => {
  const { sharing } = createSharing({ [`GET ${TOKENS}`]: [200, [entry('t1', changes)]] });
  await sharing.read();
  const [token] = sharing.state.tokens;
  expect(token && determineTokenStatus(token, new Date(EXPIRES))).toBe(status);
});

test('a document that another user has made public is shown as public, with the user', async () => {
  const { sharing, answers } = createSharing({
    [`GET ${PUBLIC}?others=true`]: [200, [{ ...GRANT, owner: 'ben', isOwn: false }]],
  });
  await sharing.read();
  expect(sharing.state.publicAccess).toEqual({ of: 'another', owner: 'ben', since: new Date(GRANT.createdAt) });
  answers[`GET ${PUBLIC}?others=true`] = [200, []];
  await sharing.read();
  expect(sharing.state.publicAccess).toEqual({ of: 'nobody' });
});
