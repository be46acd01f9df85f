/** Converts a cube of a cube schema to a semantic model. */

import { type Cube, readSchema, type Schema } from '../../cube/index.ts';
import type { OsiModel } from '../../semantic/index.ts';
import { type Conversion, type ConversionProblem, present } from '../conversion.ts';
import { addFields } from './fields.ts';
import { isMeasures, metricsOf } from './measures.ts';
import { SchemaSql } from './schema-sql.ts';
import { Star } from './star.ts';

export interface CubeOptions {
  /** The cube to convert; may be absent where the schema has one. */
  readonly cube?: string | undefined;
  /** The engine's name in the schema (such as `mysql`). Its SQL is preferred where the schema has several texts. */
  readonly dialect?: string | undefined;
}

export function convertCube(
  { name: file, text }: { readonly name: string; readonly text: string },
  { cube: cubeName, dialect }: CubeOptions = {},
): Conversion {
  const { schema, problems: readProblems } = readSchema(text);
  const problems: ConversionProblem[] = readProblems.map(({ severity, line, message }) => ({
    severity,
    file,
    line,
    message,
  }));
  if (schema === undefined) return { model: undefined, problems };
  const fail = (message: string): Conversion => ({
    model: undefined,
    problems: [...problems, { severity: 'error', file, line: undefined, message }],
  });
  const [only, ...others] =
    cubeName === undefined ? schema.cubes : schema.cubes.filter(({ name }) => name === cubeName);
  const names = schema.cubes.map(({ name }) => name).join(', ');
  if (only === undefined) return fail(`There is no cube ${cubeName ?? ''} in the schema; it has: ${names}.`);
  if (others.length > 0) return fail(`The schema has several cubes; name one with --cube: ${names}.`);
  const warn = (line: number, message: string) => problems.push({ severity: 'warning', file, line, message });
  const model = modelOf(only, new SchemaSql(dialect), warn);
  warnOmitted(only, schema, warn);
  return { model, problems: problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0)) };
}

function modelOf(cube: Cube, sql: SchemaSql, warn: (line: number, message: string) => void): OsiModel {
  const star = new Star(cube, sql, warn);
  const columns = new Map<string, Set<string>>();
  const metrics = metricsOf(cube, star, sql, columns, warn);
  addFields(cube, star, columns, sql, warn);
  return present({
    name: cube.name,
    description: cube.description,
    datasets: star.datasets(),
    relationships: star.relationships(),
    metrics,
  });
}

/** Warns of elements that a semantic document cannot contain. */
function warnOmitted(cube: Cube, { roles }: Schema, warn: (line: number, message: string) => void): void {
  for (const { name, hierarchy, line } of cube.calculatedMembers) {
    if (!isMeasures(hierarchy))
      warn(line, `calculated member ${name} of ${hierarchy}: left out: only measures can be computed.`);
  }
  for (const { name, line } of cube.namedSets) warn(line, `named set ${name}: left out.`);
  for (const { name, line } of roles) {
    warn(line, `role ${name}: left out: say who may see what in the document (roles in the SERVICE extension).`);
  }
}
