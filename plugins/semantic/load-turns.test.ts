/** Tests that large semantic documents are read, bound and tried without blocking the event loop. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isHeld, longestHold } from '../../router/testing/loop-delay.ts';
import { entryPoint } from '../../server/entry-points.ts';
import { startWarehouse, type TestWarehouse } from '../../server/warehouse/testing/engines.ts';
import { ThreadPool } from '../../server/workers/thread-pool.ts';
import { inlineReader, pooledReader } from './document-reader.ts';
import { loadModel } from './load.ts';
import type { SqlResult, SqlTask } from './model/sql-task.ts';
import type { YamlResult } from './model/yaml-text.ts';

const FIELDS = 1_000;
const METRICS = 500;

const element = (name: string, sql: string) =>
  `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${sql}" }] } }`;
const DOCUMENT = `semantic_model:
  - name: wide
    datasets:
      - name: t
        source: t
        primary_key: [id]
        fields: [${Array.from({ length: FIELDS }, (_, at) => element(`f${at}`, `amount * ${at} + id`)).join(', ')}]
    metrics: [${Array.from({ length: METRICS }, (_, at) => element(`m${at}`, at === 7 ? 'SUM(t.none)' : `SUM(t.amount * ${at}) / COUNT(t.id)`)).join(', ')}]
`;

let warehouse: TestWarehouse;
let yaml: ThreadPool<string, YamlResult>;
let sql: ThreadPool<SqlTask, SqlResult>;
beforeAll(async () => {
  warehouse = await startWarehouse('duckdb', ['CREATE TABLE t (id INTEGER, amount INTEGER)']);
  yaml = new ThreadPool({ module: entryPoint('yaml-worker').module, size: 1 });
  sql = new ThreadPool({ module: entryPoint('sql-worker').module, size: 1 });
});
afterAll(async () => {
  await yaml.close();
  await sql.close();
  await warehouse.stop();
});

it('a document of 1,500 expressions is loaded without blocking the event loop', { timeout: 240_000 }, async () => {
  const opened = await warehouse.warehouses.open(warehouse.address);
  const reader = pooledReader({ yaml, sql, sqlTexts: inlineReader.sqlTexts });
  const load = async () => {
    const { model, problems } = await loadModel({ schema: undefined }, DOCUMENT, opened, reader);
    expect(model?.metrics.size).toBe(METRICS - 1);
    expect(model?.datasets.get('t')?.fields.size).toBe(FIELDS);
    expect(problems).toMatchObject([{ line: 8, message: expect.stringContaining('metric m7: left out') }]);
  };
  const hold = await longestHold(load);
  expect(isHeld(hold), JSON.stringify(hold)).toBe(false);
});
