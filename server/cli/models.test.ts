/** Tests the commands on models and warehouses through their command lines, in this process. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { service } from './testing/command.ts';

/** The report of `service validate --json` about one file. */
const CheckReport = z.object({
  problems: z.array(z.object({ line: z.number().optional(), severity: z.string(), message: z.string() })),
});

const MODEL = `version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: city, label: City, expression: { dialects: [{ dialect: ANSI_SQL, expression: city }] } }
    metrics:
      - { name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
      - { name: share, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) / SUM(sales.id) }] } }
`;
const SDS = (location: string) => `<dataSource><id>shop</id><name>shop</name><type>SEMANTIC</type>
<semanticYaml>shop.yaml</semanticYaml><location>${location}</location><schema>shop</schema><enabled>true</enabled></dataSource>`;
const REQUEST = { rows: [{ dataset: 'sales', field: 'city' }], values: [{ metric: 'revenue' }] };

let home: string;
let file: (name: string) => string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-cli-'));
  file = (name) => join(home, name);
  mkdirSync(file('datasources'));
  await writeDuckdb(file('shop.duckdb'), [
    'CREATE TABLE sales (id INTEGER, city VARCHAR, amount INTEGER)',
    "INSERT INTO sales VALUES (1, 'Rome', 10), (1, 'Rome', 1000), (2, 'Oslo', 5)",
  ]);
  writeFileSync(file('datasources/shop.sds'), SDS('jdbc:duckdb:shop.duckdb'));
  writeFileSync(file('datasources/shop.yaml'), MODEL);
  writeFileSync(file('request.json'), JSON.stringify({ connection: 'shop', ...REQUEST }));
});
afterAll(() => rmSync(home, { recursive: true }));

