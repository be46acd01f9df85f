/**
 * Writes the files of a publication and its documents of the repository, all or none. A journal beside the descriptors
 * names them until the last one is written. While the journal exists, its descriptors are not read. When its process
 * has ended, the publication is taken back.
 */
import { createHash } from 'node:crypto';
import { access, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { ConflictError } from '../../router/errors.ts';
import { isLeft, ownMark } from '../../router/process-mark.ts';
import { readTextFile, writePrivately } from './files.ts';
import { type Area, isJournal, type Journal, journalFile, readJournal } from './journals.ts';

/** Where a publication writes. */
export interface PublicationPlaces {
  /** The folder of the descriptors, and of the documents that they name. */
  readonly directory: string;
  /** The repository, with the rights of an administrator. */
  readonly repository: TextPlace;
}

/** Texts by their paths. */
export interface TextPlace {
  /** Returns a text; `undefined` where the file does not exist. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<unknown>;
  remove(path: string): Promise<unknown>;
}

export interface WrittenText {
  readonly path: string;
  readonly text: string;
}

export interface Publication {
  /** Of the first datasource. */
  readonly name: string;
  /** Names of files in the folder of the descriptors. */
  readonly files: readonly WrittenText[];
  /** Paths of the repository. */
  readonly documents: readonly WrittenText[];
  /** The database that is put into its place first, where one is. */
  readonly database?: { readonly path: string; readonly commit: () => Promise<void> };
}

/** A journal that its process has not put into its place. */
const UNPLACED_JOURNAL = /^\.\.publish-[A-Za-z0-9_-]+\.json\..+\.tmp$/;
/** Bytes of a file at most, as in the registry. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * Writes a publication completely, or changes nothing. Call `takeBackLeft` before.
 *
 * @throws ConflictError where another process writes a publication of this name
 */
export async function writeTogether(places: PublicationPlaces, publication: Publication): Promise<void> {
  const { name, files, documents, database } = publication;
  const file = journalFile(places.directory, name);
  if (await isThere(file)) throw isBeingWritten(name);
  const writes = [
    ...documents.map((each) => ({ ...each, area: 'repository' as const })),
    ...files.map((each) => ({ ...each, area: 'files' as const })),
  ];
  const changes: Journal['changes'] = [];
  for (const { area, path, text } of writes) {
    const before = (await openArea(places, area).read(path)) ?? null;
    changes.push({ area, path, sha256: hashOf(text), before });
  }
  const makesDatabase = database !== undefined && !(await isThere(database.path));
  const journal: Journal = {
    process: ownMark(),
    changes,
    database: makesDatabase ? relative(places.directory, database.path) : null,
  };
  await writePrivately(file, JSON.stringify(journal));
  try {
    await database?.commit();
    for (const { area, path, text } of writes) await openArea(places, area).write(path, text);
    await rm(file);
  } catch (error) {
    await takeBack(places, file, journal);
    throw error;
  }
}

/** Takes back what processes that have ended were writing into a folder. */
export async function takeBackLeft(places: PublicationPlaces): Promise<void> {
  const names = await readdir(places.directory).catch(() => []);
  for (const name of names) {
    const isBegun = UNPLACED_JOURNAL.test(name);
    if (!isBegun && !isJournal(name)) continue;
    const file = join(places.directory, name);
    const journal = await readJournal(file);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (journal === undefined || !isLeft(journal.process, mtimeMs)) continue;
    // Nothing was written yet before the journal was in its place.
    await (isBegun ? rm(file, { force: true }) : takeBack(places, file, journal));
  }
}

/** Restores the texts before the publication. Files that somebody changed since, or that were not written yet, stay. */
async function takeBack(places: PublicationPlaces, file: string, journal: Journal): Promise<void> {
  const { directory } = places;
  // The descriptors first: they name the rest.
  for (const { area, path, sha256, before } of [...journal.changes].reverse()) {
    const place = openArea(places, area);
    const now = await place.read(path);
    if (now === undefined || hashOf(now) !== sha256) continue;
    await (before === null ? place.remove(path) : place.write(path, before));
  }
  if (journal.database !== null) await rm(resolve(directory, journal.database), { force: true });
  const written = journal.changes.filter(({ area }) => area === 'files').map(({ path }) => `.${path}.`);
  for (const entry of await readdir(directory))
    if (entry.endsWith('.tmp') && written.some((start) => entry.startsWith(start)))
      await rm(join(directory, entry), { force: true });
  await rm(file, { force: true });
}

function openArea({ directory, repository }: PublicationPlaces, area: Area): TextPlace {
  if (area === 'repository') return repository;
  return {
    async read(path) {
      const read = await readTextFile(join(directory, path), MAX_FILE_BYTES);
      return 'text' in read ? read.text : undefined;
    },
    write: (path, text) => writePrivately(join(directory, path), text),
    remove: (path) => rm(join(directory, path), { force: true }),
  };
}

function isBeingWritten(name: string): ConflictError {
  return new ConflictError(`Another process publishes "${name}" now. Try again later, or choose another name.`, {
    code: 'publishing',
  });
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Returns the hash of a text, which later shows whether somebody changed it. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
