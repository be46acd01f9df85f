import { quoteName, segmentsOf } from '../../schema/mdx-name.ts';
import type { Dimension, Hierarchy, Level, Member } from '../metadata/member.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import { allMemberCalled } from '../metadata/stored-name.ts';
import type { Segment } from '../syntax/ast.ts';
import type { Scope } from './scope.ts';

/** The meaning of a name. */
export type Element =
  | { readonly kind: 'dimension'; readonly dimension: Dimension }
  | { readonly kind: 'hierarchy'; readonly hierarchy: Hierarchy }
  | { readonly kind: 'level'; readonly level: Level }
  | { readonly kind: 'member'; readonly member: Member };

/**
 * Finds the meaning of a compound name: exactly, or else in any letter case. The name begins with a dimension or a
 * hierarchy (`[Time]`, `[Time.Weekly]`). The prefix is optional: a name may also begin with a level or a member of any
 * hierarchy, measures first.
 *
 * If a name has several meanings, a dimension precedes a hierarchy, a hierarchy a level, and a level a member. But the
 * unique name of a member always means that member, unless it is a level: `[Geo].[Region].[Oslo]` is a child of the
 * region that is called Region.
 *
 * @throws AmbiguousNameError if a part of the name matches several elements in letter case only
 */
export function lookUp(scope: Scope, segments: readonly Segment[]): Element | undefined {
  const element = firstOf(meanings(scope, segments)) ?? withoutPrefix(scope, segments);
  return element?.kind === 'member' && !element.member.isNull ? (uniquelyNamed(scope, segments) ?? element) : element;
}

/** Finds the hierarchy of a name, even if a level has the same name. Without a hierarchy, returns any other meaning. */
export function lookUpHierarchy(scope: Scope, segments: readonly Segment[]): Element | undefined {
  for (const meaning of meanings(scope, segments)) if (meaning.kind === 'hierarchy') return meaning;
  return lookUp(scope, segments);
}

/** Finds the member of a name, even if a level has the same name, or a hierarchy has the member's unique name. */
export function lookUpMember(scope: Scope, segments: readonly Segment[]): Member | undefined {
  const element = lookUp(scope, segments);
  if (element?.kind === 'member') return element.member;
  const uniqueElement = uniquelyNamed(scope, segments);
  if (uniqueElement?.kind === 'member') return uniqueElement.member;
  if (element?.kind !== 'level') return undefined;
  for (const meaning of meanings(scope, segments)) if (meaning.kind === 'member') return meaning.member;
  return undefined;
}

/** Finds the member with exactly this unique name. */
function uniquelyNamed(scope: Scope, segments: readonly Segment[]): Element | undefined {
  const names = segments.map(nameOf);
  for (const hierarchy of scope.cube.hierarchies) {
    const prefix = segmentsOf(hierarchy.uniqueName) ?? [];
    if (!hierarchy.visible || names.length <= prefix.length || prefix.some((name, index) => name !== names[index]))
      continue;
    let member: Member | undefined;
    for (const segment of segments.slice(prefix.length)) {
      member = childOfMember(scope, hierarchy, member, segment);
      if (member === undefined || member.name !== nameOf(segment)) break;
    }
    const exact = member?.uniqueName === names.map((name) => quoteName(name ?? '')).join('.') ? member : undefined;
    const element = visibleElement(scope, memberElement(exact));
    if (element !== undefined) return element;
  }
  return undefined;
}

/** Yields the meanings of a name that begins with a dimension or hierarchy, best first. */
function* meanings(scope: Scope, segments: readonly Segment[]): Generator<Element> {
  const [first, ...rest] = segments;
  if (first?.kind !== 'name') return;
  for (const prefix of prefixed(scope, first.name)) {
    for (const meaning of walk(scope, prefix, rest)) {
      const element = visibleElement(scope, meaning);
      if (element !== undefined) yield element;
    }
  }
}

