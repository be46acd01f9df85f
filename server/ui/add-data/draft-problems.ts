/** Describes what a draft lacks before it can be published. */
import { msg, str } from '../words/words.ts';
import type { Draft, Guess } from './draft.ts';

/** Describes the errors of a draft; an empty list where it can be published. */
export function findDraftProblems({ cubes }: Draft): readonly string[] {
  const kept = cubes.filter(({ isKept }) => isKept);
  if (kept.length === 0) return [msg('Keep at least one cube.')];
  return kept.flatMap((cube) => [
    ...(cube.measures.some(({ isKept }) => isKept) ? [] : [msg(str`${cube.name}: keep at least one measure.`)]),
    ...findNameProblems(cube.name, MEASURE_NAMES, cube.measures),
    ...findNameProblems(cube.name, DIMENSION_NAMES, cube.dimensions),
  ]);
}

interface NameWords {
  readonly missing: (cube: string) => string;
  readonly repeated: (cube: string, name: string) => string;
}

const MEASURE_NAMES: NameWords = {
  missing: (cube) => msg(str`${cube}: a measure has no name.`),
  repeated: (cube, name) => msg(str`${cube}: two measures have the name “${name}”.`),
};

const DIMENSION_NAMES: NameWords = {
  missing: (cube) => msg(str`${cube}: a dimension has no name.`),
  repeated: (cube, name) => msg(str`${cube}: two dimensions have the name “${name}”.`),
};

function findNameProblems(cube: string, words: NameWords, guesses: readonly Guess[]): readonly string[] {
  const seen = new Set<string>();
  return guesses
    .filter(({ isKept }) => isKept)
    .flatMap(({ name }) => {
      const key = name.trim().toLowerCase();
      if (key === '') return [words.missing(cube)];
      if (seen.has(key)) return [words.repeated(cube, name.trim())];
      seen.add(key);
      return [];
    });
}
