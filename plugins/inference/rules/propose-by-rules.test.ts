import { describe, expect, it } from 'vitest';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { firstAnswers } from '../publish/first-answers.ts';
import type { Column, Table } from '../schemas.ts';
import { proposeByRules } from './propose-by-rules.ts';

await loadSqlLibrary();

const column = (
  name: string,
  distinctApprox: number,
  [min, max]: readonly [number, number],
  type = 'BIGINT',
): Column => ({
  name,
  type,
  nullable: false,
  distinctApprox,
  sampleValues: [min, max],
  min,
  max,
  nulls: 0,
});
const text = (name: string, distinctApprox: number): Column => ({
  ...column(name, distinctApprox, [0, 0], 'VARCHAR'),
  sampleValues: ['Chad', 'Peru'],
  min: 'Chad',
  max: 'Peru',
});
const proposalOf = (
  name: string,
  rowCount: number,
  columns: readonly Column[],
  keys: readonly (string | readonly string[])[] = [],
) => {
  const table: Table = {
    schema: 'main',
    name,
    rowCount,
    columns: [...columns],
    keys: keys.map((key) => [key].flat()),
  };
  return proposeByRules({ tables: [table] }, { schemaName: 's' });
};
const measuresOf = (...of: Parameters<typeof proposalOf>) =>
  proposalOf(...of).cubes[0]?.measures.map(({ name }) => name);

describe('whole numbers that never repeat', () => {
  const rows = 600;
  const unique = (name: string, range: readonly [number, number]) =>
    measuresOf('t', rows, [text('country', 20), column(name, rows, range)], [name]);

  it('are amounts if they are distributed like amounts', () => {
    expect(unique('gdp', [1_200, 987_654_321])).toEqual(['Gdp', 'Row Count']);
    expect(unique('inhabitants', [811, 83_000_000])).toEqual(['Inhabitants', 'Row Count']);
  });

  it('identify their rows if they count them, have one length, or are the first column', () => {
    expect(unique('serial', [1, 600])).toEqual(['Row Count']);
    expect(unique('ean', [4_000_000_000_017, 9_000_000_000_001])).toEqual(['Row Count']);
    expect(measuresOf('t', rows, [column('bon', rows, [3, 987_654_321]), text('shop', 5)], ['bon'])).toEqual([
      'Row Count',
    ]);
  });
});

describe('numbers that are places in a calendar', () => {
  const world = () =>
    proposalOf('world', 600, [
      column('year', 60, [1960, 2019]),
      text('country', 10),
      column('gdp', 600, [1_200, 987_654_321]),
    ]);

  it('are grouped by, not summed', () => {
    const [cube] = world().cubes;
    expect(cube?.measures.map(({ name }) => name)).toEqual(['Gdp', 'Row Count']);
    expect(cube?.dimensions.map(({ name }) => name)).toEqual(['Year', 'Country']);
  });

  it('give the course over the years among the first answers', () => {
    const documents = firstAnswers(world(), 'c', 'shared/c', ['cube', 'semantic']);
    const course = documents.find(({ path }) => path.endsWith('/over-time.service'));
    expect(JSON.parse(course?.text ?? '{}')).toMatchObject({
      title: 'Gdp by year',
      source: {
        surface: 'semantic',
        request: { values: [{ metric: 'gdp' }], rows: [{ dataset: 'world', field: 'year' }] },
      },
    });
  });

  it('columns that name a class are a dimension, too', () => {
    const [cube] = proposalOf('t', 5_000, [column('priority', 4, [1, 4]), column('sales', 900, [1, 2_000])]).cubes;
    expect(cube?.dimensions.map(({ name }) => name)).toEqual(['Priority']);
    expect(cube?.measures.map(({ name }) => name)).toEqual(['Sales', 'Row Count']);
  });
});

describe('a table of figures that were summed up before', () => {
  const sales = column('sales', 55, [10, 90_000]);
  const month = text('month', 12);

  it('has no count of its rows, as each is a group: one for each month, or for each month and region', () => {
    expect(measuresOf('t', 12, [month, sales], ['month'])).toEqual(['Sales']);
    expect(measuresOf('t', 60, [month, text('region', 5), sales], [['month', 'region']])).toEqual(['Sales']);
  });

  it('has one where the rows are cases: of days and shops of which most are not there, of instants, of persons', () => {
    const day = column('day', 365, [0, 1], 'DATE');
    expect(measuresOf('t', 300, [day, text('shop', 20), sales], [['day', 'shop']])).toContain('Row Count');
    const instant = column('at', 60, [0, 1], 'TIMESTAMP');
    expect(measuresOf('t', 60, [instant, sales], ['at'])).toContain('Row Count');
    expect(measuresOf('t', 60, [month, text('name', 5), sales], [['month', 'name']])).toContain('Row Count');
  });
});
