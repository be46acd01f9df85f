import {
  cubeOfGrant,
  dimensionCalled,
  findHierarchy,
  hierarchyCalled,
  isMeasures,
} from '../../schema/check/find-elements.ts';
import { findNamed, sameName, segmentsOf } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import type { Hierarchy, Level, Member, MemberSource, TupleSet } from '../metadata/member.ts';
import { AmbiguousNameError } from '../metadata/name-matching.ts';
import { isWithin } from '../metadata/navigate.ts';
import { storedPaths } from '../metadata/stored-name.ts';
import type { MemberTree } from '../storage/member-tree.ts';
import { MdxError } from '../syntax/errors.ts';
import { VisibleMembers } from './reachable-members.ts';

/**
 * What a role may see. A role of several (a union) sees what any of them sees. Grants of members are resolved when a
 * member is first asked about, for that takes the warehouse.
 */

type Access = 'all' | 'none' | 'custom';
type Policy = model.HierarchyGrant['rollupPolicy'];

/**
 * Returns the simple roles that a role is made of.
 *
 * @throws MdxError for a name that no role has
 */
function grantsOf(
  schema: model.Schema,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): readonly model.SchemaGrant[][] {
  const role = schema.roles.find((each) => each.name === name);
  if (role === undefined)
    throw new MdxError(
      `Unknown role '${name}'`,
      undefined,
      schema.roles.map((each) => each.name),
    );
  if (role.kind === 'grants') return [[...role.schemaGrants]];
  if (seen.has(name)) return [];
  return role.roles.flatMap((each) => grantsOf(schema, each, new Set([...seen, name])));
}

/** Access to one cube by the grants of one role. */
class CubeRole {
  readonly access: Access;
  readonly #cube: model.Cube;
  readonly #grant: model.CubeGrant | undefined;
  /** The schema's grant takes dimensions in that the cube's does not name. */
  readonly #allDimensions: boolean;

  constructor(grants: readonly model.SchemaGrant[], cube: model.Cube, cubes: readonly model.Cube[]) {
    const named = grants.flatMap((grant) => grant.cubes).find((grant) => cubeOfGrant(grant, cubes)?.name === cube.name);
    const schema = grants.at(-1)?.access ?? 'none';
    this.#cube = cube;
    this.#grant = named;
    this.#allDimensions = schema === 'all' || schema === 'all_dimensions';
    this.access = named?.access ?? (schema === 'all' ? 'all' : 'none');
  }

  /**
   * Returns the grant of a hierarchy: its own, its dimension's, or the cube's. A grant of hierarchies that names the dimension is of all its
   * hierarchies, unless one of them is called so.
   */
  grantOf(hierarchy: Hierarchy): Access | model.HierarchyGrant {
    const grant = this.#grant;
    if (grant === undefined) return this.access;
    const cube = this.#cube;
    const ownGrants =
      grant.hierarchies.find((each) => isOfHierarchy(each, hierarchy, cube)) ??
      grant.hierarchies.find(
        (each) => hierarchyCalled(cube, each.hierarchy) === undefined && isDimension(hierarchy, each.hierarchy, cube),
      );
    if (ownGrants !== undefined) return ownGrants.access === 'custom' ? ownGrants : ownGrants.access;
    const dimension = grant.dimensions.find((each) => isDimension(hierarchy, each.dimension, cube));
    // `custom` leaves it to the grants of its hierarchies, and there is none of this one.
    if (dimension !== undefined) return dimension.access === 'all' ? 'all' : 'none';
    return grant.access === 'all' || hierarchy.isMeasures || this.#allDimensions ? 'all' : 'none';
  }
}

/** Returns whether a grant is of a hierarchy, however the grant spells it. */
export function isOfHierarchy(grant: model.HierarchyGrant, hierarchy: Hierarchy, cube: model.Cube): boolean {
  if (hierarchy.isMeasures) return isMeasures(grant.hierarchy);
  const named = findHierarchy(cube, grant.hierarchy);
  return named === undefined ? sameName(hierarchy.name, grant.hierarchy) : named === hierarchy.model;
}

