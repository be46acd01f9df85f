import { expect, it } from 'vitest';
import { z } from 'zod';
import { readTarget } from './pinned-requests.ts';

it('a target takes null for members that may be left out, and for no other', () => {
  const Target = z.object({ connection: z.string(), model: z.string().optional() });
  expect(readTarget(Target, { connection: 'demo', model: null })).toEqual({ connection: 'demo' });
  expect(() => readTarget(Target, { connection: null })).toThrow();
  expect(() => readTarget(Target, { connection: 'demo', cube: null })).toThrow();
});
