/** The parts of a cube that a description shows: everything, or what a request names or seeks. */
import { containsWords, ProblemList, partsNamed } from '../../query-surface/index.ts';
import type { CubeMetadata, DimensionMetadata, MeasureMetadata } from '../cube-metadata/cube-metadata.ts';

export interface PartsRequest {
  readonly dimensions?: readonly string[] | undefined;
  readonly measures?: readonly string[] | undefined;
  readonly q?: string | undefined;
}

export interface ShownParts {
  readonly dimensions: readonly DimensionMetadata[];
  readonly measures: readonly MeasureMetadata[];
}

export const NO_PARTS: ShownParts = { dimensions: [], measures: [] };

/** Returns all parts of a cube that a caller is offered. */
export function allParts({ dimensions, measures }: CubeMetadata): ShownParts {
  return {
    dimensions: dimensions.filter(({ offered }) => offered),
    measures: measures.filter(({ offered }) => offered),
  };
}

/** Returns whether a request asks for parts. */
export function isForParts({ dimensions, measures, q }: PartsRequest): boolean {
  return dimensions !== undefined || measures !== undefined || q !== undefined;
}

/**
 * Returns the named parts, and the parts whose texts contain the sought words.
 *
 * @throws ValidationError for an unknown name, with the names that exist
 */
export function partsOf(view: CubeMetadata, { dimensions, measures, q }: PartsRequest): ShownParts {
  const problems = new ProblemList();
  const all = allParts(view);
  const namedDimensions = partsNamed(all.dimensions, dimensions, 'dimensions', problems);
  const namedMeasures = partsNamed(all.measures, measures, 'measures', problems);
  problems.throwAll();
  const has = q === undefined ? () => false : containsWords(q);
  const isSought = ({ name, caption, aliases, annotations }: Texts) =>
    has([name, caption, ...aliases, annotations.description]);
  const levelsOf = ({ hierarchies }: DimensionMetadata) => hierarchies.flatMap(({ levels }) => levels);
  return {
    dimensions: all.dimensions.filter(
      (dimension) => namedDimensions.includes(dimension) || isSought(dimension) || levelsOf(dimension).some(isSought),
    ),
    measures: all.measures.filter((measure) => namedMeasures.includes(measure) || isSought(measure)),
  };
}

interface Texts {
  readonly name: string;
  readonly caption: string;
  readonly aliases: readonly string[];
  readonly annotations: { readonly description?: string | undefined };
}
