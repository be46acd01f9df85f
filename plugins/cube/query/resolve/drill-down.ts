/** Goes down from a shown level of a query to the next: the level below in its hierarchy, or one that the author names. */
import {
  type Drill,
  type Drilling,
  type DrillPath,
  listedTo,
  nextInList,
} from '../../../../router/capabilities/drilling.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { ProblemList } from '../../../query-surface/index.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { CubeMetadata, LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import { findPlace, type Place } from './find-names.ts';
import { axisItemKey } from './resolve-request.ts';
import {
  type AxisSelection,
  lastShown,
  type ResolvedQuery,
  type ShownLevel,
  type SlicerSelection,
} from './resolved-query.ts';
import { withRuntimeFilters } from './runtime-filters.ts';

export interface DrilledQuery {
  readonly query: ResolvedQuery;
  /** The steps so far, as texts. */
  readonly trail: Drilling['trail'];
}

interface Below extends Place {
  readonly level: LevelMetadata;
  readonly key: string;
}

/**
 * Goes down the steps of a reader.
 *
 * @throws ValidationError at `drill` for a step that the paths do not allow, or that names members of other levels
 */
export async function drilledQuery(
  whole: ResolvedQuery,
  { down, steps }: Drill,
  target: CubeTarget,
  signal: AbortSignal | undefined,
): Promise<DrilledQuery> {
  let query = whole;
  const trail: { readonly label: string; readonly text: string | null }[] = [];
  for (const { field, values } of steps) {
    const way = waysDown(query, down, target.view).find((each) => each.shown.key === field);
    if (way === undefined)
      throw ValidationError.at(
        ['drill'],
        `There is no way down from ${field}.`,
        waysDown(query, down, target.view).map(({ shown }) => shown.key),
      );
    const missing = way.by.find((key) => typeof values[key] !== 'string');
    if (missing !== undefined || Object.keys(values).length > way.by.length)
      throw ValidationError.at(['drill'], `The step down from ${field} needs a member of each: ${way.by.join(', ')}.`);
    query = below(await atMembers(query, values, target, signal), way);
    trail.push({ label: way.shown.level.caption, text: values[field] ?? null });
  }
  return { query, trail };
}

/**
 * Narrows a query to members of its shown levels.
 *
 * @param values captions or unique names by the key of a shown level; null selects nothing
 */
export function atMembers(
  query: ResolvedQuery,
  values: Readonly<Record<string, string | null>>,
  target: CubeTarget,
  signal: AbortSignal | undefined,
): Promise<ResolvedQuery> {
  const filters = Object.entries(values).map(([field, value]) =>
    value === null ? { field, op: 'IN' as const, values: [] } : { field, op: 'EQ' as const, values: [value] },
  );
  return withRuntimeFilters(query, filters, target, signal);
}

/** Describes the ways down from a query for its reader. */
export function drillingOf(
  { query, trail }: DrilledQuery,
  { down }: Drill,
  { view }: Pick<CubeTarget, 'view'>,
): Drilling {
  return {
    down: waysDown(query, down, view).map(({ shown, to, by }) => ({ field: shown.key, label: to.level.caption, by })),
    trail,
    // A calculated measure has no rows behind it.
    rows: query.measures.some(({ stored }) => stored),
  };
}

/** A way down that some members of a level do not have: among parents and children, or to a level with hidden members. */
export interface UnevenWay {
  readonly selection: AxisSelection;
  /** Key of the shown level. */
  readonly field: string;
  /** The level below; the shown one among parents and children. */
  readonly to: LevelMetadata;
}

/** Lists the ways down that do not lead from every member. */
export function unevenWays(
  query: ResolvedQuery,
  { down }: Drill,
  { view }: Pick<CubeTarget, 'view'>,
): readonly UnevenWay[] {
  return waysDown(query, down, view).flatMap(({ selection, shown, to }) =>
    shown === lastShown(selection) &&
    to.hierarchy === selection.hierarchy &&
    (to.level === shown.level || to.level.isRagged)
      ? [{ selection, field: shown.key, to: to.level }]
      : [],
  );
}

/** Lists the keys of the levels that are below the paths. */
export function keysBelow(down: readonly DrillPath[], view: CubeMetadata): readonly string[] {
  return down.flatMap(({ field, to }) => {
    if (to !== undefined) return to;
    const place = placeOf(field, view);
    if (place === undefined) return [];
    const top = place.level?.depth ?? topmostDepth(place);
    return place.hierarchy.levels.filter(({ depth }) => depth > top).map((level) => keyOf({ ...place, level }));
  });
}

interface Way {
  readonly selection: AxisSelection;
  readonly shown: ShownLevel;
  readonly to: Below;
  readonly by: readonly string[];
}

function waysDown(query: ResolvedQuery, down: readonly DrillPath[], view: CubeMetadata): readonly Way[] {
  const selections = [...query.rows, ...query.columns];
  const isShown = (level: LevelMetadata) =>
    selections.some(({ shown }) => shown.some((each) => each.level.uniqueName === level.uniqueName));
  return selections.flatMap((selection) =>
    selection.mixed !== undefined
      ? []
      : selection.shown.flatMap((shown, at): readonly Way[] => {
          const to = levelBelow(selection, shown, down, view);
          // Children of a member are of its own level.
          if (to === undefined || (isShown(to.level) && to.level !== shown.level)) return [];
          const isForeign = to.hierarchy !== selection.hierarchy;
          // A hierarchy has one selection: another hierarchy that is on an axis, or lower levels of this one, stay where they are.
          if (isForeign && selections.some(({ hierarchy }) => hierarchy === to.hierarchy)) return [];
          const above = down.flatMap((path) =>
            nextInList(path, shown.key) === undefined ? [] : listedTo(path, shown.key),
          );
          const own = selection.shown.slice(0, at + 1).map(({ key }) => key);
          const listed = selections.flatMap((each) => each.shown).map(({ key }) => key);
          return [{ selection, shown, to, by: listed.filter((key) => own.includes(key) || above.includes(key)) }];
        }),
  );
}

function levelBelow(
  { dimension, hierarchy }: AxisSelection,
  { level, key }: ShownLevel,
  down: readonly DrillPath[],
  view: CubeMetadata,
): Below | undefined {
  for (const path of down) {
    const listed = nextInList(path, key);
    const place = listed === undefined ? undefined : placeOf(listed, view);
    if (listed !== undefined && place?.level !== undefined) return { ...place, level: place.level, key: listed };
    if (path.to !== undefined || !isOn(path, key, hierarchy, view)) continue;
    if (level.isParentChild) return { dimension, hierarchy, level, key };
    const next = hierarchy.levels.find(({ depth, isAll }) => depth === level.depth + 1 && !isAll);
    if (next !== undefined)
      return { dimension, hierarchy, level: next, key: keyOf({ dimension, hierarchy, level: next }) };
  }
  return undefined;
}

/** Returns whether a shown level is that of a path without a list, or below it. */
function isOn({ field }: DrillPath, key: string, hierarchy: Place['hierarchy'], view: CubeMetadata): boolean {
  return field === key || (keysBelow([{ field }], view).includes(key) && placeOf(field, view)?.hierarchy === hierarchy);
}

/** Puts the level below in the place of a shown one. */
function below(query: ResolvedQuery, { selection, shown, to }: Way): ResolvedQuery {
  const next: ShownLevel = { level: to.level, key: to.key };
  // The selection has the condition of the step meanwhile.
  const isMeant = ({ hierarchy }: AxisSelection) => hierarchy === selection.hierarchy;
  const slicer: SlicerSelection[] = [...query.slicer];
  const replaced = (each: AxisSelection): readonly AxisSelection[] => {
    if (!isMeant(each)) return [each];
    if (to.level === shown.level)
      return [{ ...each, conditions: [{ kind: 'children_of', level: to.level, of: each.conditions }] }];
    const rest = each.shown.filter(({ key }) => key !== shown.key);
    if (to.hierarchy === each.hierarchy) {
      const [first = next, ...others] = [...rest, next].toSorted((a, b) => a.level.depth - b.level.depth);
      return [{ ...each, shown: [first, ...others] }];
    }
    const [first, ...others] = rest;
    const left: readonly AxisSelection[] = first === undefined ? [] : [{ ...each, shown: [first, ...others] }];
    const [condition, ...more] = each.conditions;
    if (first === undefined && condition !== undefined)
      slicer.push({ hierarchy: each.hierarchy, conditions: [condition, ...more] });
    const filtered = slicer.find(({ hierarchy }) => hierarchy === to.hierarchy);
    if (filtered !== undefined) slicer.splice(slicer.indexOf(filtered), 1);
    const { dimension, hierarchy } = to;
    return [...left, { dimension, hierarchy, shown: [next], mixed: undefined, conditions: filtered?.conditions ?? [] }];
  };
  const rows = query.rows.flatMap(replaced);
  const columns = query.columns.flatMap(replaced);
  return { ...query, rows, columns, slicer };
}

/** Reads a key: `dimension`, `dimension.level` or `dimension.hierarchy.level`. */
function placeOf(key: string, view: CubeMetadata): Place | undefined {
  const [dimension = '', ...rest] = key.split('.');
  const hierarchy = rest.length > 1 ? rest[0] : undefined;
  return findPlace({ dimension, hierarchy, level: rest.at(-1) }, view, [], new ProblemList());
}

function keyOf({ dimension, hierarchy, level }: Place & { readonly level: LevelMetadata }): string {
  const isFirst = dimension.hierarchies[0] === hierarchy;
  return axisItemKey({
    dimension: dimension.name,
    ...(isFirst ? {} : { hierarchy: hierarchy.name }),
    level: level.name,
  });
}

function topmostDepth({ hierarchy: { levels } }: Place): number {
  return levels.find(({ isAll }) => !isAll)?.depth ?? 0;
}
