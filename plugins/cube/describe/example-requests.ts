/** Makes example request bodies for a cube. Each runs unchanged. */
import type { CubeQueryRequest, FilterItem, MemberEntry } from '../api/schemas.ts';
import type {
  CubeMetadata,
  DimensionMetadata,
  HierarchyMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../cube-metadata/cube-metadata.ts';

export interface Example {
  readonly description: string;
  readonly body: CubeQueryRequest;
}

interface LevelChoice {
  readonly dimension: DimensionMetadata;
  readonly hierarchy: HierarchyMetadata;
  readonly level: LevelMetadata;
}

/** Returns example requests for a cube. */
export function examplesOf(
  cube: string,
  { measures, dimensions, defaultMeasure }: CubeMetadata,
  samples: ReadonlyMap<string, readonly MemberEntry[]>,
): Record<string, Example> {
  const preferred = measures.toSorted((a, b) => Number(b.name === defaultMeasure) - Number(a.name === defaultMeasure));
  const [chosen] = preferred.flatMap((each) => {
    const filters = requiredFilters(each, dimensions, samples);
    return filters === undefined ? [] : [{ measure: each, filters }];
  });
  const choices = dimensions.flatMap((dimension) => choiceOf(dimension)).toSorted((a, b) => rank(a) - rank(b));
  const [first, second] = choices;
  if (chosen === undefined || first === undefined) return {};
  const { measure, filters } = chosen;
  const base = { cube, measures: [{ name: measure.name }], ...(filters.length === 0 ? {} : { filters }) };
  const examples: Record<string, Example> = {
    simpleGroupBy: {
      description: `${measure.caption} by ${first.level.caption}.`,
      body: { ...base, rows: [item(first)] },
    },
    topN: {
      description: `The five ${first.level.caption} with the highest ${measure.caption}.`,
      body: { ...base, rows: [item(first)], order: [{ by: measure.name, direction: 'desc' }], limit: 5 },
    },
  };
  if (second !== undefined) {
    examples.crosstab = {
      description: `${measure.caption} by ${first.level.caption} across ${second.level.caption}.`,
      body: { ...base, rows: [item(first)], columns: [item(second)] },
    };
  }
  const filtered = choices.find(
    (choice) => choice !== first && (samples.get(choice.level.uniqueName)?.length ?? 0) > 0,
  );
  const sample = filtered === undefined ? undefined : samples.get(filtered.level.uniqueName)?.[0];
  if (filtered !== undefined && sample !== undefined) {
    examples.filtered = {
      description: `${measure.caption} by ${first.level.caption}, only of ${sample.caption}.`,
      body: {
        ...base,
        rows: [item(first)],
        filters: [...filters, { ...item(filtered), op: 'in', members: [sample.uniqueName] }],
      },
    };
  }
  return examples;
}

function choiceOf(dimension: DimensionMetadata): readonly LevelChoice[] {
  const [hierarchy] = dimension.hierarchies;
  const level = hierarchy?.levels.find(({ isAll, offered }) => !isAll && offered);
  return hierarchy === undefined || level === undefined || !dimension.offered ? [] : [{ dimension, hierarchy, level }];
}

/** Returns the filters that a measure requires; `undefined` if a required level has no sample member. */
function requiredFilters(
  { annotations }: MeasureMetadata,
  dimensions: readonly DimensionMetadata[],
  samples: ReadonlyMap<string, readonly MemberEntry[]>,
): FilterItem[] | undefined {
  const filters = annotations.requiredFilters.flatMap((required): FilterItem[] => {
    const requiredName = required.toLowerCase();
    const is = ({ name, uniqueName }: { readonly name: string; readonly uniqueName: string }) =>
      name.toLowerCase() === requiredName || uniqueName.toLowerCase() === requiredName;
    const choices = dimensions.flatMap((dimension) =>
      dimension.hierarchies.flatMap((hierarchy) =>
        hierarchy.levels
          .filter((level) => !level.isAll && (is(level) || is(hierarchy) || is(dimension)))
          .map((level) => ({ dimension, hierarchy, level })),
      ),
    );
    const [choice] = choices.filter(({ level }) => (samples.get(level.uniqueName)?.length ?? 0) > 0);
    const sample = choice === undefined ? undefined : samples.get(choice.level.uniqueName)?.[0];
    return choice === undefined || sample === undefined ? [] : [{ ...item(choice), members: [sample.uniqueName] }];
  });
  return filters.length === annotations.requiredFilters.length ? filters : undefined;
}

/**
 * Ranks a dimension. Hierarchies that are whole by default come first. Time comes later, because it is better in
 * columns.
 */
function rank({ dimension, hierarchy }: LevelChoice): number {
  return (dimension.type === 'time' ? 1 : 0) + (hierarchy.isWholeByDefault ? 0 : 2);
}

function item({ dimension, hierarchy, level }: LevelChoice) {
  const named = dimension.hierarchies.length > 1 ? { hierarchy: hierarchy.name } : {};
  return { dimension: dimension.name, ...named, level: level.name };
}
