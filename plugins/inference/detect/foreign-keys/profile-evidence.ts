/** Scores the evidence of names, types, counts and ranges for a reference between two columns. Pure. */

import { endsWith, likeness } from '../column-names.ts';
import { areComparable, type ColumnView, type TableView } from '../column-views.ts';

/** Scores of names: from the first on they are enough with values, from the second on they support other evidence. */
export const STRONG_NAME = 0.85;
export const WEAK_NAME = 0.4;

/** Words for the parent of a member in the same table. */
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
  'vorgesetzte',
  'vorgesetzter',
  'chef',
  'eltern',
  'mentor',
  'coach',
  'buddy',
  'sponsor',
  'referrer',
  'successor',
  'original',
  'previous',
  'replaced',
  'uebergeordnet',
  'uebergeordnete',
  'übergeordnet',
  'übergeordnete',
  'ober',
  'vorgaenger',
  'vorgänger',
  'nachfolger',
  'broader',
]);
/** Names of references to a person of the same table: `reports_to`. */
const PARENT_PHRASES: readonly (readonly string[])[] = [
  ['report', 'to'],
  ['reportsto'],
  ['answer', 'to'],
  ['belong', 'to'],
  ['child', 'of'],
  ['part', 'of'],
];

function isParentName({ stem, words }: ColumnView): boolean {
  return (
    stem.some((word) => PARENT_WORDS.has(word)) ||
    PARENT_PHRASES.some((phrase) => phrase.every((word) => words.includes(word)))
  );
}

/** Words for employees, in columns and as tables. */
const STAFF_WORDS: ReadonlySet<string> = new Set([
  'rep',
  'representative',
  'salesperson',
  'salesman',
  'seller',
  'agent',
  'clerk',
  'cashier',
  'staff',
  'employee',
  'mitarbeiter',
  'verkaeufer',
  'verkäufer',
  'betreuer',
  'leiter',
  'leiterin',
  'head',
  'leader',
  'kassierer',
  'sachbearbeiter',
  'bearbeiter',
  'reviewer',
  'approver',
  'assignee',
  'technician',
  'techniker',
  'berater',
  'consultant',
]);
const STAFF_TABLES = ['employee', 'staff', 'mitarbeiter', 'personnel'] as const;

/** Returns other words for the table that a column of such a word may refer to: a `rep` is an employee. */
export function otherWordsFor(word: string): readonly string[] {
  return STAFF_WORDS.has(word) ? STAFF_TABLES.filter((each) => each !== word) : [];
}
/** The evidence of a text that is named like the key of a table: with all of its values there, it is enough. */
const SAME_TEXT = 0.8;
const CALENDAR_WORDS: ReadonlySet<string> = new Set(['date', 'calendar', 'time', 'day', 'period']);

/** Returns whether nothing but the names and values themselves speaks against a pair. */
export function isPossible(from: ColumnView, to: ColumnView): boolean {
  if (from === to || !areComparable(from, to) || !countsFit(from, to) || isOwnIdentity(from, to)) return false;
  // One order of the customer 99999 widens the range: where the names say it, the values decide.
  return rangesFit(from, to) || evidenceOfNames(from, to) >= STRONG_NAME;
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

/** Returns whether a column looks like its table's key: it is named like one, or it is the first column. */
export function isMainKey({ isKeyName, position, table, isUnique }: ColumnView): boolean {
  if (!isUnique) return false;
  return table.hasNamedKey ? isKeyName : position === 0;
}

/**
 * Returns whether a column identifies the rows of its own table: keys of two tables may have the same values by
 * chance.
 */
function isOwnIdentity(from: ColumnView, to: ColumnView): boolean {
  if (!from.isUnique || from.table === to.table) return from.isUnique;
  if (from.stem.length === 0) return true;
  // The `klassenlehrer` of `klassen` is a teacher.
  if (isCompoundOf(from.stem.at(-1) ?? '', to.table.subject.at(-1) ?? '')) return false;
  // `film_id` of `film_category` is a film before it is a category of films: rows of both tables belong to one another.
  const toOwnTable = endsWith(from.stem, from.table.subject);
  if (toOwnTable > 0)
    return !isMainKey(to) || toOwnTable >= endsWith(from.stem, to.table.subject) || isCopy(from.table, to.table);
  return isMainKey(from) && from.position === 0 && evidenceOfNames(from, to) < STRONG_NAME;
}

const MIN_COMPOUND_PART = 5;

/** Returns whether a joined word ends with another: what it names is of that kind. */
function isCompoundOf(word: string, kind: string): boolean {
  return kind.length >= MIN_COMPOUND_PART && word.length > kind.length + 2 && word.endsWith(kind);
}

const COPIED_COLUMNS = 0.5;

/**
 * Returns whether a table repeats another, as `store_ragged` repeats `store`: it is another edition and adds nothing.
 */
function isCopy({ columns }: TableView, { columns: others }: TableView): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const shared = others.filter(({ name }) => names.has(name.toLowerCase())).length;
  return shared > 1 && shared >= COPIED_COLUMNS * others.length;
}

