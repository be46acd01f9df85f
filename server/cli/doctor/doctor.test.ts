import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openPort } from '../../http/port.ts';
import { service } from '../testing/command.ts';

const Findings = z.array(
  z.object({ subject: z.string(), status: z.string(), message: z.string(), remedy: z.string().optional() }),
);

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-doctor-'));
  const made = await service(['user', 'add', 'ann', '--admin', '--create', '--home', home], 'Quarry-lantern-77\n');
  expect(made.code).toBe(0);
  chmodSync(join(home, 'data'), 0o700);
});
afterEach(() => {
  for (const name of ['SERVICE_HTPP_PORT', 'SERVICE_HTTP_PORT', 'SERVICE_AI_ASK_PROVIDER']) delete process.env[name];
});
afterAll(() => rmSync(home, { recursive: true }));

const examined = async () => {
  process.env.SERVICE_HTTP_PORT ??= '0';
  const { code, out } = await service(['doctor', '--json', '--home', home]);
  return { code, bySubject: new Map(Findings.parse(JSON.parse(out)).map((each) => [each.subject, each])) };
};

test('a sound installation has no failure, and exits with 0', async () => {
  const { code, bySubject } = await examined();
  expect([...bySubject.values()].filter(({ status }) => status === 'failed')).toEqual([]);
  expect(code).toBe(0);
  expect(bySubject.get('state')).toMatchObject({ status: 'ok', message: 'sqlite, 1 tenant' });
});

test('a variable that nothing reads is reported with the nearest name', async () => {
  process.env.SERVICE_HTPP_PORT = '1';
  const { code, bySubject } = await examined();
  expect(bySubject.get('settings')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('did you mean SERVICE_HTTP_PORT?'),
  });
  expect(code).toBe(0);
});

test('a taken port fails, with what to do', async () => {
  const other = await openPort('127.0.0.1', 0);
  process.env.SERVICE_HTTP_PORT = String(other.port);
  const { code, bySubject } = await examined();
  await other.stop(0);
  expect(bySubject.get('server')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining(`${other.port} is taken`),
    remedy: expect.stringContaining('service.http.port'),
  });
  expect(code).toBe(1);
});

test('a warehouse that does not answer, a wrong descriptor and a missing key fail, each on its own', async () => {
  process.env.SERVICE_AI_ASK_PROVIDER = 'anthropic';
  mkdirSync(join(home, 'datasources'), { recursive: true });
  writeFileSync(
    join(home, 'datasources/away.sds'),
    'name: away\ntype: SEMANTIC\nsemanticYaml: away.yaml\nlocation: jdbc:postgresql://127.0.0.1:1/shop\n',
  );
  writeFileSync(join(home, 'datasources/odd.sds'), 'name: odd\ntype: NONE\n');
  const { code, bySubject } = await examined();
  expect(bySubject.get('datasource away')).toMatchObject({ status: 'failed' });
  expect(bySubject.get('datasource odd')).toMatchObject({ status: 'failed' });
  expect(bySubject.get('language model')).toMatchObject({
    status: 'failed',
    remedy: expect.stringContaining('ANTHROPIC_API_KEY'),
  });
  expect(code).toBe(1);
});

test('a folder that is no home fails, and stays as it is', async () => {
  const empty = join(home, 'nothing-here');
  const { code, out } = await service(['doctor', '--home', empty]);
  expect(code).toBe(1);
  expect(out).toContain(`There is no installation in ${empty}.`);
  expect((await service(['user', 'list', '--home', empty])).err).toContain(`There is no installation in ${empty}.`);
  expect(() => chmodSync(empty, 0o700)).toThrow('ENOENT');
});
