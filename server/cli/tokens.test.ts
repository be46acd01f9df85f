import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { service } from './testing/command.ts';

let home: string;
const command = (...args: readonly string[]) => service(['token', ...args, '--home', home]);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-token-'));
  await service(['user', 'add', 'ann', '--create', '--home', home], 'Quarry-lantern-77\n');
  mkdirSync(join(home, 'repository/shared'), { recursive: true });
  const request = { connection: 'shop', rows: [], values: [{ metric: 'revenue' }] };
  writeFileSync(
    join(home, 'repository/shared/sales.service'),
    JSON.stringify({ version: 1, title: 'Sales', source: { surface: 'semantic', request } }),
  );
});
afterAll(() => rmSync(home, { recursive: true }));

test('a token is made for a viewer, listed and revoked', async () => {
  const made = await command(
    ...['create', 'shared/sales.service', '--user', 'ann', '--hours', '2', '--label', 'portal'],
    ...['--viewer', 'u-17', '--attribute', 'region=South', 'region=North'],
  );
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('not shown again') });
  expect(made.out).toMatch(/^\S{20,}\n$/);
  const [entry] = JSON.parse((await command('list', '--json')).out);
  expect(entry).toMatchObject({
    path: 'shared/sales.service',
    label: 'portal',
    owner: 'ann',
    viewer: 'u-17',
    lastUsedAt: null,
    revoked: false,
  });
  expect(await command('revoke', entry.id)).toMatchObject({ code: 0, out: `Revoked ${entry.id}.\n` });
  expect(JSON.parse((await command('list', '--json')).out)).toMatchObject([{ revoked: true }]);
});

test.each([
  [['create', 'shared/none.service', '--user', 'ann'], 1, 'no document shared/none.service'],
  [['create', 'shared/sales.csv', '--user', 'ann'], 1, 'no path of a document'],
  [['create', 'shared/sales.service', '--user', 'bob'], 1, 'no active user bob'],
  [['create', 'shared/sales.service', '--user', 'ann', '--hours', '721'], 2, 'at most 720'],
  [['create', 'shared/sales.service', '--user', 'ann', '--attribute', 'a=b'], 2, '--viewer'],
  [['revoke', '00000000-0000-0000-0000-000000000000'], 1, 'no embed token'],
])('%j is refused', async (args, code, message) => {
  const ended = await command(...args);
  expect([ended.code, ended.out]).toEqual([code, '']);
  expect(ended.err).toContain(message);
});
