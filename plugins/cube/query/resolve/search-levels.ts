/** Searches the members of several levels for a text. */
import type { z } from 'zod';
import { ValidationError } from '../../../../router/errors.ts';
import { match, nearestFirst, ProblemList } from '../../../query-surface/index.ts';
import { DEFAULT_MATCHES, type MembersSearchRequest } from '../../api/schemas.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { CubeMetadata, LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import { MemberFinder } from './find-members.ts';

/** Levels of one search at most. */
const MAX_SEARCHED_LEVELS = 100;

type Search = z.output<typeof MembersSearchRequest>;

interface SearchedLevel {
  readonly dimension: string;
  readonly level: LevelMetadata;
}

/**
 * Returns the levels that a search without a level reads: of a dimension, or with a name, or all that are offered.
 *
 * @throws ValidationError for an unknown name, with the names that exist, and without a text
 */
export function levelsToSearch(view: CubeMetadata, search: Search): readonly SearchedLevel[] {
  const { dimension, hierarchy, level, parent, q } = search;
  const problems = new ProblemList();
  if (parent !== undefined) problems.add(['parent'], 'Children are those of a member of one dimension and level.');
  if (q === undefined || q.trim() === '') problems.add(['q'], 'Without dimension and level, q says what is searched.');
  const offered = view.dimensions.filter((each) => each.offered);
  const named = dimension === undefined ? undefined : match(dimension, offered);
  if (dimension !== undefined && named?.kind !== 'one')
    problems.add(['dimension'], `There is no dimension "${dimension.slice(0, 100)}" in the cube.`, () =>
      nearestFirst(
        dimension,
        offered.map(({ name }) => name),
      ),
    );
  const all = (named?.kind === 'one' ? [named.item] : offered).flatMap(({ name, hierarchies }) =>
    hierarchies
      .filter((each) => each.offered && (hierarchy === undefined || match(hierarchy, [each]).kind === 'one'))
      .flatMap((each) =>
        each.levels.filter((one) => one.offered && !one.isAll).map((one) => ({ dimension: name, level: one })),
      ),
  );
  const levels = level === undefined ? all : all.filter((each) => match(level, [each.level]).kind === 'one');
  if (level !== undefined && levels.length === 0)
    problems.add(['level'], `There is no level "${level.slice(0, 100)}".`, () =>
      nearestFirst(level, [...new Set(all.map((each) => each.level.name))]),
    );
  problems.throwAll();
  if (levels.length > MAX_SEARCHED_LEVELS)
    throw ValidationError.at(['dimension'], `The cube has ${levels.length} levels; name a dimension.`);
  return levels;
}

/** Returns the members of levels that contain the text of a search, with their places. */
export async function searchLevels(
  levels: readonly SearchedLevel[],
  { q, limit = DEFAULT_MATCHES }: Search,
  target: CubeTarget,
  signal: AbortSignal | undefined,
) {
  const finder = new MemberFinder(target, signal);
  const members: { caption: string; uniqueName: string; dimension: string; level: string }[] = [];
  for (const { dimension, level } of levels) {
    if (members.length >= limit) break;
    const found = await finder.search(level, q, limit - members.length);
    for (const { caption, uniqueName } of found) members.push({ caption, uniqueName, dimension, level: level.name });
  }
  return members;
}
