/** Tests answers that are sent while they come: in each format, on every engine, with masks, roles, cuts, failures and cancels. */
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultChunk, ResultStream, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { ValidationError, WarehouseError } from '../../../router/errors.ts';
import { StreamedAnswer } from '../../../router/streamed-answer.ts';
import { isHeld, longestHold } from '../../../router/testing/loop-delay.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

const TABLES: readonly Table[] = [
  {
    name: 'stores',
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
    ],
    rows: [
      [1, 'a;"x"'],
      [2, '=b'],
      [3, 'c,d'],
    ],
  },
  {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['store_id', 'integer'],
      ['amount', 'money'],
      ['day', 'date'],
    ],
    rows: [
      [1, 1, 2.5, '2024-01-01'],
      [2, 1, 4.25, '2024-01-31'],
      [3, 2, -1.5, '2024-02-01'],
      [4, 2, 7, null],
      [5, 3, 100, '2023-12-31'],
    ],
  },
];
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`;
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - { name: sales, source: sales, primary_key: [id], fields: [${field('id')}, ${field('day')}] }
      - name: stores
        source: stores
        primary_key: [id]
        fields: [${field('name')}]
        custom_extensions:
          - { vendor_name: SERVICE, data: { roles: { row_predicates: { ROLE_FIRST: "id = 1", "*": "1 = 1" } } } }
    relationships:
      - { name: sales_store, from: sales, to: stores, from_columns: [store_id], to_columns: [id] }
    metrics:
      - ${metric('amount', 'SUM(sales.amount)')}
      - ${metric('lines', 'COUNT(sales.id)')}
`;
const BY_STORE = {
  connection: 'test',
  rows: [{ dataset: 'stores', field: 'name' }],
  values: [{ metric: 'amount' }, { metric: 'lines' }],
  sorts: [{ metric: 'amount', direction: 'ASC' as const }],
};
const BY_MONTH = {
  connection: 'test',
  rows: [{ dataset: 'sales', field: 'day', grain: 'month' as const }],
  values: [{ metric: 'amount' }],
  sorts: [{ field: 'sales.day.month', direction: 'ASC' as const }],
};

