/** Columns without SQL literals on each engine: structures, documents and bytes, with two values and the text of each. */

type Engine = 'duckdb' | 'postgresql' | 'sqlite' | 'mariadb' | 'clickhouse' | 'trino';
type Column = readonly [
  type: string,
  first: readonly [sql: string, text: string],
  second: readonly [sql: string, text: string],
];

const [AB, ZERO] = ['YWI=', 'AP8='] as const;

export const STRUCTURED: Readonly<Record<Engine, Readonly<Record<string, Column>>>> = {
  duckdb: {
    list: ['VARCHAR[]', ["['x', 'y']", '[x, y]'], ["['z']", '[z]']],
    record: [
      'STRUCT(a INTEGER, b VARCHAR)',
      ["{ a: 1, b: 'q' }", "{'a': 1, 'b': q}"],
      ['{ a: 2, b: NULL }', "{'a': 2, 'b': NULL}"],
    ],
    lookup: ['MAP(VARCHAR, INTEGER)', ["MAP { 'k': 1 }", '{k=1}'], ["MAP { 'k': 2 }", '{k=2}']],
    document: ['JSON', [`'{"a":1}'`, '{"a":1}'], ["'[2]'", '[2]']],
    bytes: ['BLOB', ["'ab'::BLOB", AB], ["'\\x00\\xFF'::BLOB", ZERO]],
  },
  postgresql: {
    list: ['TEXT[]', ["'{x,y}'", '{x,y}'], ["'{z}'", '{z}']],
    document: ['JSONB', [`'{"a": 1}'`, '{"a": 1}'], ["'[2]'", '[2]']],
    plain_document: ['JSON', [`'{"a":  1}'`, '{"a":  1}'], ["'[2]'", '[2]']],
    bytes: ['BYTEA', ["'ab'", AB], ["'\\x00ff'", ZERO]],
  },
  sqlite: {
    document: ['JSON', [`'{"a":1}'`, '{"a":1}'], ["'[2]'", '[2]']],
    bytes: ['BLOB', ["x'6162'", AB], ["x'00ff'", ZERO]],
  },
  mariadb: {
    document: ['JSON', [`'{"a": 1}'`, '{"a": 1}'], ["'[2]'", '[2]']],
    bytes: ['VARBINARY(20)', ["x'6162'", AB], ["x'00ff'", ZERO]],
    long_bytes: ['BLOB', ["x'6162'", AB], ["x'00ff'", ZERO]],
  },
  clickhouse: {
    list: ['Array(String)', ["['x', 'y']", "['x','y']"], ["['z']", "['z']"]],
    record: ['Tuple(a Int32, b String)', ["(1, 'q')", "(1,'q')"], ["(2, '')", "(2,'')"]],
    lookup: ['Map(String, Int32)', ["map('k', 1)", "{'k':1}"], ["map('k', 2)", "{'k':2}"]],
  },
  trino: {
    list: ['ARRAY(VARCHAR)', ["ARRAY['x', 'y']", '["x","y"]'], ["ARRAY['z', NULL]", '["z",null]']],
    record: ['ROW(a INTEGER, b VARCHAR)', ["ROW(1, 'q')", '{"a":1,"b":"q"}'], ['ROW(2, NULL)', '{"a":2,"b":null}']],
    lookup: [
      'MAP(VARCHAR, INTEGER)',
      ["MAP(ARRAY['k'], ARRAY[1])", '{"k":1}'],
      ["MAP(ARRAY['k'], ARRAY[2])", '{"k":2}'],
    ],
    document: ['JSON', [`'{"a": 1}'`, '{"a":1}'], ["'[2]'", '[2]']],
    bytes: ['VARBINARY', ["X'6162'", AB], ["X'00ff'", ZERO]],
    // JSON has no such members: they are texts in it.
    clocks: [
      'ARRAY(TIME(3))',
      ["ARRAY[TIME '10:00:00.5']", '["10:00:00.500"]'],
      ["ARRAY[TIME '23:59:00']", '["23:59:00.000"]'],
    ],
    days: [
      'MAP(DATE, ROW("a b" UUID))',
      [
        "MAP(ARRAY[DATE '2024-02-29'], ARRAY[ROW(UUID '0d8a8d2c-3c1e-4b7e-9f0a-1b2c3d4e5f60')])",
        '{"2024-02-29":{"a b":"0d8a8d2c-3c1e-4b7e-9f0a-1b2c3d4e5f60"}}',
      ],
      ['MAP()', '{}'],
    ],
  },
};

/** Writes the statements that make a table `things` of all of them: two rows, and where the engine has nulls here a third of nulls. */
export function structuredTable(engine: Engine): readonly string[] {
  const columns = Object.entries(STRUCTURED[engine]);
  const hasNulls = engine !== 'clickhouse';
  const shape = columns.map(([name, [type]]) => `${name} ${type}`).join(', ');
  const row = (id: number, at: 1 | 2) => `(${[id, ...columns.map(([, column]) => column[at][0])].join(', ')})`;
  const nulls = `(3, ${columns.map(() => 'NULL').join(', ')})`;
  return [
    `CREATE TABLE things (id INTEGER, ${shape})${hasNulls ? '' : ' ENGINE = MergeTree ORDER BY tuple()'}`,
    `INSERT INTO things VALUES ${[row(1, 1), row(2, 2), ...(hasNulls ? [nulls] : [])].join(', ')}`,
  ];
}
