/**
 * Measures the detectors of area B on the schemas of the tests, and writes the table in
 * `docs/internals/inference-scores.md`.
 *
 *   npx tsx scripts/inference-scores.ts           measures and writes
 *   npx tsx scripts/inference-scores.ts --print   measures and prints, with the missed and the wrong findings
 */
import './plain-output.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateWarehouse } from '../demo/warehouse/generate.ts';
import { foodmartCopies, foodmartDirectory } from '../plugins/cube/testing/foodmart.ts';
import { detectAll } from '../plugins/inference/detect/findings.ts';
import { profileSchema } from '../plugins/inference/profile/profile-schema.ts';
import { DOMAIN_SCHEMAS } from '../plugins/inference/testing/domain-schemas.ts';
import { keysSeenOf, setUpOf } from '../plugins/inference/testing/public-schema.ts';
import { PUBLIC_SCHEMAS } from '../plugins/inference/testing/public-schemas.ts';
import {
  APPLICATION,
  DEMO,
  FOODMART,
  NOTHING_KNOWN,
  ROLE_STAR,
  SNOWFLAKE,
} from '../plugins/inference/testing/schemas.ts';
import { scoresOf, stepsOf } from '../plugins/inference/testing/score.ts';
import { InferenceWork } from '../plugins/inference/work/work.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { openWarehouses } from '../server/warehouse/index.ts';
import { writeDuckdb } from '../server/warehouse/testing/engines.ts';

if (process.argv.includes('--help')) {
  console.log('npx tsx scripts/inference-scores.ts [--print]');
  process.exit(0);
}
const FILE = 'docs/internals/inference-scores.md';
const [BEGIN, END] = ['<!-- scores -->', '<!-- /scores -->'];
const folder = mkdtempSync(join(tmpdir(), 'service-scores-'));
const foodmart = foodmartDirectory();
const schemas = [
  ...(foodmart === undefined
    ? []
    : [{ contents: FOODMART, make: (file: string) => writeDuckdb(file, foodmartCopies(foodmart)) }]),
  { contents: DEMO, make: (file: string) => generateWarehouse(file, { seed: 1, factRows: 50_000 }) },
  ...[ROLE_STAR, SNOWFLAKE, APPLICATION].map((contents) => ({
    contents,
    make: (file: string) => writeDuckdb(file, contents.setUp),
  })),
];
const publicSchemas = PUBLIC_SCHEMAS.map((schema) => ({
  // Only the keys of these schemas are documented.
  contents: { ...NOTHING_KNOWN, name: schema.name, foreignKeys: keysSeenOf(schema) },
  make: (file: string) => writeDuckdb(file, setUpOf(schema, false)),
}));
/** Sums and averages of these schemas are one list there. */
const domains = DOMAIN_SCHEMAS.map((schema) => ({
  contents: { ...NOTHING_KNOWN, ...schema, measures: [...schema.summed, ...schema.averaged] },
  make: (file: string) => writeDuckdb(file, schema.setUp),
}));
const UNKNOWN_OF_DOMAINS = ['keys', 'dates', 'units'];
const lines = ['| Schema | Detector | Known | Precision | Recall | F1 |', '|---|---|---:|---:|---:|---:|'];
const warehouses = openWarehouses({ poolSize: 2, statementTimeoutMs: 60_000, home: folder, log: silentLog });
for (const [index, { contents, make }] of [...schemas, ...publicSchemas, ...domains].entries()) {
  const file = join(folder, `${index}.duckdb`);
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
  const sizes = {
    'foreign keys': contents.foreignKeys,
    measures: contents.measures,
    'personal data': contents.personalData,
    keys: contents.keys,
    dates: contents.dateColumns,
    units: contents.units,
    'steps of hierarchies': contents.hierarchies.flatMap(stepsOf),
  };
  for (const [detector, score] of Object.entries(scoresOf(detectAll(profile), contents, profile.tables))) {
    if (detector !== 'foreign keys' && publicSchemas.some((each) => each.contents === contents)) continue;
    if (UNKNOWN_OF_DOMAINS.includes(detector) && domains.some((each) => each.contents === contents)) continue;
    const { precision, recall, f1, missing, wrong } = score;
    const count = sizes[detector as keyof typeof sizes].length;
    lines.push(
      `| ${contents.name} | ${detector} | ${count} | ${[precision, recall, f1].map((each) => each.toFixed(3)).join(' | ')} |`,
    );
    if (process.argv.includes('--print')) console.log(contents.name, detector, { missing, wrong });
  }
}
await warehouses.close();
rmSync(folder, { recursive: true });
if (process.argv.includes('--print')) console.log(lines.join('\n'));
else {
  const text = readFileSync(FILE, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${FILE} has no place for the table`);
  writeFileSync(FILE, `${text.slice(0, from)}${BEGIN}\n\n${lines.join('\n')}\n\n${text.slice(to)}`);
}
