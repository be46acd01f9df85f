/** Tests the detectors on four schemas with known contents. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foodmartCopies, foodmartDirectory, foodmartMissing } from '../plugins/cube/testing/foodmart.ts';
import { detectAll } from '../plugins/inference/detect/findings.ts';
import { profileSchema } from '../plugins/inference/profile/profile-schema.ts';
import { DEMO, FOODMART, type KnownSchema, ROLE_STAR, SNOWFLAKE } from '../plugins/inference/testing/schemas.ts';
import { scoresOf } from '../plugins/inference/testing/score.ts';
import { InferenceWork } from '../plugins/inference/work/work.ts';
import type { Warehouse } from '../router/capabilities/warehouse.ts';
import { titleNeeding } from '../router/testing/not-run.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { type OpenWarehouses, openWarehouses } from '../server/warehouse/index.ts';
import { writeDuckdb } from '../server/warehouse/testing/engines.ts';
import { generateWarehouse } from './warehouse/generate.ts';

const MIN_F1 = 0.95;
let folder: string;
let warehouses: OpenWarehouses;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-detect-'));
  warehouses = openWarehouses({ poolSize: 2, statementTimeoutMs: 60_000, home: folder, log: silentLog });
});
afterAll(async () => {
  await warehouses.close();
  rmSync(folder, { recursive: true });
});

async function detectFindings(warehouse: Warehouse) {
  const profile = await profileSchema({
    warehouse,
    schema: undefined,
    maxTables: 100,
    tableTypes: ['TABLE'],
    clock: Date.now,
    log: silentLog,
    work: new InferenceWork(undefined),
  });
  return { findings: detectAll(profile), tables: profile.tables };
}

async function createWarehouse(schema: KnownSchema): Promise<Warehouse> {
  const file = join(folder, `${schema.name}.duckdb`);
  await writeDuckdb(file, schema.setUp);
  return warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` });
}

describe.each([ROLE_STAR, SNOWFLAKE])('$name', (schema) => {
  it('is understood', async () => {
    const { findings, tables } = await detectFindings(await createWarehouse(schema));
    const scores = scoresOf(findings, schema, tables);
    expect(scores['foreign keys']).toMatchObject({ missing: [], wrong: [] });
    expect(scores.measures).toMatchObject({ missing: [], wrong: [] });
    expect(scores['personal data']).toMatchObject({ missing: [], wrong: [] });
    for (const detector of ['keys', 'dates', 'units', 'steps of hierarchies'] as const)
      expect(scores[detector]).toMatchObject({ missing: [], wrong: [] });
  });
});

it('the demo warehouse is understood', async () => {
  const file = join(folder, 'demo.duckdb');
  await generateWarehouse(file, { seed: 1, factRows: 20_000 });
  const { findings, tables } = await detectFindings(await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` }));
  const scores = scoresOf(findings, DEMO, tables);
  expect(scores['foreign keys']).toMatchObject({ missing: [], wrong: [] });
  expect(scores.measures.f1).toBeGreaterThanOrEqual(0.9);
  expect(scores['personal data'].f1).toBeGreaterThanOrEqual(0.8);
});

describe('FoodMart', () => {
  const directory = foodmartDirectory();
  it.skipIf(directory === undefined)(titleNeeding('is understood', foodmartMissing()), async () => {
    const file = join(folder, 'foodmart.duckdb');
    await writeDuckdb(file, foodmartCopies(directory ?? ''));
    const { findings, tables } = await detectFindings(await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` }));
    const scores = scoresOf(findings, FOODMART, tables);
    expect(scores['foreign keys'].f1, JSON.stringify(scores['foreign keys'])).toBeGreaterThanOrEqual(MIN_F1);
    expect(scores.measures.f1, JSON.stringify(scores.measures)).toBeGreaterThanOrEqual(0.85);
    expect(scores['personal data'].f1, JSON.stringify(scores['personal data'])).toBeGreaterThanOrEqual(0.8);
  });
});
