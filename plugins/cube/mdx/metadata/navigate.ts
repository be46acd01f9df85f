import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import type { Hierarchy, Level, Member, Tuple } from './member.ts';

/** Navigates between members. A missing member is the hierarchy's null member. */

/** Returns the parent, or the null member. */
export function parentOf(member: Member): Member {
  if (member.isNull) return member;
  return member.hierarchy.members.parent(member) ?? member.hierarchy.nullMember;
}

/** Returns the children in their order. */
export function childrenOf(member: Member): readonly Member[] {
  return member.isNull ? [] : member.hierarchy.members.children(member);
}

/** Returns the children of the same parent, including the member. */
export function siblingsOf(member: Member): readonly Member[] {
  if (member.isNull) return [];
  const parent = parentOf(member);
  return parent.isNull ? member.hierarchy.members.roots() : childrenOf(parent);
}

/** Returns the member `steps` further among its peers, also below another parent, or the null member. */
export function lead(member: Member, steps: number): Member {
  if (member.isNull || steps === 0) return member;
  const { members, nullMember } = member.hierarchy;
  const index = members.indexAmongPeers(member);
  return index < 0 ? nullMember : (members.peers(member)[index + steps] ?? nullMember);
}

/**
 * Returns whether steps to the side can go from one member to the other: they are in the same level, and in a
 * parent-child level at the same depth.
 */
export function arePeers(left: Member, right: Member): boolean {
  if (left.level !== right.level) return false;
  return !left.level.isParentChild || visibleDepth(left) === visibleDepth(right);
}

/** Returns the number of visible members above a member. */
export function visibleDepth(member: Member): number {
  return ascendantsOf(member).length - 1;
}

/** Returns the member and its ancestors, nearest first. */
export function ascendantsOf(member: Member): readonly Member[] {
  const ascendants: Member[] = [];
  for (let at = member; !at.isNull; at = parentOf(at)) ascendants.push(at);
  return ascendants;
}

/** Returns the ancestor at a level (or the member itself), or the null member. */
export function ancestorAt(member: Member, level: Level): Member {
  return ascendantsOf(member).find((each) => each.level === level) ?? member.hierarchy.nullMember;
}

/** Returns whether `member` is `ancestor` or below it. */
export function isWithin(member: Member, ancestor: Member): boolean {
  for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) if (at === ancestor) return true;
  return false;
}

/**
 * Compares members in hierarchy order: a parent precedes its children, siblings keep their order, and calculated
 * members come last.
 */
export function compareInHierarchy(first: Member, second: Member): number {
  const [left, right] = [first.visualTotalOf ?? first, second.visualTotalOf ?? second];
  if (left === right) return 0;
  if (left.level === right.level && left.kind === 'stored' && right.kind === 'stored' && !left.level.isParentChild) {
    return compareInLevel(left, right);
  }
  const lefts = memberPath(left);
  const rights = memberPath(right);
  for (let depth = 0; ; depth++) {
    const a = lefts[depth];
    const b = rights[depth];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
    if (a !== b) return compareSiblings(a, b);
  }
}

/** Compares stored members of one level by their parents, then by their own order. */
function compareInLevel(left: Member, right: Member): number {
  const [above, other] = [left.treeParent, right.treeParent];
  if (above === other || above === undefined || other === undefined) return compareSiblings(left, right);
  return compareInLevel(above, other) || compareSiblings(left, right);
}

/** Compares members of one parent: stored members in their order, then calculated ones in the order of declaration. */
export function compareSiblings(left: Member, right: Member): number {
  const [a, b] = [left.kind === 'calculated', right.kind === 'calculated'];
  if (a !== b) return a ? 1 : -1;
  if (a) return left.id - right.id;
  if (left.order >= 0 && right.order >= 0) return left.order - right.order || left.id - right.id;
  return compareSortKeys(left, right) || left.id - right.id;
}

/**
 * Compares members by the sort keys of their level. This is the order of siblings, even if not all siblings are loaded.
 */
export function compareSortKeys(left: Member, right: Member): number {
  const rights = right.sortKey ?? [right.key];
  for (const [index, value] of (left.sortKey ?? [left.key]).entries()) {
    const order = compareKeys(value, rights[index] ?? null);
    if (order !== 0) return left.level.descending[index] ? -order : order;
  }
  return 0;
}

/**
 * Compares keys: null first, numbers by value, everything else as text. The result does not depend on the collation of
 * the warehouse.
 */
export function compareKeys(left: Scalar, right: Scalar): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  // Whole numbers that no double represents are compared exactly.
  const [a, b] = [typeof left === 'bigint' ? left : Number(left), typeof right === 'bigint' ? right : Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Compares texts in any letter case, so that `mack` and `MacBride` are neighbours. Texts that differ only in letter
 * case are compared by code unit. ASCII letters are compared without copying the text, because this function sorts
 * large levels.
 */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a === b) continue;
    if (a > MAX_ASCII || b > MAX_ASCII) {
      const [rest, other] = [left.slice(index).toLowerCase(), right.slice(index).toLowerCase()];
      if (rest !== other) return rest < other ? -1 : 1;
      break;
    }
    const order = lowerCase(a) - lowerCase(b);
    if (order !== 0) return order;
  }
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

const MAX_ASCII = 127;

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Returns the members from the root to this one in the stored tree. */
export function memberPath(member: Member): readonly Member[] {
  const path: Member[] = [];
  for (let at: Member | undefined = member; at !== undefined; at = at.treeParent) path.unshift(at);
  return path;
}

/** Compares tuples by their members, from the first one. */
export function compareTuples(left: Tuple, right: Tuple): number {
  for (const [index, member] of left.entries()) {
    const other = right[index];
    const order = other === undefined ? 1 : compareInHierarchy(member, other);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the members between two members, in hierarchy order; `undefined` if they are not peers. */
export function rangeOf(from: Member, to: Member): readonly Member[] | undefined {
  if (from.level !== to.level) return undefined;
  const { members } = from.hierarchy;
  const [start, end] = [members.indexAmongPeers(from), members.indexAmongPeers(to)];
  if (start < 0 || end < 0) return from === to ? [from] : [];
  return arePeers(from, to) ? members.peers(from).slice(Math.min(start, end), Math.max(start, end) + 1) : undefined;
}

/** Returns the first visible hierarchy of a time dimension. */
export function firstTimeHierarchy(hierarchies: readonly Hierarchy[]): Hierarchy | undefined {
  return hierarchies.find(({ dimension, visible }) => visible && dimension.type === 'time');
}
