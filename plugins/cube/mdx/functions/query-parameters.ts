import { type Calc, constantValue } from '../compile/calc.ts';
import type { Compiled } from '../compile/declared-parameters.ts';
import {
  declareParameter,
  declareReferencedParameter,
  SCALAR_TYPES,
  schemaParameter,
} from '../compile/declared-parameters.ts';
import { type Build, define } from '../compile/define.ts';
import { VALUE } from '../compile/expression-types.ts';
import type { FunctionDefinition } from '../compile/scope.ts';
import { MdxError } from '../syntax/errors.ts';

/** Parameters: values that a query declares and its caller may set. */

function nameOf(calc: Calc): string {
  if (calc.kind === 'scalar' && typeof calc.constant === 'string') return calc.constant;
  throw new MdxError('The name of a parameter must be a text.');
}

/** Settings of a connection that queries of other servers may read. Their values are always empty here. */
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

const declaration: Build<'string any any string?'> = (context, name, type, value) =>
  declareParameter(context, nameOf(name), type, value);

export const PARAMETER_FUNCTIONS: readonly FunctionDefinition[] = [
  define({
    name: 'Parameter',
    syntax: 'function',
    parameters: `string ${SCALAR_TYPES} any string?`,
    description: 'A parameter of a scalar type with its default value.',
    declaresParameter: true,
    build: declaration,
  }),
  define({
    name: 'Parameter',
    syntax: 'function',
    parameters: 'string hierarchy any string?',
    description: 'A parameter that is a member of a hierarchy, with its default.',
    declaresParameter: true,
    build: declaration,
  }),
  define({
    name: 'ParamRef',
    syntax: 'function',
    parameters: 'string',
    description: 'A parameter that the query or the schema declares.',
    build: (context, arg) => {
      const { scope, compileText } = context;
      const name = nameOf(arg);
      const compiled: Compiled | undefined = scope.parameters.get(name.toLowerCase());
      if (compiled !== undefined) return compiled.calc;
      const ahead = declareReferencedParameter(context, name);
      if (ahead !== undefined) return ahead;
      const ofSchema = scope.cube.schema.parameters.find((each) => each.name.toLowerCase() === name.toLowerCase());
      if (ofSchema !== undefined) return schemaParameter(scope, ofSchema, compileText);
      if (HIDDEN.has(name.toLowerCase())) return constantValue(VALUE, null);
      throw new MdxError(`Unknown parameter '${name}'`);
    },
  }),
];
