/** The rows of the tree of fields: groups, their things, and the members of opened levels. */
import { msg } from '../words/words.ts';
import { type Catalog, hierarchyOf, type Thing } from './state/catalog.ts';

export interface Member {
  readonly caption: string;
  readonly uniqueName: string;
}

/** The first members of a level, or children of a member; more of them are found by the filter's search. */
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
  | {
      readonly kind: 'member';
      /** Of the tree: of this place of the member. */
      readonly key: string;
      /** The level of the member. */
      readonly level: Thing;
      /** The level of its children; undefined at the lowest one. */
      readonly below: Thing | undefined;
      readonly caption: string;
      readonly uniqueName: string;
      readonly depth: number;
      readonly isOpen: boolean;
    }
  /** `level` is the level to search where there are more members than are listed. */
  | { readonly kind: 'note'; readonly text: string; readonly depth: number; readonly level: Thing | undefined };

/**
 * Returns the rows that match a search: each of its words is a part of the name, a synonym or the group. A search opens every
 * group. Linear in the number of things.
 *
 * @param folded closed groups, and open levels
 */
export function filterTree(
  { groups, surface, hierarchies }: Catalog,
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
      if (!isThingOpen) continue;
      const levels = hierarchies.get(hierarchyOf(thing.key) ?? '') ?? [];
      const from = levels.indexOf(thing);
      addMembers(rows, { key: thing.key, levels: levels.slice(from), depth: thing.depth }, folded, members);
    }
  }
  return rows;
}

/** Adds the rows of members and of their opened children. `levels` begins with the level of the members. */
function addMembers(
  rows: TreeRow[],
  { key, levels, depth }: { readonly key: string; readonly levels: readonly Thing[]; readonly depth: number },
  folded: ReadonlySet<string>,
  known: ReadonlyMap<string, Members>,
): void {
  const [level, below] = levels;
  if (level === undefined) return;
  const members = known.get(key);
  if (members === undefined || members === 'loading' || members === 'failed') {
    const text = members === 'failed' ? msg('The members could not be read.') : msg('Loading…');
    rows.push({ kind: 'note', text, depth, level: undefined });
    return;
  }
  for (const { caption, uniqueName } of members.list) {
    const memberKey = `${key}\u0000${uniqueName}`;
    const isOpen = below !== undefined && folded.has(memberKey);
    rows.push({ kind: 'member', key: memberKey, level, below, caption, uniqueName, depth, isOpen });
    if (isOpen) addMembers(rows, { key: memberKey, levels: levels.slice(1), depth: depth + 1 }, folded, known);
  }
  if (members.list.length === 0) rows.push({ kind: 'note', text: msg('No members'), depth, level: undefined });
  if (members.hasMore) rows.push({ kind: 'note', text: msg('More: search in the filter'), depth, level });
}
