import type { RuntimeCube } from '../catalog/cube.ts';
import type { Hierarchy, Level, Member } from '../catalog/member.ts';
import type { Expression } from '../parser/ast.ts';
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
  readonly calculated: Member[] = [];
  readonly sets = new Map<string, NamedSet>();
  readonly aliases = new Map<string, SetCalc>();
  readonly parameters = new Map<string, DeclaredParameter>();
  /** Values the caller gives to parameters, as MDX; by name in lower case. */
  readonly values: ReadonlyMap<string, Expression>;
  /** Measures the query names on its axes and in its slicer: what decides whether a tuple is empty. */
  readonly queryMeasures = new Set<Member>();
  readonly clock: () => number;
  /** Who asks, by name. */
  readonly user: string;

  constructor(cube: RuntimeCube, values: ReadonlyMap<string, Expression>, clock: () => number, user = '') {
    this.cube = cube;
    this.values = values;
    this.clock = clock;
    this.user = user;
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
