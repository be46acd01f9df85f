/** Describes a cube for agents: all names that they may use, and request bodies that run unchanged. */
import { requestSchemaOf } from '../../query-surface/index.ts';
import {
  CubeQueryRequest,
  type CubeSchema,
  type DimensionEntry,
  type LevelEntry,
  type MeasureEntry,
  type MemberEntry,
} from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type {
  CubeMetadata,
  DimensionMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../cube-metadata/cube-metadata.ts';
import { shownUnit } from '../cube-metadata/shown-unit.ts';
import { cubeIndex } from './cube-index.ts';
import { examplesOf } from './example-requests.ts';
import { keyed } from './keyed.ts';
import type { ShownParts } from './shown-parts.ts';

type Samples = ReadonlyMap<string, readonly MemberEntry[]>;

/** What a description has. */
export interface Description {
  readonly parts: ShownParts;
  readonly hasIndex: boolean;
  /** Whether it has the texts about the cube as a whole, and examples. */
  readonly hasOverview: boolean;
  /** Whether it has the JSON Schema of a query. */
  readonly hasRequestSchema: boolean;
}

/** Returns the description of a cube for a caller: measures, dimensions, samples, examples. */
export function cubeSchema(
  target: CubeTarget,
  samples: Samples,
  { parts, hasIndex, hasOverview, hasRequestSchema }: Description,
): CubeSchema {
  const { cubeId, connection, catalogName, schemaName, view } = target;
  const { measures, dimensions } = parts;
  return {
    ...(hasIndex ? { index: cubeIndex(view, samples) } : {}),
    cubeId,
    connectionName: connection,
    catalog: catalogName,
    schema: schemaName,
    cubeName: view.name,
    cubeCaption: view.caption,
    ...(view.annotations.description === undefined ? {} : { description: view.annotations.description }),
    defaultMeasure: view.defaultMeasure,
    measures: keyed(measures, measureEntry),
    measureAliases: aliasesOf(measures),
    dimensions: keyed(dimensions, (dimension) => dimensionEntry(dimension, samples)),
    ...(hasRequestSchema ? { requestSchema: requestSchema(cubeId, view) } : {}),
    examples: hasOverview ? examplesOf(cubeId, view, samples) : {},
  };
}

function measureEntry(measure: MeasureMetadata): MeasureEntry {
  const { name, uniqueName, caption, aliases, aggregationKind, unit, formatString, annotations } = measure;
  const { description, grain, requiredFilters } = annotations;
  return {
    name,
    uniqueName,
    caption,
    description: description ?? '',
    synonyms: [...aliases],
    unit: unit ?? shownUnit(formatString ?? ''),
    aggregationKind,
    ...(grain === undefined ? {} : { grain }),
    ...(requiredFilters.length === 0 ? {} : { requiredFilters: [...requiredFilters] }),
  };
}

/** Returns the aliases of measures. The name of another measure is not an alias. */
function aliasesOf(measures: readonly MeasureMetadata[]): Record<string, string> {
  const names = new Set(measures.map(({ name }) => name.toLowerCase()));
  const aliases: Record<string, string> = {};
  const claims = new Map<string, number>();
  for (const { aliases: measureAliases } of measures) {
    for (const alias of new Set(measureAliases.map((each) => each.toLowerCase())))
      claims.set(alias, (claims.get(alias) ?? 0) + 1);
  }
  for (const { name, aliases: measureAliases } of measures) {
    for (const alias of measureAliases) {
      const folded = alias.toLowerCase();
      if (!names.has(folded) && claims.get(folded) === 1) aliases[alias] = name.toLowerCase();
    }
  }
  return aliases;
}

function dimensionEntry(dimension: DimensionMetadata, samples: Samples): DimensionEntry {
  const { name, uniqueName, caption, aliases, annotations, type, hierarchies } = dimension;
  return {
    name,
    uniqueName,
    caption,
    ...(annotations.description === undefined ? {} : { description: annotations.description }),
    synonyms: [...aliases],
    type,
    hierarchies: keyed(
      hierarchies.filter(({ offered }) => offered),
      (hierarchy) => ({
        name: hierarchy.name,
        uniqueName: hierarchy.uniqueName,
        caption: hierarchy.caption,
        levels: keyed(
          hierarchy.levels.filter(({ offered, isAll }) => offered && !isAll),
          (level) => levelEntry(level, samples),
        ),
      }),
    ),
  };
}

function levelEntry(level: LevelMetadata, samples: Samples): LevelEntry {
  const { name, uniqueName, caption, aliases, annotations, levelType } = level;
  return {
    name,
    uniqueName,
    caption,
    ...(annotations.description === undefined ? {} : { description: annotations.description }),
    synonyms: [...aliases],
    ...(levelType === 'Regular' ? {} : { levelType }),
    ...(annotations.cardinality === undefined ? {} : { cardinality: annotations.cardinality }),
    ...(annotations.grain === undefined ? {} : { grain: annotations.grain }),
    sampleMembers: (samples.get(uniqueName) ?? []).map((member) => ({ ...member })),
  };
}

type Json = { readonly [key: string]: unknown };

/** Returns the JSON Schema of a request, with the names of this cube. */
function requestSchema(cubeId: string, { measures, dimensions }: CubeMetadata): Record<string, unknown> {
  const base: Json = requestSchemaOf(CubeQueryRequest);
  const hierarchies = dimensions.flatMap((dimension) => dimension.hierarchies);
  const names = (items: readonly { readonly name: string; readonly synonyms: readonly string[] }[]) => {
    return { type: 'string', enum: [...new Set(items.flatMap(({ name, synonyms }) => [name, ...synonyms]))] };
  };
  const places = {
    dimension: names(dimensions),
    hierarchy: names(hierarchies),
    level: names(hierarchies.flatMap(({ levels }) => levels)),
  };
  const properties = member(base, 'properties');
  const replaced = {
    ...properties,
    cube: { ...member(properties, 'cube'), default: cubeId, examples: [cubeId] },
    measures: withItems(properties, 'measures', { name: names(measures) }),
    rows: withItems(properties, 'rows', places),
    columns: withItems(properties, 'columns', places),
    filters: withItems(properties, 'filters', places),
    order: withItems(properties, 'order', { by: names(measures), direction: { enum: ['asc', 'desc', 'ASC', 'DESC'] } }),
  };
  return { ...base, properties: replaced };
}

function withItems(properties: Json, name: string, enums: Readonly<Record<string, Json>>): Json {
  const array = member(properties, name);
  const items = member(array, 'items');
  const itemProperties = member(items, 'properties');
  const restricted = Object.fromEntries(
    Object.entries(enums).map(([property, schema]) => [property, { ...member(itemProperties, property), ...schema }]),
  );
  return { ...array, items: { ...items, properties: { ...itemProperties, ...restricted } } };
}

function member(of: Json, name: string): Json {
  const value = of[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
