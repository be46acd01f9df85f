import { StateUnusableError } from '../state/index.ts';
import { RESTORED } from '../state/migrations-table.ts';
import type { AllMigrations } from './tables.ts';

export interface MigrationRow {
  readonly owner: string;
  readonly name: string;
  readonly applied_at: number;
}

/**
 * Returns the `applied` migrations.
 *
 * @throws StateUnusableError when this version lacks one of them
 */
export function knownMigrations(
  applied: readonly MigrationRow[],
  migrations: AllMigrations,
  what: string,
): readonly MigrationRow[] {
  const rows = applied.filter(({ owner }) => owner !== RESTORED);
  const unknown = rows.filter(({ owner, name }) => migrations[owner]?.[name] === undefined);
  if (unknown.length === 0) return rows;
  const names = unknown.map(({ owner, name }) => `${owner}/${name}`).sort();
  throw new StateUnusableError(
    `${what} was written by a newer version of service: it contains ${names.join(', ')}, which this version does not know. Use the newer version.`,
  );
}
