/** Levels and distinct counts over arrays, maps, structs, documents and bytes: their members are the texts of the values, on every engine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { STRUCTURED, structuredTable } from '../../../server/warehouse/testing/structured-columns.ts';
import { checkTables } from '../catalog/check-tables.ts';
import { readSchema } from '../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from './index.ts';
import { LARGE_LEVELS } from './testing/open-schema.ts';
import { recorded } from './testing/recorded.ts';

const schemaOf = (columns: readonly string[]) => `<Schema name="S"><Cube name="Things"><Table name="things"/>
  ${columns.map((name) => `<Dimension name="${name}"><Hierarchy hasAll="true"><Level name="${name}" column="${name}" uniqueMembers="true"/></Hierarchy></Dimension>`).join('\n')}
  <Measure name="Total" column="id" aggregator="sum" formatString="0"/>
  ${columns.map((name) => `<Measure name="Different ${name}" column="${name}" aggregator="distinct-count" formatString="0"/>`).join('\n')}
</Cube></Schema>`;

describeEngines('on $engine', (engine) => {
  const columns = Object.keys(STRUCTURED[engine]);
  let on: TestWarehouse;
  const catalogs: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, structuredTable(engine), { poolSize: 2 });
    const { schema } = readSchema(schemaOf(columns));
    if (schema === undefined) throw new Error('There is no schema.');
    const checked = await checkTables(schema, on.warehouse);
    expect(checked.problems).toEqual([]);
    for (const largeLevel of LARGE_LEVELS)
      catalogs.push(openCatalog({ schema: checked.schema, warehouse: on.warehouse, largeLevel }));
  });
  afterAll(() => on?.stop());
  const hasNulls = engine !== 'clickhouse';

  it.each(Object.entries(STRUCTURED[engine]))('%s', async (column, [, [, first], [, second]]) => {
    const quoted = (text: string) => `[${column}].[${text.replaceAll(']', ']]')}]`;
    for (const catalog of catalogs) {
      const values = async (mdx: string) => {
        const { axes, cells } = await catalog.query(mdx);
        const names = (axes[0]?.tuples ?? []).map(([member]) => member?.name ?? '');
        return Object.fromEntries(names.map((name, index) => [name, cells[index]?.value]));
      };
      expect(await values(`select [${column}].[${column}].Members on 0 from Things`)).toEqual({
        [first]: 1,
        [second]: 2,
        ...(hasNulls ? { '#null': 3 } : {}),
      });
      expect(await values(`select {[Measures].[Total]} on 0 from Things where ${quoted(first)}`)).toEqual({ Total: 1 });
      expect(
        await values(`select {[Measures].[Total]} on 0 from Things where {${quoted(first)}, ${quoted(second)}}`),
      ).toEqual({ Total: 3 });
      expect(
        await values(`select TopCount([${column}].[${column}].Members, 1, -[Measures].[Total]) on 0 from Things`),
      ).toEqual({
        [first]: 1,
      });
      expect(await values(`select {[Measures].[Different ${column}]} on 0 from Things`)).toEqual({
        [`Different ${column}`]: 2,
      });
      const members = await catalog.searchMembers({
        cube: 'Things',
        level: `[${column}].[${column}]`,
        text: first,
        limit: 5,
      });
      expect(members.map(({ caption }) => caption)).toEqual([first]);
      const { rows } = await catalog.drillthrough(
        `drillthrough select {[Measures].[Total]} on 0 from Things where ${quoted(second)} return [${column}].[${column}], [Measures].[Total]`,
        { maxRows: 5 },
      );
      expect(rows.map((row) => row.map(String))).toEqual([[second, '2']]);
    }
  });
});

it('a level over values without a text is refused at the schema, and the rest of the cube answers', async () => {
  const { schema } = readSchema(schemaOf(['visitors']));
  if (schema === undefined) throw new Error('There is no schema.');
  const duckdb = await startWarehouse('duckdb', [
    'CREATE TABLE things (id INTEGER, visitors INTEGER)',
    'INSERT INTO things VALUES (1, 7)',
  ]);
  try {
    const { dialect } = duckdb.warehouse;
    const sketches = [
      { name: 'id', type: 'integer', nativeType: 'integer', nullable: true },
      { name: 'visitors', type: 'other', nativeType: 'HyperLogLog', nullable: true },
    ] as const;
    const checked = await checkTables(schema, { columnsByName: async () => [sketches] });
    const warehouse = { ...recorded(duckdb.warehouse).warehouse, dialect: { ...dialect, valueText: () => undefined } };
    const catalog = openCatalog({ schema: checked.schema, warehouse });
    const { cells } = await catalog.query('select {[Measures].[Total]} on 0 from Things');
    expect(cells[0]?.value).toBe(1);
    await expect(catalog.query('select [visitors].[visitors].Members on 0 from Things')).rejects.toThrow(
      'Line 2 of the schema names the column visitors. Its values, of the type HyperLogLog, have no text to show.',
    );
  } finally {
    await duckdb.stop();
  }
});
