/** Tests columns whose type has no literals or no equality: requests use them like any other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';

const KEY = '0d8a8d2c-3c1e-4b7e-9f0a-1b2c3d4e5f60';
const OTHER = 'ffffffff-3c1e-4b7e-9f0a-1b2c3d4e5f60';
const TYPES = {
  duckdb: { mood: "ENUM ('glad', 'sad')", bytes: 'BLOB', span: 'INTERVAL', tags: 'VARCHAR[]' },
  postgresql: { mood: 'mood', bytes: 'BYTEA', span: 'INTERVAL', tags: 'VARCHAR[]' },
  trino: { mood: 'VARCHAR', bytes: 'VARBINARY', span: 'INTERVAL DAY TO SECOND', tags: 'ARRAY(VARCHAR)' },
} as const;
type OddEngine = keyof typeof TYPES;
/** The engines that have a UUID and an interval; other types of each engine are in `structured-values.test.ts`. */
const ODD_ENGINES: readonly OddEngine[] = ['duckdb', 'postgresql', 'trino'];

const FIELDS = ['key', 'mood', 'doc', 'bytes', 'span', 'tags', 'word'];
const DOCUMENT = `
semantic_model:
  - name: odd
    datasets:
      - name: things
        source: things
        primary_key: [n]
        fields:
${FIELDS.map((name) => `          - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`).join('\n')}
    metrics:
      - { name: things, expression: [{ dialect: ANSI_SQL, expression: COUNT(things.n) }] }
`;

const isOdd = (engine: string): engine is OddEngine => engine in TYPES;

describeEngines('on $engine', suite, { engines: ODD_ENGINES });

function suite(engine: string): void {
  let odd: Fixture;
  beforeAll(async () => {
    if (!isOdd(engine)) throw new Error(`The types of ${engine} are missing.`);
    const { mood, bytes, span, tags } = TYPES[engine];
    const [first, second] = engine === 'trino' ? ["X'6162'", "X'6364'"] : ["'ab'", "'cd'"];
    const warehouse = await startWarehouse(engine, [
      ...(engine === 'postgresql' ? ["CREATE TYPE mood AS ENUM ('glad', 'sad')"] : []),
      `CREATE TABLE things (n INTEGER, key UUID, mood ${mood}, doc JSON, bytes ${bytes}, span ${span}, tags ${tags}, word VARCHAR)`,
      `INSERT INTO things VALUES
         (1, '${KEY}', 'glad', '{"a":1}', ${first}, INTERVAL '1' DAY, ARRAY['x', 'y'], 'one'),
         (2, '${OTHER}', 'sad', '{"a":2}', ${second}, INTERVAL '2' DAY, ARRAY['z'], 'two'),
         (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
    ]);
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    odd = await Fixture.open({ warehouse, cache, document: DOCUMENT });
  });
  afterAll(() => odd.close());

  const at = (field: string) => ({ dataset: 'things', field });
  const values = [{ metric: 'things' }];

  it('the model loads whole', () => expect(odd.problems).toEqual([]));

  it.each(FIELDS)('%s makes groups, nulls among them', async (field) => {
    const rows = await odd.table({ rows: [at(field)], values });
    expect(rows.map((row) => row[1])).toEqual([1, 1, 1]);
    expect(rows.at(-1)?.[0]).toBeNull();
  });

  it.each(FIELDS)('%s alone gives its distinct values, sorted either way', async (field) => {
    const up = await odd.table({ rows: [at(field)], sorts: [{ field: `things.${field}`, direction: 'ASC' }] });
    const down = await odd.table({ rows: [at(field)], sorts: [{ field: `things.${field}`, direction: 'DESC' }] });
    expect(up).toHaveLength(3);
    expect(down.slice(0, 2)).toEqual(up.slice(0, 2).toReversed());
  });

  it.each([
    ['key', KEY],
    ['mood', 'glad'],
    ['word', 'one'],
  ])('%s is compared with its text', async (field, value) => {
    expect(await odd.table({ values, filters: [{ ...at(field), op: 'EQ', value }] })).toEqual([[1]]);
    expect(await odd.table({ values, filters: [{ ...at(field), op: 'NEQ', value }] })).toEqual([[1]]);
    expect(await odd.table({ values, filters: [{ ...at(field), op: 'IN', values: [value, 'none of them'] }] })).toEqual(
      [[1]],
    );
  });

  it.each(FIELDS)('%s compared with text of another kind matches nothing', async (field) => {
    expect(await odd.table({ values, filters: [{ ...at(field), op: 'EQ', value: 'no such thing' }] })).toEqual([[0]]);
  });

  it.each(FIELDS)('%s refuses text that no engine can hold', async (field) => {
    const refusal = await odd.refusal({ values, filters: [{ ...at(field), op: 'EQ', value: 'a\u0000b' }] });
    expect(refusal.problems.map((problem) => toProblemBody(problem).field)).toEqual(['filters[0].value']);
  });
}
