/** The rows of the tree of fields: groups, their things, and the members of opened levels. */
import { msg } from '../words/words.ts';
import type { Catalog, Thing } from './state/catalog.ts';

export interface Member {
  readonly caption: string;
  readonly uniqueName: string;
}

/** The first members of a level; more of them are found by the filter's search. */
export type Members = { readonly list: readonly Member[]; readonly hasMore: boolean } | 'loading' | 'failed';

export type TreeRow =
  | {
      readonly kind: 'group';
      readonly id: string;
      readonly label: string;
      readonly count: number;
      readonly isOpen: boolean;
    }
  | { readonly kind: 'thing'; readonly thing: Thing; readonly canOpen: boolean; readonly isOpen: boolean }
  | { readonly kind: 'member'; readonly level: Thing; readonly caption: string; readonly uniqueName: string }
  | { readonly kind: 'note'; readonly text: string; readonly depth: number };

/**
 * Returns the rows that match a search: each of its words is a part of the name, a synonym or the group. A search opens every
 * group. Linear in the number of things.
 *
 * @param folded closed groups, and open levels
 */
export function filterTree(
  { groups, surface }: Catalog,
  query: string,
  folded: ReadonlySet<string>,
  members: ReadonlyMap<string, Members>,
): readonly TreeRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: TreeRow[] = [];
  for (const { id, label, things } of groups) {
    const group = label.toLowerCase();
    const found =
      words.length === 0
        ? things
        : things.filter((thing) => words.every((word) => thing.words.includes(word) || group.includes(word)));
    if (found.length === 0) continue;
    const isOpen = words.length > 0 || !folded.has(id);
    rows.push({ kind: 'group', id, label, count: found.length, isOpen });
    if (!isOpen) continue;
    for (const thing of found) {
      const canOpen = surface === 'cube' && thing.type !== 'metric';
      const isThingOpen = canOpen && folded.has(thing.key);
      rows.push({ kind: 'thing', thing, canOpen, isOpen: isThingOpen });
      if (isThingOpen) rows.push(...memberRows(thing, members.get(thing.key)));
    }
  }
  return rows;
}

function memberRows(level: Thing, members: Members | undefined): readonly TreeRow[] {
  const note = (text: string): TreeRow => ({ kind: 'note', text, depth: level.depth });
  if (members === undefined || members === 'loading') return [note(msg('Loading…'))];
  if (members === 'failed') return [note(msg('The members could not be read.'))];
  const rows = members.list.map((member): TreeRow => ({ kind: 'member', level, ...member }));
  return members.hasMore ? [...rows, note(msg('More: search in the filter'))] : rows;
}
