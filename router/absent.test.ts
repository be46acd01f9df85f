import { expect, it } from 'vitest';
import { z } from 'zod';
import { withoutNulls } from './absent.ts';

const Item = z.strictObject({ name: z.string(), note: z.string().optional(), mark: z.number().nullable().optional() });
const Body = z.strictObject({
  item: Item.optional(),
  items: z.array(Item).optional(),
  list: z.array(z.string()).optional(),
  free: z.unknown(),
  count: z.number().default(3),
});

it('a null member that may be left out is left out, at any depth', () => {
  const body = { item: null, items: [{ name: 'a', note: null }], list: null, count: null };
  expect(withoutNulls(Body, body)).toEqual({ items: [{ name: 'a' }] });
});

it('a null that the schema takes, or that nothing lets be absent, stays for the schema to judge', () => {
  const body = { items: [{ name: null, mark: null }, null], list: [null], free: null, other: null };
  expect(withoutNulls(Body, body)).toEqual(body);
});

it('names that objects have by nature are members like others', () => {
  const body: unknown = JSON.parse('{"__proto__": null, "toString": null}');
  expect(JSON.stringify(withoutNulls(Body, body))).toBe('{"__proto__":null,"toString":null}');
});
