import { z } from 'zod';
import type { AskSource } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { DocumentInfo, Repository } from '../../router/capabilities/repository.ts';
import { ConflictError, NotFoundError, type Problem, ValidationError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { withoutNulls } from '../../router/without-nulls.ts';
import { problemsOfSources } from './check-sources.ts';
import { DocumentKind, EXTENSION, kindOf } from './documents/kinds.ts';
import { checkDocument, parseDocument, type RepositoryDocument } from './documents/parse.ts';
import { listDocuments } from './list-documents.ts';
import {
  DocumentAnswer,
  DocumentBody,
  DocumentListing,
  DocumentPath,
  ReadDocument,
  Removed,
  StoredDocument,
} from './schemas.ts';

export interface RepositoryOptions {
  readonly repository: Repository;
  /** The query surfaces that a document's requests may name. */
  readonly sources: readonly QuerySource[];
  /** The surfaces that an ask box may ask; without it, none. */
  readonly askSources?: readonly AskSource[];
  /** Receives each document that was removed. */
  readonly onRemoved?: (
    tenant: TenantId,
    document: { readonly kind: DocumentKind; readonly path: string },
  ) => Promise<void>;
}

const BASE = '/rest/service/api/repository';
const CHOICE = 'The whole repository interface is a choice of this product.';

export function repositoryOperations({ repository, sources, askSources = [], onRemoved }: RepositoryOptions) {
  return operations({
    list: operation({
      summary: 'List the saved queries, dashboards and ask boxes that the caller may read',
      access: 'user',
      rest: { method: 'GET', path: BASE, query: ['kind'] },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ kind: DocumentKind.optional().meta({ description: 'Without it: all kinds.' }) }))
      .output(z.array(DocumentListing))
      .query(({ ctx, input }) =>
        listDocuments(repository, userOf(ctx), input.kind === undefined ? DocumentKind.options : [input.kind]),
      ),

    read: operation({
      summary: 'Read one document',
      access: 'user',
      rest: { method: 'GET', path: `${BASE}/{path+}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: DocumentPath }))
      .output(DocumentAnswer)
      .query(async ({ ctx, input: { path } }) => {
        const kind = kindOf(path);
        const file = kind === undefined ? undefined : await repository.read(userOf(ctx), path);
        if (kind === undefined || file === undefined) throw noSuchDocument();
        const { document } = readable(kind, file.text);
        return { ...stored(kind, file.info), document };
      }),

    write: operation({
      summary: 'Write one document whole',
      description:
        'The document is checked against the schema of its kind and the requests in it against their query surface; names of a model are not looked up.',
      access: 'user',
      csrf: 'session',
      rest: { method: 'PUT', path: `${BASE}/{path+}`, body: 'document' },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: DocumentPath, document: DocumentBody }))
      .output(StoredDocument)
      .mutation(async ({ ctx, input: { path, document } }) => {
        const kind = kindForWriting(path);
        const checked = checkedDocument(kind, document, sources, askSources);
        const text = `${JSON.stringify(checked.document, undefined, 2)}\n`;
        return stored(kind, await repository.write(userOf(ctx), path, text));
      }),

    remove: operation({
      summary: 'Remove one document',
      description: 'Its embed tokens and its public grant end with it.',
      access: 'user',
      csrf: 'session',
      rest: { method: 'DELETE', path: `${BASE}/{path+}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: DocumentPath }))
      .output(Removed)
      .mutation(async ({ ctx, input: { path } }) => {
        const caller = userOf(ctx);
        const kind = kindOf(path);
        if (kind === undefined || !(await repository.remove(caller, path))) throw noSuchDocument();
        await onRemoved?.(caller.tenant, { kind, path });
        return { status: 'OK' } as const;
      }),
  });
}

function stored(kind: DocumentKind, { path, updatedAtMillis }: DocumentInfo) {
  return { path, kind, updatedAt: new Date(updatedAtMillis).toISOString() };
}

function kindForWriting(path: string): DocumentKind {
  const kind = kindOf(path);
  if (kind === undefined)
    throw ValidationError.at(
      ['path'],
      'A document is a saved query, a dashboard or an ask box; its extension says which.',
      Object.values(EXTENSION),
    );
  // In REST `<dashboard>/tiles/<id>` is the address of a tile: a dashboard in a folder of that name could not be embedded.
  if (kind === 'dashboard' && path.split('/').at(-2) === 'tiles')
    throw ValidationError.at(['path'], 'A dashboard cannot be in a folder called "tiles". Choose another name.');
  return kind;
}

/**
 * Returns the document, or every problem of it in one error, with paths counted from the input:
 * `document.tiles[0].w`.
 */
function checkedDocument(
  kind: DocumentKind,
  value: unknown,
  sources: readonly QuerySource[],
  askSources: readonly AskSource[],
): RepositoryDocument {
  const { document, isWrapped } = documentOf(kind, value);
  try {
    const checked = checkDocument(kind, document);
    refuse(problemsOfSources(checked, sources, askSources));
    return checked;
  } catch (error) {
    if (error instanceof ValidationError) throw error.under(isWrapped ? ['document', 'document'] : ['document']);
    throw error;
  }
}

/** Returns the document itself, which may be sent bare or in the envelope that reading it answers. */
function documentOf(kind: DocumentKind, value: unknown): { readonly document: unknown; readonly isWrapped: boolean } {
  if (typeof value !== 'object' || value === null || !('document' in value))
    return { document: value, isWrapped: false };
  const read = ReadDocument.safeParse(withoutNulls(ReadDocument, value));
  if (!read.success) {
    const error = toServiceError(read.error);
    throw error instanceof ValidationError ? error.under(['document']) : error;
  }
  if (read.data.kind !== undefined && read.data.kind !== kind)
    throw ValidationError.at(['document', 'kind'], `The extension of the path makes it a ${kind}.`, [kind]);
  return { document: read.data.document, isWrapped: true };
}

function refuse([first, ...others]: readonly Problem[]): void {
  if (first !== undefined) throw new ValidationError([first, ...others]);
}

/** Parses a stored document, which may have been placed by hand. */
function readable(kind: DocumentKind, text: string): RepositoryDocument {
  try {
    return parseDocument(kind, text);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const at = error.field === undefined || error.field === '' ? '' : ` at ${error.field}`;
    throw new ConflictError(`This document is broken${at}: ${error.message} Rewrite it or remove it.`, {
      code: 'DOCUMENT_BROKEN',
      cause: error,
    });
  }
}

function noSuchDocument(): NotFoundError {
  return new NotFoundError('There is no such document, or you may not read it.');
}
