import {
  cubeOfGrant,
  findDimension,
  findHierarchy,
  findNamedHierarchy,
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
 * The access of roles. A union role sees what any of its roles sees. Grants of members are resolved when they are first
 * needed, because that reads the warehouse.
 */

type Access = 'all' | 'none' | 'custom';
type Policy = model.HierarchyGrant['rollupPolicy'];

/**
 * Returns the grants of each simple role that a role consists of.
 *
 * @throws MdxError if a role does not exist
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
  /** True if the schema's grant includes dimensions that the cube's grant does not name. */
  readonly #allDimensions: boolean;

  constructor(grants: readonly model.SchemaGrant[], cube: model.Cube, cubes: readonly model.Cube[]) {
    const cubeGrant = grants
      .flatMap((grant) => grant.cubes)
      .find((grant) => cubeOfGrant(grant, cubes)?.name === cube.name);
    const schema = grants.at(-1)?.access ?? 'none';
    this.#cube = cube;
    this.#grant = cubeGrant;
    this.#allDimensions = schema === 'all' || schema === 'all_dimensions';
    this.access = cubeGrant?.access ?? (schema === 'all' ? 'all' : 'none');
  }

  /**
   * Returns the grant that decides about a hierarchy: its own, its dimension's, or the cube's. A hierarchy grant that
   * names a dimension applies to all its hierarchies, unless one of them has that name.
   */
  grantOf(hierarchy: Hierarchy): Access | model.HierarchyGrant {
    const grant = this.#grant;
    if (grant === undefined) return this.access;
    const cube = this.#cube;
    const hierarchyGrant =
      grant.hierarchies.find((each) => isOfHierarchy(each, hierarchy, cube)) ??
      grant.hierarchies.find(
        (each) =>
          findNamedHierarchy(cube, each.hierarchy) === undefined && isDimension(hierarchy, each.hierarchy, cube),
      );
    if (hierarchyGrant !== undefined)
      return hierarchyGrant.access === 'custom' ? hierarchyGrant : hierarchyGrant.access;
    const dimension = grant.dimensions.find((each) => isDimension(hierarchy, each.dimension, cube));
    // `custom` leaves the decision to hierarchy grants, and this hierarchy has none.
    if (dimension !== undefined) return dimension.access === 'all' ? 'all' : 'none';
    return grant.access === 'all' || hierarchy.isMeasures || this.#allDimensions ? 'all' : 'none';
  }
}

/** Returns whether a grant names a hierarchy, in any spelling. */
export function isOfHierarchy(grant: model.HierarchyGrant, hierarchy: Hierarchy, cube: model.Cube): boolean {
  if (hierarchy.isMeasures) return isMeasures(grant.hierarchy);
  const namedHierarchy = findHierarchy(cube, grant.hierarchy);
  return namedHierarchy === undefined ? sameName(hierarchy.name, grant.hierarchy) : namedHierarchy === hierarchy.model;
}

function isDimension({ dimension, isMeasures: isOfMeasures }: Hierarchy, name: string, cube: model.Cube): boolean {
  return isOfMeasures ? isMeasures(name) : findDimension(cube, name)?.name === dimension.name;
}

function cubeRoles(schema: model.Schema, cube: model.Cube, names: readonly string[]): readonly CubeRole[] {
  return names
    .flatMap((name) => grantsOf(schema, name))
    .map((grants) => new CubeRole(grants, cube, schema.cubes))
    .filter(({ access }) => access !== 'none');
}

/**
 * Returns whether any of the roles may see the cube. Without roles, the cube is visible.
 *
 * @throws MdxError for an unknown role
 */
export function mayUse(schema: model.Schema, cube: model.Cube, names: readonly string[] | undefined): boolean {
  return names === undefined || cubeRoles(schema, cube, names).length > 0;
}

/** Returns a text that is equal for the same role names in any order. */
export function rolesKey(names: readonly string[] | undefined): string {
  return names === undefined ? '' : JSON.stringify([...new Set(names)].toSorted());
}

/** The access of several roles together to a cube. */
export class Role {
  readonly #roles: readonly CubeRole[];
  readonly #cube: model.Cube;