function isDimension({ dimension, isMeasures: isOfMeasures }: Hierarchy, name: string, cube: model.Cube): boolean {
  return isOfMeasures ? isMeasures(name) : dimensionCalled(cube, name)?.name === dimension.name;
}

function cubeRoles(schema: model.Schema, cube: model.Cube, names: readonly string[]): readonly CubeRole[] {
  return names
    .flatMap((name) => grantsOf(schema, name))
    .map((grants) => new CubeRole(grants, cube, schema.cubes))
    .filter(({ access }) => access !== 'none');
}

/**
 * Returns whether any of the roles may see the cube; without roles everybody may.
 *
 * @throws MdxError for an unknown role
 */
export function mayUse(schema: model.Schema, cube: model.Cube, names: readonly string[] | undefined): boolean {
  return names === undefined || cubeRoles(schema, cube, names).length > 0;
}

/** Returns the same text for roles that see the same by name, whatever their order. */
export function rolesKey(names: readonly string[] | undefined): string {
  return names === undefined ? '' : JSON.stringify([...new Set(names)].toSorted());
}

/** How several roles together see a cube. */
export class Role {
  readonly #roles: readonly CubeRole[];
  readonly #cube: model.Cube;

  /**
   * Combines the roles of a caller.
   *
   * @throws MdxError when none of the roles may see the cube: as if there were none
   */
  constructor(schema: model.Schema, cube: model.Cube, names: readonly string[]) {
    this.#cube = cube;
    this.#roles = cubeRoles(schema, cube, names);
    if (this.#roles.length === 0) throw new MdxError(`MDX cube '${cube.name}' not found`);
  }

  sees(hierarchy: Hierarchy): boolean {
    return this.#roles.some((role) => role.grantOf(hierarchy) !== 'none');
  }

  /** Returns what may be seen of a hierarchy; `undefined`: all of it. */
  accessTo(hierarchy: Hierarchy, tree: MemberTree | undefined): HierarchyAccess | undefined {
    const grants = this.#roles.map((role) => role.grantOf(hierarchy));
    if (grants.includes('all')) return undefined;
    const custom = grants.filter((grant) => typeof grant !== 'string');
    if (custom.length === 0) return undefined; // Not seen at all: nobody asks for its members.
    return tree === undefined
      ? measureAccess(custom, this.#cube)
      : new GrantedAccess(custom.map((grant) => new Granted(grant, hierarchy, tree)));
  }
}

function measureAccess(grants: readonly model.HierarchyGrant[], cube: model.Cube): HierarchyAccess {
  const seen = grants.map((grant) => measuresSeen(grant, cube));
  return {
    sees: ({ name }) => seen.some((sees) => sees(name)),
    rollupMembers: () => undefined,
    visibleDescendants: () => undefined,
  };
}

/**
 * Returns the measures that one grant shows: the measures that it grants by name. A grant that names none shows all except
 * the ones that it hides, if their names are right.
 */
function measuresSeen({ members }: model.HierarchyGrant, cube: model.Cube): (name: string) => boolean {
  const granted = new Map(members.map(({ member, access }) => [measureCalled(cube, member), access]));
  const isOpen = members.every(({ member, access }) => access === 'none' && hasMeasure(cube, member));
  return (name) => (granted.get(name) ?? (isOpen ? 'all' : 'none')) === 'all';
}

/** Returns whether a cube has the measure that a name such as `[Measures].[Units]` means, stored or calculated. */
export function hasMeasure(cube: model.Cube, name: string): boolean {
  return measureCalled(cube, name) !== undefined;
}

/** Returns the name of the measure that a name stands for. */
function measureCalled({ measures, calculatedMembers }: model.Cube, name: string): string | undefined {
  const calculated = calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  return findNamed([...measures, ...calculated], segmentsOf(name)?.at(-1) ?? name)?.name;
}

/** One custom grant of a hierarchy. */
class Granted {
  readonly policy: Policy;
  readonly #grant: model.HierarchyGrant;
  readonly #hierarchy: Hierarchy;
  readonly #tree: MemberTree;
  #members: readonly ResolvedGrant[] | undefined;

  constructor(grant: model.HierarchyGrant, hierarchy: Hierarchy, tree: MemberTree) {
    this.#grant = grant;
    this.#hierarchy = hierarchy;
    this.#tree = tree;
    this.policy = grant.rollupPolicy;
  }

  /** Returns whether a level is between the top and the bottom level. A level that is not there leaves nothing between. */
  inLevels(level: Level): boolean {
    const { bottomLevel } = this.#grant;
    const bottom = bottomLevel === undefined ? Number.POSITIVE_INFINITY : this.#depthOf(level, bottomLevel);
    return bottom !== undefined && level.depth <= bottom && this.#top(level) <= level.depth;
  }

  /** Returns whether a level is above the topmost one that the grant shows. */
  isAboveTop(level: Level): boolean {
    return level.depth < this.#top(level);
  }

  #top(level: Level): number {
    const { topLevel } = this.#grant;
    return topLevel === undefined ? 0 : (this.#depthOf(level, topLevel) ?? Number.POSITIVE_INFINITY);
  }

  #depthOf({ hierarchy }: Level, name: string): number | undefined {
    return levelCalled(hierarchy, name)?.depth;
  }

  /** Returns whether the grants of members allow one: a later one overrides an earlier one for the members below it. */
  allows(member: Member): boolean {
    // What is granted by name is all there is, also where the name stands for nothing.
    let allowed = !this.#grant.members.some(({ access }) => access === 'all');
    for (const grant of this.#resolved()) {
      if (grant.member === 'everything' || isWithin(member, grant.member)) allowed = grant.access === 'all';
      else if (grant.access === 'all' && isWithin(grant.member, member)) allowed = true;
    }
    return allowed;
  }

  /** Returns whether a grant is about something below the member. */
  hasNestedGrant(member: Member): boolean {
    return this.#resolved().some(
      (grant) => grant.member !== 'everything' && grant.member !== member && isWithin(grant.member, member),
    );
  }

