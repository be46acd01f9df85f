import { Command } from 'commander';
import { endSubscriptionsOf } from '../billing/end-subscriptions.ts';
import type { Tenants } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import type { Setup } from '../installation/setup.ts';
import type { StateStore } from '../state/index.ts';
import { formatContents, isEmpty, TenantAdministration } from '../tenants/tenant-lifecycle.ts';
import { recordOfInstallation, withAccounts } from './accounts.ts';
import { createOption, homeOption } from './common-options.ts';
import { instant, printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly json?: true;
}

interface RemoveOptions extends Options {
  readonly force?: true;
  readonly keepSubscription?: true;
}

function administrationOf(tenants: Tenants, { home, config, environment }: Setup, state: StateStore) {
  return new TenantAdministration({
    state,
    home,
    tenants,
    async endSubscriptions(tenant) {
      // Imported here, so that the other commands do not load it.
      const { billedTenant, billingMigrations } = await import('../launcher-offline.ts');
      const { configuredClient } = await import('../billing/configured-processor.ts');
      // A server that was never started has not created these tables.
      await state.migrate({ billing: billingMigrations });
      return endSubscriptionsOf(
        tenant,
        await billedTenant(state, tenant.id),
        await configuredClient(config, environment),
      );
    },
  });
}

export function tenantCommand(): Command {
  const command = new Command('tenant').description(
    'Manage the tenants. Each has its own users, keys, datasources, documents and skills.',
  );

  command
    .command('create')
    .description('Make a tenant and its folders.')
    .argument('<name>')
    .addOption(homeOption())
    .addOption(createOption())
    .option('--json', 'print {id, name, folders}')
    .action(async (name: string, options: Options & { readonly create?: true }) => {
      const made = await withAccounts(
        options.home,
        async ({ tenants }, setup, state) => {
          const { id, folders } = await administrationOf(tenants, setup, state).create(name);
          await recordOfInstallation(tenants, state, setup.log, { action: 'tenant create', target: `name=${name}` });
          return { id, name, folders };
        },
        options.create,
      );
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
    .description('Remove a tenant. A tenant with contents stays, unless --force removes all of them.')
    .argument('<name>')
    .addOption(homeOption())
    .option('--force', 'remove its users, keys, tokens, queries, documents, datasources and files with it')
    .option('--keep-subscription', 'keep its subscription at the payment processor, which the removal otherwise ends')
    .option('--json', 'print what was removed as JSON')
    .action(async (name: string, options: RemoveOptions) => {
      const { removed, endedSubscriptions } = await withAccounts(options.home, async ({ tenants }, setup, state) => {
        const outcome = await administrationOf(tenants, setup, state).remove(name, {
          force: options.force === true,
          keepSubscription: options.keepSubscription === true,
        });
        if ('kept' in outcome)
          throw new CommandError(
            `The tenant ${name} has ${formatContents(outcome.kept)}. Give --force to remove all of it.`,
          );
        await recordOfInstallation(tenants, state, setup.log, { action: 'tenant remove', target: `name=${name}` });
        return outcome;
      });
      const ended = endedSubscriptions.length === 0 ? {} : { endedSubscriptions };
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ name, removed, ...ended })}\n`
          : `Removed ${name}${isEmpty(removed) ? '' : ` with ${formatContents(removed)}`}.${endedSubscriptions.map((id) => ` Ended the subscription ${id}.`).join('')}\n`,
      );
    });
  return command;
}
