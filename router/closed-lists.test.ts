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

it('a wrong value of the member that tells branches apart is answered with the values of all of them', () => {
  const available = ['circle', 'square', 'box'];
  expect(problemsOf(z.strictObject({ shape: Shape }), { shape: { kind: 'line' } })).toEqual([
    { field: 'shape.kind', message: 'Use one of: circle, square, box.', available },
  ]);
});

it('so it is where branches are tried one after the other', () => {
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

it('a member that no branch has is answered with the members of the branch that the value means', () => {
  const told = problemsOf(z.strictObject({ shape: Shape }), { shape: { kind: 'circle', radius: 1, sid: 2 } });
  expect(told).toEqual([
    { field: 'shape.sid', message: 'There is no member "sid" here.', available: ['kind', 'radius'] },
  ]);
});
