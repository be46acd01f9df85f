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

/** Bytes of a document at most, as in the registry of datasources. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/**
 * Removes the document of a datasource and the saved queries that were made with it, where they are unchanged. A
 * document elsewhere stays.
 *
 * @param descriptor the text of the removed descriptor
 */
export async function withdraw(
  dependencies: WithdrawDependencies,
  caller: Scope,
  datasource: Pick<Datasource, 'documentPath'>,
  descriptor: string,
): Promise<Withdrawn> {
  const { document, removed, kept } = await planWithdrawal(dependencies, caller, datasource, descriptor);
  if (document !== undefined) await rm(datasource.documentPath);
  for (const { path } of removed) await dependencies.repository.remove(caller, path);
  return {
    removed: [
      ...(document === undefined ? [] : [basename(datasource.documentPath)]),
      ...removed.map(({ path }) => path),
    ],
    kept,
  };
}

/** The documents that go with a datasource, with their texts, and those that stay. */
export interface WithdrawalPlan {
  /** The text of its document; `undefined` where the document stays. */
  readonly document: string | undefined;
  readonly removed: readonly { readonly path: string; readonly text: string }[];
  readonly kept: readonly string[];
}

/**
 * Finds the documents that go with a datasource. Nothing is removed.
 *
 * @param own the path of its descriptor, where that is still there
 */
export async function planWithdrawal(
  { registryOf, repository }: WithdrawDependencies,
  caller: Scope,
  { documentPath }: Pick<Datasource, 'documentPath'>,
  descriptor: string,
  own?: string,
): Promise<WithdrawalPlan> {
  const nothing: WithdrawalPlan = { document: undefined, removed: [], kept: [] };
  const mark = readMark(descriptor);
  const { directory } = await registryOf(caller.tenant);
  if (mark === undefined || dirname(documentPath) !== directory) return nothing;
  const read = await readTextFile(documentPath, MAX_DOCUMENT_BYTES);
  if (!('text' in read)) return nothing;
  if (mark.sha256 !== hashOf(read.text) || (await isNamed(directory, documentPath, own)))
    return { ...nothing, kept: [basename(documentPath)] };
  const removed: { path: string; text: string }[] = [];
  const kept: string[] = [];
  for (const [path, hash] of Object.entries(mark.documents)) {
    const document = await repository.read(caller, path);
    if (document === undefined) continue;
    if (hashOf(document.text) === hash) removed.push({ path, text: document.text });
    else kept.push(path);
  }
  return { document: read.text, removed, kept };
}

/**
 * Returns whether a descriptor names the document: one of this folder, or one below, where other tenants' are.
 *
 * @param except the path of a descriptor that does not count
 */
export async function isNamed(directory: string, documentPath: string, except?: string): Promise<boolean> {
  const folders = (await readdir(directory, { withFileTypes: true })).filter((each) => each.isDirectory());
  const below = folders.map((each) => join(directory, each.name));
  const files = await Promise.all([directory, ...below].map((folder) => descriptorFiles(folder)));
  for (const file of files.flat()) {
    if (file === except) continue;
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
