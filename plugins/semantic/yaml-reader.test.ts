import { afterEach, expect, it } from 'vitest';
import { entryPoint } from '../../server/entry-points.ts';
import { ThreadPool } from '../../server/workers/thread-pool.ts';
import { MAX_DOCUMENT_LENGTH } from './limits.ts';
import { lineFinder, readYaml, type YamlResult } from './model/yaml-text.ts';
import { pooledReader } from './yaml-reader.ts';

let pool: ThreadPool<string, YamlResult>;
const open = () => (pool = new ThreadPool({ module: entryPoint('yaml-worker').module, size: 1 }));
afterEach(() => pool?.close());

it('a document comes from the thread with its lines', async () => {
  const text = 'a: &x\n  b: 1\nc:\n  - d: 2\n  - *x\n';
  const read = await pooledReader(open())(text);
  expect(read).toEqual(readYaml(text));
  if ('problems' in read) throw new Error('it is YAML');
  expect(read.root).toEqual({ a: { b: 1 }, c: [{ d: 2 }, { b: 1 }] });
  expect([['a', 'b'], ['c', 0, 'd'], ['c', 1, 'b'], ['nowhere']].map(lineFinder(read))).toEqual([2, 4, 5, 1]);
});

it('a text that takes too long is a problem, and the next one is read', async () => {
  const read = pooledReader(open(), 50);
  // The text is read again for each quote that does not close, which takes seconds.
  expect(await read(`${'a: "x\ny"\n'.repeat(2_000)}`)).toEqual({
    problems: [{ message: 'The document takes longer than 0.05 s to read.', severity: 'error' }],
  });
  expect(await pooledReader(pool)('a: 1')).toMatchObject({ root: { a: 1 } });
});

it('a text that is too large is not read', () => {
  expect(readYaml(`a: ${'x'.repeat(MAX_DOCUMENT_LENGTH)}`)).toMatchObject({ problems: [{ severity: 'error' }] });
});
