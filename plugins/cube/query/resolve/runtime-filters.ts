/** Adds the filters of the page that shows an answer. They only add conditions. */
import type { RuntimeFilter } from '../../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { CubeQueryRequest } from '../../api/schemas.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import { type FoundMember, MemberFinder } from './find-members.ts';
import { axisItemKey } from './resolve-request.ts';
import type { AxisSelection, Condition, ResolvedQuery, ShownLevel } from './resolved-query.ts';

/** Lists the keys of the levels that a request shows. */
export function dimensionsOf({ rows = [], columns = [] }: CubeQueryRequest): readonly string[] {
  return [...rows, ...columns].map(axisItemKey);
}

/**
 * Adds the conditions. Values are captions, as the answer shows them, or unique names. A value without a member matches
 * nothing.
 *
 * @throws ValidationError at `filter` for an operator that does not apply to members
 */
export async function withRuntimeFilters(
  query: ResolvedQuery,
  narrowing: readonly RuntimeFilter[],
  target: CubeTarget,
  signal: AbortSignal | undefined,
): Promise<ResolvedQuery> {
  const finder = new MemberFinder(target, signal);
  let narrowed = query;
  for (const each of narrowing) narrowed = await withRuntimeFilter(narrowed, each, finder);
  return narrowed;
}

async function withRuntimeFilter(
  query: ResolvedQuery,
  each: RuntimeFilter,
  finder: MemberFinder,
): Promise<ResolvedQuery> {
  const added = async (selection: AxisSelection): Promise<AxisSelection> => {
    const shown = selection.shown.find(({ key }) => key === each.field);
    if (shown === undefined) return selection;
    if (selection.mixed !== undefined) {
      throw ValidationError.at(['filter'], `${each.field} shows members of several levels and cannot be filtered.`);
    }
    return { ...selection, conditions: [...selection.conditions, await conditionOf(each, selection, shown, finder)] };
  };
  return {
    ...query,
    rows: await Promise.all(query.rows.map(added)),
    columns: await Promise.all(query.columns.map(added)),
  };
}

async function conditionOf(
  { field, op, values }: RuntimeFilter,
  { hierarchy }: AxisSelection,
  { level }: ShownLevel,
  finder: MemberFinder,
): Promise<Condition> {
  const matches = await finder.find(values, hierarchy, level);
  const members: FoundMember[] = [];
  for (const [index, match] of matches.entries()) {
    if (match.kind === 'one') members.push(match.member);
    // A caption means all members with this caption, because the answer shows only captions.
    else if (match.kind === 'several') members.push(...(await finder.captioned(values[index] ?? '', hierarchy, level)));
  }
  switch (op) {
    case 'EQ':
    case 'IN':
      return { kind: 'in', level, members };
    case 'NEQ':
      return { kind: 'not_in', level, members };
    case 'BETWEEN': {
      const [first, last] = members;
      if (members.length === 2 && first !== undefined && last !== undefined)
        return { kind: 'between', level, first, last };
      throw ValidationError.at(['filter'], `BETWEEN on ${field} takes two members that there are.`);
    }
    case 'RELATIVE':
    case 'LT':
    case 'LTE':
    case 'GT':
    case 'GTE':
    case 'IS_NULL':
    case 'IS_NOT_NULL':
      throw ValidationError.at(['filter'], `${field} holds members: filter it by EQ, NEQ, IN or BETWEEN.`);
  }
}
