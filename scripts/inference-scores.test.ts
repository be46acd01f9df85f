/** Tests the detectors on schemas with known contents; `docs/internals/inference-scores.md` has the whole table. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { generateWarehouse } from '../demo/warehouse/generate.ts';
import { foodmartCopies, foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { detectAll } from '../plugins/inference/detect/findings.ts';
import { profileSchema } from '../plugins/inference/profile/profile-schema.ts';
import {
  APPLICATION,
  DEMO,
  FOODMART,
  type KnownSchema,
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

it.each(MADE.map(([schema, make]) => [schema.name, schema, make] as const))(
  'foreign keys, measures and hierarchies of %s are found',
  async (name, schema, make) => {
    const file = join(folder, `${name}.duckdb`);
    await make(file);
    const profile = await profileSchema({
      warehouse: await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` }),
      schema: undefined,
      maxTables: 100,
      tableTypes: ['TABLE'],
      clock: Date.now,
      log: silentLog,
      work: new InferenceWork(undefined),
    });
    const scores = scoresOf(detectAll(profile), schema, profile.tables);
    expect(scores['foreign keys'].f1, JSON.stringify(scores['foreign keys'])).toBeGreaterThanOrEqual(0.95);
    expect(scores.measures.f1, JSON.stringify(scores.measures)).toBeGreaterThanOrEqual(0.9);
    const steps = scores['steps of hierarchies'];
    expect(steps.f1, JSON.stringify(steps)).toBeGreaterThanOrEqual(0.9);
  },
);
