import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import { quoteName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { Value } from './value.ts';

/** The metadata of a cube at run time: objects that know each other, made once for a schema and a role. */

/** Name of a member without a key or a name, and name of a missing member. */
export const NAME_OF_NULL = '#null';

export class Dimension {
  readonly name: string;
  readonly uniqueName: string;
  readonly caption: string;
  readonly type: 'standard' | 'time' | 'measures';
  /** Filled while the cube is made; the first is meant where a hierarchy is needed and the dimension is named. */
  readonly hierarchies: Hierarchy[] = [];

  constructor(name: string, caption: string | undefined, type: Dimension['type']) {
    this.name = name;
    this.uniqueName = quoteName(name);
    this.caption = caption ?? name;
    this.type = type;
  }

  /** Returns the hierarchy that is meant where the dimension is named: the first that may be seen. */
  get mainHierarchy(): Hierarchy | undefined {
    return this.hierarchies.find(({ visible }) => visible);
  }
}

export class Hierarchy {
  readonly dimension: Dimension;
  readonly name: string;
  readonly uniqueName: string;
  readonly caption: string;
  /** Place among the cube's hierarchies; `[Measures]` is 0. Ties of solve order are decided by it. */
  readonly ordinal: number;
  readonly hasAll: boolean;
  readonly model: model.Hierarchy | undefined;
  /** Topmost first, the all level included. */
  readonly levels: Level[] = [];
  /** `.Parent` of a root: prints as `[#null]`, is empty as a value, and is dropped by sets. */
  readonly nullMember: Member;
  /** True when the role may name it. */
  visible = true;
  #source: MemberSource | undefined;
  #defaultMember: (() => Member) | undefined;

  constructor(
    dimension: Dimension,
    name: string,
    uniqueName: string,
    ordinal: number,
    of: model.Hierarchy | undefined,
  ) {
    this.dimension = dimension;
    this.name = name;
    this.uniqueName = uniqueName;
    this.caption = of?.caption ?? name;
    this.ordinal = ordinal;
    this.hasAll = of?.hasAll ?? false;
    this.model = of;
    this.nullMember = new Member(this, 'null', undefined, NAME_OF_NULL, { level: undefined });
    dimension.hierarchies.push(this);
  }

  /** Gives the hierarchy its members; called once, while the cube is made. */
  attach(source: MemberSource, defaultMember: () => Member): void {
    this.#source = source;
    this.#defaultMember = defaultMember;
  }

  get members(): MemberSource {
    if (this.#source === undefined) throw new Error(`The hierarchy ${this.uniqueName} has no members yet.`);
    return this.#source;
  }

  get defaultMember(): Member {
    return this.#defaultMember?.() ?? this.nullMember;
  }

  get isMeasures(): boolean {
    return this.dimension.type === 'measures';
  }
}

export class Level {
  readonly hierarchy: Hierarchy;
  readonly name: string;
  readonly uniqueName: string;
  readonly caption: string;
  /** 0 is the topmost. */
  readonly depth: number;
  readonly kind: 'all' | 'measures' | 'stored';
  readonly model: model.Level | undefined;
  /** The type of the key's column, once members have been read. */
  keyType: ScalarType = 'other';
  /** The type of the names' column, once members have been read. */
  nameType: ScalarType = 'other';
  /** Reports each part of its members' sort keys whether it runs from the biggest to the smallest. */
  descending: readonly boolean[] = [];

  constructor(hierarchy: Hierarchy, kind: Level['kind'], name: string, of: model.Level | undefined) {
    this.hierarchy = hierarchy;
    this.name = name;
    this.uniqueName = `${hierarchy.uniqueName}.${quoteName(name)}`;
    this.caption = of?.caption ?? name;
    this.depth = hierarchy.levels.length;
    this.kind = kind;
    this.model = of;
    hierarchy.levels.push(this);
  }

  get type(): model.LevelType {
    return this.model?.levelType ?? 'Regular';
  }

  get isParentChild(): boolean {
    return this.model?.parent !== undefined;
  }

  /**
   * Returns the levels with the keys that identify a member of this level: from the nearest one with unique members down to
   * this.
   */
  get keyLevels(): readonly Level[] {
    const above = this.above;
    if (this.model?.uniqueMembers || above === undefined || above.kind !== 'stored') return [this];
    return [...above.keyLevels, this];
  }

  get above(): Level | undefined {
    return this.hierarchy.levels[this.depth - 1];
  }
  get below(): Level | undefined {
    return this.hierarchy.levels[this.depth + 1];
  }
}

export type MemberKind = 'all' | 'stored' | 'data' | 'measure' | 'calculated' | 'null';

export interface MemberParts {
  readonly level: Level | undefined;
  readonly caption?: string | undefined;
  readonly key?: Scalar;
  /** Tells the member apart in statements and cells: its keys from the level whose members are unique down. */
  readonly cellKey?: string;
  readonly hidden?: boolean;
  readonly properties?: ReadonlyMap<string, Scalar>;
  readonly measure?: model.Measure;
  readonly calculation?: Calculation;
  /** The member it is shown in the place of, and equal to in sets. */
  readonly visualTotalOf?: Member;
  /** Of a visual total: the members it adds up. */
  readonly totalOf?: readonly Member[];
  /** Instead of the one made of the parent's and the name. */
  readonly uniqueName?: string;
}

let nextId = 1;

export class Member {
  /** Unique in the process: tuples and contexts are compared by it. */
  readonly id = nextId++;
  readonly hierarchy: Hierarchy;
  readonly kind: MemberKind;
  /** In the tree as it is stored, members that a ragged hierarchy hides included. */
  readonly treeParent: Member | undefined;
  readonly name: string;
  readonly uniqueName: string;
  /** Made by the formatter of its level when it was read, where there is one. */
  caption: string;
  readonly key: Scalar;
  readonly cellKey: string;
  readonly hidden: boolean;
  readonly properties: ReadonlyMap<string, Scalar>;
  readonly measure: model.Measure | undefined;
  readonly calculation: Calculation | undefined;
  /** Identifies a member in a set: its id, or the id of the member that it replaces. */
  readonly identity: number;
  /** The stored member that a visual total replaces. */
  readonly visualTotalOf: Member | undefined;
  /** The members that a visual total adds up; none of them is one itself. */
  readonly totalOf: readonly Member[] | undefined;
  /** Place among its siblings; -1 while some siblings are not loaded: `sortKey` then gives the order. */
  order = 0;
  /** Sort key of a stored member among its siblings; `undefined` for others. */
  sortKey: readonly Scalar[] | undefined;
  readonly #level: Level | undefined;

  constructor(hierarchy: Hierarchy, kind: MemberKind, parent: Member | undefined, name: string, parts: MemberParts) {
    this.hierarchy = hierarchy;
    this.kind = kind;
    this.treeParent = parent;
    this.name = name;
    const above =
      parent === undefined || (parent.kind === 'all' && kind !== 'calculated')
        ? hierarchy.uniqueName
        : parent.uniqueName;
    this.uniqueName = parts.uniqueName ?? `${above}.${quoteName(name)}`;
    this.caption = parts.caption ?? name;
    this.key = parts.key ?? null;
    this.cellKey = parts.cellKey ?? '';
    this.hidden = parts.hidden ?? false;
    this.properties = parts.properties ?? new Map();
    this.measure = parts.measure;
    this.calculation = parts.calculation;
    this.visualTotalOf = parts.visualTotalOf;
    this.totalOf = parts.totalOf;
    this.identity = parts.visualTotalOf?.identity ?? this.id;
    this.#level = parts.level;
  }

  get level(): Level {
    const level = this.#level ?? this.hierarchy.levels[0];
    if (level === undefined) throw new Error(`The hierarchy ${this.hierarchy.uniqueName} has no levels.`);
    return level;
  }

  /** Counts the steps from the root, hidden members counted. */
  get depth(): number {
    return this.treeParent === undefined ? 0 : this.treeParent.depth + 1;
  }

  get isNull(): boolean {
    return this.kind === 'null';
  }
}

export type Tuple = readonly Member[];
export type TupleSet = readonly Tuple[];

/**
 * Evaluation that computes a calculated member's value. Metadata know only its context; `evaluate/evaluator.ts` adds the
 * other calls to this interface.
 */
export interface Evaluator {
  /** The current member of each hierarchy, by ordinal; under a slicer of several tuples it may be the slicer's placeholder. */
  readonly context: readonly Member[];
}

/** How a calculated member gets its value. */
export interface Calculation {
  /** Cells at which several calculated members meet are computed by the one with the highest. */
  readonly solveOrder: number;
  readonly evaluate: (evaluator: Evaluator) => Value;
  /** Returns the format string at the current cell; `undefined` when neither it nor its formula has one. */
  readonly formatString: (evaluator: Evaluator) => string | undefined;
  /** Computes a property such as `FORE_COLOR` or a member property at the current cell. */
  readonly property: (name: string, evaluator: Evaluator) => Value | undefined;
  /** True when its formula contains a set that is non-empty by the query's measures. */
  readonly usesNonEmpty?: (() => boolean) | undefined;
  /** The tuples of the set, where it is nothing but the aggregate of one over members of its own hierarchy. */
  readonly aggregated?: ((evaluator: Evaluator) => TupleSet | undefined) | undefined;
  /** Stored measures without which it is empty; `undefined` where it may have a value all the same. */
  readonly contributingMeasures?: (() => readonly model.Measure[] | undefined) | undefined;
  /** The stored measures of a formula that has each of them in `ValidMeasure`; see `validMeasureOnlyIn`. */
  readonly validMeasureOnly?: (() => readonly model.Measure[] | undefined) | undefined;
  /** False for calculations the engine makes itself (visual totals, the members of a slicer set). */
  readonly declared: boolean;
}

/**
 * The members of a hierarchy as a caller may see them. Reads are synchronous; what is not in memory throws `DataNotLoaded`,
 * which the caller of the evaluation catches, loads and repeats.
 */
export interface MemberSource {
  /** Returns members without a visible parent. */
  roots(): readonly Member[];
  /** Returns the visible members below a member, in their order. */
  children(member: Member): readonly Member[];
  /** Returns the members below a member, including the ones that may not be seen. */
  storedChildren(member: Member): readonly Member[];
  /** Returns the visible parent, `undefined` for a root. */
  parent(member: Member): Member | undefined;
  /** Returns all members of a level in the order of the hierarchy. */
  members(level: Level): readonly Member[];
  /**
   * Returns the members that are reached from a member by steps to the side, itself included, in the order of the hierarchy.
   * They are the members of its level; in a parent-child level, the members at its depth.
   */
  peers(member: Member): readonly Member[];
  /** Returns the place of a member among its peers, or -1. */
  indexAmongPeers(member: Member): number;
  /**
   * Finds among the children of `parent` (or the roots) the one of that name, exactly or regardless of letter case; hidden ones are looked
   * through.
   *
   * @throws AmbiguousNameError where several have the name but for letter case, and none exactly
   */
  child(parent: Member | undefined, name: string): Member | undefined;
  /** Finds as `child` does, among members that may not be seen but stand in the unique names of those below them that may. */
  hiddenAncestor(parent: Member | undefined, name: string): Member | undefined;
  /** Returns whether the member itself may be seen. */
  sees(member: Member): boolean;
  /** Returns whether a query in FROM leaves out a member that the role may see: it may be named, and is nothing there. */
  leavesOut(member: Member): boolean;
  /** Finds the member that has the key written so (`&[1997]`) among the children of `parent`, or in `level`. */
  childByKey(parent: Member | undefined, key: string): Member | undefined;
  /** Finds in a level the first member that has the name, as `child` does, or the key. */
  inLevel(level: Level, by: 'name' | 'key', text: string): Member | undefined;
  /** Finds the members of a level whose name or caption contains the text, letter case ignored; so many at most. */
  search(level: Level, text: string, limit: number): readonly Member[];
  /** Returns whether a level has more members than are read without need. Of such a level `members` reads all the same. */
  isLarge(level: Level): boolean;
  /** Returns the members of a level with these cell keys, in any order, without missing and hidden ones. */
  byCellKeys(level: Level, cellKeys: readonly string[]): readonly Member[];
  /** Whether all that is stored can be seen, where it is stored: nothing is ragged, a tree of itself, or kept from the role. */
  readonly isPlain: boolean;
  /** Returns what a total is made of, where the role may not see all of it; see `HierarchyAccess`. */
  rollupMembers(member: Member): TupleSet | 'hidden' | undefined;
  /** Returns what of a member may be seen, whatever its total is made of; `undefined`: all of it. */
  visibleDescendants(member: Member): TupleSet | undefined;
  /** Returns whether a level has members that may be seen, as far as grants of levels decide. */
  seesLevel(level: Level): boolean;
  /** Returns the all member, whether or not it may be seen. */
  unrestrictedRoot(): Member | undefined;
  /** Returns the member's own data, without its descendants': of a parent-child hierarchy; elsewhere the member itself. */
  dataMember(member: Member): Member;
}
