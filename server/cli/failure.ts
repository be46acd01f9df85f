import type { CommanderError } from 'commander';
import { standardErrorFormat } from '../../router/error-body.ts';
import { ServiceError, ValidationError } from '../../router/errors.ts';
import { ConfigError } from '../config/read-config.ts';
import { CommandError } from '../installation/command-error.ts';
import { StateUnusableError } from '../state/state-unusable-error.ts';
import { fileFailureLine } from './file-failure.ts';
import type { UsageError } from './option-values.ts';

/** Describes an error in one line for people. */
export function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isOurs(error)) return error.message;
  if (process.env.SERVICE_DEBUG) return error.stack ?? error.message;
  return fileFailureLine(error) ?? error.message;
}

/** Describes an error for programs: `{error, message}`, with field, candidates and problems where there are any. */
export function failureJson(error: unknown): object {
  if (error instanceof CommandError && error.cause instanceof ServiceError) return failureJson(error.cause);
  if (error instanceof ServiceError) {
    const several = error instanceof ValidationError && error.problems.length > 1;
    return { ...standardErrorFormat(error), ...(several ? { problems: error.problems } : {}) };
  }
  return { error: codeOf(error), message: failureLine(error) };
}

/** Describes a mistake in the command line for programs. */
export function usageJson({ message }: CommanderError | UsageError): object {
  return { error: 'USAGE', message: message.replace(/^error: /, '') };
}

function codeOf(error: unknown): string {
  if (error instanceof CommandError) return 'COMMAND_FAILED';
  if (error instanceof ConfigError) return 'SETTING_INVALID';
  return error instanceof StateUnusableError ? 'STATE_UNUSABLE' : 'EXECUTION_ERROR';
}

function isOurs(error: Error): boolean {
  return [CommandError, ConfigError, ServiceError, StateUnusableError].some(
    (errorClass) => error instanceof errorClass,
  );
}
