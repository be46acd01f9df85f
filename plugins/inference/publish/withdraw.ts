/** Removes the published files of a datasource that was removed; files that a person has written or changed stay. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import {
  type DatasourceRegistry,
  descriptorFiles,
  hashOf,
  parseDescriptor,
  readTextFile,
} from '../../datasources/index.ts';
import { readMark } from './made-mark.ts';

export interface WithdrawDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly repository: Repository;
}

/**
 * The removed and kept documents of a datasource: names of files beside its descriptor, and paths of the repository.
 */
export interface Withdrawn {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

const NOTHING: Withdrawn = { removed: [], kept: [] };
/** Bytes of a document at most, as in the registry of datasources. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/**
 * Removes the document of a datasource and the saved queries that were made with it, where they are unchanged. A
 * document elsewhere stays.
 *
 * @param descriptor the text of the removed descriptor
 */
export async function withdraw(
  { registryOf, repository }: WithdrawDependencies,
  caller: Scope,
  { documentPath }: Pick<Datasource, 'documentPath'>,
  descriptor: string,
): Promise<Withdrawn> {
  const mark = readMark(descriptor);
  const { directory } = await registryOf(caller.tenant);
  const file = basename(documentPath);
  if (mark === undefined || dirname(documentPath) !== directory) return NOTHING;
  const read = await readTextFile(documentPath, MAX_DOCUMENT_BYTES);
  if (!('text' in read)) return NOTHING;
  if (mark.sha256 !== hashOf(read.text) || (await isNamed(directory, documentPath)))
    return { removed: [], kept: [file] };
  await rm(documentPath);
  const removed = [file];
  const kept: string[] = [];
  for (const [path, hash] of Object.entries(mark.documents)) {
    const document = await repository.read(caller, path);
    if (document === undefined) continue;
    const isAsMade = hashOf(document.text) === hash;
    if (isAsMade) await repository.remove(caller, path);
    (isAsMade ? removed : kept).push(path);
  }
  return { removed, kept };
}

/** Returns whether a descriptor names the document: one of this folder, or one below, where other tenants' are. */
export async function isNamed(directory: string, documentPath: string): Promise<boolean> {
  const folders = (await readdir(directory, { withFileTypes: true })).filter((each) => each.isDirectory());
  const below = folders.map((each) => join(directory, each.name));
  const files = await Promise.all([directory, ...below].map((folder) => descriptorFiles(folder)));
  for (const file of files.flat()) {
    const read = await readTextFile(file, MAX_DOCUMENT_BYTES);
    const { datasource } = 'text' in read ? parseDescriptor(read.text, { file, supportedPrefixes: [''] }) : {};
    // A document that cannot be used now may name it after it is repaired.
    if (
      datasource === undefined
        ? !('text' in read) || read.text.includes(basename(documentPath))
        : datasource.documentPath === documentPath
    )
      return true;
  }
  return false;
}
