/**
 * Foreign keys, from names, types, counts and looked-up values. The features are those of Rostin et al., "A Machine Learning
 * Approach to Foreign Key Discovery" (WebDB 2009): inclusion, coverage of the key, range, names, key-like suffixes, role of the table;
 * put together by rules that can be told to people, not by a trained model.
 */
import type { Reference } from '../schemas.ts';
import { areComparable, type ColumnView, type TableView } from './columns.ts';
import { endsWith, likeness } from './names.ts';

/** One column that may refer to a unique one of another table, or of its own. */
export interface Candidate {
  readonly from: ColumnView;
  readonly to: ColumnView;
  /** How much the names speak for it, from 0 to 1. */
  readonly nameEvidence: number;
}

export interface CompositeCandidate {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
}

export interface ForeignKey {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
  /** Share of the looked-up values that are there; 1 where none were looked up. */
  readonly coverage: number;
  readonly reason: string;
}

/** A name says so. */
const STRONG_NAME = 0.85;
/** A name hints at it. */
const WEAK_NAME = 0.4;
/** Values without a partner that are put down to dirt. */
const MIN_COVERAGE = 0.9;
const FULL_COVERAGE = 0.98;
/** Distinct values from which an inclusion is no accident. */
const TELLING_VALUES = 10;
const TELLING_DENSE_VALUES = 50;

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

/**
 * Returns the pairs of columns that are worth looking up, at most `MAX_PAIRS` of those that were looked at.
 *
 * @param withUnnamed also those whose names say nothing; only values can tell of them
 */
export function candidates(tables: readonly TableView[], withUnnamed: boolean): readonly Candidate[] {
  const keys = tables.flatMap((table) => table.columns.filter(isKeyColumn));
  const byBeginning = new Map<string, Set<ColumnView>>();
  for (const key of keys) {
    const { subject } = key.table;
    for (const word of [subject[0], subject.at(-1), key.stem[0], key.stem.at(-1)]) {
      if (word === undefined) continue;
      for (const beginning of [word.slice(0, 1), word.slice(0, 2)])
        byBeginning.set(beginning, (byBeginning.get(beginning) ?? new Set()).add(key));
    }
  }
  const byName = pairs(tables, (from) => {
    // Words are alike only where they begin alike; of a part of a table (`employee_closure`) also the table's own.
    const words = [from.stem.at(-1), from.isKeyName ? from.table.subject[0] : undefined];
    const own = from.table.columns.filter(isKeyColumn);
    return new Set([...own, ...words.flatMap((word) => [...(byBeginning.get(beginningOf(word)) ?? [])])]);
  }).filter(({ nameEvidence }) => nameEvidence > 0);
  if (!withUnnamed) return byName;
  // Of a large schema the names are looked through first, whatever is left of it afterwards.
  const mainKeys = new Set(keys.filter((key) => isMainKey(key) || isCalendar(key.table)));
  const byValue = pairs(tables, () => mainKeys).filter(
    ({ from, to, nameEvidence }) => nameEvidence === 0 && mayReferUnnamed(from, to),
  );
  return [...byName, ...byValue];
}

/** Returns the possible pairs of each column that may refer with its targets, until `MAX_PAIRS` were looked at. */
function pairs(tables: readonly TableView[], targetsOf: (from: ColumnView) => ReadonlySet<ColumnView>): Candidate[] {
  const found: Candidate[] = [];
  let looked = 0;
  for (const from of tables.flatMap(({ columns }) => columns.filter(mayRefer))) {
    const targets = targetsOf(from);
    looked += targets.size;
    if (looked > MAX_PAIRS) break;
    for (const to of targets)
      if (isPossible(from, to)) found.push({ from, to, nameEvidence: evidenceOfNames(from, to) });
  }
  return found;
}

/** Two letters, but one of an abbreviation without vowels: `mgr` begins as `manager` in one letter only. */
function beginningOf(word: string | undefined): string {
  return word === undefined ? '' : word.slice(0, /[aeiouäöü]/.test(word) ? 2 : 1);
}

function isPossible(from: ColumnView, to: ColumnView): boolean {
  return from !== to && areComparable(from, to) && fits(from, to) && !isOwnIdentity(from, to);
}

/** Pairs that are looked at: a second or two of work. */
const MAX_PAIRS = 300_000;

