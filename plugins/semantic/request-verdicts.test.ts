import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectSchema } from '../../router/json-schema.ts';
import { SEED } from '../../router/testing/seed.ts';
import { withoutReferences, withSharedParts } from '../../router/tools/agent-schema.ts';
import { withoutNulls } from '../../router/without-nulls.ts';
import { bodiesOf, compareVerdicts, type Json } from '../../server/testing/verdicts.ts';
import { SemanticQueryRequest } from './schemas.ts';

const name = fc.constantFrom('orders', 'a field', '', 'ü', 'x'.repeat(500));
const literal = fc.constantFrom<Json>('north', 1, -2.5, true, '2024-01-01');
const grain = fc.constantFrom('day', 'month_of_year', 'fiscal_year');
const optional = { requiredKeys: ['dataset', 'field'] as ('dataset' | 'field')[] };
const reference = fc.record(
  { dataset: name, field: name, grain, via: fc.oneof(name, fc.array(name, { maxLength: 3 })) },
  optional,
);
const fieldFilter = fc.record(
  {
    dataset: name,
    field: name,
    grain,
    op: fc.constantFrom('EQ', 'IN', 'BETWEEN', 'RELATIVE', 'IS_NULL'),
    value: literal,
    values: fc.array(literal, { maxLength: 3 }),
    n: fc.integer({ min: 1, max: 30 }),
  },
  { requiredKeys: ['dataset', 'field', 'op'] },
);
const metricFilter = fc.record(
  {
    metric: name,
    op: fc.constantFrom('GT', 'EQ', 'IN'),
    value: literal,
    per: fc.array(reference, { minLength: 1, maxLength: 2 }),
    filters: fc.array(fieldFilter, { maxLength: 2 }),
  },
  { requiredKeys: ['metric', 'op'] },
);

/** Filters in up to five groups, two more than a request may have. */
const filter = fc.letrec<{ node: Json; group: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'max' },
    fieldFilter as fc.Arbitrary<Json>,
    metricFilter as fc.Arbitrary<Json>,
    tie('group'),
  ),
  group: fc
    .tuple(fc.constantFrom(['any'], ['all']), fc.array(tie('node'), { minLength: 1, maxLength: 2 }))
    .map(([members, of]): Json => Object.fromEntries(members.map((member) => [member, of]))),
})).node;

const request = fc.record(
  {
    connection: name,
    model: name,
    rows: fc.array(reference, { maxLength: 2 }),
    columns: fc.array(reference, { maxLength: 2 }),
    values: fc.array(
      fc.record(
        {
          metric: name,
          aggregation: name,
          compare: fc.record({
            to: fc.oneof(
              fc.constantFrom('previous_period', 'previous_year'),
              fc.record({
                offset: fc.constantFrom(-2, 1),
                grain: fc.constantFrom('month', 'fiscal_year'),
              }),
            ),
          }),
        },
        { requiredKeys: ['metric'] },
      ),
      { maxLength: 2 },
    ),
    filters: fc.array(filter, { maxLength: 3 }),
    sorts: fc.array(
      fc.record({ metric: name, field: name, direction: fc.constantFrom('ASC', 'desc') }, { requiredKeys: [] }),
      {
        maxLength: 2,
      },
    ),
    limit: fc.constantFrom(1, 100_000),
    timezone: name,
    locale: name,
  },
  { requiredKeys: ['connection'] },
) as fc.Arbitrary<Json>;

test(`the JSON Schema of a query takes and refuses the bodies that the service does (seed ${SEED})`, () => {
  const { taken, refused } = compareVerdicts(
    SemanticQueryRequest,
    fc.sample(bodiesOf(request), { numRuns: 10_000, seed: SEED }),
  );
  expect(taken).toBeGreaterThan(1_000);
  expect(refused).toBeGreaterThan(1_000);
});

test(`the shorter schema of the tool takes and refuses the same bodies, and the flat one takes what is legal (seed ${SEED})`, () => {
  const whole = objectSchema(SemanticQueryRequest, 'input');
  const shared = withSharedParts(whole);
  const bodies = fc.sample(bodiesOf(request), { numRuns: 10_000, seed: SEED });
  expect(JSON.stringify(shared).length).toBeLessThanOrEqual(JSON.stringify(whole).length);
  expect(compareVerdicts(SemanticQueryRequest, bodies, shared)).toEqual(
    compareVerdicts(SemanticQueryRequest, bodies, whole),
  );
  const flat = withoutReferences(whole);
  expect(JSON.stringify(flat)).not.toContain('$ref');
  const validate = new Ajv2020({ strict: false }).compile(flat);
  let refused = 0;
  for (const body of bodies) {
    const isLegal = SemanticQueryRequest.safeParse(withoutNulls(SemanticQueryRequest, body)).success;
    if (isLegal && !validate(body))
      throw new Error(`refused: ${JSON.stringify(body)} ${JSON.stringify(validate.errors)}`);
    // Beneath the first group, a filter is any object there.
    if (!isLegal && !validate(body)) refused++;
  }
  expect(refused).toBeGreaterThan(1_000);
});

test('filters are written once, in a definition that refers to itself', () => {
  const schema = JSON.stringify(objectSchema(SemanticQueryRequest, 'input'));
  expect(schema.split('Name of a metric of the model; it may be missing from').length - 1).toBe(1);
  expect(schema.length).toBeLessThan(11_000);
});

test('a fourth group inside three others is refused at its place, and thousands of them as well', () => {
  const nested = (groups: number): object =>
    groups === 0 ? { dataset: 'stores', field: 'region', op: 'IS_NULL' } : { any: [nested(groups - 1)] };
  const parse = (groups: number) => SemanticQueryRequest.safeParse({ connection: 'c', filters: [nested(groups)] });
  expect(parse(3).success).toBe(true);
  for (const groups of [4, 5_000]) {
    expect(parse(groups).error?.issues).toMatchObject([
      { path: ['filters', 0, 'any', 0, 'any', 0, 'any', 0, 'any'], message: 'Groups of filters nest at most 3 deep.' },
    ]);
  }
});
