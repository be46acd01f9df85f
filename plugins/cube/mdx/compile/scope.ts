import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import type { ScriptCalls } from '../storage/script-calls.ts';
import type { CallSyntax, Expression } from '../syntax/ast.ts';
import type { Calc, FunctionTraits, SetCalc } from './calc.ts';

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

/** Services that the compiler offers to a function besides its arguments. */
export interface BuildContext {
  readonly scope: Scope;
  /** Compiles MDX text that is found while evaluating, as in `StrToMember`. */
  compileText(text: string): Calc;
  /** What is compiled is such a text: it comes again each time it is evaluated. */
  readonly isText: boolean;
}

/**
 * A kind of argument: `set`, `member`, …; `value` is any scalar, `key` one or a
 * sort order, `any` is taken as it is. `?` may be left out, `*` may come
 * any number of times (both only at the end). A word in capitals, or several with `|`, is a symbol such as `DESC`.
 */
export type ParameterKind =
  | 'member'
  | 'tuple'
  | 'set'
  | 'level'
  | 'hierarchy'
  | 'dimension'
  | 'numeric'
  | 'string'
  | 'logical'
  | 'value'
  | 'key'
  | 'any'
  | 'empty';

export interface Parameter {
  readonly kind: ParameterKind | 'symbol';
  readonly symbols: readonly string[];
  readonly optional: boolean;
  readonly repeated: boolean;
}

export interface FunctionDefinition extends FunctionTraits {
  readonly name: string;
  readonly syntax: CallSyntax;
  readonly parameters: readonly Parameter[];
  readonly signature: string;
  /** One sentence for the table of functions. */
  readonly description: string;
  readonly build: (context: BuildContext, ...args: Calc[]) => Calc;
}

/** The functions that expressions may use, as the compiler looks them up. */
export interface FunctionTable {
  /** By name in capitals; several definitions of one name differ in syntax or arguments. */
  readonly byName: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** Names that after a dot are properties and not parts of a compound name. */
  readonly propertyNames: ReadonlySet<string>;
  /** The function that parentheses around sets mean. */
  readonly ofParentheses: FunctionDefinition | undefined;
  /** Words that some function takes as an argument, such as `DESC`. */
  readonly symbols: ReadonlySet<string>;
  /** One for each name, as it is written. */
  readonly names: readonly string[];
}

export interface ScopeOptions {
  readonly cube: RuntimeCube;
  readonly functions: FunctionTable;
  /** Values the caller gives to parameters, as MDX; by name in lower case. */
  readonly values?: ReadonlyMap<string, Expression> | undefined;
  /** Returns epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Name of the calling user. */
  readonly user?: string | undefined;
  /** Runs the schema's scripts; without it formulas are only compiled. */
  readonly scripts?: ScriptCalls | undefined;
}

/** Names that a query can use besides the cube's names. */
export class Scope {
  readonly #options: ScopeOptions;
  readonly cube: RuntimeCube;
  readonly functions: FunctionTable;
  /** Of the cube, then of the query; a later one hides an earlier one of the same name. */
  readonly #declared: Member[];
  /** Calculated measures of the schema that the role may not see: names in other formulas of the schema only. */
  readonly #hidden: Set<Member>;
  readonly sets: Map<string, NamedSet>;
  readonly aliases: Map<string, SetCalc>;
  readonly parameters: Map<string, DeclaredParameter>;
  /** Declarations of parameters anywhere in the query, by name in lower case: a reference may stand before its own. */
  readonly written: Map<string, Expression>;
  /** Parameters that a reference before their declaration has declared. */
  readonly declaredByReference: Set<string>;
  /** Values the caller gives to parameters, as MDX; by name in lower case. */
  readonly values: ReadonlyMap<string, Expression>;
  /** Measures the query names on its axes and in its slicer: what decides whether a tuple is empty. */
  readonly queryMeasures: Set<Member>;
  readonly clock: () => number;
  /** Name of the calling user. */
  readonly user: string;
  readonly scripts: ScriptCalls | undefined;
  /** True for formulas of the schema: their author may use measures that the role may not see. */
  readonly isSchemas: boolean;

  /**
   * Makes a scope. With `shared` what is declared in one is declared in the other; then one of them is the schema's.
   */
  constructor(options: ScopeOptions, shared?: Scope) {
    this.#declared = shared === undefined ? [] : shared.#declared;
    this.#hidden = shared === undefined ? new Set() : shared.#hidden;
    this.sets = shared?.sets ?? new Map();
    this.aliases = shared?.aliases ?? new Map();
    this.parameters = shared?.parameters ?? new Map();
    this.written = shared?.written ?? new Map();
    this.declaredByReference = shared?.declaredByReference ?? new Set();
    this.queryMeasures = shared?.queryMeasures ?? new Set();
    this.isSchemas = shared !== undefined && !shared.isSchemas;
    this.#options = options;
    this.cube = options.cube;
    this.functions = options.functions;
    this.values = options.values ?? new Map();
    this.clock = options.clock ?? Date.now;
    this.user = options.user ?? '';
    this.scripts = options.scripts;
  }

  /** Returns the scope of the schema's formulas. */
  forSchema(): Scope {
    return this.isSchemas ? this : new Scope(this.#options, this);
  }

  /** Returns the scope of what the caller writes: the query, values of parameters, texts that name members. */
  forQuery(): Scope {
    return this.isSchemas ? new Scope(this.#options, this) : this;
  }

  /** Returns the measure that stands where a query names none: a stored one, or the calculated one that a virtual cube says. */
  get defaultMeasure(): Member {
    const { measures, model } = this.cube;
    const calculated =
      model.defaultCalculation === undefined
        ? undefined
        : this.calculatedChild(measures, undefined, model.defaultCalculation);
    return calculated ?? measures.defaultMember;
  }

  /** Returns the calculated members in order of declaration. */
  get calculated(): readonly Member[] {
    if (this.isSchemas || this.#hidden.size === 0) return this.#declared;
    return this.#declared.filter((member) => !this.#hidden.has(member));
  }

  /** Adds a calculated member; one of the same name hides those before it. */
  declare(member: Member): void {
    this.#declared.push(member);
    if (this.isSchemas && member.hierarchy.isMeasures && !member.hierarchy.members.sees(member))
      this.#hidden.add(member);
  }

  /** Returns the calculated members below a parent (`undefined` or the all member: at the root), in order of declaration. */
  calculatedBelow(hierarchy: Hierarchy, parent: Member | undefined): readonly Member[] {
    const root = parent === undefined || parent.kind === 'all';
    return this.calculated.filter(
      (member) =>
        member.hierarchy === hierarchy &&
        (root ? member.treeParent === undefined || member.treeParent.kind === 'all' : member.treeParent === parent),
    );
  }

  /** Returns the calculated members of a level, in order of declaration. */
  calculatedIn(level: Level): readonly Member[] {
    return this.calculated.filter((member) => member.level === level);
  }

  /**
   * Finds the calculated member of a name below a parent, exactly or regardless of letter case; of several the one declared last.
   *
   * @throws AmbiguousNameError where several have the name but for letter case, and none exactly
   */
  calculatedChild(hierarchy: Hierarchy, parent: Member | undefined, name: string): Member | undefined {
    return oneNamed(this.calculatedBelow(hierarchy, parent).toReversed(), name);
  }
}
