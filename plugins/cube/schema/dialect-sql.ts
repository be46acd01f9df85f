import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import type { SqlText, SqlVariant } from './model.ts';
import { READABLE_DIALECTS, translateSql } from './translate-sql.ts';

/**
 * The names of an engine in schemas, best first. An engine also uses the texts of engines whose SQL it can read: DuckDB
 * has PostgreSQL's quoting, concatenation and CASE.
 */
const SCHEMA_NAMES: Readonly<Record<EngineName, readonly string[]>> = {
  duckdb: ['duckdb', 'postgres', 'postgresql'],
  postgresql: ['postgresql', 'postgres'],
  mysql: ['mysql', 'mariadb'],
  mariadb: ['mariadb', 'mysql'],
  sqlite: ['sqlite'],
  clickhouse: ['clickhouse'],
  trino: ['trino'],
};
const ANY = ['generic', 'ansi', 'default'];

type Target = Pick<Dialect, 'name' | 'identifier' | 'parserName'>;

/** Translations by text and target, because every statement uses its texts again. */
const TRANSLATED = new WeakMap<SqlText, Map<string, string | undefined>>();

/**
 * Returns the schema's SQL for a dialect: the dialect's own text, or else a generic text, or else another engine's
 * text, translated. `undefined` if none of them can be read.
 */
export function sqlFor(sql: SqlText, dialect: Target): string | undefined {
  for (const name of [...SCHEMA_NAMES[dialect.name], ...ANY]) {
    const variant = sql.variants.find((candidate) => candidate.dialect === name);
    if (variant === undefined) continue;
    const text = variantText(variant, dialect.identifier);
    // A generic text with MySQL's quotes is MySQL's SQL.
    const isMysql = ANY.includes(name) && text.includes('`') && !dialect.identifier('a').startsWith('`');
    return isMysql ? (once(sql, dialect, () => translateSql(text, 'mysql', dialect.parserName)) ?? text) : text;
  }
  return once(sql, dialect, () => fromAnother(sql, dialect));
}

/** Engines that quote names with backticks. Others use double quotes. */
const IN_BACKTICKS = ['mysql', 'mariadb', 'infobright', 'hive'];

function fromAnother({ variants }: SqlText, { parserName }: Target): string | undefined {
  for (const name of READABLE_DIALECTS) {
    const variant = variants.find((candidate) => candidate.dialect === name);
    if (variant === undefined) continue;
    const quote = IN_BACKTICKS.includes(name) ? '`' : '"';
    const quoted = (part: string) => `${quote}${part.replaceAll(quote, quote + quote)}${quote}`;
    const text = translateSql(variantText(variant, quoted), name, parserName);
    if (text !== undefined) return text;
  }
  return undefined;
}

function once(sql: SqlText, { parserName }: Target, translate: () => string | undefined): string | undefined {
  const translations = TRANSLATED.get(sql) ?? new Map<string, string | undefined>();
  TRANSLATED.set(sql, translations);
  if (!translations.has(parserName)) translations.set(parserName, translate());
  return translations.get(parserName);
}

function variantText({ parts }: SqlVariant, identifier: (name: string) => string): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : `${identifier(part.table)}.${identifier(part.name)}`))
    .join('')
    .trim();
}
