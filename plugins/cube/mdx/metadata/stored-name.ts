import { sameName, segmentsOf } from '../../schema/mdx-name.ts';
import type { Hierarchy, Level } from './member.ts';
import { oneNamed } from './name-matching.ts';

/** One way to read the name of a stored member: names that start at a level, or at the root. */
export interface StoredPath {
  readonly level: Level | undefined;
  readonly names: readonly [string, ...string[]];
}

/**
 * Returns the ways to read a name that a schema gives to a member, best first: as a unique name, then with or without
 * the names of its dimension, hierarchy and level as prefixes.
 *
 * @throws AmbiguousNameError if levels of different spelling match in letter case only
 */
export function storedPaths(hierarchy: Hierarchy, text: string): readonly StoredPath[] {
  const names = segmentsOf(text) ?? [text];
  const unique = segmentsOf(hierarchy.uniqueName) ?? [];
  const uniquePath = unique.every((name, index) => name === names[index])
    ? fromRoot(hierarchy, names.slice(unique.length))
    : [];
  const prefixes = [
    hierarchy.name,
    hierarchy.dimension.name,
    hierarchy.model?.name ?? '',
    `${hierarchy.dimension.name}.${hierarchy.model?.name}`,
  ];
  const isPrefix = (name: string) => prefixes.some((prefix) => sameName(prefix, name));
  const first = names.findIndex((name) => !isPrefix(name));
  const stripped = Math.min(first < 0 ? names.length : first, names.length - 1);
  const others = Array.from({ length: stripped + 1 }, (_, index) => {
    const rest = names.slice(stripped - index);
    return [...fromLevel(hierarchy, rest), ...fromRoot(hierarchy, rest)];
  });
  return [...uniquePath, ...others.flat()];
}

function fromLevel({ levels }: Hierarchy, [levelName, first, ...rest]: readonly string[]): readonly StoredPath[] {
  const level = first === undefined ? undefined : oneNamed(levels, levelName ?? '');
  return level === undefined || first === undefined ? [] : [{ level, names: [first, ...rest] }];
}

function fromRoot(hierarchy: Hierarchy, [first, ...rest]: readonly string[]): readonly StoredPath[] {
  if (first === undefined) return [];
  const all = allMemberCalled(hierarchy, first);
  const asNamed: StoredPath = { level: undefined, names: [first, ...rest] };
  return all === undefined ? [asNamed] : [asNamed, { level: undefined, names: [all, ...rest] }];
}

/**
 * Returns the name of the all member if the text is its other default name: `All Weeklys` for `All Time.Weeklys`. Only
 * an all member that the schema does not name has another default name.
 */
export function allMemberCalled({ model, dimension, hasAll }: Hierarchy, name: string): string | undefined {
  if (model === undefined || !hasAll) return undefined;
  const usual = [model.name, `${dimension.name}.${model.name}`].map((each) => `All ${each}s`);
  const isOther = usual.includes(model.allMemberName) && usual.some((each) => sameName(each, name));
  return isOther && !sameName(name, model.allMemberName) ? model.allMemberName : undefined;
}