  /**
   * Combines the roles of a caller.
   *
   * @throws MdxError if none of the roles may see the cube, as if it did not exist
   */
  constructor(schema: model.Schema, cube: model.Cube, names: readonly string[]) {
    this.#cube = cube;
    this.#roles = cubeRoles(schema, cube, names);
    if (this.#roles.length === 0) throw new MdxError(`MDX cube '${cube.name}' not found`);
  }

  sees(hierarchy: Hierarchy): boolean {
    return this.#roles.some((role) => role.grantOf(hierarchy) !== 'none');
  }

  /** Returns the visible part of a hierarchy; `undefined` if all of it is visible. */
  accessTo(hierarchy: Hierarchy, tree: MemberTree | undefined): HierarchyAccess | undefined {
    const grants = this.#roles.map((role) => role.grantOf(hierarchy));
    if (grants.includes('all')) return undefined;
    const custom = grants.filter((grant) => typeof grant !== 'string');
    if (custom.length === 0) return undefined; // The hierarchy is hidden, so its members are never read.
    return tree === undefined
      ? measureAccess(custom, this.#cube)
      : new GrantedAccess(custom.map((grant) => new CustomGrant(grant, hierarchy, tree)));
  }
}

function measureAccess(grants: readonly model.HierarchyGrant[], cube: model.Cube): HierarchyAccess {
  const filters = grants.map((grant) => visibleMeasures(grant, cube));
  return {
    sees: ({ name }) => filters.some((sees) => sees(name)),
    rollupMembers: () => undefined,
    visibleDescendants: () => undefined,
  };
}

/**
 * Returns the measures that one grant shows: those that it grants by name. A grant that only hides measures shows all
 * the others, if all its names are right.
 */
function visibleMeasures({ members }: model.HierarchyGrant, cube: model.Cube): (name: string) => boolean {
  const granted = new Map(members.map(({ member, access }) => [findMeasureName(cube, member), access]));
  const isOpen = members.every(({ member, access }) => access === 'none' && hasMeasure(cube, member));
  return (name) => (granted.get(name) ?? (isOpen ? 'all' : 'none')) === 'all';
}

/** Returns whether a cube has a measure, stored or calculated, of a name such as `[Measures].[Units]`. */
export function hasMeasure(cube: model.Cube, name: string): boolean {
  return findMeasureName(cube, name) !== undefined;
}

/** Returns the measure's own name for any spelling of it. */
function findMeasureName({ measures, calculatedMembers }: model.Cube, name: string): string | undefined {
  const calculated = calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  return findNamed([...measures, ...calculated], segmentsOf(name)?.at(-1) ?? name)?.name;
}

/** A custom grant of a hierarchy. */
class CustomGrant {
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

  /**
   * Returns whether a level is between the grant's top and bottom level. A level that does not exist leaves nothing
   * visible.
   */
  inLevels(level: Level): boolean {
    const { bottomLevel } = this.#grant;
    const bottom = bottomLevel === undefined ? Number.POSITIVE_INFINITY : this.#depthOf(level, bottomLevel);
    return bottom !== undefined && level.depth <= bottom && this.#top(level) <= level.depth;
  }

  /** Returns whether a level is above the grant's top level. */
  isAboveTop(level: Level): boolean {
    return level.depth < this.#top(level);
  }

  #top(level: Level): number {
    const { topLevel } = this.#grant;
    return topLevel === undefined ? 0 : (this.#depthOf(level, topLevel) ?? Number.POSITIVE_INFINITY);
  }

  #depthOf({ hierarchy }: Level, name: string): number | undefined {
    return findLevel(hierarchy, name)?.depth;
  }

  /**
   * Returns whether the grants of members allow a member. A later grant overrides earlier ones for the members below
   * its own.
   */
  allows(member: Member): boolean {
    // If a grant names members to show, all others are hidden, even if the names do not exist.
    let allowed = !this.#grant.members.some(({ access }) => access === 'all');
    for (const grant of this.#resolved()) {
      if (grant.member === 'everything' || isWithin(member, grant.member)) allowed = grant.access === 'all';
      else if (grant.access === 'all' && isWithin(grant.member, member)) allowed = true;
    }
    return allowed;
  }

  /** Returns whether a grant names a member below this one. */
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

function findLevel({ levels }: Hierarchy, name: string): Level | undefined {
  return findNamed(levels, segmentsOf(name)?.at(-1) ?? name);
}

interface ResolvedGrant {
  readonly member: Member | 'everything';
  readonly access: 'all' | 'none';
}

/**
 * Resolves a grant of a member. A missing member is granted to nobody. A missing member that should be hidden hides its
 * nearest ancestor that exists.
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

/** Returns the grants of members that do not exist. May throw `DataNotLoaded`. */
export function unresolvedGrants(grant: model.HierarchyGrant, hierarchy: Hierarchy): readonly model.MemberGrant[] {
  return grant.members.filter(({ member }) => !grantedMember(hierarchy, hierarchy.members, member).isWhole);
}

/**
 * Returns the grants of a hierarchy that hide all its members, so that the role sees no figure of the cube; `undefined`
 * if the role sees some, or does not see the cube at all. May throw `DataNotLoaded`.
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
    const isSeen = visibleMeasures(grant, cube);
    const calculated = cube.calculatedMembers.filter((each) => isMeasures(each.hierarchy));
    return ![...cube.measures.filter(({ implied }) => !implied), ...calculated].some(({ name }) => isSeen(name));
  }
  const depth = (name: string | undefined, otherwise: number) =>
    name === undefined ? otherwise : findLevel(hierarchy, name)?.depth;
  const [top, bottom] = [depth(grant.topLevel, 0), depth(grant.bottomLevel, Number.POSITIVE_INFINITY)];
  if (top === undefined || bottom === undefined || top > bottom) return true;
  const shown = grant.members.filter(({ access }) => access === 'all');
  return shown.length > 0 && shown.every(({ member }) => !grantedMember(hierarchy, hierarchy.members, member).isWhole);
}

/** Finds the member of a name, or the last member on the path to it that exists. */
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
    if (isWhole) return { member, isWhole };
    nearest ??= member;
  }
  return { member: nearest, isWhole: false };
}

/** Returns what `find` returns; `undefined` for an ambiguous name, because nothing may be granted by a guess. */
function unlessAmbiguous<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof AmbiguousNameError) return undefined;
    throw error;
  }
}

class GrantedAccess implements HierarchyAccess {
  readonly #grants: readonly CustomGrant[];
  readonly #parts = new Map<Member, TupleSet | undefined>();

  constructor(grants: readonly CustomGrant[]) {
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
