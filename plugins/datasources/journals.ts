/** The journals of publications in a folder of descriptors, and the files that they keep from being read. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const NAME = /^\.publish-[A-Za-z0-9_-]+\.json$/;

export const AREAS = ['files', 'repository'] as const;
export type Area = (typeof AREAS)[number];

const Journal = z.object({
  /** The mark of the process that writes. */
  process: z.string(),
  changes: z.array(
    z.object({
      area: z.enum(AREAS),
      path: z.string(),
      /** The hash of the written text. */
      sha256: z.string(),
      /** The text before; null where the file did not exist. */
      before: z.string().nullable(),
    }),
  ),
  /** The database that the publication makes, relative to the folder; null where it makes none or one was there. */
  database: z.string().nullable(),
});
export type Journal = z.infer<typeof Journal>;

/** The meaning of a damaged journal: it blocks no file, and is removed when it is old. */
const SPOILT: Journal = { process: '', changes: [], database: null };

/** Returns the file of the journal of a publication. */
export function journalFile(directory: string, name: string): string {
  return join(directory, `.publish-${name}.json`);
}

/** Returns whether a file of a folder of descriptors is the journal of a publication. */
export function isJournal(name: string): boolean {
  return NAME.test(name);
}

/** Reads a journal; `undefined` where it is gone. */
export async function readJournal(file: string): Promise<Journal | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return Journal.safeParse(JSON.parse(text)).data ?? SPOILT;
  } catch {
    return SPOILT;
  }
}

/**
 * Lists the names of the files in a folder without the files of incomplete publications. When a publication completes
 * during the listing, the folder is listed again, so that its files appear all or not at all.
 */
export async function completeFiles(directory: string): Promise<readonly string[]> {
  for (;;) {
    const names = await readdir(directory);
    const journals = await Promise.all(names.filter(isJournal).map((name) => readJournal(join(directory, name))));
    if (journals.includes(undefined)) continue;
    const changes = journals.flatMap((journal) => journal?.changes ?? []);
    const incomplete = new Set(changes.filter(({ area }) => area === 'files').map(({ path }) => path));
    return names.filter((name) => !incomplete.has(name));
  }
}
