/** Prepares the data that all detectors share: the tables of a profile and the foreign keys between them. Pure. */
import type { SchemaProfile } from '../schemas.ts';
import { type TableView, viewTables } from './column-views.ts';
import { type ForeignKey, findForeignKeys } from './foreign-keys/find-foreign-keys.ts';

export interface Detected {
  readonly tables: readonly TableView[];
  readonly keys: readonly ForeignKey[];
}

/** Finds the foreign keys of a profile: the costly part, which findings and proposals share. */
export function detect({ tables, references }: Pick<SchemaProfile, 'tables' | 'references'>): Detected {
  const views = viewTables({ tables });
  return { tables: views, keys: findForeignKeys(views, references) };
}
