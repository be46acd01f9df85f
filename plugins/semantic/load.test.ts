/**
 * Tests the loading of documents with a warehouse: which elements are served, left out or refused, each with its element
 * and line.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { DatasourceProblem } from '../../router/capabilities/datasources.ts';
import { toProblemBody } from '../../router/error-body.ts';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { openCache } from '../../server/cache/cache.ts';
import { startWarehouse } from '../../server/warehouse/testing/engines.ts';
import { type ModelElement, readDocument } from './model/read-document.ts';
import { Fixture, scope } from './testing/fixture.ts';

const opened: Fixture[] = [];
async function open(sql: readonly string[], document: string): Promise<Fixture> {
  const warehouse = await startWarehouse('duckdb', sql, { poolSize: 1 });
  const fixture = await Fixture.open({
    warehouse,
    cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
    document,
  });
  opened.push(fixture);
  return fixture;
}
afterAll(async () => {
  for (const fixture of opened) await fixture.close();
});

const problemRows = (problems: readonly DatasourceProblem[]) =>
  problems.map(({ severity, line, message }) => [severity, line, message]);

const PEOPLE = [
  'CREATE TABLE people (id INTEGER, email VARCHAR, city VARCHAR, salary INTEGER)',
  "INSERT INTO people VALUES (1, 'a@x', 'Rome', 10), (2, 'b@x', 'Rome', 20), (3, 'c@x', 'Oslo', 40)",
];

/** Writes a model of people, with fields and metrics in flow style, one on each line. */
function people(fields: readonly string[], metrics: readonly string[], dataset = ''): string {
  return [
    'semantic_model:',
    '  - name: staff',
    '    datasets:',
    '      - name: people',
    '        source: people',
    '        primary_key: [id]',
    `        description: Everybody. ${dataset === '' ? '' : `\n        ${dataset}`}`,
    '        fields:',
    ...fields.map((field) => `          - { ${field} }`),
    '    metrics:',
    ...metrics.map((metric) => `      - { ${metric} }`),
  ].join('\n');
}
const sql = (expression: string) => `expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]`;
const vendor = (name: string, data: object) =>
  `custom_extensions: [{ vendor_name: ${name}, data: '${JSON.stringify(data)}' }]`;

describe('personal data', () => {
  const document = people(
    [
      `name: city, ${sql('city')}`,
      `name: email, ${sql('email')}, ${vendor('SNOWFLAKE', { pii: true })}`,
      `name: mail_again, ${sql('email')}`,
      `name: shouted, ${sql('UPPER(email)')}`,
      `name: has_mail, ${sql('email IS NOT NULL')}, ${vendor('SERVICE', { pii: false })}`,
    ],
    [
      `name: headcount, ${sql('COUNT(*)')}`,
      `name: some_mail, ${sql('MIN(people.email)')}`,
      `name: mails, ${sql('COUNT(DISTINCT mail_again)')}`,
    ],
  );

  it('is in no view and unknown to every reference, also under another name and inside a metric', async () => {
    const staff = await open(PEOPLE, document);
    expect(problemRows(staff.problems)).toEqual([
      [
        'warning',
        11,
        expect.stringContaining(
          'field mail_again: left out: it reads a column that another field marks as personal data',
        ),
      ],
      ['warning', 12, expect.stringContaining('field shouted: left out')],
      ['warning', 16, 'metric some_mail: left out: its expression reads people.email, which is personal data.'],
      ['warning', 17, 'metric mails: left out: its expression reads people.mail_again, which is personal data.'],
    ]);
    const schema = await staff.operations().schema({ connection: 'test', model: 'staff' });
    expect(Object.keys(schema.datasets.people?.fields ?? {})).toEqual(['city', 'has_mail']);
    expect(Object.keys(schema.metrics)).toEqual(['headcount']);
    expect(JSON.stringify(schema)).not.toMatch(/email|@x/);

    for (const field of ['email', 'mail_again', 'shouted']) {
      const reference = { dataset: 'people', field };
      const request = { rows: [reference], filters: [{ ...reference, op: 'EQ', value: 'a@x' }] };
      const { problems } = await staff.refusal(request);
      expect(problems.map(toProblemBody)).toMatchObject([
        {
          field: 'rows[0].field',
          message: `There is no field "${field}" in people.`,
          available: expect.not.arrayContaining([field]),
        },
        { field: 'filters[0].field' },
      ]);
    }
    expect(await staff.refusal({ values: [{ metric: 'some_mail' }] })).toMatchObject({ available: ['headcount'] });
  });

  it('with an unreadable expression refuses the document, because it is unknown which columns to hide', async () => {
    const staff = await open(PEOPLE, people([`name: email, pii: true, ${sql('mail')}`], []));
    expect(problemRows(staff.problems)).toEqual([['error', 9, expect.stringContaining('marked as personal data')]]);
    expect(await staff.operations().models()).toEqual([]);
  });
});

