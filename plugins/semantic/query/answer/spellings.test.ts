/** Tests that texts which are equal by their column's collation are one group, under the same spelling whatever the order of the rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { openOn } from '../../testing/engine-fixture.ts';
import type { Fixture } from '../../testing/fixture.ts';

/** Column types that ignore letter case. Other engines have no such collation without an explicit one. */
const TEXT = {
  sqlite: 'VARCHAR(20) COLLATE NOCASE',
  mariadb: 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
} as const;

const SALES = [
  [1, '2019-01-01', 'FOOD', 'Shop'],
  [2, '2019-02-01', 'food', 'shop'],
  [3, '2020-01-01', 'Food', 'SHOP'],
  [4, '2020-02-01', 'toys', 'shop'],
  [5, '2019-03-01', 'bikes', 'shop'],
  [6, '2019-03-02', 'games', 'Shop'],
] as const;
const DAYS = [
  ['2019-01-01', 'p1', 'first'],
  ['2019-02-01', 'P1', 'FIRST'],
  ['2020-01-01', 'p1 ', 'second'],
  ['2020-02-01', 'P2', 'Second'],
] as const;

const CALENDARS = [{ dataset: 'calendar', date: 'day', grains: [{ name: 'period', field: 'key', label: 'name' }] }];
const field = (name: string) =>
  `          - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`;
const document = `
version: "0.1.1"
semantic_model:
  - name: shop
    custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify({ calendars: CALENDARS })}' }]
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
${['day', 'category', 'place'].map(field).join('\n')}
      - name: calendar
        source: calendar
        primary_key: [day]
        fields:
${['day', 'name', 'key'].map(field).join('\n')}
    metrics:
      - { name: number, expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(sales.id) }] } }
`;

const PERIOD = { dataset: 'sales', field: 'day', grain: 'period' };
const CATEGORY = { dataset: 'sales', field: 'category' };
const PLACE = { dataset: 'sales', field: 'place' };
const YEAR = { dataset: 'sales', field: 'day', grain: 'year' };
const NUMBER = [{ metric: 'number' }];

describeEngines(
  'on $engine',
  (engine) => {
    const open: Fixture[] = [];
    let cut: Fixture;
    beforeAll(async () => {
      const text = engine === 'mariadb' ? TEXT.mariadb : TEXT.sqlite;
      const quote = engine === 'mariadb' ? '`' : '"';
      const listed = (rows: readonly (readonly (string | number)[])[]) =>
        rows.map((row) => `(${row.map((cell) => `'${cell}'`).join(', ')})`).join(', ');
      for (const inOrder of [<T>(rows: readonly T[]) => rows, <T>(rows: readonly T[]) => rows.toReversed()]) {
        const setUp = [
          `CREATE TABLE sales (id INTEGER, day DATE, category ${text}, place ${text})`,
          `INSERT INTO sales VALUES ${listed(inOrder(SALES))}`,
          `CREATE TABLE calendar (day DATE, ${quote}key${quote} ${text}, name ${text})`,
          `INSERT INTO calendar VALUES ${listed(inOrder(DAYS))}`,
        ];
        open.push(await openOn(engine, setUp, { document }));
        if (open.length === 1) cut = await openOn(engine, setUp, { document, settings: { maxRows: 2 } });
      }
    });
    afterAll(() => Promise.all([...open, cut].map((each) => each.close())));

    it('a period is what its key is as written, and the key finds it', async () => {
      for (const shop of open) {
        expect(await shop.table({ rows: [PERIOD], values: NUMBER })).toEqual([
          ['p1', 1],
          ['P1', 1],
          ['p1 ', 1],
          ['P2', 1],
          [null, 2],
        ]);
        for (const key of ['p1', 'P1', 'p1 ']) {
          const filters = [{ ...PERIOD, op: 'IN', values: [key] }];
          expect(await shop.table({ rows: [PERIOD], values: NUMBER, filters })).toEqual([[key, 1]]);
        }
        const { columns } = await shop.run({ rows: [PERIOD], values: NUMBER });
        expect(columns[0]?.labels).toEqual({ p1: 'first', P1: 'FIRST', 'p1 ': 'second', P2: 'Second' });
      }
    });

    it('texts that are equal by their collation are one group', async () => {
      for (const shop of open) {
        const rows = await shop.table({ rows: [CATEGORY], values: NUMBER });
        expect(rows.map(([category, number]) => [String(category).toLowerCase(), number])).toEqual([
          ['bikes', 1],
          ['food', 3],
          ['games', 1],
          ['toys', 1],
        ]);
      }
    });

    it('a text has one spelling in all rows of an answer', async () => {
      for (const shop of open) {
        const rows = await shop.table({ rows: [CATEGORY, YEAR, PLACE], values: NUMBER });
        const food = rows[1]?.[0];
        const place = rows[0]?.[2];
        expect(rows).toEqual([
          ['bikes', '2019-01-01', place, 1],
          [food, '2019-01-01', place, 2],
          [food, '2020-01-01', place, 1],
          ['games', '2019-01-01', place, 1],
          ['toys', '2020-01-01', place, 1],
        ]);
      }
    });

    it('the cells of a text stand in one row and one column of a crosstab', async () => {
      for (const shop of open) {
        const request = { rows: [CATEGORY], columns: [YEAR, PLACE], values: NUMBER };
        const matrix = await shop.operations().query({ connection: 'test', ...request, format: 'matrix' });
        if (!('cellSetBody' in matrix)) throw new Error('a matrix was expected');
        expect(matrix.cellSetBody.map((line) => line.slice(1).map(({ value }) => value))).toEqual([
          ['1', null],
          ['2', '1'],
          ['1', null],
          [null, '1'],
        ]);
      }
    });

    it('a value is compared with the value of the text that is equal by its collation, also where the base is cut', async () => {
      const values = [{ metric: 'number', compare: { to: 'previous_year' } }];
      for (const shop of [...open, cut]) {
        const filters = [{ ...YEAR, op: 'EQ', value: '2020-01-01' }];
        const rows = await shop.table({ rows: [CATEGORY, YEAR], values, filters });
        expect(rows.map(([, ...cells]) => cells)).toEqual([
          ['2020-01-01', 1, 2, -1, 0.5],
          ['2020-01-01', 1, null, null, null],
        ]);
      }
    });
  },
  // The engines whose columns may have such a collation without a statement that names it.
  { engines: ['sqlite', 'mariadb'] },
);
