/**
 * Finds the levels of time that are grains of a date: the document has the date, and requests use its years, quarters and
 * months.
 */

import type { ColumnExpression, Hierarchy, Level } from '../../cube/index.ts';
import { ExpressionError } from '../../semantic/index.ts';
import type { SchemaSql } from './schema-sql.ts';

export interface TimeLevel {
  /** True for the level of the date itself, which stays a field. */
  readonly isDate: boolean;
  /** The column of the date, where no level is the date itself. */
  readonly column: ColumnExpression | undefined;
  /** The description of the date, which names the levels that are its grains. */
  readonly description: string;
}

const GRAINS: Partial<Readonly<Record<Level['levelType'], string>>> = {
  TimeYears: 'year',
  TimeQuarters: 'quarter',
  TimeMonths: 'month',
};
/** Years that do not begin in January differ from the years of a date. */
const OTHER_CALENDAR = /fiscal|financial|tax|retail|4-?4-?5|iso|school|academic|season|period/i;
const IS_DATE: ReadonlySet<Level['type']> = new Set(['Date', 'Timestamp']);

/**
 * Returns the levels of a hierarchy that are grains of one date, and the level of that date. A level is a grain where its
 * SQL extracts a part of a date, or where its level type is a part of a date above a level of dates in the same table.
 */
export function timeLevels(hierarchy: Hierarchy, sql: SchemaSql): ReadonlyMap<Level, TimeLevel> {
  return ofExpressions(hierarchy, sql) ?? ofColumns(hierarchy) ?? new Map();
}

/** Reads levels such as `EXTRACT(YEAR FROM orders.ordered_on)` that all read one column. */
function ofExpressions({ levels }: Hierarchy, sql: SchemaSql): ReadonlyMap<Level, TimeLevel> | undefined {
  const grainLevels = levels.flatMap((level) => {
    const part = isSimple(level) ? partOfDate(level, sql) : undefined;
    return part === undefined ? [] : [{ level, ...part }];
  });
  const [first] = grainLevels;
  if (first === undefined) return undefined;
  const same = grainLevels.filter(
    ({ column }) => column.table === first.column.table && column.name === first.column.name,
  );
  const description = describe(same.map(({ level, grain }) => ({ level, grain })));
  const date = levels.find(
    ({ key }) => key.kind === 'column' && key.table === first.column.table && key.name === first.column.name,
  );
  return new Map([
    ...same.map(({ level }): [Level, TimeLevel] => [
      level,
      { isDate: false, column: date === undefined ? first.column : undefined, description },
    ]),
    ...(date === undefined ? [] : [dateLevel(date, description)]),
  ]);
}

/** Reads levels over the columns of a table of days: year, quarter and month above a level with dates as keys. */
function ofColumns({ levels }: Hierarchy): ReadonlyMap<Level, TimeLevel> | undefined {
  const date = levels.findLast(
    ({ key, type, levelType, uniqueMembers }) =>
      key.kind === 'column' && IS_DATE.has(type) && levelType === 'TimeDays' && uniqueMembers,
  );
  if (date === undefined) return undefined;
  const grainLevels = levels.slice(0, levels.indexOf(date)).flatMap((level) => {
    const grain = GRAINS[level.levelType];
    const { key } = level;
    const isOwn = key.kind === 'column' && key.table === date.key.table;
    if (grain === undefined || !isOwn || !isSimple(level) || OTHER_CALENDAR.test(`${level.name} ${key.name}`))
      return [];
    return [{ level, grain }];
  });
  if (grainLevels.length === 0) return undefined;
  const description = describe(grainLevels);
  return new Map([
    ...grainLevels.map(({ level }): [Level, TimeLevel] => [level, { isDate: false, column: undefined, description }]),
    dateLevel(date, description),
  ]);
}

function dateLevel(level: Level, description: string): [Level, TimeLevel] {
  const fullDescription = [level.description, description].filter((text) => text !== undefined).join(' ');
  return [level, { isDate: true, column: undefined, description: fullDescription }];
}

/** Returns whether a level may become a grain. Hidden levels and parent-child levels stay fields. */
function isSimple({ parent, visible }: Level): boolean {
  return parent === undefined && visible;
}

function describe(levels: readonly { readonly level: Level; readonly grain: string }[]): string {
  const grains = levels.map(({ level, grain }) => `${grain} (${level.caption ?? level.name})`);
  return `Its grains are levels of the cube: ${grains.join(', ')}.`;
}

const PART =
  /^(?:EXTRACT\(\s*(YEAR|QUARTER|MONTH) FROM (.+)\)|(YEAR|QUARTER|MONTH)\((.+)\)|DATE_TRUNC\('(year|quarter|month)', (.+)\))$/i;

/** Returns the grain that a level's SQL extracts from one column. */
function partOfDate(
  { key, line }: Level,
  sql: SchemaSql,
): { readonly grain: string; readonly column: ColumnExpression } | undefined {
  if (key.kind === 'column') return undefined;
  const columns: ColumnExpression[] = [];
  try {
    const text = sql.expression(key, (table, name) => {
      columns.push({ kind: 'column', table, name, line });
      return 'date_column';
    });
    const [, ...groups] = PART.exec(text?.trim() ?? '') ?? [];
    const [part, argument] = groups.filter((group) => group !== undefined);
    const [column, ...others] = columns;
    if (part === undefined || column === undefined || others.length > 0 || argument !== 'date_column') return undefined;
    return { grain: part.toLowerCase(), column };
  } catch (error) {
    if (error instanceof ExpressionError) return undefined; // The level's field reports its own problem.
    throw error;
  }
}
