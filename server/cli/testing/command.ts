import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { run } from '../program.ts';

/** The output of a command, and its exit code. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a command line in this process, and captures its output. */
export async function service(args: readonly string[], input?: string): Promise<Ended> {
  const written = { out: '', err: '' };
  const into = (key: 'out' | 'err') => (text: unknown) => {
    written[key] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(into('out'));
  vi.spyOn(process.stderr, 'write').mockImplementation(into('err'));
  if (input !== undefined)
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin);
  process.exitCode = undefined;
  await run(['node', 'service', ...args]);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  vi.restoreAllMocks();
  return { ...written, code };
}
