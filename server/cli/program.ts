import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { anomalyCommand, forecastCommand } from './analytics.ts';
import { apiKeyCommand } from './api-keys.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { connectionCommand } from './connection.ts';
import { convertCommand } from './convert.ts';
import { doctorCommand } from './doctor/command.ts';
import { evalCommand } from './eval.ts';
import { exportCommand } from './export.ts';
import { failureJson, failureLine, usageJson } from './failure.ts';
import { importCommand } from './import.ts';
import { mcpCommand } from './mcp.ts';
import { mdxCommand } from './mdx.ts';
import { refuseBlanks, UsageError } from './option-values.ts';
import { queryCommand } from './query.ts';
import { questionCommand } from './questions.ts';
import { refreshCommand } from './refresh.ts';
import { rollupCommand } from './rollups.ts';
import { startCommand } from './start.ts';
import { tenantCommand } from './tenants.ts';
import { tokenCommand } from './tokens.ts';
import { userCommand } from './users.ts';
import { validateCommand } from './validate.ts';
import { webhookCommand } from './webhooks.ts';

/** Makes the commands with their subcommands. */
export function commandsOf(): readonly Command[] {
  return [
    startCommand(),
    doctorCommand(),
    tenantCommand(),
    userCommand(),
    apiKeyCommand(),
    tokenCommand(),
    connectionCommand(),
    refreshCommand(),
    rollupCommand(),
    webhookCommand(),
    validateCommand(),
    convertCommand(),
    importCommand(),
    queryCommand(),
    exportCommand(),
    forecastCommand(),
    anomalyCommand(),
    mdxCommand(),
    mcpCommand(),
    evalCommand(),
    questionCommand(),
    backupCommand(),
    restoreCommand(),
    completionCommand(commandsOf),
  ];
}

const HINT = '(--help lists the options)';

/**
 * Runs one command. On an error: one clear line on standard error, JSON where the command was asked for JSON, and exit
 * code 1 (2 for a wrong command line).
 */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('service')
    .description('A multi-tenant analytics service in one process.')
    .version(VERSION)
    .showHelpAfterError(HINT)
    .exitOverride();
  const json = wantsJson(argv);
  if (json) program.configureOutput({ writeErr: () => undefined });
  for (const command of commandsOf()) program.addCommand(inherit(command, program));
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      if (json && error.exitCode !== 0) writeFailure(JSON.stringify(usageJson(error)));
    } else if (error instanceof UsageError) {
      process.exitCode = 2;
      writeFailure(json ? JSON.stringify(usageJson(error)) : `error: ${error.message}\n\n${HINT}`);
    } else {
      process.exitCode = 1;
      writeFailure(json ? JSON.stringify(failureJson(error)) : `service: ${failureLine(error)}`);
    }
  }
}

/** Applies settings to subcommands: their errors are thrown to `run` and formatted there, too. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  refuseBlanks(command.options);
  if (command.commands.length > 0) {
    const names = command.commands.map((child) => child.name());
    command.showHelpAfterError(`(commands: ${names.join(', ')}; --help describes them)`);
  }
  for (const child of command.commands) inherit(child, command);
  return command;
}

/** Returns whether the command line asks for JSON. A wrong command line is answered in JSON, too. */
function wantsJson(argv: readonly string[]): boolean {
  const format = argv.findIndex((argument) => argument === '--format' || argument === '--format=json');
  return argv.includes('--json') || argv[format] === '--format=json' || (format > 0 && argv[format + 1] === 'json');
}

function writeFailure(line: string): void {
  process.stderr.write(`${line}\n`);
}
