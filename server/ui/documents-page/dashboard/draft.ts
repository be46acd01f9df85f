/** A dashboard in the making: the document, with undo, redo and a copy in the browser. */
import { isObject, type JsonObject, readList, readObject } from '../../api-client/json.ts';
import { session } from '../../shell/page-context.ts';
import { accountName } from '../../shell/session.ts';
import { freeId, freePlace, type Tile } from './layout.ts';

const MAX_STEPS = 100;

export interface Dashboard {
  readonly title: string;
  readonly description: string;
  readonly columns: number;
  /** Height of a row of the grid, in pixels. */
  readonly rowHeight: number;
  readonly tiles: readonly Tile[];
}

/** Height of a row where the document has none, as the element draws it. */
const DEFAULT_ROW_HEIGHT = 84;
/** Space between tiles, in pixels. */
export const GAP = 12;
/** Height of a row of new dashboards. */
export const NEW_ROW_HEIGHT = 40;
export const NEW_COLUMNS = 12;

export function toDashboard(document: JsonObject): Dashboard {
  const layout = readObject(document.layout, 'the layout');
  return {
    title: String(document.title),
    description: typeof document.description === 'string' ? document.description : '',
    columns: Number(layout.columns),
    rowHeight: typeof layout.rowHeight === 'number' ? layout.rowHeight : DEFAULT_ROW_HEIGHT,
    // The server has checked the document.
    tiles: readList(document.tiles, 'the tiles', (tile) => readObject(tile, 'a tile') as Tile),
  };
}

/** Returns the document with what the page edits. Members that the page does not edit stay. */
export function toDocument(document: JsonObject, { title, description, tiles }: Dashboard): JsonObject {
  const { description: _, ...rest } = document;
  return { ...rest, title, ...(description === '' ? {} : { description }), tiles };
}

/** Letters of a line of text over the whole width, and its height and that of the frame of a tile, in pixels. */
const LINE_LENGTH = 110;
const LINE_HEIGHT = 28;
const TEXT_FRAME = 24;
/** Rows of a new text, at most; the author may give it more. */
const MAX_TEXT_ROWS = 8;

/** Sizes of new tiles in rows of 40 pixels. */
const SIZES: Readonly<Record<string, { readonly w: number; readonly h: number }>> = {
  text: { w: 12, h: 1 },
  filter: { w: 4, h: 2 },
  kpi: { w: 3, h: 3 },
  table: { w: 6, h: 7 },
  chart: { w: 6, h: 7 },
};

/** Returns the dashboard with a new tile: a text below all others, any other kind in the first free place. */
export function withNewTile(
  dashboard: Dashboard,
  { kind, ...members }: Partial<Tile> & { readonly kind: string },
): { readonly dashboard: Dashboard; readonly tile: Tile } {
  const { tiles, columns, rowHeight } = dashboard;
  const { w, h: usual } = SIZES[kind] ?? { w: 6, h: 7 };
  const h = kind === 'text' ? rowsOfText(members.text ?? '') : usual;
  const rows = Math.max(1, Math.round((h * (NEW_ROW_HEIGHT + GAP)) / (rowHeight + GAP)));
  const place =
    kind === 'text' && tiles.length > 0
      ? { x: 0, y: Math.max(0, ...tiles.map((tile) => tile.y + tile.h)), w: Math.min(w, columns), h: rows }
      : freePlace(tiles, { w, h: rows }, columns);
  const tile: Tile = { ...members, id: freeId(tiles, kind), kind, ...place };
  return { dashboard: { ...dashboard, tiles: [...tiles, tile] }, tile };
}

/** Returns the rows of 40 pixels that a text needs over the whole width; headings and empty lines are about a line high. */
function rowsOfText(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);
  return Math.min(MAX_TEXT_ROWS, Math.ceil((lines * LINE_HEIGHT + TEXT_FRAME) / (NEW_ROW_HEIGHT + GAP)));
}

/** The states of a draft: those before the present one, and those that were undone. */
export interface History {
  readonly past: readonly Dashboard[];
  readonly present: Dashboard;
  readonly future: readonly Dashboard[];
}

export function begin(present: Dashboard): History {
  return { past: [], present, future: [] };
}

export function change({ past, present }: History, next: Dashboard): History {
  return { past: [...past, present].slice(-MAX_STEPS), present: next, future: [] };
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return { past: history.past.slice(0, -1), present: last, future: [history.present, ...history.future] };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}

/** An unsaved dashboard that the browser keeps, with the version that it began with. */
export interface Kept {
  readonly version: string;
  readonly document: JsonObject;
}

export function keepDraft(path: string, kept: Kept): void {
  try {
    localStorage.setItem(draftKey(path), JSON.stringify(kept));
  } catch {
    // Storage may be forbidden or full: the draft then ends with the page, which asks before it closes.
  }
}

export function readDraft(path: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(draftKey(path)) ?? 'null');
    if (!isObject(kept) || typeof kept.version !== 'string' || !isObject(kept.document)) return undefined;
    toDashboard(kept.document);
    return { version: kept.version, document: kept.document };
  } catch {
    // Another program may have written there.
    return undefined;
  }
}

export function dropDraft(path: string): void {
  try {
    localStorage.removeItem(draftKey(path));
  } catch {
    // Storage may be forbidden: there is no draft then.
  }
}

function draftKey(path: string): string {
  return `service.draft.${session.user ? accountName(session.user) : ''}.${path}`;
}