  #resolved(): readonly ResolvedGrant[] {
    this.#members ??= this.#grant.members.flatMap((grant) => resolvedGrants(grant, this.#hierarchy, this.#tree));
    return this.#members;
  }
}

function levelCalled({ levels }: Hierarchy, name: string): Level | undefined {
  return findNamed(levels, segmentsOf(name)?.at(-1) ?? name);
}

interface ResolvedGrant {
  readonly member: Member | 'everything';
  readonly access: 'all' | 'none';
}

/**
 * Resolves the grants of members. A name that nothing has grants nothing; what it was to hide is hidden with the
 * nearest member above it that there is.
 */
function resolvedGrants(
  { member: name, access }: model.MemberGrant,
  hierarchy: Hierarchy,
  tree: MemberTree,
): readonly ResolvedGrant[] {
  const { member, isWhole } = grantedMember(hierarchy, new VisibleMembers(tree), name);
  if (isWhole && member !== undefined) return [{ member, access }];
  return access === 'all' ? [] : [{ member: member ?? 'everything', access }];
}

/** Returns the members that a schema's role grants by names that nothing has. May throw `DataNotLoaded`. */
export function unresolvedGrants(grant: model.HierarchyGrant, hierarchy: Hierarchy): readonly model.MemberGrant[] {
  return grant.members.filter(({ member }) => !grantedMember(hierarchy, hierarchy.members, member).isWhole);
}

/**
 * Returns the grants of a hierarchy by which a role sees none of its members, so that it sees no figure of the cube; `undefined` where it
 * sees some, or may not see the cube at all. May throw `DataNotLoaded`.
 */
export function blindingGrants(
  schema: model.Schema,
  cube: model.Cube,
  role: string,
  hierarchy: Hierarchy,
): readonly model.HierarchyGrant[] | undefined {
  const grants = cubeRoles(schema, cube, [role]).map((each) => each.grantOf(hierarchy));
  const custom = grants.filter((grant) => typeof grant !== 'string');
  if (grants.includes('all') || custom.length === 0) return undefined;
  return custom.every((grant) => showsNothing(grant, hierarchy, cube)) ? custom : undefined;
}

