/** Scores how likely a column refers to another, by names and by looked-up values. Pure. */
import { type ColumnView, comparisonKind } from '../column-views.ts';
import {
  hasTellingRange,
  isCalendar,
  isMainKey,
  isOffset,
  isSparse,
  isWithin,
  rangeFit,
  STRONG_NAME,
  WEAK_NAME,
} from './profile-evidence.ts';

/** Values without a partner that are put down to dirt. */
const MIN_COVERAGE = 0.9;
export const FULL_COVERAGE = 0.98;
/** Number of distinct values from which an inclusion is not a coincidence. */
const TELLING_VALUES = 10;
const TELLING_DENSE_VALUES = 50;
const TELLING_TEXTS = 8;
/** Confidence in numbers that do not begin near 1: another table may have the same numbers. */
export const AMBIGUOUS = 0.2;

/** Returns the confidence in a pair, from 0 to 3; `undefined` if it is not a foreign key. */
export function pairConfidence(
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
  return coverage === undefined || covered < 1 ? undefined : valueConfidence(from, to);
}

/** Returns the score of the values alone, where names are unrelated or mislead. */
function valueConfidence(from: ColumnView, to: ColumnView): number | undefined {
  const values = from.column.distinctApprox;
  const used = values / Math.max(1, to.column.distinctApprox);
  if (comparisonKind(from) === 'uuid') return isMainKey(to) ? 0.5 + 0.5 * Math.min(1, used) : undefined;
  switch (from.family) {
    case 'text':
      // A code of three letters that always exists is not a coincidence; two genders are.
      return isMainKey(to) &&
        (to.isKeyName || from.isKeyName) &&
        values >= 3 &&
        (used >= 0.2 || values >= TELLING_TEXTS)
        ? 0.5 + 0.5 * used
        : undefined;
    case 'integer': {
      if (!isMainKey(to) || values < TELLING_VALUES) return undefined;
      const isFilled = values >= TELLING_DENSE_VALUES && used >= 0.8;
      // Numbers that nothing calls a key: they fill the range of one.
      if (!from.isKeyName) return isFilled && hasTellingRange(to) && rangeFit(from, to) >= 0.9 ? 0.4 : undefined;
      if (isSparse(to)) return 0.5 + 0.5 * used;
      // Numbers from 1 onwards are not among personnel numbers from 10001 onwards.
      if (isOffset(to) && !isFilled) return AMBIGUOUS;
      // Numbers from 1 onwards are within each other everywhere: twelve months within twelve carriers.
      return isFilled && rangeFit(from, to) >= 0.9 ? 0.4 : undefined;
    }
    case 'date':
    case 'timestamp':
      return from.table !== to.table && isCalendar(to.table) && values >= 2 ? 0.5 : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the coverage from which a pair wins over all pairs that have only values; `undefined` where it needs
 * values, too. A column with such a pair needs no further look-up.
 */
export function settlingCoverage(from: ColumnView, to: ColumnView, nameEvidence: number): number | undefined {
  return [MIN_COVERAGE, FULL_COVERAGE].find((coverage) => (pairConfidence(from, to, nameEvidence, coverage) ?? 0) >= 1);
}