describe('roles', () => {
  const roles = (value: object) => vendor('SERVICE', { roles: value });
  const document = people(
    [`name: city, ${sql('city')}`, `name: salary, ${sql('salary')}, ${roles({ allow: ['ROLE_HR'] })}`],
    [
      `name: headcount, ${sql('COUNT(*)')}`,
      `name: payroll, ${sql('SUM(people.salary)')}`,
      `name: average_pay, ${sql('AVG(people.salary)')}, ${roles({ allow: ['ROLE_USER', 'ROLE_HR'] })}`,
    ],
    roles({ row_predicates: { ROLE_ROME: "city = ''Rome''", ROLE_RICH: 'salary > 30', '*': 'id = 2' } }),
  );

  it('hide denied fields, and metrics that read them', async () => {
    const staff = await open(PEOPLE, document);
    expect(staff.problems).toEqual([]);
    const refused = await staff.refusal({
      rows: [{ dataset: 'people', field: 'salary' }],
      values: [{ metric: 'payroll' }],
    });
    expect(refused.problems.map((problem) => toProblemBody(problem).field)).toEqual([
      'rows[0].field',
      'values[0].metric',
    ]);
    expect(await staff.table({ values: [{ metric: 'average_pay' }] })).toEqual([[20]]);
    expect(await staff.table({ values: [{ metric: 'payroll' }] }, scope('ROLE_HR', 'ROLE_ROME'))).toEqual([[30]]);
  });

  it('see the rows that any of their predicates allows, before anything is counted', async () => {
    const staff = await open(PEOPLE, document);
    const count = async (...names: readonly string[]) =>
      (await staff.table({ values: [{ metric: 'headcount' }] }, scope(...names)))[0]?.[0];
    expect(await count('ROLE_ROME')).toBe(2);
    expect(await count('ROLE_RICH')).toBe(1);
    expect(await count('ROLE_ROME', 'ROLE_RICH')).toBe(3);
    expect(await count('ROLE_USER')).toBe(1);
  });

  it('see samples of their own rows only', async () => {
    const staff = await open(PEOPLE, document);
    const schema = await staff.operations(scope('ROLE_RICH')).schema({ connection: 'test', model: 'staff' });
    expect(schema.datasets.people?.fields.city?.sampleValues).toEqual(['Oslo']);
  });
});