function withoutPrefix(scope: Scope, [first, ...rest]: readonly Segment[]): Element | undefined {
  if (first?.kind !== 'name') return undefined;
  let folded: Element | undefined;
  for (const hierarchy of scope.cube.hierarchies) {
    if (!hierarchy.visible) continue;
    for (const start of childrenOfHierarchy(scope, hierarchy, first)) {
      const element = visibleElement(scope, firstOf(walk(scope, start, rest)));
      if (element === undefined) continue;
      if (isExactly(start, first.name)) return element;
      folded ??= element;
    }
  }
  return folded;
}

function firstOf(elements: Iterable<Element>): Element | undefined {
  for (const element of elements) return element;
  return undefined;
}

/**
 * Returns the element if the role may see it. Hidden members may be part of another member's name, and formulas of the
 * schema may use hidden measures; otherwise they are not found.
 */
function visibleElement(scope: Scope, element: Element | undefined): Element | undefined {
  if (element?.kind !== 'member') return element;
  const { member } = element;
  if (member.isNull || member.kind === 'calculated' || (member.kind === 'measure' && scope.isSchemaScope))
    return element;
  const { members, nullMember } = member.hierarchy;
  if (members.leavesOut(member)) return { kind: 'member', member: nullMember };
  return members.sees(member) ? element : undefined;
}

function prefixed(scope: Scope, name: string): Iterable<Element> {
  const { cube } = scope;
  const visible = cube.hierarchies.filter((each) => each.visible);
  return exactFirst(name, [
    () => dimensionElement(oneNamed(cube.dimensions.filter(hasVisible), name)),
    () => hierarchyElement(oneNamed(visible, name, spellings)),
  ]);
}

function hasVisible({ hierarchies }: Dimension): boolean {
  return hierarchies.some(({ visible }) => visible);
}

/**
 * Returns the names of a hierarchy with its dimension, such as `Time.Weekly`. A hierarchy with its dimension's name
 * also has such a name: `Time.Time`.
 */
function spellings({ uniqueName, name, dimension, model }: Hierarchy): readonly string[] {
  const [first = name, ...others] = segmentsOf(uniqueName) ?? [];
  return [...(others.length === 0 ? [first] : []), `${dimension.name}.${model?.name ?? name}`];
}

/**
 * Yields the elements that the segments name, starting from an element. Searches in depth, so that a meaning without a
 * continuation gives way to the next.
 */
function* walk(scope: Scope, from: Element | undefined, [segment, ...rest]: readonly Segment[]): Generator<Element> {
  if (from === undefined) return;
  if (segment === undefined) yield from;
  else for (const next of children(scope, from, segment)) yield* walk(scope, next, rest);
}

function children(scope: Scope, element: Element, segment: Segment): Iterable<Element> {
  switch (element.kind) {
    case 'dimension':
      return childrenOfDimension(scope, element.dimension, segment);
    case 'hierarchy':
      return childrenOfHierarchy(scope, element.hierarchy, segment);
    case 'level':
      return exactFirst(undefined, [() => memberElement(childOfLevel(scope, element.level, segment))]);
    case 'member':
      return exactFirst(undefined, [
        () => memberElement(childOfMember(scope, element.member.hierarchy, element.member, segment)),
      ]);
  }
}

/**
 * Finds the elements of a name in a dimension. A level hides a hierarchy of the same name: `[Gender].[Gender]` is the
 * level.
 */
function childrenOfDimension(scope: Scope, dimension: Dimension, segment: Segment): Iterable<Element> {
  const visible = dimension.hierarchies.filter((each) => each.visible);
  const [first] = visible;
  const named: readonly Find[] =
    segment.kind === 'key'
      ? []
      : [() => levelElement(first, segment.name), () => hierarchyElement(oneNamed(visible, segment.name, plainNames))];
  return exactFirst(nameOf(segment), [
    ...named,
    ...visible.flatMap((each) => findsInHierarchy(scope, each, segment).slice(each === first ? 1 : 0)),
  ]);
}

function childrenOfHierarchy(scope: Scope, hierarchy: Hierarchy, segment: Segment): Iterable<Element> {
  return exactFirst(nameOf(segment), findsInHierarchy(scope, hierarchy, segment));
}

