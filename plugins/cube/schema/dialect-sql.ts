import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../router/errors.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import {
  READABLE_DIALECTS,
  type SqlTextPool,
  type TextToTranslate,
  translateTexts,
} from '../../query-surface/index.ts';
import type { Schema, SqlText, SqlVariant } from './model.ts';

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

/** The texts of schemas that had to be translated, by target: every statement uses its texts again. */
const TRANSLATED = new WeakMap<SqlText, Map<string, string | undefined>>();

/**
 * Returns the schema's SQL for a dialect: the dialect's own text, or else a generic text, or else another engine's
 * text, translated. `undefined` if none of them can be read.
 *
 * @throws InternalError for a text to translate of a schema that `translateSchema` has not seen
 */
export function sqlFor(sql: SqlText, dialect: Target): string | undefined {
  const chosen = choose(sql, dialect);
  if (chosen.translations.length === 0) return chosen.text;
  const translations = TRANSLATED.get(sql);
  if (translations?.has(dialect.parserName) !== true)
    throw new InternalError('The SQL of a schema was not translated when the schema was loaded.');
  return translations.get(dialect.parserName) ?? chosen.text;
}

/** Translates the texts of a schema that have no SQL for the dialect. Afterwards, `sqlFor` has them. */
export async function translateSchema(
  schema: Schema | readonly SqlText[],
  dialect: Target,
  pool: SqlTextPool,
): Promise<void> {
  const needed = textsIn(schema).flatMap((sql) => {
    const { translations } = choose(sql, dialect);
    return translations.length === 0 || TRANSLATED.get(sql)?.has(dialect.parserName) === true
      ? []
      : [{ sql, translations }];
  });
  const texts = await translateTexts(
    needed.flatMap(({ translations }) => translations),
    pool,
  );
  let place = 0;
  for (const { sql, translations } of needed) {
    const own = texts.slice(place, place + translations.length);
    place += translations.length;
    remember(
      sql,
      dialect,
      own.find((text) => text !== undefined),
    );
  }
}

/** Returns the texts of a schema that `translateSchema` has translated for a dialect, for another thread. */
export function translationsOf(schema: Schema, dialect: Target): ReadonlyMap<SqlText, string | undefined> {
  const translated = new Map<SqlText, string | undefined>();
  for (const sql of textsIn(schema)) {
    const translations = TRANSLATED.get(sql);
    if (translations?.has(dialect.parserName) === true) translated.set(sql, translations.get(dialect.parserName));
  }
  return translated;
}

/** Takes over translations that another thread made of the texts of a schema. */
export function adoptTranslations(translated: ReadonlyMap<SqlText, string | undefined>, dialect: Target): void {
  for (const [sql, text] of translated) remember(sql, dialect, text);
}

function remember(sql: SqlText, { parserName }: Target, translation: string | undefined): void {
  const known = TRANSLATED.get(sql) ?? new Map<string, string | undefined>();
  TRANSLATED.set(sql, known.set(parserName, translation));
}

/** The text of a schema for a dialect, and the translations of which the first that succeeds replaces it. */
interface Chosen {
  readonly text: string | undefined;
  readonly translations: readonly TextToTranslate[];
}

function choose(sql: SqlText, { name: engine, identifier, parserName: to }: Target): Chosen {
  for (const name of [...SCHEMA_NAMES[engine], ...ANY]) {
    const variant = sql.variants.find((candidate) => candidate.dialect === name);
    if (variant === undefined) continue;
    const text = variantText(variant, identifier);
    // A generic text with MySQL's quotes is MySQL's SQL.
    const isMysql = ANY.includes(name) && text.includes('`') && !identifier('a').startsWith('`');
    return { text, translations: isMysql ? [{ text, from: 'mysql', to }] : [] };
  }
  return { text: undefined, translations: READABLE_DIALECTS.flatMap((from) => fromEngine(sql, from, to)) };
}

/** Engines that quote names with backticks. Others use double quotes. */
const IN_BACKTICKS = ['mysql', 'mariadb', 'infobright', 'hive'];

function fromEngine({ variants }: SqlText, from: string, to: string): readonly TextToTranslate[] {
  const variant = variants.find((candidate) => candidate.dialect === from);
  if (variant === undefined) return [];
  const quote = IN_BACKTICKS.includes(from) ? '`' : '"';
  const quoted = (part: string) => `${quote}${part.replaceAll(quote, quote + quote)}${quote}`;
  return [{ text: variantText(variant, quoted), from, to }];
}

/** Finds the texts anywhere in a schema, each once: its cubes share dimensions. */
function textsIn(schema: Schema | readonly SqlText[]): readonly SqlText[] {
  const texts: SqlText[] = [];
  const parts: unknown[] = [schema];
  const seen = new Set<unknown>();
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    if (isSqlText(part)) texts.push(part);
    else for (const each of Object.values(part)) if (each !== undefined) parts.push(each);
  }
  return texts;
}

function isSqlText(part: object): part is SqlText {
  return 'variants' in part && Array.isArray(part.variants);
}

function variantText({ parts }: SqlVariant, identifier: (name: string) => string): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : `${identifier(part.table)}.${identifier(part.name)}`))
    .join('')
    .trim();
}
