/** Tests `service import` from files to saved queries with answers. Expected numbers are computed by hand, or are FoodMart's documented totals. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foodmartDirectory, foodmartMissing } from '../../plugins/cube/testing/foodmart.ts';
import { parseDashboard, parseSavedQuery } from '../../plugins/repository/index.ts';
import { lintDocument } from '../../plugins/semantic/index.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { titleNeeding } from '../../router/testing/not-run.ts';
import type { Imported } from '../import-command/report.ts';
import { warehousesOf } from '../installation/existing-home.ts';
import { type Setup, setUp } from '../installation/setup.ts';
import { type ImportRequest, importInto } from '../launcher-import.ts';
import { ask, connections } from '../launcher-offline.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { engineMissing, startWarehouse, writeDuckdb } from '../warehouse/testing/engines.ts';

let folder: string;
beforeAll(() => {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  folder = mkdtempSync(join(tmpdir(), 'service-import-cli-'));
});
afterAll(() => {
  delete process.env.SERVICE_LOG_LEVEL;
  rmSync(folder, { recursive: true });
});

let homes = 0;
const newHome = (): Setup => setUp(join(folder, `home-${homes++}`));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function imported(setup: Setup, files: readonly string[], more: Partial<ImportRequest> = {}): Promise<Imported> {
  const outcome = await importInto(setup, {
    tenant: 'default',
    files,
    name: undefined,
    schema: undefined,
    username: undefined,
    password: undefined,
    onProgress: () => undefined,
    ...more,
  });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome;
}

async function refusal(setup: Setup, files: readonly string[], more: Partial<ImportRequest> = {}): Promise<string> {
  return imported(setup, files, more).then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Runs a request on a connection of the home, like a saved query. */
async function answer(setup: Setup, connection: string, request: unknown) {
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    const all = await connections(setup.home.datasources, warehouses.supported);
    const datasource = all.find(({ name }) => name === connection)?.datasource;
    if (datasource === undefined) throw new Error(`no ${connection} among ${all.map(({ name }) => name).join()}`);
    const scope = { tenant: 'default' as TenantId, user: 'test', roles: ['ROLE_ADMIN'] };
    const unmasked = { ...setup, config: { ...setup.config, 'ai.kAnonymity': 0, 'service.ai.kAnonymity.k': 0 } };
    return await ask({ request, datasource, warehouses, scope, setup: unmasked });
  } finally {
    await warehouses.close();
  }
}

const cellValue = (cell: unknown): unknown =>
  typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell;

const CUSTOMERS =
  'customer_id,full_name,email,city\n1,Ada Long,ada@mail.example,Rome\n2,Bob Short,bob@mail.example,Oslo\n3,Cleo Wide,cleo@mail.example,Rome\n';
const ORDERS =
  'order_id;customer_id;placed;amount\n10;1;31.01.2024;1.200,50\n11;1;28.02.2024;99,50\n12;2;01.03.2024;300,00\n13;3;31.12.2024;400,00\n';

interface Field {
  readonly name: string;
  readonly dimension?: { readonly is_time: boolean };
  readonly custom_extensions?: readonly { readonly data: string }[];
}

