/** What names, types, counts and ranges say for or against a column's referring to another. Pure. */
import { areComparable, type ColumnView, type TableView } from './columns.ts';
import { endsWith, likeness } from './names.ts';

/** Evidence of names from which a name says so, and from which it hints at it. */
export const STRONG_NAME = 0.85;
export const WEAK_NAME = 0.4;

/** Words for a member of the same table that stands above. */
const PARENT_WORDS: ReadonlySet<string> = new Set([
  'parent',
  'supervisor',
  'manager',
  'boss',
  'superior',
  'mgr',
  'predecessor',
  'ancestor',
  'owner',
  'reply',
  'root',
]);
const CALENDAR_WORDS: ReadonlySet<string> = new Set(['date', 'calendar', 'time', 'day', 'period']);

/** Tells whether nothing but the names and values themselves speaks against a pair. */
export function isPossible(from: ColumnView, to: ColumnView): boolean {
  return from !== to && areComparable(from, to) && fits(from, to) && !isOwnIdentity(from, to);
}

/** Returns a unique column, or one that is the whole of a verified key. */
export function isKeyColumn({ isUnique, family, table, column }: ColumnView): boolean {
  return (
    isUnique &&
    table.rows > 1 &&
    column.distinctApprox > 1 &&
    family !== 'decimal' &&
    family !== 'other' &&
    family !== 'boolean'
  );
}

/** Tells whether a column is the key that a table is known by: named like one, or its first column. */
export function isMainKey({ isKeyName, position, table, isUnique }: ColumnView): boolean {
  if (!isUnique) return false;
  return table.hasNamedKey ? isKeyName : position === 0;
}

/** Tells whether a column is what its own table is known by: keys of two tables may hold the same values by chance. */
function isOwnIdentity(from: ColumnView, to: ColumnView): boolean {
  if (!from.isUnique || from.table === to.table) return from.isUnique;
  const own = from.table.subject;
  return (
    from.stem.length === 0 ||
    endsWith(from.stem, own) > 0 ||
    (isMainKey(from) && from.position === 0 && evidenceOfNames(from, to) < STRONG_NAME)
  );
}

/** Returns how much the names speak for a pair, from 0 to 1. */
export function evidenceOfNames(from: ColumnView, to: ColumnView): number {
  const { subject } = to.table;
  if (from.table === to.table)
    return from.isKeyName && from.stem.some((word) => PARENT_WORDS.has(word)) ? 1 : parentColumn(from, to);
  const isMeaningful = to.stem.length > 0 && (to.isKeyName || to.family === 'integer');
  const same = from.name.toLowerCase() === to.name.toLowerCase() && isMeaningful ? 1 : 0;
  // `ship_customer_id` to the key of `customers`, whatever that is called.
  const isOwnKey = isMainKey(to) && (to.stem.length === 0 || endsWith(to.stem, subject) > 0 || to.isKeyName);
  const named = from.isKeyName || from.family !== 'integer' || from.stem.join(' ') === subject.join(' ');
  const toTable = isOwnKey && named ? endsWith(from.stem, subject) : 0;
  // `order_date_key` to `date_key`.
  const toColumn = isMeaningful && to.isKeyName && from.isKeyName ? endsWith(from.stem, to.stem) : 0;
  // `supervisor_id` of `employee_closure` to `employee`.
  const own = from.table.subject;
  const isPart = own.length > subject.length && subject.every((word, index) => likeness(word, own[index] ?? '') > 0.8);
  const ofPart = isPart && from.isKeyName && isMainKey(to) ? 0.6 : 0;
  return Math.max(same, toTable, toColumn, ofPart);
}

/** Scores a reference to the own table, such as `account_parent` to `account_id`. */
function parentColumn(from: ColumnView, to: ColumnView): number {
  return isMainKey(to) && from.stem.some((word) => PARENT_WORDS.has(word)) ? 0.9 : 0;
}

/** Returns how many values a column has for certain: the count of a sampled table is scaled up, and may be far too high. */
export function distinctLowerBound({ column, table: { table } }: ColumnView): number {
  return Math.min(column.distinctApprox, table.sampledRows ?? Number.POSITIVE_INFINITY);
}

/**
 * Tells whether counts and ranges allow a reference, with room for approximate counts and for a few values without a
 * partner.
 */
export function fits(from: ColumnView, to: ColumnView): boolean {
  // Approximate counts of few values are up to a quarter off, of both columns.
  if (distinctLowerBound(from) > 1.5 * to.column.distinctApprox + 2) return false;
  const [own, other] = [from.range, to.range];
  if (own === undefined || other === undefined) return true;
  const width = Math.max(1, other[1] - other[0]);
  return own[0] >= other[0] - 0.1 * width - 1 && own[1] <= other[1] + 0.1 * width + 1;
}

export function isWithin(from: ColumnView, to: ColumnView): boolean {
  const [own, other] = [from.range, to.range];
  return own === undefined || other === undefined || (own[0] >= other[0] && own[1] <= other[1]);
}

/** Returns the share of the key's range that the column spans; 1 where there are no ranges. */
export function rangeFit(from: ColumnView, to: ColumnView): number {
  const [own, other] = [from.range, to.range];
  if (own === undefined || other === undefined) return 1;
  return Math.min(1, (own[1] - own[0] + 1) / Math.max(1, other[1] - other[0] + 1));
}

export function isCalendar({ subject }: TableView): boolean {
  return subject.some((word) => CALENDAR_WORDS.has(word));
}
