/** Replays the set of questions: each answer must equal the result of its SQL statement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskingProduct, CUBE, MODEL, readPrompt, startAsking } from './testing/asking.ts';
import { QUESTIONS } from './testing/questions.ts';
import { openWarehouse } from './testing/warehouse.ts';

let product: AskingProduct;
const expected = new Map<string, readonly (readonly unknown[])[]>();

beforeAll(async () => {
  product = await startAsking({ settings: { 'ai.kAnonymity': '0', 'service.ai.kAnonymity.k': '0' } });
  const warehouse = await openWarehouse(product.warehouse);
  for (const { sql } of QUESTIONS) if (sql !== undefined) expected.set(sql, await warehouse.rows(sql));
  warehouse.close();
});
afterAll(() => product?.stop());

test('there are forty questions', () => {
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(40);
});

test.each(QUESTIONS)('$on: $question', async ({ question, on, writes, sql, isOrdered, error }) => {
  const { llm, reply, call } = product;
  const before = llm.requests.length;
  reply((_, index) => writes[Math.min(index - before, writes.length - 1)] ?? { text: '' });
  const target = on === 'cube' ? { cube: CUBE } : MODEL;
  const { status, body } = await call(`POST /ai/${on === 'cube' ? '' : 'semantic/'}ask`, { ...target, question });
  if (error !== undefined) {
    expect(on === 'cube' && error !== 'UPSTREAM_ERROR' ? body.status : body.error).toBe(error);
    return;
  }
  expect(status, JSON.stringify(body)).toBe(200);
  expect(llm.requests.length - before).toBe(writes.length);
  for (const request of llm.requests.slice(before)) expect(readPrompt(request).messages[0]).toContain(question);
  const rows = on === 'cube' ? body.response.data : body.response.records;
  expect(plain(rows.map(Object.values), isOrdered)).toEqual(plain(expected.get(sql ?? '') ?? [], isOrdered));
});

/** Writes rows as texts, numbers to a ten-thousandth. */
function plain(rows: readonly (readonly unknown[])[], isOrdered = false): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(row.map(cell)));
  return isOrdered ? texts : texts.sort();
}

function cell(value: unknown): unknown {
  const cell = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  if (cell === null) return null;
  const number = Number(cell);
  return typeof cell !== 'boolean' && Number.isFinite(number) ? number.toFixed(4) : String(cell);
}