/** Returns the pairs of several columns that are worth looking up: keys that no single column makes. Bounded as single ones. */
export function compositeCandidates(tables: readonly TableView[]): readonly CompositeCandidate[] {
  const found: CompositeCandidate[] = [];
  let looked = 0;
  for (const target of tables) {
    for (const key of (target.table.keys ?? []).filter(({ length }) => length > 1)) {
      const to = key.flatMap((name) => target.columns.filter((column) => column.name === name));
      for (const table of tables) {
        if (table === target) continue;
        looked += table.columns.length * to.length;
        if (looked > MAX_PAIRS) return found;
        const from = partners(table, to);
        if (from !== undefined) found.push({ from, to });
      }
    }
  }
  return found;
}

/** For each column of a key, the column of a table that fits best; each once. */
function partners(table: TableView, key: readonly ColumnView[]): readonly ColumnView[] | undefined {
  const chosen: ColumnView[] = [];
  for (const to of key) {
    const ranked = table.columns
      .filter(
        (from) => !chosen.includes(from) && areComparable(from, to) && fits(from, to) && from.column.distinctApprox > 0,
      )
      .map((from) => ({ from, score: pairScore(from, to) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score);
    const [best] = ranked;
    if (best === undefined) return undefined;
    chosen.push(best.from);
  }
  // A column whose name says nothing must at least be named like a key, and so must what it refers to; one name, or a code, must be telling.
  const pairs = chosen.map((from, index) => ({ from, to: key[index], isNamed: sameName(from, key[index]) }));
  const isBelievable = pairs.every(({ from, to, isNamed }) => isNamed || (from.isKeyName && to?.isKeyName === true));
  const isTelling = pairs.some(
    ({ from, isNamed }) => isNamed || (from.family === 'text' && from.column.distinctApprox > 2),
  );
  return isBelievable && isTelling ? chosen : undefined;
}

function sameName(from: ColumnView, to: ColumnView | undefined): boolean {
  return (
    to !== undefined && (from.name.toLowerCase() === to.name.toLowerCase() || endsWith(from.stem, to.stem) >= WEAK_NAME)
  );
}

function pairScore(from: ColumnView, to: ColumnView): number {
  if (from.name.toLowerCase() === to.name.toLowerCase()) return 3;
  const names = Math.max(endsWith(from.stem, to.stem), endsWith(from.stem, to.table.subject));
  return (
    names +
    (from.isKeyName ? 0.5 : 0) +
    (from.family === 'text' || from.family === 'integer' ? 0.2 * rangeFit(from, to) : 0)
  );
}

/**
 * Returns the foreign keys of a profile, the columns in their order: of each column at most one.
 *
 * @param references what was looked up; without it, names and counts decide alone
 */
export function foreignKeys(
  tables: readonly TableView[],
  references: readonly Reference[] | undefined,
): readonly ForeignKey[] {
  const lookedUp = references === undefined ? undefined : resolved(tables, references);
  const single =
    lookedUp === undefined
      ? candidates(tables, false).map((each) => ({ ...each, coverage: undefined }))
      : lookedUp.flatMap(({ from, to, coverage }) => {
          const [column, key] = [from[0], to[0]];
          if (from.length !== 1 || column === undefined || key === undefined || !isPossible(column, key)) return [];
          return [{ from: column, to: key, nameEvidence: evidenceOfNames(column, key), coverage }];
        });
  const judged = single.flatMap((each): Judged[] => {
    const strength = strengthOf(each.from, each.to, each.nameEvidence, each.coverage);
    return strength === undefined ? [] : [{ ...each, coverage: each.coverage ?? 1, strength }];
  });
  const best = bestOfEach(judged);
  const referring = new Set(best.flatMap(({ from }) => from));
  const composite = (lookedUp ?? []).flatMap(({ from, to, coverage }): ForeignKey[] => {
    // What consists of references alone is a fact or a bridge: nobody refers to it.
    if (from.length < 2 || coverage < FULL_COVERAGE || to.every((column) => referring.has(column))) return [];
    return [{ from, to, coverage, reason: reasonOf(from, to, 0, coverage) }];
  });
  return [...best, ...bestComposites(composite)];
}

interface Pair {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
  readonly coverage: number;
}

/** The columns that references name; one that names what is not there is left out. */
function resolved(tables: readonly TableView[], references: readonly Reference[]): readonly Pair[] {
  const key = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);
  const columns = new Map(
    tables.flatMap((table) =>
      table.columns.map((column) => [key(table.schema, table.name, column.name), column] as const),
    ),
  );
  return references.flatMap(({ schema, table, columns: names, refSchema, refTable, refColumns, coverage }): Pair[] => {
    const from = names.flatMap((name) => columns.get(key(schema, table, name)) ?? []);
    const to = refColumns.flatMap((name) => columns.get(key(refSchema, refTable, name)) ?? []);
    const isWhole = from.length > 0 && from.length === names.length && to.length === from.length;
    return isWhole && to.length === refColumns.length ? [{ from, to, coverage }] : [];
  });
}

interface Judged extends Candidate {
  readonly coverage: number;
  readonly strength: number;
}

function bestOfEach(judged: readonly Judged[]): readonly ForeignKey[] {
  const best = new Map<ColumnView, Judged>();
  for (const each of judged) {
    const other = best.get(each.from);
    if (other === undefined || compare(each, other) > 0) best.set(each.from, each);
  }
  return [...best.values()].map(({ from, to, nameEvidence, coverage }) => ({
    from: [from],
    to: [to],
    coverage,
    reason: reasonOf([from], [to], nameEvidence, coverage),
  }));
}

/** The stronger; of equals, the table that is called so; then the smaller one, which the other may extend. */
function compare(left: Judged, right: Judged): number {
  return (
    left.strength - right.strength ||
    tableLikeness(left) - tableLikeness(right) ||
    fill(left) - fill(right) ||
    right.to.table.rows - left.to.table.rows
  );
}

function tableLikeness({ from, to }: Candidate): number {
  return endsWith(from.stem, to.table.subject);
}

/** How much of the key the column uses. */
function fill({ from, to }: Candidate): number {
  return Math.min(1, from.column.distinctApprox / Math.max(1, to.column.distinctApprox));
}

/** Of two composite keys from the same columns, the one with more columns, then the one that is covered better. */
function bestComposites(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  const kept: ForeignKey[] = [];
  for (const key of keys.toSorted(
    (left, right) => right.from.length - left.from.length || right.coverage - left.coverage,
  )) {
    if (!kept.some((other) => key.from.every((column) => other.from.includes(column)))) kept.push(key);
  }
  return kept;
}

/** How sure a pair is, from 0 to 3; `undefined` where it is none. */
function strengthOf(
  from: ColumnView,
  to: ColumnView,
  nameEvidence: number,
  coverage: number | undefined,
): number | undefined {
  const covered = coverage ?? (isWithin(from, to) ? FULL_COVERAGE : 0);
  if (nameEvidence >= STRONG_NAME) return covered >= MIN_COVERAGE ? 2 + nameEvidence : undefined;
  if (covered < FULL_COVERAGE) return undefined;
  if (
    nameEvidence >= WEAK_NAME &&
    (from.isKeyName || to.isKeyName || from.name === to.name) &&
    rangeFit(from, to) >= 0.2
  )
    return 1 + nameEvidence;
  return coverage === undefined || covered < 1 ? undefined : strengthOfValues(from, to);
}

/** Of names that say nothing or mislead: whether the values alone are telling. */
function strengthOfValues(from: ColumnView, to: ColumnView): number | undefined {
  const values = from.column.distinctApprox;
  const used = values / Math.max(1, to.column.distinctApprox);
  switch (from.family) {
    case 'text':
      // A code of three letters that is always found there is no accident; two genders are.
      return isMainKey(to) && (to.isKeyName || from.isKeyName) && values >= 3 && used >= 0.2
        ? 0.5 + 0.5 * used
        : undefined;
    case 'integer': {
      if (!from.isKeyName || !isMainKey(to) || values < TELLING_VALUES) return undefined;
      const { range } = to;
      const isSparse = range !== undefined && range[1] - range[0] + 1 > 2 * to.column.distinctApprox;
      if (isSparse) return 0.5 + 0.5 * used;
      // Numbers from 1 onwards are within each other everywhere: twelve months within twelve carriers.
      return values >= TELLING_DENSE_VALUES && used >= 0.8 && rangeFit(from, to) >= 0.9 ? 0.4 : undefined;
    }
    case 'date':
    case 'timestamp':
      return from.table !== to.table && isCalendar(to.table) && values >= 2 ? 0.5 : undefined;
    default:
      return undefined;
  }
}

/** A unique column, or one that is the whole of a verified key. */
function isKeyColumn({ isUnique, family, table, column }: ColumnView): boolean {
  return (
    isUnique &&
    table.rows > 1 &&
    column.distinctApprox > 1 &&
    family !== 'decimal' &&
    family !== 'other' &&
    family !== 'boolean'
  );
}

/** The key that a table is known by: named like one, or its first column. */
function isMainKey({ isKeyName, position, table, isUnique }: ColumnView): boolean {
  if (!isUnique) return false;
  return table.hasNamedKey ? isKeyName : position === 0;
}

function mayRefer({ family, column, table }: ColumnView): boolean {
  return table.rows > 0 && column.distinctApprox > 0 && ['integer', 'text', 'date', 'timestamp'].includes(family);
}

function mayReferUnnamed(from: ColumnView, to: ColumnView): boolean {
  if (from.table === to.table) return false;
  if (from.family === 'integer') return from.isKeyName && isMainKey(to);
  if (from.family === 'text') return isMainKey(to) && (to.isKeyName || from.isKeyName);
  return isCalendar(to.table);
}

/** Whether a column is what its own table is known by: keys of two tables may hold the same values by chance. */
function isOwnIdentity(from: ColumnView, to: ColumnView): boolean {
  if (!from.isUnique || from.table === to.table) return from.isUnique;
  const own = from.table.subject;
  return (
    from.stem.length === 0 ||
    endsWith(from.stem, own) > 0 ||
    (isMainKey(from) && from.position === 0 && evidenceOfNames(from, to) < STRONG_NAME)
  );
}

function evidenceOfNames(from: ColumnView, to: ColumnView): number {
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

/** `account_parent` to `account_id`. */
function parentColumn(from: ColumnView, to: ColumnView): number {
  return isMainKey(to) && from.stem.some((word) => PARENT_WORDS.has(word)) ? 0.9 : 0;
}

/** What counts and ranges rule out, with room for approximate counts and for a few values without a partner. */
function fits(from: ColumnView, to: ColumnView): boolean {
  // Approximate counts of few values are up to a quarter off, of both columns.
  if (from.column.distinctApprox > 1.5 * to.column.distinctApprox + 2) return false;
  const [own, other] = [from.range, to.range];
  if (own === undefined || other === undefined) return true;
  const width = Math.max(1, other[1] - other[0]);
  return own[0] >= other[0] - 0.1 * width - 1 && own[1] <= other[1] + 0.1 * width + 1;
}

function isWithin(from: ColumnView, to: ColumnView): boolean {
  const [own, other] = [from.range, to.range];
  return own === undefined || other === undefined || (own[0] >= other[0] && own[1] <= other[1]);
}

/** Share of the key's range that the column spans; 1 where there are no ranges. */
function rangeFit(from: ColumnView, to: ColumnView): number {
  const [own, other] = [from.range, to.range];
  if (own === undefined || other === undefined) return 1;
  return Math.min(1, (own[1] - own[0] + 1) / Math.max(1, other[1] - other[0] + 1));
}

function isCalendar({ subject }: TableView): boolean {
  return subject.some((word) => CALENDAR_WORDS.has(word));
}

function reasonOf(from: readonly ColumnView[], to: readonly ColumnView[], names: number, coverage: number): string {
  const found = `${Math.floor(coverage * 100)} % of its values are found there`;
  const target = `${to[0]?.table.name ?? ''} (${to.map(({ name }) => name).join(', ')})`;
  if (from.length > 1) return `Together the columns are the key of ${target}; ${found}.`;
  if (names >= STRONG_NAME) return `The name says so, and ${found}.`;
  return names >= WEAK_NAME ? `The name hints at ${target}, and ${found}.` : `${found}, and ${target} is its key.`;
}

/** Writes a pair as a reference of the profile. */
export function referenceOf(from: readonly ColumnView[], to: readonly ColumnView[], coverage: number): Reference {
  return {
    schema: from[0]?.table.schema ?? '',
    table: from[0]?.table.name ?? '',
    columns: from.map(({ name }) => name),
    refSchema: to[0]?.table.schema ?? '',
    refTable: to[0]?.table.name ?? '',
    refColumns: to.map(({ name }) => name),
    coverage,
  };
}