/** Reads a whole answer, as REST sends it. */
async function read(answer: unknown): Promise<{ readonly bytes: Buffer; readonly trailers: object }> {
  const { pieces, trailers } = partsOf(answer);
  const bytes: Buffer[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  return { bytes: Buffer.concat(bytes), trailers: trailers() };
}

function partsOf(answer: unknown): StreamedAnswer['parts'] {
  if (answer instanceof StreamedAnswer) return answer.parts;
  throw new Error('the answer is not sent while it comes');
}

const linesOf = (bytes: Buffer): unknown[] =>
  String(bytes)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describeEngines('on $engine', (engine) => {
  let shop: Fixture;
  let masked: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, TABLES), { poolSize: 2 });
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const options = { warehouse, cache, document: DOCUMENT };
    shop = await Fixture.open({ ...options, settings: { maxStreamedRows: 100 } });
    masked = await Fixture.open({ ...options, settings: { kAnonymity: { threshold: 2, mask: -1 } } });
    expect(shop.problems).toEqual([]);
  });
  afterAll(() => shop.close());
  const stream = async (request: object, fixture = shop, as = scope('ROLE_USER')) =>
    read(await fixture.operations(as).queryStream(request as never));

  it('NDJSON has the columns, the rows and the end', async () => {
    const { bytes, trailers } = await stream(BY_STORE);
    const [head, ...rows] = linesOf(bytes);
    expect(head).toMatchObject({
      $columns: [
        { key: 'stores.name', type: 'dimension', dataType: 'text' },
        // SQLite has no decimals.
        { key: 'amount', type: 'metric', dataType: expect.stringMatching(/^(decimal|float)$/) },
        { key: 'lines', type: 'metric', dataType: 'integer' },
      ],
    });
    expect(rows).toEqual([
      { 'stores.name': '=b', amount: 5.5, lines: 2 },
      { 'stores.name': 'a;"x"', amount: 6.75, lines: 2 },
      { 'stores.name': 'c,d', amount: 100, lines: 1 },
      { $end: { rowCount: 3, truncated: false } },
    ]);
    expect(trailers).toEqual({
      'Service-Row-Count': '3',
      'Service-Truncated': 'false',
      'Service-Suppressed-Rows': '0',
    });
  });

  it('CSV has labels, is safe in spreadsheets and follows the language', async () => {
    const { bytes } = await stream({ ...BY_STORE, format: 'csv', locale: 'de' });
    const [head, ...rows] = String(bytes).split('\r\n');
    expect(head).toBe('\uFEFFname;amount;lines');
    expect(rows).toEqual(["'=b;5,5;2", '"a;""x""";6,75;2', 'c,d;100;1', '']);
    expect(
      String((await stream({ ...BY_MONTH, format: 'csv' })).bytes)
        .split('\r\n')
        .slice(1),
    ).toEqual(['Dec 2023,100', 'Jan 2024,6.75', 'Feb 2024,-1.5', ',7', '']);
  });

  it('Arrow has typed columns', async () => {
    const table = tableFromIPC((await stream({ ...BY_MONTH, format: 'arrow' })).bytes);
    expect(table.schema.fields.map(({ name, metadata }) => [name, metadata.get('label')])).toEqual([
      ['sales.day.month', 'day (month)'],
      ['amount', 'amount'],
    ]);
    const [month, amount] = table.schema.fields;
    expect(String(month?.type)).toBe('Date32<DAY>');
    expect(String(amount?.type)).toMatch(/^(Decimal|Float64)/);
    const scale = 10 ** (amount?.type.scale ?? 0);
    const rows = [...table].map((row) => {
      const { 'sales.day.month': day, amount: units } = row.toJSON();
      const isDecimal = typeof units === 'object' && units !== null;
      return [
        day === null ? null : new Date(day).toISOString().slice(0, 10),
        isDecimal ? Number(units) / scale : units,
      ];
    });
    expect(rows).toEqual([
      ['2023-12-01', 100],
      ['2024-01-01', 6.75],
      ['2024-02-01', -1.5],
      [null, 7],
    ]);
  });

  it('values of small groups are null and counted', async () => {
    const { bytes, trailers } = await stream(BY_STORE, masked);
    const rows = linesOf(bytes).slice(1);
    expect(rows).toContainEqual({ 'stores.name': 'c,d', amount: null, lines: null });
    expect(rows).toContainEqual({ 'stores.name': '=b', amount: 5.5, lines: 2 });
    expect(rows.at(-1)).toMatchObject({ $end: { rowCount: 3, suppressed: { count: 1 } } });
    expect(trailers).toMatchObject({ 'Service-Suppressed-Rows': '1' });
    expect(String((await stream({ ...BY_STORE, format: 'csv' }, masked)).bytes)).not.toContain('100');
  });

  it('a role sees its rows only', async () => {
    const { bytes } = await stream(BY_STORE, shop, scope('ROLE_FIRST'));
    expect(linesOf(bytes).slice(1)).toEqual([
      { 'stores.name': 'a;"x"', amount: 6.75, lines: 2 },
      { $end: { rowCount: 1, truncated: false } },
    ]);
  });

  it('maxrows cuts and reports it; a limit of the request ends it', async () => {
    const ends = await Promise.all(
      [{ maxrows: 2 }, { maxrows: 3 }, { limit: 2 }, { limit: 3, maxrows: 2 }].map(async (bound) =>
        linesOf((await stream({ ...BY_STORE, ...bound })).bytes).at(-1),
      ),
    );
    expect(ends).toEqual([
      { $end: { rowCount: 2, truncated: true } },
      { $end: { rowCount: 3, truncated: false } },
      { $end: { rowCount: 2, truncated: false } },
      { $end: { rowCount: 2, truncated: true } },
    ]);
  });

  it('queries that need all rows at once are sent, too', async () => {
    const crosstab = { ...BY_STORE, rows: BY_MONTH.rows, columns: BY_STORE.rows, sorts: BY_MONTH.sorts, limit: 1 };
    const rows = linesOf((await stream(crosstab)).bytes).slice(1);
    expect(rows).toEqual([
      { 'sales.day.month': '2023-12-01', 'stores.name': 'c,d', amount: 100, lines: 1 },
      { $end: { rowCount: 1, truncated: false } },
    ]);
  });

  it('a mistake is refused before anything is sent', async () => {
    const unknown = { ...BY_STORE, values: [{ metric: 'amonut' }] };
    await expect(stream(unknown)).rejects.toMatchObject({ cause: expect.any(ValidationError) });
    await expect(stream({ ...BY_STORE, maxrows: 101 })).rejects.toThrow('maxrows must be at most 100');
  });
});

