import { Command } from 'commander';
import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import { ServiceError } from '../../router/errors.ts';
import { WEBHOOK_EVENT_NAMES } from '../../router/webhook-events.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { CommandError } from '../installation/command-error.ts';
import { linkOptions } from '../installation/link-options.ts';
import type { TenantWebhooks } from '../launcher-offline.ts';
import { homeVault } from '../vault/vault.ts';
import { openTargets } from '../webhooks/open-targets.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { UsageError } from './option-values.ts';
import { printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly json?: true;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
type Work = (webhooks: TenantWebhooks, id: string) => Promise<Rows>;

/** Commands that take the id of a webhook and print rows. */
const ACTIONS: Readonly<
  Record<string, { readonly description: string; readonly writes: boolean; readonly work: Work }>
> = {
  pause: {
    description: 'Pause a webhook: it is sent nothing.',
    writes: true,
    work: async (webhooks, id) => [await webhooks.pause(id, true)],
  },
  resume: {
    description: 'Let a paused webhook go on.',
    writes: true,
    work: async (webhooks, id) => [await webhooks.pause(id, false)],
  },
  test: {
    description:
      'Send a webhook a test event: a running server sends it within seconds, and `deliveries` shows the answer.',
    writes: true,
    work: async (webhooks, id) => [await webhooks.test(id)],
  },
  deliveries: {
    description: 'List the deliveries of a webhook, the newest first, with the answers of its target.',
    writes: false,
    work: (webhooks, id) => webhooks.deliveries(id),
  },
};

export function webhookCommand(): Command {
  const command = new Command('webhook').description(
    'Manage the webhooks, to which the events of a tenant are posted.',
  );
  command
    .command('list')
    .description('List the webhooks.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withWebhooks(options, (webhooks) => webhooks.list());
      printRows(rows, options.json === true);
    });
  command
    .command('add')
    .description('Add a webhook and print its secret, alone on standard output; it is not shown again.')
    .argument('<url>', 'where events are posted: https://…')
    .addOption(homeOption())
    .addOption(tenantOption())
    .requiredOption('--events <names...>', `what it is sent: ${WEBHOOK_EVENT_NAMES.join(', ')}`)
    .option('--label <text>', 'what it is for')
    .option('--json', 'print {id, secret}')
    .action(async (url: string, options: Options & { readonly events: readonly string[]; readonly label?: string }) => {
      const unknown = options.events.find((event) => !WEBHOOK_EVENT_NAMES.some((name) => name === event));
      if (unknown !== undefined)
        throw new UsageError(`There is no event ${unknown}; there are: ${WEBHOOK_EVENT_NAMES.join(', ')}.`);
      const { events, label = '' } = options;
      const made = await withWebhooks(options, (webhooks) => webhooks.add({ url, label, events }), `add ${label}`);
      if (options.json === true) process.stdout.write(`${JSON.stringify(made)}\n`);
      else {
        process.stderr.write(`Added ${made.id}. The secret is not shown again.\n`);
        process.stdout.write(`${made.secret}\n`);
      }
    });
  for (const [name, { description, writes, work }] of Object.entries(ACTIONS))
    command
      .command(name)
      .description(description)
      .argument('<id>', 'as `webhook list` shows it')
      .addOption(homeOption())
      .addOption(tenantOption())
      .option('--json', 'print JSON')
      .action(async (id: string, options: Options) => {
        const change = writes ? `${name} id=${id}` : undefined;
        printRows(await withWebhooks(options, (webhooks) => work(webhooks, id), change), options.json === true);
      });
  command
    .command('redeliver')
    .description('Send the event of a delivery again.')
    .argument('<id>', 'as `webhook list` shows it')
    .argument('<delivery>', 'as `webhook deliveries` shows it')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--json', 'print JSON')
    .action(async (id: string, delivery: string, options: Options) => {
      const row = await withWebhooks(options, (webhooks) => webhooks.redeliver(id, delivery), `redeliver id=${id}`);
      printRows([row], options.json === true);
    });
  command
    .command('secret')
    .description(
      'Give a webhook another secret and print it, alone on standard output. The former one signs for a day, too.',
    )
    .argument('<id>', 'as `webhook list` shows it')
    .addOption(homeOption())
    .addOption(tenantOption())
    .action(async (id: string, options: Options) => {
      const secret = await withWebhooks(options, (webhooks) => webhooks.renewSecret(id), `secret id=${id}`);
      process.stdout.write(`${secret}\n`);
    });
  command
    .command('remove')
    .description('Remove a webhook with its deliveries.')
    .argument('<id>', 'as `webhook list` shows it')
    .addOption(homeOption())
    .addOption(tenantOption())
    .action(async (id: string, options: Options) => {
      await withWebhooks(options, (webhooks) => webhooks.remove(id), `remove id=${id}`);
      process.stdout.write(`Removed ${id}.\n`);
    });
  return command;
}

/** Opens the webhooks of a tenant. A change is recorded in the audit log. */
async function withWebhooks<Result>(
  { home: directory, tenant: name }: Options,
  work: (webhooks: TenantWebhooks) => Promise<Result>,
  change?: string,
): Promise<Result> {
  return withAccounts(directory, async (identity, { home, config, log }, state) => {
    const { id: tenant } = await tenantNamed(identity, name);
    const { tenantWebhooks } = await import('../launcher-offline.ts');
    const scope = { tenant, user: 'command line', roles: [ADMINISTRATOR_ROLE] };
    const targets = openTargets(linkOptions(config, home));
    try {
      const result = await work(await tenantWebhooks(state, scope, { vault: homeVault(home, config), targets }));
      if (change !== undefined)
        await recordCommand(state, log, { tenant, kind: 'ADMINISTRATION', action: 'webhook', target: change });
      return result;
    } catch (error) {
      if (error instanceof ServiceError) throw new CommandError(error.message);
      throw error;
    }
  });
}
