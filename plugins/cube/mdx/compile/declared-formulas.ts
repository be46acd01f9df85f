import { once } from '../../../../router/once.ts';
import { quoteName } from '../../schema/mdx-name.ts';
import type { Measure } from '../../schema/model.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { MeasureArithmetic } from '../metadata/measure-arithmetic.ts';
import type { Calculation } from '../metadata/member.ts';
import { type Hierarchy, type Level, Member, type TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { Expression, Identifier, MemberProperty, Segment } from '../syntax/ast.ts';
import { inSchemaFormula, MdxError, type Position, withPosition } from '../syntax/errors.ts';
import { unparseSegments } from '../syntax/unparse.ts';
import { type Calc, containsCall, setCalc } from './calc.ts';
import { Compiler, withCursor } from './compiler.ts';
import { namesakeOf, scalarOf, setOf } from './conversions.ts';
import { elementOf, typeName } from './expression-types.ts';
import { validMeasureOnlyIn } from './independent-measures.ts';
import { lookUp, lookUpMember } from './look-up-name.ts';
import { arithmeticOf } from './measure-arithmetic.ts';
import { asScalar } from './overload.ts';
import type { NamedSet, Scope } from './scope.ts';
import { contributingMeasuresOf } from './stored-measures.ts';

/** Calculated members and named sets: compiles their declarations to calculations. */

export interface MemberDeclaration {
  readonly name: Identifier;
  /** The hierarchy whose root has the member. If absent, the member's name determines it. */
  readonly hierarchy?: Hierarchy | undefined;
  readonly value: Expression;
  readonly properties: readonly MemberProperty[];
  readonly caption?: string | undefined;
  /** The line in the schema. Absent if the query declares the member. */
  readonly schemaLine?: number | undefined;
}

interface Place {
  readonly hierarchy: Hierarchy;
  readonly parent: Member | undefined;
  readonly level: Level | undefined;
  readonly name: string;
}

/** Adds the member to the scope. Its formula is compiled when it is first needed, or by `compileAll`. */
export function declareMember(scope: Scope, declaration: MemberDeclaration): Member {
  const { hierarchy, parent, level, name } = declaredPlace(scope, declaration);
  const formula = new Formula(scope, declaration, hierarchy);
  const member = new Member(hierarchy, 'calculated', parent, name, {
    level,
    calculation: formula,
    caption: declaration.caption ?? formula.literal('CAPTION'),
  });
  scope.declare(member);
  return member;
}

function declaredPlace(scope: Scope, { name: { segments, position }, hierarchy }: MemberDeclaration): Place {
  const last = segments.at(-1);
  const above: readonly Segment[] = segments.slice(0, -1);
  if (last?.kind !== 'name') throw new MdxError('A calculated member needs a name.', position);
  if (hierarchy !== undefined) return root(hierarchy, last.name);
  const parent = above.length > 1 ? lookUpMember(scope, above) : undefined;
  if (parent !== undefined && parent.kind !== 'calculated') return below(parent, last.name, position);
  const element = above.length === 0 ? undefined : lookUp(scope, above);
  switch (element?.kind) {
    case 'dimension': {
      const hierarchy = element.dimension.mainHierarchy;
      if (hierarchy !== undefined) return root(hierarchy, last.name);
      break;
    }
    case 'hierarchy':
      return root(element.hierarchy, last.name);
    case 'level':
      return element.level.depth === 0 || element.level.above?.kind === 'all'
        ? { ...root(element.level.hierarchy, last.name), level: element.level }
        : root(element.level.hierarchy, last.name);
    case 'member':
      return below(element.member, last.name, position);
    case undefined:
      break;
  }
  throw new MdxError(
    `Unknown hierarchy or parent in calculated member '${unparseSegments(segments)}': MDX object '${unparseSegments(above)}' not found in cube '${scope.cube.name}'`,
    position,
  );
}

function root(hierarchy: Hierarchy, name: string): Place {
  return { hierarchy, parent: undefined, level: hierarchy.levels[0], name };
}

function below(parent: Member, name: string, position: Position): Place {
  if (parent.kind === 'calculated') {
    throw new MdxError(
      `The '${quoteName(name)}' calculated member cannot be created because its parent '${parent.uniqueName}' is calculated itself.`,
      position,
    );
  }
  const level = parent.level.isParentChild ? parent.level : parent.level.below;
  if (level === undefined) {
    throw new MdxError(
      `The '${quoteName(name)}' calculated member cannot be created because its parent is at the lowest level in the ${parent.hierarchy.uniqueName} hierarchy.`,
      position,
    );
  }
  return { hierarchy: parent.hierarchy, parent, level, name };
}

const DEFAULT_SOLVE_ORDER = 0;

/** The format of a calculated whole number without a format of its own. */
const INTEGER_FORMAT = '#,##0';

class Formula implements Calculation {
  readonly declared = true;
  readonly #scope: Scope;
  readonly #declaration: MemberDeclaration;
  readonly #hierarchy: Hierarchy;
  readonly #properties = new Map<string, Calc>();
  #calc: Calc | undefined;
  #evaluate: ((evaluator: Evaluator) => Value) | undefined;
  #format: ((evaluator: Evaluator) => string | undefined) | undefined;
  #compiling = false;
  #usesNonEmpty: boolean | undefined;
  #isFindingMeasures = false;
  readonly solveOrder: number;

  constructor(scope: Scope, declaration: MemberDeclaration, hierarchy: Hierarchy) {
    this.#scope = scope;
    this.#declaration = declaration;
    this.#hierarchy = hierarchy;
    const order = this.#property('SOLVE_ORDER');
    this.solveOrder = order === undefined ? DEFAULT_SOLVE_ORDER : numberIn(order);
  }

  evaluate(evaluator: Evaluator): Value {
    this.#evaluate ??= scalarOf(this.compile());
    return this.#evaluate(evaluator);
  }

  formatString(evaluator: Evaluator): string | undefined {
    this.#format ??= this.#findFormat();
    return this.#format(evaluator);
  }

  property(name: string, evaluator: Evaluator): Value | undefined {
    const upper = name.toUpperCase();
    const expression = this.#property(upper);
    if (expression === undefined) return undefined;
    return withPosition(expression.position, () => scalarOf(this.#compileProperty(upper, expression))(evaluator));
  }

  usesNonEmpty(): boolean {
    if (this.#usesNonEmpty !== undefined) return this.#usesNonEmpty;
    this.#usesNonEmpty = false; // A formula that refers to itself adds nothing.
    const calc = this.compile();
    const usesNonEmpty =
      containsCall(calc, ({ isNonEmpty, resolvesAtRuntime }) => isNonEmpty === true || resolvesAtRuntime === true) ||
      membersIn(calc).some((each) => each.calculation?.usesNonEmpty?.());
    this.#usesNonEmpty = usesNonEmpty;
    return usesNonEmpty;
  }

  aggregated(evaluator: Evaluator): TupleSet | undefined {
    const calc = this.compile();
    const [set, ...others] = calc.parts;
    if (calc.call?.shape !== 'aggregate' || set === undefined || others.length > 0) return undefined;
    const element = elementOf(set.type);
    if (element?.length !== 1 || element[0]?.hierarchy !== this.#hierarchy) return undefined;
    return evaluator.at([this.#hierarchy.defaultMember], setOf(set));
  }

  contributingMeasures(): readonly Measure[] | undefined {
    return this.#found(() => contributingMeasuresOf(this.compile()));
  }

  arithmetic(): MeasureArithmetic | undefined {
    return this.#found(() => arithmeticOf(this.compile()));
  }

  validMeasureOnly(): readonly Measure[] | undefined {
    return this.#found(() => validMeasureOnlyIn(this.compile()));
  }

  /** Searches the formula. Finds nothing in a formula that refers to itself. */
  #found<T>(search: () => T | undefined): T | undefined {
    if (this.#isFindingMeasures) return undefined;
    this.#isFindingMeasures = true;
    try {
      return search();
    } finally {
      this.#isFindingMeasures = false;
    }
  }

  /** Returns the value of a property that is a text literal. */
  literal(name: string): string | undefined {
    const expression = this.#property(name);
    return expression?.kind === 'string' ? expression.value : undefined;
  }

  /**
   * Compiles the formula.
   *
   * @throws MdxError if it is wrong or refers to itself
   */
  compile(): Calc {
    if (this.#calc !== undefined) return this.#calc;
    const { name, schemaLine } = this.#declaration;
    if (schemaLine === undefined) return this.#compile();
    return inSchemaFormula(`calculated member '${unparseSegments(name.segments)}'`, schemaLine, () => this.#compile());
  }

  /** Compiles the formula and its properties, so that a mistake in them is reported even if no cell needs them. */
  compileAll(): void {
    this.compile();
    const { name, schemaLine = 1, properties } = this.#declaration;
    const what = `a property of calculated member '${unparseSegments(name.segments)}'`;
    for (const property of properties) {
      inSchemaFormula(what, schemaLine, () => this.#compileProperty(property.name.toUpperCase(), property.value));
    }
  }

  #compile(): Calc {
    const { name, value } = this.#declaration;
    if (this.#compiling)
      throw new MdxError(`The formula of '${unparseSegments(name.segments)}' is defined by itself.`, name.position);
    this.#compiling = true;
    try {
      const compiled = new Compiler(this.#scope).compile(value, true);
      const calc = namesakeOf(compiled) ?? compiled;
      if (calc.kind === 'set' || calc.kind === 'level') {
        throw new MdxError(
          `Member expression '${unparseSegments(name.segments)}' must be a value or a member, not ${typeName(calc.type)}.`,
          name.position,
        );
      }
      this.#calc = asScalar(calc);
      return this.#calc;
    } finally {
      this.#compiling = false;
    }
  }

  #property(name: string): Expression | undefined {
    return this.#declaration.properties.findLast((property) => property.name.toUpperCase() === name)?.value;
  }

  #compileProperty(name: string, expression: Expression): Calc {
    const property = this.#properties.get(name);
    if (property !== undefined) return property;
    const calc = new Compiler(this.#scope).compile(expression, true);
    this.#properties.set(name, calc);
    return calc;
  }

  /**
   * Returns the format of the calculated member. The order is: its own format, the format of whole numbers, and for a
   * measure the first format in its formula.
   */
  #findFormat(): (evaluator: Evaluator) => string | undefined {
    for (const name of ['FORMAT_STRING', 'FORMAT']) {
      const expression = this.#property(name);
      if (expression === undefined) continue;
      const value = withPosition(expression.position, () => scalarOf(this.#compileProperty(name, expression)));
      return (evaluator) => {
        const result = value(evaluator);
        return result === null ? undefined : String(result);
      };
    }
    const { type } = this.compile();
    if (type.kind === 'numeric' && type.isInteger === true) return () => INTEGER_FORMAT;
    if (!this.#hierarchy.isMeasures) return () => undefined;
    const members = once(() => membersIn(this.compile()));
    let isSearching = false;
    return (evaluator) => {
      if (isSearching) return undefined; // Two formulas that refer to each other have no format.
      isSearching = true;
      try {
        for (const member of members()) {
          const format = memberFormat(member, evaluator);
          if (format !== undefined) return format;
        }
        return undefined;
      } finally {
        isSearching = false;
      }
    };
  }
}

/** Returns a member's own format. Of stored members, only measures have a format, which may be empty. */
function memberFormat({ measure, calculation }: Member, evaluator: Evaluator): string | undefined {
  if (measure !== undefined) return measure.formatString ?? '';
  return calculation?.formatString(evaluator);
}

/** Returns the members that an expression names, in the order of the text. */
function membersIn(calc: Calc): readonly Member[] {
  const constants = calc.kind === 'member' && calc.constant !== undefined ? [calc.constant] : [];
  return [...constants, ...calc.parts.flatMap(membersIn)];
}

function numberIn(expression: Expression): number {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'call' && expression.name === '-' && expression.args[0]?.kind === 'number') {
    return -expression.args[0].value;
  }
  if (expression.kind === 'string' && !Number.isNaN(Number(expression.value))) return Number(expression.value);
  throw new MdxError('SOLVE_ORDER must be a number.', expression.position);
}

/** Returns whether a calculated member's formula uses a set, also through named sets and other calculated members. */
function usesSet(member: Member, target: Calc): boolean {
  const seen = new Set<Calc>();
  const visit = (calc: Calc): boolean => {
    if (calc === target) return true;
    if (seen.has(calc)) return false;
    seen.add(calc);
    if (calc.parts.some(visit)) return true;
    return calc.kind === 'member' && calc.constant !== undefined && formula(calc.constant)?.some(visit) === true;
  };
  const formula = ({ calculation }: Member) => (calculation instanceof Formula ? [calculation.compile()] : undefined);
  return formula(member)?.some(visit) === true;
}

/** Compiles a member's formula, so that a mistake in it is reported even if no cell needs it. */
export function compileMember(member: Member): void {
  if (member.calculation instanceof Formula) member.calculation.compile();
}

/** Compiles a member's formula and all its properties. */
export function compileWhole(member: Member): void {
  if (member.calculation instanceof Formula) member.calculation.compileAll();
}

/** Adds the set to the scope. It is computed once for each query, in the query's own context. */
export function declareSet(scope: Scope, name: string, expression: Expression, schemaLine?: number): NamedSet {
  const identity = {};
  let calc: ReturnType<NamedSet['calc']> | undefined;
  let compiling = false;
  const set: NamedSet = {
    name,
    calc: () => {
      if (calc !== undefined) return calc;
      if (compiling) throw new MdxError(`The named set '${name}' is defined by itself.`, expression.position);
      compiling = true;
      try {
        const compiled = () => new Compiler(scope).compile(expression);
        const inner =
          schemaLine === undefined ? compiled() : inSchemaFormula(`named set '${name}'`, schemaLine, compiled);
        const element = elementOf(inner.type);
        if (inner.type.kind !== 'set') {
          throw new MdxError(
            `Set expression '${name}' must be a set, not ${typeName(inner.type)}.`,
            expression.position,
          );
        }
        const tuples = setOf(inner);
        const evaluated = setCalc({ kind: 'set', element }, [inner], (evaluator) =>
          evaluator.queryWide(
            identity,
            (member) => usesSet(member, inner),
            () => tuples(evaluator),
          ),
        );
        calc = withCursor(name, { ...evaluated, dependsOn: 0n });
        return calc;
      } finally {
        compiling = false;
      }
    },
  };
  scope.sets.set(name, set);
  return set;
}
