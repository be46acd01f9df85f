import { text as textOfStream } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { CommandError } from '../installation/command-error.ts';
import { existingHome, offlineWarehouses, warehousesOf } from '../installation/existing-home.ts';
import type { DrillthroughResult, MdxError, MdxOutcome } from '../launcher-offline.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { jdbcUrl, positiveNumber, UsageError } from './option-values.ts';
import { answerCell, printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly schema?: string;
  readonly jdbc?: string;
  readonly username?: string;
  readonly connection?: string;
  readonly role?: readonly string[];
  readonly maxRows: number;
  readonly format: 'text' | 'table' | 'json';
}

export function mdxCommand(): Command {
  return new Command('mdx')
    .description('Run an MDX query on a cube schema, without the server.')
    .argument('[file]', 'the query; standard input without it')
    .option('--schema <file>', 'the cube schema (XML); with --jdbc')
    .option('--jdbc <url>', 'the warehouse that the schema is over', jdbcUrl)
    .option('--username <name>', 'user of the warehouse; its password is read from SERVICE_JDBC_PASSWORD')
    .option('--connection <name>', 'instead of a schema and a warehouse: a datasource of the home folder')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--role <role...>', 'roles of the schema to run it as; without one everything is seen')
    .option('--max-rows <n>', 'rows of a DRILLTHROUGH, or of $system, at most', positiveNumber, 1_000)
    .addOption(
      new Option('--format <format>', 'a table, JSON, or axes and cells line by line')
        .choices(['text', 'table', 'json'])
        .default('table'),
    )
    .addHelpText('after', '\nExample: service mdx --schema shop.xml --jdbc jdbc:duckdb:shop.duckdb query.mdx')
    .action(mdx);
}

async function mdx(file: string | undefined, options: Options): Promise<void> {
  const { MdxError, runMdx, readInputFile } = await import('../launcher-offline.ts');
  // A mistake in the command line is reported before any input is awaited.
  const { warehouses, source } = await sourceOf(options);
  try {
    const query = file === undefined || file === '-' ? await standardInput() : await readInputFile(file);
    const answer = await written(
      await runMdx({
        mdx: query,
        schemaText: await readInputFile(source.file),
        warehouse: () => warehouses.open(source.address),
        roles: options.role,
        maxRows: options.maxRows,
      }),
      source.file,
    );
    if (options.format === 'json') process.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`);
    else if (options.format === 'table') printRows(answer.table, false);
    else process.stdout.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    for (const note of answer.notes) process.stderr.write(`${note}\n`);
  } catch (error) {
    throw error instanceof MdxError ? new CommandError(inOneLine(error), { cause: error }) : error;
  } finally {
    await warehouses.close();
  }
}

interface RenderedResult {
  /** Prints axes and cells line by line. */
  readonly text: string;
  readonly table: readonly Readonly<Record<string, unknown>>[];
  readonly json: unknown;
  /** Information for people, in addition to the answer. */
  readonly notes: readonly string[];
}

async function written(outcome: MdxOutcome, file: string): Promise<RenderedResult> {
  if ('unreadable' in outcome)
    throw new CommandError(
      `${file}:${outcome.unreadable?.line ?? 1}: ${outcome.unreadable?.message ?? 'cannot be read'}`,
    );
  if ('facts' in outcome) return writtenFacts(outcome.facts);
  const { cellSetJson, cellSetTable, resultText } = await import('../launcher-offline.ts');
  const { cells } = outcome;
  return { table: cellSetTable(cells), json: cellSetJson(cells), text: resultText(cells), notes: [] };
}

function writtenFacts({ columns, rows, truncated }: DrillthroughResult): RenderedResult {
  const table = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, answerCell(row[index])])));
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => row.map(answerCell))];
  return {
    table,
    json: {
      columns,
      rows: rows.map((row) => row.map((value) => (typeof value === 'bigint' ? String(value) : value))),
      truncated,
    },
    text: lines.map((line) => line.join('\t')).join('\n'),
    notes: truncated ? [`Only the first ${rows.length} rows are shown.`] : [],
  };
}

/** Writes the mistake of a statement, its place and the candidates. */
function inOneLine({ message, position, available = [] }: MdxError): string {
  const at =
    position === undefined || /line \d+, column/.test(message)
      ? ''
      : ` (line ${position.line}, column ${position.column})`;
  const candidates = available.length === 0 ? '' : ` There are: ${available.slice(0, 8).join(', ')}.`;
  return `${message}${at}${candidates}`;
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) throw new CommandError('Give the query as a file, or on standard input.');
  return textOfStream(process.stdin);
}

/** Determines the schema and its warehouse from the options. */
async function sourceOf({ home, tenant, schema, jdbc, username, connection }: Options) {
  if (connection !== undefined) {
    if (schema !== undefined || jdbc !== undefined)
      throw new UsageError('--connection names the schema and the warehouse; leave --schema and --jdbc out.');
    const setup = existingHome(home, tenant);
    const { connections } = await import('../launcher-offline.ts');
    const warehouses = openWarehouses(warehousesOf(setup));
    const all = await connections(setup.home.datasources, warehouses.supported);
    const cubes = all.flatMap(({ datasource }) => (datasource?.type === 'OLAP' ? [datasource] : []));
    const datasource = cubes.find(({ name }) => name === connection);
    if (datasource !== undefined)
      return { warehouses, source: { file: datasource.documentPath, address: datasource.warehouse } };
    const names = cubes.map(({ name }) => name).join(', ') || 'none';
    throw new CommandError(`There is no cube connection ${connection} here; there are: ${names}.`);
  }
  if (schema === undefined || jdbc === undefined)
    throw new UsageError('Name the cube schema with --schema and its warehouse with --jdbc, or a --connection.');
  const password = process.env.SERVICE_JDBC_PASSWORD || undefined;
  return {
    warehouses: openWarehouses(offlineWarehouses()),
    source: { file: schema, address: { jdbcUrl: jdbc, username, password } },
  };
}
