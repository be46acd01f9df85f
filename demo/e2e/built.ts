import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_FACT_ROWS, DEFAULT_SEED, generateWarehouse } from '../warehouse/generate.ts';
import { DEMO_WAREHOUSE, IS_BUILT } from './product.ts';

/**
 * Builds the product from the current sources, and generates the demo's warehouse, unless a caller has already done
 * both for several runs.
 */
export default async function built(): Promise<() => void> {
  if (process.env[IS_BUILT] === undefined) {
    const build = ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts', '--if-needed'];
    const { status } = spawnSync(process.execPath, build, { stdio: 'inherit' });
    if (status !== 0) throw new Error('the product does not build');
  }
  return provideWarehouse();
}

/** Generates the demo's warehouse once for all products of the run. Returns a function that removes it. */
export async function provideWarehouse(): Promise<() => void> {
  // Vitest runs this setup for each project of a run.
  if (process.env[DEMO_WAREHOUSE] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'service-demo-'));
  const file = join(folder, 'demo-shop.duckdb');
  await generateWarehouse(file, { factRows: DEFAULT_FACT_ROWS, seed: DEFAULT_SEED });
  process.env[DEMO_WAREHOUSE] = file;
  return () => rmSync(folder, { recursive: true, force: true });
}
