import { expect, it } from 'vitest';
import { z } from 'zod';
import { toProblemBody } from './error-body.ts';
import { ValidationError } from './errors.ts';
import { toServiceError } from './to-service-error.ts';
import './schema-messages.ts';

function problemsOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value);
  const thrown = toServiceError(error);
  return thrown instanceof ValidationError ? thrown.problems.map(toProblemBody) : [thrown];
}

const Shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('circle'), radius: z.number() }),
  z.strictObject({ kind: z.enum(['square', 'box']), side: z.number() }),
]);

it('a wrong value of a discriminator is answered with the values of all branches', () => {
  const available = ['circle', 'square', 'box'];
  expect(problemsOf(z.strictObject({ shape: Shape }), { shape: { kind: 'line' } })).toEqual([
    { field: 'shape.kind', message: 'Use one of: circle, square, box.', available },
  ]);
});

it('a wrong value of a plain union is answered with the values of all branches', () => {
  const plain = z.union([
    z.strictObject({ kind: z.literal('circle') }),
    z.strictObject({ kind: z.literal('square') }),
    z.string(),
  ]);
  expect(problemsOf(plain, { kind: 'line' })).toEqual([
    { field: 'kind', message: 'Use one of: circle, square.', available: ['circle', 'square'] },
  ]);
  expect(problemsOf(z.union([z.literal('a'), z.enum(['b', 'c'])]), 'd')).toEqual([
    { field: '', message: 'Use one of: a, b, c.', available: ['a', 'b', 'c'] },
  ]);
});

it('an unknown member is answered with the members of the branch that the discriminator selects', () => {
  const problems = problemsOf(z.strictObject({ shape: Shape }), { shape: { kind: 'circle', radius: 1, sid: 2 } });
  expect(problems).toEqual([
    { field: 'shape.sid', message: 'There is no member "sid" here.', available: ['kind', 'radius'] },
  ]);
});