/** A shop whose warehouse streams what the test gives; everything else is DuckDB. */
async function shopOf(stream: (signal: AbortSignal | undefined) => ResultStream): Promise<Fixture> {
  const started = await startWarehouse('duckdb', statementsFor('duckdb', TABLES), { poolSize: 2 });
  const warehouses = {
    ...started.warehouses,
    supported: started.warehouses.supported,
    async open(address: typeof started.address): Promise<Warehouse> {
      const real = await started.warehouses.open(address);
      return new Proxy(real, {
        get: (target, name) =>
          name === 'stream'
            ? async (_: unknown, options: { readonly signal?: AbortSignal }) => stream(options.signal)
            : bound(target, Reflect.get(target, name, target)),
      });
    },
  };
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  return Fixture.open({ warehouse: { ...started, warehouses }, cache, document: DOCUMENT });
}

function bound(target: object, member: unknown): unknown {
  return typeof member === 'function' ? member.bind(target) : member;
}

const COLUMNS: ResultStream['columns'] = [
  { name: 'name', type: 'text', nativeType: 'VARCHAR' },
  { name: 'amount', type: 'decimal', nativeType: 'DECIMAL(38,2)' },
  { name: 'lines', type: 'integer', nativeType: 'BIGINT' },
];

function chunkOf(rows: number): ResultChunk {
  const row = Array.from({ length: rows }, (_, index) => index);
  return { rowCount: rows, values: [row.map((index) => `store "${index}"`), row.map((index) => index / 4), row] };
}

describe('a stream', () => {
  it('that fails ends with the error in NDJSON, and breaks in CSV and Arrow', async () => {
    const shop = await shopOf(() => ({
      columns: COLUMNS,
      chunks: (async function* () {
        yield chunkOf(2);
        throw new WarehouseError('The warehouse is gone.');
      })(),
    }));
    const reported: unknown[] = [];
    const bodyOf = (thrown: unknown) => {
      reported.push(thrown);
      return { error: 'WAREHOUSE_ERROR' };
    };
    for (const format of ['ndjson', 'csv', 'arrow'] as const) {
      const answer: unknown = await shop.operations().queryStream({ ...BY_STORE, format });
      if (!(answer instanceof StreamedAnswer)) throw new Error('no stream');
      const sent = read(answer.withFailures(bodyOf));
      if (format !== 'ndjson') await expect(sent).rejects.toThrow('The warehouse is gone.');
      else
        expect(linesOf((await sent).bytes).slice(-2)).toEqual([
          { 'stores.name': 'store "1"', amount: 0.25, lines: 1 },
          { $error: { error: 'WAREHOUSE_ERROR' } },
        ]);
    }
    expect(reported).toHaveLength(3);
    await shop.close();
  });

  it('that fails at once is refused as any query', async () => {
    const shop = await shopOf(() => ({
      columns: COLUMNS,
      // biome-ignore lint/correctness/useYield: it fails before its first rows.
      chunks: (async function* () {
        throw new WarehouseError('No.');
      })(),
    }));
    await expect(shop.operations().queryStream(BY_STORE)).rejects.toThrow('No.');
    await shop.close();
  });

  it.each(['ndjson', 'csv', 'arrow'] as const)('of %s is left: the statement ends', async (format) => {
    let isOpen = true;
    let given: AbortSignal | undefined;
    const shop = await shopOf((signal) => {
      given = signal;
      return {
        columns: COLUMNS,
        chunks: (async function* () {
          try {
            for (;;) yield chunkOf(100);
          } finally {
            isOpen = false;
          }
        })(),
      };
    });
    const leaving = new AbortController();
    const answer: unknown = await shop.operations(undefined, leaving.signal).queryStream({ ...BY_STORE, format });
    let pieces = 0;
    for await (const _ of partsOf(answer).pieces) if (++pieces === 3) break;
    expect(isOpen).toBe(false);
    leaving.abort();
    expect(given?.aborted).toBe(true);
    await shop.close();
  });

  it('of 300,000 rows does not hold the event loop', { timeout: 240_000 }, async () => {
    const shop = await shopOf(() => ({
      columns: COLUMNS,
      chunks: (async function* () {
        for (let index = 0; index < 3; index += 1) yield chunkOf(100_000);
      })(),
    }));
    for (const format of ['ndjson', 'csv', 'arrow'] as const) {
      let answered: unknown;
      const hold = await longestHold(async () => {
        answered = await shop.operations().queryStream({ ...BY_STORE, format });
        for await (const _ of partsOf(answered).pieces);
      });
      expect(partsOf(answered).trailers()).toMatchObject({ 'Service-Row-Count': '300000' });
      expect(isHeld(hold), `${format} ${JSON.stringify(hold)}`).toBe(false);
    }
    await shop.close();
  });
});