it('an element that cannot be used is left out and named; the rest is served', async () => {
  const staff = await open(
    PEOPLE,
    people(
      [
        `name: city, ${sql('city')}`,
        `name: nowhere, ${sql('town')}`,
        `name: total, ${sql('SUM(salary)')}`,
        `name: mdx, expression: [{ dialect: MDX, expression: "[People]" }]`,
        `name: odd, ${sql('no_such_function(city)')}`,
      ],
      [
        `name: pay, ${sql('SUM(salary)')}`,
        `name: bare, ${sql('salary + 1')}`,
        `name: outside, ${sql('SUM(salary) + id')}`,
        `name: unknown, ${sql('SUM(people.booking__status)')}`,
        `name: other, ${sql('SUM(x.salary)')}`,
        `name: text_sum, ${sql('SUM(people.city)')}`,
      ],
    ),
  );
  expect(problemRows(staff.problems)).toEqual(
    [
      ['warning', 12, 'dataset people, field mdx: left out: its expression is given in MDX only; add one in ANSI_SQL.'],
      ['warning', 11, 'dataset people, field total: left out: a field may not aggregate; make it a metric.'],
      [
        'warning',
        10,
        'dataset people, field nowhere: left out: its expression names town, which is not a column of people.',
      ],
      ['warning', 13, 'dataset people, field odd: left out: the warehouse refuses its expression.'],
      [
        'warning',
        16,
        'metric bare: left out: its expression reads salary, which is not a metric, outside an aggregate.',
      ],
      [
        'warning',
        17,
        'metric outside: left out: its expression reads id, which is not a metric, outside an aggregate.',
      ],
      [
        'warning',
        18,
        'metric unknown: left out: its expression names people.booking__status, which is neither a field nor a column (there is city, odd).',
      ],
      [
        'warning',
        19,
        'metric other: left out: its expression names x.salary, but there is no dataset x (there is people).',
      ],
      ['warning', 20, 'metric text_sum: left out: the warehouse refuses its expression.'],
    ].toSorted((left, right) => order(left) - order(right)),
  );
  expect(await staff.table({ values: [{ metric: 'pay' }] })).toEqual([[70]]);

  /** Finds the place of a problem. They come step by step: reading first, then binding, types and metrics. */
  function order(problem: readonly unknown[]): number {
    return staff.problems.findIndex(({ message }) => message === problem[2]);
  }
});

it('a document that cannot be used leaves the earlier one serving', async () => {
  const staff = await open(PEOPLE, people([`name: city, ${sql('city')}`], [`name: headcount, ${sql('COUNT(*)')}`]));
  const missing = people([], [])
    .replace('source: people', 'source: folk')
    .replace('        fields:\n', '')
    .replace('    metrics:', '');
  const again = await staff.reload(missing);
  expect(problemRows(again)).toEqual([['error', 5, 'dataset people: the warehouse has no table folk.']]);
  expect(await staff.table({ values: [{ metric: 'headcount' }] })).toEqual([[3]]);
});

it('keys and relationships must fit each other', async () => {
  const document = `
semantic_model:
  - name: staff
    datasets:
      - { name: people, source: people, primary_key: [nr] }
      - { name: people, source: people }
    relationships:
      - { name: a, from: people, to: cities, from_columns: [city], to_columns: [city] }
`;
  const staff = await open(PEOPLE, document);
  expect(problemRows(staff.problems)).toEqual([['error', 6, 'dataset people: the name is used twice.']]);
  const mended = await staff.reload(
    document.replace('name: people, source: people }', 'name: twins, source: people }'),
  );
  expect(problemRows(mended)).toEqual([
    ['error', 5, 'dataset people: primary_key names nr, which is not a column of it.'],
    ['error', 8, 'relationship a: it names the dataset cities, which the model does not have.'],
  ]);
});

it('rows with only a nullable unique key are not counted over the many side', async () => {
  const tables = (nullable: string) => [
    `CREATE TABLE shops (code VARCHAR ${nullable}, size INTEGER)`,
    "INSERT INTO shops VALUES ('a', 3), ('b', 4)",
    'CREATE TABLE sales (shop VARCHAR, day INTEGER)',
    "INSERT INTO sales VALUES ('a', 1), ('a', 1), ('b', 1)",
  ];
  const document = `
semantic_model:
  - name: m
    datasets:
      - { name: sales, source: sales, fields: [{ name: day, ${sql('day')} }] }
      - { name: shops, source: shops, unique_keys: [[code]] }
    relationships: [{ name: r, from: sales, to: shops, from_columns: [shop], to_columns: [code] }]
    metrics: [{ name: size, ${sql('SUM(shops.size)')} }]
`;
  const request = { rows: [{ dataset: 'sales', field: 'day' }], values: [{ metric: 'size' }] };
  const nullable = await open(tables(''), document);
  expect((await nullable.refusal(request)).message).toContain('no primary_key that identifies its rows');
  const never = await open(tables('NOT NULL'), document);
  expect(await never.table(request)).toEqual([[1, 7]]);
});

