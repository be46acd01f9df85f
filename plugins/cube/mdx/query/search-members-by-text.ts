import type { RuntimeCube } from '../cube/cube.ts';
import { QueryExecution } from '../evaluate/query-execution.ts';
import { MAX_SEARCH_MS } from '../limits.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import { MdxError } from '../syntax/errors.ts';
import { nearest } from '../syntax/nearest-candidates.ts';

export interface MemberSearch {
  readonly cube: string;
  /** The unique name of the level. */
  readonly level: string;
  /** Part of the name or the caption, in any letter case. Without it, all members match. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface FoundMember {
  readonly caption: string;
  readonly uniqueName: string;
}

/**
 * Finds members of a level. With a text, finds only members that contain it.
 *
 * @throws MdxError if the cube has no such level, or the role does not see it
 */
export async function searchMembers(
  cube: RuntimeCube,
  { level: name, text, limit }: MemberSearch,
  signal: AbortSignal | undefined,
): Promise<readonly FoundMember[]> {
  const levels = cube.hierarchies.filter(({ visible }) => visible).flatMap((hierarchy) => hierarchy.levels);
  const level = oneNamed(levels, name, ({ uniqueName }) => [uniqueName]);
  if (level === undefined) {
    const levelNames = levels.map(({ uniqueName }) => uniqueName);
    throw new MdxError(`MDX object '${name}' not found in cube '${cube.name}'`, undefined, nearest(name, levelNames));
  }
  const run = new QueryExecution(cube, signal, Date.now() + MAX_SEARCH_MS);
  const members = await run.runUntilLoaded(() => level.hierarchy.members.search(level, text ?? '', limit));
  return members.map(({ caption, uniqueName }) => ({ caption, uniqueName }));
}
