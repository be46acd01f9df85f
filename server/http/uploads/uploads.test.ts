/** Tests uploads over HTTP: caller, size and disk space are checked before a byte is written. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountErrorFormat } from '../../../router/error-body.ts';
import { operation, operations } from '../../../router/operation.ts';
import { plugin } from '../../../router/plugin.ts';
import { uploadedFile } from '../../../router/rest/input.ts';
import { FreeSpace } from '../../disk/free-space.ts';
import { basic } from '../../identity/testing/fixture.ts';
import { type ServedHost, serve, startIdentity } from '../testing/serve.ts';
import type { UploadLimits } from './receive.ts';

const PASSWORD = 'Quarry-lantern-77';
const UPLOAD = '/me/upload';
const PAGE_UPLOAD = '/rest/service/api/upload';
const BOUNDARY = 'part';

let folder: string;
let identity: Awaited<ReturnType<typeof startIdentity>>;
let host: ServedHost | undefined;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-upload-'));
  identity = await startIdentity(folder, PASSWORD);
  const { tenants, apiKeys, users } = identity.identity;
  const tenant = (await tenants.ensure('default')).id;
  for (const [label, role] of [
    ['admin', 'ROLE_ADMIN'],
    ['other', 'ROLE_ADMIN'],
    ['user', 'ROLE_USER'],
  ] as const)
    keys[label] = `Bearer ${(await apiKeys.create({ tenant, label, roles: [role] })).key}`;
  await users.add({ tenant, name: 'bob', password: PASSWORD, roles: ['ROLE_USER'] });
});
afterEach(async () => {
  await host?.stop(0);
  host = undefined;
});
afterAll(async () => {
  await identity.state.close();
  rmSync(folder, { recursive: true });
});

const upload = (path: `/${string}`, access: 'administrator-key' | 'user') =>
  operation({ summary: 'u', access, rest: { method: 'POST', path, body: '*', files: ['file', 'more'] } })
    .input(z.strictObject({ file: uploadedFile, more: uploadedFile.optional() }))
    .output(z.object({ size: z.number() }))
    .mutation(({ input }) => ({ size: input.file.size }));
const surface = plugin({
  name: 'up',
  title: 'Up',
  errorFormat: accountErrorFormat,
  router: operations({ keyed: upload(UPLOAD, 'administrator-key'), paged: upload(PAGE_UPLOAD, 'user') }),
});

async function start(uploads: Partial<UploadLimits> = {}): Promise<ServedHost> {
  host = await serve([surface], { folder, ...identity, uploads });
  return host;
}

const written = () => (existsSync(join(folder, 'uploads')) ? readdirSync(join(folder, 'uploads')) : []);
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  /** Bytes of the file. */
  readonly bytes?: number;
  /** Sends only the head, and keeps the request open. */
  readonly isHeld?: boolean;
  readonly isChunked?: boolean;
}

