import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Calc, SetCalc } from './calc.ts';

/** A named set of the query or the cube. Compiled when it is first used, evaluated once a query. */
export interface NamedSet {
  readonly name: string;
  readonly calc: () => SetCalc;
}

/** A parameter, as declared by its first use: `Parameter("P", NUMERIC, 1, "…")`. */
export interface DeclaredParameter {
  readonly name: string;
  readonly calc: Calc;
}

/** The names that a query can use besides those of the cube. */
export class Scope {
  readonly cube: RuntimeCube;
  /** Of the cube, then of the query; a later one hides an earlier one of the same name. */
  readonly #declared: Member[];
  /** Calculated measures of the schema that the role may not see: names in other formulas of the schema only. */
  readonly #hidden: Set<Member>;
  readonly sets: Map<string, NamedSet>;
  readonly aliases: Map<string, SetCalc>;
  readonly parameters: Map<string, DeclaredParameter>;
  /** Values the caller gives to parameters, as MDX; by name in lower case. */
  readonly values: ReadonlyMap<string, Expression>;
  /** Measures the query names on its axes and in its slicer: what decides whether a tuple is empty. */
  readonly queryMeasures: Set<Member>;
  readonly clock: () => number;
  /** Who asks, by name. */
  readonly user: string;
  /** Whether it is for formulas of the schema: their author may use measures that the role may not see. */
  readonly isSchemas: boolean;

  /** With `shared` what is declared in one is declared in the other; then one of them is the schema's. */
  constructor(
    cube: RuntimeCube,
    values: ReadonlyMap<string, Expression>,
    clock: () => number,
    user = '',
    shared?: Scope,
  ) {
    this.#declared = shared === undefined ? [] : shared.#declared;
    this.#hidden = shared === undefined ? new Set() : shared.#hidden;
    this.sets = shared?.sets ?? new Map();
    this.aliases = shared?.aliases ?? new Map();
    this.parameters = shared?.parameters ?? new Map();
    this.queryMeasures = shared?.queryMeasures ?? new Set();
    this.isSchemas = shared !== undefined && !shared.isSchemas;
    this.cube = cube;
    this.values = values;
    this.clock = clock;
    this.user = user;
  }

  /** The scope of the schema's formulas. */
  forSchema(): Scope {
    return this.isSchemas ? this : new Scope(this.cube, this.values, this.clock, this.user, this);
  }

  /** The scope of what the caller writes: the query, values of parameters, texts that name members. */
  forQuery(): Scope {
    return this.isSchemas ? new Scope(this.cube, this.values, this.clock, this.user, this) : this;
  }

  /** In order of declaration. */
  get calculated(): readonly Member[] {
    if (this.isSchemas || this.#hidden.size === 0) return this.#declared;
    return this.#declared.filter((member) => !this.#hidden.has(member));
  }

  declare(member: Member): void {
    this.#declared.push(member);
    if (this.isSchemas && member.hierarchy.isMeasures && !member.hierarchy.members.sees(member))
      this.#hidden.add(member);
  }

  /** Calculated members below a parent (`undefined` or the all member: at the root), in order of declaration. */
  calculatedBelow(hierarchy: Hierarchy, parent: Member | undefined): readonly Member[] {
    const root = parent === undefined || parent.kind === 'all';
    return this.calculated.filter(
      (member) =>
        member.hierarchy === hierarchy &&
        (root ? member.treeParent === undefined || member.treeParent.kind === 'all' : member.treeParent === parent),
    );
  }

  calculatedIn(level: Level): readonly Member[] {
    return this.calculated.filter((member) => member.level === level);
  }

  calculatedChild(hierarchy: Hierarchy, parent: Member | undefined, name: string): Member | undefined {
    const wanted = name.toLowerCase();
    return this.calculatedBelow(hierarchy, parent).findLast((member) => member.name.toLowerCase() === wanted);
  }
}
