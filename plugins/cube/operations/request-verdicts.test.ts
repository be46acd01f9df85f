import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectSchema } from '../../../router/json-schema.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { withoutReferences, withSharedParts } from '../../../router/tools/agent-schema.ts';
import { bodiesOf, compareVerdicts, type Json } from '../../../server/testing/verdicts.ts';
import { CubeQueryRequest } from '../api/schemas.ts';

const name = fc.constantFrom('Store', 'a level', '', 'ü', 'x'.repeat(500));
const members = fc.array(fc.constantFrom('[Store].[North]', 'North'), { minLength: 1, maxLength: 2 });
const axisItem = fc.record({ dimension: name, hierarchy: name, level: name, members }, { requiredKeys: ['dimension'] });
const request = fc.record(
  {
    cube: fc.oneof(
      fc.constant('c/C/S/Sales'),
      fc.record({ connectionName: name, catalog: name, schema: name, cubeName: name }),
    ),
    measures: fc.array(fc.record({ name }), { minLength: 1, maxLength: 2 }),
    rows: fc.array(axisItem, { maxLength: 2 }),
    columns: fc.array(axisItem, { maxLength: 2 }),
    filters: fc.array(
      fc.record(
        {
          dimension: name,
          hierarchy: name,
          level: name,
          op: fc.constantFrom('in', 'not_in', 'between', 'descendants_of', 'relative'),
          members,
          value: fc.constantFrom('ytd', 'last_n_days'),
          n: fc.constantFrom(1, 12, 10_000),
        },
        { requiredKeys: ['dimension'] },
      ),
      { maxLength: 2 },
    ),
    order: fc.array(
      fc.record({ by: name, direction: fc.constantFrom('asc', 'DESC', 'Desc') }, { requiredKeys: ['by'] }),
      { maxLength: 2 },
    ),
    limit: fc.constantFrom(1, 100_000),
    nonEmpty: fc.boolean(),
    visualTotals: fc.boolean(),
  },
  { requiredKeys: ['cube', 'measures'] },
) as fc.Arbitrary<Json>;

test(`the JSON Schema of a cube query takes and refuses the bodies that the service does (seed ${SEED})`, () => {
  const { taken, refused } = compareVerdicts(
    CubeQueryRequest,
    fc.sample(bodiesOf(request), { numRuns: 10_000, seed: SEED }),
  );
  expect(taken).toBeGreaterThan(1_000);
  expect(refused).toBeGreaterThan(1_000);
});

test(`the shorter schema of the tool takes and refuses the same bodies (seed ${SEED})`, () => {
  const whole = objectSchema(CubeQueryRequest, 'input');
  const shared = withSharedParts(whole);
  expect(JSON.stringify(shared).length).toBeLessThan(JSON.stringify(whole).length);
  const bodies = fc.sample(bodiesOf(request), { numRuns: 10_000, seed: SEED });
  expect(compareVerdicts(CubeQueryRequest, bodies, shared)).toEqual(compareVerdicts(CubeQueryRequest, bodies, whole));
  expect(compareVerdicts(CubeQueryRequest, bodies, withoutReferences(shared))).toEqual(
    compareVerdicts(CubeQueryRequest, bodies, whole),
  );
});
