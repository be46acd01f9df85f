/**
 * Files that live as long as a request. Their names have the process that wrote them, so that the next start removes
 * those of a killed one.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, ownMark } from '../../router/process-mark.ts';

const NAME = /^(?:\.import-)?(by-[A-Za-z0-9_]+-\d+)(?:-|$)/;

/** Returns the name of what this process writes for the time of a request. */
export function ownScratchName(): string {
  return ownMark();
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
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (isLeft(NAME.exec(name)?.[1] ?? '', mtimeMs)) await rm(path, { recursive: true, force: true });
  }
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
