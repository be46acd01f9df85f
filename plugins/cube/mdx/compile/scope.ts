import type { RuntimeCube } from '../cube/cube.ts';
import type { Hierarchy, Level, Member } from '../metadata/member.ts';
import { oneNamed } from '../metadata/name-matching.ts';
import type { ScriptCalls } from '../storage/script-calls.ts';
import type { CallSyntax, Expression } from '../syntax/ast.ts';
import type { Calc, FunctionTraits, SetCalc } from './calc.ts';

/** A named set of the query or the cube. It is compiled at its first use and evaluated once for each query. */
export interface NamedSet {
  readonly name: string;
  readonly calc: () => SetCalc;
}

/** A parameter, as its first use declares it: `Parameter("P", NUMERIC, 1, "…")`. */
export interface DeclaredParameter {
  readonly name: string;
  readonly calc: Calc;
}

/** Services that the compiler offers to the builder of a function, besides the arguments. */
export interface BuildContext {
  readonly scope: Scope;
  /** Compiles MDX text that exists only during evaluation, as for `StrToMember`. */
  compileText(text: string): Calc;
  /** True for such a text. It is compiled again at each evaluation. */
  readonly isText: boolean;
}

/**
 * A kind of argument: `set`, `member`, …. `value` is any scalar, `key` a scalar or a sort order, and `any` is not
 * converted. `?` marks an optional argument, `*` an argument that may be repeated (both only at the end). A word in
 * capitals, or several words with `|`, is a symbol such as `DESC`.
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

/** The functions that expressions may use, indexed for the compiler. */
export interface FunctionTable {
  /** Definitions by name in capitals. Definitions of the same name differ in syntax or arguments. */
  readonly byName: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** Names that are properties after a dot, and not parts of a compound name. */
  readonly propertyNames: ReadonlySet<string>;
  /** The function that parentheses around sets call. */
  readonly ofParentheses: FunctionDefinition | undefined;
  /** Symbols that some function accepts as an argument, such as `DESC`. */
  readonly symbols: ReadonlySet<string>;
  /** Each name once, as its first definition writes it. */
  readonly names: readonly string[];
}

export interface ScopeOptions {
  readonly cube: RuntimeCube;
  readonly functions: FunctionTable;
  /** The caller's values of parameters as MDX, by name in lower case. */
  readonly values?: ReadonlyMap<string, Expression> | undefined;
  /** Returns the current time in epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Name of the calling user. */
  readonly user?: string | undefined;
  /** Runs the schema's scripts. Absent if formulas are only compiled. */
  readonly scripts?: ScriptCalls | undefined;
}

/** The names that a query can use besides the cube's names. */
export class Scope {
  readonly #options: ScopeOptions;
  readonly cube: RuntimeCube;
  readonly functions: FunctionTable;
  /** Calculated members of the cube, then of the query. A later one hides an earlier one of the same name. */
  readonly #declared: Member[];
  /** Calculated measures of the schema that the role may not see. Only other formulas of the schema may use them. */
  readonly #hidden: Set<Member>;
  readonly sets: Map<string, NamedSet>;
  readonly aliases: Map<string, SetCalc>;
  readonly parameters: Map<string, DeclaredParameter>;
  /**
   * Declarations of parameters anywhere in the query, by name in lower case. A reference may precede its declaration.
   */
  readonly written: Map<string, Expression>;
  /** Parameters that were declared by an earlier reference. */
  readonly declaredByReference: Set<string>;
  /** The caller's values of parameters as MDX, by name in lower case. */
  readonly values: ReadonlyMap<string, Expression>;
  /** The measures that the query names on its axes and in its slicer. They decide whether a tuple is empty. */
  readonly queryMeasures: Set<Member>;
  readonly clock: () => number;
  /** Name of the calling user. */
  readonly user: string;
  readonly scripts: ScriptCalls | undefined;
  /** True in formulas of the schema. Their author may use measures that the role may not see. */
  readonly isSchemaScope: boolean;

  /** Creates a scope. With `shared`, both scopes share all declarations, and one of them is the schema's scope. */
  constructor(options: ScopeOptions, shared?: Scope) {
    this.#declared = shared === undefined ? [] : shared.#declared;
    this.#hidden = shared === undefined ? new Set() : shared.#hidden;
    this.sets = shared?.sets ?? new Map();
    this.aliases = shared?.aliases ?? new Map();
    this.parameters = shared?.parameters ?? new Map();
    this.written = shared?.written ?? new Map();
    this.declaredByReference = shared?.declaredByReference ?? new Set();
    this.queryMeasures = shared?.queryMeasures ?? new Set();
    this.isSchemaScope = shared !== undefined && !shared.isSchemaScope;
    this.#options = options;
    this.cube = options.cube;
    this.functions = options.functions;
    this.values = options.values ?? new Map();
    this.clock = options.clock ?? Date.now;
    this.user = options.user ?? '';
    this.scripts = options.scripts;
  }

  /** Returns the scope for formulas of the schema. */
  forSchema(): Scope {
    return this.isSchemaScope ? this : new Scope(this.#options, this);
  }

  /** Returns the scope for texts of the caller: the query, values of parameters, and texts that name members. */
  forQuery(): Scope {
    return this.isSchemaScope ? new Scope(this.#options, this) : this;
  }

  /**
   * Returns the measure of a query that names none: a stored measure, or the calculated one that a virtual cube names.
   */
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
    if (this.isSchemaScope || this.#hidden.size === 0) return this.#declared;
    return this.#declared.filter((member) => !this.#hidden.has(member));
  }

  /** Adds a calculated member. It hides earlier members of the same name. */
  declare(member: Member): void {
    this.#declared.push(member);
    if (this.isSchemaScope && member.hierarchy.isMeasures && !member.hierarchy.members.sees(member))
      this.#hidden.add(member);
  }

  /**
   * Returns the calculated members below a parent in the order of declaration. `undefined` and the all member both
   * stand for the root.
   */
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
   * Finds the calculated member of a name below a parent, exactly or in any letter case. Of several with the same name,
   * finds the one declared last.
   *
   * @throws AmbiguousNameError if several match in letter case only
   */
  calculatedChild(hierarchy: Hierarchy, parent: Member | undefined, name: string): Member | undefined {
    return oneNamed(this.calculatedBelow(hierarchy, parent).toReversed(), name);
  }
}
