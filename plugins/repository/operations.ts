import { z } from 'zod';
import type { AskSource } from '../../router/ask-source.ts';
import { userOf } from '../../router/calling-user.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { QuerySource } from '../../router/capabilities/query-source.ts';
import type { DocumentInfo, Repository } from '../../router/capabilities/repository.ts';
import {
  BodyTooLargeError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  type Problem,
  ValidationError,
} from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { withoutNulls } from '../../router/without-nulls.ts';
import { problemsOfSources } from './check-sources.ts';
import { DocumentKind, EXTENSION, kindOf } from './documents/kinds.ts';
import { checkDocument, parseDocument, type RepositoryDocument } from './documents/parse.ts';
import { listDocuments } from './list-documents.ts';
import { Queues } from './queues.ts';
import {
  DocumentAnswer,
  DocumentBody,
  DocumentListing,
  DocumentPath,
  DocumentVersionList,
  MovedDocument,
  MoveRequest,
  ReadDocument,
  Removed,
  RestoreRequest,
  StoredDocument,
} from './schemas.ts';
import { movedTiles } from './tile-paths.ts';
import { DOCUMENT_TOOLS } from './tools.ts';
import { type DocumentChange, type DocumentVersions, versionOf } from './versions.ts';

export interface RepositoryOptions {
  readonly repository: Repository;
  /** The query surfaces that a document's requests may name. */
  readonly sources: readonly QuerySource[];
  /** The surfaces that an ask box may ask; without it, none. */
  readonly askSources?: readonly AskSource[];
  /** Keeps the versions of documents. */
  readonly versions: DocumentVersions;
  /** Receives each document that was removed, or that has left its path. */
  readonly onRemoved?: (
    tenant: TenantId,
    document: { readonly kind: DocumentKind; readonly path: string },
  ) => Promise<void>;
}

const BASE = '/rest/service/api/repository';
const CHOICE = 'The whole repository interface is a choice of this product.';

