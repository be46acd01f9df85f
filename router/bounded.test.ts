import { expect, test } from 'vitest';
import { z } from 'zod';
import { list } from './bounded.ts';
import { toProblemBody } from './error-body.ts';
import { ValidationError } from './errors.ts';
import { toServiceError } from './to-service-error.ts';
import './schema-messages.ts';

const Items = z.strictObject({
  items: list(z.strictObject({ name: z.string() }), 100)
    .min(1)
    .optional()
    .describe('Some items.'),
});

function problemsOf(value: unknown) {
  const error = toServiceError(Items.safeParse(value).error);
  if (error instanceof ValidationError)
    return { problems: error.problems.map(toProblemBody), moreProblems: error.moreProblems };
  throw error;
}

test('the JSON Schema of a list has its bound, also after other checks', () => {
  expect(z.toJSONSchema(Items).properties).toMatchObject({
    items: { type: 'array', minItems: 1, maxItems: 100, description: 'Some items.' },
  });
});

test('the entries of a bounded list are parsed and checked', () => {
  expect(Items.parse({ items: [{ name: 'a' }] })).toEqual({ items: [{ name: 'a' }] });
  expect(problemsOf({ items: [] }).problems).toMatchObject([{ field: 'items' }]);
  expect(problemsOf({ items: 1 }).problems).toMatchObject([{ field: 'items', message: 'This has to be a list.' }]);
  expect(problemsOf({ items: [{ name: 'a' }, {}, { name: 1 }] }).problems).toMatchObject([
    { field: 'items[1].name' },
    { field: 'items[2].name' },
  ]);
});

test('a list that is too long is one problem, whatever it contains', () => {
  const { problems, moreProblems } = problemsOf({ items: Array(400_000).fill(1) });
  expect(problems).toEqual([{ field: 'items', message: 'At most 100 entries.' }]);
  expect(moreProblems).toBe(0);
});

test('an answer reports twenty problems and the number of the others', () => {
  const { problems, moreProblems } = problemsOf({ items: Array(100).fill(1) });
  expect(problems).toHaveLength(20);
  expect(problems.at(-1)).toMatchObject({ field: 'items[19]' });
  expect(moreProblems).toBeGreaterThan(0);
});

test('for ten thousand unknown members, twenty problems are reported, with shortened names', () => {
  const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${'x'.repeat(190)}${index}`, 1]));
  const { problems, moreProblems } = problemsOf(body);
  expect(problems).toHaveLength(20);
  expect(moreProblems).toBe(9_980);
  expect(JSON.stringify(problems).length).toBeLessThan(10_000);
});
