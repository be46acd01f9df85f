/** Levels that lead from the coarse to the fine: of calendars, of places, of classifications. Pure. */

import { isDuration } from './column-traits.ts';
import type { ColumnView, TableView } from './column-views.ts';
import { isNumeric, isTemporal } from './type-family.ts';

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
    ['region', 'territory', 'gebiet'],
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
  /** The role of the columns, where a table has several: `billing` of `billing_city`. Empty elsewhere. */
  readonly role: string;
  /** The coarse first. */
  readonly levels: readonly ColumnView[];
  readonly reason: string;
}

/** Returns the hierarchies of a table: at least two levels, each of which determines the level above it. */
export function findHierarchies(table: TableView): readonly Hierarchy[] {
  const calendar = calendarLevels(table);
  const steps =
    calendar.length < 2 ? [] : [{ table, kind: 'calendar', role: '', levels: calendar, reason: CALENDAR } as const];
  return [
    ...steps,
    ...(['place', 'class'] as const).flatMap((kind) =>
      splitByRole(table, kind).flatMap(({ role, columns }): Hierarchy[] => {
        const levels = chain(table, columns, kind);
        if (levels.length < 2) return [];
        const [first, last] = [levels[0]?.name ?? '', levels.at(-1)?.name ?? ''];
        const how = table.table.dependencies === undefined ? ', by the counts' : '';
        return [{ table, kind, role, levels, reason: `Each ${last} has one ${first}${how}.` }];
      }),
    ),
  ];
}

const CALENDAR = 'The names belong to a calendar.';
const RUNG_OF_POSTAL_CODES = LADDERS.place.findIndex((rung) => rung.includes('postal'));

function rungOf({ name, words, family, table: { subject } }: ColumnView, kind: HierarchyKind): number {
  // The days of a stay are not a date.
  if (kind === 'calendar' && isNumeric(family) && isDuration({ name, words })) return -1;
  const rung = (candidates: readonly string[]): number =>
    LADDERS[kind].findIndex((each) => each.some((word) => candidates.includes(word)));
  // `product_category` of `product_class` is a category; `sales_region` of `region` is a region after all.
  const others = words.filter((word) => !subject.includes(word));
  const position = rung(others.length === 0 ? words : others);
  return position >= 0 || kind === 'calendar' ? position : rung(words);
}

/** Returns whether the type or the name of a column makes it a row's day, month or year; the type of an instant does not. */
export function isPeriod(column: ColumnView): boolean {
  if (isTemporal(column.family)) return column.family === 'date';
  return (
    !column.isKeyName &&
    column.family !== 'decimal' &&
    (rungOf(column, 'calendar') >= 0 || column.words.includes('period'))
  );
}

/** Returns columns that may be levels. Postal codes are the only numbers among them. */
function mayBeLevel(column: ColumnView, kind: 'place' | 'class'): boolean {
  const rung = rungOf(column, kind);
  const isPostal = kind === 'place' && rung === RUNG_OF_POSTAL_CODES;
  return (
    rung >= 0 &&
    column.column.distinctApprox > 0 &&
    (column.family === 'text' || (isPostal && column.family === 'integer'))
  );
}

/**
 * Returns the columns of each role: `billing_city` and `billing_country` beside `shipping_city` and `shipping_country`;
 * columns that are alone in their role form one group.
 */
function splitByRole(
  table: TableView,
  kind: 'place' | 'class',
): readonly { readonly role: string; readonly columns: readonly ColumnView[] }[] {
  const words = new Set(LADDERS[kind].flat());
  const roles = new Map<string, ColumnView[]>();
  for (const column of table.columns.filter((each) => mayBeLevel(each, kind))) {
    const role = column.stem
      .filter((word) => !words.has(word) && word !== 'name' && !table.subject.includes(word))
      .join(' ');
    roles.set(role, [...(roles.get(role) ?? []), column]);
  }
  const isWhole = (columns: readonly ColumnView[]): boolean =>
    new Set(columns.map((each) => rungOf(each, kind))).size > 1;
  const whole = [...roles].filter(([, columns]) => isWhole(columns));
  const rest = [...roles].filter(([, columns]) => !isWhole(columns)).flatMap(([, columns]) => columns);
  return [
    ...whole.map(([role, columns]) => ({ role: whole.length > 1 ? role : '', columns })),
    ...(isWhole(rest) && whole.length === 0 ? [{ role: '', columns: rest }] : []),
  ];
}

/** Picks one column a rung: a name before a code, text before numbers, fewer words before more. */
function pickRungs(columns: readonly ColumnView[], kind: HierarchyKind): readonly ColumnView[] {
  const rungs = new Map<number, ColumnView>();
  const rank = ({ isKeyName, name }: ColumnView): number => (isKeyName ? 1_000 : 0) + name.length;
  for (const column of columns) {
    const rung = rungOf(column, kind);
    const other = rungs.get(rung);
    if (other === undefined || rank(column) < rank(other)) rungs.set(rung, column);
  }
  return [...rungs].sort(([left], [right]) => left - right).map(([, column]) => column);
}

