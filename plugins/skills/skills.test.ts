import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, UserCaller } from '../../router/capabilities/identity.ts';
import { restClient } from '../../router/testing/rest-client.ts';
import { skills } from './index.ts';
import { parseSkill } from './parse-skill.ts';

const ROOT = '/rest/service/api/ai';
const caller: UserCaller = { kind: 'user', via: 'session', tenant: 't' as TenantId, user: 'ann', roles: ['ROLE_USER'] };

let directory: string;
let client: ReturnType<typeof restClient>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'skills-'));
  client = restClient(skills({ directoryOf: async () => directory, clock: Date.now }).plugin);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(path: string, name: string, { description = `About ${name}`, body = 'Do it.' } = {}): string {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
  mkdirSync(join(directory, path, '..'), { recursive: true });
  writeFileSync(join(directory, path), text);
  return text;
}

const call = (request: string, options: Parameters<typeof client.call>[1] = {}) => {
  const [method, path] = request.split(' ');
  return client.call(`${method} ${ROOT}${path}`, { caller, ...options });
};
const list = async (query = '') =>
  (await call(`GET /skills${query}`)).body as { skills: { name: string }[]; errors?: unknown[] };
const names = async () => (await list()).skills.map(({ name }) => name);

describe('the catalogue', () => {
  it('is empty for an empty folder, and for one that is not there', async () => {
    expect(await list('?errors=true')).toEqual({ skills: [], errors: [] });
    rmSync(directory, { recursive: true });
    expect(await list('?errors=true')).toEqual({ skills: [], errors: [] });
  });

  it('lists skills of all subfolders by name, and no other files', async () => {
    write('z.md', 'beta');
    write('a/b/c.md', 'alpha');
    write('.git/x.md', 'hidden');
    writeFileSync(join(directory, 'notes.txt'), 'not a skill');
    writeFileSync(join(directory, 'README.MD'), 'not a skill');
    expect(await list()).toEqual({
      skills: [
        { name: 'alpha', description: 'About alpha' },
        { name: 'beta', description: 'About beta' },
      ],
    });
  });

  it('reports why files are left out, and keeps the others', async () => {
    write('good.md', 'good');
    write('sub/again.md', 'good');
    writeFileSync(join(directory, 'empty.md'), '\n');
    writeFileSync(join(directory, 'latin1.md'), Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]));
    writeFileSync(join(directory, 'big.md'), `---\nname: big\ndescription: b\n---\n${'x'.repeat(70_000)}`);
    symlinkSync('/nowhere', join(directory, 'gone.md'));
    symlinkSync('/etc/hostname', join(directory, 'outside.md'));
    const { skills, errors } = await list('?errors=true');
    expect(skills).toEqual([{ name: 'good', description: 'About good' }]);
    expect(errors).toEqual([
      { path: 'big.md', code: 'IO_ERROR', message: expect.any(String) },
      { path: 'empty.md', code: 'EMPTY_SKILL', message: expect.any(String) },
      { path: 'gone.md', code: 'IO_ERROR', message: expect.any(String) },
      { path: 'latin1.md', code: 'IO_ERROR', message: expect.any(String) },
      { path: 'outside.md', code: 'IO_ERROR', message: expect.any(String) },
      { path: 'sub/again.md', code: 'DUPLICATE_NAME', message: expect.stringContaining('good.md') },
    ]);
    expect((await list()).errors).toBeUndefined();
  });

  it('follows links inside the folder once, so that a circle ends', async () => {
    write('real/one.md', 'one');
    symlinkSync(join(directory, 'real'), join(directory, 'linked'));
    symlinkSync(directory, join(directory, 'real', 'up'));
    expect(await names()).toEqual(['one']);
  });

  it('sees files that come, change and go at the next request', async () => {
    write('one.md', 'one');
    expect(await names()).toEqual(['one']);
    write('two.md', 'two');
    expect(await names()).toEqual(['one', 'two']);
    write('two.md', 'six'); // the same size, within the same millisecond
    expect(await names()).toEqual(['one', 'six']);
    rmSync(join(directory, 'one.md'));
    expect(await names()).toEqual(['six']);
  });

  it('gives the name to the next file when the first one goes', async () => {
    write('a.md', 'same', { description: 'first' });
    write('b.md', 'same', { description: 'second' });
    expect((await list()).skills).toMatchObject([{ description: 'first' }]);
    rmSync(join(directory, 'a.md'));
    expect((await list()).skills).toMatchObject([{ description: 'second' }]);
  });

  it('answers a request during a scan with the state at its arrival', async () => {
    write('one.md', 'one');
    const first = names();
    write('two.md', 'two');
    expect(await Promise.all([first, names(), names()])).toMatchObject([
      expect.anything(),
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });
});

