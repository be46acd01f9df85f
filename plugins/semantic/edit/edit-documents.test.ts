import { afterEach, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { entryPoint } from '../../../server/entry-points.ts';
import { ThreadPool } from '../../../server/workers/thread-pool.ts';
import { type EditResult, type EditTask, pooledEditor } from './edit-documents.ts';
import type { Edit } from './edits.ts';

let pool: ThreadPool<EditTask, EditResult>;
const open = () => (pool = new ThreadPool({ module: entryPoint('model-edit-worker').module, size: 1 }));
afterEach(() => pool?.close());

const TEXT = `semantic_model:
  - name: shop # the only one
    datasets: [{ name: sales, source: sales, fields: [] }]
    metrics:
      - name: lines
        expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
`;
const DOCUMENT = { text: TEXT, schema: undefined, engine: { name: 'duckdb', parserName: 'duckdb' } };
const rename = (from: string): Edit => ({ op: 'rename', on: { kind: 'metric', name: from }, name: 'rows_sold' });

it('a thread edits a document, and a mistake comes back with its place and the legal names', async () => {
  const edit = pooledEditor(open());
  expect(await edit(DOCUMENT, [rename('lines')])).toEqual({
    text: TEXT.replace('name: lines', 'name: rows_sold'),
    renamings: [{ kind: 'metric', dataset: undefined, from: 'lines', to: 'rows_sold' }],
  });
  const mistake = await edit(DOCUMENT, [rename('lines'), rename('lines')]).catch((error: unknown) => error);
  expect(mistake).toBeInstanceOf(ValidationError);
  expect(mistake).toMatchObject({ field: 'edits[1].on.name', available: ['rows_sold'] });
});

it('a document that takes too long is refused, and the next one is edited', async () => {
  const slow = { ...DOCUMENT, text: TEXT.replace('COUNT(*)', `COUNT(*) + ${'1 + '.repeat(200_000)}1`) };
  const edits = Array.from({ length: 50 }, () => rename('lines'));
  await expect(pooledEditor(open(), 20)(slow, edits)).rejects.toMatchObject({ field: 'edits' });
  expect(await pooledEditor(pool)(DOCUMENT, [rename('lines')])).toMatchObject({ renamings: [{ to: 'rows_sold' }] });
});
