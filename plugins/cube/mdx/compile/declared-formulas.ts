import { quoteName } from '../../schema/mdx-name.ts';
import type { Measure } from '../../schema/model.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Calculation } from '../metadata/member.ts';
import { type Hierarchy, type Level, Member, type TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';
import type { Expression, Identifier, MemberProperty, Segment } from '../syntax/ast.ts';
import { inSchemaFormula, MdxError, type Position, withPosition } from '../syntax/errors.ts';
import { unparseSegments } from '../syntax/unparse.ts';
import { type Calc, containsCall, setCalc } from './calc.ts';
import { Compiler, named } from './compiler.ts';
import { namesakeOf, scalarOf, setOf } from './conversions.ts';
import { elementOf, typeName } from './expression-types.ts';
import { validMeasureOnlyIn } from './independent-measures.ts';
import { lookUp, lookUpMember } from './look-up-name.ts';
import { asScalar } from './overload.ts';
import type { NamedSet, Scope } from './scope.ts';
import { contributingMeasuresOf } from './stored-measures.ts';

/** Calculated members and named sets: from their declaration to what evaluates them. */

export interface MemberDeclaration {
  readonly name: Identifier;
  /** The hierarchy that has it at its root, where that is known; `undefined`: its name says it. */
  readonly hierarchy?: Hierarchy | undefined;
  readonly value: Expression;
  readonly properties: readonly MemberProperty[];
  readonly caption?: string | undefined;
  /** The line of the schema that declares it; `undefined`: the query does. */
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

function declaredPlace(scope: Scope, { name: { segments, position }, hierarchy: own }: MemberDeclaration): Place {
  const last = segments.at(-1);
  const above: readonly Segment[] = segments.slice(0, -1);
  if (last?.kind !== 'name') throw new MdxError('A calculated member needs a name.', position);
  if (own !== undefined) return root(own, last.name);
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

/** Of a calculated member that is a whole number and has no format of its own. */
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
  #lookingBehind = false;
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
    this.#usesNonEmpty = false; // A formula that leads back to itself adds nothing.
    const calc = this.compile();
    const found =
      containsCall(calc, ({ isNonEmpty, resolvesAtRuntime }) => isNonEmpty === true || resolvesAtRuntime === true) ||
      membersIn(calc).some((each) => each.calculation?.usesNonEmpty?.());
    this.#usesNonEmpty = found;
    return found;
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
    if (this.#lookingBehind) return undefined; // A formula that leads back to itself.
    this.#lookingBehind = true;
    try {
      return contributingMeasuresOf(this.compile());
    } finally {
      this.#lookingBehind = false;
    }
  }

  validMeasureOnly(): readonly Measure[] | undefined {
    if (this.#lookingBehind) return undefined;
    this.#lookingBehind = true;
    try {
      return validMeasureOnlyIn(this.compile());
    } finally {
      this.#lookingBehind = false;
    }
  }

  /** Returns the value of a property that is written as a text. */
  literal(name: string): string | undefined {
    const expression = this.#property(name);
    return expression?.kind === 'string' ? expression.value : undefined;
  }

  /**
   * Compiles the formula.
   *
   * @throws MdxError where it is wrong or defined by itself
   */
  compile(): Calc {
    if (this.#calc !== undefined) return this.#calc;
    const { name, schemaLine } = this.#declaration;
    if (schemaLine === undefined) return this.#compile();
    return inSchemaFormula(`calculated member '${unparseSegments(name.segments)}'`, schemaLine, () => this.#compile());
  }

  /** Compiles the formula and its properties, so that a mistake in them is reported even when no cell needs them. */
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

  /** Finds its own format; without one that of whole numbers, if it is one; for a measure the first found in its formula. */
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
    let sought = false;
    return (evaluator) => {
      if (sought) return undefined; // Two formulas that lead to each other have no format.
      sought = true;
      try {
        for (const member of membersIn(this.compile())) {
          const format = ownFormat(member, evaluator);
          if (format !== undefined) return format;
        }
        return undefined;
      } finally {
        sought = false;
      }
    };
  }
}

/** Returns the format that a member has of itself. Of stored members only measures have one; an empty one is one too. */
function ownFormat({ measure, calculation }: Member, evaluator: Evaluator): string | undefined {
  if (measure !== undefined) return measure.formatString ?? '';
  return calculation?.formatString(evaluator);
}

/** Returns the members an expression names, in the order in which they stand. */
function membersIn(calc: Calc): readonly Member[] {
  const own = calc.kind === 'member' && calc.constant !== undefined ? [calc.constant] : [];
  return [...own, ...calc.parts.flatMap(membersIn)];
}

function numberIn(expression: Expression): number {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'call' && expression.name === '-' && expression.args[0]?.kind === 'number') {
    return -expression.args[0].value;
  }
  if (expression.kind === 'string' && !Number.isNaN(Number(expression.value))) return Number(expression.value);
  throw new MdxError('SOLVE_ORDER must be a number.', expression.position);
}

/** Returns whether a calculated member's formula leads to a set, by named sets and other calculated members. */
function reaches(member: Member, target: Calc): boolean {
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

/** Compiles the declarations, so that a mistake in a formula is reported even when no cell needs it. */
export function compileMember(member: Member): void {
  if (member.calculation instanceof Formula) member.calculation.compile();
}

/** Compiles what is declared, with the properties that are expressions. */
export function compileWhole(member: Member): void {
  if (member.calculation instanceof Formula) member.calculation.compileAll();
}

/** Adds the set to the scope; it is computed once a query, in the query's own context. */
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
            (member) => reaches(member, inner),
            () => tuples(evaluator),
          ),
        );
        calc = named(name, { ...evaluated, dependsOn: 0n });
        return calc;
      } finally {
        compiling = false;
      }
    },
  };
  scope.sets.set(name, set);
  return set;
}
