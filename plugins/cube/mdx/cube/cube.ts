import { LRUCache } from 'lru-cache';
import { InternalError } from '../../../../router/errors.ts';
import type { RollupUse } from '../../../query-surface/index.ts';
import { segmentsOf } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { ScriptRunner } from '../../scripts/script.ts';
import { MAX_SUBCUBES } from '../limits.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import { FactGroup } from '../metadata/fact-group.ts';
import type { HierarchyAccess } from '../metadata/hierarchy-access.ts';
import { MeasureMembers } from '../metadata/measures.ts';
import { Dimension, Hierarchy, Level, type Member, type MemberSource, type TupleSet } from '../metadata/member.ts';
import { storedPaths } from '../metadata/stored-name.ts';
import {
  bothAccesses,
  type MemberRestriction,
  RestrictedAccess,
  restrictionsKey,
} from '../security/member-restriction.ts';
import { VisibleMembers } from '../security/reachable-members.ts';
import { Role, rolesKey } from '../security/role-access.ts';
import { accessWithin, type Subspace } from '../security/subspace.ts';
import { CellReader } from '../storage/cell-reader.ts';
import type { CellStore } from '../storage/cell-store.ts';
import { FactTables } from '../storage/fact-tables.ts';
import { MemberTree } from '../storage/member-tree.ts';
import { MdxError } from '../syntax/errors.ts';

export interface CubeOptions {
  readonly schema: model.Schema;
  readonly cube: model.Cube;
  readonly warehouse: EngineWarehouse;
  /** The maximum number of members of one level. */
  readonly maxMembers: number;
  /** The maximum number of stored cells that one query loads. */
  readonly maxCells: number;
  /** A level with more members is read in parts. */
  readonly largeLevel: number;
  /** Keeps cells between queries. */
  readonly store: CellStore;
  /** True if the warehouse may compute sets where the result is exact. */
  readonly pushdown: boolean;
  /** The parts of the cube that queries in FROM select, outermost last. If empty, the whole cube is visible. */
  readonly subspaces?: readonly Subspace[] | undefined;
  /** Names of the caller's roles. The caller sees what any of them sees. `undefined` sees everything. */
  readonly roles: readonly string[] | undefined;
  /** Further lists of roles, each of which must see what the caller sees. */
  readonly withinRoles?: readonly (readonly string[])[] | undefined;
  /** Members that the caller is limited to. */
  readonly restrictions?: readonly MemberRestriction[] | undefined;
  /** Runs the schema's scripts. */
  readonly scripts: ScriptRunner;
  /** Returns whether an aggregate table may be read in place of the facts. Without it, none is read. */
  readonly useOf?: ((table: model.AggregateTable) => RollupUse) | undefined;
}

/**
 * A cube of a schema over a warehouse, as one set of roles sees it. Members and cells are read when needed and kept.
 */
export class RuntimeCube {
  readonly name: string;
  readonly schema: model.Schema;
  readonly model: model.Cube;
  readonly dimensions: readonly Dimension[];
  /** By ordinal; the first is `[Measures]`. */
  readonly hierarchies: readonly Hierarchy[];
  readonly groups: ReadonlyMap<string, FactGroup>;
  readonly store: CellStore;
  readonly pushdown: boolean;
  readonly warehouse: EngineWarehouse;
  readonly scripts: ScriptRunner;
  /** Chooses the tables that statements about facts read. */
  readonly facts: FactTables;
  /** True if a role limits the visible data. */
  readonly restricted: boolean;

  /** Restricts the facts: a row counts only if it is in at least one tuple of every set. */
  readonly rows: readonly TupleSet[];

  readonly #options: CubeOptions;
  readonly #subcubes = new LRUCache<string, RuntimeCube>({ max: MAX_SUBCUBES });
  readonly #trees: MemberTree[] = [];
  readonly #maxCells: number;
  readonly #scope: string;

