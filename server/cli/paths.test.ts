/** Tests what commands answer to folders and files that are not there, and to names that nothing has: one line, and no stack. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { service } from './testing/command.ts';

let folder: string;
let home: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-paths-'));
  home = join(folder, 'home');
  for (const part of ['datasources', 'repository/shared']) mkdirSync(join(home, part), { recursive: true });
  writeFileSync(join(folder, 'broken.json'), '{');
});
afterAll(() => rmSync(folder, { recursive: true }));

const inHome = (...args: readonly string[]) => service([...args, '--home', home]);

test.each<readonly [what: string, args: () => readonly string[], line: () => string]>([
  [
    'a folder that is missing',
    () => ['broken.json', '--out', join(folder, 'no/a.csv')],
    () => `The folder ${join(folder, 'no')} does not exist.`,
  ],
  [
    'a folder in the place of a file',
    () => ['broken.json', '--out', folder],
    () => `${folder} is a folder; name a file.`,
  ],
  [
    'broken JSON',
    () => [join(folder, 'broken.json')],
    () => `The request in ${join(folder, 'broken.json')} is not valid JSON.`,
  ],
])('export refuses %s', async (_what, args, line) => {
  expect(await inHome('export', ...args())).toEqual({ code: 1, out: '', err: `service: ${line()}\n` });
});

test.each([
  ['--locale', 'not a language', 'It has to be a language such as de or en-GB.'],
  ['--time-zone', 'Mars/Olympus', 'It has to be a time zone such as Europe/Berlin.'],
])('export refuses a wrong %s as a mistake of the command line', async (option, value, message) => {
  const { code, err } = await inHome('export', 'shared/a.service', option, value);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('a home below a file and a backup into no folder are named, without the words of the system', async () => {
  const below = join(folder, 'broken.json');
  expect(await service(['user', 'add', 'ann', '--create', '--home', below], 'Quarry-lantern-77\n')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^service: A part of .* is a file, where a folder is needed\.\n$/),
  });
  expect((await inHome('backup', join(folder, 'no/b.tar'))).err).toBe(
    `service: The folder ${join(folder, 'no')} does not exist.\n`,
  );
});

test('a blank home is refused, and a variable without a text is none', async () => {
  expect(await service(['user', 'list', '--home', ' '])).toMatchObject({
    code: 2,
    err: expect.stringContaining('It must not be empty.'),
  });
  vi.stubEnv('SERVICE_HOME', '');
  const { err } = await service(['user', 'list']);
  vi.unstubAllEnvs();
  expect(err).toContain(`There is no installation in ${join(process.cwd(), 'service-home')}.`);
});

test('an unknown command is answered with the commands that there are', async () => {
  const { code, err } = await service(['token', 'frob']);
  expect(code).toBe(2);
  expect(err).toContain("unknown command 'frob'");
  expect(err).toContain('(commands: create, list, revoke; --help describes them)');
});
