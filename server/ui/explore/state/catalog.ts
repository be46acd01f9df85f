/** The things that a request can name, of a semantic model or a cube, in one shape for the tree, the chips and the panels. */
import type { Source, Surface } from './draft.ts';
import type { Item } from './json-value.ts';

/** What a value is, for its icon and for where a click puts it. */
export type ThingType = 'metric' | 'text' | 'number' | 'date' | 'yes-no';

export interface Role {
  readonly via: string;
  readonly label: string;
}

export interface Thing {
  /** Unique in its catalog. */
  readonly key: string;
  readonly type: ThingType;
  readonly label: string;
  readonly description: string;
  /** The id of its group. */
  readonly group: string;
  /** The reference to it in rows, columns, filters, or in values. */
  readonly item: Item;
  /** Text that a search looks through, in small letters. */
  readonly words: string;
  /** The grains of a date. */
  readonly grains: readonly string[];
  /** The paths to a dataset that several lead to. */
  readonly roles: readonly Role[];
  /** The aggregations that may replace that of a metric. */
  readonly aggregations: readonly string[];
  /** How far below its group it stands: levels of a hierarchy. */
  readonly depth: number;
}

export interface Group {
  readonly id: string;
  readonly label: string;
  readonly things: readonly Thing[];
}

export interface Catalog {
  readonly surface: Surface;
  readonly source: Source;
  /** The title of the page: the connection and the model. */
  readonly title: string;
  readonly description: string;
  readonly groups: readonly Group[];
  readonly byKey: ReadonlyMap<string, Thing>;
  /** The hierarchy of each level of a cube: one hierarchy stands on one axis only. */
  readonly hierarchies: ReadonlyMap<string, readonly Thing[]>;
}

const SEPARATOR = '\u0000';

export const metricKey = (name: string): string => ['m', name.toLowerCase()].join(SEPARATOR);
export const fieldKey = (dataset: string, field: string): string =>
  ['f', dataset.toLowerCase(), field.toLowerCase()].join(SEPARATOR);
export const levelKey = (dimension: string, hierarchy: string, level: string): string =>
  ['l', dimension.toLowerCase(), hierarchy.toLowerCase(), level.toLowerCase()].join(SEPARATOR);

/** Makes a catalog of its groups. */
export function makeCatalog(
  facts: Pick<Catalog, 'surface' | 'source' | 'title' | 'description'>,
  groups: readonly Group[],
): Catalog {
  const things = groups.flatMap(({ things }) => things);
  const hierarchies = new Map<string, Thing[]>();
  for (const thing of things) {
    const hierarchy = hierarchyOf(thing.key);
    if (hierarchy !== undefined) hierarchies.set(hierarchy, [...(hierarchies.get(hierarchy) ?? []), thing]);
  }
  return {
    ...facts,
    groups: groups.filter((group) => group.things.length > 0),
    byKey: new Map(things.map((thing) => [thing.key, thing])),
    hierarchies,
  };
}

/** Returns the key of the hierarchy of a level; undefined for anything else. */
export function hierarchyOf(key: string): string | undefined {
  const [kind, dimension, hierarchy] = key.split(SEPARATOR);
  return kind === 'l' ? [dimension, hierarchy].join(SEPARATOR) : undefined;
}

/** Writes a technical name as words: `net_sales` as `Net sales`. */
export function nameWords(name: string): string {
  const words = name.replaceAll(/[_\s]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
