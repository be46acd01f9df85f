/** Resolves names of a request to measures, hierarchies and levels. An unknown name is a mistake with its candidates. */
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';
import { match, nearestFirst, type ProblemList } from '../../../query-surface/index.ts';
import type {
  CubeMetadata,
  DimensionMetadata,
  HierarchyMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../../cube-metadata/cube-metadata.ts';
import { sameName } from '../../schema/mdx-name.ts';

export function findMeasure(
  name: string,
  { measures }: Pick<CubeMetadata, 'measures'>,
  path: RequestPath,
  mistakes: ProblemList,
): MeasureMetadata | undefined {
  return one(name, measures, path, 'measure', 'the cube', mistakes);
}

export interface Place {
  readonly dimension: DimensionMetadata;
  readonly hierarchy: HierarchyMetadata;
  /** `undefined` if the request names no level. */
  readonly level: LevelMetadata | undefined;
}

interface Reference {
  readonly dimension: string;
  readonly hierarchy?: string | undefined;
  readonly level?: string | undefined;
}

/**
 * Returns the hierarchy and level of a reference. Without `hierarchy`, it is the dimension's first hierarchy, unless
 * only another hierarchy has the level.
 */
export function findPlace(
  reference: Reference,
  view: CubeMetadata,
  path: RequestPath,
  mistakes: ProblemList,
): Place | undefined {
  const dimension = one(
    reference.dimension,
    view.dimensions,
    [...path, 'dimension'],
    'dimension',
    'the cube',
    mistakes,
  );
  if (dimension === undefined) return undefined;
  const [first, ...others] = dimension.hierarchies;
  const hierarchy =
    reference.hierarchy === undefined
      ? first
      : one(
          reference.hierarchy,
          dimension.hierarchies,
          [...path, 'hierarchy'],
          'hierarchy',
          `the dimension ${dimension.name}`,
          mistakes,
        );
  if (hierarchy === undefined) return undefined;
  const levelName = reference.level;
  if (levelName === undefined) return { dimension, hierarchy, level: undefined };
  const place = [...path, 'level'];
  const inHierarchy = match(levelName, hierarchy.levels);
  if (inHierarchy.kind !== 'none' || reference.hierarchy !== undefined) {
    const level = one(levelName, hierarchy.levels, place, 'level', `the hierarchy ${hierarchy.name}`, mistakes);
    return level === undefined ? undefined : { dimension, hierarchy, level };
  }
  const elsewhere = others.flatMap((other) => {
    const matched = match(levelName, other.levels);
    return matched.kind === 'one' ? [{ dimension, hierarchy: other, level: matched.item }] : [];
  });
  const [only, ...more] = elsewhere;
  if (only !== undefined && more.length === 0) return only;
  const where = `the dimension ${dimension.name}`;
  if (only === undefined) one(levelName, levelsByName(hierarchy, others), place, 'level', where, mistakes);
  else
    reportSeveral(
      levelName,
      elsewhere.map(({ level }) => level),
      place,
      where,
      mistakes,
    );
  return undefined;
}

/**
 * Lists the levels that a request may name without their hierarchy: the levels of the first hierarchy, and levels that
 * only one other hierarchy has.
 */
function levelsByName(first: HierarchyMetadata, others: readonly HierarchyMetadata[]): readonly LevelMetadata[] {
  const elsewhere = others.flatMap(({ levels }) => levels);
  const hasTwin = (level: LevelMetadata) =>
    [...first.levels, ...elsewhere].some((each) => each !== level && sameName(each.name, level.name));
  return [...first.levels, ...elsewhere.filter((level) => !hasTwin(level))];
}

interface Item {
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly uniqueName: string;
  readonly offered: boolean;
}

function one<Each extends Item>(
  name: string,
  items: readonly Each[],
  path: RequestPath,
  what: string,
  where: string,
  mistakes: ProblemList,
): Each | undefined {
  const matched = match(name, items);
  switch (matched.kind) {
    case 'one':
      return matched.item;
    case 'none': {
      mistakes.add(path, `There is no ${what} "${short(name)}" in ${where}.`, () =>
        nearestFirst(
          name,
          items.filter((item) => item.offered).map(({ name }) => name),
        ),
      );
      return undefined;
    }
    case 'several':
      reportSeveral(name, matched.items, path, where, mistakes);
      return undefined;
  }
}

function reportSeveral(
  name: string,
  items: readonly Item[],
  path: RequestPath,
  where: string,
  mistakes: ProblemList,
): void {
  const names = items.map(({ uniqueName }) => uniqueName);
  mistakes.add(path, `"${short(name)}" is a name of several of ${where}; give the unique name of one.`, names);
}
