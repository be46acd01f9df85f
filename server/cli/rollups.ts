import { Command } from 'commander';
import { ServiceError } from '../../router/errors.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import type { RollupCommand } from '../launcher-rollups.ts';
import type { StateStore } from '../state/index.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { printRows } from './print.ts';
import { progress } from './progress.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly model?: string;
  readonly sql?: true;
  readonly json?: true;
}

export function rollupCommand(): Command {
  const command = new Command('rollup').description('Build and list the roll-ups that models declare.');
  command
    .command('build')
    .description('Write the tables of roll-ups, each compared with its dataset before anybody reads it.')
    .argument('[name...]', 'names of roll-ups; all without one')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--model <name>', 'only of this model or connection')
    .option('--sql', 'print the statements and write nothing, for warehouses in which the product does not write')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExits with 1 when one is not built; its old table stays. A running server reads the new tables by itself.',
    )
    .action(build);
  command
    .command('list')
    .description('List the roll-ups that models declare, with how their last scheduled refresh ended.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--model <name>', 'only of this model or connection')
    .option('--json', 'print JSON')
    .action(list);
  return command;
}

async function build(names: readonly string[], options: Options): Promise<void> {
  await withRollups(names, options, async (command, state) => {
    const { buildIn, statementsIn } = await import('../launcher-rollups.ts');
    if (options.sql === true) {
      const statements = await statementsIn(command);
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify(statements, null, 2)}\n`
          : statements.map(({ statements: each }) => each.map((sql) => `${sql};\n`).join('')).join('\n'),
      );
      return;
    }
    const shown = progress('Building roll-ups');
    const built = await buildIn(command).finally(() => shown.end());
    printRows(
      built.map((one) => ({ ...one })),
      options.json === true,
    );
    if (built.some(({ result }) => result === 'failed')) process.exitCode = 1;
    if (built.length > 0)
      await recordCommand(state, command.setup.log, {
        tenant: command.tenant.id,
        kind: 'ADMINISTRATION',
        action: 'rollup build',
        target: built.map(({ rollup }) => rollup).join(' '),
      });
  });
}

async function list(options: Options): Promise<void> {
  await withRollups([], options, async (command, state) => {
    const { listIn } = await import('../launcher-rollups.ts');
    const { scheduledRefreshes } = await import('../launcher-offline.ts');
    const listed = await listIn(command, await scheduledRefreshes(state, command.tenant.id));
    printRows(
      listed.map((one) => ({ ...one })),
      options.json === true,
    );
  });
}

/** Opens an installation for the roll-ups of a tenant. */
async function withRollups(
  names: readonly string[],
  { home, tenant: name, model }: Options,
  work: (command: RollupCommand, state: StateStore) => Promise<void>,
): Promise<void> {
  await withAccounts(home, async (identity, _setup, state) => {
    const tenant = await tenantNamed(identity, name);
    try {
      await work({ setup: existingHome(home, name), identity, tenant, names, model }, state);
    } catch (error) {
      if (error instanceof ServiceError) throw new CommandError(error.message);
      throw error;
    }
  });
}
