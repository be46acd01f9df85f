import { NotFoundError } from '../../router/errors.ts';

/** Makes the error for an id that no datasource of the tenant has. */
export function noDatasource(id: string, ids: readonly string[]): NotFoundError {
  return new NotFoundError(`There is no datasource "${id}".`, { path: ['id'], available: [...ids].sort() });
}
