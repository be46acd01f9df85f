/** What a reader does with a mark of the answer: keep only it, leave it out, or look into it by another field. */
import { insert, place, remove, replace } from './actions.ts';
import { type Catalog, hierarchyOf, type Thing } from './catalog.ts';
import type { Draft } from './draft.ts';
import { findThing } from './find-thing.ts';
import { compact, type Item, type JsonValue, withMembers } from './json-value.ts';

/** One value of the mark: the item that shows it, and its value as the answer has it. */
export interface MarkPart {
  readonly item: Item;
  readonly label: string;
  readonly value: JsonValue;
  /** The value as a reader sees it. */
  readonly text: string;
}

/** A marked value of the answer. */
export interface Mark {
  readonly parts: readonly MarkPart[];
  /** The position of the metric in the request, where the mark is of one. */
  readonly value: number;
  readonly figure: string;
}

/** Returns the request for only these values. A filter of the same field that a click has made is replaced. */
export function onlyThis(draft: Draft, parts: readonly MarkPart[]): Draft {
  return parts.reduce((now, { item, value }) => withFilter(now, filterOf(item, value, false)), draft);
}

/** Returns the request without these values. Several parts are left out together, and not each. Rows without a value stay. */
export function notThis(draft: Draft, parts: readonly MarkPart[]): Draft {
  const [first] = parts;
  if (first === undefined) return draft;
  if (draft.source.surface === 'cube') return insert(draft, 'filters', filterOf(first.item, first.value, true));
  const tests = parts.flatMap(({ item, value }) => [
    filterOf(item, value, true),
    // SQL compares nothing with an empty value: without this test such rows would be gone too.
    ...(value === null ? [] : [filterOf(item, null, false)]),
  ]);
  const [only, ...others] = tests;
  return insert(draft, 'filters', only !== undefined && others.length === 0 ? only : { any: tests });
}

/** Returns the request for these values by another field, in the place of theirs. */
export function byField(draft: Draft, parts: readonly MarkPart[], thing: Thing, catalog: Catalog): Draft {
  const only = onlyThis(draft, parts);
  const shown = new Set(parts.map(({ item }) => JSON.stringify(item)));
  const without = (['rows', 'columns'] as const).reduce((now, shelf) => {
    const index = now[shelf].findIndex((item) => shown.has(JSON.stringify(item)));
    return index < 0 ? now : remove(now, shelf, index);
  }, only);
  return place(without, thing, catalog, 'rows', 0);
}

/** Returns the things that a mark can be looked into by, the next level of a hierarchy and finer grains first. */
export function drillTargets(parts: readonly MarkPart[], draft: Draft, catalog: Catalog): readonly Thing[] {
  const shown = [...draft.rows, ...draft.columns].map((item) => findThing(item, catalog));
  const taken = new Set(shown.map((thing) => thing?.key));
  const next = parts.flatMap(({ item }) => {
    const thing = findThing(item, catalog);
    const levels = thing === undefined ? undefined : catalog.hierarchies.get(hierarchyOf(thing.key) ?? '');
    const below = levels?.[(levels?.findIndex(({ key }) => key === thing?.key) ?? -1) + 1];
    return below === undefined ? [] : [below];
  });
  const hierarchies = new Set(shown.map((thing) => (thing === undefined ? undefined : hierarchyOf(thing.key))));
  const others = catalog.groups.flatMap(({ things }) =>
    things.filter(({ type, key }) => {
      const hierarchy = hierarchyOf(key);
      return type !== 'metric' && !taken.has(key) && (hierarchy === undefined || !hierarchies.has(hierarchy));
    }),
  );
  return [...next, ...others.filter((thing) => !next.includes(thing))];
}

function filterOf(item: Item, value: JsonValue, isExcluded: boolean): Item {
  const reference = withMembers(item, { fill: undefined, members: undefined });
  if ('dimension' in item)
    return compact({ ...reference, op: isExcluded ? 'not_in' : undefined, members: [String(value)] });
  if (value === null) return { ...reference, op: isExcluded ? 'IS_NOT_NULL' : 'IS_NULL' };
  return { ...reference, op: isExcluded ? 'NEQ' : 'EQ', value };
}

function withFilter(draft: Draft, filter: Item): Draft {
  const same = draft.filters.findIndex((each) => each.op === filter.op && sameReference(each, filter));
  return same < 0 ? insert(draft, 'filters', filter) : replace(draft, 'filters', same, filter);
}

function sameReference(left: Item, right: Item): boolean {
  const of = ({ value: _value, values: _values, members: _members, ...reference }: Item) => JSON.stringify(reference);
  return of(left) === of(right);
}
