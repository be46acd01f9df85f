/**
 * Writes SQL that reads texts or whole numbers as dates, for each engine. Values that are not dates become null. Pure.
 */
import type { EngineName } from '../../../router/warehouse-engines.ts';
import type { DateForm } from '../detect/written-dates.ts';

/** The name under which a cube schema has the SQL of such a date for an engine. */
const SCHEMA_NAMES = {
  duckdb: 'duckdb',
  postgresql: 'postgres',
  sqlite: 'sqlite',
  mysql: 'mysql',
  mariadb: 'mysql',
  clickhouse: 'clickhouse',
  trino: 'trino',
} as const satisfies Readonly<Record<EngineName, string>>;

export type WrittenDateEngine = (typeof SCHEMA_NAMES)[EngineName];
export const WRITTEN_DATE_ENGINES: readonly WrittenDateEngine[] = [...new Set(Object.values(SCHEMA_NAMES))];

/** The order of a form's parts and the separator between them. */
interface Shape {
  readonly order: readonly ('day' | 'month' | 'year')[];
  readonly separator: '' | '-' | '.' | '/';
}

const SHAPES: Readonly<Record<DateForm, Shape>> = {
  'YYYY-MM-DD': { order: ['year', 'month', 'day'], separator: '-' },
  'DD.MM.YYYY': { order: ['day', 'month', 'year'], separator: '.' },
  'DD/MM/YYYY': { order: ['day', 'month', 'year'], separator: '/' },
  'MM/DD/YYYY': { order: ['month', 'day', 'year'], separator: '/' },
  'DD-MM-YYYY': { order: ['day', 'month', 'year'], separator: '-' },
  'MM-DD-YYYY': { order: ['month', 'day', 'year'], separator: '-' },
  YYYYMMDD: { order: ['year', 'month', 'day'], separator: '' },
  YYYYMM: { order: ['year', 'month', 'day'], separator: '' },
};

/** Writes the date of a column. @param place SQL of the column */
export function writtenDateSql(form: DateForm, engine: WrittenDateEngine, place: string): string {
  const shape = SHAPES[form];
  const text = dateTextSql(form, engine, place);
  const [percent, letters] = [writeFormat(shape, PERCENT), writeFormat(shape, LETTERS)];
  switch (engine) {
    case 'duckdb':
      return `CAST(TRY_STRPTIME(${text}, '${percent}') AS DATE)`;
    // A text such as 31 February would fail the whole statement, so the pattern tests it first.
    case 'postgres':
      return `CASE WHEN ${text} ~ '${dayPattern(shape)}' THEN TO_DATE(${text}, '${letters}') END`;
    // MariaDB has no REGEXP_LIKE, as which the SQL parser writes REGEXP; both have REGEXP_INSTR.
    case 'mysql':
      return `CASE WHEN REGEXP_INSTR(${text}, '${dayPattern(shape)}') > 0 THEN CAST(STR_TO_DATE(${text}, '${percent}') AS DATE) END`;
    case 'clickhouse':
      return `CASE WHEN match(${text}, '${dayPattern(shape)}') THEN toDate32OrNull(${clickhouseIso(shape, text)}) END`;
    case 'trino':
      return `TRY(CAST(DATE_PARSE(${text}, '${percent}') AS DATE))`;
    // SQLite moves the 31st of February into March: only a date that stays itself is one.
    case 'sqlite': {
      const iso = sqliteIso(shape, text);
      return `CASE WHEN date(${iso}) = ${iso} THEN ${iso} END`;
    }
  }
}

