import { stat } from 'node:fs/promises';

/** Returns a text that differs after a file was replaced or written; `undefined` where there is no such file. */
export async function versionOfFile(file: string): Promise<string | undefined> {
  const stats = await stat(file).catch(() => undefined);
  return stats === undefined ? undefined : [stats.ino, stats.mtimeMs, stats.size].join('-');
}
