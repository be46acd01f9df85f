import { describe, expect, it } from 'vitest';
import type { AnswerColumn, AnswerRecord } from '../../../../router/capabilities/query-source.ts';
import { isHeld, longestHold } from '../../../../router/testing/loop-delay.ts';
import { matrixOf } from './matrix.ts';

const dimension = (key: string, dataType: AnswerColumn['dataType'] = 'text'): AnswerColumn => ({
  key,
  label: key.toUpperCase(),
  type: 'dimension',
  dataType,
});
const metric = (key: string): AnswerColumn => ({ key, label: `${key} (EUR)`, type: 'metric', dataType: 'integer' });
const cell = (value: number) => ({ value, formatted: `${value}.00` });

/** Returns only the values, line by line. */
async function shown(columns: readonly AnswerColumn[], records: readonly AnswerRecord[], rows: number, down?: string) {
  const { cellSetHeaders, cellSetBody } = await matrixOf(
    { columns, records },
    rows,
    down === undefined ? [] : [{ key: down, direction: 'desc' }],
  );
  return [...cellSetHeaders, ...cellSetBody].map((line) => line.map(({ value }) => value));
}

describe('a matrix', () => {
  const columns = [dimension('shop'), dimension('year', 'integer'), metric('sales')];
  const records: readonly AnswerRecord[] = [
    { shop: 'B', year: 10, sales: cell(1) },
    { shop: 'B', year: null, sales: cell(2) },
    { shop: null, year: 9, sales: cell(3) },
    { shop: null, year: 10, sales: { value: null, formatted: null, suppressed: true } },
  ];

  it('has the fields of rows down, the fields of columns across, and metrics where they meet', async () => {
    expect(await matrixOf({ columns, records }, 1)).toEqual({
      cellSetHeaders: [
        [null, '9', '10', null].map((value) => ({ value, type: 'COLUMN_HEADER' })),
        ['SHOP', 'sales (EUR)', 'sales (EUR)', 'sales (EUR)'].map((value) => ({ value, type: 'COLUMN_HEADER' })),
      ],
      cellSetBody: [
        [
          { value: 'B', type: 'ROW_HEADER' },
          { value: null, type: 'DATA_CELL', raw: null },
          { value: '1.00', type: 'DATA_CELL', raw: 1 },
          { value: '2.00', type: 'DATA_CELL', raw: 2 },
        ],
        [
          { value: null, type: 'ROW_HEADER' },
          { value: '3.00', type: 'DATA_CELL', raw: 3 },
          { value: null, type: 'DATA_CELL', raw: null, suppressed: true },
          { value: null, type: 'DATA_CELL', raw: null },
        ],
      ],
    });
  });

  it('sorts columns of numbers that are equal as doubles by their digits', async () => {
    const wide = [dimension('shop'), dimension('id', 'integer'), metric('sales')];
    const ids = [
      '9007199254740993',
      '9007199254740992',
      '-9007199254740993',
      '-9007199254740992',
      '9007199254740992.5',
    ];
    const answer = ids.map((id) => ({ shop: 'A', id, sales: cell(1) }));
    expect((await shown(wide, answer, 1))[0]?.slice(1)).toEqual([
      '-9007199254740993',
      '-9007199254740992',
      '9007199254740992',
      '9007199254740992.5',
      '9007199254740993',
    ]);
  });

  it('keeps rows in the order of the records and puts columns in the order of their values, nulls last', async () => {
    expect((await shown(columns, records, 1))[0]).toEqual([null, '9', '10', null]);
    expect((await shown(columns, records, 1, 'year'))[0]).toEqual([null, '10', '9', null]);
    expect((await shown(columns, records.toReversed(), 1)).map(([head]) => head)).toEqual([null, 'SHOP', null, 'B']);
  });

  it('has a column for each metric under each combination of column fields', async () => {
    const wide = [dimension('a'), dimension('b'), metric('m'), metric('n')];
    const two: readonly AnswerRecord[] = [
      { a: 'x', b: 'p', m: cell(1), n: cell(2) },
      { a: 'y', b: 'p', m: cell(3), n: cell(4) },
    ];
    expect(await shown(wide, two, 0)).toEqual([
      [null, 'x', 'x', 'y', 'y'],
      [null, 'p', 'p', 'p', 'p'],
      [null, 'm (EUR)', 'n (EUR)', 'm (EUR)', 'n (EUR)'],
      [null, '1.00', '2.00', '3.00', '4.00'],
    ]);
  });

  it('without columns is a table, without metrics a list, of totals one line', async () => {
    expect(await shown([dimension('a'), metric('m')], [{ a: 'x', m: cell(1) }], 1)).toEqual([
      ['A', 'm (EUR)'],
      ['x', '1.00'],
    ]);
    expect(await shown([dimension('a'), dimension('b')], [{ a: 'x', b: 'y' }], 1)).toEqual([
      ['A', 'B'],
      ['x', 'y'],
    ]);
    expect(await shown([metric('m')], [{ m: cell(7) }], 0)).toEqual([
      [null, 'm (EUR)'],
      [null, '7.00'],
    ]);
  });

  it('of no records has its header lines and no body', async () => {
    expect(await shown(columns, [], 1)).toEqual([[null], ['SHOP']]);
    expect(await shown([dimension('a'), metric('m')], [], 1)).toEqual([['A', 'm (EUR)']]);
  });

  it('that would be huge is refused before it is made', async () => {
    const sparse = Array.from({ length: 1_001 }, (_, at) => ({ shop: `${at}`, year: at, sales: cell(at) }));
    await expect(matrixOf({ columns, records: sparse }, 1)).rejects.toThrow('1001 rows of 1002 cells');
  });

  it('of the most cells yields to the event loop', async () => {
    const across = [dimension('shop'), dimension('n'), dimension('t'), metric('sales')];
    // One line of 100,000 columns; a square with a record in each cell; a wide one of few records.
    const lines = Array.from({ length: 100_000 }, (_, at) => ({
      shop: 'A',
      n: `${at % 7}`,
      t: `t${at}`,
      sales: cell(at),
    }));
    const square = Array.from({ length: 100_000 }, (_, at) => ({
      shop: `${at % 330}`,
      n: `${at}`,
      t: `${Math.floor(at / 330)}`,
      sales: cell(at),
    }));
    const squareColumns = [dimension('shop'), dimension('t'), metric('sales')];
    const sparse = Array.from({ length: 990 }, (_, at) => ({ shop: `${at}`, t: `${at}`, sales: cell(at) }));
    for (const [columns, records] of [
      [across, lines],
      [squareColumns, square],
      [squareColumns, sparse],
    ] as const) {
      expect(await longestHold(() => matrixOf({ columns, records }, 1))).not.toSatisfy(isHeld);
    }
  });
});
