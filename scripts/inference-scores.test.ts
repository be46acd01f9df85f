/** Tests the detectors on schemas with known contents; `docs/internals/inference-scores.md` has the whole table. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { generateWarehouse } from '../demo/warehouse/generate.ts';
import { foodmartCopies, foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { detectAll } from '../plugins/inference/detect/findings.ts';
import { profileSchema } from '../plugins/inference/profile/profile-schema.ts';
import { DOMAIN_SCHEMAS } from '../plugins/inference/testing/domain-schemas.ts';
import {
  APPLICATION,
  DEMO,
  FOODMART,
  type KnownSchema,
  NOTHING_KNOWN,
  ROLE_STAR,
  SNOWFLAKE,
} from '../plugins/inference/testing/schemas.ts';
import { scoresOf } from '../plugins/inference/testing/score.ts';
import { InferenceWork } from '../plugins/inference/work/work.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { openWarehouses } from '../server/warehouse/index.ts';
import { writeDuckdb } from '../server/warehouse/testing/engines.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-scores-'));
const warehouses = openWarehouses({ poolSize: 2, statementTimeoutMs: 60_000, home: folder, log: silentLog });
afterAll(async () => {
  await warehouses.close();
  rmSync(folder, { recursive: true });
});

const foodmart = foodmartDirectory();
const MADE: readonly (readonly [Omit<KnownSchema, 'setUp'>, (file: string) => Promise<unknown>])[] = [
  [DEMO, (file) => generateWarehouse(file, { seed: 1, factRows: 20_000 })],
  ...[ROLE_STAR, SNOWFLAKE, APPLICATION].map(
    (schema) => [schema, (file: string) => writeDuckdb(file, schema.setUp)] as const,
  ),
  ...(foodmart === undefined
    ? []
    : [[FOODMART, (file: string) => writeDuckdb(file, foodmartCopies(foodmart))] as const]),
];

async function profileOf(name: string, make: (file: string) => Promise<unknown>) {
  const file = join(folder, `${name}.duckdb`);
  await make(file);
  return profileSchema({
    warehouse: await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` }),
    schema: undefined,
    maxTables: 100,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
}

it.each(MADE.map(([schema, make]) => [schema.name, schema, make] as const))(
  'foreign keys, measures and hierarchies of %s are found',
  async (name, schema, make) => {
    const profile = await profileOf(name, make);
    const scores = scoresOf(detectAll(profile), schema, profile.tables);
    expect(scores['foreign keys'].f1, JSON.stringify(scores['foreign keys'])).toBeGreaterThanOrEqual(0.95);
    expect(scores.measures.f1, JSON.stringify(scores.measures)).toBeGreaterThanOrEqual(0.9);
    const steps = scores['steps of hierarchies'];
    expect(steps.f1, JSON.stringify(steps)).toBeGreaterThanOrEqual(0.9);
  },
);

it.each(DOMAIN_SCHEMAS.map((schema) => [schema.name, schema] as const))(
  'keys of %s are found, also of codes and of parents, and no sum, no person and no level that is none',
  async (name, schema) => {
    const profile = await profileOf(name, (file) => writeDuckdb(file, schema.setUp));
    const findings = detectAll(profile);
    const contents = { ...NOTHING_KNOWN, ...schema, measures: [...schema.summed, ...schema.averaged] };
    const scores = scoresOf(findings, contents, profile.tables);
    for (const detector of ['foreign keys', 'measures', 'personal data', 'steps of hierarchies'] as const)
      expect({ [detector]: scores[detector] }).toMatchObject({ [detector]: { missing: [], wrong: [] } });
    const averaged = findings.measures.filter(({ aggregator }) => aggregator === 'avg');
    expect(averaged.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([...schema.averaged].sort());
  },
);
