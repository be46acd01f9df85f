import { type Calc, depending, scalarCalc, valueDependencies } from './calc.ts';
import { asMembers, namesakeOf, scalarOf } from './conversions.ts';
import { type Kind, type Type, VALUE } from './expression-types.ts';
import type { FunctionDefinition, Parameter } from './scope.ts';

/**
 * The cost of converting an argument's kind to a parameter's kind. 0 is a perfect match. Without an entry, the argument
 * does not fit.
 */
const COSTS: Readonly<Record<Exclude<Parameter['kind'], 'symbol' | 'key' | 'any'>, Partial<Record<Kind, number>>>> = {
  member: { member: 0, hierarchy: 1, dimension: 1, null: 5 },
  tuple: { tuple: 0, member: 1, hierarchy: 2, dimension: 2, null: 5 },
  set: { set: 0, member: 2, tuple: 2, hierarchy: 3, dimension: 3 },
  // A member as a level argument means its level.
  level: { level: 0, member: 7 },
  hierarchy: { hierarchy: 0, dimension: 1, level: 1, member: 1 },
  dimension: { dimension: 0, hierarchy: 1, level: 1, member: 1 },
  numeric: { numeric: 0, value: 1, null: 1, datetime: 2, member: 4, tuple: 4, hierarchy: 5, dimension: 5 },
  string: { string: 0, value: 1, null: 1, member: 5, tuple: 5, hierarchy: 6, dimension: 6 },
  logical: { logical: 0, value: 1, null: 1, numeric: 2, member: 6, tuple: 6, hierarchy: 7, dimension: 7 },
  value: {
    value: 0,
    numeric: 0,
    string: 0,
    logical: 0,
    datetime: 0,
    null: 1,
    member: 3,
    tuple: 3,
    hierarchy: 4,
    dimension: 4,
  },
  empty: { empty: 0 },
};

function costOf(type: Type, parameter: Parameter): number | undefined {
  if (type.kind === 'empty' && parameter.optional) return 0;
  if (parameter.kind === 'symbol') {
    return type.kind === 'symbol' && parameter.symbols.includes(type.name) ? 0 : undefined;
  }
  if (parameter.kind === 'any' || parameter.kind === 'key') return type.kind === 'empty' ? undefined : 0;
  return COSTS[parameter.kind][type.kind];
}

/** Returns the parameter for the argument at `index`. */
export function parameterAt(parameters: readonly Parameter[], index: number): Parameter | undefined {
  const last = parameters.at(-1);
  return parameters[index] ?? (last?.repeated ? last : undefined);
}

function totalCost({ parameters }: FunctionDefinition, types: readonly Type[]): number | undefined {
  const required = parameters.filter(({ optional }) => !optional).length;
  if (types.length < required) return undefined;
  let total = 0;
  for (const [index, type] of types.entries()) {
    const parameter = parameterAt(parameters, index);
    const cost = parameter === undefined ? undefined : costOf(type, parameter);
    if (cost === undefined) return undefined;
    total += cost;
  }
  return total;
}

interface Choice {
  readonly definition: FunctionDefinition;
  readonly args: readonly Calc[];
  readonly cost: number;
}

/**
 * Returns the definition that needs the least conversion, with its arguments. The first of equals is chosen. A name
 * that a level and a member share becomes the member if that needs less conversion.
 */
export function chooseOverload(
  candidates: readonly FunctionDefinition[],
  args: readonly Calc[],
): Pick<Choice, 'definition' | 'args'> | undefined {
  const asNamed = leastCost(candidates, args);
  if (asNamed?.cost === 0) return asNamed;
  const namesakes = args.map(namesakeOf);
  const replaced = namesakes.flatMap((namesake, index) => (namesake === undefined ? [] : [args.with(index, namesake)]));
  const all = args.map((arg, index) => namesakes[index] ?? arg);
  let best = asNamed;
  for (const meant of replaced.length > 1 ? [...replaced, all] : replaced) {
    const choice = leastCost(candidates, meant);
    if (choice !== undefined && choice.cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = choice;
  }
  return best;
}

function leastCost(candidates: readonly FunctionDefinition[], args: readonly Calc[]): Choice | undefined {
  const types = args.map(({ type }) => type);
  let best: Choice | undefined;
  for (const definition of candidates) {
    const cost = totalCost(definition, types);
    if (cost !== undefined && cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { definition, args, cost };
  }
  return best;
}

/** Returns whether the parameter is a value. A member as its argument means the value of its cell. */
export function isScalarKind(kind: Parameter['kind']): boolean {
  return kind === 'numeric' || kind === 'string' || kind === 'logical' || kind === 'value';
}

/** Converts the arguments to the parameters' kinds: a member as a value argument becomes the value of its cell. */
export function convertArguments({ parameters }: FunctionDefinition, args: readonly Calc[]): Calc[] {
  return args.map((arg, index) => {
    const kind = parameterAt(parameters, index)?.kind;
    if (kind !== undefined && isScalarKind(kind)) return asScalar(arg);
    return kind === 'member' || kind === 'tuple' || kind === 'set' ? asMembers(arg) : arg;
  });
}

/** Converts an argument to a value. A member or tuple becomes the value of its cell. */
export function asScalar(argument: Calc): Calc {
  const arg = asMembers(argument);
  if (arg.kind === 'scalar' || arg.kind === 'mark' || arg.kind === 'set') return arg;
  return depending(scalarCalc(VALUE, [arg], scalarOf(arg)), valueDependencies(arg));
}
