import { expect, it } from 'vitest';
import { z } from 'zod';
import { MalformedBodyError } from './errors.ts';
import { withoutNulls } from './without-nulls.ts';

const Item = z.strictObject({ name: z.string(), note: z.string().optional(), mark: z.number().nullable().optional() });
const Body = z.strictObject({
  item: Item.optional(),
  items: z.array(Item).optional(),
  list: z.array(z.string()).optional(),
  free: z.unknown(),
  count: z.number().default(3),
});

it('a null in an optional member is removed, at any depth', () => {
  const body = { item: null, items: [{ name: 'a', note: null }], list: null, count: null };
  expect(withoutNulls(Body, body)).toEqual({ items: [{ name: 'a' }] });
});

it('a null that the schema accepts, or in a required member, stays for the schema to judge', () => {
  const body = { items: [{ name: null, mark: null }, null], list: [null], free: null, other: null };
  expect(withoutNulls(Body, body)).toEqual(body);
});

it('member names that every object inherits are treated like other names', () => {
  const body: unknown = JSON.parse('{"__proto__": null, "toString": null}');
  expect(JSON.stringify(withoutNulls(Body, body))).toBe('{"__proto__":null,"toString":null}');
});

it('a null in a branch of a union is removed as that branch defines', () => {
  const Kinds = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), note: z.string().optional() }),
    z.strictObject({ kind: z.literal('b'), note: z.string().nullable(), items: z.array(Item).optional() }),
  ]);
  expect(withoutNulls(z.array(Kinds), [{ kind: 'a', note: null }])).toEqual([{ kind: 'a' }]);
  const b = { kind: 'b', note: null, items: [{ name: 'x', note: null }] };
  expect(withoutNulls(z.union([z.string(), Kinds]), b)).toEqual({ kind: 'b', note: null, items: [{ name: 'x' }] });
  expect(withoutNulls(z.union([z.string(), z.null()]), null)).toBe(null);
});

it('the branch that tags and names determine is selected without reading its members, even if they are wrong', () => {
  let reads = 0;
  const Text = z.custom<string>((value) => {
    reads++;
    return typeof value === 'string';
  });
  const Leaf = z.strictObject({ op: z.enum(['IN']), values: z.array(Text), value: z.string().optional() });
  const Other = z.strictObject({ op: z.enum(['IN']), metric: z.string(), values: z.array(Text) });
  const group = (inner: z.ZodType) => z.union([Leaf, Other, z.strictObject({ any: z.array(inner) })]);
  const Node = group(group(group(z.union([Leaf, Other]))));
  const nested = (leaf: object) => ({ any: [{ any: [{ any: [leaf] }] }] });
  const values = [...Array.from({ length: 1_000 }, (_, n) => `v${n}`), null];
  expect(withoutNulls(Node, nested({ op: 'IN', values, value: null }))).toEqual(nested({ op: 'IN', values }));
  expect(reads).toBe(0);
});

it('input nested 5,000 or 500,000 deep is refused, without a stack overflow', () => {
  for (const depth of [5_000, 500_000]) {
    const deep: unknown = JSON.parse(`${'['.repeat(depth)}null${']'.repeat(depth)}`);
    expect(() => withoutNulls(z.unknown(), deep)).toThrow(MalformedBodyError);
  }
});

it('a list with nulls is read once, however deep it is', () => {
  let reads = 0;
  const values = new Proxy(['v', null], {
    ownKeys: (target) => {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const Deep = z.strictObject({
    a: z.strictObject({ b: z.strictObject({ c: z.strictObject({ values: z.unknown() }) }) }),
  });
  withoutNulls(Deep, { a: { b: { c: { values } } } });
  expect(reads).toBe(1);
});

it('where tags and names leave several branches, the first branch that accepts the value is selected', () => {
  const Either = z.union([
    z.strictObject({ items: z.array(z.number()).optional(), note: z.string().optional() }),
    z.strictObject({ items: z.array(z.string()).optional(), note: z.string().nullable() }),
  ]);
  expect(withoutNulls(Either, { items: [1], note: null })).toEqual({ items: [1] });
  expect(withoutNulls(Either, { items: ['x'], note: null })).toEqual({ items: ['x'], note: null });
  expect(withoutNulls(Either, { items: [true], note: null })).toEqual({ items: [true], note: null });
});