function findsInHierarchy(scope: Scope, hierarchy: Hierarchy, segment: Segment): readonly Find[] {
  return [
    () => (segment.kind === 'key' ? undefined : levelElement(hierarchy, segment.name)),
    () => memberElement(childOfMember(scope, hierarchy, undefined, segment)),
    () => memberElement(segment.kind === 'key' ? undefined : allMember(hierarchy, segment.name)),
  ];
}

function allMember(hierarchy: Hierarchy, called: string): Member | undefined {
  const name = allMemberCalled(hierarchy, called);
  return name === undefined ? undefined : hierarchy.members.child(undefined, name);
}

function childOfLevel(scope: Scope, level: Level, segment: Segment): Member | undefined {
  const { members } = level.hierarchy;
  if (segment.kind === 'key') {
    const [key = ''] = segment.parts.slice(-1);
    return members.inLevel(level, 'key', key);
  }
  const calculated = oneNamed(scope.calculatedIn(level).toReversed(), segment.name);
  return calculatedOr(calculated, segment.name, () => members.inLevel(level, 'name', segment.name));
}

function childOfMember(
  scope: Scope,
  hierarchy: Hierarchy,
  parent: Member | undefined,
  segment: Segment,
): Member | undefined {
  const { members } = hierarchy;
  if (segment.kind === 'key') {
    let descendant = parent;
    for (const key of segment.parts) descendant = members.childByKey(descendant, key);
    return descendant;
  }
  const calculated = scope.calculatedChild(hierarchy, parent, segment.name);
  if (parent?.kind === 'calculated') return calculated;
  return (
    calculatedOr(calculated, segment.name, () => members.child(parent, segment.name)) ??
    members.hiddenAncestor(parent, segment.name)
  );
}

/** Returns the calculated member, unless only the stored member has exactly this name. */
function calculatedOr(
  calculated: Member | undefined,
  name: string,
  findStored: () => Member | undefined,
): Member | undefined {
  if (calculated?.name === name) return calculated;
  const stored = findStored();
  return oneNamed(
    [calculated, stored].filter((member) => member !== undefined),
    name,
  );
}

type Find = () => Element | undefined;

function nameOf(segment: Segment): string | undefined {
  return segment.kind === 'name' ? segment.name : undefined;
}

/** Yields the elements with exactly this name, then the others. Keys, which have no name, are exact. */
function* exactFirst(name: string | undefined, finds: readonly Find[]): Generator<Element> {
  const folded: Element[] = [];
  for (const find of finds) {
    const element = find();
    if (element === undefined) continue;
    if (isExactly(element, name)) yield element;
    else folded.push(element);
  }
  yield* folded;
}

function isExactly(element: Element, name: string | undefined): boolean {
  if (name === undefined) return true;
  switch (element.kind) {
    case 'dimension':
      return element.dimension.name === name;
    case 'hierarchy':
      return [...spellings(element.hierarchy), ...plainNames(element.hierarchy)].includes(name);
    case 'level':
      return element.level.name === name;
    case 'member':
      return element.member.name === name;
  }
}

/** Returns the names of a hierarchy after its dimension: `[Time].[Weekly]`, `[Time].[Time.Weekly]`. */
function plainNames({ name, model, dimension }: Hierarchy): readonly string[] {
  return model === undefined ? [name] : [name, model.name, `${dimension.name}.${model.name}`];
}

function dimensionElement(dimension: Dimension | undefined): Element | undefined {
  return dimension === undefined ? undefined : { kind: 'dimension', dimension };
}

function hierarchyElement(hierarchy: Hierarchy | undefined): Element | undefined {
  return hierarchy === undefined ? undefined : { kind: 'hierarchy', hierarchy };
}

function levelElement(hierarchy: Hierarchy | undefined, name: string): Element | undefined {
  const level = hierarchy === undefined ? undefined : oneNamed(hierarchy.levels, name);
  return level === undefined ? undefined : { kind: 'level', level };
}

function memberElement(member: Member | undefined): Element | undefined {
  return member === undefined ? undefined : { kind: 'member', member };
}
