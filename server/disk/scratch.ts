/** Files that exist for one request. Their names contain the writing process, so that the next start deletes the files of a killed one. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft, ownMark } from '../../router/process-mark.ts';

const TABLES = '.rollup-';
const NAME = /^(?:\.(?:import|rollup)-)?(by-[A-Za-z0-9_]+-\d+)(?:-|$)/;

/** Returns the name of this process's files for one request. */
export function ownScratchName(): string {
  return ownMark();
}

/** Deletes the files of ended processes below the data folder: uploads, and scratch files of imports. */
export async function clearScratch(dataFolder: string): Promise<void> {
  const tenants = (await entriesOf(dataFolder)).filter((name) => !name.startsWith('.'));
  const imports = [join(dataFolder, 'imports'), ...tenants.map((name) => join(dataFolder, name, 'imports'))];
  await clearIn(join(dataFolder, 'uploads'), () => true);
  for (const folder of imports) await clearIn(folder, (name) => name.startsWith('.import-'));
  for (const folder of [dataFolder, ...tenants.map((name) => join(dataFolder, name)), ...imports])
    await clearTables(folder);
}

/** Deletes the copies of database files that ended processes were writing tables into. */
export function clearTables(folder: string): Promise<void> {
  return clearIn(folder, (name) => name.startsWith(TABLES));
}

/** Returns the beginning of the name of this process's folders of such copies. */
export function ownTablesName(): string {
  return `${TABLES}${ownMark()}-`;
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
