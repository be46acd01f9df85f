import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from '../index.ts';

/** Tests inline tables: rows written in the schema are read and joined on every engine. */

/** Texts that try to end their quotes, or that change where a backslash starts an escape. */
const NAMES = ['C:\\', "Joy's", "\\' OR 1 = 1 --", 'a"b`c', '$1 ? :y {p0:String}', '組 é', '--'];

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function table(alias: string, columns: Readonly<Record<string, string>>, rows: readonly (readonly string[])[]): string {
  const names = Object.keys(columns);
  const cells = (row: readonly string[]) =>
    row
      .map((value, index) => (value === '' ? '' : `<Value column="${names[index]}">${escaped(value)}</Value>`))
      .join('');
  return `<InlineTable alias="${alias}"><ColumnDefs>${names.map((name) => `<ColumnDef name="${name}" type="${columns[name]}"/>`).join('')}</ColumnDefs>
    <Rows>${rows.map((row) => `<Row>${cells(row)}</Row>`).join('')}</Rows></InlineTable>`;
}

const dimension = (name: string, key: string, levels: string, rows: string) =>
  `<Dimension name="${name}" foreignKey="${key}"><Hierarchy hasAll="true" primaryKey="k">${rows}${levels}</Hierarchy></Dimension>`;

const KINDS = table(
  'kinds',
  { k: 'Integer', label: 'String', since: 'Date', share: 'Numeric', open: 'Boolean' },
  NAMES.map((name, index) => [
    String(index),
    name,
    `2024-0${index + 1}-29`,
    `${index}.5`,
    index % 2 === 0 ? 'true' : '',
  ]),
);
const BIG = table('big', { k: 'Integer', label: 'String' }, [
  ['1234567890123', 'thirteen digits'],
  ['-9223372036854775808', 'the least'],
  ['7', ''],
]);
const CODES = table('codes', { k: 'String', label: 'String' }, [
  ['a\\b', 'with a backslash'],
  ["it's", 'with a quote'],
]);
const NOTHING = table('nothing', { k: 'Integer', label: 'String' }, []);

const SCHEMA = `<Schema name="Inline"><Cube name="Facts"><Table name="facts"/>
  ${dimension('Kind', 'kind', '<Level name="Kind" column="k" nameColumn="label" type="Integer" uniqueMembers="true"><Property name="Since" column="since" type="Date"/><Property name="Share" column="share" type="Numeric"/></Level>', KINDS)}
  ${dimension('Big', 'big', '<Level name="Big" column="k" type="Integer" uniqueMembers="true"><Property name="Label" column="label"/></Level>', BIG)}
  ${dimension('Code', 'code', '<Level name="Code" column="label" uniqueMembers="true"/>', CODES)}
  ${dimension('Nothing', 'kind', '<Level name="Nothing" column="label" uniqueMembers="true"/>', NOTHING)}
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/>
</Cube></Schema>`;