describe('service validate', () => {
  it('prints every problem with its line, and which checks were skipped', async () => {
    const { out, code } = await service(['validate', file('datasources/shop.yaml')]);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/shop\.yaml:12: warning: metric share: divides without NULLIF/),
      expect.stringMatching(/shop\.yaml: semantic document, 0 errors, 1 warning$/),
      expect.stringMatching(/^ {2}not checked: whether its tables and columns exist/),
      expect.stringMatching(/^ {2}not checked: whether its keys are unique/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it('reports with --data a key with duplicates, and fails', async () => {
    const jdbc = `jdbc:duckdb:${file('shop.duckdb')}`;
    const { out, code } = await service([
      'validate',
      file('datasources/shop.yaml'),
      '--jdbc',
      jdbc,
      '--data',
      '--json',
    ]);
    const [report] = JSON.parse(out);
    expect(report.problems.map(({ line, severity }: { line: number; severity: string }) => [line, severity])).toEqual([
      [7, 'error'],
      [12, 'warning'],
    ]);
    expect(report.notChecked).toEqual([]);
    expect(code).toBe(1);
  });

  it('recognizes a cube schema by its content', async () => {
    writeFileSync(
      file('cube.txt'),
      '\n<Schema name="s"><Cube name="c"><Table name="t"/><Measur name="m"/></Cube></Schema>',
    );
    const { out, code } = await service(['validate', file('cube.txt')]);
    expect(out).toMatch(/cube\.txt:2: error: .*Measur/);
    expect(out).toContain('cube schema');
    expect(code).toBe(1);
  });

  describe('without and with the warehouse', () => {
    const CUBES = `<Schema name="Shops">
  <Cube name="Sales">
    <Table name="sales"/>
    <Dimension name="City"><Hierarchy hasAll="true"><Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
    <CalculatedMember name="Double" dimension="Measures" formula="[Measures].[Amount] * 2"/>
  </Cube>
</Schema>`;
    const METRICS = MODEL.replace(' / SUM(sales.id)', '');
    const validated = async (name: string, ...args: readonly string[]) => {
      const { out, code } = await service(['validate', file(name), '--json', ...args]);
      const [report] = z.tuple([CheckReport]).parse(JSON.parse(out));
      return { problems: report.problems, code };
    };
    const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

    it.each([
      ['a sound cube schema', 'x.xml', CUBES, [], []],
      ['a column that is not there', 'x.xml', CUBES.replace('"amount"', '"amout"'), [], [['"amout"', /amout/]]],
      ['a table that is not there', 'x.xml', CUBES.replace('"sales"', '"sale"'), [], [['"sale"', /no table sale\b/]]],
      ['a formula that is not MDX', 'x.xml', CUBES.replace('* 2"', '* "'), [['"Double"', /is not MDX/]], []],
      [
        'a formula of no measure',
        'x.xml',
        CUBES.replace('[Amount] *', '[Amout] *'),
        [['"Double"', /no measure Amout/]],
        [],
      ],
      ['a formula of no member', 'x.xml', CUBES.replace('* 2', '* [City].[Oslo2]'), [], [['"Double"', /Oslo2/]]],
      [
        'a formula and a column',
        'x.xml',
        CUBES.replace('[Amount] *', '[Amout] *').replace('"city"', '"town"'),
        [['"Double"', /no measure Amout/]],
        [['"town"', /town/]],
      ],
      [
        'a wrong element',
        'x.xml',
        CUBES.replace('<Measure ', '<Measur '),
        [
          ['<Cube ', /no measure of its own/],
          ['<Measur ', /Measur/],
        ],
        [],
      ],
      ['a sound semantic document', 'x.yaml', METRICS, [], []],
      ['a division', 'x.yaml', MODEL, [['name: share', /divides without NULLIF/]], []],
      [
        'a column of a field',
        'x.yaml',
        METRICS.replace('expression: city', 'expression: town'),
        [],
        [['name: city', /town/]],
      ],
      [
        'a column of a metric',
        'x.yaml',
        METRICS.replace('SUM(sales.amount)', 'SUM(sales.amout)'),
        [],
        [['name: revenue', /amout/]],
      ],
      [
        'a division and a column',
        'x.yaml',
        MODEL.replace('expression: city', 'expression: town'),
        [['name: share', /divides without NULLIF/]],
        [['name: city', /town/]],
      ],
      [
        'a dataset that is not there',
        'x.yaml',
        METRICS.replace('SUM(sales.amount)', 'SUM(sale.amount)'),
        [['name: revenue', /\bsale\b/]],
        [],
      ],
    ] as const)(
      '%s gives the same messages with the warehouse, and further ones only there',
      async (_, name, text, expectedProblems, further) => {
        writeFileSync(file(name), text);
        const alone = await validated(name);
        const withWarehouse = await validated(name, '--jdbc', `jdbc:duckdb:${file('shop.duckdb')}`);
        const matchers = (expected: readonly (readonly [string, RegExp])[]) =>
          expected.map(([part, message]) =>
            expect.objectContaining({ line: lineOf(text, part), message: expect.stringMatching(message) }),
          );
        expect(alone.problems).toEqual(matchers(expectedProblems));
        expect(withWarehouse.problems).toEqual(expect.arrayContaining([...alone.problems]));
        const news = withWarehouse.problems.filter(
          (one) => !alone.problems.some((other) => JSON.stringify(other) === JSON.stringify(one)),
        );
        expect(news).toEqual(matchers(further));
        for (const { problems, code } of [alone, withWarehouse])
          expect(code).toBe(problems.some(({ severity }) => severity === 'error') ? 1 : 0);
      },
    );
  });

  it('prints one line about a check that cannot run', async () => {
    expect(await service(['validate', file('nothing.yaml')])).toEqual({
      out: '',
      err: `service: ${file('nothing.yaml')} does not exist.\n`,
      code: 1,
    });
    const { err } = await service(['validate', file('datasources/shop.yaml'), '--data']);
    expect(err).toBe('error: --data needs --jdbc: the data is in a warehouse.\n\n(--help lists the options)\n');
    const unknown = await service(['validate', file('datasources/shop.yaml'), '--jdbc', 'jdbc:oracle:x']);
    expect(unknown.err).toMatch(/^error: .*'jdbc:oracle:x' is invalid.*jdbc:duckdb:/);
  });
});

describe('service convert', () => {
  const dbt = `semantic_models:
  - name: sales
    model: ref('sales')
    entities: [{ name: sale, type: primary, expr: id }]
    measures: [{ name: revenue, agg: sum, expr: amount }]
metrics:
  - { name: revenue, type: simple, type_params: { measure: revenue } }
  - { name: running, type: cumulative, type_params: { measure: revenue } }
`;

  it('writes a document that validates, and warns of what it left out', async () => {
    writeFileSync(file('metrics.yml'), dbt);
    const { err, code } = await service(['convert', 'metricflow', file('metrics.yml'), '-o', file('out.yaml')]);
    expect(err).toMatch(/metrics\.yml:8: warning: metric running: without period_agg .*\n$/);
    expect(code).toBe(0);
    expect(readFileSync(file('out.yaml'), 'utf8')).toContain('SUM(sales.amount)');
    expect((await service(['validate', file('out.yaml')])).code).toBe(0);
    const again = await service(['convert', 'metricflow', file('metrics.yml'), '-o', file('out.yaml')]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('--force overwrites it') });
  });

  it('writes nothing for a broken input', async () => {
    writeFileSync(file('broken.yml'), 'semantic_models: [{ name: a }]');
    const { out, err, code } = await service(['convert', 'metricflow', file('broken.yml')]);
    expect([out, code]).toEqual(['', 1]);
    expect(err).toMatch(/broken\.yml:1: error: semantic model a: model: .*\nservice: Nothing was converted/);
  });

  it('converts a cube to standard output', async () => {
    writeFileSync(
      file('cube.xml'),
      '<Schema name="s"><Cube name="c"><Table name="t"/><Dimension name="d"><Hierarchy hasAll="true"><Level name="l" column="x"/></Hierarchy></Dimension><Measure name="m" column="a" aggregator="sum"/></Cube></Schema>',
    );
    const { out, code } = await service(['convert', 'cube', file('cube.xml')]);
    expect(out).toContain('SUM(t.a)');
    expect(code).toBe(0);
  });
});

describe('service query', () => {
  it('answers a file as a table', async () => {
    const { out, code } = await service(['query', file('request.json'), '--home', home]);
    expect(out).toBe('City  revenue\nOslo  5\nRome  1,010\n');
    expect(code).toBe(0);
  });

  it('answers standard input as JSON, from the named connection', async () => {
    const { out } = await service(['query', '--home', home, '--connection', 'shop', '--json'], JSON.stringify(REQUEST));
    expect(JSON.parse(out)).toMatchObject({
      columns: [{ key: 'sales.city' }, { key: 'revenue' }],
      records: [{ 'sales.city': 'Oslo' }, { 'sales.city': 'Rome', revenue: { value: 1010, formatted: '1,010' } }],
    });
  });

  it.each([
    [{ connection: 'ship' }, 'There is no connection ship here; there are: shop.'],
    [{ model: 'other' }, 'The connection shop has no model other; it has shop.'],
    [{ values: [{ metric: 'revenu' }] }, /^values\[0\]\.metric: .* There are: revenue, share\.$/],
    [{ values: 7 }, /^values: /],
  ])('refuses %j in one line', async (change, message) => {
    const { out, err, code } = await service(['query', '--home', home], JSON.stringify({ ...REQUEST, ...change }));
    expect([out, code]).toEqual(['', 1]);
    expect(err).toMatch(/^service: [^\n]*\n$/);
    expect(err.slice('service: '.length, -1)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('distinguishes null, the empty text, and texts that look like them', async () => {
    await writeDuckdb(file('texts.duckdb'), [
      'CREATE TABLE sales (id INTEGER, city VARCHAR, amount INTEGER)',
      `INSERT INTO sales VALUES (1, NULL, NULL), (2, '', 1), (3, 'NULL', 2), (4, '""', 3), (5, 'a' || chr(10) || chr(27) || '[2J', 4)`,
    ]);
    writeFileSync(
      file('datasources/texts.sds'),
      SDS('jdbc:duckdb:texts.duckdb').replace('<id>shop</id><name>shop<', '<id>texts</id><name>texts<'),
    );
    const request = { connection: 'texts', ...REQUEST, sorts: [{ metric: 'revenue', direction: 'ASC' }] };
    const { out } = await service(['query', '--home', home], JSON.stringify(request));
    rmSync(file('datasources/texts.sds'));
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['City', 'revenue'],
      ['""', '1'],
      ['"NULL"', '2'],
      [String.raw`"\"\""`, '3'],
      [String.raw`a\u000a\u001b[2J`, '4'],
      ['NULL', 'NULL'],
      [''],
    ]);
  });

  it('creates no home folder', async () => {
    const { err, code } = await service(['query', '--home', file('elsewhere')], '{}');
    expect([err, code]).toEqual([
      `service: There is no installation in ${file('elsewhere')}. Name its home folder with --home or SERVICE_HOME; \`service start\` makes a new one.\n`,
      1,
    ]);
  });
});

describe('service export', () => {
  it('writes the answer of a saved query to a file, with values as they are', async () => {
    mkdirSync(file('repository/shared'), { recursive: true });
    const request = { connection: 'shop', ...REQUEST };
    const saved = { version: 1, title: 'Sales', source: { surface: 'semantic', request } };
    writeFileSync(file('repository/shared/sales.service'), JSON.stringify(saved));
    const out = file('sales.csv');
    const ended = await service(['export', 'shared/sales.service', '--home', home, '--out', out]);
    expect([ended.out, ended.err, ended.code]).toEqual(['', `2 rows in ${out}.\n`, 0]);
    expect(readFileSync(out, 'utf8')).toBe('City,revenue\r\nOslo,5\r\nRome,1010\r\n');
  });

  it('writes JSON Lines and JSON to standard output', async () => {
    const of = async (format: string) =>
      (await service(['export', file('request.json'), '--home', home, '--format', format])).out;
    const rows = [
      { 'sales.city': 'Oslo', revenue: 5 },
      { 'sales.city': 'Rome', revenue: 1010 },
    ];
    expect(
      (await of('jsonl'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    expect(JSON.parse(await of('json'))).toMatchObject({ columns: [{ label: 'City' }, { label: 'revenue' }], rows });
  });

  it.each(['shared/../../x.service', '/etc/x.service', 'shared/none.service'])('refuses %s', async (path) => {
    expect(await service(['export', path, '--home', home])).toMatchObject({
      out: '',
      code: expect.toSatisfy((code) => code > 0),
    });
  });
});

describe('service connection', () => {
  it('lists datasources without their secrets', async () => {
    writeFileSync(
      file('datasources/far.sds'),
      SDS('jdbc:postgresql://ann:geheim@127.0.0.1:1/x?password=geheim').replaceAll('>shop<', '>far<'),
    );
    const { out } = await service(['connection', 'list', '--home', home, '--json']);
    expect(JSON.parse(out).map(({ name, warehouse }: Record<string, unknown>) => [name, warehouse])).toEqual([
      ['far', 'jdbc:postgresql://127.0.0.1:1/x'],
      ['shop', 'jdbc:duckdb:shop.duckdb'],
    ]);
    expect(out).not.toContain('geheim');
  });

  it('reports which warehouses answer, and fails when one does not', async () => {
    const all = await service(['connection', 'test', '--home', home, '--json']);
    expect(JSON.parse(all.out)).toEqual([
      { name: 'far', answers: false, detail: expect.any(String) },
      { name: 'shop', answers: true, detail: expect.stringMatching(/^DuckDB v?1\..* in \d+ ms$/) },
    ]);
    expect(all.out).not.toContain('geheim');
    expect(all.code).toBe(1);
    expect((await service(['connection', 'test', 'shop', '--home', home])).code).toBe(0);
    expect((await service(['connection', 'test', 'ship', '--home', home])).err).toContain(
      'There is no connection ship; there are: far, shop.',
    );
  });
});

it.each([
  ['validate'],
  ['convert', 'metricflow'],
  ['convert', 'cube'],
  ['query'],
  ['connection', 'list'],
  ['connection', 'test'],
])('service %s %s explains itself', async (...command) => {
  const { out, code } = await service([...command.filter((word) => word !== undefined), '--help']);
  expect(out).toMatch(/^Usage: service /);
  expect(code).toBe(0);
});

describe('service mdx and cubes', () => {
  const CUBES = `<Schema name="Shops">
  <Cube name="Sales">
    <Table name="sales"/>
    <Dimension name="City"><Hierarchy hasAll="true"><Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0"/>
    <CalculatedMember name="Double" dimension="Measures"
      formula="[Measures].[Amount] * 2"/>
  </Cube>
  <Role name="oslo"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
    <HierarchyGrant hierarchy="[City]" access="custom"><MemberGrant member="[City].[Oslo]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
</Schema>`;
  const QUERY = 'select {[Measures].[Amount]} on columns, [City].[City].Members on rows from Sales';
  let source: readonly string[];

  beforeAll(() => {
    writeFileSync(file('cubes.xml'), CUBES);
    writeFileSync(file('query.mdx'), QUERY);
    source = ['--schema', file('cubes.xml'), '--jdbc', `jdbc:duckdb:${file('shop.duckdb')}`];
  });

  it('prints a table', async () => {
    const { out, code } = await service(['mdx', file('query.mdx'), ...source]);
    expect(out).toBe('City  Amount\nOslo  5\nRome  1,010\n');
    expect(code).toBe(0);
  });

  it('reads standard input, and prints axes and cells line by line', async () => {
    const { out } = await service(['mdx', ...source, '--format', 'text'], QUERY);
    expect(out).toBe(
      'Axis #0:\n{}\nAxis #1:\n{[Measures].[Amount]}\nAxis #2:\n{[City].[Oslo]}\n{[City].[Rome]}\nRow #0: 5\nRow #1: 1,010\n',
    );
  });

  it('prints JSON', async () => {
    const { out } = await service(['mdx', file('query.mdx'), ...source, '--format', 'json']);
    expect(JSON.parse(out)).toMatchObject({
      slicer: null,
      axes: [{ hierarchies: ['[Measures]'] }, { tuples: [[{ uniqueName: '[City].[Oslo]' }], [{ caption: 'Rome' }]] }],
      cells: [
        { ordinal: 0, value: 5, formatted: '5' },
        { ordinal: 1, value: 1010, formatted: '1,010' },
      ],
    });
  });

  it('shows only the data of a role', async () => {
    const { out } = await service(['mdx', file('query.mdx'), ...source, '--role', 'oslo']);
    expect(out).toBe('City  Amount\nOslo  5\n');
  });

  it('shows the rows behind a cell', async () => {
    const { out } = await service(
      ['mdx', ...source],
      'drillthrough select {[City].[Rome]} on 0 from Sales return [Measures].[Amount]',
    );
    expect(out.split('\n').slice(1, 3).sort()).toEqual(['10', '1000']);
  });

  it('prints one line with the mistake and its place', async () => {
    const { err, code } = await service(['mdx', ...source], 'select [City].[Rom] on 0\nfrom Sales');
    expect(err).toMatch(/^service: .*\[City\]\.\[Rom\].*line 1, column 8.*\n$/);
    expect(code).toBe(1);
    expect((await service(['mdx', file('query.mdx')])).err).toMatch(/--schema .*--jdbc/);
  });

  it('validates formulas and, with a warehouse, tables', async () => {
    writeFileSync(
      file('bad.xml'),
      CUBES.replace('* 2"', '* "').replace('<Table name="sales"/>', '<Table name="sale"/>'),
    );
    const { out, code } = await service(['validate', file('bad.xml'), '--jdbc', `jdbc:duckdb:${file('shop.duckdb')}`]);
    expect(out).toMatch(/bad\.xml:3: warning: The warehouse has no table sale\./);
    expect(out).toMatch(/bad\.xml:\d+: error: The formula of the calculated member Double is not MDX/);
    expect(code).toBe(1);
  });

  it('of an installation are queried by a typed request', async () => {
    writeFileSync(
      file('datasources/cubes.sds'),
      `<dataSource><name>cubes</name><type>OLAP</type><cubeSchema>../cubes.xml</cubeSchema><location>jdbc:duckdb:shop.duckdb</location></dataSource>`,
    );
    const request = { cube: 'cubes/Shops/Shops/Sales', measures: [{ name: 'Amount' }], rows: [{ dimension: 'City' }] };
    const { out } = await service(['query', '--home', home], JSON.stringify(request));
    expect(out).toBe('City  Amount\nOslo  5\nRome  1,010\n');
    const mdx = await service(['mdx', file('query.mdx'), '--connection', 'cubes', '--home', home]);
    expect(mdx.out).toBe('City  Amount\nOslo  5\nRome  1,010\n');
    const wrong = await service(['query', '--home', home], JSON.stringify({ ...request, measures: [{ name: 'X' }] }));
    expect(wrong.err).toMatch(/measures\[0\]\.name: There is no measure "X".*There are: Amount/);
    rmSync(file('datasources/cubes.sds'));
  });
});

describe('errors with --json', () => {
  const json = async (args: readonly string[], input?: string) => {
    const { out, err, code } = await service(args, input);
    expect([out, err.split('\n').length]).toEqual(['', 2]);
    return { code, ...z.looseObject({}).parse(JSON.parse(err)) };
  };

  it('are JSON, with place and candidates', async () => {
    const wrong = { connection: 'shop', ...REQUEST, values: [{ metric: 'revenu' }] };
    expect(await json(['query', '--home', home, '--json'], JSON.stringify(wrong))).toMatchObject({
      code: 1,
      error: 'VALIDATION_ERROR',
      field: 'values[0].metric',
      available: ['revenue', 'share'],
    });
    expect(await json(['query', '--home', home, '--json'], '{')).toMatchObject({ code: 1, error: 'COMMAND_FAILED' });
  });

  it.each([
    [['connection', 'list', '--home', 'nowhere', '--json']],
    [['connection', 'test', 'ship', '--home', 'HOME', '--json']],
    [['validate', 'nothing.yaml', '--json']],
    [['mdx', 'nothing.mdx', '--connection', 'nobody', '--home', 'HOME', '--format', 'json']],
    [['user', 'list', '--home', 'HOME', '--tenant', 'nobody', '--json']],
    [['api-key', 'list', '--home', 'HOME', '--tenant', 'nobody', '--json']],
  ])('are JSON for %j', async (args) => {
    const commandLine = args.map((arg) => (arg === 'HOME' ? home : arg));
    expect(await json(commandLine)).toMatchObject({ code: 1, error: expect.any(String), message: expect.any(String) });
  });

  it.each([
    [['api-key', 'create', '--json']],
    [['query', '--jsn', '--json']],
    [['qery', '--json']],
    [['user', 'lst', '--json']],
    [['mdx', 'nothing.mdx', '--format', 'json']],
    [['mdx', '--max', '--format=json']],
    [['mdx', '--max-rows', 'abc', '--format=json']],
    [['api-key', 'create', '--label', ' ', '--json']],
    [['validate', 'a.yaml', '--data', '--json']],
  ])('in the command line %j are JSON, with exit code 2', async (args) => {
    expect(await json(args)).toEqual({ code: 2, error: 'USAGE', message: expect.any(String) });
  });

  it.each(
    [
      ...[['qery'], ['user', 'lst'], ['query', '--jsn'], ['api-key', 'create'], []],
      ...['abc', '65536', '-1', '80.5', ''].map((port) => ['start', '--port', port]),
      ['start', '--host', ''],
      ...['abc', '0', '-1', '1.5', '1e9999', ''].map((rows) => ['mdx', '--max-rows', rows]),
      ['mdx', '--format', 'xml'],
      ['mdx', '--jdbc', 'jdbc:nothing:x', '--schema', 'a.xml'],
      ['mdx', '--schema', 'a.xml'],
      ['mdx', '--connection', 'a', '--jdbc', 'jdbc:duckdb:a'],
      ['validate', 'a.yaml', '--jdbc', 'nonsense'],
      ['validate', 'a.yaml', '--model', ''],
      ['validate', 'a.yaml', '--data'],
      ['query', '--role', ''],
      ['query', '--role', 'ROLE_A', ' '],
      ['user', 'add', 'ann', '--role', ''],
      ['user', 'list', '--tenant', ' '],
      ['convert', 'metricflow', 'a.yml', '--name', ''],
      ['convert', 'cube', 'a.xml', '--cube', ''],
    ].map((args) => [args]),
  )('without --json the command line %j has exit code 2, too', async (args) => {
    const { out, err, code } = await service(args);
    expect([out, code]).toEqual(['', 2]);
    expect(err).not.toBe('');
  });
});

describe('service api-key', () => {
  it('gives the key its roles, lists them, and warns of a role that no model names', async () => {
    writeFileSync(
      file('datasources/guarded.yaml'),
      MODEL.replace(
        'name: city,',
        `name: city, custom_extensions: [{ vendor_name: SERVICE, data: '{"roles": {"allow": ["ROLE_NORTH"]}}' }],`,
      ),
    );
    writeFileSync(
      file('datasources/guarded.sds'),
      SDS('jdbc:duckdb:shop.duckdb')
        .replace('<id>shop</id><name>shop<', '<id>guarded</id><name>guarded<')
        .replace('shop.yaml', 'guarded.yaml'),
    );
    const create = (...args: readonly string[]) =>
      service(['api-key', 'create', '--home', home, '--label', 'ci', '--json', ...args]);
    const plain = await create('--tenant', 'acme');
    const withRoles = await create('--role', 'ROLE_NORTH', '--role', 'ROLE_USER');
    const unknown = await create('--role', 'ROLE_NRTH');
    expect([plain, withRoles, unknown].map(({ err, code }) => [err, code])).toEqual([
      ['', 0],
      ['', 0],
      ['Warning: no model and no cube schema of this installation names the role ROLE_NRTH.\n', 0],
    ]);
    expect(JSON.parse(withRoles.out)).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^service_/),
      tenantId: expect.any(String),
    });
    const listed = JSON.parse((await service(['api-key', 'list', '--home', home, '--json'])).out);
    expect(listed).toMatchObject([
      { tenant: 'acme', roles: ['ROLE_USER'] },
      { tenant: 'default', roles: ['ROLE_NORTH', 'ROLE_USER'] },
      { roles: ['ROLE_NRTH'] },
    ]);
    expect((await service(['api-key', 'list', '--home', home])).out).toContain('ROLE_NORTH,ROLE_USER');
    // ROLE_ADMIN is known without a model.
    expect(await create('--tenant', 'acme', '--role', 'ROLE_ADMIN')).toMatchObject({ err: '', code: 0 });
    rmSync(file('datasources/guarded.sds'));
  });
});
