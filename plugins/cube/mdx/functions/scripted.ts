import type { Schema, ScriptFunction } from '../../schema/model.ts';
import { MAX_SCRIPT_SET } from '../../scripts/limits.ts';
import type { ScriptValue } from '../../scripts/script.ts';
import { type Calc, scalarCalc, valueDependencies } from '../compile/calc.ts';
import { memberOf, scalarOf, setOf } from '../compile/conversions.ts';
import { define } from '../compile/define.ts';
import { isScalar, LOGICAL, NUMERIC, STRING, type Type, typeName, VALUE } from '../compile/expression-types.ts';
import { functionTable } from '../compile/function-table.ts';
import type { FunctionDefinition, FunctionTable } from '../compile/scope.ts';
import type { Evaluator } from '../evaluate/evaluator.ts';
import { scriptMember, scriptValue } from '../metadata/script-member.ts';
import { MdxError, MdxLimitError } from '../syntax/errors.ts';
import { ALL_FUNCTIONS, FUNCTIONS } from './all-functions.ts';

/** Functions that a schema defines as scripts. */

const TABLES = new WeakMap<Schema, FunctionTable>();

/** Returns the functions for queries of a schema: the engine's functions and the schema's own. */
export function functionsOf(schema: Schema): FunctionTable {
  if (schema.functions.length === 0) return FUNCTIONS;
  let table = TABLES.get(schema);
  if (table === undefined) {
    // A schema cannot redefine a function of the language.
    const scriptFunctions = schema.functions.filter(({ name }) => !FUNCTIONS.byName.has(name.toUpperCase()));
    table = functionTable([...ALL_FUNCTIONS, ...scriptFunctions.map(scripted)]);
    TABLES.set(schema, table);
  }
  return table;
}

function scripted({ name, description, script }: ScriptFunction): FunctionDefinition {
  const what = `The function "${name}" of the schema`;
  return define({
    name,
    syntax: 'function',
    parameters: 'any*',
    description: description ?? 'A function of the schema.',
    build: ({ scope: { scripts } }, ...args) => {
      if (scripts === undefined) return scalarCalc(VALUE, args, () => null); // The formula is only compiled, not evaluated.
      const { parameters, returns } = scripts.signature(script, what);
      if (parameters.length !== args.length) throw noMatch(name, args, parameters);
      const read = args.map(
        (arg, index) => argumentOf(arg, parameters[index] ?? 'ScalarType') ?? fail(name, args, parameters),
      );
      const calc = scalarCalc(RETURNS[returns] ?? VALUE, args, (evaluator) =>
        scripts.call(
          script,
          what,
          read.map((each) => each(evaluator)),
        ),
      );
      return { ...calc, dependsOn: args.reduce((all, arg) => all | valueDependencies(arg), calc.dependsOn) };
    },
  });
}

const RETURNS: Readonly<Record<string, Type>> = {
  NumericType: NUMERIC,
  IntegerType: NUMERIC,
  DecimalType: NUMERIC,
  StringType: STRING,
  BooleanType: LOGICAL,
};

type Read = (evaluator: Evaluator) => ScriptValue;

/** Returns how an argument is read for a type of parameter; `undefined` if its kind does not fit. */
function argumentOf(arg: Calc, type: string): Read | undefined {
  const { kind } = arg.type;
  const isMember = ['member', 'hierarchy', 'dimension', 'level'].includes(kind);
  switch (type) {
    case 'NumericType':
    case 'IntegerType':
    case 'DecimalType':
      return kind === 'string' || kind === 'logical' || kind === 'set' ? undefined : scalar(arg);
    case 'StringType':
      return kind === 'numeric' || kind === 'logical' || kind === 'set' ? undefined : scalar(arg);
    case 'MemberType': {
      if (!isMember) return undefined;
      const member = memberOf(arg);
      return (evaluator) => scriptMember(member(evaluator));
    }
    case 'SetType':
    case 'TupleType': {
      if (kind !== 'set' && kind !== 'tuple' && !isMember) return undefined;
      const set = setOf(arg);
      return (evaluator) => {
        const tuples = set(evaluator);
        if (tuples.length > MAX_SCRIPT_SET)
          throw new MdxLimitError(`A function of the schema is given a set of more than ${MAX_SCRIPT_SET} tuples.`);
        const [first] = tuples;
        const isOfMembers = type === 'SetType' && (first?.length ?? 1) === 1;
        const shown = tuples.map((tuple) => (isOfMembers ? scriptMember(tuple[0]) : tuple.map(scriptMember)));
        return type === 'SetType' ? shown : (shown[0] ?? null);
      };
    }
    default:
      return kind === 'set' ? undefined : scalar(arg);
  }
}

function scalar(arg: Calc): Read | undefined {
  if (!isScalar(arg.type) && arg.kind === 'set') return undefined;
  const value = scalarOf(arg);
  return (evaluator) => scriptValue(value(evaluator));
}

function fail(name: string, args: readonly Calc[], parameters: readonly string[]): never {
  throw noMatch(name, args, parameters);
}

function noMatch(name: string, args: readonly Calc[], parameters: readonly string[]): MdxError {
  const argumentTypes = args.map(({ type }) => typeName(type)).join(', ');
  return new MdxError(`No function matches signature '${name}(${argumentTypes})'`, undefined, [
    `${name}(${parameters.map((type) => type.replace(/Type$/, '')).join(', ')})`,
  ]);
}
