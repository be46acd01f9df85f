/**
 * Runs MDX conformance cases on FoodMart in DuckDB and reports which pass.
 *
 *   npm run conformance:mdx -- --cases FILE.jsonl… --foodmart DIR [--out RESULTS.jsonl] [--only ID] [--again] [--large-level N] [--aggregates]
 *
 * A case may carry `schema` (XML to use instead of FoodMart.xml) and `role`. The format is described beside the cases.
 * `--cases` may stand more than once: the files are run as one. `--large-level` is the number of members from which a
 * level is read as needed; with 0 all that can be asked of the warehouse is. With `--aggregates`, the cube Sales has
 * aggregate tables, which cells may be read from.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { bindAggregates } from '../plugins/cube/catalog/bind-aggregates.ts';
import { type CellSet, type MdxCatalog, openCatalog, resultText, tupleText } from '../plugins/cube/mdx/index.ts';
import { recorded } from '../plugins/cube/mdx/testing/recorded.ts';
import { translateSchema } from '../plugins/cube/schema/dialect-sql.ts';
import { quoteName } from '../plugins/cube/schema/mdx-name.ts';
import { readSchema } from '../plugins/cube/schema/read-schema.ts';
import { foodmartCopies } from '../plugins/cube/testing/foodmart.ts';
import {
  FOODMART_AGGREGATE_NAMES,
  FOODMART_AGGREGATES,
  withFoodmartAggregates,
} from '../plugins/cube/testing/foodmart-aggregates.ts';
import { inlineSqlTexts } from '../plugins/query-surface/index.ts';
import { InternalError, ServiceError, ValidationError } from '../router/errors.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { openWarehouses } from '../server/warehouse/index.ts';

interface Case {
  readonly id: string;
  readonly kind: 'query' | 'expr' | 'axis' | 'exprValue' | 'queryThrows' | 'exprThrows' | 'axisThrows';
  readonly cube: string | null;
  readonly mdx: string;
  readonly expected: string;
  readonly delta?: number;
  readonly features?: readonly string[];
  readonly schema?: string;
  readonly role?: string;
}

interface Outcome {
  readonly id: string;
  readonly ok: boolean;
  readonly got?: string;
  readonly error?: string;
}

const { values: args } = parseArgs({
  options: {
    cases: { type: 'string', multiple: true },
    foodmart: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean' },
    again: { type: 'boolean' },
    'large-level': { type: 'string' },
    aggregates: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (args.help || args.cases === undefined || args.foodmart === undefined) {
  console.log(
    'npm run conformance:mdx -- --cases FILE.jsonl… --foodmart DIR [--out RESULTS.jsonl] [--only ID] [--verbose] [--again] [--large-level N] [--aggregates]',
  );
  process.exit(args.help ? 0 : 2);
}

const largeLevel = args['large-level'] === undefined ? undefined : Number(args['large-level']);

async function main(files: readonly string[], foodmart: string): Promise<number> {
  const started = Date.now();
  const all = (await Promise.all(files.map(readCases))).flat();
  const cases =
    args.only === undefined ? all : all.filter(({ id }) => id === args.only || id.startsWith(`${args.only}#`));
  const home = await mkdtemp(join(tmpdir(), 'conformance-mdx-'));
  try {
    const file = join(home, 'foodmart.duckdb');
    await loadFoodmart(foodmart, file, args.aggregates === true ? FOODMART_AGGREGATES : []);
    const loaded = Date.now();
    const warehouses = openWarehouses({ statementTimeoutMs: 60_000, poolSize: 4, home, log: silentLog });
    const statements: (readonly string[])[] = [];
    const catalogs = new Catalogs(await readFile(join(foodmart, 'FoodMart.xml'), 'utf8'), async (schemaText) => {
      const { schema, problems } = readSchema(
        args.aggregates === true ? withFoodmartAggregates(schemaText) : schemaText,
      );
      if (schema === undefined)
        throw ValidationError.at(
          ['schema'],
          problems.map(({ message, line }) => `line ${line}: ${message}`).join('\n'),
        );
      const warehouse = await warehouses.open({ jdbcUrl: `jdbc:duckdb:${file}` });
      await translateSchema(schema, warehouse.dialect, inlineSqlTexts);
      const { schema: bound } = await bindAggregates(schema, warehouse);
      const ran = recorded(warehouse);
      statements.push(ran.statements);
      const catalog = openCatalog({
        schema: bound,
        warehouse: ran.warehouse,
        ...(largeLevel === undefined ? {} : { largeLevel }),
      });
      if (args.aggregates === true) {
        // The first query of any cube begins to compare the tables with the facts; they are read after that.
        const [cube] = bound.cubes;
        if (cube !== undefined)
          await catalog.query(`SELECT {} ON 0 FROM ${quoteName(cube.name)}`).catch(() => undefined);
        await catalog.aggregatesCompared();
        ran.clear();
      }
      return catalog;
    });
    const outcomes: Outcome[] = [];
    const slow: string[] = [];
    for (const each of cases) {
      const before = Date.now();
      outcomes.push(await runCase(catalogs, each));
      const took = Date.now() - before;
      if (took > 2_000) slow.push(`${took} ms ${each.id}`);
    }
    const ran = Date.now();
    if (args.again) for (const each of cases) await runCase(catalogs, each);
    const ranAgain = Date.now();
    await warehouses.close();
    report(cases, outcomes);
    if (args.aggregates === true) {
      const read = statements.flat().filter((text) => FOODMART_AGGREGATE_NAMES.test(text));
      console.log(`${read.length} of ${statements.flat().length} statements read an aggregate table.`);
    }
    if (slow.length > 0) console.log(`\nOver 2 s:\n${slow.join('\n')}`);
    if (args.out !== undefined)
      await writeFile(args.out, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));
    const bad = outcomes.filter(({ ok }) => !ok).length;
    console.log(
      `\n${seconds(loaded - started)} to load, ${seconds(ran - loaded)} to run${args.again ? `, ${seconds(ranAgain - ran)} to run again` : ''}.`,
    );
    console.log(`${outcomes.length - bad} passed, ${bad} failed`);
    return bad;
  } finally {
    await rm(home, { recursive: true });
  }
}

async function readCases(file: string): Promise<readonly Case[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): Case => JSON.parse(line));
}

function seconds(millis: number): string {
  return `${(millis / 1000).toFixed(1)} s`;
}

async function loadFoodmart(directory: string, file: string, more: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    for (const statement of [...foodmartCopies(directory), ...more]) await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** One catalog per schema text and role. */
class Catalogs {
  readonly #standard: string;
  readonly #open: (schema: string) => Promise<MdxCatalog>;
  readonly #opened = new Map<string, Promise<MdxCatalog>>();

