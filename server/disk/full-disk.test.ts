/**
 * Tests the whole server on a full disk, a small file system in memory: uploads and writes are answered 503 with an explanation, `/readyz` reports
 * the disk, and sign-in works while an upload is open.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openIdentity } from '../identity/index.ts';
import { CHEAP } from '../identity/testing/fixture.ts';
import { startWorld, type World } from '../tenants/testing/world.ts';

const MEGABYTE = 1_048_576;
const SIZE = 64 * MEGABYTE;
const MIN_FREE_MB = 16;
const place = mkdtempSync(join(tmpdir(), 'service-small-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', place]).status === 0;

const Refusal = z.object({ error: z.string(), message: z.string() });

const missing = isMounted ? undefined : 'this user may not mount a file system: run it as root';

describe.skipIf(missing !== undefined)(titleNeeding('a server whose disk is full', missing), () => {
  let world: World;
  let key: string;
  const outerTemporary = process.env.TMPDIR;

  beforeAll(async () => {
    process.env.TMPDIR = place;
    world = await startWorld(undefined, {
      settings: async () => ({ 'service.disk.minFreeMegabytes': String(MIN_FREE_MB) }),
    });
    const { apiKeys } = await openIdentity({ state: world.state, clock: Date.now, log: silentLog, hashCost: CHEAP });
    const made = { tenant: world.tenants.default.id, label: 'x', roles: ['ROLE_ADMIN'] };
    key = (await apiKeys.create(made)).key;
  });
  afterAll(async () => {
    await world?.close();
    if (outerTemporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outerTemporary;
    spawnSync('umount', [place]);
    rmSync(place, { recursive: true, force: true });
  });

  const free = () => {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize;
  };
  const Ready = z.object({ missing: z.array(z.string()).default([]) });
  const readyz = async () => {
    const response = await fetch(`${world.url}/readyz`);
    return { status: response.status, missing: Ready.parse(await response.json()).missing };
  };
  const signIn = () =>
    fetch(`${world.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ann', password: 'Quarry-lantern-77' }),
    });
  const upload = (bytes: number) => {
    const form = new FormData();
    form.set('file', new Blob(['a,b\n', 'x'.repeat(bytes)]), 'a.csv');
    const headers = { authorization: `Bearer ${key}` };
    return fetch(`${world.url}/me/inference/import`, { method: 'POST', headers, body: form });
  };

  it('stops an upload before the reserved space, and signs users in while the upload is open', async () => {
    expect((await readyz()).missing).not.toContain('disk');
    // Begins an upload without a length, sends until the rest is refused, and keeps the request open.
    const held = httpRequest(`${world.url}/me/inference/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=part' },
    });
    const answered = new Promise<number>((resolve) => {
      held.on('response', (response) => resolve(response.statusCode ?? 0));
    });
    held.on('error', () => undefined);
    held.write('--part\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n');
    for (let sent = 0; sent < SIZE; sent += MEGABYTE) held.write(Buffer.alloc(MEGABYTE, 120));
    expect(await answered).toBe(503);
    expect(free()).toBeGreaterThan((MIN_FREE_MB - 5) * MEGABYTE);
    expect((await signIn()).status).toBe(200);
    held.destroy();
    const refused = await upload(45 * MEGABYTE);
    expect(refused.status).toBe(503);
    expect(Refusal.parse(await refused.json())).toEqual({
      error: 'storage_full',
      message: expect.stringContaining('disk of this server is full'),
    });
  });

  it('reports the disk at /readyz, and answers 503 with an explanation where it must write', async () => {
    const filler = join(place, 'filler');
    for (let bytes = free(); bytes > 0; bytes = free())
      try {
        writeFileSync(filler, Buffer.alloc(Math.min(bytes, 4 * MEGABYTE), 1), { flag: 'a' });
      } catch {
        break;
      }
    const full = await readyz();
    expect(full.status).toBe(503);
    expect(full.missing).toContain('disk');
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
    for (const response of [await signIn(), await upload(100)]) {
      const { error, message } = Refusal.parse(await response.json());
      expect([response.status, error.toLowerCase()]).toEqual([503, 'storage_full']);
      expect(message).toContain('disk of this server is full');
    }
    rmSync(filler);
    expect((await readyz()).missing).not.toContain('disk');
    expect((await signIn()).status).toBe(200);
  });
});
