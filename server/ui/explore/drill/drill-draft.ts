/** What a click in an embed leads to, in the making: the member `drill` of a saved query or a tile, as its form edits it. */
import { isObject, type JsonObject } from '../../api-client/json.ts';
import type { Catalog, Thing } from '../state/catalog.ts';
import { textOf } from '../state/json-value.ts';
import { grainWords } from '../state/words.ts';

/** How a dimension leads down: not at all, by itself to the next finer grain or level, or along listed fields. */
export type Way = 'none' | 'finer' | 'list';

/** A dimension that the answer shows. */
export interface ShownDimension {
  readonly key: string;
  readonly label: string;
  /** What is finer by itself: the grains of a date, the levels below; undefined where nothing is. */
  readonly finer: 'grains' | 'levels' | undefined;
}

export interface DownDraft {
  readonly field: string;
  readonly way: Way;
  /** Keys of the fields below, from the top. */
  readonly to: readonly string[];
}

export interface DrillDraft {
  /** One for each shown dimension. */
  readonly down: readonly DownDraft[];
  /** Ways from fields that the answer does not show; they stay. */
  readonly others: readonly JsonObject[];
  readonly rows: 'none' | 'all' | 'list';
  /** Keys of the fields that rows show. */
  readonly fields: readonly string[];
}

/** A field that a list may have. */
export interface FieldChoice {
  readonly key: string;
  readonly label: string;
  readonly group: string;
}

/** Reads the member `drill` of a document. */
export function draftOfDrill(drill: unknown, shown: readonly ShownDimension[]): DrillDraft {
  const { down: written, rows }: JsonObject = isObject(drill) ? drill : {};
  const down = Array.isArray(written) ? written.filter(isObject) : [];
  return {
    down: shown.map(({ key }) => {
      const path = down.find(({ field }) => field === key);
      const to = textsOf(path?.to);
      return { field: key, way: path === undefined ? 'none' : to.length > 0 ? 'list' : 'finer', to };
    }),
    others: down.filter(({ field }) => !shown.some(({ key }) => key === field)),
    rows: rows === true ? 'all' : Array.isArray(rows) ? 'list' : 'none',
    fields: textsOf(rows),
  };
}

/** Writes the member `drill` of a document; undefined where a click leads to nothing. A list without fields is no way. */
export function drillOfDraft({ down, others, rows, fields }: DrillDraft): JsonObject | undefined {
  const paths = [
    ...down.flatMap(({ field, way, to }): readonly JsonObject[] => {
      if (way === 'finer') return [{ field }];
      return way === 'list' && to.length > 0 ? [{ field, to }] : [];
    }),
    ...others,
  ];
  const shown = rows === 'all' ? true : rows === 'list' && fields.length > 0 ? fields : undefined;
  if (paths.length === 0 && shown === undefined) return undefined;
  return { ...(paths.length === 0 ? {} : { down: paths }), ...(shown === undefined ? {} : { rows: shown }) };
}

/** Returns the dimensions of an answer, with what is finer than each. */
export function shownDimensions(answer: unknown, catalog: Catalog | undefined): readonly ShownDimension[] {
  const columns = isObject(answer) && Array.isArray(answer.columns) ? answer.columns.filter(isObject) : [];
  return columns.flatMap(({ type, key, label, grain }): readonly ShownDimension[] => {
    if (type !== 'dimension' || typeof key !== 'string') return [];
    const name = typeof label === 'string' ? label : key;
    if (catalog?.surface === 'cube')
      return [{ key, label: name, finer: hasLevelBelow(key, catalog) ? 'levels' : undefined }];
    return [{ key, label: name, finer: hasFinerGrain(grain) ? 'grains' : undefined }];
  });
}

/** Returns whether a date with this grain has a finer one. A part of a date, such as a weekday, has none. */
function hasFinerGrain(grain: unknown): boolean {
  return typeof grain === 'string' && !grain.includes('_of_') && /(^|_)(year|quarter|month|week|day|hour)$/.test(grain);
}

function hasLevelBelow(key: string, { groups }: Catalog): boolean {
  const levels = groups.flatMap((group) => levelsOf(group.things));
  const level = levels.find((each) => each.key === key);
  return level !== undefined && levels.some((each) => isBelow(each.thing, level.thing));
}

function isBelow({ item, depth }: Thing, { item: above, depth: of }: Thing): boolean {
  return item.dimension === above.dimension && item.hierarchy === above.hierarchy && depth > of;
}

/** Lists the fields along which a visitor may go down: the dates of a model with each of their grains, the levels of a cube. */
export function downChoices({ surface, groups }: Catalog): readonly FieldChoice[] {
  return groups.flatMap(({ label: group, things }) => {
    if (surface === 'cube') return levelsOf(things).map(({ key, thing }) => ({ key, label: thing.label, group }));
    return things.flatMap((thing): readonly FieldChoice[] => {
      const key = fieldName(thing);
      if (key === undefined) return [];
      return [
        { key, label: thing.label, group },
        ...thing.grains.map((grain) => ({
          key: `${key}.${grain}`,
          label: `${thing.label}: ${grainWords(grain)}`,
          group,
        })),
      ];
    });
  });
}

/** Lists the fields that rows may show: those of a model, the levels and stored measures of a cube. */
export function rowChoices({ surface, groups }: Catalog): readonly FieldChoice[] {
  return groups.flatMap(({ label: group, things }) => {
    if (surface === 'cube')
      return [
        ...things.flatMap(({ item, label, type }) => {
          const name = type === 'metric' ? textOf(item, 'name') : undefined;
          return name === undefined ? [] : [{ key: name, label, group }];
        }),
        ...levelsOf(things).map(({ key, thing }) => ({ key, label: thing.label, group })),
      ];
    return things.flatMap((thing) => {
      const key = fieldName(thing);
      return key === undefined ? [] : [{ key, label: thing.label, group }];
    });
  });
}

function fieldName({ item }: Thing): string | undefined {
  const [dataset, field] = [textOf(item, 'dataset'), textOf(item, 'field')];
  return dataset === undefined || field === undefined ? undefined : `${dataset}.${field}`;
}

/** Returns the levels of one dimension by their keys: those of its first hierarchy do not name it. */
function levelsOf(things: readonly Thing[]): readonly { readonly key: string; readonly thing: Thing }[] {
  const first = things.flatMap(({ item }) => textOf(item, 'hierarchy') ?? [])[0];
  return things.flatMap((thing) => {
    const [dimension, hierarchy, level] = ['dimension', 'hierarchy', 'level'].map((name) => textOf(thing.item, name));
    if (dimension === undefined || level === undefined) return [];
    const parts = hierarchy === undefined || hierarchy === first ? [dimension, level] : [dimension, hierarchy, level];
    return [{ key: parts.join('.'), thing }];
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
