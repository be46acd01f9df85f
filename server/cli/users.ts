import { Command } from 'commander';
import { ADMINISTRATOR_ROLE } from '../../router/capabilities/identity.ts';
import { recordCommand } from '../audit/command-entry.ts';
import { DEFAULT_TENANT, USER_ROLE, weakPassword } from '../identity/index.ts';
import { tenantMade, tenantNamed, withAccounts } from './accounts.ts';
import { type AttributeOptions, attributeSentence, attributeValues } from './attribute-values.ts';
import { createOption, homeOption } from './common-options.ts';
import { readNewPassword } from './password-input.ts';
import { instant, printRows } from './print.ts';
import { unknownRoles, warnOfUnknown } from './unknown-roles.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
}

interface NewUserOptions extends Options {
  readonly role: readonly string[];
  readonly admin?: true;
  readonly create?: true;
}

export function userCommand(): Command {
  const command = new Command('user').alias('users').description('Manage the users who sign in.');
  const child = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .addOption(homeOption())
      .option('--tenant <name>', 'tenant of the user; `add` makes one that is new', DEFAULT_TENANT);

  child('add', 'Add a user; reads the password from the terminal or from standard input.')
    .argument('<name>')
    .option('--role <role...>', 'roles of the user', [USER_ROLE])
    .option('--admin', 'make the user an administrator')
    .addOption(createOption())
    .action(async (name: string, options: NewUserOptions) => {
      const roles = [...new Set([...options.role, ...(options.admin ? [ADMINISTRATOR_ROLE] : [])])];
      const password = await readNewPassword();
      const unknown = await withAccounts(
        options.home,
        async (identity, setup, state) => {
          const tenant = await tenantMade(identity, options.tenant, state, setup.log);
          await identity.users.add({ tenant: tenant.id, name, password, roles });
          await recordCommand(state, setup.log, {
            tenant: tenant.id,
            kind: 'ADMINISTRATION',
            action: 'user add',
            target: `name=${name}`,
          });
          return unknownRoles(setup, roles, options.tenant);
        },
        options.create,
      );
      warnOfUnknown(unknown);
      warnOfWeak(password, name);
      const account = options.tenant === DEFAULT_TENANT ? name : `${options.tenant}/${name}`;
      process.stdout.write(`Added ${account} with ${roles.join(', ')}.\n`);
    });

  child('list', 'List the users.')
    .option('--json', 'print JSON')
    .action(async (options: Options & { readonly json?: true }) => {
      const rows = await withAccounts(options.home, async (identity) => {
        const tenant = await tenantNamed(identity, options.tenant);
        const users = await identity.users.list(tenant.id);
        return users.map(({ name, roles, attributes, createdAtMillis }) => ({
          name,
          roles,
          attributes,
          createdAt: instant(createdAtMillis),
        }));
      });
      printRows(rows, options.json === true);
    });

  child(
    'set-attribute',
    'Set the values of an attribute, which viewer filters compare with; without values, the user sees no filtered row.',
  )
    .argument('<name>')
    .argument('<attribute>')
    .argument('[value...]')
    .option('--number', 'the values are numbers')
    .option('--boolean', 'the values are true or false')
    .option('--remove', 'remove the attribute')
    .action(async (name: string, attribute: string, texts: readonly string[], options: Options & AttributeOptions) => {
      const values = attributeValues(attribute, texts, options);
      await withAccounts(options.home, async (identity, setup, state) => {
        const tenant = await tenantNamed(identity, options.tenant);
        await identity.users.setAttribute(tenant.id, name, attribute, values);
        await recordCommand(state, setup.log, {
          tenant: tenant.id,
          kind: 'ADMINISTRATION',
          action: 'user set-attribute',
          target: `name=${name} attribute=${attribute}`,
        });
      });
      process.stdout.write(`${attributeSentence(name, attribute, values)}\n`);
    });

  child('passwd', 'Set a new password; the user is signed out everywhere.')
    .argument('<name>')
    .action(async (name: string, options: Options) => {
      const password = await readNewPassword();
      await withAccounts(options.home, async (identity, setup, state) => {
        const tenant = await tenantNamed(identity, options.tenant);
        await identity.users.passwd(tenant.id, name, password);
        await recordCommand(state, setup.log, {
          tenant: tenant.id,
          kind: 'ADMINISTRATION',
          action: 'user passwd',
          target: `name=${name}`,
        });
      });
      warnOfWeak(password, name);
      process.stdout.write(`${name} has a new password.\n`);
    });

  child(
    'remove',
    'Remove a user, and end all it had; its own documents become an administrator’s. The last administrator stays.',
  )
    .argument('<name>')
    .action(async (name: string, options: Options) => {
      const moved = await withAccounts(options.home, async (identity, setup, state) => {
        const tenant = await tenantNamed(identity, options.tenant);
        await identity.users.remove(tenant.id, name);
        await recordCommand(state, setup.log, {
          tenant: tenant.id,
          kind: 'ADMINISTRATION',
          action: 'user remove',
          target: `name=${name}`,
        });
        const { endAllOf } = await import('./departure.ts');
        return endAllOf(tenant.id, name, { state, identity, setup });
      });
      const documents = moved === undefined ? '' : ` Its own documents are now in ${moved}.`;
      process.stdout.write(`Removed ${name}.${documents}\n`);
    });
  return command;
}

function warnOfWeak(password: string, name: string): void {
  const why = weakPassword(password, name);
  if (why !== undefined) process.stderr.write(`Warning: this password is weak (${why}).\n`);
}
