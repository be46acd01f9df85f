/** The requests that change data: replacing, removing, undoing, clearing uploads. */
import type { Client } from '../api-client/client.ts';
import { isObject, readBoolean, readList, readObject, readText, readTime } from '../api-client/json.ts';
import { inWords } from '../words/server-words.ts';

const DATA = '/rest/service/api/admin/data';
const DATASOURCES = '/rest/service/api/admin/datasources';
const FILE_PARTS = ['file', 'file2', 'file3', 'file4'] as const;
export const MAX_FILES = FILE_PARTS.length;

export interface ComparedTable {
  readonly name: string;
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  readonly columnsAdded: readonly string[];
  readonly columnsRemoved: readonly string[];
  readonly columnsChanged: readonly string[];
  readonly dates: readonly { readonly column: string; readonly before: string; readonly after: string }[];
}

export interface Comparison {
  readonly isPossible: boolean;
  readonly reasons: readonly string[];
  readonly findings: readonly string[];
  readonly matched: readonly { readonly file: string; readonly table: string }[];
  readonly tables: readonly ComparedTable[];
  readonly totals: readonly {
    readonly label: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  readonly unmatched: readonly {
    readonly from: string;
    readonly to: string;
    readonly before: number;
    readonly after: number;
  }[];
  readonly breaks: readonly { readonly title: string; readonly path: string; readonly message: string }[];
}

/** New files that wait for a confirmation, with what they change. */
export interface Compared extends Comparison {
  readonly id: string;
}

export function compareFiles(
  client: Client,
  id: string,
  files: readonly File[],
  signal: AbortSignal,
): Promise<Compared> {
  const form = new FormData();
  for (const [place, file] of files.entries()) form.append(FILE_PARTS[place] ?? '', file, file.name);
  return client.postForm(`${DATA}/models/${encodeURIComponent(id)}/replacements`, form, parseCompared, signal);
}

function parseCompared(json: unknown): Compared {
  return { id: readText(readObject(json, 'the comparison'), 'id'), ...parseComparison(json) };
}

/**
 * Parses what new files change.
 * @throws UnexpectedAnswerError
 */
export function parseComparison(json: unknown): Comparison {
  const body = readObject(json, 'the comparison');
  const models = readList(body.models, 'models', (each) => readObject(each, 'a model'));
  return {
    isPossible: readBoolean(body, 'isPossible'),
    reasons: readList(body.reasons, 'reasons', String),
    findings: readList(body.findings, 'findings', String),
    matched: readList(body.matched, 'matched', (each) => {
      const pair = readObject(each, 'a file');
      return { file: readText(pair, 'file'), table: readText(pair, 'table') };
    }),
    tables: readList(body.tables, 'tables', parseTable),
    totals: models.flatMap(({ totals }) =>
      readList(totals, 'totals', (each) => {
        const total = readObject(each, 'a total');
        return { label: readText(total, 'label'), before: numberOf(total.before), after: numberOf(total.after) };
      }),
    ),
    unmatched: models.flatMap(({ unmatched }) =>
      readList(unmatched, 'unmatched', (each) => {
        const keys = readObject(each, 'keys');
        return {
          from: readText(keys, 'from'),
          to: readText(keys, 'to'),
          before: Number(keys.before),
          after: Number(keys.after),
        };
      }),
    ),
    breaks: models.flatMap(({ breaks }) =>
      readList(breaks, 'breaks', (each) => {
        const broken = readObject(each, 'a break');
        return {
          title: readText(broken, 'title'),
          path: readText(broken, 'path'),
          message: inWords(readText(broken, 'message')),
        };
      }),
    ),
  };
}

function parseTable(item: unknown): ComparedTable {
  const table = readObject(item, 'a table');
  return {
    name: readText(table, 'name'),
    rowsBefore: numberOf(table.rowsBefore),
    rowsAfter: numberOf(table.rowsAfter),
    columnsAdded: readList(table.columnsAdded, 'columnsAdded', String),
    columnsRemoved: readList(table.columnsRemoved, 'columnsRemoved', String),
    columnsChanged: readList(table.columnsChanged, 'columnsChanged', (each) => {
      const column = readObject(each, 'a column');
      return `${readText(column, 'name')}: ${readText(column, 'before')} → ${readText(column, 'after')}`;
    }),
    dates: readList(table.dates, 'dates', (each) => {
      const range = readObject(each, 'a range');
      return {
        column: readText(range, 'column'),
        before: rangeOf(range.fromBefore, range.toBefore),
        after: rangeOf(range.fromAfter, range.toAfter),
      };
    }),
  };
}

function rangeOf(from: unknown, to: unknown): string {
  return typeof from === 'string' && typeof to === 'string' ? `${from} – ${to}` : '–';
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export interface Undo {
  readonly id: string;
  readonly until: Date;
}

export function confirmReplacement(client: Client, id: string): Promise<Undo> {
  return client.post(`${DATA}/replacements/${encodeURIComponent(id)}/confirm`, undefined, (json) => {
    const body = readObject(json, 'the replacement');
    return { id: readText(body, 'undo'), until: readTime(body, 'undoUntil') };
  });
}

export function discardReplacement(client: Client, id: string): Promise<void> {
  return client.delete(`${DATA}/replacements/${encodeURIComponent(id)}`, () => undefined);
}

export function undoChange(client: Client, kind: 'replaced' | 'removed', id: string): Promise<void> {
  const folder = kind === 'replaced' ? 'replacements' : 'removals';
  return client.post(`${DATA}/${folder}/${encodeURIComponent(id)}/undo`, undefined, () => undefined);
}

export interface RemovalPlan {
  readonly name: string;
  readonly goes: readonly string[];
  readonly stays: readonly string[];
  readonly undoMinutes: number;
}

export function describeRemoval(client: Client, id: string): Promise<RemovalPlan> {
  return client.get(`${DATA}/models/${encodeURIComponent(id)}/removal`, (json) => {
    const body = readObject(json, 'the removal');
    return {
      name: readText(body, 'name'),
      goes: readList(body.goes, 'goes', (each) => inWords(readText(readObject(each, 'a thing'), 'name'))),
      stays: readList(body.stays, 'stays', (each) => {
        const thing = readObject(each, 'a thing');
        return `${inWords(readText(thing, 'name'))}: ${inWords(readText(thing, 'reason'))}`;
      }),
      undoMinutes: Number(body.undoMinutes),
    };
  });
}

export function removeModel(client: Client, id: string): Promise<void> {
  return client.delete(`${DATASOURCES}/${encodeURIComponent(id)}`, () => undefined);
}

export function removeUpload(client: Client, file: string): Promise<void> {
  return client.delete(`${DATA}/uploads/${encodeURIComponent(file)}`, () => undefined);
}

export function clearUploads(client: Client): Promise<number> {
  return client.post(`${DATA}/uploads/clear`, undefined, (json) => (isObject(json) ? Number(json.removed) : 0));
}

/** Makes the server read all descriptors and documents again. */
export function reloadModels(client: Client): Promise<void> {
  return client.post(`${DATASOURCES}/refresh`, undefined, () => undefined);
}