/** Sends a file; returns the answer, and a function that ends an open upload. */
function send({ headers = {}, path = UPLOAD, bytes = 100, isHeld = false, isChunked = false }: Sending) {
  const length = HEAD.length + bytes + TAIL.length;
  const request = httpRequest(`http://127.0.0.1:${host?.port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(isChunked ? {} : { 'content-length': String(length) }),
      ...headers,
    },
  });
  const answer = new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  answer.catch(() => undefined);
  request.write(HEAD);
  if (!isHeld) {
    for (let left = bytes; left > 0; left -= 65_536) request.write(Buffer.alloc(Math.min(left, 65_536), 120));
    request.end(TAIL);
  }
  const closed = new Promise<void>((resolve) => {
    request.on('close', resolve);
  });
  return { answer, closed, end: () => request.destroy() };
}

describe('an upload', () => {
  it('of an anonymous caller, of a lower role or without the CSRF pair is refused before its body arrives', async () => {
    await start();
    for (const [headers, path, status] of [
      [{}, UPLOAD, 401],
      [{ authorization: keys.user ?? '' }, UPLOAD, 403],
      [{}, PAGE_UPLOAD, 401],
      [{ authorization: basic('bob', PASSWORD) }, PAGE_UPLOAD, 403],
    ] as const) {
      // Only the beginning of a gigabyte is sent: an answer shows that the server does not wait for the rest.
      const held = send({ headers, path, bytes: 1_000_000, isHeld: true });
      expect((await held.answer).status, `${path} ${status}`).toBe(status);
      held.end();
    }
    expect(written()).toEqual([]);
  });

  it('ends the connection of a refused caller who continues to send', async () => {
    await start();
    const held = send({ bytes: 1_000_000, isHeld: true });
    expect((await held.answer).status).toBe(401);
    const started = performance.now();
    await held.closed;
    // The caller has two seconds to read the answer, not minutes to fill the line.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('announced as larger than the operation accepts is refused before its body arrives', async () => {
    await start({ maxFileBytes: 1_000 });
    const held = send({ headers: { authorization: keys.admin ?? '' }, bytes: 3_000_000, isHeld: true });
    const { status, text } = await held.answer;
    expect([status, JSON.parse(text).error]).toEqual([413, 'body_too_large']);
    held.end();
    expect(written()).toEqual([]);
  });

  it('without an announced size that exceeds the limit is cut off, and leaves nothing', async () => {
    await start({ maxFileBytes: 100_000 });
    const sent = send({ headers: { authorization: keys.admin ?? '' }, bytes: 300_000, isChunked: true });
    expect((await sent.answer).status).toBe(413);
    expect(written()).toEqual([]);
  });

  it("is bounded by its user's open uploads, and by all open uploads", async () => {
    await start({ maxBytesOfUser: 500_000, maxBytes: 800_000, maxRunningOfUser: 2 });
    const admin = { authorization: keys.admin ?? '' };
    const other = { authorization: keys.other ?? '' };
    const status = async (bytes: number) => (await send({ headers: admin, bytes }).answer).status;
    const first = send({ headers: admin, bytes: 400_000, isHeld: true });
    await expect.poll(() => status(200_000)).toBe(429);
    const ofUser = await send({ headers: admin, bytes: 200_000 }).answer;
    expect([ofUser.status, JSON.parse(ofUser.text).error]).toEqual([429, 'upload_limit']);
    const chunked = await send({ headers: admin, bytes: 200_000, isChunked: true }).answer;
    expect(chunked.status).toBe(429);
    const ofAll = await send({ headers: other, bytes: 450_000 }).answer;
    expect([ofAll.status, JSON.parse(ofAll.text).error]).toEqual([503, 'upload_limit']);
    const second = send({ headers: admin, bytes: 10, isHeld: true });
    await expect.poll(() => status(10)).toBe(429);
    // Other uploads continue, and an aborted upload returns its share.
    expect((await send({ headers: other, bytes: 100 }).answer).status).toBe(200);
    first.end();
    second.end();
    await expect.poll(() => status(400_000)).toBe(200);
    expect(written()).toEqual([]);
  });

  it.each([
    ['announced', false],
    ['not announced', true],
  ])('without disk space, %s, is a 503 with an explanation, and leaves nothing', async (_name, isChunked) => {
    let free = 6_000_000;
    const freeSpace = new FreeSpace(folder, 1_000_000, async () => {
      free -= 2_500_000;
      return { bavail: free, bsize: 1 };
    });
    await start({ freeSpace, maxFileBytes: 20_000_000, maxBytesOfUser: 40_000_000, maxBytes: 40_000_000 });
    const sent = send({ headers: { authorization: keys.admin ?? '' }, bytes: 15_000_000, isChunked });
    const { status, text } = await sent.answer;
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { error: 'storage_full', message: expect.stringContaining('disk of this server is full') },
    ]);
    expect(written()).toEqual([]);
  });
});
