import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from './parse-input.ts';

const Request = z.strictObject({
  rows: z.array(z.string()).optional(),
  limit: z.int().optional(),
  filler: z.string().nullable().optional(),
});

it('takes null for an absent member, unless the member may be null', () => {
  expect(parseInput(Request, { rows: ['a'], limit: null, filler: null })).toEqual({ rows: ['a'], filler: null });
});

it('reports every mistake with its place', () => {
  const problems = [expect.objectContaining({ path: ['rows', 1] }), expect.objectContaining({ path: ['limit'] })];
  expect(() => parseInput(Request, { rows: ['a', 1], limit: 'ten' })).toThrow(expect.objectContaining({ problems }));
});