function showsNothing(grant: model.HierarchyGrant, hierarchy: Hierarchy, cube: model.Cube): boolean {
  if (hierarchy.isMeasures) {
    const isSeen = measuresSeen(grant, cube);
    const calculated = cube.calculatedMembers.filter((each) => isMeasures(each.hierarchy));
    return ![...cube.measures.filter(({ implied }) => !implied), ...calculated].some(({ name }) => isSeen(name));
  }
  const depth = (name: string | undefined, otherwise: number) =>
    name === undefined ? otherwise : levelCalled(hierarchy, name)?.depth;
  const [top, bottom] = [depth(grant.topLevel, 0), depth(grant.bottomLevel, Number.POSITIVE_INFINITY)];
  if (top === undefined || bottom === undefined || top > bottom) return true;
  const shown = grant.members.filter(({ access }) => access === 'all');
  return shown.length > 0 && shown.every(({ member }) => !grantedMember(hierarchy, hierarchy.members, member).isWhole);
}

/** Finds the member that a name stands for, or the last one on the way to it that there is. */
function grantedMember(
  hierarchy: Hierarchy,
  members: MemberSource,
  text: string,
): { readonly member: Member | undefined; readonly isWhole: boolean } {
  let nearest: Member | undefined;
  for (const { level, names } of unlessAmbiguous(() => storedPaths(hierarchy, text)) ?? []) {
    let member: Member | undefined;
    let isWhole = true;
    for (const [index, name] of names.entries()) {
      const parent = member;
      const next = unlessAmbiguous(() =>
        index === 0 && level !== undefined ? members.inLevel(level, 'name', name) : members.child(parent, name),
      );
      isWhole = next !== undefined;
      if (next === undefined) break;
      member = next;
    }
    if (isWhole) return { member: member, isWhole };
    nearest ??= member;
  }
  return { member: nearest, isWhole: false };
}

/** Returns what is found; a name of several is the name of none of them: nothing may be granted by a guess. */
function unlessAmbiguous<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof AmbiguousNameError) return undefined;
    throw error;
  }
}

class GrantedAccess implements HierarchyAccess {
  readonly #grants: readonly Granted[];
  readonly #parts = new Map<Member, TupleSet | undefined>();

  constructor(grants: readonly Granted[]) {
    this.#grants = grants;
  }

  sees(member: Member): boolean {
    return this.#grants.some((grant) => grant.inLevels(member.level) && grant.allows(member));
  }

  readonly isTraversable = (member: Member): boolean =>
    this.#grants.some((grant) => grant.isAboveTop(member.level) && grant.allows(member));

  seesLevel(level: Level): boolean {
    return this.#grants.some((grant) => grant.inLevels(level));
  }

  rollupMembers(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined {
    if (this.#grants.some(({ policy }) => policy === 'full')) return undefined;
    const parts = this.visibleDescendants(member, children);
    return parts !== undefined && this.#grants.every(({ policy }) => policy === 'hidden') ? 'hidden' : parts;
  }

  visibleDescendants(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    if (this.#parts.has(member)) return this.#parts.get(member);
    const grantedParts = this.#partsOf(member, children);
    this.#parts.set(member, grantedParts);
    return grantedParts;
  }

  #partsOf(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    if (!this.#hasNestedGrant(member) && this.#allows(member)) return undefined;
    const parts: Member[] = [];
    let whole = true;
    const visit = (at: Member): void => {
      if (!this.#hasNestedGrant(at)) {
        if (this.#allows(at)) parts.push(at);
        else whole = false;
      } else for (const child of children(at)) visit(child);
    };
    visit(member);
    return whole ? undefined : parts.map((part) => [part]);
  }

  #hasNestedGrant(member: Member): boolean {
    return this.#grants.some((grant) => grant.hasNestedGrant(member));
  }
  #allows(member: Member): boolean {
    return this.#grants.some((grant) => grant.allows(member));
  }
}
