/** Tests `service forecast` and `service anomaly` with a request from a file and from standard input. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDuckdb } from '../warehouse/testing/engines.ts';
import { service } from './testing/command.ts';

const MODEL = `version: "0.1.1"
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        fields:
          - { name: month, label: Month, expression: { dialects: [{ dialect: ANSI_SQL, expression: month }] } }
          - { name: city, label: City, expression: { dialects: [{ dialect: ANSI_SQL, expression: city }] } }
    metrics:
      - { name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
`;
const CUBE = `<Schema name="Shop"><Cube name="Sales"><Table name="sales"/>
  <Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="true">
    <Level name="Month" column="month" uniqueMembers="true" levelType="TimeMonths"/></Hierarchy></Dimension>
  <Measure name="Revenue" column="amount" aggregator="sum"/></Cube></Schema>`;
const descriptor = (type: string, document: string) => `<dataSource><id>shop</id><name>shop</name><type>${type}</type>
${document}<location>jdbc:duckdb:shop.duckdb</location><schema>shop</schema><enabled>true</enabled></dataSource>`;

/** Returns the month at an index of the series. The data has 36 months of Oslo on a line with a spike in the 20th month, and one month of Rome. */
const month = (t: number) => `${2021 + Math.floor(t / 12)}-${String((t % 12) + 1).padStart(2, '0')}`;
const ROWS = Array.from({ length: 36 }, (_, t) => `('${month(t)}', 'Oslo', ${100 + 2 * t + (t === 19 ? 400 : t % 3)})`);
const REQUEST = {
  query: {
    connection: 'shop',
    rows: [{ dataset: 'sales', field: 'month' }],
    values: [{ metric: 'revenue' }],
    filters: [{ dataset: 'sales', field: 'city', op: 'EQ', value: 'Oslo' }],
  },
  timeAxis: 'sales.month',
};

let home: string;
const file = (name: string) => join(home, name);
const write = (name: string, request: unknown) => {
  writeFileSync(file(name), JSON.stringify(request));
  return file(name);
};
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'service-cli-analytics-'));
  mkdirSync(file('datasources'));
  await writeDuckdb(file('shop.duckdb'), [
    'CREATE TABLE sales (month VARCHAR, city VARCHAR, amount DOUBLE)',
    `INSERT INTO sales VALUES ${[...ROWS, `('${month(0)}', 'Rome', 5)`].join(', ')}`,
  ]);
  writeFileSync(file('datasources/shop.sds'), descriptor('SEMANTIC', '<semanticYaml>shop.yaml</semanticYaml>'));
  writeFileSync(file('datasources/shop.yaml'), MODEL);
  writeFileSync(
    file('datasources/cubes.sds'),
    descriptor('OLAP', '<cubeSchema>shop.xml</cubeSchema>').replaceAll('>shop<', '>cubes<'),
  );
  writeFileSync(file('datasources/shop.xml'), CUBE);
});
afterAll(() => rmSync(home, { recursive: true }));

const cells = (line: string | undefined) => line?.trim().split(/\s{2,}/) ?? [];

describe('service forecast', () => {
  it('prints the coming months of a request in a file, with their prediction intervals', async () => {
    const { out, err, code } = await service(['forecast', write('r.json', { ...REQUEST, horizon: 2 }), '--home', home]);
    const lines = out.trimEnd().split('\n');
    expect(cells(lines[0])).toEqual(['metric', 'period', 'value', 'lower', 'upper']);
    expect(lines.filter((line) => /\d{4}-\d\d/.test(line)).map((line) => cells(line).slice(0, 2))).toEqual([
      ['revenue', '2024-01'],
      ['revenue', '2024-02'],
    ]);
    expect([err, code]).toEqual(['', 0]);
  });

  it('reads the request from standard input, and prints the whole answer as JSON', async () => {
    const request = JSON.stringify({ ...REQUEST, method: 'arima', horizon: 1, interval: 0.8 });
    const { out, code } = await service(['forecast', '--home', home, '--json'], request);
    const answer = JSON.parse(out);
    expect(answer.records).toHaveLength(36);
    expect(answer.forecast.revenue).toMatchObject({
      method: 'arima',
      horizon: 1,
      confidence: 0.8,
      grain: 'month',
      points: [{ index: 36, period: '2024-01' }],
    });
    expect(code).toBe(0);
  });

  it('answers a request on a cube', async () => {
    const query = {
      cube: 'cubes/cubes/Shop/Sales',
      measures: [{ name: 'Revenue' }],
      rows: [{ dimension: 'Time', level: 'Month' }],
    };
    const { out, err, code } = await service(
      ['forecast', '--home', home, '--json'],
      JSON.stringify({ query, timeAxis: 'Time/Month', horizon: 1 }),
    );
    expect([err, code]).toEqual(['', 0]);
    expect(JSON.parse(out).forecast.Revenue.points).toMatchObject([{ index: 36, period: '2024-01' }]);
  });

  it('prints for each series without a forecast the reason', async () => {
    const { filters: _, ...query } = REQUEST.query;
    const rows = [...query.rows, { dataset: 'sales', field: 'city' }];
    const { err, code } = await service(
      ['forecast', '--home', home],
      JSON.stringify({ ...REQUEST, query: { ...query, rows }, horizon: 1 }),
    );
    expect(err).toBe('Rome, revenue: no forecast, too_short.\n');
    expect(code).toBe(0);
  });
});

describe('service anomaly', () => {
  it('lists and counts the anomalies', async () => {
    const { out, err, code } = await service([
      'anomaly',
      write('a.json', { ...REQUEST, method: 'mad' }),
      '--home',
      home,
    ]);
    const lines = out.trimEnd().split('\n');
    expect(cells(lines.at(-1))).toEqual(expect.arrayContaining(['2022-08', 'high']));
    expect(err).toBe('1 of 36 rows × 1 metrics; method mad, threshold 3.5.\n');
    expect(code).toBe(0);
  });

  it('marks the anomalous cell in JSON', async () => {
    const { out } = await service(['anomaly', '--home', home, '--json'], JSON.stringify({ ...REQUEST, method: 'mad' }));
    expect(JSON.parse(out).records[19].revenue.anomaly).toMatchObject({ direction: 'high' });
  });
});

describe.each(['forecast', 'anomaly'])('service %s', (command) => {
  it.each([
    [{ ...REQUEST, timeAxis: 'sales.day' }, /timeAxis: .*There are: sales\.month\./],
    [{ ...REQUEST, method: 'theta' }, /method: method must be one of .*There are: /],
    [{ query: REQUEST.query }, /timeAxis/],
    [{ timeAxis: 'sales.month' }, /has no query/],
    [[1], /not a JSON object/],
  ])('a mistake is reported in one line with exit code 1: %j', async (request, message) => {
    const { out, err, code } = await service([command, '--home', home], JSON.stringify(request));
    expect(err.trimEnd().split('\n')).toEqual([expect.stringMatching(message)]);
    expect([out, code]).toEqual(['', 1]);
  });
});
