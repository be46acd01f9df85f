/** Writes a draft as the typed request of its surface, and reads one. */
import { type Draft, emptyDraft, type Shelf, type Surface } from './draft.ts';
import { isComplete } from './is-complete.ts';
import { compact, type Item, isJsonObject, itemsOf, type JsonObject, numberOf, textOf } from './json-value.ts';

/** The names of the lists in the requests of each surface. */
const LIST_NAMES = {
  semantic: { rows: 'rows', columns: 'columns', values: 'values', filters: 'filters', sorts: 'sorts' },
  cube: { rows: 'rows', columns: 'columns', values: 'measures', filters: 'filters', sorts: 'order' },
} as const satisfies Record<Surface, Record<Shelf, string>>;

const SHELF_ORDER = ['rows', 'columns', 'values', 'filters', 'sorts'] as const;

/** Returns the request. Filters that have no values yet are left out, and so are empty lists. */
export function toRequest(draft: Draft): JsonObject {
  const names = LIST_NAMES[draft.source.surface];
  const lists = SHELF_ORDER.flatMap((shelf): [string, readonly Item[]][] => {
    const items = draft[shelf].filter((item) => shelf !== 'filters' || isComplete(item, draft.source.surface));
    return items.length === 0 ? [] : [[names[shelf], items]];
  });
  return compact({ ...draft.source.names, ...Object.fromEntries(lists), limit: draft.limit, ...draft.others });
}

/** Reads a request as its author wrote it. */
export function fromRequest(surface: Surface, request: JsonObject): Draft {
  const names = LIST_NAMES[surface];
  const known = surface === 'semantic' ? ['connection', 'model'] : ['cube'];
  const taken = new Set<string>([...known, ...Object.values(names), 'limit']);
  const others = Object.fromEntries(Object.entries(request).filter(([name]) => !taken.has(name)));
  return {
    ...emptyDraft({ surface, names: namesOf(surface, request) }),
    rows: itemsOf(request, names.rows),
    columns: itemsOf(request, names.columns),
    values: itemsOf(request, names.values),
    filters: itemsOf(request, names.filters),
    sorts: itemsOf(request, names.sorts),
    limit: numberOf(request, 'limit'),
    others,
  };
}

function namesOf(surface: Surface, request: JsonObject): JsonObject {
  if (surface === 'semantic')
    return compact({ connection: textOf(request, 'connection'), model: textOf(request, 'model') });
  const { cube } = request;
  if (!isJsonObject(cube)) return { cube: typeof cube === 'string' ? cube : '' };
  return {
    cube: ['connectionName', 'catalog', 'schema', 'cubeName'].map((part) => textOf(cube, part) ?? '').join('/'),
  };
}

export interface Place {
  readonly shelf: Shelf;
  readonly index: number;
  /** The rest of the path, within the item. */
  readonly rest: readonly (string | number)[];
}

/**
 * Finds the item that an error names.
 *
 * @param field place in the request, such as `source.request.rows[0].field`
 */
export function placeOf(draft: Draft, field: string): Place | undefined {
  const path = field
    .replace(/^source\.request\.?/, '')
    .split(/[.[\]]+/)
    .filter((step) => step !== '');
  const names = LIST_NAMES[draft.source.surface];
  const shelf = SHELF_ORDER.find((each) => names[each] === path[0]);
  const at = Number(path[1]);
  if (shelf === undefined || !Number.isInteger(at)) return undefined;
  const positions = draft[shelf].flatMap((item, index) =>
    shelf !== 'filters' || isComplete(item, draft.source.surface) ? [index] : [],
  );
  const index = positions[at];
  if (index === undefined) return undefined;
  return { shelf, index, rest: path.slice(2).map((step) => (/^\d+$/.test(step) ? Number(step) : step)) };
}