describeEngines(
  'rows of a schema on $engine',
  (engine) => {
    let on: TestWarehouse;
    let catalog: MdxCatalog;

    beforeAll(async () => {
      const text = (value: string) =>
        `'${(engine === 'mariadb' || engine === 'clickhouse' ? value.replaceAll('\\', '\\\\') : value).replaceAll("'", "''")}'`;
      on = await startWarehouse(
        engine,
        [
          'CREATE TABLE facts (kind INTEGER, big BIGINT, code VARCHAR(20), units INTEGER)',
          `INSERT INTO facts VALUES (0, 1234567890123, ${text('a\\b')}, 1), (1, -9223372036854775808, ${text("it's")}, 2), (2, 7, ${text('a\\b')}, 4), (2, 8, ${text('other')}, 8)`,
        ],
        { poolSize: 1 },
      );
      const { schema, problems } = readSchema(SCHEMA);
      expect(problems).toEqual([]);
      if (schema === undefined) throw new Error('There is no schema.');
      catalog = openCatalog({ schema, warehouse: on.warehouse });
    });
    afterAll(async () => {
      await catalog?.close();
      await on?.stop();
    });

    async function rows(set: string): Promise<readonly (readonly [string, number | null])[]> {
      const { axes, cells } = await catalog.query(`select ${set} on 0 from Facts where [Measures].[Units]`);
      return (axes[0]?.tuples ?? []).map((tuple, index) => {
        const value = cells[index]?.value ?? null;
        return [tuple[0]?.name ?? '', value === null ? null : Number(value)];
      });
    }

    it('hold any text, and join by whole numbers', async () => {
      expect(await rows('[Kind].[Kind].Members')).toEqual(
        NAMES.map((name, index) => [name, [1, 2, 12][index] ?? null]),
      );
    });

    it('have dates, numbers and blanks as properties', async () => {
      const { cells } = await catalog.query(
        `with member Measures.S as [Kind].CurrentMember.Properties("Since") member Measures.H as [Kind].CurrentMember.Properties("Share")
         select {Measures.S, Measures.H} on 0, {[Kind].&[1], [Kind].&[6]} on 1 from Facts`,
      );
      expect(cells.map(({ value }) => String(value))).toEqual(['2024-02-29', '1.5', '2024-07-29', '6.5']);
    });

    it('have keys of 64 bits', async () => {
      expect(await rows('[Big].[Big].Members')).toEqual([
        ['-9223372036854775808', 2],
        ['7', 4],
        ['1234567890123', 1],
      ]);
      expect(await rows('{[Big].&[1234567890123]}')).toEqual([['1234567890123', 1]]);
    });

    it('join by text', async () => {
      expect(await rows('[Code].[Code].Members')).toEqual([
        ['with a backslash', 5],
        ['with a quote', 2],
      ]);
    });

    it('may be none', async () => {
      expect(await rows('[Nothing].[Nothing].Members')).toEqual([]);
    });
  },
  { timeout: 300_000 },
);

describe('rows of a schema', () => {
  const problems = (type: string, ...values: readonly string[]) =>
    readSchema(
      `<Schema name="S"><Cube name="C">${table(
        't',
        { a: type },
        values.map((value) => [value]),
      )}<Measure name="M" aggregator="count"/></Cube></Schema>`,
    );
  const columnOf = (type: string, ...values: readonly string[]) => {
    const fact = problems(type, ...values).schema?.cubes[0]?.measureGroups[0]?.fact;
    if (fact?.kind !== 'inline') throw new Error('There are no rows.');
    return [fact.columns[0]?.type, ...fact.rows.map(([value]) => value)];
  };

  it.each<readonly [string, readonly string[], readonly (string | null)[]]>([
    ['Integer', ['007', '-3'], ['integer', '7', '-3']],
    ['Integer', ['9223372036854775807'], ['integer', '9223372036854775807']],
    ['Integer', ["X'4546'", "x''"], ['binary', 'RUY=', '']],
    ['Integer', ['1', '2.50'], ['float', '1', '2.5']],
    ['Numeric', ['9223372036854775808'], ['float', '9223372036854776000']],
    ['Boolean', ['TRUE', '0'], ['boolean', 'true', 'false']],
    ['Date', ['2024-02-29'], ['date', '2024-02-29']],
    ['Date', ['2024-02-29', '2024-03-01 10:00:00'], ['timestamp', '2024-02-29 00:00:00', '2024-03-01 10:00:00']],
    ['Timestamp', ['2024-02-29T10:00:00.5'], ['timestamp', '2024-02-29 10:00:00.5']],
    ['Time', ['23:59:59'], ['time', '23:59:59']],
    ['String', ["X'4546'"], ['text', "X'4546'"]],
  ])('of type %s: %j', (type, values, expected) => {
    expect(problems(type, ...values).problems).toEqual([]);
    expect(columnOf(type, ...values)).toEqual(expected);
  });

  it.each([
    ['Integer', ['1', 'one'], 'but has the value "one", so it is read as text.'],
    ['Integer', ['1', "X'45'"], 'but its values have several types, so it is read as text.'],
    ['Date', ['2024-02-30'], 'but has the value "2024-02-30", so it is read as text.'],
    ['Boolean', ['yes'], 'but has the value "yes", so it is read as text.'],
    ['Time', ['25:00:00'], 'but has the value "25:00:00", so it is read as text.'],
  ])('that are not of type %s are read as text, with a warning: %j', (type, values, message) => {
    expect(problems(type, ...values).problems).toEqual([
      { line: 1, severity: 'warning', message: `The column "a" is of type ${type}, ${message}` },
    ]);
    expect(columnOf(type, ...values)).toEqual(['text', ...values]);
  });
});
