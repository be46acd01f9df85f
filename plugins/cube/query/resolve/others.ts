/** A query of the rest of an answer: all members of a level but some, as one. */
import type { Others } from '../../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import { type FoundMember, MemberFinder } from './find-members.ts';
import type { AxisSelection, Condition, ResolvedQuery } from './resolved-query.ts';

/**
 * Takes the hierarchy of the level off its axis, and leaves the members out.
 *
 * @throws ValidationError at `others` where the rest cannot be one figure: with a limit, or beside other levels of the hierarchy
 */
export async function othersQuery(
  query: ResolvedQuery,
  { field, except }: Others,
  target: CubeTarget,
  signal: AbortSignal | undefined,
): Promise<ResolvedQuery> {
  if (query.limit !== undefined) throw ValidationError.at(['others'], 'A request with a limit has no rest.');
  const isOfField = ({ shown }: AxisSelection) => shown.some(({ key }) => key === field);
  const selection = [...query.rows, ...query.columns].find(isOfField);
  const [level, more] = selection?.shown ?? [];
  if (selection === undefined || level === undefined || more !== undefined || selection.mixed !== undefined)
    throw ValidationError.at(['others'], `${field} is shown beside other levels of its hierarchy, and has no rest.`);
  const { hierarchy, conditions } = selection;
  const finder = new MemberFinder(target, signal);
  const captions = except.filter((each) => each !== null);
  const matches = await finder.find(captions, hierarchy, level.level);
  const members: FoundMember[] = [];
  for (const [index, match] of matches.entries()) {
    if (match.kind === 'one') members.push(match.member);
    else if (match.kind === 'several')
      members.push(...(await finder.captioned(captions[index] ?? '', hierarchy, level.level)));
  }
  const left: Condition = { kind: 'not_in', level: level.level, members };
  return {
    ...query,
    rows: query.rows.filter((each) => each !== selection),
    columns: query.columns.filter((each) => each !== selection),
    slicer: [...query.slicer, { hierarchy, conditions: [left, ...conditions] }],
  };
}
