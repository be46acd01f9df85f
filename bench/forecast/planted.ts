/**
 * Precision and recall of the anomaly methods on what was planted in the demo (`demo/README.md`).
 *
 *   npm run bench:anomaly                        draws the demo's million sales first (some seconds)
 *   npm run bench:anomaly -- shop.duckdb         a warehouse that `demo/generate.ts` wrote
 */
import { type AnomalyMethod, type Detection, detectPlanted, PLANTED } from '../../demo/testing/planted.ts';
import { generated, openWarehouse } from '../../demo/testing/warehouse.ts';
import { DEFAULT_FACT_ROWS, DEFAULT_SEED } from '../../demo/warehouse/generate.ts';
import { ANOMALY_METHODS } from '../../plugins/analytics/index.ts';

/** Detection thresholds above chance and campaigns in a thousand days. */
const FAR_THRESHOLD = 6;

const [file] = process.argv.slice(2);
if (file === '--help') {
  console.log('npm run bench:anomaly [-- FILE]   (FILE: a warehouse of demo/generate.ts)');
  process.exit(0);
}
const warehouse =
  file === undefined ? await generated({ seed: DEFAULT_SEED, factRows: DEFAULT_FACT_ROWS }) : await openWarehouse(file);
const methods = Object.keys(ANOMALY_METHODS).filter((name): name is AnomalyMethod => name in ANOMALY_METHODS);

/** Writes the cells of hits, misses and other flags, precision and recall. */
function cellsOf({ hits, missed, others, precision, recall }: Detection): string {
  const share = precision === undefined ? '–' : precision.toFixed(2);
  return `${hits}, ${missed}, ${others} | ${share} | ${recall.toFixed(2)}`;
}

console.log(
  `| Planted | Method | found, missed, others | precision | recall | from ${FAR_THRESHOLD} on | precision | recall |`,
);
console.log('|---|---|---:|---:|---:|---:|---:|---:|');
for (const planted of Object.values(PLANTED)) {
  for (const method of methods) {
    const usual = await detectPlanted(warehouse, planted, method);
    const far = await detectPlanted(warehouse, planted, method, FAR_THRESHOLD);
    const used = usual.used === method ? method : `${method} (${usual.used})`;
    console.log(`| ${planted.name} | ${used} | ${cellsOf(usual)} | ${cellsOf(far)} |`);
  }
}
await warehouse.close();
