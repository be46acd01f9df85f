import { type DestinationStream, pino } from 'pino';
import type { Log } from '../../router/capabilities/log.ts';
import { logDestination } from './destination.ts';

/** Members that never reach the log, wherever they stand in the first two levels of the logged fields. */
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'apiKey', 'username'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** Opens the process's log. */
export function openLog(level: string, destination: DestinationStream = logDestination('json')): Log {
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
