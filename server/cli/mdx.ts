import { text as textOfStream } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { openWarehouses } from '../warehouse/index.ts';
import { CommandError } from './command-error.ts';
import { existingHome, offlineWarehouses, warehousesOf } from './offline.ts';
import { printRows } from './print.ts';
import { homeOption } from './setup.ts';

interface Options {
  readonly home: string;
  readonly schema?: string;
  readonly jdbc?: string;
  readonly username?: string;
  readonly connection?: string;
  readonly role?: readonly string[];
  readonly maxRows: string;
  readonly format: 'text' | 'table' | 'json';
}

export function mdxCommand(): Command {
  return new Command('mdx')
    .description('Run an MDX query on a cube schema, without the server.')
    .argument('[file]', 'the query; standard input without it')
    .option('--schema <file>', 'the cube schema (XML); with --jdbc')
    .option('--jdbc <url>', 'the warehouse that the schema is over')
    .option('--username <name>', 'user of the warehouse; its password is read from SERVICE_JDBC_PASSWORD')
    .option('--connection <name>', 'instead of a schema and a warehouse: a datasource of the home folder')
    .addOption(homeOption())
    .option('--role <role...>', 'roles of the schema to run it as; without one everything is seen')
    .option('--max-rows <n>', 'rows of a DRILLTHROUGH at most', '1000')
    .addOption(
      new Option('--format <format>', 'a table, JSON, or axes and cells line by line')
        .choices(['text', 'table', 'json'])
        .default('table'),
    )
    .addHelpText('after', '\nExample: service mdx --schema shop.xml --jdbc jdbc:duckdb:shop.duckdb query.mdx')
    .action(mdx);
}

async function mdx(file: string | undefined, options: Options): Promise<void> {
  const maxRows = Number(options.maxRows);
  if (!Number.isInteger(maxRows) || maxRows < 1) throw new CommandError('--max-rows is a whole number above 0.');
  const { askMdx, textOf } = await import('./surfaces.ts');
  const query = file === undefined || file === '-' ? await standardInput() : await textOf(file);
  const { warehouses, source } = await sourceOf(options);
  try {
    const answer = await askMdx({ mdx: query, warehouses, source, roles: options.role, maxRows });
    if (options.format === 'json') process.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`);
    else if (options.format === 'table') printRows(answer.table, false);
    else process.stdout.write(answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    for (const note of answer.notes) process.stderr.write(`${note}\n`);
  } finally {
    await warehouses.close();
  }
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) throw new CommandError('Give the query as a file, or on standard input.');
  return textOfStream(process.stdin);
}

/** Which schema over which warehouse is meant. */
async function sourceOf({ home, schema, jdbc, username, connection }: Options) {
  if (connection !== undefined) {
    if (schema !== undefined || jdbc !== undefined)
      throw new CommandError('--connection names the schema and the warehouse; leave --schema and --jdbc out.');
    const setup = existingHome(home);
    const { connections } = await import('./surfaces.ts');
    const warehouses = openWarehouses(warehousesOf(setup));
    const all = await connections(setup.home.datasources, warehouses.supported);
    const cubes = all.flatMap(({ datasource }) => (datasource?.type === 'OLAP' ? [datasource] : []));
    const found = cubes.find(({ name }) => name === connection);
    if (found !== undefined) return { warehouses, source: { file: found.documentPath, address: found.warehouse } };
    const names = cubes.map(({ name }) => name).join(', ') || 'none';
    throw new CommandError(`There is no cube connection ${connection} here; there are: ${names}.`);
  }
  if (schema === undefined || jdbc === undefined)
    throw new CommandError('Name the cube schema with --schema and its warehouse with --jdbc, or a --connection.');
  const password = process.env.SERVICE_JDBC_PASSWORD || undefined;
  return {
    warehouses: openWarehouses(offlineWarehouses()),
    source: { file: schema, address: { jdbcUrl: jdbc, username, password } },
  };
}
