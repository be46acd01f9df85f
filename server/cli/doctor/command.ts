import { Command } from 'commander';
import { ConfigError } from '../../config/read-config.ts';
import { readSetup, type Setup } from '../../installation/setup.ts';
import { printable } from '../../log/printable.ts';
import { homeOption } from '../common-options.ts';
import { examineDatasources } from './datasources.ts';
import { type Finding, failed, messageOf, ok, warning } from './finding.ts';
import { examineHome, missingHome } from './home.ts';
import { examineLanguageModel } from './language-model.ts';
import { examinePort } from './port.ts';
import { examineState } from './state.ts';

interface Options {
  readonly home: string;
  readonly json?: true;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Examine an installation, and report what is wrong and how to correct it.')
    .addOption(homeOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt looks at the settings, the home folder, the disk, the state, the datasources with their warehouses, the language model and the port.\nExit codes: 0 = nothing has failed, 1 = something has, 2 = a wrong option.',
    )
    .action(async ({ home, json }: Options) => {
      const findings = await examine(home);
      process.stdout.write(json === true ? `${JSON.stringify(findings, null, 2)}\n` : report(findings));
      if (findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
    });
}

/** Examines the installation in a folder. Nothing is created, and every part is examined although another has failed. */
async function examine(directory: string): Promise<readonly Finding[]> {
  let setup: Setup;
  const warnings: string[] = [];
  try {
    setup = readSetup(directory, {}, (text) => warnings.push(text));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      failed('settings', messageOf(error), 'Correct the value; docs/reference/settings.md lists the legal ones.'),
    ];
  }
  const settings = [
    ...(warnings.length === 0 ? [ok('settings', 'every name and value is known')] : []),
    ...warnings.map((text) => warning('settings', text, 'Correct the name, or remove it.')),
  ];
  const missing = missingHome(directory);
  if (missing !== undefined) return [...settings, missing];
  const [home, state, languageModel, port] = await Promise.all([
    examineHome(setup),
    examineState(setup),
    examineLanguageModel(setup),
    examinePort(setup),
  ]);
  const datasources = await examineDatasources(setup, state.tenants);
  return [...settings, ...home, ...state.findings, ...datasources, languageModel, port];
}

const MARKS: Readonly<Record<Finding['status'], string>> = { ok: '✓', warning: '!', failed: '✗' };

function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ subject, status, message, remedy }) => [
    `${MARKS[status]} ${printable(subject).padEnd(width)}  ${printable(message)}`,
    ...(remedy === undefined ? [] : [`  ${' '.repeat(width)}  → ${printable(remedy)}`]),
  ]);
  const count = (status: Finding['status']) => findings.filter((each) => each.status === status).length;
  const [wrong, doubtful] = [count('failed'), count('warning')];
  const summary =
    wrong + doubtful === 0
      ? 'Nothing is wrong.'
      : `${wrong} failed, ${doubtful} ${doubtful === 1 ? 'warning' : 'warnings'}.`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}
