import { Command, Option } from 'commander';
import { ServiceError } from '../../router/errors.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import type { RollupCommand, SuggestedRollups } from '../launcher-rollups.ts';
import type { StateStore } from '../state/index.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { positiveNumber } from './option-values.ts';
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
  const command = new Command('rollup').description('Build, list and suggest roll-ups of models.');
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
    .command('suggest')
    .description('Suggest roll-ups for what queries computed from rows, with the declarations to paste into the model.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--model <name>', 'only of this model or connection')
    .addOption(new Option('--most <n>', 'the most roll-ups of one model').argParser(positiveNumber).default(3))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA running server counts what it computes, and adds that to the log every 30 seconds. The log has names of fields and metrics, and no values.',
    )
    .action(suggest);
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

async function suggest(options: Options & { readonly most: number }): Promise<void> {
  await withRollups([], options, async (command, state) => {
    const { suggestIn } = await import('../launcher-rollups.ts');
    const { rollupDemandMigrations } = await import('../launcher-offline.ts');
    // A server that was never started has not created this table.
    await state.migrate({ semantic: rollupDemandMigrations });
    const shown = progress('Counting rows');
    const suggestions = await suggestIn(command, state, options.most).finally(() => shown.end());
    process.stdout.write(
      options.json === true ? `${JSON.stringify(suggestions, null, 2)}\n` : suggestions.map(suggestionText).join('\n'),
    );
  });
}

function suggestionText({ connection, model, suggested, unanswerable }: SuggestedRollups): string {
  const lines = [
    suggested.length === 0
      ? `${connection}, model ${model}: no roll-up would save time.`
      : `${connection}, model ${model}: add these to "rollups" in the SERVICE extension of the model, and then run service rollup build.`,
    ...suggested.flatMap(({ rollup, rows, datasetRows, times, totalMs, share }) => [
      `# ${rows} of ${datasetRows} rows; answers ${times} of the logged aggregations, which took ${seconds(totalMs)} (${share} %)`,
      JSON.stringify(rollup),
    ]),
    ...unanswerable.map(
      ({ demand, totalMs, reason }) =>
        `# not possible: ${demand.metrics.join(', ')} by ${demand.fields.map(({ field }) => field).join(', ') || 'nothing'}, ${seconds(totalMs)}: ${reason}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
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
