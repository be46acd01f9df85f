/** Levels of a date -> the SQL of their keys and captions, by engine. Pure. */
import type { DateForm } from '../detect/written-dates.ts';
import type { DatePart } from '../proposal/schema.ts';
import { WRITTEN_DATE_ENGINES, type WrittenDateEngine, writtenDateSql } from './written-date-sql.ts';

/** Engines by their names in cube schemas. The text for `generic` serves every engine that reads standard SQL. */
type Engine = WrittenDateEngine | 'generic';

/** Real dates: standard SQL, and variants for engines without EXTRACT, double quotes or texts of nulls. */
const DATE_ENGINES: readonly Engine[] = ['generic', 'sqlite', 'mysql', 'clickhouse'];

/** A date column. */
interface DatePlace {
  readonly table: string;
  readonly column: string;
  /** The format in which a text or a number writes the date; `undefined` for a date. */
  readonly form: DateForm | undefined;
}

export interface EngineSql {
  readonly engine: Engine;
  readonly sql: string;
}

/** Returns the key of a date's part. */
export function keySql(part: DatePart, place: DatePlace): readonly EngineSql[] {
  return forEngines(place, (engine, date) => partSql(part, engine, date, place.form !== undefined));
}

/**
 * Returns the caption of a date part; none where it is the key. A month is shown with its year: on an axis its number alone would be
 * there once for each year.
 */
export function captionSql(part: DatePart, place: DatePlace): readonly EngineSql[] {
  if (part !== 'month' && part !== 'quarter') return [];
  return forEngines(place, (engine, date) => engineCaption(part, engine, date));
}

function forEngines({ table, column, form }: DatePlace, write: (engine: Engine, date: string) => string) {
  if (form === undefined)
    return DATE_ENGINES.map((engine) => ({ engine, sql: write(engine, placeSql(engine, table, column)) }));
  return WRITTEN_DATE_ENGINES.map((engine) => ({
    engine,
    sql: write(engine, writtenDateSql(form, engine, placeSql(engine, table, column))),
  }));
}

function placeSql(engine: Engine, table: string, column: string): string {
  return `${quotedName(engine, table)}.${quotedName(engine, column)}`;
}

/** Quotes a name as an engine does. */
export function quotedName(engine: Engine, name: string): string {
  const quote = engine === 'mysql' ? '`' : '"';
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

function partSql(part: DatePart, engine: Engine, date: string, isDay: boolean): string {
  if (engine === 'sqlite') return sqlitePart(part, date);
  if (part === 'day') return isDay ? date : engine === 'clickhouse' ? `toDate32(${date})` : `CAST(${date} AS DATE)`;
  return `EXTRACT(${part.toUpperCase()} FROM ${date})`;
}

/** Writes a date part for SQLite, which keeps dates as text and has no EXTRACT. */
function sqlitePart(part: DatePart, date: string): string {
  switch (part) {
    case 'year':
      return `CAST(strftime('%Y', ${date}) AS INTEGER)`;
    case 'quarter':
      return `(CAST(strftime('%m', ${date}) AS INTEGER) + 2) / 3`;
    case 'month':
      return `CAST(strftime('%m', ${date}) AS INTEGER)`;
    case 'day':
      return `date(${date})`;
  }
}

function engineCaption(part: 'month' | 'quarter', engine: Engine, date: string): string {
  switch (engine) {
    case 'sqlite':
      return part === 'month'
        ? `strftime('%Y-%m', ${date})`
        : `strftime('%Y', ${date}) || '-Q' || (${sqlitePart('quarter', date)})`;
    case 'mysql':
      return part === 'month'
        ? `DATE_FORMAT(${date}, '%Y-%m')`
        : `CONCAT(EXTRACT(YEAR FROM ${date}), '-Q', EXTRACT(QUARTER FROM ${date}))`;
    case 'clickhouse':
      return part === 'month'
        ? `formatDateTime(${date}, '%Y-%m')`
        : `concat(toString(toYear(${date})), '-Q', toString(toQuarter(${date})))`;
    default: {
      const year = `CAST(EXTRACT(YEAR FROM ${date}) AS VARCHAR(4))`;
      return part === 'month'
        ? `${year} || '-' || LPAD(CAST(EXTRACT(MONTH FROM ${date}) AS VARCHAR(2)), 2, '0')`
        : `${year} || '-Q' || CAST(EXTRACT(QUARTER FROM ${date}) AS VARCHAR(1))`;
    }
  }
}