describe('two CSV files', () => {
  it('become a cube and a model that answer, with saved queries and a dashboard', async () => {
    const setup = newHome();
    const outcome = await imported(setup, [file('orders.csv', ORDERS), file('customers.csv', CUSTOMERS)], {
      name: 'shop',
    });
    expect(outcome.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['customers', 3],
      ['orders', 4],
    ]);
    expect(outcome.cubes.map(({ name }) => name)).toEqual(['Orders']);
    expect(readdirSync(setup.home.datasources).sort()).toEqual([
      'shop-model.sds',
      'shop-model.yaml',
      'shop.sds',
      'shop.xml',
    ]);
    const cube = 'shop/shop/shop/Orders';
    const byCity = await answer(setup, 'shop', {
      cube,
      measures: [{ name: 'Amount' }],
      rows: [{ dimension: 'Customers City', level: 'City' }],
    }).catch(() =>
      answer(setup, 'shop', {
        cube,
        measures: [{ name: 'Amount' }],
        rows: [{ dimension: 'Customers', level: 'City' }],
      }),
    );
    expect(byCity.records.map((record) => Object.values(record).map(cellValue))).toEqual([
      ['Oslo', 300],
      ['Rome', 1_700],
    ]);
    const byQuarter = await answer(setup, 'shop', {
      cube,
      measures: [{ name: 'Amount' }],
      rows: [{ dimension: 'Placed', level: 'Quarter' }],
    });
    expect(byQuarter.records.map((record) => cellValue(record.Amount))).toEqual([1_600, 400]);
    // The cube has no name and no address of a person. The semantic model marks them as personal data, and has each date once.
    const [cubeText, modelText] = ['shop.xml', 'shop-model.yaml'].map((each) =>
      readFileSync(join(setup.home.datasources, each), 'utf8'),
    );
    expect(cubeText).not.toMatch(/email|full_name/);
    expect(await lintDocument(modelText ?? '')).toMatchObject({ problems: [] });
    const { semantic_model } = load(modelText ?? '') as {
      readonly semantic_model: readonly [
        { readonly datasets: readonly { readonly name: string; readonly fields: readonly Field[] }[] },
      ];
    };
    const [model] = semantic_model;
    const fieldsOf = (dataset: string) => model.datasets.find(({ name }) => name === dataset)?.fields ?? [];
    expect(fieldsOf('customers').map(({ name, custom_extensions: [mark] = [] }) => [name, mark?.data])).toEqual([
      ['customer_id', undefined],
      ['city', undefined],
      ['full_name', '{"pii":true}'],
      ['email', '{"pii":true}'],
    ]);
    // No column is lost: keys are fields, too; the amount is a metric.
    expect(fieldsOf('orders').map(({ name, dimension }) => [name, dimension?.is_time])).toEqual([
      ['placed', true],
      ['order_id', undefined],
      ['customer_id', undefined],
    ]);
    const byMonth = await answer(setup, 'shop-model', {
      connection: 'shop-model',
      model: 'Orders',
      rows: [{ dataset: 'orders', field: 'placed', grain: 'month' }],
      values: [{ metric: 'amount' }],
    });
    expect(byMonth.records.map((record) => Number(cellValue(Object.values(record)[1])))).toEqual([
      1_200.5, 99.5, 300, 400,
    ]);
    for (const path of outcome.documents) {
      const text = readFileSync(join(setup.home.repository, path), 'utf8');
      if (path.endsWith('.servicedash')) {
        const paths = parseDashboard(text).tiles.map(({ query }) =>
          query !== undefined && 'path' in query ? query.path : '',
        );
        expect(paths.every((each) => outcome.documents.includes(each))).toBe(true);
      } else {
        const { source } = parseSavedQuery(text);
        expect((await answer(setup, 'shop-model', source.request)).records.length).toBeGreaterThan(0);
      }
    }
  });

  it('imported again replace the data and keep the model', async () => {
    const setup = newHome();
    await imported(setup, [file('orders.csv', ORDERS)], { name: 'orders' });
    const document = join(setup.home.datasources, 'orders.xml');
    writeFileSync(document, readFileSync(document, 'utf8').replace('name="Amount"', 'name="Turnover"'));
    const again = await imported(setup, [file('orders.csv', `${ORDERS}14;2;01.01.2025;0,25\n`)], { name: 'orders' });
    expect(again.isNew).toBe(false);
    expect(again.lines).toContain('orders: 4 rows before, 5 rows now');
    expect(again.lines).toContain('  placed: 2024-01-31 to 2024-12-31 before, 2024-01-31 to 2025-01-01 now');
    const total = await answer(setup, 'orders', {
      cube: 'orders/orders/orders/Orders',
      measures: [{ name: 'Turnover' }],
    });
    expect(cellValue(total.records[0]?.Turnover)).toBe(2_000.25);
    const lacking = await refusal(setup, [file('orders.csv', 'order_id;note\n1;a\n2;b\n')], { name: 'orders' });
    expect(lacking).toMatch(/does not fit the model of orders/);
    expect(lacking).toMatch(/orders: 5 rows before, 2 rows now\n {2}note is new\n {2}customer_id is gone/);
    expect(await refusal(setup, [file('orders.csv', ORDERS)], { name: 'nothing', isReplacement: true })).toMatch(
      /There is no datasource nothing whose data could be replaced/,
    );
    const spoilt = await refusal(setup, [file('orders.csv', `${ORDERS}14;2;unknown;0,25\n`)], { name: 'orders' });
    expect(spoilt).toMatch(/Column placed of orders is text now; it was DATE/);
    const kept = await answer(setup, 'orders', {
      cube: 'orders/orders/orders/Orders',
      measures: [{ name: 'Turnover' }],
    });
    expect(cellValue(kept.records[0]?.Turnover)).toBe(2_000.25);
    expect(readdirSync(join(setup.home.data, 'imports'))).toEqual(['orders.duckdb']);
    const accepted = await imported(setup, [file('orders.csv', `${ORDERS}14;2;unknown;0,25\n`)], {
      name: 'orders',
      isReplacement: true,
      acceptsLosses: true,
    });
    expect(accepted.lines).toContain('  placed was date, and is text');
  });
});

