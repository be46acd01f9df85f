import { findNamed, segmentsOf } from '../mdx-name.ts';
import type { Cube, Schema } from '../model.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { isMeasures } from './find-elements.ts';

/**
 * Returns the schema with the exact name of each cube's default measure; in an ordinary cube it is a stored measure. If
 * a cube names a missing measure, the default is `undefined`: queries then use the first stored measure, and a warning
 * says so.
 */
export function withDefaultMeasures(schema: Schema, problems: Problems): Schema {
  return {
    ...schema,
    cubes: schema.cubes.map((cube) => {
      const defaultCalculation = defaultCalculationOf(cube);
      const defaultMeasure = defaultCalculation === undefined ? defaultMeasureOf(cube, problems) : undefined;
      return { ...cube, defaultMeasure, defaultCalculation };
    }),
  };
}

/** Returns the default measure of a virtual cube if it is calculated. In an ordinary cube, it is stored. */
function defaultCalculationOf({
  virtual,
  defaultMeasure: written,
  measures,
  calculatedMembers,
}: Cube): string | undefined {
  if (!virtual || written === undefined) return undefined;
  const name = segmentsOf(written)?.at(-1) ?? written;
  const calculated = calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  const called = findNamed([...measures, ...calculated], name);
  return calculated.find((member) => member === called)?.name;
}

function defaultMeasureOf(cube: Cube, problems: Problems): string | undefined {
  const { defaultMeasure: written, measures, calculatedMembers } = cube;
  if (written === undefined) return undefined;
  const name = segmentsOf(written)?.at(-1) ?? written;
  const stored = findNamed(measures, name);
  if (stored !== undefined) return stored.name;
  const calculated = calculatedMembers.filter(({ hierarchy }) => isMeasures(hierarchy));
  const [first] = measures.filter(({ implied }) => !implied);
  const instead = first === undefined ? '' : ` The first measure, "${first.name}", takes its place.`;
  problems.warn(
    cube,
    findNamed(calculated, name) !== undefined
      ? `The default measure "${written}" is calculated; only a stored measure can be the default.${instead}`
      : `The default measure "${written}" is not in the cube.${instead}${suggestion(
          name,
          measures.map((measure) => measure.name),
        )}`,
  );
  return undefined;
}
