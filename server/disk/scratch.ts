/** Files that live as long as a request: named by the process that writes them, so that the next start clears what a killed one left. */
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const HOST = hostname().replaceAll(/[^A-Za-z0-9]/g, '_');
const NAME = /^(?:\.import-)?by-([A-Za-z0-9_]+)-(\d+)(?:-|$)/;
/** What other machines, or earlier versions, have left is cleared after so long: an import takes less. */
const STALE_MS = 3_600_000;

/** Returns the name of what this process writes for the time of a request. */
export function ownScratchName(): string {
  return `by-${HOST}-${process.pid}`;
}

/** Removes what processes that have ended have left below the data folder: uploads, and scratch of imports. */
export async function clearScratch(dataFolder: string): Promise<void> {
  const tenants = (await entriesOf(dataFolder)).filter((name) => !name.startsWith('.'));
  const imports = [join(dataFolder, 'imports'), ...tenants.map((name) => join(dataFolder, name, 'imports'))];
  await clearIn(join(dataFolder, 'uploads'), () => true);
  for (const folder of imports) await clearIn(folder, (name) => name.startsWith('.import-'));
}

async function clearIn(folder: string, isScratch: (name: string) => boolean): Promise<void> {
  for (const name of (await entriesOf(folder)).filter(isScratch)) {
    const path = join(folder, name);
    if (await isLeft(path, name)) await rm(path, { recursive: true, force: true });
  }
}

async function isLeft(path: string, name: string): Promise<boolean> {
  const [, host, pid] = NAME.exec(name) ?? [];
  // A process that begins has written nothing yet: what bears its number is of an earlier one.
  if (host === HOST) return Number(pid) === process.pid || !isAlive(Number(pid));
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