/** Writes the column as text: its date alone, without a time behind it; a month as its first day. */
function dateTextSql(form: DateForm, engine: WrittenDateEngine, place: string): string {
  const text = asText(engine, place);
  if (form === 'YYYYMM')
    return engine === 'mysql' || engine === 'clickhouse' ? `CONCAT(${text}, '01')` : `${text} || '01'`;
  if (form === 'YYYYMMDD') return text;
  if (form === 'YYYY-MM-DD') return `SUBSTR(${text}, 1, 10)`;
  switch (engine) {
    case 'sqlite':
      return `SUBSTR(${text}, 1, INSTR(${text} || ' ', ' ') - 1)`;
    case 'mysql':
      return `SUBSTRING_INDEX(${text}, ' ', 1)`;
    case 'clickhouse':
      return `substringIndex(${text}, ' ', 1)`;
    default:
      return `SPLIT_PART(${text}, ' ', 1)`;
  }
}

function asText(engine: WrittenDateEngine, place: string): string {
  switch (engine) {
    case 'mysql':
      return `CAST(${place} AS CHAR)`;
    case 'clickhouse':
      return `toString(${place})`;
    case 'sqlite':
    case 'postgres':
      return `CAST(${place} AS TEXT)`;
    default:
      return `CAST(${place} AS VARCHAR)`;
  }
}

const PERCENT = { day: '%d', month: '%m', year: '%Y' } as const;
const LETTERS = { day: 'DD', month: 'MM', year: 'YYYY' } as const;

function writeFormat({ order, separator }: Shape, parts: Readonly<Record<Shape['order'][number], string>>): string {
  return order.map((part) => parts[part]).join(separator);
}

/** Returns the pattern of all days that there are from 1000 to 2999. */
function dayPattern({ order, separator }: Shape): string {
  const zero = separator === '' || order[0] === 'year' ? '0' : '0?';
  const days = (day: string, month: string, year = '[12][0-9]{3}'): string =>
    order.map((part) => ({ day, month, year })[part]).join(separator === '' ? '' : `[${separator}]`);
  const common = `${zero}[1-9]|[12][0-9]`;
  const leapYear = '([12][0-9](0[48]|[2468][048]|[13579][26])|(12|16|20|24|28)00)';
  return `^(${[
    days(`(${common}|3[01])`, `(${zero}[13578]|1[02])`),
    days(`(${common}|30)`, `(${zero}[469]|11)`),
    days(`(${zero}[1-9]|1[0-9]|2[0-8])`, `${zero}2`),
    days('29', `${zero}2`, leapYear),
  ].join('|')})$`;
}

function clickhouseIso({ order, separator }: Shape, text: string): string {
  if (separator === '')
    return `concat(substring(${text}, 1, 4), '-', substring(${text}, 5, 2), '-', substring(${text}, 7, 2))`;
  if (order[0] === 'year') return text;
  const first = `leftPad(substringIndex(${text}, '${separator}', 1), 2, '0')`;
  const second = `leftPad(substringIndex(substringIndex(${text}, '${separator}', 2), '${separator}', -1), 2, '0')`;
  const [month, day] = order[0] === 'month' ? [first, second] : [second, first];
  return `concat(substringIndex(${text}, '${separator}', -1), '-', ${month}, '-', ${day})`;
}

function sqliteIso({ order, separator }: Shape, text: string): string {
  if (separator === '') return `(SUBSTR(${text}, 1, 4) || '-' || SUBSTR(${text}, 5, 2) || '-' || SUBSTR(${text}, 7))`;
  if (order[0] === 'year') return text;
  const at = (of: string): string => `INSTR(${of}, '${separator}')`;
  const padded = (of: string): string => `SUBSTR('0' || ${of}, -2)`;
  const rest = `SUBSTR(${text}, ${at(text)} + 1)`;
  const first = padded(`SUBSTR(${text}, 1, ${at(text)} - 1)`);
  const second = padded(`SUBSTR(${rest}, 1, ${at(rest)} - 1)`);
  const [month, day] = order[0] === 'month' ? [first, second] : [second, first];
  return `(SUBSTR(${rest}, ${at(rest)} + 1) || '-' || ${month} || '-' || ${day})`;
}
