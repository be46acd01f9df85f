/** Tests documents with one mistake each: it is reported once, at its line. */
import { afterAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { type LintOptions, lintDocument } from './lint-document.ts';

const sql = (expression: string) => `expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]`;
const service = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;

/** Makes a document of sales with stores and customers; the arguments add elements. */
function shop({
  datasets = [],
  relationships = [],
  metrics = [],
}: Readonly<Record<string, readonly string[]>>): string {
  const lines = [
    'semantic_model:',
    '  - name: shop',
    '    datasets:',
    `      - { name: sales, source: sales, primary_key: [id], fields: [{ name: amount, ${sql('amount')} }] }`,
    `      - { name: stores, source: stores, primary_key: [id], fields: [{ name: city, ${sql('city')} }] }`,
    ...datasets.map((one) => `      - { ${one} }`),
    '    relationships:',
    '      - { name: sold_in, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }',
    ...relationships.map((one) => `      - { ${one} }`),
  ];
  return [
    ...lines,
    ...(metrics.length === 0 ? [] : ['    metrics:', ...metrics.map((one) => `      - { ${one} }`)]),
  ].join('\n');
}

async function problemRows(document: string, options?: LintOptions) {
  const { problems } = await lintDocument(document, options);
  return problems.map(({ line, severity, message }) => [line, severity, message]);
}
const lineOf = (document: string, text: string) => document.split('\n').findIndex((one) => one.includes(text)) + 1;
/** Returns the only problem of a document, which is at the line with `at`. */
async function only(document: string, at: string): Promise<string> {
  const problems = await problemRows(document);
  expect(problems).toEqual([[lineOf(document, at), 'warning', expect.any(String)]]);
  return String(problems[0]?.[2]);
}

describe('without a warehouse', () => {
  it('a valid document has no problems, and the skipped checks are reported', async () => {
    const metrics = [`name: revenue, ${sql('SUM(sales.amount)')}`, `name: lines, ${sql('COUNT(*)')}`];
    const report = await lintDocument(shop({ metrics }));
    expect(report.problems).toEqual([]);
    expect(report.notChecked).toHaveLength(2);
  });

  it('a viewer filter must name a field, and a declared attribute', async () => {
    const filtered = (filter: object) =>
      shop({
        datasets: [
          `name: regions, source: regions, fields: [{ name: region, ${sql('region')} }], ${service({ viewer_filters: [filter] })}`,
        ],
      });
    expect(await problemRows(filtered({ field: 'region', attribute: 'regions' }))).toEqual([]);
    const wrong = filtered({ field: 'regoin', attribute: 'regions' });
    expect(await problemRows(wrong)).toEqual([
      [lineOf(wrong, 'name: regions'), 'error', expect.stringContaining('names the field regoin')],
    ]);
    const undeclared = filtered({ field: 'region', attribute: 'regions' }).replace(
      '  - name: shop',
      `  - name: shop\n    ${service({ viewer_attributes: [{ name: 'places' }] })}`,
    );
    expect(await problemRows(undeclared)).toEqual([
      [lineOf(undeclared, 'name: regions'), 'error', expect.stringContaining('names the attribute regions')],
    ]);
  });

  it('a relationship must lead to a key', async () => {
    const relationships = ['name: near, from: sales, to: stores, from_columns: [city], to_columns: [city]'];
    expect(await only(shop({ relationships }), 'name: near')).toContain('city is no key of stores');
  });

  it('two paths between datasets are ambiguous, reported once for the datasets at which they part and meet', async () => {
    const document = shop({
      datasets: [
        'name: customers, source: customers, primary_key: [id]',
        'name: regions, source: regions, primary_key: [id]',
        'name: countries, source: countries, primary_key: [id]',
      ],
      relationships: [
        'name: sold_to, from: sales, to: customers, from_columns: [customer_id], to_columns: [id]',
        'name: store_region, from: stores, to: regions, from_columns: [region_id], to_columns: [id]',
        'name: customer_region, from: customers, to: regions, from_columns: [region_id], to_columns: [id]',
        'name: of_country, from: regions, to: countries, from_columns: [country_id], to_columns: [id]',
      ],
    });
    expect(await only(document, 'name: customer_region')).toContain(
      'sales → stores (sold_in) → regions (store_region); sales → customers (sold_to) → regions (customer_region)',
    );
  });

  it('an aggregate over datasets without a common path is reported, with the message of loading', async () => {
    const document = shop({
      datasets: [`name: weather, source: weather, primary_key: [id], fields: [{ name: rain, ${sql('rain')} }]`],
      metrics: [`name: wet, ${sql('SUM(sales.amount * weather.rain)')}`],
    });
    const warehouse = await startWarehouse('duckdb', [
      'CREATE TABLE sales (id INTEGER, store_id INTEGER, amount INTEGER)',
      'CREATE TABLE stores (id INTEGER, city VARCHAR)',
      'CREATE TABLE weather (id INTEGER, rain INTEGER)',
    ]);
    try {
      const expected = [[lineOf(document, 'name: wet'), 'warning', expect.stringContaining('no relationship leads')]];
      const alone = await problemRows(document);
      expect(alone.filter(([, , message]) => String(message).includes('left out'))).toEqual(expected);
      const request = await problemRows(document, { warehouse: warehouse.warehouse });
      expect(request.filter(([, , message]) => String(message).includes('left out'))).toEqual(expected);
    } finally {
      await warehouse.stop();
    }
  });

  it('names must be known', async () => {
    const unknown = shop({ metrics: [`name: revenue, ${sql('SUM(shops.amount)')}`] });
    expect(await only(unknown, 'name: revenue')).toContain('there is no dataset shops');
    const nowhere = shop({
      relationships: ['name: sold_by, from: sales, to: staff, from_columns: [staff_id], to_columns: [id]'],
    });
    expect(await problemRows(nowhere)).toEqual([
      [lineOf(nowhere, 'sold_by'), 'error', expect.stringContaining('names the dataset staff')],
    ]);
  });

  it.each([
    ['SUM(sales.amount) / COUNT(sales.id)', true],
    ['SUM(sales.amount / sales.pieces)', true],
    ['SUM(sales.amount) / NULLIF(COUNT(sales.id), 0)', false],
    ['SUM(sales.amount) / GREATEST(COUNT(sales.id), 1)', false],
    ['SUM(sales.amount) / (CASE WHEN COUNT(sales.id) = 0 THEN 1 ELSE COUNT(sales.id) END)', false],
    ['SUM(sales.amount) / 100', false],
  ])('the division of %s is unguarded: %s', async (expression, unguarded) => {
    const messages = await problemRows(shop({ metrics: [`name: share, ${sql(expression)}`] }));
    expect(messages.map(([, , message]) => message)).toEqual(
      unguarded ? [expect.stringContaining('divides without NULLIF')] : [],
    );
  });

  it('COUNT(*) needs a dataset where several are possible', async () => {
    const datasets = ['name: stock, source: stock, primary_key: [id]'];
    const unclear = shop({ datasets, metrics: [`name: lines, ${sql('COUNT(*)')}`] });
    expect(await only(unclear, 'name: lines')).toContain('it may be any of sales, stock, and sales is taken');
    const clear = shop({ datasets, metrics: [`name: lines, ${sql('COUNT(*)')}, ${service({ dataset: 'stock' })}`] });
    expect(await problemRows(clear)).toEqual([]);
  });

  it('personal data is found behind a metric, an explicit no and a second dataset of the same table', async () => {
    const people = (fields: readonly string[], name = 'people') =>
      `name: ${name}, source: people, primary_key: [id], fields: [${fields.map((one) => `{ ${one} }`).join(', ')}]`;
    const email = `name: email, ${sql('email')}, ${service({ pii: true })}`;
    const document = shop({
      datasets: [
        people([email, `name: domain, ${sql('SUBSTRING(email, 3)')}, ${service({ pii: false })}`]),
        people([`name: mail, ${sql('LOWER(email)')}`], 'staff'),
      ],
      relationships: [
        'name: sold_to, from: sales, to: people, from_columns: [customer_id], to_columns: [id]',
        'name: sold_by, from: sales, to: staff, from_columns: [staff_id], to_columns: [id]',
      ],
      metrics: [`name: last_mail, ${sql('MAX(people.email)')}`],
    });
    expect(await problemRows(document)).toEqual([
      [6, 'warning', expect.stringMatching(/field domain: says "pii": false but is computed from people\.email/)],
      [7, 'warning', expect.stringMatching(/field mail: shows a column that people\.email marks as personal data/)],
      [lineOf(document, 'last_mail'), 'warning', expect.stringContaining('reads people.email, which is personal data')],
    ]);
  });

  it('every model of a document is checked, and an unreadable document is an error', async () => {
    const two = `semantic_model:
  - { name: a, datasets: [{ name: d, source: "no table!" }] }
  - { name: b, datasets: [{ name: d, source: t, fields: [{ name: f, expression: [] }] }] }`;
    expect((await problemRows(two)).map(([line, severity]) => [line, severity])).toEqual([
      [2, 'error'],
      [3, 'error'],
    ]);
    expect(await problemRows('a: [')).toEqual([[expect.any(Number), 'error', expect.stringContaining('not readable')]]);
  });
});

describe('with a warehouse', () => {
  const opened: TestWarehouse[] = [];
  afterAll(async () => {
    for (const one of opened) await one.stop();
  });
  async function warehouse(...rows: readonly string[]) {
    const started = await startWarehouse('duckdb', [
      'CREATE TABLE sales (id INTEGER, amount INTEGER, store_id INTEGER, town VARCHAR)',
      "INSERT INTO sales VALUES (1, 10, 1, 'Rome'), (2, 20, 1, 'Rome'), (3, 5, 2, 'Oslo')",
      'CREATE TABLE stores (id INTEGER, city VARCHAR)',
      `INSERT INTO stores VALUES ${rows.join(', ')}`,
    ]);
    opened.push(started);
    return started.warehouse;
  }
  const near = ['name: near, from: sales, to: stores, from_columns: [town], to_columns: [city]'];

  it('tables, columns and expressions are checked in the warehouse', async () => {
    const document = shop({
      metrics: [`name: net, ${sql('SUM(sales.net)')}`, `name: share, ${sql('SUM(sales.amount)/SUM(sales.id)')}`],
    });
    const options = { warehouse: await warehouse("(1, 'Rome')") };
    expect(await problemRows(document, options)).toEqual([
      [
        lineOf(document, 'name: net'),
        'warning',
        expect.stringContaining('names sales.net, which is neither a field nor a column'),
      ],
      [lineOf(document, 'name: share'), 'warning', expect.stringContaining('divides without NULLIF')],
    ]);
    const missing = await lintDocument(shop({ datasets: ['name: ghosts, source: ghosts'] }), options);
    expect(missing.problems.map(({ message }) => message)).toEqual([
      'dataset ghosts: the warehouse has no table ghosts.',
    ]);
    expect(missing.notChecked).toEqual([expect.stringContaining('--data')]);
  });

  it('keys are checked in the data', async () => {
    const options = { warehouse: await warehouse("(1, 'Rome')", "(1, 'Oslo')", '(NULL, NULL)'), data: true };
    const report = await lintDocument(shop({}), options);
    expect(report.notChecked).toEqual([]);
    expect(report.problems.map(({ line, severity, message }) => [line, severity, message])).toEqual([
      [5, 'error', 'dataset stores: primary_key id is no key: the data has 1 value on more than one row.'],
      [5, 'error', 'dataset stores: primary_key id is no key: it is null on 1 row.'],
    ]);
  });

  it('whether a relationship leads to one row is checked in the data', async () => {
    const unique = { warehouse: await warehouse("(1, 'Rome')", "(2, 'Oslo')", '(3, NULL)', '(4, NULL)'), data: true };
    const messages = async (options: LintOptions) =>
      (await lintDocument(shop({ relationships: near }), options)).problems.map(({ message }) => message);
    expect(await messages(unique)).toEqual([
      expect.stringContaining('city is no key of stores'),
      'relationship near: in the data city is unique in stores: if that is always so, add unique_keys: [[city]] to it.',
    ]);
    const repeated = { warehouse: await warehouse("(1, 'Rome')", "(2, 'Rome')"), data: true };
    expect((await messages(repeated))[1]).toContain('city is not unique in stores: 1 value on more than one row');
  });
});
