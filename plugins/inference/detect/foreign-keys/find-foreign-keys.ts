/**
 * Finds foreign keys by names, types, counts and looked-up values. The features come from Rostin et al., "A Machine
 * Learning Approach to Foreign Key Discovery" (WebDB 2009): inclusion, coverage of the key, range, names, key-like
 * suffixes, role of the table. Rules that people can read combine them, not a trained model.
 */
import type { Reference } from '../../schemas.ts';
import { endsWith } from '../column-names.ts';
import type { ColumnView, TableView } from '../column-views.ts';
import { type Candidate, candidates } from './column-pairs.ts';
import { AMBIGUOUS, FULL_COVERAGE, pairConfidence } from './confidence.ts';
import { evidenceOfNames, isPossible, STRONG_NAME, WEAK_NAME } from './profile-evidence.ts';

export interface ForeignKey {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
  /** Share of the looked-up values that are there; 1 where none were looked up. */
  readonly coverage: number;
  readonly reason: string;
  readonly isDeclared?: true;
}

/**
 * Returns the foreign keys of a profile in the order of their columns, at most one for each column.
 *
 * @param references the looked-up values; without them, names and counts decide
 */
export function findForeignKeys(
  tables: readonly TableView[],
  references: readonly Reference[] | undefined,
): readonly ForeignKey[] {
  const all = references === undefined ? undefined : resolved(tables, references);
  const declared = (all ?? []).filter(({ isDeclared }) => isDeclared);
  const lookedUp = all?.filter(({ isDeclared }) => !isDeclared);
  const single =
    lookedUp === undefined
      ? candidates(tables, false).map((each) => ({ ...each, coverage: undefined }))
      : lookedUp.flatMap(({ from, to, coverage }) => {
          const [column, key] = [from[0], to[0]];
          if (from.length !== 1 || column === undefined || key === undefined || !isPossible(column, key)) return [];
          if (isDeclaredAlone(declared, column)) return [];
          return [{ from: column, to: key, nameEvidence: evidenceOfNames(column, key), coverage }];
        });
  const judged = single.flatMap((each): Judged[] => {
    const strength = pairConfidence(each.from, each.to, each.nameEvidence, each.coverage);
    return strength === undefined ? [] : [{ ...each, coverage: each.coverage ?? 1, strength }];
  });
  const best = withoutCircles([...declaredKeys(declared, 1), ...bestOfEach(judged)]);
  const referring = new Set(best.flatMap(({ from }) => from));
  const composite = (lookedUp ?? []).flatMap(({ from, to, coverage }): ForeignKey[] => {
    // A table of references alone is a fact or a bridge: no table refers to it.
    if (from.length < 2 || coverage < FULL_COVERAGE || to.every((column) => referring.has(column))) return [];
    return [{ from, to, coverage, reason: explainKey(from, to, 0, coverage) }];
  });
  return [...best, ...bestComposites([...declaredKeys(declared, 2), ...composite])];
}

/**
 * Keeps one of two keys that refer to each other, as two tables of the same rows do. The table that extends the other
 * refers to it: it has the longer name (`product_price` to `product`), else fewer rows.
 */
function withoutCircles(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  const targets = new Map(keys.map(({ from, to }) => [from[0], to[0]] as const));
  return keys.filter(({ from: [from], to: [to], isDeclared }) => {
    if (from === undefined || to === undefined || isDeclared || from === to || targets.get(to) !== from) return true;
    const length = from.table.subject.length - to.table.subject.length;
    return (length || to.table.rows - from.table.rows || to.table.name.localeCompare(from.table.name)) > 0;
  });
}

function isDeclaredAlone(declared: readonly Pair[], column: ColumnView): boolean {
  return declared.some(({ from }) => from.length === 1 && from[0] === column);
}

/** Returns the keys that are declared: of a single column (1), or of several (2). */
function declaredKeys(declared: readonly Pair[], columns: 1 | 2): readonly ForeignKey[] {
  return declared
    .filter(({ from }) => Math.min(2, from.length) === columns)
    .map(({ from, to, coverage }) => ({ from, to, coverage, reason: 'The table declares it.', isDeclared: true }));
}

interface Pair {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
  readonly coverage: number;
  readonly isDeclared: boolean;
}

/** Returns the columns that references name; leaves out references to columns outside the profile. */
function resolved(tables: readonly TableView[], references: readonly Reference[]): readonly Pair[] {
  const key = (schema: string, table: string, column: string): string => JSON.stringify([schema, table, column]);
  const columns = new Map(
    tables.flatMap((table) =>
      table.columns.map((column) => [key(table.schema, table.name, column.name), column] as const),
    ),
  );
  return references.flatMap(
    ({ schema, table, columns: names, refSchema, refTable, refColumns, coverage, declared }): Pair[] => {
      const from = names.flatMap((name) => columns.get(key(schema, table, name)) ?? []);
      const to = refColumns.flatMap((name) => columns.get(key(refSchema, refTable, name)) ?? []);
      const isWhole = from.length > 0 && from.length === names.length && to.length === from.length;
      return isWhole && to.length === refColumns.length ? [{ from, to, coverage, isDeclared: declared === true }] : [];
    },
  );
}

interface Judged extends Candidate {
  readonly coverage: number;
  readonly strength: number;
}

function bestOfEach(judged: readonly Judged[]): readonly ForeignKey[] {
  const best = new Map<ColumnView, Judged>();
  const targets = new Map<ColumnView, number>();
  for (const { from } of judged) targets.set(from, (targets.get(from) ?? 0) + 1);
  for (const each of judged) {
    // Values alone that two tables have say nothing.
    if (each.strength <= AMBIGUOUS && (targets.get(each.from) ?? 0) > 1) continue;
    const other = best.get(each.from);
    if (other === undefined || compare(each, other) > 0) best.set(each.from, each);
  }
  return [...best.values()].map(({ from, to, nameEvidence, coverage }) => ({
    from: [from],
    to: [to],
    coverage,
    reason: explainKey([from], [to], nameEvidence, coverage),
  }));
}

/** Returns the stronger; of equals, the table that is called so; then the smaller one, which the other may extend. */
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

/** Returns how much of the key the column uses. */
function fill({ from, to }: Candidate): number {
  return Math.min(1, from.column.distinctApprox / Math.max(1, to.column.distinctApprox));
}

/**
 * Keeps, of two composite keys from the same columns, the one with more columns, then the one that is covered better.
 */
function bestComposites(keys: readonly ForeignKey[]): readonly ForeignKey[] {
  const kept: ForeignKey[] = [];
  for (const key of keys.toSorted(
    (left, right) => right.from.length - left.from.length || right.coverage - left.coverage,
  )) {
    if (!kept.some((other) => key.from.every((column) => other.from.includes(column)))) kept.push(key);
  }
  return kept;
}

function explainKey(from: readonly ColumnView[], to: readonly ColumnView[], names: number, coverage: number): string {
  const share = `${Math.floor(coverage * 100)} % of its values are in it`;
  const target = `${to[0]?.table.name ?? ''} (${to.map(({ name }) => name).join(', ')})`;
  if (from.length > 1) return `Together the columns are the key of ${target}; ${share}.`;
  if (names >= STRONG_NAME) return `The name matches, and ${share}.`;
  return names >= WEAK_NAME ? `The name hints at ${target}, and ${share}.` : `${share}, and ${target} is its key.`;
}
