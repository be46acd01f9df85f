/** A query of the subtotals of an answer: without some of its levels. */
import { ValidationError } from '../../../../router/errors.ts';
import type { AxisSelection, Condition, ResolvedQuery, ShownLevel } from './resolved-query.ts';

/**
 * Leaves levels out of the query. A hierarchy without a shown level only filters.
 *
 * @param keys of levels that the query shows
 * @throws ValidationError at `without` where the remaining figures are no subtotals: with a limit, where a level above a shown one is
 *   left out, or where a condition is on a level below the shown ones
 */
export function subtotalsQuery(query: ResolvedQuery, keys: readonly string[]): ResolvedQuery {
  if (query.limit !== undefined) throw ValidationError.at(['without'], 'A request with a limit has no subtotals.');
  const slicer = [...query.slicer];
  const withoutLevels = (selection: AxisSelection): readonly AxisSelection[] => {
    const isLeft = ({ key }: ShownLevel) => keys.includes(key);
    if (!selection.shown.some(isLeft)) return [selection];
    const [first, ...more] = selection.shown.filter((shown) => !isLeft(shown));
    if (selection.mixed !== undefined || selection.shown.slice(0, more.length + (first ? 1 : 0)).some(isLeft))
      throw ValidationError.at(
        ['without'],
        `Only the lowest levels of ${selection.hierarchy.caption} can be left out.`,
      );
    if (first === undefined) {
      const [condition, ...others] = selection.conditions;
      if (condition !== undefined) slicer.push({ hierarchy: selection.hierarchy, conditions: [condition, ...others] });
      return [];
    }
    const lowest = more.at(-1) ?? first;
    const isBelow = ({ level }: Condition) => level.depth > lowest.level.depth;
    if (selection.conditions.some(isBelow))
      throw ValidationError.at(
        ['without'],
        `${lowest.key} has no subtotals, because the query filters levels below it.`,
      );
    return [{ ...selection, shown: [first, ...more] }];
  };
  return { ...query, rows: query.rows.flatMap(withoutLevels), columns: query.columns.flatMap(withoutLevels), slicer };
}
