import { traitsOf } from '../../../schema/aggregators.ts';
import { itemsNamed } from '../../../schema/mdx-name.ts';
import { namedMember } from '../../compile/named-member.ts';
import { declareSchemaFormulas } from '../../compile/schema-formulas.ts';
import { Scope } from '../../compile/scope.ts';
import type { RuntimeCube } from '../../cube/cube.ts';
import { functionsOf } from '../../functions/scripted.ts';
import type { FactGroup } from '../../metadata/fact-group.ts';
import type { Hierarchy, Member } from '../../metadata/member.ts';
import { nearest } from '../../syntax/nearest-candidates.ts';
import { type ChangePath, problem } from './change-problem.ts';
import type { Region } from './region.ts';
import { ALLOCATIONS, type Change } from './scenario.ts';

/** A change whose names are resolved. */
export interface ResolvedChange {
  readonly measure: NonNullable<Member['measure']>;
  readonly measureMember: Member;
  readonly group: FactGroup;
  /** The changed cell, restricted to what the caller's roles see. */
  readonly region: Region;
  readonly value: number;
  readonly allocation: Change['allocation'];
}

function isSpreadable(measure: Member['measure']): boolean {
  return measure !== undefined && traitsOf(measure.aggregator).isSpreadable;
}

/**
 * Resolves the names of a change.
 *
 * @throws MdxError for an unknown name, or a cell that cannot be changed; may throw `DataNotLoaded`
 */
export function resolveChange(cube: RuntimeCube, change: Change, index: number): ResolvedChange {
  if (!Number.isFinite(change.value)) throw problem(index, ['value'], 'The value must be a finite number.');
  if (!ALLOCATIONS.includes(change.allocation)) {
    throw problem(index, ['allocation'], `There is no allocation '${change.allocation}'.`, ALLOCATIONS);
  }
  const scope = new Scope({ cube, functions: functionsOf(cube.schema) });
  declareSchemaFormulas(scope);
  const measureMember = measureNamed(cube, scope, change.measure, index);
  const { measure } = measureMember;
  const group = measure === undefined ? undefined : cube.groups.get(measure.group);
  if (measure === undefined || group === undefined || !isSpreadable(measure)) {
    const spreadable = cube.measures.members.roots().filter((each) => isSpreadable(each.measure));
    const what = measure === undefined ? 'calculated' : `aggregated by ${measure.aggregator}`;
    throw problem(
      index,
      ['measure'],
      `'${change.measure}' cannot be changed: it is ${what}, and only stored sums can be spread to leaf cells.`,
      spreadable.map(({ name }) => name),
    );
  }
  const members = new Map<Hierarchy, Member>();
  for (const [place, name] of change.members.entries()) {
    const path = ['members', place] as const;
    const member = memberNamed(scope, name, index, path);
    if (members.has(member.hierarchy)) {
      throw problem(index, path, `The cell has two members of ${member.hierarchy.uniqueName}.`);
    }
    if (!group.reaches(member.hierarchy)) {
      throw problem(index, path, `'${measure.name}' has no values at members of ${member.hierarchy.uniqueName}.`);
    }
    members.set(member.hierarchy, member);
  }
  const region = cube.hierarchies.map((hierarchy) => {
    if (hierarchy.isMeasures || !group.reaches(hierarchy)) return undefined;
    const member = members.get(hierarchy) ?? hierarchy.defaultMember;
    const restriction = cube.restricted ? hierarchy.members.rollupMembers(member) : undefined;
    if (restriction === 'hidden')
      throw problem(index, ['members'], `The role may not see the total of ${member.uniqueName}.`);
    if (restriction !== undefined) return restriction.flatMap((tuple) => [...tuple]);
    return member.kind === 'all' ? undefined : [member];
  });
  return { measure, measureMember, group, region, value: change.value, allocation: change.allocation };
}

function measureNamed(cube: RuntimeCube, scope: Scope, name: string, index: number): Member {
  const calculated = scope.calculated.filter(({ hierarchy }) => hierarchy.isMeasures);
  const stored = cube.measures.members;
  const listed = [...stored.roots(), ...calculated];
  const matching = itemsNamed(listed, name, (each) => [each.name, each.uniqueName]);
  if (new Set(matching.map((each) => each.name)).size > 1) {
    const message = `'${name}' is a name of several measures, which differ in letter case; write one of them exactly.`;
    throw problem(
      index,
      ['measure'],
      message,
      matching.map((each) => each.name),
    );
  }
  const measureMember = matching[0] ?? stored.child(undefined, name);
  if (measureMember !== undefined) return measureMember;
  const names = [...stored.roots(), ...calculated].map((each) => each.name);
  throw problem(index, ['measure'], `There is no measure '${name}' in cube '${cube.name}'.`, nearest(name, names));
}

function memberNamed(scope: Scope, name: string, index: number, path: ChangePath): Member {
  const named = namedMember(scope, name);
  if (named.kind === 'several') {
    const message = `'${name}' is short for several members; give the unique name of one.`;
    const unique = named.members.map(({ uniqueName }) => uniqueName);
    throw problem(index, path, message, nearest(name, unique));
  }
  const member = named.kind === 'one' ? named.member : undefined;
  if (member === undefined || member.hierarchy.isMeasures) {
    throw problem(index, path, `There is no member '${name}' in cube '${scope.cube.name}'; give its unique name.`);
  }
  if (member.kind !== 'all' && member.kind !== 'stored') {
    throw problem(index, path, `'${name}' is a calculated member; only cells of stored members can be changed.`);
  }
  return member;
}
