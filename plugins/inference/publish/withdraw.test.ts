/** What publishing has made goes with its datasource, and nothing that a person has written. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import { openRepository } from '../../../server/repository/index.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { acceptingRegistry } from '../testing/registry.ts';
import { readMark, writeMark } from './made-mark.ts';
import { withdraw } from './withdraw.ts';

const TENANT = 'tenant-1' as TenantId;
const caller: Scope = { tenant: TENANT, user: 'ann', roles: ['ROLE_ADMIN'] };
const DOCUMENTS = [
  { path: 'shared/a--b/by-1.service', text: '{"version":1}\n' },
  { path: 'shared/a--b/overview.servicedash', text: '{"version":1,"tiles":[]}\n' },
];

const SCHEMA = '<Schema name="shop"/>\n';
const DESCRIPTOR = '<dataSource><name>shop</name></dataSource>\n';
const MADE = writeMark(DESCRIPTOR, SCHEMA, DOCUMENTS);

let home: string;
let registry: DatasourceRegistry;
let repository: Repository;
let document: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-withdraw-'));
  mkdirSync(join(home, 'datasources/other'), { recursive: true });
  registry = (await acceptingRegistry(join(home, 'datasources'))).registry;
  repository = await openRepository({ directory: join(home, 'repository'), defaultTenant: TENANT });
  for (const { path, text } of DOCUMENTS) await repository.write(caller, path, text);
  document = join(home, 'datasources/shop.xml');
  writeFileSync(document, SCHEMA);
});
afterEach(async () => {
  await registry.close();
  rmSync(home, { recursive: true });
});

const withdrawn = (documentPath = document, descriptor = MADE) =>
  withdraw({ registryOf: async () => registry, repository }, caller, { documentPath }, descriptor);
const stored = async () => (await repository.list(caller, '.service')).map(({ path }) => path);

it('the document goes with the saved queries and the dashboard that were made with it', async () => {
  await repository.write(caller, 'shared/a--b/mine.service', '{"version":1}\n');
  const paths = DOCUMENTS.map(({ path }) => path);
  expect(await withdrawn()).toEqual({ removed: ['shop.xml', ...paths], kept: [] });
  expect(existsSync(document)).toBe(false);
  // A saved query with the same text that a person saved was not made by the publication.
  expect(await stored()).toEqual(['shared/a--b/mine.service']);
});

it('a changed saved query stays, and is reported', async () => {
  await repository.write(caller, 'shared/a--b/by-1.service', '{"version":1,"title":"Mine"}\n');
  expect(await withdrawn()).toEqual({
    removed: ['shop.xml', 'shared/a--b/overview.servicedash'],
    kept: ['shared/a--b/by-1.service'],
  });
});

it('a document that somebody has changed stays with all that was made with it', async () => {
  writeFileSync(document, SCHEMA.replace('shop', 'Shop'));
  expect(await withdrawn()).toEqual({ removed: [], kept: ['shop.xml'] });
  expect(existsSync(document)).toBe(true);
  expect(await stored()).toEqual(['shared/a--b/by-1.service']);
});

it.each([DESCRIPTOR, MADE.replace(/changes that\. ..../, 'changes that. AAAA')])(
  'of a descriptor that a person has written nothing goes: %j',
  async (descriptor) => {
    expect(await withdrawn(document, descriptor)).toEqual({ removed: [], kept: [] });
    expect(existsSync(document)).toBe(true);
  },
);

it.each([
  ['another descriptor names', 'second.sds', '<cubeSchema>shop.xml</cubeSchema>'],
  ['one of another tenant names', 'other/second.sds', '<cubeSchema>../shop.xml</cubeSchema>'],
  ['a broken one may name', 'second.sds', '<cubeSchema>shop.xml'],
])('a document that %s stays', async (_, file, element) => {
  writeFileSync(
    join(home, 'datasources', file),
    `<dataSource><id>x</id><name>x</name><type>OLAP</type>${element}<location>jdbc:duckdb:x</location></dataSource>`,
  );
  expect(await withdrawn()).toEqual({ removed: [], kept: ['shop.xml'] });
});

it('a document elsewhere is not looked at', async () => {
  const elsewhere = join(home, 'shop.xml');
  writeFileSync(elsewhere, SCHEMA);
  expect(await withdrawn(elsewhere)).toEqual({ removed: [], kept: [] });
  expect(existsSync(elsewhere)).toBe(true);
});

it('the mark is a comment of XML, and stays if a person changes the address', () => {
  const [, comment = ''] = /<!--(.*)-->/.exec(MADE) ?? [];
  expect(comment).not.toContain('--');
  expect(readMark(MADE.replace('shop', 'other'))).toEqual(readMark(MADE));
  expect(Object.keys(readMark(MADE)?.documents ?? {})).toEqual(DOCUMENTS.map(({ path }) => path));
});
