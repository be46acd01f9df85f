import { CELL_FORMATTER_SCRIPT } from '../../schema/shared-elements/calculated.ts';
import { type Calc, type SetCalc, setCalc } from '../compile/calc.ts';
import { Compiler } from '../compile/compiler.ts';
import { asMembers, namesakeOf, setOf } from '../compile/conversions.ts';
import { compileMember, declareMember, declareSet } from '../compile/declared-formulas.ts';
import { elementOf, type MemberType, typeName } from '../compile/expression-types.ts';
import { axisProperties, type MemberPropertyColumn } from '../compile/member-properties.ts';
import { declareSchemaFormulas } from '../compile/schema-formulas.ts';
import { type NamedSet, Scope } from '../compile/scope.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { functionsOf } from '../functions/scripted.ts';
import type { ScriptCalls } from '../storage/script-calls.ts';
import type { Expression, Select } from '../syntax/ast.ts';
import { MdxError, type Position, withPosition } from '../syntax/errors.ts';
import { walk } from '../syntax/walk.ts';

export interface CompileOptions {
  /** Values of parameters as MDX expressions, by name in lower case. */
  readonly parameters?: ReadonlyMap<string, Expression> | undefined;
  readonly clock: () => number;
  /** The calling user for `UserName()`. */
  readonly user?: string | undefined;
  /** Runs the schema's scripts. */
  readonly scripts?: ScriptCalls | undefined;
}

export interface CompiledAxis {
  readonly calc: SetCalc;
  readonly nonEmpty: boolean;
  /** The position of the axis's expression in the query. */
  readonly position: Position;
  /** The properties that DIMENSION PROPERTIES requests. */
  readonly properties: readonly MemberPropertyColumn[];
}

export interface CompiledQuery {
  readonly scope: Scope;
  readonly axes: readonly CompiledAxis[];
  readonly slicer: SetCalc | undefined;
  /** True if a member of the cube or the query has a script that formats its cells. */
  readonly hasCellFormatters: boolean;
}

/** Resolves all names of a query and chooses its functions. May throw `DataNotLoaded`. */
export function compileQuery(cube: RuntimeCube, query: Select, options: CompileOptions): CompiledQuery {
  const scope = new Scope({
    cube,
    functions: functionsOf(cube.schema),
    scripts: options.scripts,
    values: options.parameters,
    clock: options.clock,
    user: options.user,
  });
  noteParameters(query, scope);
  declareSchemaFormulas(scope);
  const sets: NamedSet[] = [];
  for (const formula of query.formulas) {
    if (formula.kind === 'set') {
      const name = formula.name.segments.map((segment) => (segment.kind === 'name' ? segment.name : '')).join('.');
      sets.push(declareSet(scope, name, formula.value));
    }
  }
  const members = query.formulas.flatMap((formula) =>
    formula.kind === 'member' ? [declareMember(scope, formula)] : [],
  );
  for (const member of members) compileMember(member);
  for (const set of sets) set.calc();
  const compiler = new Compiler(scope);
  const axes = query.axes.map(({ value, nonEmpty, dimensionProperties }, index) => {
    const calc = withPosition(value.position, () => axisSet(compiler.compile(value), `axis ${index}`));
    return {
      calc,
      nonEmpty,
      properties: axisProperties(scope, dimensionProperties, calc.type),
      position: value.position,
    };
  });
  const { slicer: where } = query;
  const slicer =
    where === undefined ? undefined : withPosition(where.position, () => slicerSet(compiler.compile(where)));
  checkHierarchies([
    ...axes,
    ...(slicer === undefined || where === undefined ? [] : [{ calc: slicer, position: where.position }]),
  ]);
  for (const calc of [...axes.map((axis): Calc => axis.calc), ...(slicer === undefined ? [] : [slicer])])
    noteMeasures(scope, calc);
  return { scope, axes, slicer, hasCellFormatters: hasCellFormatters(cube, query) };
}

function hasCellFormatters({ model: { measures, calculatedMembers } }: RuntimeCube, { formulas }: Select): boolean {
  const has = (properties: readonly { readonly name: string }[]) =>
    properties.some(({ name }) => name.toUpperCase() === CELL_FORMATTER_SCRIPT);
  return (
    [...measures, ...calculatedMembers].some(({ properties }) => has(properties)) ||
    formulas.some((formula) => formula.kind === 'member' && has(formula.properties))
  );
}

/** Notes the declarations of parameters in the text of a query, for references that precede them. */
function noteParameters({ formulas, axes, slicer }: Select, { written, functions }: Scope): void {
  const declares = (name: string) =>
    functions.byName.get(name.toUpperCase())?.some(({ declaresParameter }) => declaresParameter === true) === true;
  const expressions = [...formulas, ...axes].map(({ value }) => value);
  for (const expression of slicer === undefined ? expressions : [...expressions, slicer]) {
    walk(expression, (each) => {
      if (each.kind !== 'call' || !declares(each.name)) return;
      const [name] = each.args;
      if (name?.kind === 'string' && !written.has(name.value.toLowerCase()))
        written.set(name.value.toLowerCase(), each);
    });
  }
}

function axisSet(compiled: Calc, where: string): SetCalc {
  const calc = namesakeOf(compiled) ?? compiled;
  if (calc.kind === 'set') return calc;
  const element = elementOf(calc.type);
  if (element === undefined || calc.type.kind === 'level') {
    throw new MdxError(`No function matches signature '{${typeName(calc.type)}}' (on ${where})`);
  }
  const members = asMembers(calc);
  return setCalc({ kind: 'set', element }, [members], setOf(members));
}

function slicerSet(calc: Calc): SetCalc {
  if (calc.type.kind === 'null') throw new MdxError('Function does not support NULL member parameter');
  return axisSet(calc, 'the slicer');
}

/** Checks that each hierarchy is on one axis only, or in the slicer. */
function checkHierarchies(sets: readonly { readonly calc: SetCalc; readonly position: Position }[]): void {
  const seen = new Set<unknown>();
  for (const { calc, position } of sets) {
    const axisHierarchies = new Set(
      (calc.type.element ?? []).map(({ hierarchy }: MemberType) => hierarchy).filter((each) => each !== undefined),
    );
    for (const hierarchy of axisHierarchies) {
      if (seen.has(hierarchy)) {
        throw new MdxError(`Hierarchy '${hierarchy.uniqueName}' appears in more than one independent axis.`, position);
      }
      seen.add(hierarchy);
    }
  }
}

/** Notes the measures that axes and slicer name, also through named sets. */
function noteMeasures(scope: Scope, calc: Calc, seen = new Set<Calc>()): void {
  if (seen.has(calc)) return;
  seen.add(calc);
  if (calc.kind === 'member' && calc.constant?.hierarchy.isMeasures) scope.queryMeasures.add(calc.constant);
  // Conditions and sort keys are values, so their measures are not on the axis.
  const parts = calc.parts.slice(0, calc.call?.forwardsOnly);
  for (const part of parts) if (part.kind !== 'scalar') noteMeasures(scope, part, seen);
}
