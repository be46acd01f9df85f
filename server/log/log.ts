import { type DestinationStream, pino } from 'pino';
import type { Log } from '../../router/capabilities/log.ts';

/** Members that never reach the log, wherever they stand in the first two levels of the logged fields. */
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'apiKey', 'username'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/**
 * Opens the process's log: one JSON line an entry, on standard error so that commands keep standard output to
 * themselves.
 */
export function openLog(level: string, destination: DestinationStream = pino.destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS, censor: '[hidden]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}
