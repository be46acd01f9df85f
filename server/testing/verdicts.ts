/** Compares random request bodies, valid and broken: a JSON Schema and the product's parser must agree on each. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { z } from 'zod';
import { type JsonSchema, objectSchema } from '../../router/json-schema.ts';
import { withoutNulls } from '../../router/without-nulls.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The places where a body is broken, as fractions of all places, and the wrong values. */
export interface Breakage {
  readonly place: number;
  readonly way: 'leave out' | 'replace' | 'add';
  readonly value: Json;
}

const oddValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    null,
    true,
    0,
    -1,
    1.5,
    1e6,
    '',
    'x',
    'Up',
    'asc',
    'in',
    'EQ',
    'RELATIVE',
    'ytd',
    'hour',
    'x'.repeat(501),
    'x'.repeat(2001),
  ),
  fc.constantFrom<Json>([], {}, [1], ['x'], [[]], [{}], { name: 'x' }, { any: [] }, { metric: 'm', op: 'GT' }),
);

const breakage: fc.Arbitrary<Breakage> = fc.record({
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  way: fc.constantFrom('leave out', 'replace', 'add'),
  value: oddValue,
});

/** Draws a body of `valid`, half of them broken at up to three places. */
export function bodiesOf(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const broken = fc
    .tuple(valid, fc.array(breakage, { minLength: 1, maxLength: 3 }))
    .map(([body, breakages]) => breakages.reduce(brokenBody, body));
  return fc.oneof(valid, broken);
}

/** Returns a body with one place changed. */
function brokenBody(body: Json, { place, way, value }: Breakage): Json {
  const target = Math.floor(place * countOf(body));
  let at = 0;
  const visit = (json: Json): Json | undefined => {
    if (at++ === target) {
      if (way === 'leave out') return undefined;
      if (way === 'replace') return value;
      if (Array.isArray(json)) return [...json, value];
      return typeof json === 'object' && json !== null ? { ...json, further: value } : value;
    }
    if (Array.isArray(json)) return json.flatMap((entry: Json) => visit(entry) ?? []);
    if (typeof json !== 'object' || json === null) return json;
    const members = Object.entries(json).map(([key, member]) => [key, visit(member)] as const);
    return Object.fromEntries(members.flatMap(([key, member]) => (member === undefined ? [] : [[key, member]])));
  };
  return visit(body) ?? {};
}

function countOf(json: Json): number {
  if (typeof json !== 'object' || json === null) return 1;
  return Object.values(json).reduce<number>((count, member) => count + countOf(member), 1);
}

/** The number of bodies that both accepted, and that both refused. */
export interface Verdicts {
  readonly taken: number;
  readonly refused: number;
}

/**
 * Checks each body with an independent validator of the request's JSON Schema and with the product's parser.
 *
 * @throws Error with the first body on which they differ
 */
export function compareVerdicts(
  schema: z.ZodObject,
  bodies: Iterable<Json>,
  json: JsonSchema = objectSchema(schema, 'input'),
): Verdicts {
  const validate = new Ajv2020({ strict: false, allErrors: false }).compile(json);
  let taken = 0;
  let refused = 0;
  for (const body of bodies) {
    const ours = schema.safeParse(withoutNulls(schema, body));
    const theirs = validate(body);
    if (ours.success !== theirs) {
      const why = ours.success ? validate.errors : ours.error.issues;
      throw new Error(
        `The parse ${ours.success ? 'takes' : 'refuses'}, the JSON Schema ${theirs ? 'takes' : 'refuses'} ${JSON.stringify(body)}: ${JSON.stringify(why)}`,
      );
    }
    if (theirs) taken++;
    else refused++;
  }
  return { taken, refused };
}
