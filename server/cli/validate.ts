import { Command } from 'commander';
import { plural } from '../../router/plural.ts';
import { offlineWarehouses } from '../installation/existing-home.ts';
import { openWarehouses } from '../warehouse/index.ts';
import { jdbcUrl, UsageError } from './option-values.ts';

interface Options {
  readonly jdbc?: string;
  readonly username?: string;
  readonly data?: true;
  readonly model?: string;
  readonly json?: true;
}

export function validateCommand(): Command {
  return new Command('validate')
    .description('Check semantic documents (YAML or JSON) and cube schemas (XML): every problem, with its line.')
    .argument('<file...>')
    .option('--jdbc <url>', 'also check against this warehouse: its tables, columns and types', jdbcUrl)
    .option('--username <name>', 'user of the warehouse; its password is read from SERVICE_JDBC_PASSWORD')
    .option('--data', 'also ask the data whether keys are unique (needs --jdbc)')
    .option('--model <name>', 'check only this semantic model of a document')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExits with 1 when there is an error; warnings alone do not fail.')
    .action(validate);
}

async function validate(files: readonly string[], options: Options): Promise<void> {
  if (options.data && options.jdbc === undefined)
    throw new UsageError('--data needs --jdbc: the data is in a warehouse.');
  const { check, readInputFile } = await import('../launcher-offline.ts');
  const warehouses = openWarehouses(offlineWarehouses());
  try {
    const warehouse =
      options.jdbc === undefined
        ? undefined
        : await warehouses.open({
            jdbcUrl: options.jdbc,
            username: options.username,
            password: process.env.SERVICE_JDBC_PASSWORD || undefined,
          });
    const reports = [];
    for (const file of files) {
      const report = await check(await readInputFile(file), { warehouse, data: options.data, model: options.model });
      reports.push({ file, ...report });
    }
    process.stdout.write(options.json ? `${JSON.stringify(reports, null, 2)}\n` : reports.map(lines).join(''));
    const failed = reports.some(({ problems }) => problems.some(({ severity }) => severity === 'error'));
    if (failed) process.exitCode = 1;
  } finally {
    await warehouses.close();
  }
}

interface Report {
  readonly file: string;
  readonly kind: string;
  readonly problems: readonly {
    readonly severity: string;
    readonly message: string;
    readonly line?: number | undefined;
  }[];
  readonly notChecked: readonly string[];
}

function lines({ file, kind, problems, notChecked }: Report): string {
  const lines = problems.map(({ severity, message, line }) => `${file}:${line ?? 1}: ${severity}: ${message}\n`);
  const count = (counted: string) => {
    const number = problems.filter(({ severity }) => severity === counted).length;
    return `${number} ${plural(number, counted)}`;
  };
  const open = notChecked.map((what) => `  not checked: ${what}\n`);
  return `${lines.join('')}${file}: ${kind}, ${count('error')}, ${count('warning')}\n${open.join('')}`;
}
