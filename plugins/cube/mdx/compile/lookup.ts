import { quoteName } from '../../schema/mdx-name.ts';
import type { Dimension, Hierarchy, Level, Member } from '../metadata/member.ts';
import type { Segment } from '../syntax/ast.ts';
import type { Scope } from './scope.ts';

/** What a name stands for. */
export type Element =
  | { readonly kind: 'dimension'; readonly dimension: Dimension }
  | { readonly kind: 'hierarchy'; readonly hierarchy: Hierarchy }
  | { readonly kind: 'level'; readonly level: Level }
  | { readonly kind: 'member'; readonly member: Member };

/**
 * Finds what a compound name stands for, letter case ignored. It begins with a dimension or a hierarchy (`[Time]`, `[Time.Weekly]`), or, the
 * prefix being optional, with a level or a member of any hierarchy, those of `[Measures]` first.
 */
export function lookUp(scope: Scope, segments: readonly Segment[]): Element | undefined {
  const [first, ...rest] = segments;
  if (first?.kind !== 'name') return undefined;
  const prefix = prefixed(scope, first.name);
  if (prefix !== undefined) {
    const found = seen(scope, walk(scope, prefix, rest));
    if (found !== undefined) return found;
  }
  for (const hierarchy of scope.cube.hierarchies) {
    if (!hierarchy.visible) continue;
    const start = childOfHierarchy(scope, hierarchy, first);
    const found = start === undefined ? undefined : seen(scope, walk(scope, start, rest));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the element if it may be seen. A hidden member may stand in the name of another, a hidden measure in a formula of the schema; it is not found itself. */
function seen(scope: Scope, element: Element | undefined): Element | undefined {
  if (element?.kind !== 'member') return element;
  const { member } = element;
  if (member.kind === 'calculated' || (member.kind === 'measure' && scope.isSchemas)) return element;
  return member.hierarchy.members.sees(member) ? element : undefined;
}

function prefixed(scope: Scope, name: string): Element | undefined {
  const { cube } = scope;
  const dimension = cube.dimensions.find((each) => same(each.name, name));
  if (dimension?.hierarchies.some(({ visible }) => visible)) return { kind: 'dimension', dimension };
  const hierarchy = cube.hierarchies.find((each) => each.visible && isCalled(each, name));
  return hierarchy === undefined ? undefined : { kind: 'hierarchy', hierarchy };
}

/** Tells whether a hierarchy is called so: `Time.Weekly`, also of a hierarchy that has its dimension's name: `Time.Time`. */
function isCalled({ uniqueName, name: own, dimension, model }: Hierarchy, name: string): boolean {
  return same(uniqueName, quoteName(name)) || same(own, name) || same(`${dimension.name}.${model?.name ?? own}`, name);
}

function walk(scope: Scope, from: Element, segments: readonly Segment[]): Element | undefined {
  let element: Element | undefined = from;
  for (const segment of segments) {
    element = element === undefined ? undefined : child(scope, element, segment);
    if (element === undefined) return undefined;
  }
  return element;
}

function child(scope: Scope, element: Element, segment: Segment): Element | undefined {
  switch (element.kind) {
    case 'dimension':
      return childOfDimension(scope, element.dimension, segment);
    case 'hierarchy':
      return childOfHierarchy(scope, element.hierarchy, segment);
    case 'level':
      return memberElement(childOfLevel(scope, element.level, segment));
    case 'member':
      return memberElement(childOfMember(scope, element.member.hierarchy, element.member, segment));
  }
}

/** Finds what is called so in a dimension. A level hides a hierarchy of its name: `[Gender].[Gender]` is the level. */
function childOfDimension(scope: Scope, dimension: Dimension, segment: Segment): Element | undefined {
  const visible = dimension.hierarchies.filter((each) => each.visible);
  const [first] = visible;
  if (segment.kind === 'name') {
    const level = first?.levels.find(({ name }) => same(name, segment.name));
    if (level !== undefined) return { kind: 'level', level };
    const hierarchy = visible.find(
      (each) => same(each.name, segment.name) || same(each.model?.name ?? '', segment.name),
    );
    if (hierarchy !== undefined) return { kind: 'hierarchy', hierarchy };
  }
  for (const hierarchy of visible) {
    const found = childOfHierarchy(scope, hierarchy, segment);
    if (found !== undefined) return found;
  }
  return undefined;
}

function childOfHierarchy(scope: Scope, hierarchy: Hierarchy, segment: Segment): Element | undefined {
  if (segment.kind === 'name') {
    const level = hierarchy.levels.find(({ name }) => same(name, segment.name));
    if (level !== undefined) return { kind: 'level', level };
  }
  return memberElement(childOfMember(scope, hierarchy, undefined, segment));
}

function childOfLevel(scope: Scope, level: Level, segment: Segment): Member | undefined {
  const { members } = level.hierarchy;
  if (segment.kind === 'key') {
    const [key = ''] = segment.parts.slice(-1);
    return members.inLevel(level, 'key', key);
  }
  const calculated = scope.calculatedIn(level).findLast(({ name }) => same(name, segment.name));
  return calculated ?? members.inLevel(level, 'name', segment.name);
}

function childOfMember(
  scope: Scope,
  hierarchy: Hierarchy,
  parent: Member | undefined,
  segment: Segment,
): Member | undefined {
  const { members } = hierarchy;
  if (segment.kind === 'key') {
    let found = parent;
    for (const key of segment.parts) found = members.childByKey(found, key);
    return found;
  }
  const calculated = scope.calculatedChild(hierarchy, parent, segment.name);
  if (calculated !== undefined || parent?.kind === 'calculated') return calculated;
  return members.child(parent, segment.name) ?? members.hiddenAncestor(parent, segment.name);
}

function memberElement(member: Member | undefined): Element | undefined {
  return member === undefined ? undefined : { kind: 'member', member };
}

function same(left: string, right: string): boolean {
  return left === right || left.toLowerCase() === right.toLowerCase();
}
