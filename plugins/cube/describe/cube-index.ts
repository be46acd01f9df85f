/** The index of a cube: the names of everything. It is what an agent reads first. */
import { firstFitting, VALUES_IN_INDEX } from '../../query-surface/index.ts';
import type { CubeIndex, MemberEntry } from '../api/schemas.ts';
import type { CubeMetadata, DimensionMetadata, MeasureMetadata } from '../cube-metadata/cube-metadata.ts';
import { keyed } from './keyed.ts';
import { allParts } from './shown-parts.ts';

/** Names that the shortest form of an index lists of each kind. */
const MAX_LISTED_NAMES = 300;

type Samples = ReadonlyMap<string, readonly MemberEntry[]>;
type Form = 'texts' | 'labels' | 'names';

export function cubeIndex(view: CubeMetadata, samples: Samples): CubeIndex {
  const formed = (form: Form) => () => indexOf(view, samples, form);
  return firstFitting([formed('texts'), formed('labels'), formed('names')]);
}

function indexOf(view: CubeMetadata, samples: Samples, form: Form): CubeIndex {
  const { measures, dimensions } = allParts(view);
  const cut = <Item>(items: readonly Item[]) => (form === 'names' ? items.slice(0, MAX_LISTED_NAMES) : items);
  return {
    measureCount: measures.length,
    dimensionCount: dimensions.length,
    measures: keyed(cut(measures), (measure) => measureIndex(measure, form)),
    dimensions: keyed(cut(dimensions), (dimension) => dimensionIndex(dimension, samples, form)),
    ...(cut(measures).length === measures.length && cut(dimensions).length === dimensions.length
      ? {}
      : { isCut: true as const }),
  };
}

function measureIndex({ name, caption, aliases, annotations: { description } }: MeasureMetadata, form: Form) {
  if (form === 'names') return { name };
  return {
    name,
    ...(caption === name ? {} : { caption }),
    ...(form === 'texts' && description !== undefined ? { description } : {}),
    ...(aliases.length === 0 ? {} : { synonyms: [...aliases] }),
  };
}

function dimensionIndex(dimension: DimensionMetadata, samples: Samples, form: Form) {
  const { name, caption, aliases, annotations, type, hierarchies } = dimension;
  const levels = hierarchies
    .filter(({ offered }) => offered)
    .flatMap((hierarchy) =>
      hierarchy.levels
        .filter(({ offered, isAll }) => offered && !isAll)
        .map((level) => ({ level, hierarchy: hierarchy.name })),
    );
  return {
    name,
    ...(form === 'names' || caption === name ? {} : { caption }),
    ...(form === 'texts' && annotations.description !== undefined ? { description: annotations.description } : {}),
    ...(form === 'names' || aliases.length === 0 ? {} : { synonyms: [...aliases] }),
    ...(type === 'time' ? { isTime: true as const } : {}),
    levels: levels.map(({ level, hierarchy }) => {
      const captions = (samples.get(level.uniqueName) ?? []).slice(0, VALUES_IN_INDEX).map((member) => member.caption);
      return {
        level: level.name,
        ...(hierarchies.length > 1 ? { hierarchy } : {}),
        ...(form === 'texts' && captions.length > 0 ? { values: captions } : {}),
      };
    }),
  };
}
