import type { Log } from '../capabilities/log.ts';

/** A log that records its entries, for tests that check them. */
export interface KeptLog extends Log {
  readonly lines: { readonly level: string; readonly fields: object; readonly message: string }[];
}

export function keptLog(): KeptLog {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log: KeptLog = {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    hide() {},
    child: () => log,
  };
  return log;
}