  constructor(options: CubeOptions) {
    const { schema, cube, warehouse, maxMembers, largeLevel, roles, withinRoles = [], subspaces = [] } = options;
    const { restrictions = [] } = options;
    this.#options = options;
    this.rows = subspaces.flatMap(({ rows }) => rows);
    this.store = options.store;
    this.pushdown = options.pushdown && subspaces.length === 0;
    this.scripts = options.scripts;
    this.facts = new FactTables(options.useOf);
    this.#maxCells = options.maxCells;
    this.#scope = JSON.stringify([cube.name, accessKey(options), ...(subspaces.length === 0 ? [] : [nextSubcube++])]);
    const lists = [roles, ...withinRoles].filter((names) => names !== undefined);
    const roleSets = lists.map((names) => new Role(schema, cube, names));
    this.restricted = roleSets.length > 0 || restrictions.length > 0;
    this.name = cube.name;
    this.schema = schema;
    this.model = cube;
    this.warehouse = warehouse;
    const dimensions: Dimension[] = [];
    const hierarchies: Hierarchy[] = [];
    const measures = new Dimension('Measures', schema.measuresCaption, 'measures');
    dimensions.push(measures);
    hierarchies.push(measuresHierarchy(measures, cube, roleSets, subspaces));
    for (const of of cube.dimensions) {
      const dimension = new Dimension(of.name, of.caption, of.type);
      dimensions.push(dimension);
      for (const hierarchy of of.hierarchies) {
        hierarchies.push(storedHierarchy(dimension, hierarchy, hierarchies.length));
      }
    }
    const groups = cube.measureGroups.map((group) => new FactGroup(group, hierarchies));
    const [firstGroup] = groups;
    const limiting: RestrictedAccess[] = [];
    const isLimited = ({ model: of }: Hierarchy) => restrictions.some((each) => each.hierarchy === of?.uniqueName);
    for (const hierarchy of hierarchies.slice(1)) {
      const group = groups.find((each) => each.reaches(hierarchy)) ?? firstGroup;
      if (group === undefined)
        throw new MdxError(`The cube '${cube.name}' has no facts: it has no measure of a base cube.`);
      // A name that only facts of others have is no member. A hierarchy that limits the caller has its own names.
      const isOfVisibleFacts = restrictions.length > 0 && !isLimited(hierarchy) && group.contains(hierarchy);
      const tree = new MemberTree({
        hierarchy,
        fact: group.model.fact,
        visibleFacts: isOfVisibleFacts ? () => ({ group, rows: limiting.map((limit) => limit.members()) }) : undefined,
        warehouse,
        maxMembers,
        largeLevel,
        scripts: this.scripts,
      });
      this.#trees.push(tree);
      const limits = restrictions
        .filter((each) => each.hierarchy === hierarchy.model?.uniqueName)
        .map((each) => new RestrictedAccess(each, hierarchy, tree));
      limiting.push(...limits);
      const access = [...accessesTo(roleSets, hierarchy, tree), ...limits].reduce<HierarchyAccess | undefined>(
        bothAccesses,
        undefined,
      );
      const within = accessWithin(subspaces, hierarchy, access);
      const members = new VisibleMembers(tree, access);
      hierarchy.visible = roleSets.every((role) => role.sees(hierarchy));
      const seen = within === undefined ? members : new VisibleMembers(tree, within, members);
      hierarchy.attach(seen, defaultMemberOf(hierarchy, tree));
    }
    this.dimensions = dimensions;
    this.hierarchies = hierarchies;
    this.groups = new Map(groups.map((group) => [group.name, group]));
  }