const EXAMPLES = new URL('../../../shared/osi/examples/', import.meta.url);
const EXAMPLES_MISSING = existsSync(EXAMPLES)
  ? undefined
  : 'the public examples of OSI are not here: put them into ../shared/osi/examples';

/** Makes tables with a column for everything that the document reads, so that a real document fits the warehouse. */
function tablesFor(model: ModelElement): readonly string[] {
  return model.datasets.map((dataset, index) => {
    const expressions = (dataset.fields ?? []).map(({ expression }) => expression.dialects[0]?.expression ?? '');
    const metrics = (model.metrics ?? []).map(({ expression }) => expression.dialects[0]?.expression ?? '').join(' ');
    const qualified = metrics.matchAll(new RegExp(`\\b${dataset.name}\\.(\\w+)`, 'g'));
    // Bare names in metrics are columns of the fact.
    const bare = index === 0 ? metrics.matchAll(/\((\w+)\)/g) : [];
    const inMetrics = [...qualified, ...bare];
    const keys = [dataset.primary_key ?? [], ...(dataset.unique_keys ?? [])].flat();
    const joins = (model.relationships ?? []).flatMap(({ from, to, from_columns, to_columns }) => [
      ...(from === dataset.name ? from_columns : []),
      ...(to === dataset.name ? to_columns : []),
    ]);
    const named = [
      ...expressions.flatMap((text) => text.match(/\b[A-Za-z_]\w*\b/g) ?? []),
      ...inMetrics.map(([, name]) => name ?? ''),
      ...joins,
      ...keys,
      ...keys,
    ];
    const words = new Set(['CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'IS', 'NOT', 'NULL', 'AND', 'OR']);
    const columns = new Map(named.filter((name) => !words.has(name)).map((name) => [name.toLowerCase(), name]));
    const table = dataset.source.split('.').at(-1) ?? '';
    return `CREATE TABLE ${table} (${[...columns.values()].map((name) => `"${name}" INTEGER`).join(', ')})`;
  });
}

describe.skipIf(EXAMPLES_MISSING !== undefined)(titleNeeding('a public document', EXAMPLES_MISSING), () => {
  /** The names of the elements that are left out of each document. */
  const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
    // A filter on a name that only the writing product understands, and a relationship between two facts without a key.
    'dbt_osi_document.sample.json': ['relationship bookings__views__listing', 'metric confirmed_total_jinja'],
  };

  it.each(existsSync(EXAMPLES) ? readdirSync(EXAMPLES) : [])('%s loads and answers', async (file) => {
    const text = readFileSync(new URL(file, EXAMPLES), 'utf8');
    const read = readDocument(text, undefined);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    // The warehouse at hand has another database name than the one the document was written for.
    const local = text.replaceAll(/("?source"?: *"?)[\w"]+\.[\w"]+\.(\w+)/g, '$1$2');
    const fixture = await open(tablesFor(read.model), local);
    expect(fixture.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const named = fixture.problems.map(({ message }) => message.split(':')[0]);
    // Documents without keys cannot be joined safely: all their relationships are reported.
    if (read.model.datasets.some(({ primary_key: key }) => key !== undefined))
      expect(named).toEqual(LEFT_OUT[file] ?? []);
    else expect(named.every((name) => name?.startsWith('relationship '))).toBe(true);

    const model = read.model.name;
    const { metrics, examples } = await fixture.operations().schema({ connection: 'test', model });
    for (const metric of Object.keys(metrics)) {
      expect(await fixture.table({ model, values: [{ metric }] })).toHaveLength(1);
    }
    for (const { body } of Object.values(examples)) await fixture.run(body);
  });

  it.each(existsSync(EXAMPLES) ? readdirSync(EXAMPLES) : [])(
    '%s is refused by name where its tables are missing',
    async (file) => {
      const fixture = await open([], readFileSync(new URL(file, EXAMPLES), 'utf8'));
      const [first] = fixture.problems;
      expect(first).toMatchObject({
        severity: 'error',
        message: expect.stringMatching(/^dataset \w+: the warehouse has no table /),
      });
      expect(first?.line).toBeGreaterThan(0);
    },
  );
});
