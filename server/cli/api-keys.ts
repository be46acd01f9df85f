import { Command, InvalidArgumentError, Option } from 'commander';
import { KEY_SCOPE_NAMES, type KeyScope } from '../../router/key-scopes.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { DEFAULT_TENANT, USER_ROLE } from '../identity/index.ts';
import { tenantMade, tenantNamed, withAccounts } from './accounts.ts';
import { type AttributeOptions, attributeSentence, attributeValues } from './attribute-values.ts';
import { createOption, homeOption } from './common-options.ts';
import { instant, printRows } from './print.ts';
import { unknownRoles, warnOfUnknown } from './unknown-roles.ts';

interface Options {
  readonly home: string;
  readonly json?: true;
}

interface NewKeyOptions {
  readonly tenant: string;
  readonly label: string;
  readonly role?: readonly string[];
  readonly scope?: readonly KeyScope[];
  readonly expires?: string;
  readonly create?: true;
}

/** Reads the end of a key: an instant, or a day, whose last moment in UTC it then is. */
function endOf(text: string): string {
  const instantText = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999Z` : text;
  if (Number.isNaN(Date.parse(instantText)))
    throw new InvalidArgumentError('It has to be a day such as 2027-01-31, or an instant.');
  return instantText;
}

export function apiKeyCommand(): Command {
  const command = new Command('api-key').description('Manage the keys with which programs call the API.');

  command
    .command('create')
    .description('Make a key and print it, alone on standard output; it is not shown again.')
    .addOption(homeOption())
    .option('--tenant <name>', 'tenant the key belongs to; made when it is new', DEFAULT_TENANT)
    .requiredOption('--label <text>', 'a note on the use of the key')
    .option(
      '--role <role>',
      `a role of the key; may be given several times; default ${USER_ROLE}`,
      (role: string, before: readonly string[] | undefined) => [...(before ?? []), role],
    )
    .addOption(
      new Option('--scope <scope...>', 'the parts of the API that the key may call; default: all').choices([
        ...KEY_SCOPE_NAMES,
      ]),
    )
    .option('--expires <instant>', 'when the key ends: 2027-01-31, or an instant with a time', endOf)
    .addOption(createOption())
    .option('--json', 'print {id, key, tenantId}')
    .action(async (options: Options & NewKeyOptions) => {
      const { home, label, role: roles = [USER_ROLE], scope: scopes, expires } = options;
      const { made, unknown } = await withAccounts(
        home,
        async (identity, setup, state) => {
          const tenant = await tenantMade(identity, options.tenant, state, setup.log);
          const made = await identity.apiKeys.create({
            tenant: tenant.id,
            label,
            roles,
            scopes,
            expiresAtMillis: expires === undefined ? undefined : Date.parse(expires),
          });
          const target = `id=${made.id} label=${label}`;
          await recordCommand(state, setup.log, {
            tenant: tenant.id,
            kind: 'API_KEY',
            action: 'api-key create',
            target,
          });
          return { made, unknown: await unknownRoles(setup, roles, options.tenant) };
        },
        options.create,
      );
      warnOfUnknown(unknown);
      // The key alone goes to standard output: `API_KEY=$(service api-key create --label laptop)`.
      if (options.json !== true)
        process.stderr.write(`id ${made.id}, tenant ${made.tenantId}. The key is not shown again.\n`);
      process.stdout.write(`${options.json === true ? JSON.stringify(made) : made.key}\n`);
    });

  command
    .command('list')
    .description('List the keys (never the keys themselves).')
    .addOption(homeOption())
    .option('--tenant <name>', 'only keys of this tenant')
    .option('--json', 'print JSON')
    .action(async (options: Options & { readonly tenant?: string }) => {
      const rows = await withAccounts(options.home, async (identity) => {
        const tenant = options.tenant === undefined ? undefined : await tenantNamed(identity, options.tenant);
        const names = new Map((await identity.tenants.list()).map(({ id, name }) => [id, name]));
        return (await identity.apiKeys.list(tenant?.id)).map((key) => ({
          id: key.id,
          tenant: names.get(key.tenantId) ?? key.tenantId,
          label: key.label,
          roles: key.roles,
          attributes: key.attributes,
          createdAt: instant(key.createdAtMillis),
          lastUsedAt: instant(key.lastUsedAtMillis),
          scopes: key.scopes ?? null,
          expiresAt: instant(key.expiresAtMillis),
          revokedAt: instant(key.revokedAtMillis),
        }));
      });
      printRows(rows, options.json === true);
    });

  command
    .command('set-attribute')
    .description('Set the values of an attribute of a key, which viewer filters compare with.')
    .argument('<id>')
    .argument('<attribute>')
    .argument('[value...]')
    .addOption(homeOption())
    .option('--number', 'the values are numbers')
    .option('--boolean', 'the values are true or false')
    .option('--remove', 'remove the attribute')
    .action(async (id: string, attribute: string, texts: readonly string[], options: Options & AttributeOptions) => {
      const values = attributeValues(attribute, texts, options);
      await withAccounts(options.home, async (identity, { log }, state) => {
        const tenant = (await identity.apiKeys.list()).find((key) => key.id === id)?.tenantId ?? null;
        await identity.apiKeys.setAttribute(id, attribute, values);
        const target = `id=${id} attribute=${attribute}`;
        await recordCommand(state, log, { tenant, kind: 'API_KEY', action: 'api-key set-attribute', target });
      });
      process.stdout.write(`${attributeSentence(id, attribute, values)}\n`);
    });

  command
    .command('revoke')
    .description('End a key for good.')
    .argument('<id>')
    .addOption(homeOption())
    .action(async (id: string, options: Options) => {
      await withAccounts(options.home, async (identity, { log }, state) => {
        const tenant = (await identity.apiKeys.list()).find((key) => key.id === id)?.tenantId ?? null;
        await identity.apiKeys.revoke(id);
        await recordCommand(state, log, { tenant, kind: 'API_KEY', action: 'api-key revoke', target: `id=${id}` });
      });
      process.stdout.write(`Revoked ${id}.\n`);
    });
  return command;
}
