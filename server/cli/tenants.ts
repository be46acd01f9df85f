import { Command } from 'commander';
import { isEmpty, TenantAdministration, toldContents } from '../tenants/administration.ts';
import { recordOfInstallation, withAccounts } from './accounts.ts';
import { CommandError } from './command-error.ts';
import { instant, printRows } from './print.ts';
import { homeOption } from './setup.ts';

interface Options {
  readonly home: string;
  readonly json?: true;
}

export function tenantCommand(): Command {
  const command = new Command('tenant').description(
    'Manage the tenants: each has users, keys, datasources, documents and skills of its own.',
  );

  command
    .command('create')
    .description('Make a tenant and its folders.')
    .argument('<name>')
    .addOption(homeOption())
    .option('--json', 'print {id, name, folders}')
    .action(async (name: string, options: Options) => {
      const made = await withAccounts(options.home, async ({ tenants }, { home, log }, state) => {
        const { id, folders } = await new TenantAdministration({ state, home, tenants }).create(name);
        await recordOfInstallation(tenants, state, log, { action: 'tenant create', target: `name=${name}` });
        return { id, name, folders };
      });
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify(made)}\n`
          : `Created ${name}, id ${made.id}. Its users sign in as ${name}/<user>; its files are in ${made.folders.join(', ')}.\n`,
      );
    });

  command
    .command('list')
    .description('List the tenants.')
    .addOption(homeOption())
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withAccounts(options.home, async (identity) =>
        (await identity.tenants.list()).map(({ name, id, tier, createdAtMillis }) => ({
          name,
          id,
          tier,
          createdAt: instant(createdAtMillis),
        })),
      );
      printRows(rows, options.json === true);
    });

  command
    .command('remove')
    .description('Remove a tenant. One that has anything stays, unless --force says to remove all of it.')
    .argument('<name>')
    .addOption(homeOption())
    .option('--force', 'remove its users, keys, tokens, queries, documents, datasources and files with it')
    .option('--json', 'print what was removed as JSON')
    .action(async (name: string, options: Options & { readonly force?: true }) => {
      const contents = await withAccounts(options.home, async ({ tenants }, { home, log }, state) => {
        const administration = new TenantAdministration({ state, home, tenants });
        const outcome = await administration.remove(name, { force: options.force === true });
        if ('kept' in outcome)
          throw new CommandError(
            `The tenant ${name} has ${toldContents(outcome.kept)}. Give --force to remove all of it.`,
          );
        await recordOfInstallation(tenants, state, log, { action: 'tenant remove', target: `name=${name}` });
        return outcome.removed;
      });
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ name, removed: contents })}\n`
          : `Removed ${name}${isEmpty(contents) ? '' : ` with ${toldContents(contents)}`}.\n`,
      );
    });
  return command;
}
