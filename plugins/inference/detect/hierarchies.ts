/** Levels that lead from the coarse to the fine: of calendars, of places, of classifications. Pure. */
import { isTemporal } from '../profile/types.ts';
import type { ColumnView, TableView } from './columns.ts';

/** Words of each kind of hierarchy, the coarse first; words of one rank mean the same. */
const LADDERS: Readonly<Record<'calendar' | 'place' | 'class', readonly (readonly string[])[]>> = {
  calendar: [
    ['year', 'jahr'],
    ['half', 'semester'],
    ['quarter', 'quartal', 'qtr'],
    ['month', 'monat'],
    ['week'],
    ['day', 'date', 'tag', 'datum'],
  ],
  place: [
    ['continent'],
    ['country', 'nation', 'land'],
    ['region'],
    ['state', 'province', 'bundesland'],
    ['county', 'district'],
    ['city', 'town', 'stadt', 'ort'],
    ['postal', 'zip', 'postcode', 'plz'],
  ],
  class: [
    ['division', 'sector'],
    ['family'],
    ['department'],
    ['category', 'group', 'kategorie'],
    ['subcategory', 'subgroup', 'class'],
    ['line', 'series'],
    ['brand'],
  ],
};
export type HierarchyKind = keyof typeof LADDERS;

export interface Hierarchy {
  readonly table: TableView;
  readonly kind: HierarchyKind;
  /** The coarse first. */
  readonly levels: readonly ColumnView[];
  readonly reason: string;
}

/** Returns the hierarchies of a table: at least two levels, each of which determines the one above it. */
export function hierarchiesOf(table: TableView): readonly Hierarchy[] {
  return (['calendar', 'place', 'class'] as const).flatMap((kind): Hierarchy[] => {
    const levels = kind === 'calendar' ? calendarLevels(table) : chain(table, kind);
    if (levels.length < 2) return [];
    const reason =
      kind === 'calendar'
        ? 'The names are those of a calendar.'
        : `Each ${levels.at(-1)?.name ?? ''} has one ${levels[0]?.name ?? ''}${table.table.dependencies === undefined ? ', by the counts' : ''}.`;
    return [{ table, kind, levels, reason }];
  });
}

function rungOf({ words, table: { subject } }: ColumnView, kind: HierarchyKind): number {
  const others = words.filter((word) => !subject.includes(word));
  const own = others.length === 0 ? words : others;
  return LADDERS[kind].findIndex((rung) => rung.some((word) => own.includes(word)));
}

/** One column a rung: text before numbers, fewer words before more. */
function rungsOf(
  table: TableView,
  kind: HierarchyKind,
  isUsable: (column: ColumnView) => boolean,
): readonly ColumnView[] {
  const rungs = new Map<number, ColumnView>();
  for (const column of table.columns) {
    const rung = rungOf(column, kind);
    if (rung < 0 || column.isKeyName || column.column.distinctApprox < 1 || !isUsable(column)) continue;
    const other = rungs.get(rung);
    if (other === undefined || column.name.length < other.name.length) rungs.set(rung, column);
  }
  return [...rungs].sort(([left], [right]) => left - right).map(([, column]) => column);
}

function chain(table: TableView, kind: HierarchyKind): readonly ColumnView[] {
  const rungs = rungsOf(table, kind, ({ family }) => family === 'text');
  const byFineness = rungs.toSorted((left, right) => left.column.distinctApprox - right.column.distinctApprox);
  const levels: ColumnView[] = [];
  for (const column of byFineness) {
    const above = levels.at(-1);
    if (above === undefined || determines(table, column, above)) levels.push(column);
  }
  return levels;
}

/** Months and quarters repeat in every year: their values determine nothing, their names do. */
function calendarLevels(table: TableView): readonly ColumnView[] {
  const rungs = rungsOf(
    table,
    'calendar',
    ({ family, name }) => isTemporal(family) || !/name|weekday|_of_week|iso/i.test(name),
  ).filter(({ family, name }) => !isTemporal(family) || /date|day|datum|tag/i.test(name));
  const hasYear = rungs.some((column) => rungOf(column, 'calendar') === 0);
  // A week lies in two months.
  return hasYear ? rungs.filter((column) => rungOf(column, 'calendar') !== 4) : [];
}

/** Whether each value of the finer column stands beside one value of the coarser; by counts where that was not looked up. */
function determines({ table }: TableView, finer: ColumnView, coarser: ColumnView): boolean {
  if (finer.column.distinctApprox < coarser.column.distinctApprox) return false;
  const { dependencies } = table;
  if (dependencies === undefined) return finer.column.distinctApprox > coarser.column.distinctApprox;
  return dependencies.some(({ column, determines: found }) => column === finer.name && found.includes(coarser.name));
}

/** The columns between which dependencies are worth looking up. */
export function dependencyCandidates(table: TableView): readonly ColumnView[] {
  return table.columns.filter(
    (column) =>
      column.family === 'text' &&
      column.column.distinctApprox > 0 &&
      (rungOf(column, 'place') >= 0 || rungOf(column, 'class') >= 0),
  );
}