it('a database file is attached at its place', async () => {
  const setup = newHome();
  const path = join(folder, 'attached.db');
  await writeDuckdb(path, [
    'CREATE TABLE sales (id INTEGER, sold DATE, amount DECIMAL(9,2), shop VARCHAR)',
    "INSERT INTO sales SELECT range, DATE '2024-01-01', 2.5, 'S' || range % 3 FROM range(40)",
  ]);
  const { name } = await imported(setup, [path]);
  expect(name).toBe('attached');
  const total = await answer(setup, name, { cube: `${name}/${name}/${name}/Sales`, measures: [{ name: 'Amount' }] });
  expect(cellValue(total.records[0]?.Amount)).toBe(100);
  expect(existsSync(join(setup.home.data, 'imports'))).toBe(false);
});

it.each([
  ['a file that is not there', ['/nowhere/a.csv'], {}, /There is no file/],
  ['a name that is no file name', ['ok.csv'], { name: '../evil' }, /A name has letters/],
  ['a workbook', ['book.csv'], {}, /Excel/],
  ['a URL of no driver', ['jdbc:oracle:x'], {}, /No driver serves/],
] as const)('%s is refused, and leaves nothing', async (_, [source], more, reason) => {
  const setup = newHome();
  file('ok.csv', 'a,b\n1,2\n2,3\n');
  file('book.csv', 'PK\x03\x04');
  const path = source.startsWith('/') || source.startsWith('jdbc:') ? source : join(folder, source);
  expect(await refusal(setup, [path], more)).toMatch(reason);
  expect(readdirSync(setup.home.datasources)).toEqual([]);
});

it.skipIf(engineMissing('postgresql') !== undefined)(
  titleNeeding(
    'the password of a warehouse is encrypted, and the warehouse opens with it',
    engineMissing('postgresql'),
  ),
  async () => {
    const started = await startWarehouse('postgresql', [
      'CREATE TABLE sales (id INTEGER, sold DATE, amount DECIMAL(9,2))',
      "INSERT INTO sales VALUES (1, '2024-01-01', 2.5), (2, '2024-01-02', 4)",
    ]);
    try {
      const setup = newHome();
      const { jdbcUrl, username, password } = started.address;
      await imported(setup, [jdbcUrl], { name: 'sealed', username, password: password ?? '' });
      const text = readFileSync(join(setup.home.datasources, 'sealed.sds'), 'utf8');
      expect(text).toMatch(password === undefined || password === '' ? /<location>/ : /<password>sealed:v1\./);
      const total = await answer(setup, 'sealed', {
        cube: 'sealed/sealed/sealed/Sales',
        measures: [{ name: 'Amount' }],
      });
      expect(cellValue(total.records[0]?.Amount)).toBe(6.5);
    } finally {
      await started.stop();
    }
  },
);

it('a datasource that no import created is not changed', async () => {
  const setup = newHome();
  writeFileSync(join(setup.home.datasources, 'shop.sds'), '<dataSource/>');
  expect(await refusal(setup, [file('ok.csv', 'a,b\n1,2\n')], { name: 'shop' })).toMatch(/no import has made/);
});

describe('FoodMart', () => {
  const directory = foodmartDirectory();
  it.skipIf(directory === undefined)(
    titleNeeding('from its files gives the documented totals', foodmartMissing()),
    async () => {
      const setup = newHome();
      const tables = [
        'sales_fact_1997',
        'product',
        'product_class',
        'customer',
        'store',
        'promotion',
        'time_by_day',
        'region',
      ];
      const { cubes } = await imported(
        setup,
        tables.map((table) => join(directory ?? '', `${table}.csv`)),
        { name: 'foodmart' },
      );
      expect(cubes.map(({ name }) => name)).toContain('Sales Fact 1997');
      const cube = 'foodmart/foodmart/foodmart/Sales Fact 1997';
      const totals = await answer(setup, 'foodmart', {
        cube,
        measures: ['Unit Sales', 'Store Sales', 'Store Cost', 'Row Count', 'Customer Count'].map((name) => ({ name })),
      });
      expect(
        Object.values(totals.records[0] ?? {})
          .map(cellValue)
          .map(Number),
      ).toEqual([266_773, 565_238.13, 225_627.2336, 86_837, 5_581]);
      const by = async (dimension: string, level: string) =>
        (
          await answer(setup, 'foodmart', { cube, measures: [{ name: 'Unit Sales' }], rows: [{ dimension, level }] })
        ).records.map((record) => Number(cellValue(record['Unit Sales'])));
      expect(await by('Time By Day', 'Quarter')).toEqual([66_291, 62_610, 65_848, 72_024]);
      expect(await by('Customer Gender', 'Gender')).toEqual([131_558, 135_215]);
      expect(await by('Product', 'Product Family')).toEqual([24_597, 191_940, 50_236]);
    },
  );
});
