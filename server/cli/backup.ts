import { resolve } from 'node:path';
import { Command } from 'commander';
import { existingHome } from '../installation/existing-home.ts';
import { setUp } from '../installation/setup.ts';
import { VERSION } from '../version.ts';
import { recordOfInstallation, withAccounts } from './accounts.ts';
import { createOption, homeOption } from './common-options.ts';

interface Options {
  readonly home: string;
  readonly json?: true;
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('Save state, documents, datasources, skills and data to one file, also while the server runs.')
    .argument('<file>')
    .addOption(homeOption())
    .option('--without-key', 'leave out the key of saved passwords (data/secrets.key)')
    .option('--json', 'print JSON')
    .action(async (file: string, options: Options & { readonly withoutKey?: true }) => {
      const { home, config, log } = existingHome(options.home);
      const [{ backUp }, { allMigrations }] = await Promise.all([
        import('../backup/backup.ts'),
        import('../all-migrations.ts'),
      ]);
      const counts = await backUp(resolve(file), {
        home,
        stateUrl: config['service.state.url'] || undefined,
        migrations: allMigrations,
        version: VERSION,
        log,
        withoutKey: options.withoutKey === true,
      });
      await recorded(options.home, 'backup');
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ file: resolve(file), ...counts })}\n`
          : `Saved ${counts.rows} rows of ${counts.tables} tables and ${counts.files} files to ${file}.\n`,
      );
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Replace the state and files of the home with a backup. Running servers stop within seconds and must be started again.',
    )
    .argument('<file>')
    .addOption(homeOption())
    .addOption(createOption())
    .option('--json', 'print JSON')
    .action(async (file: string, options: Options & { readonly create?: true }) => {
      const { home, config, log } = options.create === true ? setUp(options.home) : existingHome(options.home);
      const [{ restore }, { allMigrations }] = await Promise.all([
        import('../backup/restore.ts'),
        import('../all-migrations.ts'),
      ]);
      const done = await restore(resolve(file), {
        home,
        stateUrl: config['service.state.url'] || undefined,
        migrations: allMigrations,
        log,
      });
      await recorded(options.home, 'restore');
      process.stdout.write(
        options.json
          ? `${JSON.stringify(done)}\n`
          : `Restored ${done.rows} rows and ${done.files} files of ${done.madeAt} (service ${done.madeBy}). The previous state and files are in ${done.before}.\nServers that run on them stop now with exit code 75; their supervisor restarts them.\n`,
      );
    });
}

/** Records the action in the audit log afterwards: a refused state stays unchanged. */
async function recorded(home: string, action: string): Promise<void> {
  await withAccounts(home, ({ tenants }, { log }, state) =>
    recordOfInstallation(tenants, state, log, { action, target: null }),
  );
}
