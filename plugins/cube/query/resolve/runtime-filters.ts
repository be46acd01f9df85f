/** Adds the filters of the page that shows an answer. They only add conditions. */
import type { RuntimeFilter } from '../../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { ProblemList } from '../../../query-surface/index.ts';
import type { CubeQueryRequest } from '../../api/schemas.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { HierarchyMetadata, LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import { type FoundMember, MemberFinder } from './find-members.ts';
import { findPlace } from './find-names.ts';
import { axisItemKey } from './resolve-request.ts';
import type { AxisSelection, Condition, ResolvedQuery, SlicerSelection } from './resolved-query.ts';

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
  for (const each of narrowing) narrowed = await withRuntimeFilter(narrowed, each, finder, target);
  return narrowed;
}

async function withRuntimeFilter(
  query: ResolvedQuery,
  each: RuntimeFilter,
  finder: MemberFinder,
  target: CubeTarget,
): Promise<ResolvedQuery> {
  const isShown = [...query.rows, ...query.columns].some(({ shown }) => shown.some(({ key }) => key === each.field));
  if (!isShown) return withUnshownFilter(query, each, finder, target);
  const added = async (selection: AxisSelection): Promise<AxisSelection> => {
    const shown = selection.shown.find(({ key }) => key === each.field);
    if (shown === undefined) return selection;
    refuseMixed(selection, each);
    const condition = await conditionOf(each, selection.hierarchy, shown.level, finder);
    return { ...selection, conditions: [...selection.conditions, condition] };
  };
  return {
    ...query,
    rows: await Promise.all(query.rows.map(added)),
    columns: await Promise.all(query.columns.map(added)),
  };
}

function refuseMixed({ mixed }: AxisSelection, { field }: RuntimeFilter): void {
  if (mixed !== undefined)
    throw ValidationError.at(['filter'], `${field} shows members of several levels and cannot be filtered.`);
}

/** Adds a condition on a level that the query does not show: `dimension.level` or `dimension.hierarchy.level`. */
async function withUnshownFilter(
  query: ResolvedQuery,
  each: RuntimeFilter,
  finder: MemberFinder,
  { view }: CubeTarget,
): Promise<ResolvedQuery> {
  const [dimension = '', ...rest] = each.field.split('.');
  const level = rest.at(-1);
  const mistakes = new ProblemList();
  const place = findPlace({ dimension, hierarchy: rest.length > 1 ? rest[0] : undefined, level }, view, [], mistakes);
  const named = place?.level ?? place?.hierarchy.levels.find(({ isAll }) => !isAll);
  if (place === undefined || named === undefined)
    throw ValidationError.at(['filter'], `The cube has no level ${each.field}.`, query.rows.flatMap(shownKeys));
  const { hierarchy } = place;
  const condition = await conditionOf(each, hierarchy, named, finder);
  const isOnAxis = (selection: AxisSelection) => selection.hierarchy === hierarchy;
  if (![...query.rows, ...query.columns].some(isOnAxis)) {
    const earlier = query.slicer.find((slicer) => slicer.hierarchy === hierarchy);
    const narrowed: SlicerSelection =
      earlier === undefined
        ? { hierarchy, conditions: [condition] }
        : { ...earlier, conditions: [...earlier.conditions, condition] };
    return { ...query, slicer: [...query.slicer.filter((slicer) => slicer !== earlier), narrowed] };
  }
  const added = (selection: AxisSelection): AxisSelection => {
    if (!isOnAxis(selection)) return selection;
    refuseMixed(selection, each);
    return { ...selection, conditions: [...selection.conditions, condition] };
  };
  return { ...query, rows: query.rows.map(added), columns: query.columns.map(added) };
}

function shownKeys({ shown }: AxisSelection): readonly string[] {
  return shown.map(({ key }) => key);
}

async function conditionOf(
  { field, op, values }: RuntimeFilter,
  hierarchy: HierarchyMetadata,
  level: LevelMetadata,
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
