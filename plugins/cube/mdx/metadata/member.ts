import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import { quoteName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { MeasureArithmetic } from './measure-arithmetic.ts';
import type { Value } from './value.ts';

/**
 * The metadata of a cube at run time. The objects refer to each other and are made once for a schema and a set of
 * roles.
 */

/** The name of a member without a key or a name, and of a missing member. */
export const NAME_OF_NULL = '#null';

export class Dimension {
  readonly name: string;
  readonly uniqueName: string;
  readonly caption: string;
  readonly type: 'standard' | 'time' | 'measures';
  /** Filled while the cube is made. The first visible hierarchy represents the dimension. */
  readonly hierarchies: Hierarchy[] = [];

  constructor(name: string, caption: string | undefined, type: Dimension['type']) {
    this.name = name;
    this.uniqueName = quoteName(name);
    this.caption = caption ?? name;
    this.type = type;
  }

  /** Returns the hierarchy that represents the dimension: the first visible one. */
  get mainHierarchy(): Hierarchy | undefined {
    return this.hierarchies.find(({ visible }) => visible);
  }
}

export class Hierarchy {
  readonly dimension: Dimension;
  readonly name: string;
  readonly uniqueName: string;
  readonly caption: string;
  /** The index among the cube's hierarchies. `[Measures]` is 0. Decides ties of solve orders. */
  readonly ordinal: number;
  readonly hasAll: boolean;
  readonly model: model.Hierarchy | undefined;
  /** The levels from the top, including the all level. */
  readonly levels: Level[] = [];
  /** The parent of a root. It is written as `[#null]`, is empty as a value, and sets drop it. */
  readonly nullMember: Member;
  /** True if the role may name the hierarchy. */
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

  /** Sets the members of the hierarchy. Called once, while the cube is made. */
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
  /** 0 is the topmost level. */
  readonly depth: number;
  readonly kind: 'all' | 'measures' | 'stored';
  readonly model: model.Level | undefined;
  /** The type of the key column. Set when members have been read. */
  keyType: ScalarType = 'other';
  /** The type of the name column. Set when members have been read. */
  nameType: ScalarType = 'other';
  /** For each part of a sort key, whether it is sorted in descending order. */
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
   * Returns the levels whose keys identify a member of this level: from the nearest level with unique members down to
   * this one.
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

/** How a hierarchy groups the facts: by the members of a level, or by the own data of parent-child members. */
export interface Grain {
  readonly level: Level;
  readonly data: boolean;
}

export type MemberKind = 'all' | 'stored' | 'data' | 'measure' | 'calculated' | 'null';

export interface MemberParts {
  readonly level: Level | undefined;
  readonly caption?: string | undefined;
  readonly key?: Scalar;
  /** Identifies the member in statements and cells: its keys from the nearest level with unique members down. */
  readonly cellKey?: string;
  readonly hidden?: boolean;
  readonly properties?: ReadonlyMap<string, Scalar>;
  readonly measure?: model.Measure;
  readonly calculation?: Calculation;
  /** The member that a visual total replaces, and equals in sets. */
  readonly visualTotalOf?: Member;
  /** The members that a visual total adds up. */
  readonly totalOf?: readonly Member[];
  /** Replaces the unique name that is made of the parent's and the name. */
  readonly uniqueName?: string;
}

let nextId = 1;

export class Member {
  /** Unique in the process. Used to compare tuples and contexts. */
  readonly id = nextId++;
  readonly hierarchy: Hierarchy;
  readonly kind: MemberKind;
  /** The parent in the stored tree, including members that a ragged hierarchy hides. */
  readonly treeParent: Member | undefined;
  readonly name: string;
  readonly uniqueName: string;
  /** If the level has a formatter, it makes the caption when the member is read. */
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
  /** The members that a visual total adds up. None of them is a visual total. */
  readonly totalOf: readonly Member[] | undefined;
  /** The index among its siblings. -1 while some siblings are not loaded; then `sortKey` gives the order. */
  order = 0;
  /** The sort key of a stored member among its siblings; `undefined` for other members. */
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

  /** Returns the number of steps from the root, including hidden members. */
  get depth(): number {
    return this.treeParent === undefined ? 0 : this.treeParent.depth + 1;
  }

  get isNull(): boolean {
    return this.kind === 'null';
  }

  /** Says whether the facts decide the cells at the member. */
  get isOfFacts(): boolean {
    return !this.isNull && this.calculation === undefined;
  }
}

export type Tuple = readonly Member[];
export type TupleSet = readonly Tuple[];

/**
 * The evaluation that computes a calculated member's value. Metadata need only its context; `evaluate/evaluator.ts`
 * adds the other members of this interface.
 */
export interface Evaluator {
  /**
   * The current member of each hierarchy by ordinal. With a slicer of several tuples, it may be the slicer's
   * placeholder.
   */
  readonly context: readonly Member[];
}

/** Computes the value of a calculated member. */
export interface Calculation {
  /** If a cell has several calculated members, the one with the highest solve order is computed. */
  readonly solveOrder: number;
  readonly evaluate: (evaluator: Evaluator) => Value;
  /** Returns the format string at the current cell; `undefined` if neither the member nor its formula has one. */
  readonly formatString: (evaluator: Evaluator) => string | undefined;
  /** Returns a property such as `FORE_COLOR`, or a member property, at the current cell. */
  readonly property: (name: string, evaluator: Evaluator) => Value | undefined;
  /** Returns whether the formula contains a set that is non-empty by the query's measures. */
  readonly usesNonEmpty?: (() => boolean) | undefined;
  /** Returns the tuples of the aggregated set if the formula is just the aggregate of a set of its own hierarchy. */
  readonly aggregated?: ((evaluator: Evaluator) => TupleSet | undefined) | undefined;
  /** Returns the stored measures that the member needs; `undefined` if it may have a value without them. */
  readonly contributingMeasures?: (() => readonly model.Measure[] | undefined) | undefined;
  /** Returns the formula if it is arithmetic of stored measures at the current cell. */
  readonly arithmetic?: (() => MeasureArithmetic | undefined) | undefined;
  /** Returns the stored measures of a formula that uses all of them in `ValidMeasure`; see `validMeasureOnlyIn`. */
  readonly validMeasureOnly?: (() => readonly model.Measure[] | undefined) | undefined;
  /** False for calculations that the engine makes: visual totals and placeholders of a slicer. */
  readonly declared: boolean;
}

/**
 * The members of a hierarchy that a caller may see. Reads are synchronous. They throw `DataNotLoaded` for members that
 * are not in memory; the caller of the evaluation loads the members and repeats it.
 */
export interface MemberSource {
  /** Returns the members without a visible parent. */
  roots(): readonly Member[];
  /** Returns the visible children of a member in their order. */
  children(member: Member): readonly Member[];
  /** Returns the children of a member, including hidden ones. */
  storedChildren(member: Member): readonly Member[];
  /** Returns the visible parent; `undefined` for a root. */
  parent(member: Member): Member | undefined;
  /** Returns all members of a level in hierarchy order. */
  members(level: Level): readonly Member[];
  /**
   * Returns the members that steps to the side reach from a member, including the member, in hierarchy order. They are
   * the members of its level, or in a parent-child level, the members at its depth.
   */
  peers(member: Member): readonly Member[];
  /** Returns the index of a member among its peers, or -1. */
  indexAmongPeers(member: Member): number;
  /**
   * Finds a child of `parent` (or a root) by its name, exactly or in any letter case. Searches below hidden members,
   * too.
   *
   * @throws AmbiguousNameError if several match in letter case only
   */
  child(parent: Member | undefined, name: string): Member | undefined;
  /** Finds as `child` does, among hidden members that are part of visible members' unique names. */
  hiddenAncestor(parent: Member | undefined, name: string): Member | undefined;
  /** Returns whether the role sees the member itself. */
  sees(member: Member): boolean;
  /**
   * Returns whether a query in FROM leaves out a member that the role sees. Such a member may be named, and is the null
   * member.
   */
  leavesOut(member: Member): boolean;
  /** Finds a child of `parent` by its written key (`&[1997]`). */
  childByKey(parent: Member | undefined, key: string): Member | undefined;
  /** Finds the first member of a level with the name, as `child` does, or with the key. */
  inLevel(level: Level, by: 'name' | 'key', text: string): Member | undefined;
  /** Finds up to `limit` members of a level whose name or caption contains the text in any letter case. */
  search(level: Level, text: string, limit: number): readonly Member[];
  /** Returns whether a level is too large to be read without need. `members` still reads it whole. */
  isLarge(level: Level): boolean;
  /**
   * Returns for each of `level.keyLevels` the number of different keys that the stored members of a level have, hidden ones too;
   * `undefined` where not all of them are in memory.
   */
  keyCounts(level: Level): readonly number[] | undefined;
  /** Returns the members of a level with these cell keys, in any order. Leaves out missing and hidden members. */
  byCellKeys(level: Level, cellKeys: readonly string[]): readonly Member[];
  /**
   * True if all stored members are visible at their stored position: the hierarchy is not ragged, not parent-child, and
   * not restricted by a role.
   */
  readonly isPlain: boolean;
  /** Returns the parts of a total that the role does not see whole; see `HierarchyAccess`. */
  rollupMembers(member: Member): TupleSet | 'hidden' | undefined;
  /** Returns the visible parts of a member, whatever its total consists of; `undefined` if all is visible. */
  visibleDescendants(member: Member): TupleSet | undefined;
  /** Returns whether the role sees members of a level, as far as grants of levels decide. */
  seesLevel(level: Level): boolean;
  /** Returns the all member, visible or not. */
  unrestrictedRoot(): Member | undefined;
  /**
   * Returns the data member of a parent-child member, which has its own data without descendants. Returns any other
   * member itself.
   */
  dataMember(member: Member): Member;
}