/** Returns the longest path from the coarse to the fine on which each level determines the one above it. */
function chain(table: TableView, columns: readonly ColumnView[], kind: 'place' | 'class'): readonly ColumnView[] {
  const rungs = pickRungs(columns, kind);
  // A column with one value is above the others only if its word is: all cities have the postal code 00000.
  const isAbove = (column: ColumnView): boolean =>
    rungs.every((other) => other === column || rungOf(column, kind) < rungOf(other, kind));
  const byFineness = rungs
    .filter((column) => column.column.distinctApprox > 1 || isAbove(column))
    .toSorted((left, right) => left.column.distinctApprox - right.column.distinctApprox);
  const ways: (readonly ColumnView[])[] = [];
  for (const column of inOrderOfPlaces(byFineness, kind)) {
    const isBelow = (level: ColumnView): boolean =>
      isPlaceWithin(column, level, kind) || determines(table, column, level);
    const above = ways.filter((way) => way.every(isBelow));
    const longest = above.reduce<readonly ColumnView[]>((best, way) => (way.length > best.length ? way : best), []);
    ways.push([...longest, column]);
  }
  return ways.reduce<readonly ColumnView[]>((best, way) => (way.length > best.length ? way : best), []);
}

/** Steps of places that contain each other by their meaning: there is a Springfield in many states, and a state in no city. */
const NESTED_PLACES: ReadonlySet<number> = new Set(
  ['country', 'state', 'county', 'city'].map((word) => LADDERS.place.findIndex((rung) => rung.includes(word))),
);

function isPlaceWithin(finer: ColumnView, coarser: ColumnView, kind: HierarchyKind): boolean {
  const [fine, coarse] = [rungOf(finer, kind), rungOf(coarser, kind)];
  return kind === 'place' && NESTED_PLACES.has(fine) && NESTED_PLACES.has(coarse) && coarse < fine;
}

/** Puts countries, states, counties and cities in this order, whatever their counts; other columns stay where they are. */
function inOrderOfPlaces(columns: readonly ColumnView[], kind: HierarchyKind): readonly ColumnView[] {
  const isNested = (column: ColumnView): boolean => kind === 'place' && NESTED_PLACES.has(rungOf(column, kind));
  const nested = columns.filter(isNested).toSorted((left, right) => rungOf(left, kind) - rungOf(right, kind));
  return columns.map((column) => (isNested(column) ? (nested.shift() ?? column) : column));
}

/**
 * Lists the calendar levels of a table. Months and quarters repeat in every year: their values determine nothing,
 * their names do.
 */
function calendarLevels(table: TableView): readonly ColumnView[] {
  const isPart = ({ family, name }: ColumnView): boolean =>
    isTemporal(family) ? /date|day|datum|tag/i.test(name) : !/name|weekday|_of_week|iso/i.test(name);
  const rungs = pickRungs(
    table.columns.filter(
      (column) =>
        rungOf(column, 'calendar') >= 0 && !column.isKeyName && column.column.distinctApprox > 0 && isPart(column),
    ),
    'calendar',
  );
  const hasYear = rungs.some((column) => rungOf(column, 'calendar') === 0);
  // A week lies in two months.
  return hasYear ? rungs.filter((column) => rungOf(column, 'calendar') !== 4) : [];
}

/**
 * Returns whether each value of the finer column occurs with one value of the coarser; by counts where the values were not
 * looked up.
 */
function determines({ table }: TableView, finer: ColumnView, coarser: ColumnView): boolean {
  if (finer.column.distinctApprox < coarser.column.distinctApprox) return false;
  const { dependencies } = table;
  if (dependencies === undefined) return finer.column.distinctApprox > coarser.column.distinctApprox;
  return dependencies.some(
    ({ column, determines: determined }) => column === finer.name && determined.includes(coarser.name),
  );
}

/** Lists the columns between which dependencies are worth looking up. */
export function dependencyCandidates(table: TableView): readonly ColumnView[] {
  return table.columns.filter((column) => mayBeLevel(column, 'place') || mayBeLevel(column, 'class'));
}

/** A few odd rows do not keep a brand from having one category. */
const NEARLY = 1.1;
/**
 * The words show that one contains the other: there is a Springfield in many states, and fruit, fresh and canned, in two
 * departments.
 */
const NEARLY_BY_NAME = 1.5;
/** Words of classes that others need not be in: a brand has products of several categories. */
const LOOSE: ReadonlySet<number> = new Set([LADDERS.class.length - 1, LADDERS.class.length - 2]);

/**
 * Returns how many values of the coarser column each value of the finer may have, on average, to be said to determine
 * it.
 */
export function tolerance(finer: ColumnView, coarser: ColumnView): number {
  const isNamed = (['place', 'class'] as const).some((kind) => {
    const [fine, coarse] = [rungOf(finer, kind), rungOf(coarser, kind)];
    return coarse >= 0 && fine > coarse && !(kind === 'class' && LOOSE.has(fine));
  });
  return isNamed ? NEARLY_BY_NAME : NEARLY;
}
