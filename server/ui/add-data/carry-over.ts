import { chooseUse } from './column-uses.ts';
import type { Draft } from './draft.ts';

/** Applies to a new draft what the user has changed in the one before: uses of columns, names, aggregations, and what is kept. */
export function carryOver(before: Draft, after: Draft): Draft {
  const used = (before.uses ?? []).reduce(chooseUse, after);
  return {
    ...used,
    cubes: used.cubes.map((cube) => {
      const old = before.cubes.find(({ factTable }) => factTable === cube.factTable);
      if (old === undefined) return cube;
      return {
        ...cube,
        isKept: old.isKept,
        measures: cube.measures.map((measure) => {
          const same = old.measures.find((each) => each.column === measure.column && each.raw.name === measure.name);
          if (same === undefined) return measure;
          const { name, aggregator, weight, isKept } = same;
          return { ...measure, name, aggregator, weight, isKept };
        }),
        dimensions: cube.dimensions.map((dimension) => {
          const same = old.dimensions.find(
            (each) => each.table === dimension.table && each.raw.name === dimension.name,
          );
          return same === undefined ? dimension : { ...dimension, name: same.name, isKept: same.isKept };
        }),
      };
    }),
  };
}