  constructor(standard: string, open: (schema: string) => Promise<MdxCatalog>) {
    this.#standard = standard;
    this.#open = open;
  }

  of({ schema }: Case): Promise<MdxCatalog> {
    const text = schema ?? this.#standard;
    const cached = this.#opened.get(text);
    if (cached !== undefined) return cached;
    const opened = this.#open(text);
    this.#opened.set(text, opened);
    return opened;
  }
}

function wrap({ kind, cube, mdx }: Case): string {
  if (kind.startsWith('query')) return mdx;
  if (kind.startsWith('axis')) return `select {${mdx}} on columns from [${cube}]`;
  return `with member [Measures].[Foo] as '${mdx.replaceAll("'", "''")}' select {[Measures].[Foo]} on columns from [${cube}]`;
}

async function runCase(catalogs: Catalogs, each: Case): Promise<Outcome> {
  const { id, kind } = each;
  let result: CellSet;
  try {
    const catalog = await catalogs.of(each);
    result = await catalog.query(wrap(each), { roles: each.role === undefined ? undefined : [each.role] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const clear = error instanceof ServiceError && !(error instanceof InternalError);
    if (kind.endsWith('Throws') && clear) return { id, ok: true };
    return { id, ok: false, error: clear ? message : `${error instanceof Error ? error.stack : message}` };
  }
  const [cell] = result.cells;
  if (kind === 'exprThrows' && cell?.error !== undefined) return { id, ok: true };
  if (kind.endsWith('Throws')) return { id, ok: false, got: resultText(result), error: 'It should have failed.' };
  const got = writeAnswer(each, result);
  if (kind === 'exprValue') {
    const [expected, value] = [Number(each.expected), Number(cell?.value ?? Number.NaN)];
    const equal = Number.isNaN(expected) ? Number.isNaN(value) : Math.abs(expected - value) <= (each.delta ?? 0);
    return equal ? { id, ok: true } : { id, ok: false, got };
  }
  return sameText(got, each.expected) ? { id, ok: true } : { id, ok: false, got };
}

function writeAnswer({ kind }: Case, result: CellSet): string {
  if (kind === 'query') return renamed(resultText(result));
  if (kind === 'axis') {
    const tuples = result.axes[0]?.tuples ?? [];
    return renamed(
      tuples.map((tuple) => (tuple.length === 1 ? tupleText(tuple).slice(1, -1) : tupleText(tuple))).join('\n'),
    );
  }
  return kind === 'exprValue' ? String(cellValue(result)) : (result.cells[0]?.formatted ?? '');
}

function cellValue(result: CellSet): unknown {
  return result.cells[0]?.value;
}

/** Renames the second hierarchy of Time, as the expected results write it. */
function renamed(text: string): string {
  return text.replaceAll('[Time.Weekly]', '[Time].[Weekly]').replaceAll('[All Time.Weeklys]', '[All Weeklys]');
}

/** Compares two results; text behind #ERR: is not compared. */
function sameText(got: string, expected: string): boolean {
  const cut = (text: string) => text.replaceAll(/#ERR:.*/g, '#ERR:');
  return cut(got) === cut(expected);
}

function report(cases: readonly Case[], outcomes: readonly Outcome[]): void {
  const byKind = new Map<string, [number, number]>();
  const byFeature = new Map<string, string[]>();
  for (const [index, outcome] of outcomes.entries()) {
    const each = cases[index];
    if (each === undefined) continue;
    const kind = byKind.get(each.kind) ?? [0, 0];
    kind[outcome.ok ? 0 : 1]++;
    byKind.set(each.kind, kind);
    if (outcome.ok) continue;
    const feature = each.features?.[0] ?? 'none';
    byFeature.set(feature, [...(byFeature.get(feature) ?? []), describe(each, outcome)]);
  }
  for (const [feature, failures] of [...byFeature].toSorted()) console.log(`\n== ${feature}\n${failures.join('\n')}`);
  console.log();
  for (const [kind, [good, bad]] of byKind) console.log(`${kind}: ${good} passed, ${bad} failed`);
}

function describe(each: Case, outcome: Outcome): string {
  const head = `  ${outcome.id}: ${(outcome.error ?? firstDifference(each.expected, outcome.got ?? '')).slice(0, args.verbose ? 5000 : 200)}`;
  if (!args.verbose) return head;
  return `${head}\n${each.mdx}\n--- expected\n${each.expected}\n--- got\n${outcome.got ?? ''}`;
}

function firstDifference(expected: string, got: string): string {
  const [expectedLines, actualLines] = [expected.split('\n'), got.split('\n')];
  const index = expectedLines.findIndex((line, at) => line !== actualLines[at]);
  const at = index < 0 ? expectedLines.length : index;
  return `line ${at + 1}: expected ${JSON.stringify(expectedLines[at])}, got ${JSON.stringify(actualLines[at])}`;
}

const failed = await main(
  args.cases.map((file) => resolve(file)),
  resolve(args.foodmart),
);
process.exitCode = failed === 0 ? 0 : 1;
