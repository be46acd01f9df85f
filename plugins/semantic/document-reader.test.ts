import { afterEach, expect, it } from 'vitest';
import { entryPoint } from '../../server/entry-points.ts';
import { ThreadPool } from '../../server/workers/thread-pool.ts';
import { type DocumentPools, inlineReader, pooledReader } from './document-reader.ts';
import { MAX_DOCUMENT_LENGTH } from './limits.ts';
import type { SqlResult, SqlTask } from './model/sql-task.ts';
import { lineFinder, readYaml, type YamlResult } from './model/yaml-text.ts';

let yaml: ThreadPool<string, YamlResult> | undefined;
let sql: ThreadPool<SqlTask, SqlResult> | undefined;
function open(): DocumentPools {
  yaml = new ThreadPool({ module: entryPoint('yaml-worker').module, size: 1 });
  sql = new ThreadPool({ module: entryPoint('sql-worker').module, size: 1 });
  return { yaml, sql, sqlTexts: inlineReader.sqlTexts };
}
afterEach(async () => {
  await yaml?.close();
  await sql?.close();
});

it('a document comes from the thread with its lines', async () => {
  const text = 'a: &x\n  b: 1\nc:\n  - d: 2\n  - *x\n';
  const read = await pooledReader(open()).yaml(text);
  expect(read).toEqual(readYaml(text));
  if ('problems' in read) throw new Error('it is YAML');
  expect(read.root).toEqual({ a: { b: 1 }, c: [{ d: 2 }, { b: 1 }] });
  expect([['a', 'b'], ['c', 0, 'd'], ['c', 1, 'b'], ['nowhere']].map(lineFinder(read))).toEqual([2, 4, 5, 1]);
});

it('a text that takes too long is a problem, and the next one is read', async () => {
  const pools = open();
  const { yaml: read } = pooledReader(pools, { yamlMs: 50 });
  // The text is read again for each quote that does not close, which takes seconds.
  expect(await read(`${'a: "x\ny"\n'.repeat(2_000)}`)).toEqual({
    problems: [{ message: 'The document takes longer than 0.05 s to read.', severity: 'error' }],
  });
  expect(await pooledReader(pools).yaml('a: 1')).toMatchObject({ root: { a: 1 } });
});

it('a text that is too large is not read', () => {
  expect(readYaml(`a: ${'x'.repeat(MAX_DOCUMENT_LENGTH)}`)).toMatchObject({ problems: [{ severity: 'error' }] });
});

it('expressions come from the thread as the calling thread parses them, with their mistakes', async () => {
  const text = (sql: string) => ({ text: sql, from: 'ansi_sql', to: 'duckdb' });
  const task = {
    expressions: ['SUM(t.amount) / COUNT(*)', 't.name', 'SUM(', 'COUNT(DISTINCT t.id)'].map(text),
    sources: ['SELECT * FROM t', 'DROP TABLE t'].map((source) => ({ text: source, dialect: 'duckdb' })),
  };
  const read = await pooledReader(open()).sql(task);
  expect(read).toEqual(await inlineReader.sql(task));
  expect(read.sources).toEqual([true, false]);
  expect(read.expressions.map((each) => 'refused' in each)).toEqual([false, false, true, false]);
  expect(read.expressions[1]).toMatchObject({ template: [{ kind: 'name', qualifier: 't', name: 'name' }] });
});

it('expressions that take too long refuse the document', async () => {
  const late = {
    size: 1,
    run: (_: unknown, signal?: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  const { sql: read } = pooledReader({ ...open(), sql: late }, { sqlMs: 1 });
  expect(await read({ expressions: [{ text: 'a', from: 'generic', to: 'duckdb' }], sources: [] })).toEqual({
    expressions: [{ refused: 'is not read in time' }],
    sources: [],
    problem: 'The expressions of the document take longer than 0.001 s to read.',
  });
});
