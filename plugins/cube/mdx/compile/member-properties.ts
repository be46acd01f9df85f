import { findNamed, sameName } from '../../schema/mdx-name.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Hierarchy, Member } from '../metadata/member.ts';
import { valueNamed } from '../metadata/name-matching.ts';
import { scriptMember, scriptValue } from '../metadata/script-member.ts';
import type { Value } from '../metadata/value.ts';
import type { Identifier } from '../syntax/ast.ts';
import { MdxError } from '../syntax/errors.ts';
import { nearest } from '../syntax/nearest-candidates.ts';
import { unparseSegments } from '../syntax/unparse.ts';
import type { SetType } from './expression-types.ts';
import { INTRINSIC_NAMES, intrinsicProperty, isIntrinsic } from './intrinsic-properties.ts';
import { lookUp } from './look-up-name.ts';
import type { Scope } from './scope.ts';

/** Properties of members: those that all members have, and those that levels declare. */

/** Returns whether any level of the hierarchy has a property of this name. Any other name is a mistake. */
function declares(hierarchy: Hierarchy, name: string): boolean {
  return hierarchy.levels.some(({ model }) => model?.properties.some((property) => sameName(property.name, name)));
}

/**
 * Returns a property of a member by its name.
 *
 * @throws MdxError if the member's hierarchy has no such property
 */
export function memberProperty(member: Member, name: string, evaluator: Evaluator): Value {
  const value = memberPropertyIfAny(member, name, evaluator);
  if (value !== undefined) return value;
  if (declares(member.hierarchy, name)) return null;
  throw new MdxError(
    `Property '${name}' is not valid for member '${member.uniqueName}'`,
    undefined,
    nearest(name, propertyNames(member.hierarchy)),
  );
}

function memberPropertyIfAny(member: Member, name: string, evaluator: Evaluator): Value | undefined {
  const declaredValue = valueNamed(member.properties, name);
  if (declaredValue !== undefined) return declaredValue;
  return isIntrinsic(name) ? intrinsicProperty(name, member, evaluator) : member.calculation?.property(name, evaluator);
}

/** Returns the names of properties that members of the hierarchy have. */
function propertyNames(hierarchy: Hierarchy): readonly string[] {
  const declared = hierarchy.levels.flatMap(({ model }) => (model?.properties ?? []).map(({ name }) => name));
  return [...declared, ...INTRINSIC_NAMES];
}

/** One name of a DIMENSION PROPERTIES clause. */
export interface MemberPropertyColumn {
  /** The name as the query writes it. */
  readonly name: string;
  /** Returns the property; `null` if the member does not have it. */
  readonly read: (member: Member, evaluator: Evaluator) => Value;
}

/**
 * Returns the properties that an axis requests. A name is a property of all members (`MEMBER_KEY`, also after a
 * hierarchy's name), or one that a level declares (`[Store].[Name].[Size]`, `[Store].[Size]`, `[Size]`).
 */
export function axisProperties(
  scope: Scope,
  names: readonly Identifier[],
  { element }: SetType,
): readonly MemberPropertyColumn[] {
  return names.map((identifier) => propertyColumn(scope, identifier, element));
}

function propertyColumn(
  scope: Scope,
  { segments, position }: Identifier,
  element: SetType['element'],
): MemberPropertyColumn {
  const written = unparseSegments(segments);
  const last = segments.at(-1);
  const name = last?.kind === 'name' ? last.name : '';
  const above = segments.slice(0, -1);
  const hierarchies = above.length === 0 ? scope.cube.hierarchies : hierarchiesOf(scope, above);
  if (hierarchies === undefined) {
    throw new MdxError(
      `MDX object '${unparseSegments(above)}' not found in cube '${scope.cube.name}'`,
      position,
      nearest(unparseSegments(above), levelNames(scope)),
    );
  }
  const declaring = hierarchies.filter((each) => isIntrinsic(name) || declares(each, name));
  if (declaring.length === 0) {
    const here = (element ?? []).flatMap(({ hierarchy }) => hierarchy ?? []);
    throw new MdxError(
      `There is no property '${written}' of members.`,
      position,
      nearest(name, (above.length === 0 && here.length > 0 ? here : hierarchies).flatMap(propertyNames)),
    );
  }
  return {
    name: written,
    read: (member, evaluator) => {
      const value = declaring.includes(member.hierarchy) ? memberPropertyIfAny(member, name, evaluator) : undefined;
      return value === undefined ? null : formatted(scope, member, name, value);
    },
  };
}

/** Returns the shown value of a property: the value, or the result of its formatter. */
function formatted({ scripts }: Scope, member: Member, name: string, value: Value): Value {
  const property = findNamed(member.level.model?.properties ?? [], name);
  if (property?.formatter === undefined || scripts === undefined || member.kind === 'calculated') return value;
  const what = `The formatter of the property "${property.name}"`;
  return scripts.call(property.formatter, what, [scriptMember(member), property.name, scriptValue(value)]);
}

function hierarchiesOf(scope: Scope, segments: Identifier['segments'] | readonly Identifier['segments'][number][]) {
  const element = lookUp(scope, segments);
  switch (element?.kind) {
    case undefined:
      return undefined;
    case 'dimension':
      return element.dimension.hierarchies.filter(({ visible }) => visible);
    case 'hierarchy':
      return [element.hierarchy];
    case 'level':
      return [element.level.hierarchy];
    case 'member':
      return [element.member.hierarchy];
  }
}

function levelNames({ cube }: Scope): readonly string[] {
  return cube.hierarchies
    .filter(({ visible }) => visible)
    .flatMap((hierarchy) => [hierarchy.uniqueName, ...hierarchy.levels.map(({ uniqueName }) => uniqueName)]);
}