  /**
   * Returns the part of the cube that a query in FROM selects. The same key returns the same object while it is kept.
   */
  within(subspace: Subspace, key: string): RuntimeCube {
    const subcube = this.#subcubes.get(key);
    if (subcube !== undefined) return subcube;
    const subspaces = [...(this.#options.subspaces ?? []), subspace];
    const made = new RuntimeCube({ ...this.#options, subspaces });
    this.#subcubes.set(key, made);
    return made;
  }

  /** Opens a reader of the cube's cells for one query. */
  openCells(): CellReader {
    return new CellReader({
      warehouse: this.warehouse,
      groups: this.groups,
      store: this.store,
      scope: this.#scope,
      maxCells: this.#maxCells,
      facts: this.facts,
    });
  }

  /** Returns the number of stored members in memory. */
  get memberCount(): number {
    const treeMembers = this.#trees.reduce((sum, { size }) => sum + size, 0);
    return [...this.#subcubes.values()].reduce((sum, { memberCount }) => sum + memberCount, treeMembers);
  }

  /** Stops the statements that are running. */
  close(): void {
    for (const tree of this.#trees) tree.close();
    for (const subcube of this.#subcubes.values()) subcube.close();
  }

  get measures(): Hierarchy {
    const [measures] = this.hierarchies;
    if (measures === undefined) throw new InternalError('A cube has measures.');
    return measures;
  }
}

/** Returns a text that is equal for the same access to a cube. */
export function accessKey({
  roles,
  withinRoles = [],
  restrictions = [],
}: Pick<CubeOptions, 'roles' | 'withinRoles' | 'restrictions'>): string {
  const ofRoles = rolesKey(roles);
  if (withinRoles.length === 0 && restrictions.length === 0) return ofRoles;
  return JSON.stringify([ofRoles, withinRoles.map(rolesKey), restrictionsKey(restrictions)]);
}

/** Lists what each list of roles restricts of a hierarchy. */
function accessesTo(
  roleSets: readonly Role[],
  hierarchy: Hierarchy,
  tree: MemberTree | undefined,
): readonly (HierarchyAccess | undefined)[] {
  return roleSets.map((role) => role.accessTo(hierarchy, tree));
}

/** Numbers the sub-cubes, so that each has its own cells. */
let nextSubcube = 1;

function measuresHierarchy(
  dimension: Dimension,
  cube: model.Cube,
  roleSets: readonly Role[],
  subspaces: readonly Subspace[],
): Hierarchy {
  const hierarchy = new Hierarchy(dimension, 'Measures', '[Measures]', 0, undefined);
  const level = new Level(hierarchy, 'measures', 'MeasuresLevel', undefined);
  const within = accessWithin(subspaces, hierarchy, undefined);
  const access = accessesTo(roleSets, hierarchy, undefined).reduce<HierarchyAccess | undefined>(
    bothAccesses,
    undefined,
  );
  const source = new MeasureMembers(hierarchy, level, cube.measures, access, within);
  const named = cube.defaultMeasure === undefined ? undefined : source.child(undefined, cube.defaultMeasure);
  const isLeft = named !== undefined && !source.leavesOut(named);
  const defaultMeasure = (isLeft ? named : undefined) ?? source.roots()[0] ?? hierarchy.nullMember;
  hierarchy.attach(source, () => defaultMeasure);
  return hierarchy;
}

function storedHierarchy(dimension: Dimension, of: model.Hierarchy, ordinal: number): Hierarchy {
  const name = dimension.name === of.name ? of.name : (segmentsOf(of.uniqueName)?.at(-1) ?? of.name);
  const hierarchy = new Hierarchy(dimension, name, of.uniqueName, ordinal, of);
  if (of.hasAll) new Level(hierarchy, 'all', of.allLevelName, undefined);
  for (const level of of.levels) new Level(hierarchy, 'stored', level.name, level);
  return hierarchy;
}

/**
 * Returns a function for the hierarchy's default member: the member that the schema names, or the first visible root.
 *
 * @throws DataNotLoaded until the members are read
 * @throws MdxError if the schema names a default member that does not exist
 */
function defaultMemberOf(hierarchy: Hierarchy, tree: MemberTree): () => Member {
  let member: Member | undefined;
  return () => {
    member ??= namedDefault(hierarchy, tree) ?? firstVisible(hierarchy);
    return member;
  };
}

/** Returns the only root. If there are several, returns the total of all roots, even if the caller may not name it. */
function firstVisible(hierarchy: Hierarchy): Member {
  if (!hierarchy.visible)
    return hierarchy.members.unrestrictedRoot() ?? hierarchy.members.roots()[0] ?? hierarchy.nullMember;
  const roots = hierarchy.members.roots();
  const whole = roots.length > 1 && roots[0]?.kind !== 'all' ? hierarchy.members.unrestrictedRoot() : undefined;
  return whole ?? roots[0] ?? hierarchy.nullMember;
}

/** Returns the default member that the schema names; `undefined` if it names none, or if the role may not see it. */
function namedDefault(hierarchy: Hierarchy, tree: MemberTree): Member | undefined {
  const { defaultMember: text, line } = hierarchy.model ?? {};
  if (text === undefined) return undefined;
  const member = memberNamed(hierarchy, hierarchy.members, text);
  if (member !== undefined) return hierarchy.members.leavesOut(member) ? undefined : member;
  // Without this error, every total would silently include all members.
  if (memberNamed(hierarchy, new VisibleMembers(tree), text) === undefined)
    throw new MdxError(
      `The default member '${text}' of the hierarchy '${hierarchy.uniqueName}' (line ${line} of the schema) is not one of its members.`,
    );
  return undefined;
}

/** Finds the member that a text of the schema names. */
function memberNamed(hierarchy: Hierarchy, members: MemberSource, text: string): Member | undefined {
  for (const { level, names } of storedPaths(hierarchy, text)) {
    let member: Member | undefined;
    for (const [index, name] of names.entries()) {
      member = index === 0 && level !== undefined ? members.inLevel(level, 'name', name) : members.child(member, name);
      if (member === undefined) break;
    }
    if (member !== undefined) return member;
  }
  return undefined;
}
