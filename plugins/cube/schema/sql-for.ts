import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { SqlText } from './model.ts';

/**
 * Names by which schemas call an engine, best first. An engine that schemas do not know is served by the text of the
 * one whose SQL it reads: DuckDB takes PostgreSQL's quoting, concatenation and CASE.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  duckdb: ['duckdb', 'postgres', 'postgresql'],
  postgresql: ['postgresql', 'postgres'],
  mysql: ['mysql', 'mariadb'],
  sqlserver: ['sqlserver', 'mssql'],
  clickhouse: ['clickhouse'],
};
const ANY = ['generic', 'ansi', 'default'];

/** The schema's SQL for a dialect, or `undefined` when it has neither one for it nor a generic one. */
export function sqlFor(sql: SqlText, dialect: Pick<Dialect, 'name' | 'identifier'>): string | undefined {
  for (const name of [...(NAMES[dialect.name] ?? [dialect.name]), ...ANY]) {
    const variant = sql.variants.find((candidate) => candidate.dialect === name);
    if (variant !== undefined)
      return variant.parts
        .map((part) =>
          typeof part === 'string' ? part : `${dialect.identifier(part.table)}.${dialect.identifier(part.name)}`,
        )
        .join('')
        .trim();
  }
  return undefined;
}
