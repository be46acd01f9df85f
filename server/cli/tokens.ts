import { Command } from 'commander';
import { NotFoundError, ServiceError } from '../../router/errors.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { openRepository } from '../repository/index.ts';
import { TenantFolders } from '../tenants/tenant-folders.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { homeOption, tenantOption } from './common-options.ts';
import { positiveNumber, UsageError } from './option-values.ts';
import { instant, printRows } from './print.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly json?: true;
}

interface NewTokenOptions extends Options {
  readonly user: string;
  readonly hours: number;
  readonly label?: string;
  readonly viewer?: string;
  readonly attribute?: readonly string[];
}

const DEFAULT_HOURS = 72;
const MAX_HOURS = 720;

export function tokenCommand(): Command {
  const command = new Command('token').description('Manage the embed tokens, with which pages show one document.');

  command
    .command('create')
    .description('Make a token for a document and print it, alone on standard output; it is not shown again.')
    .argument('<path>', 'the document: shared/sales/overview.servicedash')
    .addOption(homeOption())
    .addOption(tenantOption())
    .requiredOption('--user <name>', 'the user whose roles the token has')
    .option('--hours <n>', `how long it is valid, at most ${MAX_HOURS}`, positiveNumber, DEFAULT_HOURS)
    .option('--label <text>', 'a note on its use')
    .option('--viewer <id>', 'the person that it shows rows for, by your name of the person')
    .option('--attribute <name=value...>', 'values of the viewer’s attributes: region=South region=North')
    .option('--json', 'print {token, expiresAt}')
    .action(async (path: string, options: NewTokenOptions) => {
      if (options.hours > MAX_HOURS) throw new UsageError(`--hours has to be at most ${MAX_HOURS}.`);
      if (options.attribute !== undefined && options.viewer === undefined)
        throw new UsageError('Attributes belong to a viewer: name one with --viewer.');
      const attributes = attributesOf(options.attribute ?? []);
      const { token, expiresAtMillis } = await withTokens(options, 'create', path, async (tokens, tenant, users) => {
        const user = await users.findActive(tenant, options.user);
        if (user === undefined) throw new CommandError(`There is no active user ${options.user}.`);
        const owner = {
          tenant,
          user: user.name,
          roles: user.roles,
          attributes: user.attributes,
          isAccount: true,
        } as const;
        return tokens.create(owner, path, {
          hours: options.hours,
          label: options.label,
          viewer: options.viewer === undefined ? undefined : { id: options.viewer, attributes },
        });
      });
      const expiresAt = instant(expiresAtMillis);
      if (options.json === true) process.stdout.write(`${JSON.stringify({ token, expiresAt })}\n`);
      else {
        process.stderr.write(`Valid until ${expiresAt}. The token is not shown again.\n`);
        process.stdout.write(`${token}\n`);
      }
    });

  command
    .command('list')
    .description('List the tokens, with their last use.')
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--user <name>', 'only tokens of this user')
    .option('--json', 'print JSON')
    .action(async (options: Options & { readonly user?: string }) => {
      const rows = await withTokens(options, undefined, '', (tokens, tenant) => tokens.list(tenant, options.user));
      printRows(
        rows.map(({ expiresAtMillis, lastUsedAtMillis, isRevoked, ...row }) => ({
          ...row,
          expiresAt: instant(expiresAtMillis),
          lastUsedAt: instant(lastUsedAtMillis),
          revoked: isRevoked,
        })),
        options.json === true,
      );
    });

  command
    .command('revoke')
    .description('End a token for good.')
    .argument('<id>', 'the id from the list')
    .addOption(homeOption())
    .addOption(tenantOption())
    .action(async (id: string, options: Options) => {
      const isRevoked = await withTokens(options, 'revoke', id, (tokens, tenant) => tokens.revoke(tenant, id));
      if (!isRevoked) throw new CommandError('There is no embed token with this id.');
      process.stdout.write(`Revoked ${id}.\n`);
    });
  return command;
}

type Tokens = ReturnType<Awaited<typeof import('../launcher-offline.ts')>['offlineTokens']>;
type Users = Parameters<Parameters<typeof withAccounts>[1]>[0]['users'];
type Tenant = Awaited<ReturnType<typeof tenantNamed>>['id'];

/** Opens the tokens of a tenant. A change is recorded in the audit log. */
async function withTokens<Result>(
  { home, tenant: name }: Options,
  change: 'create' | 'revoke' | undefined,
  target: string,
  work: (tokens: Tokens, tenant: Tenant, users: Users) => Promise<Result>,
): Promise<Result> {
  return withAccounts(home, async (identity, setup, state) => {
    const { embedMigrations, offlineTokens } = await import('../launcher-offline.ts');
    await state.migrate({ embed: embedMigrations });
    const first = await identity.tenants.ensure(DEFAULT_TENANT);
    const { id: tenant } = await tenantNamed(identity, name);
    const folders = new TenantFolders(setup.home, identity.tenants, first);
    const repository = await openRepository({
      directory: setup.home.repository,
      defaultTenant: first.id,
      folderOf: (of) => folders.nameOf(of),
    });
    const tokens = offlineTokens({
      state,
      clock: Date.now,
      repository,
      accounts: { find: (of, user) => identity.users.findActive(of, user) },
    });
    try {
      const result = await work(tokens, tenant, identity.users);
      if (change !== undefined)
        await recordCommand(state, setup.log, { tenant, kind: 'TOKEN', action: `token ${change}`, target });
      return result;
    } catch (error) {
      if (error instanceof NotFoundError)
        throw new CommandError(`There is no document ${target}, or its user may not read it.`, { cause: error });
      if (error instanceof ServiceError) throw new CommandError(error.message, { cause: error });
      throw error;
    }
  });
}

/** @throws UsageError for a text without a name and a value */
function attributesOf(texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const attributes: Record<string, readonly string[]> = {};
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new UsageError('Write attributes as name=value.');
    const attribute = text.slice(0, equals);
    attributes[attribute] = [...(attributes[attribute] ?? []), text.slice(equals + 1)];
  }
  return attributes;
}
