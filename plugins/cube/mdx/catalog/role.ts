import { segmentsOf } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import { MdxError } from '../errors.ts';
import type { Hierarchy, Level, Member, TupleSet } from './member.ts';
import type { MemberTree } from './member-tree.ts';
import { isWithin } from './navigate.ts';
import { type HierarchyAccess, VisibleMembers } from './visible-members.ts';

/**
 * What a role may see. A role of several (a union) sees what any of them sees. Grants of members are resolved when a
 * member is first asked about, for that takes the warehouse.
 */

type Access = 'all' | 'none' | 'custom';
type Policy = model.HierarchyGrant['rollupPolicy'];

/** The simple roles that a role is made of. Throws `MdxError` for a name that no role has. */
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
  readonly #cube: model.CubeGrant | undefined;
  /** The schema's grant takes dimensions in that the cube's does not name. */
  readonly #allDimensions: boolean;

  constructor(grants: readonly model.SchemaGrant[], cube: model.Cube) {
    const named = grants
      .flatMap(({ cubes }) => cubes)
      .find((grant) => grant.cube.toLowerCase() === cube.name.toLowerCase());
    const schema = grants.at(-1)?.access ?? 'none';
    this.#cube = named;
    this.#allDimensions = schema === 'all' || schema === 'all_dimensions';
    this.access = named?.access ?? (schema === 'all' ? 'all' : 'none');
  }

  /** The grant of a hierarchy: its own, its dimension's, or the cube's. */
  grantOf(hierarchy: Hierarchy): Access | model.HierarchyGrant {
    const cube = this.#cube;
    if (cube === undefined) return this.access;
    const own = cube.hierarchies.find((grant) => isNamed(hierarchy, grant.hierarchy));
    if (own !== undefined) return own.access === 'custom' ? own : own.access;
    const dimension = cube.dimensions.find((grant) => isNamed(hierarchy, grant.dimension));
    if (dimension !== undefined) return dimension.access === 'none' ? 'none' : 'all';
    return cube.access === 'all' || hierarchy.isMeasures || this.#allDimensions ? 'all' : 'none';
  }
}

function isNamed(hierarchy: Hierarchy, name: string): boolean {
  const names = [hierarchy.uniqueName, hierarchy.name, hierarchy.dimension.uniqueName, hierarchy.dimension.name];
  const wanted = name.toLowerCase();
  return names.some((each) => each.toLowerCase() === wanted) || hierarchy.model?.uniqueName.toLowerCase() === wanted;
}

function cubeRoles(schema: model.Schema, cube: model.Cube, names: readonly string[]): readonly CubeRole[] {
  return names
    .flatMap((name) => grantsOf(schema, name))
    .map((grants) => new CubeRole(grants, cube))
    .filter(({ access }) => access !== 'none');
}

/** Whether any of the roles may see the cube; without roles everybody may. Throws `MdxError` for an unknown role. */
export function mayUse(schema: model.Schema, cube: model.Cube, names: readonly string[] | undefined): boolean {
  return names === undefined || cubeRoles(schema, cube, names).length > 0;
}

/** The same for roles that see the same by name, whatever their order. */
export function rolesKey(names: readonly string[] | undefined): string {
  return names === undefined ? '' : JSON.stringify([...new Set(names)].toSorted());
}

/** How several roles together see a cube. */
export class Role {
  readonly #roles: readonly CubeRole[];

  /** Throws `MdxError` when none of the roles may see the cube: as if there were none. */
  constructor(schema: model.Schema, cube: model.Cube, names: readonly string[]) {
    this.#roles = cubeRoles(schema, cube, names);
    if (this.#roles.length === 0) throw new MdxError(`MDX cube '${cube.name}' not found`);
  }

  sees(hierarchy: Hierarchy): boolean {
    return this.#roles.some((role) => role.grantOf(hierarchy) !== 'none');
  }

  /** `undefined`: all of it. */
  accessTo(hierarchy: Hierarchy, tree: MemberTree | undefined): HierarchyAccess | undefined {
    const grants = this.#roles.map((role) => role.grantOf(hierarchy));
    if (grants.includes('all')) return undefined;
    const custom = grants.filter((grant) => typeof grant !== 'string');
    if (custom.length === 0) return undefined; // Not seen at all: nobody asks for its members.
    return tree === undefined
      ? measureAccess(custom)
      : new GrantedAccess(custom.map((grant) => new Granted(grant, hierarchy, tree)));
  }
}

function measureAccess(grants: readonly model.HierarchyGrant[]): HierarchyAccess {
  const granted = new Map(
    grants.flatMap(({ members }) =>
      members.map(({ member, access }) => [(segmentsOf(member)?.at(-1) ?? member).toLowerCase(), access]),
    ),
  );
  const any = [...granted.values()].includes('all');
  return {
    sees: ({ name }) => (granted.get(name.toLowerCase()) ?? (any ? 'none' : 'all')) === 'all',
    restriction: () => undefined,
    visibleParts: () => undefined,
  };
}

/** One custom grant of a hierarchy. */
class Granted {
  readonly policy: Policy;
  readonly #grant: model.HierarchyGrant;
  readonly #hierarchy: Hierarchy;
  readonly #tree: MemberTree;
  #members: readonly { readonly member: Member; readonly access: 'all' | 'none' }[] | undefined;

