import { afterEach, expect, it } from 'vitest';
import { isHeld, longestHold } from '../../../router/testing/loop-delay.ts';
import { entryPoint } from '../../../server/entry-points.ts';
import { ThreadPool } from '../../../server/workers/thread-pool.ts';
import { MAX_SCHEMA_LENGTH } from '../limits.ts';
import { openCatalog } from '../mdx/index.ts';
import { NO_WAREHOUSE } from '../offline/no-warehouse.ts';
import { pooledSchemaReader, readServable, type ServableSchema } from './servable-schema.ts';

let pool: ThreadPool<string, ServableSchema>;
const open = () => (pool = new ThreadPool({ module: entryPoint('cube-schema-worker').module, size: 1 }));
afterEach(() => pool?.close());

const list = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at)).join('');
const dimension = (index: number) =>
  `<Dimension name="D${index}" foreignKey="k${index}"><Hierarchy hasAll="true" primaryKey="id"><Table name="d${index}"/>${list(
    4,
    (level) => `<Level name="L${level}" column="c${level}" uniqueMembers="false"/>`,
  )}</Hierarchy></Dimension>`;
const cube = (index: number) =>
  `<Cube name="C${index}"><Table name="t${index}"/>${list(10, dimension)}${list(
    20,
    (measure) => `<Measure name="M${measure}" column="m${measure}" aggregator="sum"/>`,
  )}${list(
    20,
    (measure) =>
      `<CalculatedMember name="F${measure}" dimension="Measures" formula="[Measures].[M${measure}] / [Measures].[M0]"/>`,
  )}</Cube>`;
/** Makes a schema with about 6,200 characters for each cube. */
const schemaOf = (cubes: number) => `<Schema name="Big">${list(cubes, cube)}</Schema>`;

it('a schema from the thread is complete, with its problems', async () => {
  const text = schemaOf(10).replace('[Measures].[M3] / ', '[Measures].[M3] / / ').replace('name="M7"', 'name="M8"');
  const read = await pooledSchemaReader(open())(text);
  expect(read).toEqual(readServable(text));
  expect(read.formulas).toMatchObject([{ severity: 'error', line: 1 }]);
  expect(read.problems).toMatchObject([{ severity: 'warning' }]);
});

it('a schema that takes too long is a problem, and the next one is read', async () => {
  const read = await pooledSchemaReader(open(), 20)(schemaOf(200));
  expect(read.problems).toEqual([{ severity: 'error', message: 'The schema takes longer than 0.02 s to read.' }]);
  expect(await pooledSchemaReader(pool)(schemaOf(10))).toMatchObject({ schema: { name: 'Big' }, problems: [] });
});

it('a schema that is too large is not read', () => {
  expect(readServable(`${schemaOf(1)}${' '.repeat(MAX_SCHEMA_LENGTH)}`)).toMatchObject({
    schema: undefined,
    problems: [{ severity: 'error' }],
  });
});

it('a schema of more than a million characters is read and checked without holding the event loop', {
  timeout: 120_000,
}, async () => {
  const text = schemaOf(250);
  expect(text.length).toBeGreaterThan(1_000_000);
  const read = pooledSchemaReader(open());
  expect(isHeld(await longestHold(async () => read(text)))).toBe(false);
  const { schema } = await read(text);
  if (schema === undefined) throw new Error('it can be read');
  const check = async () => {
    const catalog = openCatalog({ schema, warehouse: NO_WAREHOUSE });
    expect((await catalog.check({ hasData: false, timeMs: 60_000 })).mistakes).toEqual([]);
    await catalog.close();
  };
  expect(isHeld(await longestHold(check))).toBe(false);
});

it('a schema of many cubes is described at once', async () => {
  const { schema } = readServable(schemaOf(40));
  if (schema === undefined) throw new Error('it can be read');
  const catalog = openCatalog({ schema, warehouse: NO_WAREHOUSE });
  const before = process.memoryUsage().heapUsed;
  for (const { name } of schema.cubes) catalog.describe(name);
  // 400 hierarchies without loaded members. Each once allocated room for 20,000 look-ups.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000);
  await catalog.close();
});