describe('one skill', () => {
  it('is answered as the markdown of its file', async () => {
    const text = write('one.md', 'one', { body: '# Steps\n\n1. Ask.' });
    const { status, body, headers } = await call('GET /skills/one');
    expect({ status, body }).toEqual({ status: 200, body: text });
    expect(new Map(headers).get('Content-Type') ?? 'text/markdown; charset=utf-8').toBe('text/markdown; charset=utf-8');
  });

  it('that is not there is 404 with the names, nearest first', async () => {
    write('a.md', 'monthly-report');
    write('b.md', 'top-sellers');
    expect(await call('GET /skills/top-seller')).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', available: ['top-sellers', 'monthly-report'] },
    });
    expect((await call('GET /skills/__proto__')).status).toBe(404);
  });
});

describe('a refresh', () => {
  it('reads files again although their times and sizes are as before', async () => {
    const past = new Date('2026-01-01T00:00:00Z');
    const settle = (path: string) => utimesSync(join(directory, path), past, past);
    write('one.md', 'one', { description: 'old' });
    settle('one.md');
    await list();
    write('one.md', 'one', { description: 'new' });
    settle('one.md');
    expect(await call('POST /skills/refresh')).toMatchObject({ status: 200, body: { skills: 1, errors: 0 } });
    expect((await list()).skills).toMatchObject([{ description: 'new' }]);
  });
});

it('skills cannot be read without signing in', async () => {
  for (const request of ['GET /skills', 'GET /skills/one', 'POST /skills/refresh']) {
    expect((await client.call(request.replace(' ', ` ${ROOT}`))).status).toBe(401);
  }
});

it('1,000 files are scanned in under 300 ms, and again unchanged in under 5 ms', async () => {
  const past = new Date('2026-01-01T00:00:00Z');
  for (let n = 0; n < 1_000; n++) {
    const path = `folder-${n % 20}/skill-${n}.md`;
    write(path, `skill-${n}`, { body: 'A step.\n'.repeat(20) });
    utimesSync(join(directory, path), past, past);
  }
  const { folders } = skills({ directoryOf: async () => directory, clock: Date.now });
  // The best of a few, in processor time, because other tests share the machine.
  const best = async (times: number, run: () => Promise<unknown>) => {
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < times; n++) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    return least;
  };
  // Even processor time grows on a busy machine. Reading only each file's status measures by how much.
  const paths = Array.from({ length: 1_000 }, (_, n) => join(directory, `folder-${n % 20}/skill-${n}.md`));
  const bare = await best(20, async () => {
    for (const path of paths) statSync(path);
  });
  expect(await best(5, () => folders.refresh(caller))).toBeLessThan(Math.max(300, 100 * bare));
  expect((await folders.scan(caller)).skills.size).toBe(1_000);
  expect(await best(40, () => folders.scan(caller))).toBeLessThan(Math.max(5, 8 * bare));
});

it('the example that is placed at first boot is a skill', () => {
  const folder = new URL('../../skills/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  expect(files).not.toHaveLength(0);
  for (const file of files) {
    const skill = parseSkill(readFileSync(new URL(file, folder), 'utf8'));
    expect(skill).toMatchObject({ name: file.replace(/\.md$/, '') });
  }
});
