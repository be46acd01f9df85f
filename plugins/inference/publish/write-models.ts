/** Writes the files of a publication: all of them, or none. */
import { join } from 'node:path';
import type { Scope } from '../../../router/capabilities/identity.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import { type PublicationPlaces, writeTogether } from '../../datasources/index.ts';
import type { FirstDocument } from './first-answers.ts';
import type { PublishedModel } from './render-models.ts';
import { isNamed } from './withdraw.ts';

/** Returns where the publications of a tenant are written. */
export function placesFor(directory: string, repository: Repository, caller: Scope): PublicationPlaces {
  return {
    directory,
    repository: {
      read: async (path) => (await repository.read(caller, path))?.text,
      write: (path, text) => repository.write(caller, path, text),
      remove: (path) => repository.remove(caller, path),
    },
  };
}

export interface Written {
  readonly models: readonly PublishedModel[];
  readonly documents: readonly FirstDocument[];
  /** Makes the error for a document that another datasource has. */
  readonly documentTaken: (file: string) => Error;
  readonly database?: { readonly path: string; readonly commit: () => Promise<void> };
}

/** Writes models and the documents that ask them. Nothing of them is served before all are written. */
export async function writeModels(
  places: PublicationPlaces,
  name: string,
  { models, documents, documentTaken, database }: Written,
): Promise<void> {
  for (const { document } of models)
    if (await isNamed(places.directory, join(places.directory, document.file))) throw documentTaken(document.file);
  await writeTogether(places, {
    name,
    // The descriptors last: they name the rest.
    files: [
      ...models.map(({ document: { file, text } }) => ({ path: file, text })),
      ...models.map((model) => ({ path: `${model.name}.sds`, text: model.descriptor })),
    ],
    documents,
    ...(database === undefined ? {} : { database }),
  });
}