  constructor(grant: model.HierarchyGrant, hierarchy: Hierarchy, tree: MemberTree) {
    this.#grant = grant;
    this.#hierarchy = hierarchy;
    this.#tree = tree;
    this.policy = grant.rollupPolicy;
  }

  /** Between the top and the bottom level. */
  inLevels(level: Level): boolean {
    const bottom = this.#depthOf(level, this.#grant.bottomLevel) ?? Number.POSITIVE_INFINITY;
    return !this.isAboveTop(level) && level.depth <= bottom;
  }

  isAboveTop(level: Level): boolean {
    return level.depth < (this.#depthOf(level, this.#grant.topLevel) ?? 0);
  }

  #depthOf({ hierarchy }: Level, name: string | undefined): number | undefined {
    const last = name === undefined ? undefined : (segmentsOf(name)?.at(-1) ?? name).toLowerCase();
    return hierarchy.levels.find((each: Level) => each.name.toLowerCase() === last)?.depth;
  }

  /** By the grants of members: a later one overrides an earlier one for the members below it. */
  allows(member: Member): boolean {
    const grants = this.#granted();
    let allowed = !grants.some(({ access }) => access === 'all');
    for (const grant of grants) {
      if (isWithin(member, grant.member)) allowed = grant.access === 'all';
      else if (grant.access === 'all' && isWithin(grant.member, member)) allowed = true;
    }
    return allowed;
  }

  /** Whether a grant is about something below the member. */
  divides(member: Member): boolean {
    return this.#granted().some((grant) => grant.member !== member && isWithin(grant.member, member));
  }

  #granted(): readonly { readonly member: Member; readonly access: 'all' | 'none' }[] {
    if (this.#members !== undefined) return this.#members;
    const all = new VisibleMembers(this.#tree);
    this.#members = this.#grant.members.flatMap(({ member, access }) => {
      const found = memberNamed(this.#hierarchy, all, member);
      return found === undefined ? [] : [{ member: found, access }];
    });
    return this.#members;
  }
}

function memberNamed(hierarchy: Hierarchy, members: VisibleMembers, text: string): Member | undefined {
  let names = segmentsOf(text) ?? [text];
  const prefixes = [hierarchy.name, hierarchy.dimension.name, hierarchy.model?.name ?? ''].map((name) =>
    name.toLowerCase(),
  );
  while (names.length > 1 && prefixes.includes((names[0] ?? '').toLowerCase())) names = names.slice(1);
  const level = hierarchy.levels.find(({ name }) => name.toLowerCase() === names[0]?.toLowerCase());
  if (level !== undefined && names.length === 2) {
    return members.inLevel(level, 'name', names[1] ?? '');
  }
  let found: Member | undefined;
  for (const name of names) {
    found = members.child(found, name);
    if (found === undefined) return undefined;
  }
  return found;
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

  readonly passes = (member: Member): boolean =>
    this.#grants.some((grant) => grant.isAboveTop(member.level) && grant.allows(member));

  seesLevel(level: Level): boolean {
    return this.#grants.some((grant) => grant.inLevels(level));
  }

  restriction(member: Member, children: (of: Member) => readonly Member[]): TupleSet | 'hidden' | undefined {
    if (this.#grants.some(({ policy }) => policy === 'full')) return undefined;
    const parts = this.visibleParts(member, children);
    return parts !== undefined && this.#grants.every(({ policy }) => policy === 'hidden') ? 'hidden' : parts;
  }

  visibleParts(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    if (this.#parts.has(member)) return this.#parts.get(member);
    const found = this.#partsOf(member, children);
    this.#parts.set(member, found);
    return found;
  }

  #partsOf(member: Member, children: (of: Member) => readonly Member[]): TupleSet | undefined {
    if (!this.#divides(member) && this.#allows(member)) return undefined;
    const parts: Member[] = [];
    let whole = true;
    const visit = (at: Member): void => {
      if (!this.#divides(at)) {
        if (this.#allows(at)) parts.push(at);
        else whole = false;
      } else for (const child of children(at)) visit(child);
    };
    visit(member);
    return whole ? undefined : parts.map((part) => [part]);
  }

  #divides(member: Member): boolean {
    return this.#grants.some((grant) => grant.divides(member));
  }
  #allows(member: Member): boolean {
    return this.#grants.some((grant) => grant.allows(member));
  }
}
