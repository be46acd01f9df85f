/**
 * Measures the figures of `docs/internals/benchmarks.md` on the built product: `npm run build && npm run bench`, or one
 * part with `npm run bench -- --only NAME`. Absolute times depend on the machine; each has a baseline of the same run.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { behindHeavyPart } from './behind-heavy.ts';
import { cubeAggregatesPart } from './cube-aggregates.ts';
import { cubeThreadsPart } from './cube-threads.ts';
import { explorerPart } from './explorer.ts';
import { keptReadsPart } from './kept-reads.ts';
import { mdxSetsPart } from './mdx-sets.ts';
import { mondrianPart } from './mondrian/mondrian.ts';
import { rollupsPart } from './rollups.ts';
import { scaleMembersPart } from './scale/members.ts';
import { scaleModelsPart } from './scale/models.ts';
import { scaleRowsPart } from './scale/rows.ts';
import { scaleTenantsPart } from './scale/tenants.ts';
import { scaleTokensPart } from './scale/tokens.ts';
import { semanticHttpPart } from './semantic-http.ts';
import { semanticSqlPart } from './semantic-sql.ts';
import { stallsPart } from './stalls.ts';
import { sizesPart, startsPart } from './starts.ts';
import { streamedRowsPart } from './streamed-rows.ts';
import { tinyQueryPart } from './tiny-query.ts';

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  starts: startsPart,
  sizes: sizesPart,
  'tiny-query': tinyQueryPart,
  'behind-heavy': behindHeavyPart,
  'kept-reads': keptReadsPart,
  'mdx-sets': mdxSetsPart,
  'cube-threads': cubeThreadsPart,
  mondrian: mondrianPart,
  'streamed-rows': streamedRowsPart,
  stalls: stallsPart,
  'semantic-sql': semanticSqlPart,
  'semantic-http': semanticHttpPart,
  rollups: rollupsPart,
  'cube-aggregates': cubeAggregatesPart,
  explorer: explorerPart,
  'scale-rows': scaleRowsPart,
  'scale-models': scaleModelsPart,
  'scale-members': scaleMembersPart,
  'scale-tokens': scaleTokensPart,
  'scale-tenants': scaleTenantsPart,
};

const names = Object.keys(PARTS);
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', default: false } },
});
const { only = names, help } = values;
const unknown = only.filter((name) => PARTS[name] === undefined);
if (help || unknown.length > 0) {
  console.log(`npm run bench [-- --only NAME …]   NAME is one of: ${names.join(', ')}`);
  process.exit(help ? 0 : 1);
}
console.log(`Node ${process.version}, ${cpus().length} cores; medians.`);
for (const name of only) await PARTS[name]?.();
