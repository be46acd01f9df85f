/**
 * Foreign keys, from names, types, counts and looked-up values. The features are those of Rostin et al., "A Machine Learning
 * Approach to Foreign Key Discovery" (WebDB 2009): inclusion, coverage of the key, range, names, key-like suffixes, role of the table;
 * put together by rules that can be told to people, not by a trained model.
 */
import type { Reference } from '../schemas.ts';
import type { ColumnView, TableView } from './columns.ts';
import { type Candidate, candidates } from './key-candidates.ts';
import {
  evidenceOfNames,
  isCalendar,
  isMainKey,
  isPossible,
  isWithin,
  rangeFit,
  STRONG_NAME,
  WEAK_NAME,
} from './key-evidence.ts';
import { endsWith } from './names.ts';

export interface ForeignKey {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
  /** Share of the looked-up values that are there; 1 where none were looked up. */
  readonly coverage: number;
  readonly reason: string;
}

/** Values without a partner that are put down to dirt. */
const MIN_COVERAGE = 0.9;
const FULL_COVERAGE = 0.98;
/** Distinct values from which an inclusion is no accident. */
const TELLING_VALUES = 10;
const TELLING_DENSE_VALUES = 50;

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

function reasonOf(from: readonly ColumnView[], to: readonly ColumnView[], names: number, coverage: number): string {
  const found = `${Math.floor(coverage * 100)} % of its values are found there`;
  const target = `${to[0]?.table.name ?? ''} (${to.map(({ name }) => name).join(', ')})`;
  if (from.length > 1) return `Together the columns are the key of ${target}; ${found}.`;
  if (names >= STRONG_NAME) return `The name says so, and ${found}.`;
  return names >= WEAK_NAME ? `The name hints at ${target}, and ${found}.` : `${found}, and ${target} is its key.`;
}
