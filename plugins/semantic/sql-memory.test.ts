import { expect, it } from 'vitest';
import { type DocumentReader, inlineReader } from './document-reader.ts';
import type { SqlTask } from './model/sql-task.ts';
import { SqlMemory } from './sql-memory.ts';

const expression = (text: string) => ({ text, from: 'ansi_sql', to: 'duckdb' });
const source = (text: string) => ({ text, dialect: 'duckdb' });
const BEFORE: SqlTask = {
  expressions: ['SUM(t.amount)', 'SUM(', 't.name'].map(expression),
  sources: ['SELECT * FROM t', 'DROP TABLE t'].map(source),
};

function listening(read: DocumentReader['sql'] = inlineReader.sql) {
  const asked: SqlTask[] = [];
  const reader: DocumentReader = {
    ...inlineReader,
    sql(task) {
      asked.push(task);
      return read(task);
    },
  };
  return { reader, asked };
}

it('a changed document has only its new SQL parsed, with the outcomes in their places', async () => {
  const { reader, asked } = listening();
  const memory = new SqlMemory();
  await memory.of(reader).sql(BEFORE);
  const after: SqlTask = {
    expressions: ['t.name', 'MAX(t.amount)', 'SUM(', 'SUM(t.amount)'].map(expression),
    sources: ['DROP TABLE t', 'SELECT 1', 'SELECT * FROM t'].map(source),
  };
  // Another reader of the same memory: drafts are read by other threads than documents.
  const read = await memory.of(reader).sql(after);
  expect(asked).toEqual([BEFORE, { expressions: [expression('MAX(t.amount)')], sources: [source('SELECT 1')] }]);
  expect(read).toEqual(await inlineReader.sql(after));
});

it('a text is parsed again for another engine', async () => {
  const { reader, asked } = listening();
  const { sql } = new SqlMemory().of(reader);
  await sql(BEFORE);
  const other: SqlTask = { expressions: [{ text: 't.name', from: 'ansi_sql', to: 'mysql' }], sources: [] };
  expect(await sql(other)).toEqual(await inlineReader.sql(other));
  expect(asked.at(-1)).toEqual(other);
});

it('a document that took too long is read again', async () => {
  let isLate = true;
  const { reader } = listening(async (task) =>
    isLate
      ? {
          expressions: task.expressions.map(() => ({ refused: 'is not read in time' })),
          sources: task.sources.map(() => true),
          problem: 'too long',
        }
      : inlineReader.sql(task),
  );
  const { sql } = new SqlMemory().of(reader);
  expect(await sql(BEFORE)).toMatchObject({ problem: 'too long' });
  isLate = false;
  expect(await sql(BEFORE)).toEqual(await inlineReader.sql(BEFORE));
});
