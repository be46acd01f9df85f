import { type Calc, constantValue } from '../compile/calc.ts';
import { define } from '../compile/define.ts';
import type { Compiled } from '../compile/parameter.ts';
import { declareParameter, schemaParameter } from '../compile/parameter.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { VALUE } from '../compile/types.ts';
import { MdxError } from '../syntax/errors.ts';
import { requireArg } from './required.ts';

/** Parameters: values that a query declares and its caller may set. */

function nameOf(arg: Calc | undefined): string {
  const calc = requireArg(arg);
  if (calc.kind === 'scalar' && typeof calc.constant === 'string') return calc.constant;
  throw new MdxError('The name of a parameter must be a text.');
}

/** Settings of a connection that a query could once ask for; none is shown. */
const HIDDEN = new Set([
  'provider',
  'jdbc',
  'jdbcdrivers',
  'jdbcuser',
  'jdbcpassword',
  'catalog',
  'catalogcontent',
  'cataloglocation',
  'datasource',
  'role',
]);

const declaration: FunctionDefinition['build'] = (context, name, type, value) =>
  declareParameter(context, nameOf(name), requireArg(type), requireArg(value));

export const PARAMETER_FUNCTIONS: readonly FunctionDefinition[] = [
  define(
    'Parameter',
    'function',
    'string NUMERIC|STRING|INTEGER|DATETIME value string?',
    'A parameter of a scalar type with its default value.',
    declaration,
  ),
  define(
    'Parameter',
    'function',
    'string hierarchy any string?',
    'A parameter that is a member of a hierarchy.',
    declaration,
  ),
  define(
    'ParamRef',
    'function',
    'string',
    'A parameter that the query or the schema declares.',
    ({ scope, compileText }, arg) => {
      const name = nameOf(arg);
      const known: Compiled | undefined = scope.parameters.get(name.toLowerCase());
      if (known !== undefined) return known.calc;
      const ofSchema = scope.cube.schema.parameters.find((each) => each.name.toLowerCase() === name.toLowerCase());
      if (ofSchema !== undefined) return schemaParameter(scope, ofSchema, compileText);
      if (HIDDEN.has(name.toLowerCase())) return constantValue(VALUE, null);
      throw new MdxError(`Unknown parameter '${name}'`);
    },
  ),
];
