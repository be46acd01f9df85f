/** Works out a change of a model document: the text after it, its problems, and what it breaks and renames elsewhere. */
import type { TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { NotFoundError } from '../../../router/errors.ts';
import type { Catalog } from '../catalog.ts';
import { type DocumentReader, rememberingReader } from '../document-reader.ts';
import { lintDocument } from '../lint/lint-document.ts';
import { loadModel } from '../load.ts';
import { documentOf } from '../model/read-document.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import { ReferentialIntegrity } from '../query/execute/referential-integrity.ts';
import { type Break, breakage, type ChangedRequest, type Embed } from './breakage.ts';
import type { DocumentEditor } from './edit-documents.ts';
import type { Edit } from './edits.ts';
import { lineDifference } from './line-difference.ts';
import { type ModelFile, type ModelFiles, stale } from './model-files.ts';
import type { ModelChange } from './schemas.ts';
import { carriedThrough, type ModelName, readContent, requestsOf, type StoredDocument } from './stored-requests.ts';
import { type CarriedDocument, type ModelVersionRow, type ModelVersions, versionOf } from './versions.ts';

export interface EditingParts extends Dependencies {
  readonly log: Log;
  readonly files: ModelFiles;
  readonly versions: ModelVersions;
  readonly repository: Repository;
  readonly embedsOf: (tenant: TenantId) => Promise<readonly Embed[]>;
  /** Reads the texts of documents. */
  readonly reader: DocumentReader;
  /** Applies edits to documents. */
  readonly edit: DocumentEditor;
}

/** Finds, reads and opens a document. */
export interface OpeningParts {
  readonly files: Pick<ModelFiles, 'find' | 'read'>;
  readonly catalogs: { of(tenant: TenantId): Pick<Catalog, 'open'> };
}

/**
 * Opens the document of a change.
 *
 * @throws ConflictError for a change of an earlier version
 */
export async function openDocument(
  { id, version }: Pick<ModelChange, 'id' | 'version'>,
  caller: UserCaller,
  { files, catalogs }: OpeningParts,
) {
  const file = await files.find(caller, id);
  const { datasource } = file;
  const before = await files.read(caller, file);
  if (versionOf(before) !== version) throw stale('The model');
  const warehouse = await catalogs.of(caller.tenant).open(datasource.warehouse);
  return { file, datasource, before, warehouse };
}

export interface Proposed {
  readonly file: ModelFile;
  readonly before: string;
  readonly after: string;
  readonly summary: string;
  readonly problems: Awaited<ReturnType<typeof lintDocument>>['problems'];
  readonly breaks: readonly Break[];
  /** Documents that the change renames in, with their texts before. */
  readonly carried: readonly (StoredDocument & { readonly before: string })[];
  readonly uncheckedCount: number;
}

/**
 * Returns what a change does. Nothing is written.
 *
 * @throws ConflictError for a change of an earlier version
 */
export async function proposeChange(
  change: ModelChange,
  caller: UserCaller,
  parts: EditingParts,
  signal: AbortSignal | undefined,
): Promise<Proposed> {
  const { catalogs, repository } = parts;
  const { file, datasource, before, warehouse } = await openDocument(change, caller, parts);
  const reader = rememberingReader(parts.reader);
  const { documents, uncheckedCount } = await readContent(repository, caller);
  const next = await changedText(change, before, file, caller, { parts, warehouse, documents, reader });
  const { problems } = await lintDocument(next.text, { model: datasource.schema, warehouse, reader });
  const carried = next.carried.flatMap((document) => {
    const former = documents.find(({ path }) => path === document.path);
    return former === undefined ? [] : [{ ...document, before: former.text }];
  });
  const shared = { file, before, after: next.text, summary: next.summary, problems, carried, uncheckedCount };
  const { model } = await loadModel(datasource, next.text, warehouse, reader);
  if (model === undefined) return { ...shared, breaks: [] };
  const integrity = new ReferentialIntegrity(model, warehouse, parts.log);
  try {
    const breaks = await breakage(changedRequests(documents, next.carried, nameOf(file, model.name, parts, caller)), {
      before: catalogs.of(caller.tenant).served(datasource.id),
      after: {
        model,
        warehouse,
        keyPrefix: ['proposal', caller.tenant, datasource.id, versionOf(next.text)],
        integrity,
      },
      caller,
      embeds: await parts.embedsOf(caller.tenant),
      cache: parts.cache,
      settings: parts.settings,
      signal,
    });
    return { ...shared, breaks };
  } finally {
    integrity.close();
  }
}

export function nameOf(
  { datasource }: ModelFile,
  model: string,
  { catalogs }: EditingParts,
  caller: UserCaller,
): ModelName {
  const served = catalogs.of(caller.tenant).servedBy(datasource.name);
  return { connection: datasource.name, model, isOnly: served.length <= 1 };
}

/** Pairs each stored request with itself after the change. */
function changedRequests(
  documents: readonly StoredDocument[],
  carried: readonly StoredDocument[],
  name: ModelName,
): readonly ChangedRequest[] {
  const renamed = new Map(carried.map((document) => [document.path, document] as const));
  const after = requestsOf(
    documents.map((document) => renamed.get(document.path) ?? document),
    name,
  );
  const byPlace = new Map(after.map((request) => [JSON.stringify([request.path, request.tile]), request] as const));
  return requestsOf(documents, name).flatMap((before) => {
    const changed = byPlace.get(JSON.stringify([before.path, before.tile]));
    return changed === undefined ? [] : [{ before, after: changed }];
  });
}

interface Next {
  readonly text: string;
  readonly summary: string;
  readonly carried: readonly StoredDocument[];
}

interface Environment {
  readonly parts: EditingParts;
  readonly warehouse: Warehouse;
  readonly documents: readonly StoredDocument[];
  readonly reader: DocumentReader;
}

async function changedText(
  { text, restore, edits = [] }: ModelChange,
  before: string,
  file: ModelFile,
  caller: UserCaller,
  { parts, warehouse, documents, reader }: Environment,
): Promise<Next> {
  const { datasource } = file;
  if (text !== undefined) return { text, summary: 'Edited the source', carried: [] };
  if (restore !== undefined)
    return restored(restore, await parts.versions.list(caller, datasource.id), documents, before);
  const document = { text: before, schema: datasource.schema, engine: warehouse.dialect };
  const applied = await parts.edit(document, edits);
  const current = documentOf(await reader.yaml(before), datasource.schema);
  const name = 'model' in current ? nameOf(file, current.model.name, parts, caller) : undefined;
  const carried = name === undefined ? [] : await carriedThrough(documents, name, applied.renamings);
  return { text: applied.text, summary: summaryOf(edits), carried };
}

/** Goes back to a version. Documents that later saves renamed in go back, too, where nobody has changed them since. */
function restored(
  version: string,
  rows: readonly ModelVersionRow[],
  documents: readonly StoredDocument[],
  before: string,
): Next {
  const index = rows.findIndex((row) => row.version === version);
  const row = rows[index];
  if (row === undefined)
    throw new NotFoundError(`There is no version "${version}" of this model.`, {
      path: ['restore'],
      available: rows.map((each) => each.version),
    });
  const texts = new Map(documents.map(({ path, text }) => [path, text] as const));
  const former = new Map(texts);
  // The later saves are only undone together with the document that they left.
  const isCurrent = rows[0]?.version === versionOf(before);
  for (const later of isCurrent ? rows.slice(0, index) : []) {
    const carried = JSON.parse(later.carried) as readonly CarriedDocument[];
    for (const { path, before: text, afterHash } of carried) {
      const now = former.get(path);
      if (now !== undefined && versionOf(now) === afterHash) former.set(path, text);
    }
  }
  const carried = [...former].filter(([path, text]) => texts.get(path) !== text);
  return {
    text: row.text,
    summary: `Went back to the version of ${new Date(row.created_at).toISOString()}`,
    carried: carried.map(([path, text]) => ({
      path,
      text,
      content: JSON.parse(text) as Readonly<Record<string, unknown>>,
    })),
  };
}

/** The most characters of a summary. */
const MAX_SUMMARY = 500;

function summaryOf(edits: readonly Edit[]): string {
  const words = edits.map((edit) => {
    switch (edit.op) {
      case 'set':
        return `${edit.value === null ? 'Removed' : 'Set'} ${edit.property} of ${nameOfTarget(edit.on)}`;
      case 'rename':
        return `Renamed ${nameOfTarget(edit.on)} to ${edit.name}`;
      case 'remove':
        return `Removed ${nameOfTarget(edit.on)}`;
      case 'add-certified-answer':
        return `Certified the answer to "${edit.answer.question}"`;
      default:
        return `Added ${edit.op.slice('add-'.length)} ${edit.name}`;
    }
  });
  const text = words.join('; ');
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text;
}

function nameOfTarget({ kind, dataset, name }: Extract<Edit, { op: 'rename' }>['on']): string {
  return [kind, [dataset, name].filter((each) => each !== undefined).join('.')].join(' ').trim();
}

/** Returns the comparison of a change. */
export function differenceOf({ before, after }: Pick<Proposed, 'before' | 'after'>) {
  return lineDifference(before, after).map((line) => ({ ...line }));
}
