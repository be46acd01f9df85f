/** The changes that a reader makes to a request. Each returns another request; an impossible change returns the same one. */
import { type Catalog, hierarchyOf, type Thing } from './catalog.ts';
import type { Draft, Shelf, View } from './draft.ts';
import { findThing } from './find-thing.ts';
import { compact, type Item, type JsonObject, textOf, withMembers } from './json-value.ts';

/** The grain with which a date begins, the first one that it has. */
const FIRST_GRAINS = ['month', 'quarter', 'year', 'day'];

/** Returns where a click puts a thing. */
function shelfOf({ type }: Thing): Shelf {
  return type === 'metric' ? 'values' : 'rows';
}

/** Returns whether a shelf takes a thing. */
export function takes(shelf: Shelf, { type, item }: Thing): boolean {
  if (shelf === 'values') return type === 'metric';
  if (shelf === 'sorts') return true;
  // A cube has no filters by measures.
  return type === 'metric' ? shelf === 'filters' && 'metric' in item : true;
}

/**
 * Adds a thing to a list, where it fits if none is named. A level of a hierarchy that the answer shows already takes its place:
 * a hierarchy stands on one axis once.
 */
export function place(draft: Draft, thing: Thing, catalog: Catalog, shelf = shelfOf(thing), at?: number): Draft {
  if (!takes(shelf, thing)) return draft;
  if (shelf === 'sorts') return sortBy(draft, thing, 'desc');
  if (shelf === 'filters') return insert(draft, shelf, newFilter(thing), at);
  const item = shelf === 'values' ? thing.item : newPlace(thing);
  const hierarchy = hierarchyOf(thing.key);
  const isSame = (other: Item): boolean => {
    const named = findThing(other, catalog);
    if (named === undefined) return false;
    return hierarchy === undefined ? sameItem(other, item) : hierarchyOf(named.key) === hierarchy;
  };
  for (const on of ['rows', 'columns', 'values'] as const) {
    const index = draft[on].findIndex(isSame);
    if (index < 0) continue;
    if (hierarchy !== undefined && on === shelf) return replace(draft, on, index, item);
    if (on === shelf) return draft;
    return insert(withoutItem(draft, on, index), shelf, item, at);
  }
  return insert(draft, shelf, item, at);
}

function newPlace({ item, grains }: Thing): Item {
  const grain = FIRST_GRAINS.find((each) => grains.includes(each)) ?? grains[0];
  return grain === undefined ? item : { ...item, grain };
}

function newFilter({ item, type }: Thing): Item {
  if ('dimension' in item) return item;
  if (type === 'metric') return { ...item, op: 'GT' };
  if (type === 'date') return { ...item, op: 'RELATIVE' };
  return { ...item, op: type === 'number' ? 'BETWEEN' : 'IN' };
}

/** Removes an item, and the sorts that name it. */
export function remove(draft: Draft, shelf: Shelf, index: number): Draft {
  const item = draft[shelf][index];
  if (item === undefined) return draft;
  const left = withoutItem(draft, shelf, index);
  return shelf === 'filters' || shelf === 'sorts' ? left : { ...left, sorts: left.sorts.filter(isSortOfShown(left)) };
}

/** Returns a test for sorts by something that the request still shows. A cube sorts by any measure. */
function isSortOfShown({ source, rows, columns, values }: Draft): (sort: Item) => boolean {
  if (source.surface === 'cube') return () => true;
  return (sort) => {
    const metric = textOf(sort, 'metric');
    if (metric !== undefined) return values.some((value) => textOf(value, 'metric') === metric);
    const field = textOf(sort, 'field');
    const dataset = textOf(sort, 'dataset');
    return [...rows, ...columns].some((place) => {
      const names = [textOf(place, 'dataset'), textOf(place, 'field')];
      return dataset === undefined
        ? field === names.join('.') || field?.startsWith(`${names.join('.')}.`) === true
        : dataset === names[0] && field === names[1];
    });
  };
}

/** Moves an item to a position of a list, its own or another one that takes it. */
export function move(
  draft: Draft,
  from: { readonly shelf: Shelf; readonly index: number },
  to: { readonly shelf: Shelf; readonly index: number },
  catalog: Catalog,
): Draft {
  const item = draft[from.shelf][from.index];
  if (item === undefined) return draft;
  if (from.shelf === to.shelf) return insert(withoutItem(draft, from.shelf, from.index), to.shelf, item, to.index);
  const isAxis = (shelf: Shelf) => shelf === 'rows' || shelf === 'columns';
  if (isAxis(from.shelf) && isAxis(to.shelf)) {
    // Only rows are filled.
    const moved = to.shelf === 'columns' ? withMembers(item, { fill: undefined }) : item;
    return insert(withoutItem(draft, from.shelf, from.index), to.shelf, moved, to.index);
  }
  const thing = findThing(item, catalog);
  if (thing === undefined || !takes(to.shelf, thing)) return draft;
  return place(remove(draft, from.shelf, from.index), thing, catalog, to.shelf, to.index);
}

/** Puts another item into the place of one. */
export function replace(draft: Draft, shelf: Shelf, index: number, item: Item): Draft {
  const before = draft[shelf][index];
  if (before === undefined || sameItem(before, item)) return draft;
  return { ...draft, [shelf]: draft[shelf].map((each, at) => (at === index ? compact(item) : each)) };
}

/** Sorts by a thing alone; the sort before it is gone. */
export function sortBy(draft: Draft, thing: Thing, direction: 'asc' | 'desc'): Draft {
  const { item, type } = thing;
  if (draft.source.surface === 'cube') {
    const by = textOf(item, 'name');
    return by === undefined ? draft : { ...draft, sorts: [{ by, direction }] };
  }
  if (type === 'metric') {
    const metric = textOf(item, 'metric') ?? '';
    const shown = draft.values.some((value) => textOf(value, 'metric') === metric)
      ? draft
      : insert(draft, 'values', item);
    return { ...shown, sorts: [{ metric, direction }] };
  }
  const shown = [...draft.rows, ...draft.columns].find(
    (place) => textOf(place, 'dataset') === item.dataset && textOf(place, 'field') === item.field,
  );
  if (shown === undefined) return draft;
  return { ...draft, sorts: [withMembers(shown, { fill: undefined, direction })] };
}

export function setLimit(draft: Draft, limit: number | undefined): Draft {
  return draft.limit === limit ? draft : { ...draft, limit };
}

export function setView(draft: Draft, view: View): Draft {
  return { ...draft, view };
}

export function setAnalytics(draft: Draft, analytics: JsonObject | undefined): Draft {
  return { ...draft, analytics };
}

/** Exchanges rows and columns. */
export function transpose(draft: Draft): Draft {
  return {
    ...draft,
    rows: draft.columns,
    columns: draft.rows.map((item) => withMembers(item, { fill: undefined })),
  };
}

/** Adds an item at a position of a list, at its end without one. */
export function insert(draft: Draft, shelf: Shelf, item: Item, at: number = draft[shelf].length): Draft {
  return { ...draft, [shelf]: draft[shelf].toSpliced(at, 0, item) };
}

function withoutItem(draft: Draft, shelf: Shelf, index: number): Draft {
  return { ...draft, [shelf]: draft[shelf].toSpliced(index, 1) };
}

function sameItem(left: Item, right: Item): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