export function repositoryOperations({ repository, versions, sources, askSources = [], onRemoved }: RepositoryOptions) {
  const queues = new Queues();

  /** Writes a text and keeps the versions before and after it. */
  async function save(caller: Scope, path: string, kind: DocumentKind, { before, after, change }: Saved) {
    const info = await repository.write(caller, path, after);
    await versions.add(caller, path, { before, after, change });
    return { ...stored(kind, info), version: versionOf(after) };
  }

  function inTurn<T>({ tenant }: Scope, work: () => Promise<T>): Promise<T> {
    return queues.run(tenant, work);
  }

  return operations({
    list: operation({
      summary: 'List the saved queries, dashboards and ask boxes that the caller may read',
      access: 'user',
      tool: DOCUMENT_TOOLS.list,
      rest: { method: 'GET', path: BASE, query: ['kind'], isRevalidated: true },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ kind: DocumentKind.optional().meta({ description: 'Without it: all kinds.' }) }))
      .output(z.array(DocumentListing))
      .query(async ({ ctx, input }) => {
        const caller = userOf(ctx);
        const kinds = input.kind === undefined ? DocumentKind.options : [input.kind];
        return listDocuments(repository, caller, kinds, await versions.lastUsers(caller));
      }),

    read: operation({
      summary: 'Read one document',
      access: 'user',
      tool: DOCUMENT_TOOLS.read,
      rest: { method: 'GET', path: `${BASE}/{path+}`, isRevalidated: true },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: DocumentPath }))
      .output(DocumentAnswer)
      .query(async ({ ctx, input: { path } }) => {
        const kind = kindOf(path);
        const file = kind === undefined ? undefined : await repository.read(userOf(ctx), path);
        if (kind === undefined || file === undefined) throw noSuchDocument();
        const { document } = readable(kind, file.text);
        const version = versionOf(file.text);
        ctx.reply.header('ETag', `"${version}"`);
        return { ...stored(kind, file.info), version, document };
      }),

    write: operation({
      summary: 'Write one document whole',
      description:
        'The document is checked against the schema of its kind and the requests in it against their query surface; names of a model are not looked up.',
      access: 'user',
      csrf: 'session',
      tool: DOCUMENT_TOOLS.write,
      rest: {
        method: 'PUT',
        path: `${BASE}/{path+}`,
        body: 'document',
        requestHeaders: { ifMatch: 'if-match', ifNoneMatch: 'if-none-match' },
      },
      implementationChoice: CHOICE,
    })
      .input(
        z.strictObject({
          path: DocumentPath,
          document: DocumentBody,
          ifMatch: z
            .string()
            .max(100)
            .optional()
            .meta({ description: 'The version that the caller has read. Another one is a conflict.' }),
          ifNoneMatch: z
            .literal('*')
            .optional()
            .meta({ description: 'Writes a new document only. A document at this path is a conflict.' }),
        }),
      )
      .output(StoredDocument)
      .mutation(async ({ ctx, input: { path, document, ifMatch, ifNoneMatch } }) => {
        const caller = userOf(ctx);
        const kind = kindForWriting(path);
        const checked = checkedDocument(kind, document, sources, askSources);
        const after = textOf(checked);
        return inTurn(caller, async () => {
          const before = (await presentText(repository, caller, path))?.text;
          if (ifNoneMatch !== undefined && before !== undefined) throw exists();
          if (ifMatch !== undefined && (before === undefined || ifMatch.replaceAll('"', '') !== versionOf(before)))
            throw new ConflictError('This document was changed or removed after you have read it. Read it again.', {
              code: 'DOCUMENT_CHANGED',
            });
          const answer = await save(caller, path, kind, { before, after, change: 'saved' });
          ctx.reply.header('ETag', `"${answer.version}"`);
          return answer;
        });
      }),

    versions: operation({
      summary: 'List the kept versions of a document, the newest first',
      description:
        'A removed document keeps its versions for users who may write at its path. At most 50 versions are kept, for 90 days.',
      access: 'user',
      rest: { method: 'GET', path: `${BASE}-versions/{path+}` },
      implementationChoice: CHOICE,
    })
      .input(z.strictObject({ path: DocumentPath }))
      .output(DocumentVersionList)
      .query(async ({ ctx, input: { path } }) => {
        const caller = userOf(ctx);
        const present = kindOf(path) === undefined ? undefined : await presentText(repository, caller, path);
        if (present === undefined && !repository.mayWrite(caller, path)) throw noSuchDocument();
        const rows = await versions.list(caller, path);
        if (present === undefined && rows.length === 0) throw noSuchDocument();
        const version = present === undefined ? undefined : versionOf(present.text);
        const presentRow = rows.find((row) => row.version === version);
        return rows.map((row) => ({
          id: row.id,
          version: row.version,
          change: row.change,
          ...(row.user_name === '' ? {} : { user: row.user_name }),
          createdAt: new Date(Number(row.created_at)).toISOString(),
          isPresent: row === presentRow,
        }));
      }),

    restore: operation({
      summary: 'Give a document the content of a kept version, also a removed document',
      access: 'user',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}-versions`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(RestoreRequest)
      .output(StoredDocument)
      .mutation(async ({ ctx, input: { path, id } }) => {
        const caller = userOf(ctx);
        const kind = kindOf(path);
        const present = kind === undefined ? undefined : await presentText(repository, caller, path);
        if (kind === undefined || (present === undefined && !repository.mayWrite(caller, path))) throw noSuchDocument();
        return inTurn(caller, async () => {
          const after = await versions.text(caller, path, id);
          if (after === undefined) {
            const available = (await versions.list(caller, path)).map((row) => row.id);
            throw new NotFoundError('There is no such version of this document.', { path: ['id'], available });
          }
          const before = (await presentText(repository, caller, path))?.text;
          return save(caller, path, kind, { before, after, change: 'restored' });
        });
      }),

    move: operation({
      summary: 'Move one document to another path',
      description:
        'Its versions move with it. Its embed tokens and its public grant end, because pages name the path. Tiles of the dashboards that the caller may write name the new path of a moved query.',
      access: 'user',
      csrf: 'session',
      rest: { method: 'POST', path: `${BASE}-moves`, body: '*' },
      implementationChoice: CHOICE,
    })
      .input(MoveRequest)
      .output(MovedDocument)
      .mutation(async ({ ctx, input: { from, to } }) => {
        const caller = userOf(ctx);
        const kind = kindOf(from);
        if (kind === undefined) throw noSuchDocument();
        return inTurn(caller, async () => {
          const file = await repository.read(caller, from);
          if (file === undefined) throw noSuchDocument();
          if (kindOf(to) !== kind)
            throw ValidationError.at(['to'], `The new path ends as the old one does.`, [EXTENSION[kind]]);
          kindForWriting(to, 'to');
          if (!repository.mayWrite(caller, from))
            throw new ForbiddenError('You may read this document and not move it. Copy it to your own folder.');
          if (!repository.mayWrite(caller, to))
            throw ValidationError.at(['to'], 'You may not write at this path. Choose one below homes/<your name>/.');
          if ((await presentText(repository, caller, to)) !== undefined) throw exists();
          const info = await repository.write(caller, to, file.text);
          await repository.remove(caller, from);
          await versions.move(caller, from, to);
          await onRemoved?.(caller.tenant, { kind, path: from });
          const dashboards = kind === 'query' ? await movedTiles(repository, caller, from, to) : [];
          for (const { path, before, after } of dashboards)
            await save(caller, path, 'dashboard', { before, after, change: 'saved' });
          return {
            ...stored(kind, info),
            version: versionOf(file.text),
            dashboards: dashboards.map(({ path }) => path),
          };
        });
      }),

    remove: operation({
      summary: 'Remove one document',
      description:
        'Its embed tokens and its public grant end with it. Its versions are kept, and restoring one brings it back.',
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
        if (kind === undefined) throw noSuchDocument();
        await inTurn(caller, async () => {
          const before = (await presentText(repository, caller, path))?.text;
          if (!(await repository.remove(caller, path))) throw noSuchDocument();
          await versions.add(caller, path, { before, after: undefined, change: 'saved' });
          await onRemoved?.(caller.tenant, { kind, path });
        });
        return { status: 'OK' } as const;
      }),
  });
}

interface Saved extends DocumentChange {
  readonly after: string;
}

function textOf({ document }: RepositoryDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Reads the text of a document that a change replaces; undefined where there is none, or one that is too large to be kept. */
async function presentText(repository: Repository, caller: Scope, path: string) {
  try {
    return await repository.read(caller, path);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return undefined;
    throw error;
  }
}

function exists(): ConflictError {
  return new ConflictError('There is a document at this path. Choose another one.', { code: 'DOCUMENT_EXISTS' });
}

function stored(kind: DocumentKind, { path, updatedAtMillis }: DocumentInfo) {
  return { path, kind, updatedAt: new Date(updatedAtMillis).toISOString() };
}

function kindForWriting(path: string, member = 'path'): DocumentKind {
  const kind = kindOf(path);
  if (kind === undefined)
    throw ValidationError.at(
      [member],
      'A document is a saved query, a dashboard or an ask box; its extension says which.',
      Object.values(EXTENSION),
    );
  // In REST `<dashboard>/tiles/<id>` is the address of a tile: a dashboard in a folder of that name could not be embedded.
  if (kind === 'dashboard' && path.split('/').at(-2) === 'tiles')
    throw ValidationError.at([member], 'A dashboard cannot be in a folder called "tiles". Choose another name.');
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
