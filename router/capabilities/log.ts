/** A structured log: `log.warn({ datasource: 'shop' }, 'cannot be read')`. Secrets never go in. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
  /** Leaves texts out of every later entry of the process, whoever writes it and however they are encoded there. */
  hide(texts: Iterable<string>): void;
}
