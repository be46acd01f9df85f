/** Metrics that are taken at the last or first date of each group, on every engine: by hand, and against a loop over the rows. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { Fixture } from '../testing/fixture.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

/** Quantities are powers of two, so that each sum tells its rows. */
const INVENTORY: Table = {
  name: 'inventory',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['store', 'text'],
    ['quantity', 'integer'],
  ],
  rows: [
    [1, '2024-01-30', 's1', 1],
    [2, '2024-01-31', 's1', 2],
    [3, '2024-01-31', 's2', 4],
    [4, '2024-02-10', 's1', 8],
    [5, '2024-02-10', 's2', 16],
    [6, '2024-02-20', 's1', 32],
    [7, null, 's1', 64],
  ],
};
const NOTES: Table = {
  name: 'notes',
  columns: [
    ['id', 'integer'],
    ['inventory_id', 'integer'],
    ['tag', 'text'],
  ],
  rows: [
    [1, 2, 'x'],
    [2, 2, 'x'],
    [3, 1, 'x'],
    [4, 3, 'y'],
  ],
};

const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const metric = (name: string, expression: string, taken?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${
    taken === undefined
      ? ''
      : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ semi_additive: taken, dataset: 'inventory' })}' }]`
  } }`;
const by = 'inventory.day';
const document = (...more: readonly string[]) => `
version: "0.1.1"
semantic_model:
  - name: stock
    datasets:
      - name: inventory
        source: inventory
        primary_key: [id]
        fields:
${['day', 'store'].map(field).join('\n')}
      - name: notes
        source: notes
        primary_key: [id]
        fields:
${field('tag')}
    relationships:
      - { name: of, from: notes, to: inventory, from_columns: [inventory_id], to_columns: [id] }
    metrics:
