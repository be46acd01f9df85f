import { createRequire } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import type Pretty from 'pino-pretty';
import { once } from '../../router/once.ts';
import { printable, printableLines } from './printable.ts';

/** Formats of log entries. `auto` is `text` on a terminal, `json` elsewhere. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const LOG_LEVELS = ['auto', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STANDARD_ERROR = 2;

/** Returns the level of the log: people at a terminal read what needs them, a supervisor keeps all. */
export function logLevel(
  level: LogLevel,
  format: LogFormat,
  { isTTY = false }: { readonly isTTY?: boolean } = process.stderr,
): Exclude<LogLevel, 'auto'> {
  if (level !== 'auto') return level;
  return isTTY && format !== 'json' ? 'warn' : 'info';
}

/**
 * Opens standard error for the log, so that commands keep standard output to themselves. Writes are synchronous: the
 * last entry before an exit is written, too.
 */
export function logDestination(
  format: LogFormat,
  { isTTY = false }: { readonly isTTY?: boolean } = process.stderr,
): DestinationStream {
  const isText = format === 'text' || (format === 'auto' && isTTY);
  if (!isText) return pino.destination({ fd: STANDARD_ERROR, sync: true });
  return textDestination(STANDARD_ERROR, isTTY && pretty().isColorSupported);
}

/** Loads the writer of texts, which a log in JSON never needs. */
const pretty = once((): typeof Pretty => createRequire(import.meta.url)('pino-pretty'));

/** Writes entries as lines for people: time, level, message, then the fields as JSON. */
export function textDestination(destination: number | NodeJS.WritableStream, colorize: boolean): DestinationStream {
  const stream = pretty()({
    destination,
    colorize,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
  });
  return { write: (line) => void stream.write(withoutControls(line)) };
}

/** Escapes the control characters of an entry, because callers' texts are written to a terminal. */
function withoutControls(line: string): string {
  const entry: unknown = JSON.parse(line, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? printableLines(value) : printable(value);
  });
  return `${JSON.stringify(entry)}\n`;
}
