/** Announces where the server of a home folder answers, so that commands on the same home print an address that works. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from './home-directory.ts';

const FILE_NAME = 'server-address';
/** How long a command waits for the announced server, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;

const Announcement = z.object({ url: z.url({ protocol: /^https?$/ }), process: z.number().int() });

/** Writes the address of the server that has just started. The returned function withdraws it, unless another server has announced itself since. */
export function announceServer({ root }: Home, url: string): () => void {
  const file = join(root, FILE_NAME);
  writeFileSync(file, `${JSON.stringify({ url, process: process.pid })}\n`);
  return () => {
    if (announcement(file)?.process === process.pid) rmSync(file, { force: true });
  };
}

/** Returns the address of the home's server, or undefined where none answers: a killed one leaves its announcement behind. */
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
    // None was written, or a server is writing it at this moment.
    return undefined;
  }
}

/** Returns the address by which this machine reaches a server that listens on `host`. */
export function serverUrl(host: string, port: number, basePath: string): string {
  const isAny = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host);
  const name = isAny ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${basePath}`;
}
