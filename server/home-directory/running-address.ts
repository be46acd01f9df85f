/** Announces the address of a home's server, so that commands on the same home print a working address. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from './home-directory.ts';

const FILE_NAME = 'server-address';
/** Time that a command waits for the announced server, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;

const Announcement = z.object({ url: z.url({ protocol: /^https?$/ }), process: z.number().int() });

/** Writes the address of the started server. The returned function removes it, unless another server has announced itself since. */
export function announceServer({ root }: Home, url: string): () => void {
  const file = join(root, FILE_NAME);
  writeFileSync(file, `${JSON.stringify({ url, process: process.pid })}\n`);
  return () => {
    if (announcement(file)?.process === process.pid) rmSync(file, { force: true });
  };
}

/** Returns the address of the home's server; undefined where none answers. A killed server leaves its announcement. */
export async function runningServer({ root }: Home): Promise<string | undefined> {
  const url = announcement(join(root, FILE_NAME))?.url;
  if (url === undefined) return undefined;
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  return answer?.ok === true ? url : undefined;
}

function announcement(file: string): z.output<typeof Announcement> | undefined {
  try {
    return Announcement.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    // No announcement, or a server is writing it at this moment.
    return undefined;
  }
}

/** Returns the address on this machine of a server that listens on `host`. */
export function serverUrl(host: string, port: number, basePath: string): string {
  const isAny = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host);
  const name = isAny ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${basePath}`;
}
