/** The documents of a tenant's semantic datasources: found by the id of a datasource, read, and written with what goes with them. */
import { relative } from 'node:path';
import type { Datasource, DatasourceProblem } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import { ConflictError, NotFoundError } from '../../../router/errors.ts';
import {
  type DatasourceRegistry,
  type PublicationPlaces,
  takeBackLeft,
  writeTogether,
} from '../../datasources/index.ts';
import { versionOf } from './versions.ts';

export interface ModelFilesOptions {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  /** Returns whether administrators of a tenant may not write a document. */
  readonly refusesDocument: (path: string, tenant: TenantId) => Promise<boolean>;
  readonly repository: Repository;
}

/** A semantic datasource, and what became of it. */
export interface ModelFile {
  readonly datasource: Datasource;
  readonly status: string;
  readonly problems: readonly DatasourceProblem[];
  readonly updatedAtMillis: number;
}

export interface ModelWrite {
  /** The version that the change was made from. */
  readonly version: string;
  readonly text: string;
  readonly documents: readonly { readonly path: string; readonly before: string; readonly text: string }[];
}

export class ModelFiles {
  readonly #options: ModelFilesOptions;

  constructor(options: ModelFilesOptions) {
    this.#options = options;
  }

  /** Lists the semantic datasources of the caller's tenant. Descriptors that cannot be read are left out. */
  async list({ tenant }: Scope): Promise<readonly ModelFile[]> {
    const registry = await this.#options.registryOf(tenant);
    return (await registry.described()).flatMap(({ datasource, entry: { status, problems, updatedAtMillis } }) =>
      datasource.type === 'SEMANTIC' ? [{ datasource, status, problems, updatedAtMillis }] : [],
    );
  }

  /** @throws NotFoundError */
  async find(caller: Scope, id: string): Promise<ModelFile> {
    const files = await this.list(caller);
    const file = files.find(({ datasource }) => datasource.id === id);
    if (file !== undefined) return file;
    throw new NotFoundError(`There is no semantic model of the datasource "${id}".`, {
      path: ['id'],
      available: files.map(({ datasource }) => datasource.id).sort(),
    });
  }

  /** Explains why a document cannot be written here; `undefined` where it can. */
  async whyNot({ tenant }: Scope, { datasource: { documentPath } }: ModelFile): Promise<string | undefined> {
    const refuses = await this.#options.refusesDocument(documentPath, tenant);
    return refuses ? 'The document lies outside the datasources folder of this tenant.' : undefined;
  }

  /** @throws ConflictError where the document cannot be read */
  async read({ tenant }: Scope, { datasource: { documentPath } }: ModelFile): Promise<string> {
    const registry = await this.#options.registryOf(tenant);
    const read = await registry.readDocument(documentPath);
    if ('text' in read) return read.text;
    throw new ConflictError(`The document ${read.unreadable}. Mend its datasource first.`, { code: 'DOCUMENT_BROKEN' });
  }

  /**
   * Writes a document and the documents of the repository that go with it, all or none, and loads the model.
   *
   * @throws ConflictError where one of them has changed since it was read
   */
  async write(caller: Scope, file: ModelFile, { version, text, documents }: ModelWrite): Promise<string> {
    const { repository } = this.#options;
    const registry = await this.#options.registryOf(caller.tenant);
    const { directory } = registry;
    const places: PublicationPlaces = {
      directory,
      repository: {
        read: async (path) => (await repository.read(caller, path))?.text,
        write: (path, written) => repository.write(caller, path, written),
        remove: (path) => repository.remove(caller, path),
      },
    };
    const { id, documentPath } = file.datasource;
    await registry.addTogether([], async () => {
      if (versionOf(await this.read(caller, file)) !== version) throw stale('The document');
      for (const { path, before } of documents)
        if ((await places.repository.read(path)) !== before) throw stale(`The document ${path}`);
      await takeBackLeft(places);
      await writeTogether(places, {
        name: `model-${versionOf(id)}`,
        files: [{ path: relative(directory, documentPath), text }],
        documents,
      });
    });
    return (await this.find(caller, id)).status;
  }
}

export function stale(what: string): ConflictError {
  return new ConflictError(`${what} has changed since you opened it. Load it again, and repeat your change.`, {
    code: 'STALE_VERSION',
  });
}
