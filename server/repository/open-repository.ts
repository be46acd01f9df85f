import { mkdir, realpath } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { isAdministrator, type Scope, type TenantId } from '../../router/capabilities/identity.ts';
import type { DocumentInfo, ReadDocument, Repository } from '../../router/capabilities/repository.ts';
import { BodyTooLargeError, ForbiddenError, InternalError, ValidationError } from '../../router/errors.ts';
import { type Awaitable, run, type Steps, settled } from '../../router/steps.ts';
import { mayRead, mayWrite } from './access.ts';
import { type FileVersion, IN_THE_WAY, isCurrent, readText, removeFile, TOO_LARGE, walk, writeText } from './files.ts';
import { parseRepositoryPath, problemOfSegment, type RepositoryPath } from './path.ts';

/** Maximum bytes of one document. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Memory for the texts of read documents, in bytes. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export interface RepositoryOptions {
  /** The folder with `homes/` and `shared/`; created when it is missing. */
  readonly directory: string;
  /**
   * The tenant with its documents directly in the folder. Every other tenant has the same two areas below `tenants/<name>/`, which no path of this
   * tenant reaches: users with one name in two tenants never share a folder.
   */
  readonly defaultTenant: TenantId;
  /** Returns the folder name of another tenant; without it, the tenant's id. */
  readonly folderOf?: (tenant: TenantId) => Awaitable<string>;
}

/** Returns the repository over a folder of the file system. */
export async function openRepository({
  directory,
  defaultTenant,
  folderOf = (tenant) => tenant,
}: RepositoryOptions): Promise<Repository> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  // Links above the root are the operator's; below it none is followed, checked against this path.
  const root = await realpath(directory);

  /** Returns the folder of the caller's tenant, as a path from the root. */
  function* baseSteps({ tenant }: Scope): Steps<readonly string[]> {
    if (tenant === defaultTenant) return [];
    const folder = yield* settled(folderOf(tenant));
    if (problemOfSegment(folder) !== undefined || folder.includes('/'))
      throw new InternalError('a tenant has no folder name');
    return ['tenants', folder];
  }
  const base = (caller: Scope) => run(baseSteps(caller));

  function info(base: readonly string[], { segments }: Pick<RepositoryPath, 'segments'>, updatedAtMillis: number) {
    return { path: segments.slice(base.length).join('/'), updatedAtMillis } satisfies DocumentInfo;
  }

  function readable(caller: Scope, path: string): RepositoryPath | undefined {
    const parsed = parseRepositoryPath(path);
    return 'problem' in parsed || !mayRead(caller, parsed.area) ? undefined : parsed;
  }

  const kept = new LRUCache<string, { readonly version: FileVersion; readonly document: ReadDocument }>({
    maxSize: MAX_KEPT_BYTES,
  });

  function* readSteps(caller: Scope, path: string): Steps<ReadDocument | undefined> {
    const parsed = readable(caller, path);
    if (parsed === undefined) return undefined;
    const tenantFolder = yield* baseSteps(caller);
    const segments = [...tenantFolder, ...parsed.segments];
    const key = segments.join('/');
    const before = kept.get(key);
    if (before !== undefined && isCurrent(before.version)) return before.document;
    const read = yield* settled(readText(root, segments, MAX_DOCUMENT_BYTES));
    if (read === undefined) return undefined;
    if (read === TOO_LARGE) throw tooLarge();
    const { text, version, updatedAtMillis } = read;
    const document: ReadDocument = { text, info: info(tenantFolder, { segments }, updatedAtMillis) };
    if (version !== undefined) kept.set(key, { version, document }, { size: 2 * text.length + 1_000 });
    return document;
  }

  return {
    async list(caller, extension) {
      const tenant = await base(caller);
      function isListed(segments: readonly string[], isFolder: boolean): boolean {
        const name = segments.at(-1) ?? '';
        if (isFolder) return problemOfSegment(name) === undefined;
        const parsed = parseRepositoryPath(segments.slice(tenant.length).join('/'));
        return name.endsWith(extension) && !('problem' in parsed) && mayRead(caller, parsed.area);
      }
      const documents: DocumentInfo[] = [];
      for (const area of areasOf(caller)) {
        for (const file of await walk(root, [...tenant, ...area], isListed))
          documents.push(info(tenant, file, file.updatedAtMillis));
      }
      return documents.sort((left, right) => (left.path < right.path ? -1 : 1));
    },

    read: (caller, path) => run(readSteps(caller, path)),

    async write(caller, path, text) {
      const parsed = parseRepositoryPath(path);
      if ('problem' in parsed) throw ValidationError.at(['path'], parsed.problem);
      if (!mayWrite(caller, parsed.area)) throw notWritable(parsed);
      if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw tooLarge();
      const tenantFolder = await base(caller);
      const segments = [...tenantFolder, ...parsed.segments];
      const updatedAtMillis = await writeText(root, segments, text);
      if (updatedAtMillis === IN_THE_WAY)
        throw ValidationError.at(['path'], 'A folder or another kind of file has this name. Choose another path.');
      return info(tenantFolder, { segments }, updatedAtMillis);
    },

    async remove(caller, path) {
      const parsed = readable(caller, path);
      if (parsed === undefined) return false;
      const segments = [...(await base(caller)), ...parsed.segments];
      if (mayWrite(caller, parsed.area)) return removeFile(root, segments);
      if ((await readText(root, segments, MAX_DOCUMENT_BYTES)) === undefined) return false;
      throw notWritable(parsed);
    },

    mayWrite(caller, path) {
      const parsed = parseRepositoryPath(path);
      return !('problem' in parsed) && mayWrite(caller, parsed.area);
    },
  };
}

/** Returns the folders to search for a caller; a found document must still pass the check of its area. */
function areasOf(caller: Scope): readonly (readonly string[])[] {
  if (isAdministrator(caller)) return [['homes'], ['shared']];
  return problemOfSegment(caller.user) === undefined ? [['homes', caller.user], ['shared']] : [['shared']];
}

function notWritable({ area }: RepositoryPath): ForbiddenError {
  return new ForbiddenError(
    area.kind === 'shared'
      ? 'Only administrators write below shared/. Save it below your own homes/<user>/.'
      : 'This folder belongs to another user.',
  );
}

function tooLarge(): BodyTooLargeError {
  return new BodyTooLargeError(`A document has at most ${MAX_DOCUMENT_BYTES / 1024} KiB.`);
}