/** Returns how much the names speak for a pair, from 0 to 1. */
export function evidenceOfNames(from: ColumnView, to: ColumnView): number {
  const { subject } = to.table;
  if (from.table === to.table) return from.isKeyName && isParentName(from) ? 1 : parentColumn(from, to);
  const isMeaningful = to.stem.length > 0 && (to.isKeyName || to.family === 'integer');
  const isSame = from.name.toLowerCase() === to.name.toLowerCase() && to.stem.length > 0;
  // A text of the same name as the key of a table hints at it, whatever the name is.
  const same = !isSame ? 0 : isMeaningful ? 1 : isMainKey(to) ? SAME_TEXT : 0;
  // `ship_customer_id` to the key of `customers`, whatever that is called.
  const isOwnKey = isMainKey(to) && (to.stem.length === 0 || endsWith(to.stem, subject) > 0 || to.isKeyName);
  // Keys that begin near 1 are also the numbers of the `active_customers`; 300 to 339 is a `head_librarian`.
  const named =
    from.isKeyName ||
    from.family !== 'integer' ||
    from.stem.join(' ') === subject.join(' ') ||
    (from.stem.length > subject.length && hasTellingRange(to));
  const toTable = isOwnKey && named ? endsWith(from.stem, subject) : 0;
  // `order_date_key` to `date_key`.
  const toColumn = isMeaningful && to.isKeyName && from.isKeyName ? endsWith(from.stem, to.stem) : 0;
  // `supervisor_id` of `employee_closure` to `employee`.
  const ownSubject = from.table.subject;
  const isPart =
    ownSubject.length > subject.length && subject.every((word, index) => likeness(word, ownSubject[index] ?? '') > 0.8);
  const ofPart = isPart && from.isKeyName && isMainKey(to) ? 0.6 : 0;
  const others = otherWordsFor(from.stem.at(-1) ?? '');
  const ofOther = from.isKeyName && isMainKey(to) && others.includes(subject.at(-1) ?? '') ? 0.6 : 0;
  return Math.max(same, toTable, toColumn, ofPart, ofOther);
}

/** Scores a reference to the own table, such as `account_parent` to `account_id`, or `parent_dept_no` to `dept_no`. */
function parentColumn(from: ColumnView, to: ColumnView): number {
  if (!isMainKey(to)) return 0;
  // A role of the own key: it has the words of the key, and others before them.
  const isRoleOfKey =
    from.isKeyName &&
    to.stem.length > 0 &&
    from.stem.length > to.stem.length &&
    to.stem.every((word, index) => word === from.stem[from.stem.length - to.stem.length + index]);
  return isRoleOfKey || isParentName(from) ? 0.9 : 0;
}

/** Returns how many values a column has for certain: the count of a sampled table is scaled up, and may be far too high. */
export function distinctLowerBound({ column, table: { table } }: ColumnView): number {
  return Math.min(column.distinctApprox, table.sampledRows ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns whether counts and ranges allow a reference, with room for approximate counts and for a few values without a
 * partner.
 */
export function fits(from: ColumnView, to: ColumnView): boolean {
  return countsFit(from, to) && rangesFit(from, to);
}

/** Approximate counts of few values are up to a quarter off, of both columns. */
function countsFit(from: ColumnView, to: ColumnView): boolean {
  return distinctLowerBound(from) <= 1.5 * to.column.distinctApprox + 2;
}

function rangesFit(from: ColumnView, to: ColumnView): boolean {
  const [range, other] = [from.range, to.range];
  if (range === undefined || other === undefined) return true;
  const width = Math.max(1, other[1] - other[0]);
  return range[0] >= other[0] - 0.1 * width - 1 && range[1] <= other[1] + 0.1 * width + 1;
}

/** Returns whether the numbers of a key are few among the numbers of their size: counts and amounts are not among them by chance. */
export function hasTellingRange(to: ColumnView): boolean {
  return isSparse(to) || isOffset(to);
}

/** Returns whether less than half of the numbers between the least and the greatest are there. */
export function isSparse({ range, column }: ColumnView): boolean {
  return range !== undefined && range[1] - range[0] + 1 > 2 * column.distinctApprox;
}

/** Returns whether the numbers begin far from 1: personnel numbers from 10001 onwards. */
export function isOffset({ range, column }: ColumnView): boolean {
  return range !== undefined && range[0] > 2 * column.distinctApprox;
}

export function isWithin(from: ColumnView, to: ColumnView): boolean {
  const [range, other] = [from.range, to.range];
  return range === undefined || other === undefined || (range[0] >= other[0] && range[1] <= other[1]);
}

/** Returns the share of the key's range that the column spans; 1 where there are no ranges. */
export function rangeFit(from: ColumnView, to: ColumnView): number {
  const [range, other] = [from.range, to.range];
  if (range === undefined || other === undefined) return 1;
  return Math.min(1, (range[1] - range[0] + 1) / Math.max(1, other[1] - other[0] + 1));
}

export function isCalendar({ subject }: TableView): boolean {
  return subject.some((word) => CALENDAR_WORDS.has(word));
}
