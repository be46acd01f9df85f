import { expect, it } from 'vitest';
import type { Table } from '../schemas.ts';
import { viewOf } from './columns.ts';
import { findingsOf } from './findings.ts';
import { candidates, compositeCandidates } from './foreign-keys.ts';

/** Names that begin alike, so that every key may be meant by every column. */
function largeSchema(tables: number, columns: number): Table[] {
  return Array.from({ length: tables }, (_, table) => ({
    schema: 's',
    name: `entity_${table}_detail`,
    rowCount: 1_000,
    keys: [[`entity_${table}_id`], ['field_1_id', 'field_2_id']],
    columns: Array.from({ length: columns }, (_, column) => ({
      name: column === 0 ? `entity_${table}_id` : `field_${column}_id`,
      type: 'BIGINT',
      nullable: true,
      distinctApprox: column === 0 ? 1_000 : 300,
      sampleValues: [1],
      min: 1,
      max: 1_000,
    })),
  }));
}

it('a schema of 500 tables of 40 columns holds nobody up', () => {
  const tables = largeSchema(500, 40);
  const started = performance.now();
  const views = viewOf({ tables });
  candidates(views, true);
  compositeCandidates(views);
  findingsOf({ tables, references: [] });
  findingsOf({ tables });
  // Without bounds this took minutes; a busy machine takes some seconds.
  expect(performance.now() - started).toBeLessThan(40_000);
});
