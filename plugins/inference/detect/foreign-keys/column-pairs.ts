/**
 * The pairs of columns that are worth looking up, from indexes of names and counts: the work grows with the columns, not with their
 * square. Pure.
 */

import { endsWith } from '../column-names.ts';
import { areComparable, type ColumnView, comparisonKind, type TableView } from '../column-views.ts';
import {
  evidenceOfNames,
  fits,
  hasTellingRange,
  isCalendar,
  isKeyColumn,
  isMainKey,
  isPossible,
  rangeFit,
  WEAK_NAME,
} from './profile-evidence.ts';
import { KeyIndex } from './target-index.ts';

/** One column that may refer to a unique one of another table, or of its own. */
export interface Candidate {
  readonly from: ColumnView;
  readonly to: ColumnView;
  /** The evidence of the names for it, from 0 to 1. */
  readonly nameEvidence: number;
}

export interface CompositeCandidate {
  readonly from: readonly ColumnView[];
  readonly to: readonly ColumnView[];
}

/** Pairs that are compared in a whole schema, and the bounds of each column's share of them. */
const MAX_PAIRS = 300_000;
const MIN_TARGETS = 4;
const MAX_TARGETS = 500;

/**
 * Returns the pairs of columns that are worth looking up, with the likeliest targets of each column: fifteen in a
 * schema of twenty thousand columns, all in a schema of six hundred.
 *
 * @param withUnnamed also returns pairs without similar names, which only values can confirm
 */
export function candidates(tables: readonly TableView[], withUnnamed: boolean): readonly Candidate[] {
  const referring = tables.flatMap(({ columns }) => columns.filter(mayRefer));
  const index = new KeyIndex(tables.flatMap(({ columns }) => columns.filter(isKeyColumn)));
  const share = Math.floor(MAX_PAIRS / Math.max(1, referring.length));
  const limit = Math.min(MAX_TARGETS, Math.max(MIN_TARGETS, share));
  const byName = referring.flatMap((from) =>
    index
      .named(from, limit)
      .filter((to) => isPossible(from, to))
      .map((to) => ({ from, to, nameEvidence: evidenceOfNames(from, to) }))
      .filter(({ nameEvidence }) => nameEvidence > 0),
  );
  if (!withUnnamed) return byName;
  const byValue = referring.flatMap((from) =>
    index
      .countedLike(from, limit)
      .filter((to) => mayReferUnnamed(from, to) && isPossible(from, to) && evidenceOfNames(from, to) === 0)
      .map((to) => ({ from, to, nameEvidence: 0 })),
  );
  return [...byName, ...byValue];
}

/** Returns the pairs of several columns that are worth looking up: keys that no single column makes. Bounded as single ones. */
export function compositeCandidates(tables: readonly TableView[]): readonly CompositeCandidate[] {
  const keys = tables.flatMap((target) =>
    (target.table.keys ?? [])
      .filter(({ length }) => length > 1)
      .map((key) => ({
        target,
        to: key.flatMap((name) => target.columns.find((column) => column.name === name) ?? []),
      })),
  );
  const byWord = tablesByWord(tables);
  const share = MAX_PAIRS / Math.max(1, keys.length);
  return keys.flatMap(({ target, to }): CompositeCandidate[] => {
    const candidates: CompositeCandidate[] = [];
    // Tables with words of the key come first; a small schema is compared whole.
    const named = to.flatMap(({ stem }) => [...(byWord.get(stem.at(-1) ?? '') ?? [])]);
    let steps = 0;
    for (const table of new Set([...named, ...tables])) {
      if (table === target) continue;
      steps += table.columns.length * to.length;
      if (steps > share) break;
      const from = partners(table, to);
      if (from !== undefined) candidates.push({ from, to });
    }
    return candidates;
  });
}

function tablesByWord(tables: readonly TableView[]): ReadonlyMap<string, ReadonlySet<TableView>> {
  const byWord = new Map<string, Set<TableView>>();
  for (const table of tables) {
    for (const { stem } of table.columns) {
      const word = stem.at(-1) ?? '';
      byWord.set(word, (byWord.get(word) ?? new Set()).add(table));
    }
  }
  return byWord;
}

/** Finds, for each column of a key, the column of a table that fits best; each once. */
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
  // Without similar names, a column and its target must both be named like keys; one name, or a code, must be
  // significant.
  const judged = chosen.map((from, index) => ({ from, to: key[index], isNamed: sameName(from, key[index]) }));
  const isBelievable = judged.every(({ from, to, isNamed }) => isNamed || (from.isKeyName && to?.isKeyName === true));
  const isTelling = judged.some(
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

function mayRefer({ family, column, table }: ColumnView): boolean {
  return table.rows > 0 && column.distinctApprox > 0 && ['integer', 'text', 'date', 'timestamp'].includes(family);
}

function mayReferUnnamed(from: ColumnView, to: ColumnView): boolean {
  // Random values that occur again are not a coincidence, whatever `referredById` means.
  if (comparisonKind(from) === 'uuid') return isMainKey(to);
  if (from.table === to.table) return false;
  if (from.family === 'integer') return (from.isKeyName || hasTellingRange(to)) && isMainKey(to);
  if (from.family === 'text') return isMainKey(to) && (to.isKeyName || from.isKeyName);
  return isCalendar(to.table);
}
