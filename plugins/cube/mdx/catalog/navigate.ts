import type { Hierarchy, Level, Member, Tuple } from './member.ts';

/** Moves among members. What does not exist is the hierarchy's null member. */

export function parentOf(member: Member): Member {
  if (member.isNull) return member;
  return member.hierarchy.members.parent(member) ?? member.hierarchy.nullMember;
}

export function childrenOf(member: Member): readonly Member[] {
  return member.isNull ? [] : member.hierarchy.members.children(member);
}

export function siblingsOf(member: Member): readonly Member[] {
  if (member.isNull) return [];
  const parent = parentOf(member);
  return parent.isNull ? member.hierarchy.members.roots() : childrenOf(parent);
}

/** The member `steps` further in its level (across parents), or null. */
export function lead(member: Member, steps: number): Member {
  if (member.isNull || steps === 0) return member;
  const { members, nullMember } = member.hierarchy;
  const index = members.indexInLevel(member);
  return index < 0 ? nullMember : (members.members(member.level)[index + steps] ?? nullMember);
}

/** The member and those above it, nearest first. */
export function ascendantsOf(member: Member): readonly Member[] {
  const found: Member[] = [];
  for (let at = member; !at.isNull; at = parentOf(at)) found.push(at);
  return found;
}

export function ancestorAt(member: Member, level: Level): Member {
  return ascendantsOf(member).find((each) => each.level === level) ?? member.hierarchy.nullMember;
}

/** Whether `member` is `ancestor` or below it. */
export function isWithin(member: Member, ancestor: Member): boolean {
  for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) if (at === ancestor) return true;
  return false;
}

/** Order of the hierarchy: a parent before its children, siblings in theirs, calculated ones last. */
function compareInHierarchy(first: Member, second: Member): number {
  const [left, right] = [first.standsFor ?? first, second.standsFor ?? second];
  if (left === right) return 0;
  const lefts = pathOf(left);
  const rights = pathOf(right);
  for (let depth = 0; ; depth++) {
    const a = lefts[depth];
    const b = rights[depth];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
    if (a !== b) return compareSiblings(a, b);
  }
}

export function compareSiblings(left: Member, right: Member): number {
  const [a, b] = [left.kind === 'calculated', right.kind === 'calculated'];
  if (a !== b) return a ? 1 : -1;
  return a ? left.id - right.id : left.order - right.order || left.id - right.id;
}

/** From the root down, without the all member: a calculated member of the root stands beside its children. */
export function pathOf(member: Member): readonly Member[] {
  const path: Member[] = [];
  for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) path.unshift(at);
  if (path.length > 1 && path[0]?.kind === 'all') return path;
  return path;
}

export function compareTuples(left: Tuple, right: Tuple): number {
  for (const [index, member] of left.entries()) {
    const other = right[index];
    const order = other === undefined ? 1 : compareInHierarchy(member, other);
    if (order !== 0) return order;
  }
  return 0;
}

/** Members from one to the other in their level, whichever comes first. */
export function rangeOf(from: Member, to: Member): readonly Member[] | undefined {
  if (from.level !== to.level) return undefined;
  const { members } = from.hierarchy;
  const [start, end] = [members.indexInLevel(from), members.indexInLevel(to)];
  if (start < 0 || end < 0) return from === to ? [from] : [];
  return members.members(from.level).slice(Math.min(start, end), Math.max(start, end) + 1);
}

export function firstTimeHierarchy(hierarchies: readonly Hierarchy[]): Hierarchy | undefined {
  return hierarchies.find(({ dimension }) => dimension.type === 'time');
}
