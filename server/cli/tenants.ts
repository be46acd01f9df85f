import { mkdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { Command } from 'commander';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { contentsOf, removeTenant, type TenantContents } from '../tenants/contents.ts';
import { placesOf } from '../tenants/tenant-folders.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
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
      const made = await withAccounts(options.home, async (identity, { home }) => {
        if ((await identity.tenants.find(name)) !== undefined)
          throw new CommandError(`There is a tenant ${name} already.`);
        const { id } = await identity.tenants.ensure(name);
        const folders = Object.values(placesOf(home, name));
        for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o750 });
        return { id, name, folders: folders.map((folder) => relative(home.root, folder)) };
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
      if (name === DEFAULT_TENANT) throw new CommandError(`The tenant ${DEFAULT_TENANT} is in every installation.`);
      const contents = await withAccounts(options.home, async (identity, { home }, state) => {
        const tenant = await tenantNamed(identity, name, false);
        const found = await contentsOf(state, home, tenant);
        if (!isEmpty(found) && options.force !== true)
          throw new CommandError(`The tenant ${name} has ${told(found)}. Give --force to remove all of it.`);
        await removeTenant(state, home, tenant);
        return found;
      });
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ name, removed: contents })}\n`
          : `Removed ${name}${isEmpty(contents) ? '' : ` with ${told(contents)}`}.\n`,
      );
    });
  return command;
}

function isEmpty({ rows, files }: TenantContents): boolean {
  return Object.keys(rows).length === 0 && Object.keys(files).length === 0;
}

/** Writes the counts: `2 rows of api_keys, 1 row of users, 3 files in datasources/acme`. */
function told({ rows, files }: TenantContents): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return [
    ...Object.entries(rows).map(([table, number]) => `${count(number, 'row')} of ${table}`),
    ...Object.entries(files).map(([folder, number]) => `${count(number, 'file')} in ${folder}`),
  ].join(', ');
}
