/** A structured log: `log.warn({ datasource: 'shop' }, 'cannot be read')`. Secrets never go in. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
  /** Hides texts in every later entry of the process, in any encoding. */
  hide(texts: Iterable<string>): void;
}