${metric('last', 'SUM(inventory.quantity)', { by })}
${metric('first', 'SUM(inventory.quantity)', { by, take: 'first' })}
${metric('last_each', 'SUM(inventory.quantity)', { by, per: 'inventory.store' })}
${metric('last_rows', 'COUNT(*)', { by })}
${metric('moved', 'SUM(inventory.quantity)')}
${metric('share', 'last / moved')}
${more.join('\n')}
`;
const MONTH = { dataset: 'inventory', field: 'day', grain: 'month' };
const STORE = { dataset: 'inventory', field: 'store' };
const TAG = { dataset: 'notes', field: 'tag' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines('on $engine', (engine) => {
  let stock: Fixture;
  beforeAll(async () => {
    stock = await openOn(engine, [INVENTORY, NOTES], { document: document() });
    expect(stock.problems.filter(({ message }) => !message.includes('counts rows'))).toEqual([]);
  }, 120_000);
  afterAll(() => stock?.close());
  const table = (request: object) => stock.numbers(request);
  const all = values('last', 'first', 'last_each', 'moved');

  it('months show their end, a total the end of all, and not the sum of the months', async () => {
    expect(await table({ rows: [MONTH], values: all })).toEqual([
      ['2024-01-01', 6, 1, 6, 7],
      ['2024-02-01', 32, 24, 48, 56],
      [null, null, null, null, 64],
    ]);
    expect(await table({ values: all })).toEqual([[32, 1, 48, 127]]);
    expect(await table({ rows: [STORE], values: all })).toEqual([
      ['s1', 32, 1, 32, 107],
      ['s2', 16, 4, 16, 20],
    ]);
  });

  it('one alone, a count, a ratio, with filters', async () => {
    expect(await table({ values: values('last') })).toEqual([[32]]);
    expect(await table({ values: values('last_rows', 'share') })).toEqual([[1, 32 / 127]]);
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-01' }];
    expect(await table({ values: values('last', 'last_rows'), filters })).toEqual([[6, 2]]);
    const many = [{ metric: 'last', op: 'GT', value: 6 }];
    expect(await table({ rows: [MONTH], values: values('last'), filters: many })).toEqual([['2024-02-01', 32]]);
  });

  it('rows that are reached over and over count once', async () => {
    expect(await table({ rows: [TAG], values: all })).toEqual([
      ['x', 2, 1, 2, 3],
      ['y', 4, 4, 4, 4],
      [null, 32, 24, 48, 120],
    ]);
  });

  it('row groups of a crosstab are sorted by their own end', async () => {
    const request = { rows: [STORE], columns: [MONTH], values: values('last'), limit: 1 };
    expect(await table({ ...request, sorts: [{ metric: 'last', direction: 'ASC' }] })).toEqual([
      ['s2', '2024-01-01', 4],
      ['s2', '2024-02-01', 16],
    ]);
  });

  it('beside the month before it is the end of that', async () => {
    const compared = [{ metric: 'last', compare: { to: 'previous_period' } }];
    const filters = [{ ...MONTH, op: 'EQ', value: '2024-02' }];
    expect((await table({ rows: [MONTH], values: compared, filters }))[0]?.slice(0, 4)).toEqual([
      '2024-02-01',
      32,
      6,
      26,
    ]);
  });

  it('random groups give what a loop over the rows gives', async () => {
    const asked = fc.record({
      keys: fc.subarray(['month', 'store', 'tag'] as const),
      name: fc.constantFrom('last', 'first', 'last_each'),
      only: fc.constantFrom(undefined, 's1', 's2'),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ keys, name, only }) => {
        const groups = new Map<string, Set<Table['rows'][number]>>();
        for (const row of INVENTORY.rows) {
          if (row[1] === null || (only !== undefined && row[2] !== only)) continue;
          const tags = NOTES.rows.filter(([, id]) => id === row[0]).map(([, , tag]) => tag);
          for (const tag of !keys.includes('tag') || tags.length === 0 ? [null] : tags) {
            const parts = { month: `${String(row[1]).slice(0, 7)}-01`, store: row[2], tag };
            const key = JSON.stringify(keys.map((each) => parts[each]));
            groups.set(key, (groups.get(key) ?? new Set()).add(row));
          }
        }
        const expected = [...groups].map(([key, rows]) => {
          const kept = [...rows].filter((row) => {
            const alike = [...rows].filter((other) => name !== 'last_each' || other[2] === row[2]);
            const days = alike.map((other) => String(other[1])).toSorted();
            return row[1] === (name === 'first' ? days[0] : days.at(-1));
          });
          return JSON.stringify([...JSON.parse(key), kept.reduce((sum, row) => sum + Number(row[3]), 0)]);
        });
        const references = { month: MONTH, store: STORE, tag: TAG };
        const found = await table({
          rows: keys.map((each) => references[each]),
          values: values(name),
          filters: only === undefined ? [] : [{ ...STORE, op: 'EQ', value: only }],
        });
        expect(found.map((row) => JSON.stringify(row)).toSorted()).toEqual(expected.toSorted());
      }),
      { seed: SEED, numRuns: engine === 'duckdb' || engine === 'postgresql' ? 60 : 15 },
    );
  }, 120_000);
});

it('what cannot be taken is left out and told, and the plan says what is', async () => {
  const warehouse = await startWarehouse('duckdb', statementsFor('duckdb', [INVENTORY, NOTES]));
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  const more = [
    metric('elsewhere', 'SUM(inventory.quantity)', { by: 'notes.tag' }),
    metric('nowhere', 'SUM(inventory.quantity)', { by: 'inventory.week' }),
    metric('bare', 'SUM(inventory.quantity)', { by: 'day' }),
    metric('twice', 'last + 1', { by }),
  ];
  const stock = await Fixture.open({ warehouse, cache, document: document(...more) });
  try {
    const told = stock.problems.map(({ message }) => message).join('\n');
    expect(told).toContain(
      'metric elsewhere: left out: its expression is of inventory, and what it is taken by is of notes.',
    );
    expect(told).toContain(
      'metric nowhere: left out: its expression names inventory.week, which is no field and no column (there is',
    );
    expect(told).toContain(
      'metric bare: left out: its expression is taken by day, which is not written dataset.field.',
    );
    expect(told).toContain(
      'metric twice: left out: its expression is made of a metric that is taken at a date of its own.',
    );
    const { plan } = await stock.operations().preview({ connection: 'test', values: values('last', 'moved') } as never);
    expect(plan.steps).toContain('last takes of each group the rows of its last inventory.day.');
  } finally {
    await stock.close();
  }
});
