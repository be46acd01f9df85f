/** Tests `service rollup` over files that `service import` has loaded. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeDescriptor } from '../../plugins/datasources/index.ts';
import { service } from './testing/command.ts';

let home: string;
const document = () => join(home, 'datasources', 'orders.yaml');

const ROLLUP = {
  name: 'by_region',
  table: 'amounts_by_region',
  dataset: 'orders',
  fields: [{ field: 'orders.region' }],
  metrics: [{ metric: 'total_amount' }],
};
const MODEL = `
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ rollups: [ROLLUP, { ...ROLLUP, name: 'of_means', table: 'means', metrics: [{ metric: 'mean_amount' }] }] })}' }]
    datasets:
      - { name: orders, source: orders, fields: [{ name: region, expression: [{ dialect: ANSI_SQL, expression: region }] }] }
    metrics:
      - { name: total_amount, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] }
      - { name: mean_amount, expression: [{ dialect: ANSI_SQL, expression: AVG(orders.amount) }] }
`;

beforeAll(async () => {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  const folder = mkdtempSync(join(tmpdir(), 'service-rollups-'));
  home = join(folder, 'home');
  writeFileSync(join(folder, 'orders.csv'), 'region,amount\nEU,2.50\nEU,1.25\nUS,4.00\n');
  const imported = await service(['import', join(folder, 'orders.csv'), '--home', home, '--create']);
  expect(imported.code, imported.err).toBe(0);
  writeFileSync(document(), MODEL);
  const descriptor = readFileSync(join(home, 'datasources', 'orders.sds'), 'utf8');
  const location = /<location>([^<]*)/.exec(descriptor)?.[1] ?? '';
  writeFileSync(
    join(home, 'datasources', 'shop.sds'),
    writeDescriptor({ id: 'shop', name: 'shop', type: 'SEMANTIC', semanticYaml: 'orders.yaml', location }),
  );
});
afterAll(() => {
  delete process.env.SERVICE_LOG_LEVEL;
  rmSync(join(home, '..'), { recursive: true });
});

const rollup = (...args: readonly string[]) => service(['rollup', ...args, '--home', home, '--model', 'shop']);

it('builds the table of a roll-up in an imported file', async () => {
  const { out, code } = await rollup('build', 'by_region', '--json');
  expect(JSON.parse(out)).toMatchObject([
    { connection: 'shop', model: 'shop', rollup: 'by_region', result: 'built', rows: 2 },
  ]);
  expect(code).toBe(0);
});

it('lists the roll-ups, also one that cannot be built', async () => {
  const { out, code } = await rollup('list', '--json');
  expect(JSON.parse(out)).toEqual([
    {
      connection: 'shop',
      model: 'shop',
      rollup: 'by_region',
      table: 'amounts_by_region',
      lastRun: null,
      lastResult: null,
      message: '',
    },
    expect.objectContaining({ rollup: 'of_means', table: '', message: expect.stringContaining('cannot be combined') }),
  ]);
  expect(code).toBe(0);
});

it('prints the statements and writes nothing', async () => {
  const { out, code } = await rollup('build', 'by_region', '--sql');
  expect(out).toMatch(
    /^BEGIN TRANSACTION;\n[\s\S]+CREATE TABLE "amounts_by_region__next" AS\n[\s\S]+RENAME TO "amounts_by_region";\nCOMMIT;\n$/,
  );
  expect(code).toBe(0);
});

it('suggests nothing while no server has counted anything, and refuses a number that is none', async () => {
  const { out, code } = await rollup('suggest');
  expect([out, code]).toEqual(['shop, model shop: no roll-up would save time.\n', 0]);
  expect(JSON.parse((await rollup('suggest', '--json')).out)).toEqual([
    { connection: 'shop', model: 'shop', suggested: [], unanswerable: [] },
  ]);
  expect((await rollup('suggest', '--most', '0')).code).not.toBe(0);
});

it('names the roll-ups that there are', async () => {
  const { err, code } = await rollup('build', 'by_regoin');
  expect(err).toContain('There is no roll-up by_regoin here; there are: by_region, of_means.');
  expect(code).toBe(1);
});
