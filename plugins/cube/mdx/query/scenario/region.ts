import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { Hierarchy, Level, Member } from '../../metadata/member.ts';
import { isWithin } from '../../metadata/navigate.ts';

/**
 * A block of cells. For each hierarchy (by ordinal), it has members of which none is within another, or `undefined` for
 * all members. The block contains the cells of every combination of leaf members below them.
 */
export type Region = readonly (readonly Member[] | undefined)[];

/**
 * Returns the cells in both blocks; `undefined` if there are none. Two members of one tree either contain each other or
 * have nothing in common.
 */
export function intersection(left: Region, right: Region): Region | undefined {
  const result: (readonly Member[] | undefined)[] = [];
  for (const [ordinal, members] of left.entries()) {
    const others = right[ordinal];
    if (members === undefined || others === undefined) {
      result.push(members ?? others);
      continue;
    }
    const common = members.flatMap((member) =>
      others.flatMap((other) => (isWithin(member, other) ? [member] : isWithin(other, member) ? [other] : [])),
    );
    if (common.length === 0) return undefined;
    result.push(common);
  }
  return result;
}

/** Returns the key of a block. Equal blocks have equal keys. */
export function regionKey(region: Region): string {
  return region.map((members) => members?.map(({ id }) => id).join() ?? '').join(';');
}

/**
 * Counts the leaf members below members. Leaves are the members of the lowest level, or in a parent-child hierarchy,
 * every member's own data.
 */
export class Leaves {
  readonly #counts = new Map<Hierarchy, ReadonlyMap<Member, number>>();
  readonly #evaluator: Evaluator;

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  /** Counts the leaves below members of a hierarchy, or all leaves if there is no restriction. */
  below(hierarchy: Hierarchy, members: readonly Member[] | undefined): number {
    const counts = this.#countsOf(hierarchy);
    if (members === undefined) return hierarchy.levels.length === 0 ? 1 : (counts.get(hierarchy.nullMember) ?? 0);
    return members.reduce((sum, member) => sum + (member.kind === 'data' ? 1 : (counts.get(member) ?? 0)), 0);
  }

  /**
   * Counts leaves by member. The null member has the count of all leaves. Counts use the stored tree: a role that does
   * not see the lowest level still changes the leaves below the members that it sees. May throw `DataNotLoaded`.
   */
  #countsOf(hierarchy: Hierarchy): ReadonlyMap<Member, number> {
    const keptCounts = this.#counts.get(hierarchy);
    if (keptCounts !== undefined) return keptCounts;
    const counts = new Map<Member, number>();
    const { members, levels, nullMember } = hierarchy;
    const leaf: Level | undefined = levels.at(-1);
    if (leaf !== undefined) members.members(leaf); // Reads the level at once instead of parent by parent.
    const count = (member: Member): number => {
      this.#evaluator.step();
      const ownLeaves = member.kind === 'stored' && member.level === leaf ? 1 : 0;
      const below = members.storedChildren(member).reduce((sum, child) => sum + count(child), ownLeaves);
      counts.set(member, below);
      return below;
    };
    const root = members.unrestrictedRoot();
    const tops = root === undefined ? members.roots() : [root];
    counts.set(
      nullMember,
      tops.reduce((sum, top) => sum + count(top), 0),
    );
    this.#counts.set(hierarchy, counts);
    return counts;
  }
}
