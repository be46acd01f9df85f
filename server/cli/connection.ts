import { Command } from 'commander';
import { ServiceError } from '../../router/errors.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome, warehousesOf } from '../installation/existing-home.ts';
import type { Connection } from '../launcher-offline.ts';
import { type OpenWarehouses, openWarehouses } from '../warehouse/index.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly json?: true;
}

export function connectionCommand(): Command {
  const command = new Command('connection').description('Look at the datasources of an installation.');
  command
    .command('list')
    .description('List the datasources, each with its warehouse and its document.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      await withConnections(options, async (all) => printRows(all.map(listed), options.json === true));
    });
  command
    .command('test')
    .description(
      'Ask the warehouse of every datasource, or of one, whether it answers. Exits with 1 when one does not.',
    )
    .argument('[name]')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: Options) => {
      await withConnections(options, async (all, warehouses) => {
        const chosen = name === undefined ? all : all.filter((one) => one.name === name);
        if (name !== undefined && chosen.length === 0) {
          throw new CommandError(
            `There is no connection ${name}; there are: ${all.map((one) => one.name).join(', ') || 'none'}.`,
          );
        }
        const rows = await Promise.all(chosen.map((one) => tested(one, warehouses)));
        printRows(rows, options.json === true);
        if (rows.some(({ answers }) => !answers)) process.exitCode = 1;
      });
    });
  return command;
}

async function withConnections(
  { home, tenant }: Options,
  work: (all: readonly Connection[], warehouses: OpenWarehouses) => Promise<void>,
): Promise<void> {
  const setup = existingHome(home, tenant);
  const { connections } = await import('../launcher-offline.ts');
  const warehouses = openWarehouses(warehousesOf(setup));
  try {
    await work(await connections(setup.home.datasources, warehouses.supported), warehouses);
  } finally {
    await warehouses.close();
  }
}

function listed({ name, datasource, problems }: Connection) {
  return {
    name,
    type: datasource?.type,
    enabled: datasource?.enabled,
    warehouse: datasource === undefined ? undefined : withoutSecrets(datasource.warehouse.jdbcUrl),
    document: datasource?.documentPath,
    problem: problems[0]?.message,
  };
}

/** Removes user and password from a JDBC URL, where they may be before the host and in parameters. */
function withoutSecrets(jdbcUrl: string): string {
  return jdbcUrl.replace(/\?.*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** Asks the warehouse of a datasource whether it answers, and has the place that the address names. */
export async function tested({ name, datasource, problems }: Connection, warehouses: OpenWarehouses) {
  if (datasource === undefined) return { name, answers: false, detail: problems[0]?.message ?? '' };
  const started = performance.now();
  try {
    const warehouse = await warehouses.open(datasource.warehouse);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { product, version } = await warehouse.ping(signal);
    const missing = await warehouse.missingPlace(undefined, signal);
    if (missing !== undefined) {
      const available = missing.available.join(', ') || 'none';
      return { name, answers: false, detail: `There is no ${missing.kind} ${missing.name}; there are: ${available}.` };
    }
    const detail = `${product} ${version}, in ${Math.round(performance.now() - started)} ms`;
    return { name, answers: true, detail };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { name, answers: false, detail: error.message };
  }
}

const PATIENCE_MS = 15_000;
