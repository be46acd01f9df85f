import { Command } from 'commander';
import { ServiceError } from '../../router/errors.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { CommandError } from '../installation/command-error.ts';
import type { ScheduledRefreshes } from '../launcher-offline.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { comparisonText } from './comparison-text.ts';
import { printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly json?: true;
}

const ACTIONS = {
  run: 'Run a scheduled refresh at the next look of a running server, which takes seconds.',
  pause: 'Pause a scheduled refresh.',
  resume: 'Let a paused refresh go on.',
  remove: 'Remove a scheduled refresh; the data stays.',
} as const;

export function refreshCommand(): Command {
  const command = new Command('refresh').description(
    'Look at the scheduled refreshes of the data of models, and run, pause or remove them.',
  );
  command
    .command('list')
    .description('List the scheduled refreshes, with the next run and how the last one ended.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withRefreshes(options, (refreshes) => refreshes.list());
      printRows(rows, options.json === true);
    });
  command
    .command('show')
    .description(
      'Show what the files of the last run changed: rows, totals before and after, keys without a match, breaks.',
    )
    .argument('<id>', 'as `refresh list` shows it')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options) => {
      const comparison = await withRefreshes(options, (refreshes) => refreshes.comparison(id));
      process.stdout.write(
        options.json === true ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison),
      );
    });
  for (const [name, description] of Object.entries(ACTIONS) as [keyof typeof ACTIONS, string][])
    command
      .command(name)
      .description(description)
      .argument('<id>', 'as `refresh list` shows it')
      .addOption(homeOption())
      .addOption(tenantOption())
      .option('--json', 'print JSON')
      .action(async (id: string, options: Options) => {
        const rows = await withRefreshes(options, (refreshes) => refreshes[name](id), `${name} id=${id}`);
        printRows(rows, options.json === true);
      });
  return command;
}

/** Opens the schedules of a tenant. A change is recorded in the audit log. */
async function withRefreshes<Result>(
  { home, tenant }: Options,
  work: (refreshes: ScheduledRefreshes) => Promise<Result>,
  change?: string,
): Promise<Result> {
  return withAccounts(home, async (identity, setup, state) => {
    const { id } = await tenantNamed(identity, tenant);
    const { scheduledRefreshes } = await import('../launcher-offline.ts');
    try {
      const result = await work(await scheduledRefreshes(state, id));
      if (change !== undefined)
        await recordCommand(state, setup.log, {
          tenant: id,
          kind: 'ADMINISTRATION',
          action: 'refresh',
          target: change,
        });
      return result;
    } catch (error) {
      if (error instanceof ServiceError) throw new CommandError(error.message);
      throw error;
    }
  });
}
