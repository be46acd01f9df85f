import { Command } from 'commander';
import { recordCommand } from '../audit/command-entry.ts';
import { CommandError } from '../installation/command-error.ts';
import { tenantNamed, withAccounts } from './accounts.ts';
import { createOption, homeOption, tenantOption } from './common-options.ts';
import { progress } from './progress.ts';

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly name?: string;
  readonly schema?: string;
  readonly username?: string;
  readonly create?: true;
  readonly replace?: true;
  readonly acceptLosses?: true;
  readonly json?: true;
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      'Load files or attach a database, find a model in it, and publish it with first queries and a dashboard.',
    )
    .argument(
      '<file...>',
      '.csv, .xlsx, .parquet and .json files, or links to them that service.links.allow names; or one DuckDB or SQLite file; or one JDBC URL',
    )
    .addOption(homeOption())
    .addOption(tenantOption())
    .option('--name <name>', 'name of the datasource; by default the name of the first file')
    .option('--schema <name>', 'the schema to import from a database')
    .option('--username <name>', 'of a JDBC URL; the password is read from SERVICE_IMPORT_PASSWORD')
    .addOption(createOption())
    .option('--replace', 'replace the data of an import of the same name, which must exist')
    .option('--accept-losses', 'with --replace: also where the model loses tables, columns or types')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA second import of the same name replaces the data and keeps the model. A running server takes both up by itself.',
    )
    .action(async (files: readonly string[], options: Options) => {
      if (options.acceptLosses === true && options.replace !== true)
        throw new CommandError('--accept-losses needs --replace.');
      const outcome = await withAccounts(
        options.home,
        async (identity, setup, state) => {
          const { id } = await tenantNamed(identity, options.tenant);
          const { importInto } = await import('../launcher-import.ts');
          const shown = progress('Importing');
          const imported = await importInto(setup, {
            tenant: options.tenant,
            files,
            name: options.name,
            isReplacement: options.replace === true,
            acceptsLosses: options.acceptLosses === true,
            schema: options.schema,
            username: options.username,
            password: process.env.SERVICE_IMPORT_PASSWORD,
            onProgress: (done, total, what) => shown.at(done, total, what),
          }).finally(() => shown.end());
          if (!('refused' in imported))
            await recordCommand(state, setup.log, {
              tenant: id,
              kind: 'ADMINISTRATION',
              action: 'import',
              target: `name=${imported.name}`,
            });
          return imported;
        },
        options.create,
      );
      if ('refused' in outcome) throw new CommandError(outcome.refused);
      if (options.json === true) process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
      else process.stdout.write(`${outcome.lines.join('\n')}\n`);
    });
}
