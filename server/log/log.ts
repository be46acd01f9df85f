import { type DestinationStream, type Logger, pino } from 'pino';
import type { Log } from '../../router/capabilities/log.ts';
import { logDestination } from './destination.ts';
import { HiddenTexts } from './hide-secrets.ts';

/** Members that are never logged, in the first two levels of the logged fields. */
const SECRETS = ['password', 'token', 'authorization', 'cookie', 'apiKey', 'username'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** Opens the process's log. */
export function openLog(level: string, destination: DestinationStream = logDestination('json')): Log {
  const hidden = new HiddenTexts();
  const logger = pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS, censor: '[hidden]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => destination.write(hidden.redact(line)) },
  );
  return logOver(logger, hidden);
}

/** Returns a log without its news: only warnings and errors, for commands that print an answer of their own. */
export function warningsOf(log: Log): Log {
  return { ...log, debug() {}, info() {}, child: (fields) => warningsOf(log.child(fields)) };
}

function logOver(logger: Logger, hidden: HiddenTexts): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    hide: (texts) => hidden.add(texts),
    child: (fields) => logOver(logger.child(fields), hidden),
  };
}
