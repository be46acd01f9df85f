/** Tests the rules of the plan on data and models that break a generator of SQL without these rules. */
import { afterAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { ENGINES } from '../../../server/warehouse/testing/engines.ts';
import type { SemanticSettings } from '../index.ts';
import { openOn } from '../testing/engine-fixture.ts';
import type { Fixture } from '../testing/fixture.ts';
import type { Table } from '../testing/tables.ts';

const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, sql: string) =>
  `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${sql}" }] }`;
const at = (path: string) => {
  const [dataset = '', name = ''] = path.split('.');
  return { dataset, field: name };
};
const values = (...metrics: readonly string[]) => metrics.map((name) => ({ metric: name }));

// The rules are the product's own; `oracle.test.ts` and `conformance.test.ts` run the statements of such requests on every engine.
describe.each(ENGINES)('on %s', (engine) => {
  const opened: Fixture[] = [];
  afterAll(async () => {
    for (const fixture of opened) await fixture.close();
  });
  async function open(tables: readonly Table[], document: string, settings: Partial<SemanticSettings> = {}) {
    const fixture = await openOn(engine, tables, { document, settings });
    opened.push(fixture);
    return fixture;
  }

  describe('a dataset that is reached in two roles', () => {
    const flights = () =>
      open(
        [
          {
            name: 'airports',
            columns: [
              ['code', 'text'],
              ['city', 'text'],
            ],
            rows: [
              ['OSL', 'Oslo'],
              ['FCO', 'Rome'],
            ],
          },
          {
            name: 'flights',
            columns: [
              ['id', 'integer'],
              ['origin', 'text'],
              ['target', 'text'],
              ['seats', 'integer'],
            ],
            rows: [
              [1, 'OSL', 'FCO', 100],
              [2, 'FCO', 'OSL', 50],
            ],
          },
        ],
        `
semantic_model:
  - name: air
    datasets:
      - { name: flights, source: flights, primary_key: [id], fields: [${field('origin')}] }
      - { name: airports, source: airports, primary_key: [code], fields: [${field('city')}] }
    relationships:
      - { name: flight_origin, from: flights, to: airports, from_columns: [origin], to_columns: [code] }
      - { name: flight_target, from: flights, to: airports, from_columns: [target], to_columns: [code] }
    metrics: [${metric('seats', 'SUM(flights.seats)')}, ${metric('airports', 'COUNT(airports.code)')}]
`,
      );

    it('is refused as group and as filter with both paths named, and neither is guessed', async () => {
      const air = await flights();
      const refusal = await air.refusal({ rows: [at('airports.city')], values: values('seats') });
      expect(refusal).toMatchObject({
        field: 'rows[0].via',
        available: ['flight_origin', 'flight_target'],
      });
      expect(refusal.message).toContain('more than one path');
      const twice = await air.refusal({
        rows: [at('airports.city')],
        values: values('seats'),
        filters: [{ ...at('airports.city'), op: 'EQ', value: 'Oslo' }],
      });
      expect(twice.problems.map((problem) => toProblemBody(problem).field)).toEqual(['rows[0].via', 'filters[0].via']);
      expect(
        await air.refusal({ values: values('seats'), filters: [{ ...at('airports.city'), op: 'EQ', value: 'Oslo' }] }),
      ).toMatchObject({ field: 'filters[0].via' });
      expect(await air.table({ values: values('seats') })).toEqual([[150]]);
      expect(await air.table({ rows: [at('airports.city')], values: values('airports') })).toEqual([
        ['Oslo', 1],
        ['Rome', 1],
      ]);
    });
  });

  describe('a dataset without a key', () => {
    const notes = () =>
      open(
        [
          {
            name: 'notes',
            columns: [
              ['team', 'integer'],
              ['points', 'integer'],
            ],
            rows: [
              [1, 5],
              [1, 5],
              [2, 7],
            ],
          },
          {
            name: 'teams',
            columns: [
              ['id', 'integer'],
              ['name', 'text'],
              ['budget', 'integer'],
            ],
            rows: [
              [1, 'a', 10],
              [2, 'b', 20],
            ],
          },
          {
            name: 'logs',
            columns: [
              ['note_team', 'integer'],
              ['word', 'text'],
            ],
            rows: [
              [1, 'x'],
              [1, 'y'],
            ],
          },
        ],
        `
semantic_model:
  - name: notes
    datasets:
      - { name: notes, source: notes, fields: [${field('points')}] }
      - { name: teams, source: teams, fields: [${field('name')}], unique_keys: [[id]] }
      - { name: logs, source: logs, fields: [${field('word')}] }
    relationships:
      - { name: note_team, from: notes, to: teams, from_columns: [team], to_columns: [id] }
      - { name: log_note, from: logs, to: notes, from_columns: [note_team], to_columns: [team] }
    metrics: [${metric('points', 'SUM(notes.points)')}, ${metric('budget', 'SUM(teams.budget)')}]
`,
      );

    it('may be aggregated, where nothing repeats its rows; equal rows stay two', async () => {
      const model = await notes();
      expect(await model.table({ rows: [at('teams.name')], values: values('points') })).toEqual([
        ['a', 10],
        ['b', 7],
      ]);
    });

    it('is never the far side of a join, and its metric is refused where rows would be counted twice', async () => {
      const model = await notes();
      expect(model.problems.map(({ message }) => message)).toEqual([expect.stringContaining('is no key of notes')]);
      const { relationships } = await model.operations().schema({ connection: 'test', model: 'notes' });
      expect(relationships.map(({ name, leftOut }) => [name, leftOut])).toEqual([
        ['note_team', undefined],
        ['log_note', expect.stringContaining('team is no key of notes')],
      ]);
      expect(await model.refusal({ rows: [at('logs.word')], values: values('points') })).toMatchObject({
        field: 'rows[0].dataset',
        available: ['notes', 'teams'],
      });
      // The table allows nulls in `id`, so it does not identify the teams.
      const fanOut = await model.refusal({ rows: [at('notes.points')], values: values('budget') });
      expect(fanOut.message).toContain('has no primary_key that identifies its rows');
      expect(fanOut).toMatchObject({ field: 'rows[0].dataset', available: ['teams'] });
    });
  });

  describe('with rows and columns', () => {
    /** Totals: a 9 (visits 6), b 8 (5), c 100 (2). */
    const visits: Table = {
      name: 'visits',
      columns: [
        ['id', 'integer'],
        ['ward', 'text'],
        ['year', 'integer'],
        ['cost', 'integer'],
      ],
      rows: [
        [1, 'a', 1, 1],
        [2, 'a', 1, 1],
        [3, 'a', 1, 1],
        [4, 'a', 2, 2],
        [5, 'a', 2, 2],
        [6, 'a', 3, 2],
        [7, 'b', 1, 0],
        [8, 'b', 1, 0],
        [9, 'b', 1, 0],
        [10, 'b', 2, 8],
        [11, 'b', 2, 0],
        [12, 'c', 2, 50],
        [13, 'c', 2, 50],
      ],
    };
    const document = `
semantic_model:
  - name: clinic
    datasets:
      - { name: visits, source: visits, primary_key: [id], fields: [${field('id')}, ${field('ward')}, ${field('year')}] }
    metrics: [${metric('cost', 'SUM(visits.cost)')}, ${metric('visit_count', 'COUNT(*)')}]
`;
    const crosstab = { rows: [at('visits.ward')], columns: [at('visits.year')], values: values('cost') };
    const byCost = [{ metric: 'cost', direction: 'DESC' }];

    it('a limit counts rows, each with all of its columns, the row of the highest total first', async () => {
      const clinic = await open([visits], document);
      expect(await clinic.table({ ...crosstab, sorts: byCost, limit: 2 })).toEqual([
        ['c', 2, 100],
        ['a', 1, 3],
        ['a', 2, 4],
        ['a', 3, 2],
      ]);
      const { meta } = await clinic.run({ ...crosstab, sorts: byCost, limit: 2 });
      expect(meta).toEqual({ rowCount: 4, truncated: false });
    });

    it('where rows are sorted first, a limit gives the beginning of the answer without it', async () => {
      const clinic = await open([visits], document);
      for (const sorts of [[], byCost, [{ field: 'visits.ward', direction: 'DESC' }, ...byCost]]) {
        const all = await clinic.table({ ...crosstab, sorts });
        const two = await clinic.table({ ...crosstab, sorts, limit: 2 });
        expect(two).toEqual(all.slice(0, two.length));
        expect(new Set(two.map(([ward]) => ward)).size).toBe(2);
      }
    });

    it('the records come in the order of the sorts, whatever axis their fields stand on', async () => {
      const clinic = await open([visits], document);
      const byYear = { field: 'visits.year', direction: 'DESC' };
      // Row totals: c 100, a 9, b 8.
      const expected = [
        ['a', 3, 2],
        ['c', 2, 100],
        ['a', 2, 4],
        ['b', 2, 8],
        ['a', 1, 3],
        ['b', 1, 0],
      ];
      expect(await clinic.table({ ...crosstab, sorts: [byYear, ...byCost] })).toEqual(expected);
      expect(await clinic.table({ ...crosstab, sorts: [byYear, ...byCost], limit: 2 })).toEqual(
        expected.filter(([ward]) => ward !== 'b'),
      );
      expect(await clinic.table({ ...crosstab, sorts: [byYear] })).toEqual([
        ['a', 3, 2],
        ['a', 2, 4],
        ['b', 2, 8],
        ['c', 2, 100],
        ['a', 1, 3],
        ['b', 1, 0],
      ]);
    });

    it('a matrix has its rows in the order of their totals, though records come by column first', async () => {
      const clinic = await open([visits], document);
      const sorts = [
        { field: 'visits.year', direction: 'DESC' as const },
        { metric: 'cost', direction: 'DESC' as const },
      ];
      const matrix = await clinic.operations().query({ connection: 'test', ...crosstab, sorts, format: 'matrix' });
      if (!('cellSetBody' in matrix)) throw new Error('a matrix was expected');
      const lines = [...matrix.cellSetHeaders, ...matrix.cellSetBody].map((line) => line.map(({ value }) => value));
      expect(lines).toEqual([
        [null, '3', '2', '1'],
        ['ward', 'cost', 'cost', 'cost'],
        ['c', null, '100', null],
        ['a', '2', '4', '3'],
        ['b', null, '8', '0'],
      ]);
    });

    it('columns of several fields are in the order of the sorts, not of the fields', async () => {
      const clinic = await open([visits], document);
      const request = {
        rows: [at('visits.id')],
        columns: [at('visits.ward'), at('visits.year')],
        values: values('cost'),
        sorts: [{ field: 'visits.year', direction: 'DESC' as const }, { field: 'visits.ward' }],
      };
      const matrix = await clinic.operations().query({ connection: 'test', ...request, format: 'matrix' });
      if (!('cellSetBody' in matrix)) throw new Error('a matrix was expected');
      const [wards, years] = matrix.cellSetHeaders.map((line) => line.slice(1).map(({ value }) => value));
      expect(wards).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
      expect(years).toEqual(['3', '2', '2', '2', '1', '1']);
    });

    it('without a limit it is the cells that are cut, and the answer says so', async () => {
      const clinic = await open([visits], document, { maxRows: 3 });
      expect((await clinic.run({ ...crosstab, sorts: byCost })).meta).toEqual({ rowCount: 3, truncated: true });
    });

    it('a row that counts too few has no rank, and small cells of the others are masked', async () => {
      const clinic = await open([visits], document, { kAnonymity: { threshold: 3, mask: null } });
      const request = { ...crosstab, values: values('cost', 'visit_count'), sorts: byCost };
      expect(await clinic.table(request)).toEqual([
        ['a', 1, 3, 3],
        ['a', 2, null, null],
        ['a', 3, null, null],
        ['b', 1, 0, 3],
        ['b', 2, null, null],
        ['c', 2, null, null],
      ]);
      expect((await clinic.run({ ...request, limit: 1 })).meta).toMatchObject({
        rowCount: 3,
        suppressed: { count: 2 },
      });
    });
  });
});
