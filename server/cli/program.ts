import { Command, CommanderError } from 'commander';
import { ServiceError } from '../../router/errors.ts';
import { ConfigError } from '../config/read.ts';
import { VERSION } from '../version.ts';
import { apiKeyCommand } from './api-keys.ts';
import { CommandError } from './command-error.ts';
import { connectionCommand } from './connection.ts';
import { convertCommand } from './convert.ts';
import { mdxCommand } from './mdx.ts';
import { queryCommand } from './query.ts';
import { startCommand } from './start.ts';
import { userCommand } from './users.ts';
import { validateCommand } from './validate.ts';

/** Runs one command. On an error: one clear line on standard error and exit code 1 (2 for a wrong command line). */
export async function run(argv: readonly string[]): Promise<void> {
  const program = new Command('service')
    .description('A multi-tenant analytics service in one process.')
    .version(VERSION)
    .showHelpAfterError('(--help tells the options)')
    .exitOverride();
  const commands = [
    startCommand(),
    userCommand(),
    apiKeyCommand(),
    connectionCommand(),
    validateCommand(),
    convertCommand(),
    queryCommand(),
    mdxCommand(),
  ];
  for (const command of commands) program.addCommand(inherit(command));
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else {
      process.exitCode = 1;
      process.stderr.write(`service: ${explain(error)}\n`);
    }
  }
}

/** Errors of commands below are thrown to `run` too, so that all of them end alike. */
function inherit(command: Command): Command {
  command.exitOverride().showHelpAfterError('(--help tells the options)');
  for (const child of command.commands) inherit(child);
  return command;
}

function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError || error instanceof ServiceError)
    return error.message;
  return error instanceof Error
    ? process.env.SERVICE_DEBUG
      ? (error.stack ?? error.message)
      : error.message
    : String(error);
}
