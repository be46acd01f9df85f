/** Tests that names of members of every JavaScript object are unknown names like others, at every place of a request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture } from '../testing/fixture.ts';

const DOCUMENT = `
semantic_model:
  - name: things
    datasets:
      - name: things
        source: things
        primary_key: [id]
        fields: [{ name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }]
    metrics: [{ name: number, expression: [{ dialect: ANSI_SQL, expression: COUNT(things.id) }] }]
`;

describe.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])('%s', (name) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse('duckdb', ['CREATE TABLE things AS SELECT 1 AS id']);
    fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: DOCUMENT,
    });
  });
  afterAll(() => fixture.close());

  const values = [{ metric: 'number' }];
  it.each([
    ['rows[0].dataset', 'things', { rows: [{ dataset: name, field: 'id' }] }],
    ['rows[0].field', 'id', { rows: [{ dataset: 'things', field: name }] }],
    ['columns[0].field', 'id', { values, columns: [{ dataset: 'things', field: name }] }],
    ['values[0].metric', 'number', { values: [{ metric: name }] }],
    ['filters[0].dataset', 'things', { values, filters: [{ dataset: name, field: 'id', op: 'IS_NULL' }] }],
    ['filters[0].field', 'id', { values, filters: [{ dataset: 'things', field: name, op: 'IS_NULL' }] }],
    ['sorts[0].metric', 'number', { values, sorts: [{ metric: name }] }],
    ['sorts[0].field', 'things.id', { rows: [{ dataset: 'things', field: 'id' }], sorts: [{ field: name }] }],
  ])('at %s', async (field, available, request) => {
    const { problems } = await fixture.refusal(request);
    expect(problems.map(toProblemBody)).toMatchObject([{ field, available: [available] }]);
  });
});
