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

it('a null in a branch of a union is left out as that branch has it', () => {
  const Kinds = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), note: z.string().optional() }),
    z.strictObject({ kind: z.literal('b'), note: z.string().nullable(), items: z.array(Item).optional() }),
  ]);
  expect(withoutNulls(z.array(Kinds), [{ kind: 'a', note: null }])).toEqual([{ kind: 'a' }]);
  const b = { kind: 'b', note: null, items: [{ name: 'x', note: null }] };
  expect(withoutNulls(z.union([z.string(), Kinds]), b)).toEqual({ kind: 'b', note: null, items: [{ name: 'x' }] });
  expect(withoutNulls(z.union([z.string(), z.null()]), null)).toBe(null);
});
