import { segmentsOf } from '../../schema/mdx-name.ts';
import type { Dimension, Hierarchy, Level, Member } from '../metadata/member.ts';
import { oneNamed } from '../metadata/named.ts';
import type { Segment } from '../syntax/ast.ts';
import type { Scope } from './scope.ts';

/** What a name stands for. */
export type Element =
  | { readonly kind: 'dimension'; readonly dimension: Dimension }
  | { readonly kind: 'hierarchy'; readonly hierarchy: Hierarchy }
  | { readonly kind: 'level'; readonly level: Level }
  | { readonly kind: 'member'; readonly member: Member };

/**
 * Finds what a compound name stands for: exactly, else regardless of letter case. It begins with a dimension or a hierarchy (`[Time]`,
 * `[Time.Weekly]`), or, the prefix being optional, with a level or a member of any hierarchy, measures first.
 *
 * @throws AmbiguousNameError where a part of it is no exact name, and several are called so but for letter case
 */
export function lookUp(scope: Scope, segments: readonly Segment[]): Element | undefined {
  const [first, ...rest] = segments;
  if (first?.kind !== 'name') return undefined;
  const prefix = prefixed(scope, first.name);
  if (prefix !== undefined) {
    const found = seen(scope, walk(scope, prefix, rest));
    if (found !== undefined) return found;
  }
  let folded: Element | undefined;
  for (const hierarchy of scope.cube.hierarchies) {
    if (!hierarchy.visible) continue;
    const start = childOfHierarchy(scope, hierarchy, first);
    const found = start === undefined ? undefined : seen(scope, walk(scope, start, rest));
    if (start === undefined || found === undefined) continue;
    if (isExactly(start, first.name)) return found;
    folded ??= found;
  }
  return folded;
}

/** Returns the element if it may be seen. A hidden member may stand in the name of another, a hidden measure in a formula of the schema; it is not found itself. */
function seen(scope: Scope, element: Element | undefined): Element | undefined {
  if (element?.kind !== 'member') return element;
  const { member } = element;
  if (member.isNull || member.kind === 'calculated' || (member.kind === 'measure' && scope.isSchemas)) return element;
  const { members, nullMember } = member.hierarchy;
  if (members.leavesOut(member)) return { kind: 'member', member: nullMember };
  return members.sees(member) ? element : undefined;
}

function prefixed(scope: Scope, name: string): Element | undefined {
  const { cube } = scope;
  return exactFirst(name, [
    () => dimensionElement(oneNamed(cube.dimensions.filter(hasVisible), name)),
    () =>
      hierarchyElement(
        oneNamed(
          cube.hierarchies.filter(({ visible }) => visible),
          name,
          spellings,
        ),
      ),
  ]);
}

function hasVisible({ hierarchies }: Dimension): boolean {
  return hierarchies.some(({ visible }) => visible);
}

/** Returns what a hierarchy is called: `Time.Weekly`, also one that has its dimension's name: `Time.Time`. */
function spellings({ uniqueName, name, dimension, model }: Hierarchy): readonly string[] {
  const [first = name, ...others] = segmentsOf(uniqueName) ?? [];
  return [...(others.length === 0 ? [first] : []), name, `${dimension.name}.${model?.name ?? name}`];
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
  const named: readonly Find[] =
    segment.kind === 'key'
      ? []
      : [() => levelElement(first, segment.name), () => hierarchyElement(oneNamed(visible, segment.name, plainNames))];
  return exactFirst(nameOf(segment), [
    ...named,
    ...visible.map((each) => () => childOfHierarchy(scope, each, segment)),
  ]);
}

function childOfHierarchy(scope: Scope, hierarchy: Hierarchy, segment: Segment): Element | undefined {
  return exactFirst(nameOf(segment), [
    () => (segment.kind === 'key' ? undefined : levelElement(hierarchy, segment.name)),
    () => memberElement(childOfMember(scope, hierarchy, undefined, segment)),
  ]);
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
    let found = parent;
    for (const key of segment.parts) found = members.childByKey(found, key);
    return found;
  }
  const calculated = scope.calculatedChild(hierarchy, parent, segment.name);
  if (parent?.kind === 'calculated') return calculated;
  return (
    calculatedOr(calculated, segment.name, () => members.child(parent, segment.name)) ??
    members.hiddenAncestor(parent, segment.name)
  );
}

/** Returns the calculated member, unless a stored one is called exactly so and it is not. */
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

/** Returns the first element that is called exactly so, else the first at all. Keys (without a name) are exact. */
function exactFirst(name: string | undefined, finds: readonly Find[]): Element | undefined {
  let folded: Element | undefined;
  for (const find of finds) {
    const found = find();
    if (found === undefined) continue;
    if (isExactly(found, name)) return found;
    folded ??= found;
  }
  return folded;
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

function plainNames({ name, model }: Hierarchy): readonly string[] {
  return model === undefined ? [name] : [name, model.name];
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
